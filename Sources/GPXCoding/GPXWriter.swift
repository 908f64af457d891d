import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Writes annotations as the waypoints of a GPX 1.1 file, one by one.
///
/// `ele`, `time`, `cmt`, `desc`, `src`, `sym`, `type`, `fix`, `sat` and the dilutions of precision
/// become GPX's own elements if their values match the schema; all other properties become
/// `extensions`, which `GPXReader` reads back under the same names. Characters that XML cannot hold
/// become U+FFFD.
public struct GPXWriter: Sendable {
  /// The bytes written since `takeBytes()` was last called.
  public private(set) var bytes: [UInt8] = []

  /// The beginning of every file.
  ///
  /// The namespace names the elements of extensions; it is not an address to fetch.
  static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="nearby" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:nearby="urn:nearby:properties">

    """

  /// Makes a writer with an empty buffer.
  public init() {}

  /// Returns and clears the bytes written so far.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes the text before the first waypoint.
  public mutating func begin() {
    append(GPXWriter.head)
  }

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
    append("<wpt lat=\"\(plainDecimal(coordinate.latitude))\"")
    append(" lon=\"\(plainDecimal(coordinate.longitude))\">")
    var rest = annotation.properties.entries
    for element in GPXWriter.elements {
      if element.name == "name" {
        guard let name = annotation.name else { continue }
        self.element("name", name)
        if let place = rest.firstIndex(where: { $0.value == .string(name) }) {
          if rest[place].name == "name" { rest.remove(at: place) }
        }
      } else if let place = rest.firstIndex(where: { $0.name == element.name }),
        let text = rest[place].value.text, !text.isEmpty, let content = element.content(text)
      {
        self.element(element.name, content)
        rest.remove(at: place)
      } else if element.name == "ele", let elevation, elevation.isFinite,
        !rest.contains(where: { $0.name == "ele" })
      {
        self.element("ele", plainDecimal(elevation))
      }
    }
    rest.removeAll { $0.value == .null || $0.value == .string("") }
    if writesID { GPXWriter.makeRoom(forID: annotation.id.text, in: &rest) }
    var extensions = rest.map { ($0.name, $0.value.text ?? $0.value.jsonText) }
    if writesID { extensions.insert(("id", annotation.id.text), at: 0) }
    // Of several properties called so, the first is read.
    let writtenKind = rest.first { $0.name.lowercased() == "kind" }?.value.text
    if let kind = annotation.kind?.rawValue, kind != writtenKind {
      extensions.insert(("kind", kind), at: writesID ? 1 : 0)
    }
    if !extensions.isEmpty {
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
    append("</wpt>\n")
  }

  /// Removes the property that repeats an id; another one called `id` gets a number after it.
  private static func makeRoom(forID id: String, in rest: inout [Properties.Entry]) {
    if let place = rest.firstIndex(where: { $0.name.lowercased() == "id" && $0.value.text == id }) {
      rest.remove(at: place)
    }
    for place in rest.indices where rest[place].name == "id" {
      var number = 2
      while rest.contains(where: { $0.name == "id_\(number)" }) { number += 1 }
      rest[place] = Properties.Entry(name: "id_\(number)", value: rest[place].value)
    }
  }

  /// Writes the text after the last waypoint.
  public mutating func end() { append("</gpx>\n") }

  // MARK: Elements

  private struct Element {
    let name: String
    /// A text as the schema wants it; nil if it does not allow such a text.
    let content: @Sendable (String) -> String?
  }

  /// In schema order.
  private static let elements: [Element] = {
    let number: @Sendable (String) -> String? = { text in
      guard let number = finiteNumber(text) else { return nil }
      guard text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return text }
      // The schema's decimals have no exponent.
      let decimal = plainDecimal(number)
      return decimal.contains("e") ? nil : decimal
    }
    let count: @Sendable (String) -> String? = {
      UInt32($0) != nil && !$0.hasPrefix("+") ? $0 : nil
    }
    let text: @Sendable (String) -> String? = { $0 }
    let time: @Sendable (String) -> String? = {
      GPXTime.seconds($0) != nil && $0.contains("T") ? $0 : nil
    }
    let fix: @Sendable (String) -> String? = {
      ["none", "2d", "3d", "dgps", "pps"].contains($0) ? $0 : nil
    }
    return [
      Element(name: "ele", content: number), Element(name: "time", content: time),
      Element(name: "name", content: text), Element(name: "cmt", content: text),
      Element(name: "desc", content: text), Element(name: "src", content: text),
      Element(name: "sym", content: text), Element(name: "type", content: text),
      Element(name: "fix", content: fix), Element(name: "sat", content: count),
      Element(name: "hdop", content: number), Element(name: "vdop", content: number),
      Element(name: "pdop", content: number),
    ]
  }()

  private mutating func element(_ name: String, _ text: String) {
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
