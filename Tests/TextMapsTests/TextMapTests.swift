import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import TextMaps

@Suite struct `Text map` {
  @Test func `shows three cinemas in braille`() {
    #expect(
      TextMap(markers: Seoul.cinemas, origin: Seoul.cityHall).render() == """
        ┌─────126.95°E──────────126.96°E─────────126.97°E──────────────┐
        │                                                              │
        │        ⠠                 ⠄                ⠠                 ⠄│
        │                                          2                   │
        │        ⠠                 ⠄                ⠠                 ⠄│
        37.570°N⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀  │
        │        ⠠                 ⠄                ⠠   1             ⠄│
        │                                                              │
        │        ⠠                 ⠄                ⠠                 ⠄│
        │                                                          ✛   │
        │        ⠠                 ⠄                ⠠                 ⠄│
        37.565°N⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂   ⠂  │
        │        ⠠                 ⠄                ⠠                 ⠄│
        │                                                              │
        │        ⠠                 ⠄                ⠠                 ⠄│
        │   3                                                          │
        37.560°N⡀⠠  ⡀   ⡀   ⡀   ⡀  ⠄⡀   ⡀   ⡀   ⡀   ⡠   ⡀   ⡀   ⡀   ⡀ ⠄│
        │                                                              │
        └───────────────────────────────── ├───────────────────┤ 1 km ─┘
         ✛ origin   cinema 1–3
        """)
  }

  @Test(arguments: TextMap.Style.allCases)
  func `draws a line of a single position as a dot`(_ style: TextMap.Style) throws {
    let far = try Coordinate(latitude: 37.562, longitude: 126.965)
    let without = TextMap(markers: Seoul.cinemas, style: style).render()
    let with = TextMap(markers: Seoul.cinemas, lines: [[far]], style: style).render()
    #expect(zip(without, with).count { $0 != $1 } == 1)
  }

  @Test func `shows three cinemas in 7-bit characters`() {
    #expect(
      TextMap(markers: Seoul.cinemas, origin: Seoul.cityHall, style: .ascii).render() == """
        +-----126.95E-----------126.96E----------126.97E---------------+
        |                                                              |
        |                                                              |
        |                                          2                   |
        |                                                              |
        37.570N  +                 +                +                 +|
        |                                               1              |
        |                                                              |
        |                                                              |
        |                                                          @   |
        |                                                              |
        37.565N  +                 +                +                 +|
        |                                                              |
        |                                                              |
        |                                                              |
        |   3                                                          |
        37.560N  +                 +                +                 +|
        |                                                              |
        +--------------------------------- |-------------------| 1 km -+
         @ origin   cinema 1-3
        """)
  }

  @Test func `fits 40 columns`() {
    let map = TextMap(
      markers: Seoul.cinemas, origin: Seoul.cityHall, size: .init(columns: 40, rows: 12))
    #expect(
      map.render() == """
        ┌──────────────126.96°E──────126.98°E──┐
        │                                      │
        │  ⠠              ⠄     2       ⠄      │
        │                         1            │
        │  ⠠              ⠄             ⠄      │
        │                              ✛       │
        │  ⠠              ⠄             ⠄      │
        37.56°N 3   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀   ⡀  │
        │  ⠠              ⠄             ⠄      │
        └───────────────────── ├───────┤ 1 km ─┘
         ✛ origin   cinema 1–3
        """)
  }

  @Test func `draws the circle that was asked for`() {
    let map = TextMap(
      markers: Array(Seoul.cinemas.prefix(2)), origin: Seoul.cityHall, radius: .kilometers(1.5),
      style: .ascii)
    #expect(
      map.render() == """
        +-------------126.96E---------126.98E---------127.00E----------+
        |                                                              |
        37.58N           +          ........             +             |
        |                       ..'''      '''..                       |
        |                     .''              ''.                     |
        |                   .:                    :.                   |
        |                  .'   2                  '.                  |
        37.57N           +.:       1     +          :.   +             |
        |                 :                          :                 |
        |                 :             @            :                 |
        |                 :                          :                 |
        |                 ':                        :'                 |
        37.56N           + '.            +         .'    +             |
        |                   ':                    :'                   |
        |                     '..              ..'                     |
        |                       ''...      ...''                       |
        |                           ''''''''                           |
        |+               +               +               +             |
        +----------------------------------- |-----------------| 2 km -+
         @ origin   cinema 1 2
        """)
  }

  @Test func `writes names of any script beside the pins`() {
    let names = ["씨네큐브광화문", "에무시네마", "Art\u{1B}House 모모"]
    var markers = Seoul.cinemas
    for (place, name) in names.enumerated() { markers[place].label = name }
    let map = TextMap(markers: markers, origin: Seoul.cityHall, style: .block)
    #expect(
      map.render() == """
        ┌─────126.95°E──────────126.96°E─────────126.97°E──────────────┐
        │                                                              │
        │                                                              │
        │                                          2 에무시네마        │
        │                                                              │
        37.570°N +                 +                +                 +│
        │                                씨네큐브광화문 1              │
        │                                                              │
        │                                                              │
        │                                                          ✛   │
        │                                                              │
        37.565°N +                 +                +                 +│
        │                                                              │
        │                                                              │
        │                                                              │
        │   3 Art␛House 모모                                           │
        37.560°N +                 +                +                 +│
        │                                                              │
        └───────────────────────────────── ├───────────────────┤ 1 km ─┘
         ✛ origin   cinema 1–3
        """)
  }

  @Test func `shows several in one cell as a count, and kinds in the legend`() {
    let markers: [TextMap.Marker] = [
      .init(at: at(35.6812, 139.7671), number: 1, kind: .deal),
      .init(at: at(35.6812, 139.7671), number: 2, kind: .deal),
      .init(at: at(35.6813, 139.7671), number: 3, kind: .mart),
      .init(at: at(35.6896, 139.7006), number: 4, kind: .mart),
      .init(at: at(35.7101, 139.8107), number: 5, kind: "塔"),
      .init(at: at(35.6586, 139.7454), number: 10, kind: "塔"),
    ]
    #expect(
      TextMap(markers: markers, style: .block).render() == """
        ┌─────139.70°E────────────139.75°E─────────────139.80°E────────┐
        │                                                              │
        │                                                     5        │
        │                                                              │
        │                                                              │
        35.70°N  +                   +                    +            │
        │                                                              │
        │        4                                                     │
        │                                                              │
        │                                  (3)                         │
        35.68°N  +                   +                    +            │
        │                                                              │
        │                                                              │
        │                                                              │
        │                                                              │
        35.66°N  +                 10                     +            │
        │                                                              │
        └──────────────────────────────────────────── ├────────┤ 2 km ─┘
         mart 3 4   deal 1 2   塔 5 10   (n) n in one spot
        """)
  }

  @Test func `says how many kinds its legend leaves out`() {
    let markers = (0..<202).map { number in
      TextMap.Marker(
        at: at(35 + Double(number / 2) / 100, 139.7671),
        kind: AnnotationKind(rawValue: "k\(number)"))
    }
    let lines = TextMap(markers: markers, style: .ascii).render().split(separator: "\n")
    #expect(lines.last?.hasSuffix(" more   (n) n in one spot") == true, "\(lines.suffix(2))")
  }

  @Test func `shows signs where there is no list`() {
    let markers: [TextMap.Marker] = [
      .init(at: at(35.6812, 139.7671), kind: .deal), .init(at: at(35.6896, 139.7006), kind: .mart),
      .init(at: at(35.7101, 139.8107), kind: "塔"), .init(at: at(35.6586, 139.7454)),
    ]
    let map = TextMap(markers: markers, size: .init(columns: 40, rows: 12), style: .ascii)
    #expect(
      map.render() == """
        +--------139.7E---------139.8E---------+
        |                                      |
        |                          %           |
        35.7N      +              +            |
        |           x                          |
        |                    #                 |
        |                                      |
        |                 *  .                 |
        |                   .':                |
        +--------------------- |-------| 5 km -+
         x mart   # deal   % ?   * other
        """)
  }

  @Test(arguments: TextMap.Style.allCases)
  func `says in which cells signs stand, also on a wide map in the north`(
    _ style: TextMap.Style
  ) throws {
    let places = [at(70.5, 6), at(70.5, 29), at(55.5, 6), at(55.5, 29), at(63, 17), at(-63, 17)]
    var map = TextMap(
      markers: places.map { TextMap.Marker(at: $0) }, size: .init(columns: 100, rows: 30),
      style: style)
    map.viewport = try BoundingBox(south: 54, west: 4, north: 72, east: 31)
    let lines = map.render().split(separator: "\n").map { Array($0) }
    let cells = map.cells
    #expect(cells.count == 6 && cells[5] == nil)
    for cell in cells.compactMap({ $0 }) {
      #expect(lines[cell.line][cell.column] == (style == .ascii ? "*" : "○"))
    }
  }

  @Test func `makes very many pins dots, each cell in the color of most`() {
    func markers(_ count: Int) -> [TextMap.Marker] {
      (0..<count).map { number in
        let (row, column) = number.quotientAndRemainder(dividingBy: 100)
        let place = Coordinate(unchecked: 37 + Double(row) / 100, 127 + Double(column) / 100)
        return TextMap.Marker(at: place, kind: column < 50 ? .cinema : .mart)
      }
    }
    var map = TextMap(markers: markers(TextMap.mostSigns), basemap: .none)
    #expect(map.render().contains("(") && !map.render().contains("each dot"))
    map.markers = markers(3_000)
    let dots = map.render()
    #expect(!dots.contains("(") && dots.contains("each dot one or more"))
    #expect(dots.unicodeScalars.filter { (0x2801...0x28FF).contains($0.value) }.count > 300)
    map.color = .ansi
    // Sky blue in the west, orange in the east.
    let row = map.render().split(separator: "\n")[8]
    #expect(row.contains("38;5;39m") && row.contains("38;5;208m"))
    map.color = .none
    // What is selected keeps its sign.
    #expect(!dots.contains("▲"))
    map.markers[1_550].label = "here"
    #expect(map.render().contains("▲"))
    map.showsCounts = true
    #expect(map.render().contains("(") && !map.render().contains("each dot"))
  }

  @Test func `has a sign of its own for each of 28 kinds`() {
    for style in TextMap.Style.allCases {
      let kinds = (0..<28).map { AnnotationKind(rawValue: zeroPadded($0)) }
      let palette = KindPalette(kinds)
      let signs = Set(kinds.map { palette.sign(of: $0, style: style) })
      // Cinema, mart and deal have the first three places.
      #expect(signs.count >= 25)
      // It stands for what is not ASCII in a name.
      #expect(!signs.contains("?"))
    }
  }

  // Asked of all markers again for each kind, the legend would take minutes.
  @Test(.timeLimit(.minutes(1)))
  func `has a legend of 25,000 kinds in the time of one`() {
    let markers = (0..<25_000).map { place in
      TextMap.Marker(
        at: at(37 + Double(place % 100) / 100, 127 + Double(place / 100) / 250), number: place + 1,
        kind: AnnotationKind(rawValue: zeroPadded(place)))
    }
    #expect(TextMap(markers: markers).render().contains(" more"))
  }
}
