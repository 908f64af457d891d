import Geodesy

/// The address of a square tile in the Web Mercator pyramid: zoom, column and row.
///
///     let tile = try TileAddress(zoom: 12, x: 3405, y: 1580)
///     print(tile, tile.box)  // 12/3405/1580 and its west, south, east and north
///
/// At zoom 0 one tile is the world between ±85.0511°; each zoom halves the side. Columns run from
/// west to east, beginning at −180°, and rows from north to south, as in web maps ("XYZ"; TMS
/// counts rows from the south).
public struct TileAddress: Hashable, Sendable {
  /// The number of times the world is halved, 0…30.
  public let zoom: Int
  /// The column, 0 ≤ x < 2^zoom.
  public let x: Int
  /// The row, 0 ≤ y < 2^zoom.
  public let y: Int

  /// The deepest zoom; its tiles are 37 mm wide at the equator.
  public static let lastZoom = 30

  /// - Throws: `TileAddressError` if a number is out of range.
  public init(zoom: Int, x: Int, y: Int) throws(TileAddressError) {
    guard (0...TileAddress.lastZoom).contains(zoom) else { throw .zoomOutOfRange(zoom) }
    guard 0 <= x, x < 1 << zoom else { throw .columnOutOfRange(x, zoom: zoom) }
    guard 0 <= y, y < 1 << zoom else { throw .rowOutOfRange(y, zoom: zoom) }
    self.init(unchecked: zoom, x, y)
  }

  /// For numbers already known to be valid.
  package init(unchecked zoom: Int, _ x: Int, _ y: Int) {
    self.zoom = zoom
    self.x = x
    self.y = y
  }

  /// The tile that contains a position; a position on a shared border belongs to the tile east or south of it.
  ///
  /// Positions beyond ±85.0511° belong to the first or the last row, so every position has a tile.
  ///
  /// - Precondition: `zoom` is in 0…30.
  public init(containing position: Coordinate, zoom: Int) {
    precondition((0...TileAddress.lastZoom).contains(zoom), "a zoom of \(zoom)")
    let shift = UInt32(MercatorGrid.levels - zoom)
    self.init(
      unchecked: zoom,
      // A shift by all 32 bits gives 0, the only tile of zoom 0.
      Int(MercatorGrid.tiles.column(position.longitude) >> shift),
      Int(MercatorGrid.row(position.latitude) >> shift))
  }

  // MARK: The pyramid

  /// The tile of the previous zoom that contains this one; nil at zoom 0.
  public var parent: TileAddress? {
    zoom == 0 ? nil : TileAddress(unchecked: zoom - 1, x >> 1, y >> 1)
  }

  /// The four tiles of the next zoom: northwest, northeast, southwest, southeast; none at zoom 30.
  public var children: [TileAddress] {
    guard zoom < TileAddress.lastZoom else { return [] }
    return [(0, 0), (1, 0), (0, 1), (1, 1)].map {
      TileAddress(unchecked: zoom + 1, 2 * x + $0.0, 2 * y + $0.1)
    }
  }

  // MARK: On the Earth

  /// The tile's box on the Earth; neighbors share borders.
  ///
  /// Latitudes come from the inverse projection, accurate to about 10⁻¹⁴ degrees; the outermost are
  /// ±85.05112877980659°.
  public var box: BoundingBox {
    let side = 1 / Double(1 << zoom)
    return BoundingBox(
      unchecked: MercatorGrid.latitude(ofHeight: Double(y + 1) * side),
      Double(x) * side * 360 - 180,
      MercatorGrid.latitude(ofHeight: Double(y) * side),
      Double(x + 1) * side * 360 - 180)
  }
}

extension TileAddress: LosslessStringConvertible {
  /// Zoom, column and row: `12/3405/1580`.
  public var description: String { "\(zoom)/\(x)/\(y)" }

  /// Parses zoom, column and row; nil for any other text.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, let zoom = numbers[0], let x = numbers[1], let y = numbers[2],
      let tile = try? TileAddress(zoom: zoom, x: x, y: y),
      // `+7` and `007` are invalid.
      tile.description == text
    else { return nil }
    self = tile
  }
}

/// An error in the three numbers of a tile.
public enum TileAddressError: CodedError, Hashable {
  /// A zoom outside 0…30.
  case zoomOutOfRange(Int)
  /// A column outside the range of its zoom.
  case columnOutOfRange(Int, zoom: Int)
  /// A row outside the range of its zoom.
  case rowOutOfRange(Int, zoom: Int)

  /// The code: `tile-zoom`, `tile-column` or `tile-row`.
  public var code: String {
    switch self {
    case .zoomOutOfRange: "tile-zoom"
    case .columnOutOfRange: "tile-column"
    case .rowOutOfRange: "tile-row"
    }
  }

  /// What is wrong, with the value and the allowed range.
  public var description: String {
    switch self {
    case .zoomOutOfRange(let zoom):
      "zoom \(zoom) is not in 0 to \(TileAddress.lastZoom); name a zoom that is"
    case .columnOutOfRange(let x, let zoom):
      "column \(x) is not in 0 to \(1 << zoom - 1), those of zoom \(zoom); name one that is"
    case .rowOutOfRange(let y, let zoom):
      "row \(y) is not in 0 to \(1 << zoom - 1), those of zoom \(zoom); name one that is"
    }
  }
}
