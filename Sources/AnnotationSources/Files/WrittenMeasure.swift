import Geodesy

extension Distance {
  /// A length with its unit (`300m`, `2km`, `1.5mi`); a bare number is meters.
  ///
  /// - Parameter name: What it is called where it is mistaken.
  package init(text: String, named name: String) throws(ReportedError) {
    let digits = text.prefix { !$0.isLetter || $0 == "e" || $0 == "E" }
    let unit = text.dropFirst(digits.count)
    guard let number = finiteNumber(trimmed(digits)) else {
      throw ReportedError(
        "not-a-number",
        "\(name) \"\(text)\" is not a length; write a number with m, km or mi, such as 2km or 1.5mi",
        fault: .usage)
    }
    guard number >= 0 else {
      throw ReportedError(
        "bad-distance", "\(name) \(text) is negative; write a length such as 2km", fault: .usage)
    }
    switch unit {
    case "", "m": self = .meters(number)
    case "km": self = .kilometers(number)
    case "mi": self = .miles(number)
    default:
      throw ReportedError(
        "bad-distance", "\(name) \(text): \"\(unit)\" is not a unit known here; use m, km or mi",
        fault: .usage)
    }
    guard meters.isFinite else {
      throw ReportedError(
        "bad-distance",
        "\(name) \(text) is too large; half the Earth's circumference is 20004km",
        fault: .usage)
    }
  }
}

/// Lengths of time, speeds and sizes as people write them, the same wherever they are read.
package enum WrittenMeasure {
  /// A count of bytes of at least 1, perhaps in thousands (`500k`), millions (`2M`) or billions (`8G`).
  ///
  /// - Returns: nil if the text is something else.
  package static func bytes(_ text: String) -> Int? {
    let units: [Character: Int] = ["k": 1_000, "m": 1_000_000, "g": 1_000_000_000]
    let unit = text.lowercased().last.flatMap { units[$0] }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0 else {
      return nil
    }
    let (count, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
    return overflows ? nil : count
  }

  /// A length of time in seconds: `90s`, `20m`, `5min`, `1h30m`, `800ms`, `2d`; a bare number is seconds.
  ///
  /// - Returns: nil if the text is something else.
  package static func seconds(_ text: String) -> Double? {
    let text = trimmed(text.lowercased())
    if let number = finiteNumber(text) { return number }
    let isNegative = text.hasPrefix("-")
    var rest = text.dropFirst(isNegative ? 1 : 0)
    guard !rest.isEmpty else { return nil }
    var seconds = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let name = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(name.count).drop { $0 == " " }
      guard let number = finiteNumber(String(digits)), let unit = units[String(name)] else {
        return nil
      }
      seconds += number * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// A length of time in seconds, at least 0 and at most 10¹².
  ///
  /// - Parameters:
  ///   - name: What errors call it.
  ///   - needsUnit: Whether a bare number is refused, because people might mean minutes.
  package static func seconds(
    _ text: String, named name: String, needsUnit: Bool = false
  ) throws(ReportedError) -> Double {
    guard let seconds = seconds(text), seconds.magnitude <= 1e12,
      !needsUnit || finiteNumber(trimmed(text)) == nil
    else {
      throw ReportedError(
        "bad-duration",
        "\(name) \"\(text)\" is not a length of time; write 30s, 20m, 1h30m or 2d", fault: .usage)
    }
    guard seconds >= 0 else {
      throw ReportedError(
        "bad-duration", "\(name) \(text) is negative; write a length of time such as 30s",
        fault: .usage)
    }
    return seconds
  }

  private static let units: [String: Double] = [
    "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400,
  ]

  /// What to do about a number, a unit or a length that is taken for the name of a file; nil for another name.
  static func remedy(forFile text: String) -> String? {
    if finiteNumber(text) != nil {
      return "write coordinates as one word, with commas: 37.57,126.97 or, for a box, "
        + "126.9,37.4,127.1,37.6"
    }
    let unit = text.lowercased()
    if ["km", "mi"].contains(unit) || units[unit] != nil
      || speedUnits.contains(where: { $0.name == unit })
    {
      return "write the unit right after its number: 2km"
    }
    let isLength = (try? Distance(text: text, named: "")) != nil
    return isLength ? "write a length right after its option" : nil
  }

  /// A speed in meters a second: `12m/s`, `50km/h`, `30mph`, `8kn`, and `walk`, `bike` and `car`.
  ///
  /// - Parameter bare: What a number without a unit is multiplied by; nil if it needs one.
  /// - Returns: nil if the text is something else.
  package static func speed(_ text: String, bare: Double? = nil) -> Double? {
    let text = trimmed(text.lowercased())
    if let known = speeds[text] { return known }
    for (unit, meters) in speedUnits where text.hasSuffix(unit) {
      return finiteNumber(trimmed(text.dropLast(unit.count))).map { $0 * meters }
    }
    guard let bare else { return nil }
    return finiteNumber(text).map { $0 * bare }
  }

  /// The greatest speed that an option takes, in meters a second.
  package static let greatestSpeed = 300_000.0

  /// A speed in meters a second, above 0 and at most ``greatestSpeed``.
  ///
  /// - Parameters:
  ///   - name: What errors call it.
  ///   - bare: What a number without a unit is multiplied by; nil if it needs one.
  package static func speed(
    _ text: String, named name: String, bare: Double?
  ) throws(ReportedError) -> Double {
    if bare == nil, let number = finiteNumber(trimmed(text)), number > 0 {
      throw ReportedError(
        "bad-speed", "\(name) \(text) has no unit; write \(text)km/h or \(text)m/s", fault: .usage)
    }
    guard let speed = speed(text, bare: bare), speed > 0, speed <= greatestSpeed else {
      throw ReportedError(
        "bad-speed",
        "\(name) \"\(text)\" is not a speed above 0 and up to 300 km/s; write walk, bike, car, 12m/s, "
          + "50km/h or 30mph", fault: .usage)
    }
    return speed
  }

  /// 15 and 30 km/h are what is left of the speed of a bicycle and a car in a city.
  private static let speeds: [String: Double] = [
    "walk": 5 / 3.6, "bike": 15 / 3.6, "car": 30 / 3.6,
  ]

  private static let speedUnits: [(name: String, meters: Double)] = [
    ("m/s", 1), ("mps", 1), ("km/h", 1 / 3.6), ("kmh", 1 / 3.6), ("kph", 1 / 3.6),
    ("mph", 0.44704), ("kn", 1_852 / 3_600.0),
  ]
}
