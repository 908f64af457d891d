import Geodesy

/// What settings that the libraries' messages name are called on the command line.
enum OptionNames {
  static func put(into message: String) -> String { named(names, in: message) }

  /// A message with options that have two names named as they were typed.
  static func asTyped(_ message: String) -> String {
    CommandLine.arguments.reduce(message) { message, argument in
      let typed = argument.prefix { $0 != "=" }
      let other = typed.split(separator: "-").last.map { String($0) } ?? ""
      guard typed.hasPrefix("--"), let name = others[other] else { return message }
      return message.replacing(typed.dropLast(other.count) + name, with: typed)
    }
  }

  private static let others = ["x": "lon-field", "y": "lat-field", "speed": "travel", "zone": "tz"]

  private static let names = [
    "accuracyField": "--accuracy-field", "after": "--after",
    "allowEmpty": "--allow-empty", "allowsNullIsland": "--allow-null-island",
    "allowsStale": "--allow-stale", "asksFailedAgain": "--again",
    "byteLimit": "--max-bytes", "crs": "--crs", "delimiter": "--delimiter",
    "encoding": "--encoding", "featureLimit": "--max-features", "fields": "--fields",
    "format": "--input-format",
    "gpxPoints": "--points", "hasHeader = false": "--no-header", "hoursField": "--hours-field",
    "idField": "--id-field", "inside": "--inside", "isStrict": "--strict", "key": "--place-key",
    "kind": "--kind",
    "kindField": "--kind-field", "latitude": "--lat",
    "latitudeField": "--lat-field", "layer": "--layer",
    "layer(named:)": "--layer",
    "layer(named:makingIt:)": "nearby import shops.csv --store …",
    "learnsMotion": "--max-speed auto", "longitude": "--lon",
    "longitudeField": "--lon-field",
    "nameField": "--name-field",
    "onReject": "--rejects FILE", "origin": "--lat and --lon", "places": "--places",
    "quoting": "--quote", "radius": "--radius",
    "radiusField": "--radius-field",
    "region": "--region", "rejectLimit": "--max-rejects", "replace": "--replace",
    "rowsFields": "--rows-field",
    "rule": "--rule", "store": "--store", "timeField": "--time-field",
    "unpackingLimit": "--max-unpacked",
    "versionField": "--version-field", "within": "--within", "zone": "--tz",
  ]
}
