import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing
@testable import TextMaps

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
        │ ⡀ ⡀ ⠄ ⠄ ⠂ ⠂⠄⠁ ⠁            ⠄  ⠄ ⠁ ⡀             ⠄           ⡠│
        │            ⠠             ⠠    ⠄     ⠄          ⠠            ⣧│
        │             ⠄          ⠠⠄     ⠠       ⠂        ⠄       ⣠⡴⣄⢘⢟⣻│
        │              ⠄        ⠠       ⠠         ⠁ ⡀   ⠄    ⢀⠤⢻⡏⠙ ⡎⡸⣲ │
        │               ⠄     ⠠⠄         ⠄            ⡤      ⡯⢀⣾  ⢀⣷⠁⠘⠂│
        │                 ⠄  ⠤           ⠄           ⠄  ⠄   ⢸⣯⡦⠻  ⠉⣟⠄  │
        │                  ⠠⠄            ⠠        ⡀ ⠁     ⠃ ⡾⣟⣭⣅       │
        │                 ⠄   ⠁ ⡀        ⠠    ⡀ ⠂          ⢈⣿⣿⣬⠥       │
        │               ⠠         ⠁ ⠂ 3 ⠂ ⠆ ⠁               ⡭⠽⠮⠷⠆      │
        │              ⠄                  ⠄               ⢀⣴⣭⡶⣦   ⠂    │
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
        |                                             ..               |
        |                                             '' 2             |
        |                                                              |
        |                  +                 +                  +      |
        15S                                                            |
        |                  .                                           |
        |              ..:::                                           |
        |             ':''''                                           |
        |         .:':.                                                |
        |        .:.. 1                                                |
        |           '                                                  |
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
        │⠓⠉               ⢸⣀         ⠉⠒⢄⡀                              │
        │                ⠠⡏⠉⠉          ⡠⠧⡀     ⠠                     ⠄ │
        38°N⠄   ⠄   ⡀   ⡴⠾⣤ ⡀   ⡀⢀⠜⠉⠉⠉⠉⠁ ⠙⡄     ⡀   ⡀   ⡀   ⡀   ⠄   ⠄  │
        │⢄⡀⢀⣀⣀           ⠨⠉⡽⠚⠑⠤⠤⢤⠊  ⠁   ⠁ ⠘⡄⠁  ⠠                     ⠠ │
        │ ⠈⠁  ⢉⡆                ⠸⣀         ⠘⡄          ⢀⡀              │
        │⣀⠤⠤⠒⣆⠜          ⠠      ⣔⠫⢄         ⠘⡄ ⠠                      ⠄│
        │                     ⠰⡩⡍⠑⠃          ⡇                         │
        │                ⠄      ⡇            ⡇ ⠠                      ⠄│
        36°N⠁   ⠂   ⠂   ⠂   ⠄   ⠽⣖  ⠄   ⠄   ⠄⢳⠄ ⠄   ⠂   ⠂   ⠂   ⠁   ⠁⣀⣀│
        │                ⠄     ⠠⢮⠁          ⢀⠇ ⠠            ⢀⠔⠤⡠⠤⠔⠒⠊⠉ ⠠│
        │                     ⢀⡔⠊        ⣀ 1              ⢀⠔⠁          │
        │                ⠄     ⢻⣀  ⡀⢠⡰⠊⠑⢤⠃ ⠉   ⠠        ⡠⠊⠁        ⣀⠤⠤⢤│
        │                     ⠈⠛⡗⡠⠮⣃⠇⠃              ⣀⣀⣠⠊  ⢀    ⣀⢤⣒⢍⣀⣀⣠⣺│
        34°N⠄   ⡀   ⡀    ⠄      ⠋               ⠄   ⡇  ⡀⡀ ⡜⠑⡒⡾⡉⣀⡇   ⠄⢸ │
        │               ⠁   ⠁   ⠁   ⠁   ⠁   ⠁   ⠁ ⡠⠔⠻⡉⢉⣉⠒⠺ ⢀⠜ ⠈⠁    ⢀⠔⠁│
        │               ⠠     ⢀⠔⠢⣤            ⢀⡖ 2   ⠉⠉⡜ ⡠⠮⡇   ⢠⠒⠋⠑⢤⠊  │
        │                     ⠉⠉⠉             ⢣⡁⢀⢦     ⠉⠉⢣ ⢱  ⢀⠎       │
        └───────────────────────────────────────── ├─────────┤ 200 km ─┘
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
        |:::::'':..    .::' .    ''::..    .::::.::::''':::....:::::.. |
        |::::::: :: .:'':::..  ..::::'::::'''''''''                  ':|
        |.::':':. '''       :::':::::'                         .::'':::|
        | ''..::::         '' 2 '.'  .... ..                    :: .:' |
        45N 3 ''            :'::::::.::::'::        +      ..@:'::''   |
        |..:'             . :'''':::::::  :'               :::::''     |
        |.::.             :'          ::. :::::..  ...  ...::''        |
        |:.'''':        . :            ':..:'  ': .' ::.:: .:          |
        |'::''':..        ':.....       '':'    '::  ::::'.:::         |
        0 ::     ::..       ' +':.      .''         +':::::::::... .   |
        | ':         ::          :      :.             ''::::::'::::::.|
        |  ':.      ::           :     .:::                 ::'':::    |
        |    :    .:'            ':   .: :: '             :'      ':. '|
        |   .:  .:'               ::.:'                   :...'..  1   |
        |   : .:'                                               '::'   |
        45S :.:..             +                .    +                  |
        |   '''    . '                          '                      |
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
        |         +   ...........              |
        |         ':::':::'::::''':::'         |
        |           :':::..::::::::'           |
        0         '''  '::' ::: '::::'         |
        |          :....:::....:...::          |
        |         '''  +''' +   +  '''         |
        |                                      |
        +- |--------| 20000 km at the equator -+
         no annotations
        """)
  }

  @Test func `draws a basemap over the antimeridian the short way round`() throws {
    let line = [at(10, 170), at(0, 180), at(10, -170), at(-10, -170), at(-10, 170)]
    let around = TextMap(
      markers: [], viewport: .world, size: .init(columns: 40, rows: 12), style: .ascii,
      basemap: Basemap([line]))
    #expect(
      around.render() == """
        +----------90W------0-----90E----------+
        |    +      +       +      +           |
        |                                      |
        |                                      |
        |    ..                          .     |
        0    ''     +       +      +     ''    |
        |                                      |
        |                                      |
        |    +      +       +      +           |
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

  @Test(
    arguments: [
      (-90, -180, 90, 180), (-80, -170, 80, 180), (-80, -180, 80, 170), (-85, -179.9, 71.7, 179.9),
      (-60, 10, 60, -5), (-50, 100, 50, -60), (0, 0, 90, 180), (-90, -30, 90, -31),
      (60, -180, 90, 180), (-21, 177, -12, -178),
    ] as [(Double, Double, Double, Double)])
  func `shows a viewport with its edges, round the Earth or across 180° too`(
    south: Double, west: Double, north: Double, east: Double
  ) throws {
    let box = try BoundingBox(south: south, west: west, north: north, east: east)
    var markers: [TextMap.Marker] = []
    for row in 0...4 {
      for column in 0...40 {
        let place = try Coordinate(
          latitude: row == 4 ? north : south + (north - south) * Double(row) / 4,
          wrappingLongitude: column == 40 ? east : west + box.width * Double(column) / 40)
        markers.append(.init(at: place))
      }
    }
    for (columns, rows) in [
      (80, 40), (100, 60), (50, 30), (70, 38), (90, 48), (30, 20), (57, 20), (20, 8), (120, 12),
    ] {
      let map = TextMap(
        markers: markers, viewport: box, size: .init(columns: columns, rows: rows), style: .ascii,
        basemap: .none)
      #expect(!map.render().contains("outside"), "\(columns)x\(rows)")
    }
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
