import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import TextMaps

@Suite struct `Table of results` {
  /// The three cinemas nearest to the city hall of Seoul, and a mart with an unkind name.
  static let rows: [ResultTable.Row] = [
    .init(
      number: 1, name: "씨네큐브광화문", kind: .cinema, distance: .meters(639.337), bearing: 303,
      details: ["서울특별시 종로구 새문안로 68", "open"]),
    .init(
      number: 2, name: "에무시네마", kind: .cinema, distance: .meters(1027.56), bearing: 306,
      details: ["서울특별시 종로구 경희궁1가길 7", "closed"]),
    .init(
      number: 3, name: "Arthouse Momo", kind: .cinema, distance: .meters(2828.97), bearing: 258,
      details: ["서울특별시 서대문구 이화여대길 52"]),
    .init(
      number: 10, name: "red\u{1B}[31m\nmart", kind: .mart, distance: .meters(144_230)),
  ]
  static let headers = ["Address", "Now"]

  private func table(_ width: Int, style: TextMap.Style = .braille) -> String {
    ResultTable(rows: Self.rows, detailHeaders: Self.headers, width: width, style: style).render()
  }

  @Test func `lines up names of every script`() {
    #expect(
      table(100) == """
         #  Name            Kind    Distance     Address                            Now
         1  씨네큐브광화문  cinema     639 m  ↖  서울특별시 종로구 새문안로 68      open
         2  에무시네마      cinema   1.03 km  ↖  서울특별시 종로구 경희궁1가길 7    closed
         3  Arthouse Momo   cinema   2.83 km  ←  서울특별시 서대문구 이화여대길 52
        10  red␛[31m mart   mart      144 km
        """)
  }

  @Test func `cuts details where it has to`() {
    #expect(
      table(64) == """
         #  Name            Kind    Distance     Address          Now
         1  씨네큐브광화문  cinema     639 m  ↖  서울특별시 종…   open
         2  에무시네마      cinema   1.03 km  ↖  서울특별시 종…   closed
         3  Arthouse Momo   cinema   2.83 km  ←  서울특별시 서…
        10  red␛[31m mart   mart      144 km
        """)
  }

  @Test func `says which details found no room`() {
    func withoutRoom(_ width: Int) -> [String] {
      ResultTable(
        rows: Self.rows, detailHeaders: Self.headers + ["Empty"], width: width
      ).laidOut().withoutRoom
    }
    #expect(withoutRoom(100) == [])
    #expect(withoutRoom(50) == ["Now"])
    #expect(withoutRoom(40) == ["Address", "Now"])
  }

  @Test func `says directions in letters in the ASCII style`() {
    #expect(
      table(40, style: .ascii) == """
         #  Name            Kind    Distance
         1  씨네큐브광화문  cinema     639 m  NW
         2  에무시네마      cinema   1.03 km  NW
         3  Arthouse Momo   cinema   2.83 km  W
        10  red␛[31m mart   mart      144 km
        """)
  }

  @Test func `drops columns rather than break lines`() {
    #expect(
      table(32) == """
         #  Name            Distance
         1  씨네큐브광화문     639 m  ↖
         2  에무시네마       1.03 km  ↖
         3  Arthouse Momo    2.83 km  ←
        10  red␛[31m mart     144 km
        """)
    #expect(
      table(22) == """
         #  Name      Distance
         1  씨네큐…      639 m
         2  에무시…    1.03 km
         3  Arthous…   2.83 km
        10  red␛[31…    144 km
        """)
    #expect(
      table(10) == """
        Name
        씨네큐브…
        에무시네마
        Arthouse …
        red␛[31m …
        """)
  }

  @Test func `lines up through groups, and leaves the kind to their headings`() {
    let table = ResultTable(
      groups: [
        .init(title: "cinema", rows: Array(Self.rows.prefix(3))), .init(title: "deal", rows: []),
        .init(title: "mart", rows: Array(Self.rows.suffix(1))),
      ], width: 80)
    #expect(
      table.render() == """
         #  Name            Distance
        cinema
         1  씨네큐브광화문     639 m  ↖
         2  에무시네마       1.03 km  ↖
         3  Arthouse Momo    2.83 km  ←

        mart
        10  red␛[31m mart     144 km
        """)
  }

  @Test func `leaves out columns that say nothing`() {
    let table = ResultTable(
      rows: [.init(name: "광주극장"), .init(name: nil, details: ["unplaced"])],
      detailHeaders: ["Remark"], width: 80)
    #expect(
      table.render() == """
        Name      Remark
        광주극장
                  unplaced
        """)
  }

  @Test func `is empty without rows`() {
    #expect(ResultTable(rows: [], width: 80).render() == "")
    #expect(ResultTable(groups: [.init(title: "mart", rows: [])], width: 80).render() == "")
  }

  @Test(arguments: -1...120)
  func `stays within its width at any width`(width: Int) {
    for group in [nil, "a heading that is longer than the narrowest of terminals"] {
      let table = ResultTable(
        groups: [.init(title: group, rows: Self.rows)], detailHeaders: Self.headers, width: width)
      let lines = table.render().split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == Self.rows.count + (group == nil ? 1 : 2))
      for line in lines {
        #expect(DisplayWidth.columns(of: String(line)) <= max(1, width))
        #expect(line.last != " ")
      }
    }
  }

  @Test(arguments: [10, 22, 40, 80, 200])
  func `is the same text in color`(width: Int) {
    var table = ResultTable(rows: Self.rows, detailHeaders: Self.headers, width: width)
    let plain = table.render()
    table.color = .ansi
    let colored = table.render()
    #expect(colored != plain)
    #expect(withoutEscapeSequences(colored) == plain)
  }

  @Test func `gives a number the color of its pin`() {
    let map = TextMap(
      markers: [.init(at: Coordinate(unchecked: 37, 127), number: 7, kind: "카페")], color: .ansi)
    let table = ResultTable(
      rows: [.init(number: 7, name: "x", kind: "카페")], width: 40, color: .ansi)
    let pin = "\u{1B}[1;38;5;175m7"
    #expect(map.render().contains(pin))
    #expect(table.render().contains(pin))
  }
}
