import Foundation
import NearbyTestSupport
import Testing

/// Which marts are closed tomorrow, by the lists of dates that marts announce.
@Suite struct ClosingDatesTests {
  /// Records as a mart's service sends them.
  private static let payload = """
    [{"id":1,"martType":"EMART","branchName":"성수점","openingHours":"10:00~23:00","holidays":["2018-10-28 (일)"],
      "location":{"latitude":37.539993,"longitude":127.053111}},
     {"id":2,"martType":"LOTTEMART","branchName":"삼양점","openingHours":"10:00~23:00",
      "holidays":["2018-11-11 (일)","2018-11-25 (일)"],"location":{"latitude":37.62,"longitude":127.02}},
     {"id":3,"martType":"HOMEPLUS","branchName":"강서점","openingHours":"10:00~24:00","holidays":[],
      "location":{"latitude":37.56,"longitude":126.83}}]
    """
  private static let table = """
    id,name,lat,lon,opening_hours,closing_days,정기휴무
    1,past,37.57,126.97,10:00~23:00,2019-01-01;2019-01-11,
    2,one,37.57,126.97,10:00~23:00,20261213,
    3,weekday,37.57,126.97,10:00~23:00,12/13(일),
    4,both,37.57,126.97,10:00~23:00,2026-12-14 (월),매월 둘째·넷째 일요일
    5,slip,37.57,126.97,10:00~23:00,2026-12-13 (월),
    6,Japanese,37.57,126.97,10:00-23:00,2026年12月13日（日）、27日（日）,
    7,English,37.57,126.97,10:00-23:00,"Sunday, Dec 13, 2026",
    8,never,37.57,126.97,10:00~23:00,,연중무휴

    """

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    let folder = try Folder()
    _ = try folder.write(Array(Self.table.utf8), to: "marts.csv")
    _ = try folder.write(Array(Self.payload.utf8), to: "marts.json")
    return try Program.run(arguments, environment: ["TZ": "Asia/Seoul"], in: folder)
  }

  private func ids(_ arguments: [String]) throws -> [String] {
    let closed = try run(arguments + ["--json"]).json["closed"] as? [[String: Any]]
    return (closed ?? []).compactMap { $0["id"] as? String }
  }

  @Test func `marts that announced tomorrow are closed tomorrow`() throws {
    let tomorrow = ["hours", "--closed", "tomorrow", "--at"]
    #expect(try ids(tomorrow + ["2026-12-12T12:00", "marts.csv"]) == ["2", "3", "4", "6", "7"])
    #expect(try ids(tomorrow + ["2026-12-13T12:00", "marts.csv"]) == ["4"])
    #expect(try ids(tomorrow + ["2026-12-26T12:00", "marts.csv"]) == ["4", "6"])
    // The weekday of `12/13(일)` is of 2026, and not of the next year.
    #expect(try ids(tomorrow + ["2027-12-12T12:00", "marts.csv"]) == [])
    #expect(try ids(tomorrow + ["2018-12-31T12:00", "marts.csv"]) == ["1"])
    #expect(try ids(tomorrow + ["2018-10-27T12:00", "marts.json"]) == ["1"])
    #expect(try ids(tomorrow + ["2018-11-24T12:00", "marts.json"]) == ["2"])
    #expect(try ids(tomorrow + ["2026-10-27T12:00", "marts.json"]) == [])
  }

  @Test func `the nearest that are open leave out marts that announced the day`() throws {
    let open = try run([
      "--lat", "37.57", "--lon", "126.97", "-k", "9", "--open=2026-12-13T12:00",
      "--hours-unknown", "hide", "marts.csv", "--json",
    ])
    let names = (try open.json["results"] as? [[String: Any]] ?? []).compactMap {
      $0["name"] as? String
    }
    #expect(names == ["past", "never"])
  }

  @Test func `a date that is another weekday is a remark of check`() throws {
    let outcome = try run(["check", "marts.csv"])
    #expect(outcome.text.contains("\"2026-12-13 (월)\" has a date and a weekday that do not fit"))
    #expect(outcome.text.contains("  1  hours-unread\n"), "\(outcome.text)")
  }
}
