import Geodesy
import MapAnnotations
import TestSupport
import Testing

@testable import TextMaps

/// Positions of independent cinemas in Seoul, as their operators publish them.
private enum Seoul {
  static let cityHall = Coordinate(unchecked: 37.5666, 126.9784)

  /// 씨네큐브광화문, 에무시네마 and 아트하우스모모: the three nearest to the city hall.
  static let cinemas: [TextMap.Marker] = [
    .init(at: Coordinate(unchecked: 37.569706, 126.972269), number: 1, kind: .cinema),
    .init(at: Coordinate(unchecked: 37.572129, 126.969033), number: 2, kind: .cinema),
    .init(at: Coordinate(unchecked: 37.561342, 126.947042), number: 3, kind: .cinema),
  ]
}

private func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(unchecked: latitude, longitude)
}

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

  @Test func `shows three cinemas in blocks`() {
    #expect(
      TextMap(markers: Seoul.cinemas, origin: Seoul.cityHall, style: .block).render() == """
        ┌─────126.95°E──────────126.96°E─────────126.97°E──────────────┐
        │                                                              │
        │                                                              │
        │                                          2                   │
        │                                                              │
        37.570°N +                 +                +                 +│
        │                                               1              │
        │                                                              │
        │                                                              │
        │                                                          ✛   │
        │                                                              │
        37.565°N +                 +                +                 +│
        │                                                              │
        │                                                              │
        │                                                              │
        │   3                                                          │
        37.560°N +                 +                +                 +│
        │                                                              │
        └───────────────────────────────── ├───────────────────┤ 1 km ─┘
         ✛ origin   cinema 1–3
        """)
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
        |                 *                    |
        |                                      |
        +--------------------- |-------| 5 km -+
         x mart   # deal   % ?
        """)
  }
}

@Suite struct `Text map of anywhere` {
  @Test func `is right about a pole`() {
    let markers: [TextMap.Marker] = [
      .init(at: at(88, 0), number: 1), .init(at: at(87, 120), number: 2),
      .init(at: at(85, -100), number: 3),
    ]
    #expect(
      TextMap(markers: markers, origin: at(90, 0)).render() == """
        ┌─────────────135°E──────────90°E───────45°E───────────────────┐
        │               ⠅ ⡀           ⠄         ⠄      ⠄               │
        │             ⠠     ⠄   2     ⠠       ⠠         ⠄              │
        │             ⠄       ⠂       ⠠     ⠠⠄           ⠄             │
        │            ⠠          ⠁ ⡀    ⠄   ⠤             ⠠             │
        │            ⠄              ⡄  ⠄ ⠠                ⡄ ⡀ ⠄ ⠄ ⠂ ⠂ ⠁│
        │           ⠠                 ⠂⠠⠄ ⡀ ⡀  1  ⠂ ⠂ ⠁ ⠁ ⠄            │
        │           ⠠     ⡀ ⡀ ⠄ ⠄ ⠂ ⠂ ⠡✛⠃                 ⠄            │
        │ ⡀ ⡀ ⠄ ⠄ ⠂ ⠂⠄⠁ ⠁            ⠄  ⠄ ⠁ ⡀             ⠄            │
        │            ⠠             ⠠    ⠄     ⠄          ⠠             │
        │             ⠄          ⠠⠄     ⠠       ⠂        ⠄             │
        │              ⠄        ⠠       ⠠         ⠁ ⡀   ⠄              │
        │               ⠄     ⠠⠄         ⠄            ⡤                │
        │                 ⠄  ⠤           ⠄           ⠄  ⠄              │
        │                  ⠠⠄            ⠠        ⡀ ⠁     ⠃            │
        │                 ⠄   ⠁ ⡀        ⠠    ⡀ ⠂           ⠁ ⡀        │
        │               ⠠         ⠁ ⠂ 3 ⠂ ⠆ ⠁                   ⠄      │
        │              ⠄                  ⠄                       ⠂    │
        └────────────────────────────────── ├────────────────┤ 500 km ─┘
         ✛ origin
        """)
  }

  @Test func `runs on across the antimeridian`() {
    // Suva, Apia and Nukuʻalofa.
    let markers: [TextMap.Marker] = [
      .init(at: at(-18.14, 178.44), number: 1), .init(at: at(-13.83, -171.77), number: 2),
      .init(at: at(-21.14, -175.2), number: 3),
    ]
    #expect(
      TextMap(markers: markers, style: .ascii).render() == """
        +-----------------180---------------175W---------------170W----+
        |                                                              |
        |                                                2             |
        |                                                              |
        |                  +                 +                  +      |
        15S                                                            |
        |                                                              |
        |                                                              |
        |                                                              |
        |                                                              |
        |             1                                                |
        |                                                              |
        |                                                              |
        |                                                              |
        20S                +                 +                 +       |
        |                                                              |
        |                                   3                          |
        |                                                              |
        +---------------------------------- |----------------| 500 km -+
        """)
  }

  @Test func `has outlines of Korea and Japan behind it`() throws {
    let map = TextMap(
      markers: [.init(at: at(35.18, 129.08), number: 1), .init(at: at(33.59, 130.4), number: 2)],
      viewport: try BoundingBox(south: 33, west: 124.5, north: 39, east: 132))
    #expect(
      map.render() == """
        ┌──────────────125°E─────────────────130°E─────────────────────┐
        │                 ⠰⣁         ⠈⠑⢄                               │
        │                ⢠⠒⠉⠁          ⢀⢵      ⠠                     ⠄ │
        38°N⠄   ⠄   ⡀   ⡴⠧⡤ ⡀⡀  ⡀⢀⠎⠉⠉⠉⠉⠉ ⠣⡀     ⡀   ⡀   ⡀   ⡀   ⠄   ⠄  │
        │                ⠨⠑⠦⠊⠈⠦⢶⣶⠁  ⠁   ⠁ ⠑⡄⠁  ⠠                     ⠠ │
        │                      ⠈⠹⢄         ⠘⢄      ⠚   ⢀⡀              │
        │                ⠠     ⣀⢄⣱⡀         ⠈⡆ ⠠                      ⠄│
        │                     ⠸⣤⡄⠘⠁          ⡇                         │
        │                ⠄     ⠙⡇            ⡇ ⠠              ⣶       ⠄│
        36°N⠁   ⠂   ⠂   ⠂   ⠄   ⢵⡀  ⠄   ⠄   ⠄⢷  ⠄   ⠂   ⠂   ⠂   ⠁   ⠁⢀⣀│
        │                ⠄      ⡶⠁           ⡜ ⠠            ⣀⠤⠤⡠⠤⠤⠒⠒⠉⠁⠠│
        │                      ⡜           1 ⠁            ⢀⠎           │
        │                ⠄   ⠠⣄⢣⡀   ⣀⣔⣶⡦⠴⡽⡏⠉   ⠠        ⡠⠔⠁        ⡤⠤⠤⠤│
        │                     ⣩⣯⢁⣄⠔⢇⠏⠉⠉⠁ ⠈  ⢰⡳      ⢀⣀⡠⠒⠁  ⡀  ⢀⡠⠔⣒⣊⣺⡂⡠⣺│
        34°N⠄   ⡀   ⡀    ⠄    ⠉ ⠉⠃          ⣿⠃  ⠄   ⣇  ⣀⣀ ⡜⠼⣉⣩⡁⣀⣸   ⠌⢫⠁│
        │               ⠁   ⠁   ⠁   ⠁   ⠁   ⠁ ⢠⡄⠁⢀⠔⠒⠫⡉⠉⡀ ⠑⠛⢁⡜ ⠈     ⡠⠚ │
        │               ⠠     ⢀⠴⠒⢲           ⢀⣀⡤ 2   ⠈⠉⢨⠂⢠⠶⣅   ⡤⠚⠉⠒⢴⠁  │
        │                     ⠑⠋⠉⠁         ⢀⡄⠛⢱⢅⢠⠲⡀    ⠉⠹⡀ ⢼⣀ ⡸        │
        └───────────────────────────────────────── ├─────────┤ 200 km ─┘
        """)
  }

  @Test func `has the outlines in 7-bit characters too`() throws {
    let map = TextMap(
      markers: [.init(at: at(35.18, 129.08), number: 1), .init(at: at(33.59, 130.4), number: 2)],
      viewport: try BoundingBox(south: 33, west: 124.5, north: 39, east: 132), style: .ascii)
    #expect(
      map.render() == """
        +---------------125E------------------130E---------------------+
        |                 ::         ''.                               |
        |                .'''          .:                              |
        38N             ::.  .   .:''''' :.    +                     + |
        |                '':'':::'        '.                           |
        |                      ':.         '.      '   ..              |
        |                      ..:.         ':                         |
        |                     :..''          :                         |
        |                      ':            :                :        |
        36N              +      :.           : +                     ..|
        |                       :'           :              ......'''' |
        |                      :           1 '            .:           |
        |                    ..:.   .::::::'            .:'        ....|
        |                     :::.:::''' '  ::      ...''  .  ..:::::.:|
        34N                   ' ''          :'      :  .. :::::.:   ':'|
        |                +                    ..+.:'::'. '':: '     .' |
        |                     .:':           ... 2   '':'.::   .''':'  |
        |                     ''''         ..'::.:.    ':. :. :        |
        +----------------------------------------- |---------| 200 km -+
        """)
  }

  @Test func `becomes a map of the world for places all round it`() {
    let markers: [TextMap.Marker] = [
      .init(at: at(-33.87, 151.21), number: 1), .init(at: at(51.51, -0.13), number: 2),
      .init(at: at(40.71, -74.01), number: 3),
    ]
    #expect(
      TextMap(markers: markers, origin: Seoul.cityHall, style: .ascii).render() == """
        +---------------------0--------------------90E-----------------+
        |                                                              |
        |                                                              |
        |                                                              |
        |                     2                                        |
        45N 3                 +                     +       .@: ::'    |
        |                                                    ::::'     |
        |                                                   .:'  '     |
        |                                                              |
        |                                                              |
        0                     +                     +                  |
        |                                                              |
        |                                                              |
        |                                                              |
        |                                                          1   |
        |                                                              |
        45S                   +                     +                  |
        |                                                              |
        +------------------------ |----------| 5000 km at the equator -+
         @ origin
        """)
  }

  @Test func `is a map of one place`() {
    let map = TextMap(
      markers: [.init(at: Seoul.cityHall, number: 1)], size: .init(columns: 40, rows: 10))
    #expect(
      map.render() == """
        ┌─────────126.978°E─────126.979°E──────┐
        │                                      │
        │             ⠄             ⠄          │
        │                                      │
        │             ⠄     1       ⠄          │
        │                                      │
        │             ⠄             ⠄          │
        │                                      │
        └───────────────────── ├───────┤ 50 m ─┘
        """)
  }

  @Test func `is an empty world where there is nothing`() {
    let map = TextMap(markers: [], size: .init(columns: 40, rows: 12), style: .ascii)
    #expect(
      map.render() == """
        +-------------90W---0--90E-------------+
        |                                      |
        |         +    +    +   +              |
        |                         ..           |
        |                         ''           |
        0         +    +    +   +              |
        |                                      |
        |         +    +    +   +              |
        |                                      |
        +- |--------| 20000 km at the equator -+
         no annotations
        """)
  }

  @Test func `draws a basemap over the antimeridian the short way round`() throws {
    let line = Outline([at(10, 170), at(0, 180), at(10, -170), at(-10, -170), at(-10, 170)])
    let around = TextMap(
      markers: [], viewport: .world, size: .init(columns: 40, rows: 12), style: .ascii,
      basemap: Basemap([line]))
    #expect(
      around.render() == """
        +-----------90W-----0-----90E----------+
        |     +      +      +      +           |
        |                                      |
        |                                      |
        |    ...                         ..    |
        0    '''     +      +      +     '''   |
        |                                      |
        |                                      |
        |     +      +      +      +           |
        +--- |------| 10000 km at the equator -+
         no annotations
        """)
    let across = TextMap(
      markers: [], viewport: try BoundingBox(south: -15, west: 165, north: 15, east: -165),
      size: .init(columns: 40, rows: 12), style: .ascii, basemap: Basemap([line]))
    #expect(
      across.render() == """
        +---150E-----------180-----------150W--+
        |                                      |
        |              :        :              |
        |               '.    .':              |
        |                 '..'  :              |
        0   +               '   :          +   |
        |                       :              |
        |              .........:              |
        |                                      |
        +----------------- |--------| 2000 km -+
         no annotations
        """)
  }

  @Test func `says how many markers a viewport leaves out`() throws {
    let map = TextMap(
      markers: Seoul.cinemas,
      viewport: try BoundingBox(south: 37.565, west: 126.965, north: 37.575, east: 126.985),
      size: .init(columns: 40, rows: 10), style: .ascii)
    #expect(
      map.render() == """
        +--126.96E-----------126.98E-----------+
        |                                      |
        |             2                        |
        37.57N+                                |
        |                1      +              |
        |                                      |
        |                                      |
        +------------------- |---------| 1 km -+
         cinema 1-3   1 outside the map
        """)
  }
}

@Suite struct `Any text map` {
  /// Maps of every kind, from a seed.
  private static func randomMap(seed: UInt64, style: TextMap.Style) -> TextMap {
    var generator = SeededGenerator(seed: seed)
    let pointSet = PointSet.allCases[Int(seed) % PointSet.allCases.count]
    let (points, origin) = pointSet.sample(Int.random(in: 0...60, using: &generator), seed: seed)
    let kinds: [AnnotationKind?] = [.cinema, .mart, .deal, "카페\u{1B}[2J", "two\nlines", nil]
    let names: [String?] = ["씨네큐브", "plain", "👩‍👩‍👧 family", "\u{1B}]0;x\u{7}", nil]
    let markers = points.enumerated().map { place, point in
      TextMap.Marker(
        at: point, number: Bool.random(using: &generator) ? place + 1 : nil,
        kind: kinds.randomElement(using: &generator) ?? nil,
        label: names.randomElement(using: &generator) ?? nil)
    }
    return TextMap(
      markers: markers, origin: Bool.random(using: &generator) ? origin : nil,
      radius: Bool.random(using: &generator)
        ? .meters(.random(in: 0...5_000_000, using: &generator)) : nil,
      size: .init(
        columns: .random(in: 0...120, using: &generator),
        rows: .random(in: 0...40, using: &generator)),
      style: style)
  }

  @Test(arguments: UInt64(0)..<60, TextMap.Style.allCases)
  func `stays within its size, line by line`(seed: UInt64, style: TextMap.Style) {
    let map = Self.randomMap(seed: seed, style: style)
    let lines = map.render().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= map.size.rows)
    for (place, line) in lines.enumerated() {
      let columns = DisplayWidth.columns(of: String(line))
      #expect(columns <= map.size.columns)
      #expect(line.last != " ")
      // The frame is closed: as wide in every line, whatever script is in it.
      if place < lines.count - 2 { #expect(columns == map.size.columns) }
    }
  }

  @Test(arguments: UInt64(0)..<60)
  func `is 7-bit in the ASCII style, whatever it shows`(seed: UInt64) {
    let text = Self.randomMap(seed: seed, style: .ascii).render()
    #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
  }

  @Test(arguments: UInt64(0)..<60, TextMap.Style.allCases)
  func `is the same text in color`(seed: UInt64, style: TextMap.Style) {
    var map = Self.randomMap(seed: seed, style: style)
    let plain = map.render()
    map.color = .ansi
    #expect(withoutEscapeSequences(map.render()) == plain)
    #expect(!plain.unicodeScalars.contains("\u{1B}"))
  }

  @Test(arguments: UInt64(0)..<20)
  func `does not depend on the order of its markers but for equal cells`(seed: UInt64) {
    var map = Self.randomMap(seed: seed, style: .braille)
    for place in map.markers.indices { map.markers[place].label = nil }
    let text = map.render()
    map.markers.reverse()
    #expect(map.render() == text)
  }
}
