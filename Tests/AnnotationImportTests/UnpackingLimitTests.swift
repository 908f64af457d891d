import GzipReading
import Testing

@testable import AnnotationImport

@Suite struct UnpackingLimitTests {
  /// The most that deflate makes of anything (zlib's technical notes, "Maximum Compression Factor").
  private static let greatestRatio = 1_032

  @Test(arguments: [1_000, 100_000, 10_000_000, 40_000_000])
  func `data packed 100 to 1 passes, up to 4 GiB`(packed: Int) {
    #expect(UnpackingLimit.standard.byteCount(forPacked: packed) >= 100 * packed)
  }

  @Test(arguments: [270_000, 1_000_000, 100_000_000, Int.max])
  func `what no data reaches is refused, of any size that would hurt`(packed: Int) {
    let allowed = UnpackingLimit.standard.byteCount(forPacked: packed)
    let (bomb, overflows) = packed.multipliedReportingOverflow(by: Self.greatestRatio)
    #expect(overflows || allowed < bomb / 3)
    #expect(allowed <= 4 << 30)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
  func `a limit of as many bytes as there are passes, and one less is refused`(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let packed = gzipMember(content)
    #expect(try GzipInflater.unpacked(packed, limit: .bytes(count)) == content)
    guard count > 0 else { return }
    // Whatever length the packing states.
    for stated in [nil, 0, .max] as [UInt32?] {
      let member = gzipMember(content, statedLength: stated)
      do throws(GzipFailure) {
        _ = try GzipInflater.unpacked(member, limit: .bytes(count - 1))
        Issue.record("\(count) bytes came out of a limit of \(count - 1)")
      } catch {
        #expect(error.code == "gzip-too-large")
        #expect("\(error)".contains("`unpackingLimit`"))
      }
    }
  }

  @Test func `members count together`() {
    let member = gzipMember(Array(repeating: 0x20, count: 1_000))
    let packed = member + member + member
    #expect(throws: GzipFailure.self) {
      try GzipInflater.unpacked(packed, limit: .bytes(2_999))
    }
    #expect(throws: Never.self) { try GzipInflater.unpacked(packed, limit: .bytes(3_000)) }
  }

  @Test func `the importer says which option raises the limit`() {
    let packed = gzipMember(Array("id,lat,lon\na,37,127\n".utf8))
    let error = importError(packed) { $0.unpackingLimit = .bytes(19) }
    #expect(error?.code == "gzip-too-large")
    #expect(
      error?.description
        == "shops.csv: more than 19 bytes come out of 43 packed ones; pass a larger `unpackingLimit`, "
        + "as 8G, if that is right")
    #expect(importError(packed) { $0.unpackingLimit = .bytes(20) } == nil)
  }
}
