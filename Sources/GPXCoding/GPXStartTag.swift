import Geodesy

/// The tag that begins a point, as the bytes of its file have it.
package enum GPXStartTag {
  /// An element with another position: the values of `lat` and `lon` in its start tag are replaced,
  /// every other byte is kept.
  ///
  /// - Parameter element: From the `<` on, well-formed, in UTF-8, ISO 8859-1, ASCII or UTF-16, whose
  ///   two bytes a character the `<` tells.
  package static func moved(_ element: [UInt8], to coordinate: Coordinate) -> [UInt8] {
    var text = Units(element)
    var bytes: [UInt8] = []
    var copied = 0
    // The name of the element.
    text.skip { !isBlank($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    while true {
      text.skip(isBlank)
      let name = text.skip { !isBlank($0) && $0 != UInt8(ascii: "=") }
      text.skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      // A quote: the tag, or all of the text, ends in what was taken for a name otherwise.
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

  private static func isBlank(_ unit: UInt8) -> Bool {
    unit == UInt8(ascii: " ") || (0x09...0x0D).contains(unit)
  }

  /// The characters of a text, one or two bytes each; those beyond ASCII are told from it, and from
  /// nothing else.
  private struct Units {
    private let bytes: [UInt8]
    private let width: Int
    /// Which of the two bytes of a character is the lower one.
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

    /// Passes over characters and returns them.
    @discardableResult
    mutating func skip(_ isPassed: (UInt8) -> Bool) -> [UInt8] {
      var passed: [UInt8] = []
      while let unit = next, isPassed(unit) {
        passed.append(unit)
        place += 1
      }
      return passed
    }

    /// A text of ASCII in this encoding.
    func encoded(_ text: String) -> [UInt8] {
      guard width == 2 else { return Array(text.utf8) }
      return text.utf8.flatMap { low == 0 ? [$0, 0] : [0, $0] }
    }
  }
}
