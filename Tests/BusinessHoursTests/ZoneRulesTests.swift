import BusinessHours
import Foundation
import Geodesy
import NearbyTestSupport
import Testing

@Suite struct ZoneRulesTests {
  private static let folder = "/usr/share/zoneinfo"
  private static let isThere = FileManager.default.fileExists(atPath: folder + "/Asia/Seoul")

  private static func bytes(_ zone: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(zone)")))
  }

  @Test(
    .enabled(if: isThere, "needs the time zone database of the system"),
    arguments: [
      "Asia/Seoul", "Asia/Tokyo", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
      "Asia/Kathmandu", "Pacific/Apia", "Europe/Dublin", "UTC",
    ])
  func `offsets are those of Foundation`(zone: String) throws {
    let rules = try ZoneRules(tzif: Self.bytes(zone))
    guard let judge = TimeZone(identifier: zone) else {
      Issue.record("Foundation does not know \(zone)")
      return
    }
    // Every 50 hours and 7 minutes from 1971 to 2070, and to the second about each change.
    func offset(_ second: Int64) -> Int { rules.utcOffset(at: Instant(seconds: second)) }
    var instant: Int64 = 31_536_000
    var before = offset(instant)
    while instant < 3_155_760_000 {
      let now = offset(instant)
      if now != before {
        var (low, high) = (instant - 180_420, instant)
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(middle) == before { low = middle } else { high = middle }
        }
        for second in [low, high] { expect(rules, judge, second, zone) }
        before = now
      }
      expect(rules, judge, instant, zone)
      instant += 180_420
    }
  }

  private func expect(_ rules: ZoneRules, _ judge: TimeZone, _ instant: Int64, _ zone: String) {
    let expected = judge.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    let offset = rules.utcOffset(at: Instant(seconds: instant))
    if offset != expected {
      Issue.record("\(zone) at \(instant): \(offset), not \(expected)")
    }
  }

  @Test(
    .enabled(if: isThere, "needs the time zone database of the system"), arguments: UInt64(0)..<4)
  func `damaged files are refused, or read as some clock`(seed: UInt64) throws {
    let whole = try Self.bytes("Europe/Berlin")
    for length in 0..<whole.count {
      // Cut off in its last text a file is whole but for its rule.
      if let rules = try? ZoneRules(tzif: whole[..<length]) {
        #expect(abs(rules.utcOffset(at: 0)) < 172_800)
      }
    }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      guard let rules = try? ZoneRules(tzif: bytes) else { continue }
      for instant in [Instant(milliseconds: .min), 0, 1_795_338_000, 253_402_300_799] {
        #expect(abs(rules.utcOffset(at: instant)) <= 172_800)
      }
    }
    #expect(throws: ZoneError.self) { try ZoneRules(tzif: [UInt8](repeating: 0, count: 1 << 19)) }
    #expect(throws: ZoneError.self) { try ZoneRules(tzif: Array("no zone".utf8)) }
  }

  @Test func `clocks come again every 400 years, as far as numbers go`() throws {
    let cycle: Int64 = 146_097 * 86_400
    var random = SeededGenerator(seed: 3)
    for text in ["EST5EDT,M3.2.0,M11.1.0", "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "KST-9"]
    {
      let zone = try ZoneRules(posix: text)
      let far = (0..<1_000).map { _ in Int64.random(in: .min ... .max, using: &random) }
      for instant in (far + [.min, .max]).map(Instant.init(milliseconds:)) {
        // The same moment of a year from 1970 to 2369.
        let rest = instant.seconds % cycle
        let near = Instant(seconds: rest < 0 ? rest + cycle : rest)
        #expect(zone.utcOffset(at: instant) == zone.utcOffset(at: near), "\(text) at \(instant)")
      }
    }
  }

  @Test func `texts of POSIX are read`() throws {
    let berlin = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    // The last Sundays of March and October 2026, at 01:00 UTC.
    #expect(berlin.utcOffset(at: 1_774_745_999) == 3600)
    #expect(berlin.utcOffset(at: 1_774_746_000) == 7200)
    #expect(berlin.utcOffset(at: 1_792_889_999) == 7200)
    #expect(berlin.utcOffset(at: 1_792_890_000) == 3600)
    #expect(try ZoneRules(posix: "KST-9").utcOffset(at: 0) == 32_400)
    #expect(try ZoneRules(posix: "<+0330>-3:30").utcOffset(at: 0) == 12_600)
    for text in ["", "K", "KST", "KST-25", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "Asia/Seoul"] {
      #expect(throws: ZoneError.self) { try ZoneRules(posix: text) }
    }
  }
}
