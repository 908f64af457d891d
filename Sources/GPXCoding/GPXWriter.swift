import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Writes annotations as the waypoints of a GPX 1.1 file, or the points of a track, one by one.
///
///     var writer = GPXWriter()
///     writer.begin()
///     writer.beginTrack()
///     for point in points { writer.write(point.coordinate, part: point.part, time: point.time) }
///     writer.endTrack()
///     writer.end()
///
/// Properties with the names of GPX's own elements (`ele`, `time`, `desc`, `link`, `hdop` and so on)
/// become these elements if their values match the schema; all other properties become `extensions`,
/// which `GPXReader` reads back under the same names. Characters that XML cannot hold
/// become U+FFFD.
public struct GPXWriter: Sendable {
  /// The bytes written since `takeBytes()` was last called.
  public private(set) var bytes: [UInt8] = []

  /// The part of the last point of the open track; nil without one.
  private var part: Int?

  /// The namespace of the elements of extensions; it is not an address to fetch.
  static let namespace = "urn:nearby:properties"

  /// The beginning of every file.
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="nearby" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:nearby="\(namespace)">

    """

  /// Makes a writer with an empty buffer.
  public init() {}

  /// Returns and clears the bytes written so far.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes the beginning of the file.
  public mutating func begin() { append(GPXWriter.head) }

  /// Writes the end of the file.
  public mutating func end() { append("</gpx>\n") }

  // MARK: Waypoints

  /// Writes a waypoint.
  ///
  /// - Parameters:
  ///   - annotation: The annotation.
  ///   - coordinate: The position.
  ///   - elevation: Meters above sea level, unless a property `ele` has them.
  ///   - writesID: Whether to write the id, because it is not just a record number. A property `id` that says
  ///     something else is then written as `id_2`.
  public mutating func write(
    _ annotation: some Annotation, at coordinate: Coordinate, elevation: Double? = nil,
    writesID: Bool
  ) {
    begin("wpt", at: coordinate)
    var rest = annotation.properties.entries
    for element in GPXWriter.elements {
      if let content = GPXWriter.takeContent(of: element, annotation, elevation, from: &rest) {
        self.element(element, content)
      }
    }
    rest.removeAll { $0.value == .null || $0.value == .string("") }
    if writesID { GPXWriter.makeRoom(forID: annotation.id.text, in: &rest) }
    // Of several properties called so, the first is read.
    let writtenKind = rest.first { $0.name.lowercased() == "kind" }?.value.text
    var extensions: [(name: String, text: String)] = []
    if writesID { extensions.append(("id", annotation.id.text)) }
    if let kind = annotation.kind?.rawValue, kind != writtenKind {
      extensions.append(("kind", kind))
    }
    extensions += rest.map { (name: $0.name, text: $0.value.text ?? $0.value.jsonText) }
    append(extensions)
    append("</wpt>\n")
  }

  /// The content of one of GPX's own elements, nil for none; a property that becomes it is taken out of the rest.
  private static func takeContent(
    of element: String, _ annotation: some Annotation, _ elevation: Double?,
    from rest: inout [Properties.Entry]
  ) -> String? {
    if element == "name" {
      guard let name = annotation.name else { return nil }
      // Other properties may have the same text, and the name may be a number.
      if let place = rest.firstIndex(where: { $0.name == "name" && $0.value.text == name }) {
        rest.remove(at: place)
      }
      return name
    }
    guard let place = rest.firstIndex(where: { $0.name == element }) else {
      guard element == "ele", let elevation, elevation.isFinite else { return nil }
      return plainDecimal(elevation)
    }
    guard let text = rest[place].value.text, !text.isEmpty,
      let content = content(text, of: element)
    else { return nil }
    rest.remove(at: place)
    return content
  }

  private mutating func append(_ extensions: [(name: String, text: String)]) {
    if extensions.isEmpty { return }
    append("<extensions>")
    for (name, text) in extensions {
      append("<nearby:property name=\"")
      appendEscaped(name)
      append("\">")
      appendEscaped(text)
      append("</nearby:property>")
    }
    append("</extensions>")
  }

  /// Removes the property that repeats an id; another one called `id` gets a number after it.
  private static func makeRoom(forID id: String, in rest: inout [Properties.Entry]) {
    if let place = rest.firstIndex(where: { $0.name.lowercased() == "id" && $0.value.text == id }) {
      rest.remove(at: place)
    }
    for place in rest.indices where rest[place].name == "id" {
      let free = "id".firstFree { name in !rest.contains { $0.name == name } }
      rest[place] = Properties.Entry(name: free, value: rest[place].value)
    }
  }

  // MARK: Tracks

  /// Writes the text before the first point of a track.
  public mutating func beginTrack() {
    part = nil
    append("<trk>\n")
  }

  /// Writes a point of a track; one of another part than the one before begins a new segment.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - part: The number of the unbroken part of the track.
  ///   - elevation: Meters above sea level.
  ///   - time: Seconds since 1970 in UTC; written in whole milliseconds, and only for years of four
  ///     digits.
  ///   - accuracy: In meters; written into `extensions`, GPX's element for other data, and read back
  ///     from there.
  public mutating func write(
    _ coordinate: Coordinate, part: Int, elevation: Double? = nil, time: Double? = nil,
    accuracy: Double? = nil
  ) {
    if part != self.part {
      append(self.part == nil ? "<trkseg>\n" : "</trkseg>\n<trkseg>\n")
      self.part = part
    }
    begin("trkpt", at: coordinate)
    if let elevation, elevation.isFinite { element("ele", plainDecimal(elevation)) }
    if let time = time.flatMap(GPXTime.text) { element("time", time) }
    if let accuracy, accuracy.isFinite {
      append("<extensions>")
      element("nearby:accuracy", plainDecimal(accuracy))
      append("</extensions>")
    }
    append("</trkpt>\n")
  }

  /// Writes the text after the last point of a track.
  public mutating func endTrack() { append(part == nil ? "</trk>\n" : "</trkseg>\n</trk>\n") }

  // MARK: Elements

  /// The names of GPX's own elements, in schema order.
  private static let elements = [
    "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type",
    "fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid",
  ]

  /// A text as the schema wants it in an element; nil if it does not allow such a text.
  private static func content(_ text: String, of element: String) -> String? {
    switch element {
    case "ele", "magvar", "geoidheight", "hdop", "vdop", "pdop", "ageofdgpsdata":
      guard let number = finiteNumber(text) else { return nil }
      guard element != "magvar" || (0..<360).contains(number) else { return nil }
      guard text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return text }
      // The schema's decimals have no exponent.
      let decimal = plainDecimal(number)
      return decimal.contains("e") ? nil : decimal
    case "time": return isDateTime(text) && GPXTime.seconds(text) != nil ? text : nil
    case "fix": return ["none", "2d", "3d", "dgps", "pps"].contains(text) ? text : nil
    case "sat": return UInt32(text) != nil && !text.hasPrefix("+") ? text : nil
    case "dgpsid": return UInt32(text).map { $0 < 1024 } == true ? text : nil
    case "link": return text.utf8.contains { $0 < 0x21 } ? nil : text
    default: return text
    }
  }

  /// Whether a time has the form of XML Schema: seconds of two digits, but no leap second, and no offset without a colon.
  private static func isDateTime(_ text: String) -> Bool {
    let shape = text.utf8.map { $0.isASCIIDigit ? UInt8(ascii: "0") : $0 }
    guard shape.starts(with: "0000-00-00T00:00:00".utf8),
      !text.utf8.dropFirst(17).starts(with: "60".utf8)
    else { return false }
    let zone = shape.dropFirst(19).drop { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    return ["", "Z", "+00:00", "-00:00"].contains { zone.elementsEqual($0.utf8) }
  }

  private mutating func begin(_ point: String, at coordinate: Coordinate) {
    append("<\(point) lat=\"\(plainDecimal(coordinate.latitude))\"")
    append(" lon=\"\(plainDecimal(coordinate.longitude))\">")
  }

  private mutating func element(_ name: String, _ text: String) {
    guard name != "link" else {
      append("<link href=\"")
      appendEscaped(text)
      append("\"/>")
      return
    }
    append("<\(name)>")
    appendEscaped(text)
    append("</\(name)>")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func appendEscaped(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      // Line breaks and tabs in attributes would be read as spaces.
      case "\t": append("&#9;")
      case "\n": append("&#10;")
      case "\r": append("&#13;")
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}")
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}
