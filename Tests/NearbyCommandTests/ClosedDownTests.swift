import Foundation
import Testing

/// Shops that have closed down, as lists, maps, pages and filters show them.
@Suite struct ClosedDownTests {
  private static let shops = """
    id,name,kind,lat,lon,opening_hours,영업상태명,폐업일자
    1,Old mart,mart,37.5001,127.0,24/7,폐업,2015-08-27
    2,New mart,mart,37.5002,127.0,24/7,영업/정상,
    3,Later mart,mart,37.5003,127.0,24/7,영업/정상,2999-01-01
    4,Resting mart,mart,37.5004,127.0,24/7,휴업,
    5,Plain mart,mart,37.5005,127.0,,영업/정상,
    6,Gone mart,mart,37.5006,127.0,,폐업,1111-11-11

    """
  private static let position = ["--lat", "37.5", "--lon", "127", "shops.csv"]

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(Self.shops, to: "shops.csv")
    return try Program.run(arguments, environment: ["TZ": "UTC"], in: folder)
  }

  @Test func `a list marks what is out of business, and open leaves it out`() throws {
    let list = try run(Self.position + ["--no-map"]).lines
    let marked = list.filter { $0.contains("× ") && $0.contains("mart") }
    #expect(marked.count == 3)
    #expect(marked.first?.contains("closed down 2015-08-27") == true)
    #expect(list.contains { $0.contains("× Resting mart") && $0.contains("suspended") })
    #expect(list.contains { $0.contains("× Gone mart") && $0.contains("closed down") })
    #expect(list.last == "× out of business")
    #expect(
      try run(Self.position + ["--open", "now", "--format", "ids"]).lines == ["2", "3", "5"])
    #expect(
      try run(Self.position + ["--open", "now", "--hours-unknown", "hide", "--format", "ids"]).lines
        == ["2", "3"])
    #expect(
      try run(Self.position + ["--open", "2999-01-01T12:00", "--format", "ids"]).lines == [
        "2", "5",
      ])
    #expect(
      try run(Self.position + ["--open", "2015-08-26T12:00Z", "--format", "ids"]).lines
        == ["1", "2", "3", "5"])
  }

  @Test func `programs are told since when`() throws {
    let results = try run(Self.position + ["--json"]).json["results"] as? [[String: Any]]
    #expect(
      results?.map { $0["business"] as? String } == [
        "closedDown", nil, nil, "suspended", nil, "closedDown",
      ])
    #expect(results?.compactMap { $0["closedDownSince"] as? String } == ["2015-08-27"])
  }

  @Test func `a list of its last day does not mark what closes with it`() throws {
    let folder = try Folder()
    try folder.write(
      "id,name,lat,lon,end_date,opening_hours\n1,a,37.57,126.97,2096-11-29,24/7\n", to: "s.csv")
    func list(_ day: String) throws -> Program.Outcome {
      try Program.run(["list", "s.csv", "--on", day, "--no-map"], in: folder)
    }
    let last = try list("2096-11-29")
    #expect(last.status == 0 && last.lines.count == 2, "\(last.text)")
    #expect(!last.text.contains("×") && !last.text.contains("closed down"), "\(last.text)")
    #expect(try list("2096-11-30").output.isEmpty)
    let hours = ["hours", "s.csv", "--tz", "Asia/Seoul", "--at"]
    #expect(
      try Program.run(hours + ["2096-11-29T23:59"], in: folder).lines == [
        "a: open until tomorrow 00:00"
      ])
    #expect(
      try Program.run(hours + ["2096-11-30T00:00"], in: folder).lines
        == ["a: closed down 2096-11-30"])
  }

  @Test func `a narrow map has the sign and says what it means`() throws {
    let map = try run(["map", "shops.csv", "--size", "40x14"]).text
    #expect(map.contains("× out of business"))
    let letters = try run([
      "map", "shops.csv", "--size", "40x14", "--style", "ascii",
    ])
    .text
    #expect(letters.contains("X out of business"))
    #expect(letters.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `hours say it for each, and closed days do not list them day by day`() throws {
    let lines = try run(["hours", "shops.csv", "--id", "1", "--id", "2"]).lines
    #expect(lines == ["Old mart: closed down 2015-08-27", "New mart: open"])
    let closed = try run(["hours", "shops.csv", "--closed", "tomorrow"]).lines
    #expect(
      closed == [
        "Old mart: closed down 2015-08-27", "Resting mart: suspended", "Gone mart: closed down",
      ])
  }

  @Test func `a page knows it without hours`() throws {
    let folder = try Folder()
    try folder.write(Self.shops, to: "shops.csv")
    let outcome = try Program.run(
      ["export", "shops.csv", "--html", "-o", "page.html"], environment: ["TZ": "UTC"], in: folder)
    #expect(outcome.status == 0)
    let page = try folder.text("page.html")
    let settings = try #require(
      page.components(separatedBy: "id=\"settings\">").last?
        .components(separatedBy: "</script>").first)
    let hours = try #require(
      (try JSONSerialization.jsonObject(with: Data(settings.utf8)) as? [String: Any])?["hours"]
        as? [String: Any])
    let rules = try #require(hours["rules"] as? [[Int]])
    let places = try #require(hours["places"] as? [Int])
    // Closed down is 3, suspended 4; the plain mart has no hours.
    #expect(places.map { $0 < 0 ? -1 : rules[$0][1] } == [3, 1, 1, 4, -1, 3])
  }
}
