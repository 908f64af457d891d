import Geodesy

// Text from the command line as numbers, distances, positions and boxes. Whatever is wrong names
// the value and what to write instead.

/// A finite decimal number, with a dot; nothing else, in any locale.
func parseNumber(_ text: String) throws(CommandError) -> Double {
  let text = ArgumentPreparation.restored(text)
  guard let number = finiteNumber(text) else {
    throw CommandError(CoordinateError.notANumber(text), status: .usage)
  }
  return number
}

/// The number that a text holds and nothing else; nil for `nan`, `inf` and hexadecimal, which
/// `Double` would read.
private func finiteNumber(_ text: String) -> Double? {
  let allowed = text.utf8.allSatisfy { byte in
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
  guard allowed, let number = Double(text), number.isFinite else { return nil }
  return number
}

/// A latitude and a longitude as two options give them.
func parsePosition(latitude: String, longitude: String) throws(CommandError) -> Coordinate {
  let degrees = (try parseNumber(latitude), try parseNumber(longitude))
  do throws(CoordinateError) {
    return try Coordinate(latitude: degrees.0, longitude: degrees.1)
  } catch .looksSwapped {
    let latitude = ArgumentPreparation.restored(latitude)
    let longitude = ArgumentPreparation.restored(longitude)
    throw CommandError(
      "lat-lon-swapped",
      """
      latitude \(latitude) is outside -90…90; these look swapped. \
      Try --lat \(longitude) --lon \(latitude)
      """, status: .usage)
  } catch {
    throw CommandError(error, status: .usage)
  }
}

/// A length with its unit (`300m`, `2km`, `1.5mi`); a bare number is meters.
func parseDistance(_ text: String, option: String) throws(CommandError) -> Distance {
  let text = ArgumentPreparation.restored(text)
  let digits = text.prefix { !$0.isLetter || $0 == "e" || $0 == "E" }
  let unit = text.dropFirst(digits.count)
  guard let number = finiteNumber(trimmed(digits)) else {
    throw CommandError(
      "not-a-number",
      "\(option) \"\(text)\" is not a length; write a number with m, km or mi, such as 2km or 1.5mi",
      status: .usage)
  }
  guard number >= 0 else {
    throw CommandError(
      "bad-distance", "\(option) \(text) is negative; write a length such as 2km", status: .usage)
  }
  let distance: Distance
  switch unit {
  case "", "m": distance = .meters(number)
  case "km": distance = .kilometers(number)
  case "mi": distance = .miles(number)
  default:
    throw CommandError(
      "bad-distance", "\(option) \(text) has the unit \"\(unit)\"; use m, km or mi",
      status: .usage)
  }
  guard distance.meters.isFinite else {
    throw CommandError(
      "bad-distance",
      "\(option) \(text) is too large; half the Earth's circumference is 20004km",
      status: .usage)
  }
  return distance
}

/// A box as `west,south,east,north`.
func parseBox(_ text: String) throws(CommandError) -> BoundingBox {
  let text = ArgumentPreparation.restored(text)
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  guard parts.count == 4 else {
    throw CommandError(
      "bad-bbox", "\"\(text)\" is not a box; write west,south,east,north as 126.9,37.4,127.1,37.6",
      status: .usage)
  }
  var edges: [Double] = []
  for part in parts { edges.append(try parseNumber(trimmed(part))) }
  do throws(CoordinateError) {
    return try BoundingBox(south: edges[1], west: edges[0], north: edges[3], east: edges[2])
  } catch {
    throw CommandError(error, status: .usage)
  }
}

/// A count of bytes of at least 1, perhaps in thousands (`500k`), millions (`2M`) or billions (`8G`).
///
/// - Parameter code: The code of the error where it is none.
func parseByteCount(
  _ text: String, option: String, code: String = "bad-limit"
) throws(CommandError) -> Int {
  let text = ArgumentPreparation.restored(text)
  let units: [Character: Int] = ["k": 1_000, "m": 1_000_000, "g": 1_000_000_000]
  let unit = text.lowercased().last.flatMap { units[$0] }
  guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0,
    case let (count, overflows) = number.multipliedReportingOverflow(by: unit ?? 1), !overflows
  else {
    throw CommandError(
      code, "\(option) \(text) is not a size of 1 byte or more; write 500000, 500k, 20M or 8G",
      status: .usage)
  }
  return count
}

/// How many results: a whole number of at least 1, or `all`.
func parseLimit(
  _ text: String, option: String = "-k", code: String = "bad-k"
) throws(CommandError) -> Int {
  let text = ArgumentPreparation.restored(text)
  if text == "all" { return .max }
  // More digits than a count has are more than any source has annotations.
  let isHuge =
    text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    && text.utf8.drop { $0 == UInt8(ascii: "0") }.count > 18
  guard let limit = isHuge ? .max : Int(text) else {
    throw CommandError(
      code, "\(option) \(text) is not a whole number; write a number of at least 1, or all",
      status: .usage)
  }
  guard limit >= 1 else {
    throw CommandError(
      code,
      "\(option == "-k" ? "k" : option) must be at least 1, not \(limit); write \(option) 3, or "
        + "\(option) all", status: .usage)
  }
  return limit
}

/// Text without blanks at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  let isBlank = { (character: Character) in character == " " || character == "\t" }
  let start = text.drop(while: isBlank)
  guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
  return String(start[...end])
}
