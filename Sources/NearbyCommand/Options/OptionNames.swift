import AnnotationSources
import Geodesy

#if CommandLine
  import ArgumentParser
#endif

/// The names of options: what settings that the libraries' messages name are called, and which names may come twice.
enum OptionNames {
  static func put(into message: String) -> String { named(names, in: message) }

  /// A message with options that have two names named as they were typed.
  static func asTyped(_ message: String) -> String {
    CommandLine.arguments.reduce(message) { message, argument in
      let typed = String(argument.prefix { $0 != "=" })
      let name = shared(typed)
      guard typed.hasPrefix("--"), name != typed else { return message }
      // In quotation marks it is data.
      return " \(message)".replacing(" \(name)", with: " \(typed)").dropFirst().description
    }
  }

  /// The same name for both names of an option: `--left-lon-field` for `--left-x`, `--output` for `-o`.
  static func shared(_ typed: String) -> String {
    let other = typed.split(separator: "-").last.map { String($0) } ?? ""
    guard let name = others[other] else { return typed }
    return (typed.hasPrefix("--") ? String(typed.dropLast(other.count)) : "--") + name
  }

  private static let others = [
    "o": "output", "speed": "travel", "x": "lon-field", "y": "lat-field", "z": "zoom", "zone": "tz",
  ]

  private static let names = [
    "accuracyField": "--accuracy-field", "after": "--after",
    "allowEmpty": "--allow-empty", "allowsNullIsland": "--allow-null-island",
    "allowsStale": "--allow-stale", "asksFailedAgain": "--again",
    "byteLimit": "--max-bytes", "crs": "--crs", "delimiter": "--delimiter",
    "encoding": "--encoding", "featureLimit": "--max-features", "fields": "--fields",
    "format": "--input-format",
    "gpxPoints": "--points", "hasHeader = false": "--no-header", "hoursField": "--hours-field",
    "hoursUnknown": "--hours-unknown",
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

  // MARK: Options that are given twice

  /// The options that may come more than once with several values; `rows-field` also with the name of a side.
  static let repeatable: Set = [
    "--ask", "--deny", "--fences-rows-field", "--header", "--id", "--kind", "--left-rows-field",
    "--rows-field", "--rule", "--where",
  ]

  /// What is said of options of one value that are given twice with different ones: the last counts, as in the shells'
  /// own commands, so that an alias may be overridden, but not in silence.
  ///
  /// - Parameter isFlag: Whether the argument at an index takes no value.
  static func remarksOnRepeats(
    in arguments: [String], isFlag: (Int) -> Bool = { _ in false }
  ) -> [String] {
    let arguments = Array(arguments.prefix { $0 != "--" })
    var values: [String: String] = [:]
    var remarks: [String] = []
    for (place, argument) in arguments.enumerated()
    where argument.hasPrefix("-") && argument != "-" {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // Only `-k` takes its value right behind it.
      let isJoined = parts.count == 1 && argument.hasPrefix("-k") && argument != "-k"
      let option = isJoined ? "-k" : String(parts[0])
      let own = isJoined ? String(argument.dropFirst(2)) : parts.dropFirst().first.map(String.init)
      guard let value = own ?? arguments.dropFirst(place + 1).first,
        own != nil || value == "-" || !value.hasPrefix("-"),
        let first = values.updateValue(value, forKey: shared(option)), first != value,
        !repeatable.contains(option), own != nil || !isFlag(place)
      else { continue }
      let isList = option.hasSuffix("fields") || ["--facets", "--sort"].contains(option)
      remarks.append(
        "warning: option-twice: \(option) is given twice, and \"\(value.asTyped)\" counts, not "
          + "\"\(first.asTyped)\"; give it once"
          + (isList ? ", for both as \(option) \"\(first.asTyped),\(value.asTyped)\"" : ""))
    }
    return remarks
  }
}

#if CommandLine
  // MARK: Which options a help shows

  extension ArgumentVisibility {
    /// Of an option that few look for: left out of `--help`, shown by `--help-all`, and completed.
    static var rare: ArgumentVisibility { CompletionScript.isBeingMade ? .default : .hidden }
  }

  extension ArgumentHelp {
    /// Of an option that `--help` shows.
    static func usual(_ text: String, valueName: String? = nil) -> ArgumentHelp {
      ArgumentHelp(text, valueName: valueName)
    }

    /// Of one that only `--help-all` shows.
    static func rare(_ text: String, valueName: String? = nil) -> ArgumentHelp {
      ArgumentHelp(text, valueName: valueName, visibility: .rare)
    }
  }
#endif
