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
        "bad-distance", "\(name) \(text) has the unit \"\(unit)\"; use m, km or mi",
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
