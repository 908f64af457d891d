import Geodesy

/// The SHA-256 digest of content that arrives in pieces (FIPS 180-4).
///
/// It is the version of sources that state none, and identifies a page's own scripts: content with
/// the same digest is the same.
package struct ContentDigest {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]
  /// The bytes of the incomplete block.
  private var pending: [UInt8] = []
  private var byteCount = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  package init() {}

  /// Adds the next piece.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount += bytes.count
    var start = 0
    if !pending.isEmpty {
      start = min(64 - pending.count, bytes.count)
      pending += bytes[..<start]
      guard pending.count == 64 else { return }
      let block = pending
      block.withUnsafeBytes { mix($0, at: 0) }
      pending.removeAll(keepingCapacity: true)
    }
    while start + 64 <= bytes.count {
      mix(bytes, at: start)
      start += 64
    }
    pending += bytes[start...]
  }

  /// The digest in 64 hexadecimal digits.
  package func hexadecimal() -> String {
    words().map { zeroPadded($0, 8, radix: 16) }.joined()
  }

  /// The digest in Base64 (RFC 4648), as web pages have it.
  package func base64() -> String {
    let bytes = words().flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    return Base64.standard.text(of: bytes)
  }

  private func words() -> [UInt32] {
    var copy = self
    var padding: [UInt8] = [0x80]
    padding += Array(repeating: 0, count: (119 - pending.count % 64) % 64)
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: (byteCount * 8) >> shift))
    }
    padding.withUnsafeBytes { copy.update($0) }
    return copy.state
  }

  private mutating func mix(_ bytes: UnsafeRawBufferPointer, at start: Int) {
    for index in 0..<16 {
      schedule[index] = UInt32(
        bigEndian: bytes.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self))
    }
    for index in 16..<64 {
      let a = schedule[index - 15], b = schedule[index - 2]
      let low = ContentDigest.turned(a, 7) ^ ContentDigest.turned(a, 18) ^ (a >> 3)
      let high = ContentDigest.turned(b, 17) ^ ContentDigest.turned(b, 19) ^ (b >> 10)
      schedule[index] = schedule[index - 16] &+ low &+ schedule[index - 7] &+ high
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let turnedE =
        ContentDigest.turned(e, 6) ^ ContentDigest.turned(e, 11) ^ ContentDigest.turned(e, 25)
      let first =
        h &+ turnedE &+ ((e & f) ^ (~e & g)) &+ ContentDigest.constants[index]
        &+ schedule[index]
      let turnedA =
        ContentDigest.turned(a, 2) ^ ContentDigest.turned(a, 13) ^ ContentDigest.turned(a, 22)
      let second = turnedA &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}
