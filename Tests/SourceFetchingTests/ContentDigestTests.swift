#if Store
  import TestSupport
  import Testing

  @testable import SourceFetching

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

    @Test(arguments: [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000])
    func `the digest agrees with the system's program in pieces of any size`(count: Int) throws {
      var random = SeededGenerator(seed: UInt64(count))
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let sum = try SystemProgram.output(of: "/usr/bin/sha256sum", [], input: bytes)
      let expected = String(decoding: sum.prefix(64), as: UTF8.self)
      for pieces in [1, 7, 64, 100, 4096] {
        #expect(digest(bytes, pieces: pieces) == expected, "pieces of \(pieces)")
      }
    }
  }
#endif
