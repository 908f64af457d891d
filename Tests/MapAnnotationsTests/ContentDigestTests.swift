import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct ContentDigestTests {
  private func digest(_ bytes: [UInt8], pieces: Int) -> String {
    var digest = ContentDigest()
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + pieces)
      bytes[start..<end].withUnsafeBytes { digest.update($0) }
      start = end
    }
    return digest.hexadecimal()
  }

  /// The examples that NIST gives for FIPS 180-4; in Base64 as `openssl dgst -sha256 -binary | base64`
  /// has it.
  @Test func `the digests of FIPS 180-4 are as it says`() {
    let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    #expect(
      digest(Array("abc".utf8), pieces: 64)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digest(Array(long.utf8), pieces: 64)
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      digest([], pieces: 1) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    var abc = ContentDigest()
    Array("abc".utf8).withUnsafeBytes { abc.update($0) }
    #expect(abc.base64() == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
  }

  @Test(arguments: [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000])
  func `the digest agrees with the system's program in pieces of any size`(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let sum = try SystemProgram.run(at: "/usr/bin/sha256sum", [], input: bytes)
    let expected = String(sum.text.prefix(64))
    for pieces in [1, 7, 64, 100, 4096] {
      #expect(digest(bytes, pieces: pieces) == expected, "pieces of \(pieces)")
    }
  }
}
