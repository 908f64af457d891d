import Geodesy

// The grids of South Korea.
//
// The belts are 2° wide, about 125°, 127°, 129° and 131°. The modified ones have their central meridians 10.405″
// further east, which moves a position by 255 m: taking 2097 for 5174 is the classic mistake. The northings of 2010 are
// larger by 100 km; those of Jeju by 50 km.

/// A grid: its belt, its datum, and its offsets.
struct KoreanGrid: Sendable {
  struct Belt: Hashable, Sendable {
    let name: String
    let centralMeridian: Double

    static let west = Belt(name: "West Belt", centralMeridian: 125)
    static let central = Belt(name: "Central Belt", centralMeridian: 127)
    static let jeju = Belt(name: "Central Belt Jeju", centralMeridian: 127)
    static let east = Belt(name: "East Belt", centralMeridian: 129)
    static let eastSea = Belt(name: "East Sea Belt", centralMeridian: 131)
    static let unified = Belt(name: "Unified Belt", centralMeridian: 127.5)

    /// The belt's own land and sea: two degrees, from Ieodo in the south to the armistice line.
    ///
    /// For the unified belt the seas around the country, without the corner in the south-east: there
    /// lies what has its easting and northing exchanged, and no sea of Korea.
    var boxes: [BoundingBox] {
      guard self == .unified else {
        return [BoundingBox(unchecked: 32, centralMeridian - 1, 39, centralMeridian + 1)]
      }
      return [
        BoundingBox(unchecked: 28.6, 122.71, 32, 130),
        BoundingBox(unchecked: 32, 122.71, 40.27, 134.28),
      ]
    }

    /// Whether the grids of the belt are in use at a position in Korea: many sources have the whole
    /// country in the grid of the capital, but none has it in that of another belt.
    func isUsed(at position: Coordinate) -> Bool {
      self == .central || boxes.contains { $0.contains(position) }
    }
  }

  let code: Int
  let datum: Datum
  let belt: Belt
  /// Whether the central meridian is modified.
  let isModified: Bool
  /// Whether the false northing is that of 2010.
  let isOf2010: Bool

  init(
    _ code: Int, _ datum: Datum, _ belt: Belt, isModified: Bool = false, isOf2010: Bool = false
  ) {
    self.code = code
    self.datum = datum
    self.belt = belt
    self.isModified = isModified
    self.isOf2010 = isOf2010
  }
}

extension CRS {
  static let koreanGrids = [
    KoreanGrid(2096, .korean1985, .east), KoreanGrid(2097, .korean1985, .central),
    KoreanGrid(2098, .korean1985, .west), KoreanGrid(5167, .korean1985, .eastSea),
    KoreanGrid(5168, .korean1985, .jeju),
    KoreanGrid(5173, .korean1985, .west, isModified: true),
    KoreanGrid(5174, .korean1985, .central, isModified: true),
    KoreanGrid(5175, .korean1985, .jeju, isModified: true),
    KoreanGrid(5176, .korean1985, .east, isModified: true),
    KoreanGrid(5177, .korean1985, .eastSea, isModified: true),
    KoreanGrid(5178, .korean1985, .unified), KoreanGrid(5179, .kgd2002, .unified),
    KoreanGrid(5180, .kgd2002, .west), KoreanGrid(5181, .kgd2002, .central),
    KoreanGrid(5182, .kgd2002, .jeju), KoreanGrid(5183, .kgd2002, .east),
    KoreanGrid(5184, .kgd2002, .eastSea),
    KoreanGrid(5185, .kgd2002, .west, isOf2010: true),
    KoreanGrid(5186, .kgd2002, .central, isOf2010: true),
    KoreanGrid(5187, .kgd2002, .east, isOf2010: true),
    KoreanGrid(5188, .kgd2002, .eastSea, isOf2010: true),
  ]

  static func koreanGrid(_ code: Int) -> CRS? {
    guard let grid = koreanGrids.first(where: { $0.code == code }) else { return nil }
    let belt = grid.belt
    let isUnified = belt == .unified
    let modified = grid.isModified ? "Modified " : ""
    let name = isUnified ? "Unified CS" : modified + belt.name + (grid.isOf2010 ? " 2010" : "")
    // Sources keep the whole country in one belt, so it is part of the area of each.
    let area = Region(name: "KR", boxes: Region.southKorea.boxes + belt.boxes)
    let projection = TransverseMercator(
      grid.datum.ellipsoid, latitudeOfOrigin: 38,
      // 10.405″: the old triangulation was found to have started that much too far west.
      centralMeridian: belt.centralMeridian + (grid.isModified ? 10.405 / 3600 : 0),
      scale: isUnified ? 0.9996 : 1, falseEasting: isUnified ? 1_000_000 : 200_000,
      falseNorthing: isUnified
        ? 2_000_000 : belt == .jeju ? 550_000 : grid.isOf2010 ? 600_000 : 500_000)
    return CRS(
      code, "\(grid.datum.name) / \(name)", grid.datum,
      isUnified ? "Korea Unified Belt" : "Korea \(name)", projection, area: area)
  }
}
