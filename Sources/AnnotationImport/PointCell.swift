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

  /// - Parameter isLongitudeFirst: Whether two plain numbers are longitude and latitude.
  init(
    _ cell: DelimitedCell, in bytes: UnsafeBufferPointer<UInt8>, isLongitudeFirst: Bool = false
  ) {
    var start = cell.start
    var end = cell.end
    DecimalParser.trim(bytes, &start, &end)
    var srid: Int?
    if let (number, rest) = PointCell.srid(bytes, start, end) {
      srid = number
      start = rest
    }
    if let inside = PointCell.pointText(bytes, start, end) {
      isWellKnownText = true
      self.srid = srid
      shapeType = nil
      let parts = bytes[inside].split(whereSeparator: DecimalParser.isBlank)
      if parts.isEmpty {
        // POINT EMPTY has no position, like an empty cell.
        latitude = DelimitedCell(start: end, end: end, hasDoubledQuotes: false)
        longitude = latitude
      } else if 2...4 ~= parts.count {
        longitude = DelimitedCell(parts[0])
        latitude = DelimitedCell(parts[1])
      } else {
        (latitude, longitude) = (cell, cell)
      }
      return
    }
    isWellKnownText = false
    self.srid = nil
    shapeType = PointCell.shapeType(bytes, start, end)
    if shapeType == nil, let (first, second) = PointCell.pair(bytes, start, end) {
      latitude = DelimitedCell(isLongitudeFirst ? second : first)
      longitude = DelimitedCell(isLongitudeFirst ? first : second)
    } else {
      (latitude, longitude) = (cell, cell)
    }
  }

  /// Whether it is a point without a position.
  var isEmpty: Bool { isWellKnownText && latitude.start == latitude.end }

  /// Whether two different numbers were found.
  var isPair: Bool { latitude.start != longitude.start }

  // MARK: Well-known text

  /// The number after `SRID=` and the offset after its semicolon.
  private static func srid(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> (Int, Int)? {
    guard let digits = after("SRID=", bytes, start, end) else { return nil }
    var number = 0
    var at = digits
    while at < end, bytes[at].isASCIIDigit, at - digits < 9 {
      number = number * 10 + Int(bytes[at] - UInt8(ascii: "0"))
      at += 1
    }
    guard at > digits, at < end, bytes[at] == .semicolon else { return nil }
    return (number, at + 1)
  }

  /// The range in the brackets of a point, or an empty one for an empty point; nil for any other text.
  private static func pointText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Range<Int>? {
    guard let next = behind("POINT", bytes, start, end) else { return nil }
    if let behind = after("EMPTY", bytes, next, end) { return behind == end ? end..<end : nil }
    guard next < end, bytes[next] == UInt8(ascii: "("), bytes[end - 1] == UInt8(ascii: ")") else {
      return nil
    }
    return next + 1..<end - 1
  }

  private static let shapeTypes: [StaticString] = [
    "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE",
    "POLYHEDRALSURFACE", "TIN", "TRIANGLE",
  ]

  /// The type of a geometry in well-known text, even an empty one, that is not a point; nil for any
  /// other text.
  private static func shapeType(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> String? {
    guard start < end, ")Yy".utf8.contains(bytes[end - 1]) else { return nil }
    return shapeTypes.first { type in
      guard let next = behind(type, bytes, start, end), next < end else { return false }
      return bytes[next] == UInt8(ascii: "(") && bytes[end - 1] == UInt8(ascii: ")")
        || after("EMPTY", bytes, next, end) == end
    }?.description
  }

  /// The offset of what follows the type of a geometry and its `Z`, `M` or `ZM`; nil if another word is there.
  private static func behind(
    _ type: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Int? {
    var at = start
    while at < end, DecimalParser.isBlank(bytes[at]) { at += 1 }
    guard var next = after(type, bytes, at, end) else { return nil }
    while next < end, DecimalParser.isBlank(bytes[next]) { next += 1 }
    next = after("Z", bytes, next, end) ?? next
    next = after("M", bytes, next, end) ?? next
    while next < end, DecimalParser.isBlank(bytes[next]) { next += 1 }
    return next
  }

  /// The offset after an upper-case word, ignoring the text's case; nil if another word is there.
  private static func after(
    _ word: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Int? {
    guard end - start >= word.utf8CodeUnitCount else { return nil }
    for place in 0..<word.utf8CodeUnitCount {
      let byte = bytes[start + place]
      let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte
      guard upper == word.utf8Start[place] else { return nil }
    }
    return start + word.utf8CodeUnitCount
  }

  // MARK: Two numbers

  private typealias Part = Slice<UnsafeBufferPointer<UInt8>>

  /// The two halves of a text; nil if there are not two.
  private static func pair(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> (Part, Part)? {
    var start = start
    var end = end
    if start < end, let closing = closings[bytes[start]], bytes[end - 1] == closing, end - start > 1
    {
      start += 1
      end -= 1
      DecimalParser.trim(bytes, &start, &end)
    }
    let separator = (start..<end).first { separators.contains(bytes[$0]) }
    if let separator {
      var first = (start: start, end: separator)
      var second = (start: separator + 1, end: end)
      DecimalParser.trim(bytes, &first.start, &first.end)
      DecimalParser.trim(bytes, &second.start, &second.end)
      guard first.start < first.end, second.start < second.end else { return nil }
      return (bytes[first.start..<first.end], bytes[second.start..<second.end])
    }
    let parts = bytes[start..<end].split(whereSeparator: DecimalParser.isBlank)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  private static let separators: Set<UInt8> = [.comma, .semicolon, UInt8(ascii: "/"), .verticalBar]
  private static let closings: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
    UInt8(ascii: "{"): UInt8(ascii: "}"),
  ]
}

extension DelimitedCell {
  fileprivate init(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
    self.init(start: part.startIndex, end: part.endIndex, hasDoubledQuotes: false)
  }
}
