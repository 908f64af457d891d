import Geodesy

/// A position in one cell: `37.5, 127`, or a point in well-known text.
///
/// Two numbers are separated by a comma, a semicolon, a slash or spaces, optionally in brackets.
/// Well-known text is `POINT(127 37.5)`, also with `Z`, `M` or `ZM`, in any case, and after
/// `SRID=4326;`; its longitude comes first.
///
/// The two numbers are returned as cells, so that they are judged like any others; for anything
/// else, including lines and areas in well-known text, both are the whole cell.
///
/// Source: OGC 06-103r4, Simple Feature Access part 1, §7; ISO/IEC 13249-3 for curves; PostGIS for the SRID.
struct PointCell {
  let latitude: DelimitedCell
  let longitude: DelimitedCell
  /// Whether it is well-known text.
  let isWellKnownText: Bool
  /// The SRID in the text, if any.
  let srid: Int?
  /// The type of a line, an area or several points in well-known text; nil for anything else.
  let shapeType: String?

  private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  /// - Parameter isLongitudeFirst: Whether two plain numbers are longitude and latitude.
  init(
    _ cell: DelimitedCell, in bytes: UnsafeBufferPointer<UInt8>, isLongitudeFirst: Bool = false
  ) {
    var text = DecimalParser.trimmed(bytes[cell.range])
    let srid = PointCell.takeSRID(from: &text)
    let point = PointCell.insideOfPoint(text)
    isWellKnownText = point != nil
    self.srid = point == nil ? nil : srid
    shapeType = point == nil ? PointCell.shapeType(text) : nil
    if let parts = point?.split(whereSeparator: DecimalParser.isBlank) {
      switch parts.count {
      // POINT EMPTY has no position, like an empty cell.
      case 0: (latitude, longitude) = (DelimitedCell(text.suffix(0)), DelimitedCell(text.suffix(0)))
      case 2...4: (longitude, latitude) = (DelimitedCell(parts[0]), DelimitedCell(parts[1]))
      default: (latitude, longitude) = (cell, cell)
      }
    } else if shapeType == nil, let (first, second) = PointCell.pair(text) {
      latitude = DelimitedCell(isLongitudeFirst ? second : first)
      longitude = DelimitedCell(isLongitudeFirst ? first : second)
    } else {
      (latitude, longitude) = (cell, cell)
    }
  }

  /// Whether it is a point without a position.
  var isEmpty: Bool { isWellKnownText && latitude.range.isEmpty }

  /// Whether two different numbers were found.
  var isPair: Bool { latitude.start != longitude.start }

  // MARK: Well-known text

  /// Takes `SRID=`, its number and a semicolon; nil if the text does not begin with these.
  private static func takeSRID(from text: inout Text) -> Int? {
    guard let rest = behind("SRID=", text) else { return nil }
    let digits = rest.prefix(9).prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty, rest[digits.endIndex...].first == .semicolon else { return nil }
    text = rest[digits.endIndex...].dropFirst()
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The text in the brackets of a point, or an empty one for an empty point; nil for any other text.
  private static func insideOfPoint(_ text: Text) -> Text? {
    guard let rest = behind(type: "POINT", text) else { return nil }
    if let end = behind("EMPTY", rest) { return end.isEmpty ? end : nil }
    return isInBrackets(rest) ? rest.dropFirst().dropLast() : nil
  }

  private static let shapeTypes: [StaticString] = [
    "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE",
    "POLYHEDRALSURFACE", "TIN", "TRIANGLE",
  ]

  /// The type of a geometry in well-known text, even an empty one, that is not a point; nil for any
  /// other text.
  private static func shapeType(_ text: Text) -> String? {
    guard let last = text.last, ")Yy".utf8.contains(last) else { return nil }
    return shapeTypes.first { type in
      guard let rest = behind(type: type, text) else { return false }
      return isInBrackets(rest) || behind("EMPTY", rest)?.isEmpty == true
    }?.description
  }

  private static func isInBrackets(_ text: Text) -> Bool {
    text.first == UInt8(ascii: "(") && text.last == UInt8(ascii: ")")
  }

  /// What follows the type of a geometry and its `Z`, `M` or `ZM`; nil if another word is there.
  private static func behind(type: StaticString, _ text: Text) -> Text? {
    guard var rest = behind(type, text.drop(while: DecimalParser.isBlank)) else { return nil }
    rest = rest.drop(while: DecimalParser.isBlank)
    rest = behind("Z", rest) ?? rest
    rest = behind("M", rest) ?? rest
    return rest.drop(while: DecimalParser.isBlank)
  }

  /// What follows a word, in upper or lower case; nil if another word is there.
  private static func behind(_ word: StaticString, _ text: Text) -> Text? {
    let count = word.utf8CodeUnitCount
    guard text.count >= count else { return nil }
    for place in 0..<count {
      let byte = text[text.startIndex + place].lowercasedASCII
      guard byte == word.utf8Start[place].lowercasedASCII else { return nil }
    }
    return text.dropFirst(count)
  }

  // MARK: Two numbers

  /// The two halves of a text; nil if there are not two.
  private static func pair(_ text: Text) -> (Text, Text)? {
    var text = text
    switch (text.first, text.last) {
    case (UInt8(ascii: "("), UInt8(ascii: ")")), (UInt8(ascii: "["), UInt8(ascii: "]")),
      (UInt8(ascii: "{"), UInt8(ascii: "}")):
      text = DecimalParser.trimmed(text.dropFirst().dropLast())
    default: break
    }
    let separator = text.firstIndex {
      $0 == .comma || $0 == .semicolon || $0 == UInt8(ascii: "/") || $0 == .verticalBar
    }
    guard let separator else {
      let parts = text.split(whereSeparator: DecimalParser.isBlank)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    let first = DecimalParser.trimmed(text[..<separator])
    let second = DecimalParser.trimmed(text[separator...].dropFirst())
    return first.isEmpty || second.isEmpty ? nil : (first, second)
  }
}

extension DelimitedCell {
  fileprivate init(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    self.init(start: text.startIndex, end: text.endIndex)
  }
}
