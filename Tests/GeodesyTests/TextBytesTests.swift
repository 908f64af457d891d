import NearbyTestSupport
import Testing

@testable import Geodesy

@Suite struct TextBytesTests {
  /// What bytes in quotes stand for to whoever reads bytes, as SQLite and PostgreSQL do; nil where the quotes end early.
  private static func content(of quoted: String, by quote: UInt8) -> [UInt8]? {
    let bytes = Array(quoted.utf8)
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
    var content: [UInt8] = []
    var rest = bytes[1..<(bytes.count - 1)]
    while let byte = rest.popFirst() {
      if byte == quote, rest.popFirst() != quote { return nil }
      content.append(byte)
    }
    return content
  }

  @Test func `of all bytes only the capital letters of ASCII have a small one`() {
    for byte in UInt8.min...UInt8.max {
      let scalar = Unicode.Scalar(byte)
      let wanted = scalar.isASCII ? Character(scalar).lowercased().utf8.first : byte
      #expect(byte.lowercasedASCII == wanted)
    }
  }

  /// Marks that combine with the character before or after them, and a line end that is one `Character`.
  @Test(arguments: UInt64(0)..<200)
  func `a text in quotes ends at the last of them, whatever combines with the others`(
    seed: UInt64
  ) {
    let pieces = [
      "\"", "'", "\\", "a", "\u{301}", "\u{600}", "\u{200D}", "\r", "\n", "가", "\u{FE0F}", ";",
    ]
    var random = SeededGenerator(seed: seed)
    let text = (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    for (quote, byte) in [("\"", UInt8(ascii: "\"")), ("'", UInt8(ascii: "'"))] {
      let quoted = text.quoted(by: Unicode.Scalar(byte))
      #expect(Self.content(of: quoted, by: byte) == Array(text.utf8), "\(quote) \(quoted)")
    }
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") {
        escaped.append(UInt8(ascii: "\\"))
      }
      escaped.append(byte)
    }
    #expect(Array(text.escaped(["\\", "\""], by: "\\").utf8) == escaped)
  }
}
