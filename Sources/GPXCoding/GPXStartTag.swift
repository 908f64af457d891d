import Geodesy

/// Edits the start tag of a point in the bytes of its file.
package enum GPXStartTag {
  /// An element with another position: the values of `lat` and `lon` in its start tag are replaced,
  /// all other bytes are kept.
  ///
  /// - Parameter element: Well-formed, starting at its `<`, in UTF-8, ISO 8859-1, ASCII or UTF-16;
  ///   the `<` shows whether characters have two bytes.
  package static func moved(_ element: [UInt8], to coordinate: Coordinate) -> [UInt8] {
    var text = Units(element)
    var bytes: [UInt8] = []
    var copied = 0
    // Skip the name of the element.
    text.skip { !$0.isASCIIWhitespace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    while true {
      text.skip(\.isASCIIWhitespace)
      let name = text.skip { !$0.isASCIIWhitespace && $0 != UInt8(ascii: "=") }
      text.skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      // A quote should follow; otherwise the tag or the text ends within the name.
      guard let quote = text.next, !name.contains(UInt8(ascii: ">")) else { break }
      text.place += 1
      let start = text.place
      text.skip { $0 != quote }
      let value: Double? =
        switch String(decoding: name, as: UTF8.self) {
        case "lat": coordinate.latitude
        case "lon": coordinate.longitude
        default: nil
        }
      if let value {
        bytes += element[copied..<text.offset(of: start)]
        bytes += text.encoded(plainDecimal(value))
        copied = text.offset(of: text.place)
      }
      text.place += 1
    }
    return bytes + element[copied...]
  }

  /// The characters of a text, one or two bytes each; ASCII characters are recognized, all others
  /// are opaque.
  private struct Units {
    private let bytes: [UInt8]
    private let width: Int
    /// Which of a character's two bytes is the low one.
    private let low: Int
    var place = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      // The first character is a `<`.
      width = bytes.prefix(2).contains(0) ? 2 : 1
      low = bytes.first == 0 ? 1 : 0
    }

    /// The next character; nil at the end.
    var next: UInt8? {
      let at = offset(of: place)
      guard at + width <= bytes.count else { return nil }
      if width == 2, bytes[at + 1 - low] != 0 { return 0xFF }
      return bytes[at + low]
    }

    func offset(of place: Int) -> Int { place * width }

    /// Skips characters and returns them.
    @discardableResult
    mutating func skip(_ isPassed: (UInt8) -> Bool) -> [UInt8] {
      var passed: [UInt8] = []
      while let unit = next, isPassed(unit) {
        passed.append(unit)
        place += 1
      }
      return passed
    }

    /// An ASCII text in this encoding.
    func encoded(_ text: String) -> [UInt8] {
      guard width == 2 else { return Array(text.utf8) }
      return text.utf8.flatMap { low == 0 ? [$0, 0] : [0, $0] }
    }
  }
}
