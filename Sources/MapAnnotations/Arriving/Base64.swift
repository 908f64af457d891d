/// Bytes as text (RFC 4648).
package struct Base64: Sendable {
  private let alphabet: [UInt8]
  private let isPadded: Bool

  /// As web pages have it, with padding (§4).
  package static let standard = Base64(ending: "+/", isPadded: true)
  /// Characters that need no escaping in a URL or a shell, without padding (§5).
  package static let url = Base64(ending: "-_", isPadded: false)

  private init(ending: String, isPadded: Bool) {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    alphabet = Array((letters + ending).utf8)
    self.isPadded = isPadded
  }

  /// The bytes as text.
  package func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 where place <= group.count || isPadded {
        text.append(
          place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text without padding; nil if it is not Base64.
  package func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for letter in text.utf8 {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return count < 6 && bits == 0 ? bytes : nil
  }
}
