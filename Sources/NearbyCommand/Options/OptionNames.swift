import Geodesy

/// What settings that the libraries' messages name are called on the command line.
enum OptionNames {
  static func put(into message: String) -> String { named(names, in: message) }

  private static let names = [
    "accuracyField": "--accuracy-field", "after": "--after",
    "allowEmpty": "--allow-empty", "allowsNullIsland": "--allow-null-island",
    "byteLimit": "--max-bytes", "crs": "--crs", "delimiter": "--delimiter",
    "encoding": "--encoding", "featureLimit": "--max-features", "fields": "--fields",
    "format": "--input-format",
    "gpxPoints": "--points", "hasHeader = false": "--no-header", "hoursField": "--hours-field",
    "idField": "--id-field", "isStrict": "--strict", "key": "--place-key",
    "kindField": "--kind-field", "latitudeField": "--lat-field", "layer": "--layer",
    "layer(named:)": "--layer",
    "layer(named:makingIt:)": "nearby import shops.csv --store …",
    "longitudeField": "--lon-field", "nameField": "--name-field",
    "onReject": "--rejects FILE", "origin": "--lat and --lon", "quoting": "--quote",
    "region": "--region", "rejectLimit": "--max-rejects", "rowsFields": "--rows-field",
    "rule": "--rule", "timeField": "--time-field", "unpackingLimit": "--max-unpacked",
  ]
}
