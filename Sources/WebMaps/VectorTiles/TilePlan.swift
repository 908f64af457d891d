import MapProjections

/// The items in each tile of one zoom: runs of the sorted order, and copies of items near a border.
struct TilePlan: Sendable {
  let zoom: Int
  /// Items that are in a tile because they lie near its border, ascending by tile.
  let copies: [Copy]
  /// The tiles that hold lines or polygons, ascending.
  let shapeTiles: [UInt64]
  /// Pieces of work of similar size, in the order of their tiles.
  let pieces: [Piece]
  let tileCount: Int

  /// An item copied into a neighboring tile.
  struct Copy: Sendable {
    /// The number of the tile along the curve.
    let tile: UInt64
    let item: UInt32
    /// The offset of the tile from the item's own, in tiles to the east and south: −1…1.
    let east: Int8, south: Int8
  }

  /// Tiles made by one task.
  struct Piece: Sendable {
    let items: Range<Int>
    let copies: Range<Int>
    let shapeTiles: Range<Int>
    let tileCount: Int

    /// A measure of the work.
    var size: Int { items.count + copies.count + shapeTiles.count }
  }

  /// The maximum number of features in a piece of more than one tile.
  private static var pieceFeatures: Int { 16_384 }
  private static var pieceTiles: Int { 1_024 }

  /// - Parameter tile: The only tile whose lines and polygons are asked about; nil for all. Deep zooms have millions.
  init(
    zoom: Int, _ items: TileItems, shapes: [ShapeTile], only tile: UInt64? = nil, buffer: Int
  ) {
    self.zoom = zoom
    copies = TilePlan.copies(zoom: zoom, items, buffer: buffer)
    shapeTiles = shapes.flatMap { $0.numbers(atZoom: zoom, only: tile) }
    var pieces: [Piece] = []
    var tileCount = 0
    var firstItem = 0, firstCopy = 0, firstShape = 0, firstTile = 0
    let all = Piece(
      items: 0..<items.count, copies: 0..<copies.count, shapeTiles: 0..<shapeTiles.count,
      tileCount: 0)
    func endPiece(_ item: Int, _ copy: Int, _ shape: Int) {
      guard tileCount > firstTile else { return }
      pieces.append(
        Piece(
          items: firstItem..<item, copies: firstCopy..<copy, shapeTiles: firstShape..<shape,
          tileCount: tileCount - firstTile))
      (firstItem, firstCopy, firstShape, firstTile) = (item, copy, shape, tileCount)
    }
    TilePlan.forEachTile(zoom: zoom, items, copies, shapeTiles, of: all) { _, own, near, shapes in
      // End the piece before this tile if the tile would make it too large.
      if own.upperBound - firstItem + near.upperBound - firstCopy > TilePlan.pieceFeatures
        || tileCount - firstTile >= TilePlan.pieceTiles
      {
        endPiece(own.lowerBound, near.lowerBound, shapes.lowerBound)
      }
      tileCount += 1
    }
    endPiece(items.count, copies.count, shapeTiles.count)
    self.pieces = pieces
    self.tileCount = tileCount
  }

  /// Calls `body` for each tile of a piece, ascending, with the items in it, the copies, and its
  /// index among the tiles with lines or polygons, if it is one.
  static func forEachTile<Failure: Error>(
    zoom: Int, _ items: TileItems, _ copies: [Copy], _ shapeTiles: [UInt64], of piece: Piece,
    _ body: (
      _ tile: UInt64, _ own: Range<Int>, _ near: Range<Int>, _ shapes: Range<Int>
    ) throws(Failure) -> Void
  ) throws(Failure) {
    let range = piece.items, copyRange = piece.copies, shapeRange = piece.shapeTiles
    try items.keys.withUnsafeBufferPointer { (keys) throws(Failure) in
      try copies.withUnsafeBufferPointer { (copies) throws(Failure) in
        // A shift by all 64 bits gives 0, the only tile of zoom 0.
        let shift = UInt64(64 - 2 * zoom)
        var item = range.lowerBound, copy = copyRange.lowerBound, shape = shapeRange.lowerBound
        while item < range.upperBound || copy < copyRange.upperBound
          || shape < shapeRange.upperBound
        {
          let ownTile = item < range.upperBound ? keys[item] >> shift : .max
          var tile = copy < copyRange.upperBound ? min(ownTile, copies[copy].tile) : ownTile
          if shape < shapeRange.upperBound { tile = min(tile, shapeTiles[shape]) }
          let firstItem = item, firstCopy = copy, firstShape = shape
          while item < range.upperBound, keys[item] >> shift == tile { item += 1 }
          while copy < copyRange.upperBound, copies[copy].tile == tile { copy += 1 }
          if shape < shapeRange.upperBound, shapeTiles[shape] == tile { shape += 1 }
          try body(tile, firstItem..<item, firstCopy..<copy, firstShape..<shape)
        }
      }
    }
  }

  /// The items within the buffer of a neighboring tile, edges included.
  ///
  /// Columns wrap around the Earth: the first and the last are neighbors, and at zoom 0 a tile is its own neighbor.
  private static func copies(zoom: Int, _ items: TileItems, buffer: Int) -> [Copy] {
    guard buffer > 0 else { return [] }
    let scale = Double(1 << zoom), last = 1 << zoom - 1
    let near = Double(buffer) / Double(TileRules.extent), far = 1 - near
    var copies: [Copy] = []
    for item in 0..<items.count {
      let x = items.places[item].x * scale, y = items.places[item].y * scale
      let column = Int(x), row = Int(y)
      let u = x - Double(column), v = y - Double(row)
      if u > near, u < far, v > near, v < far { continue }
      for south in (v <= near ? -1 : 0)...(v >= far ? 1 : 0) {
        guard (0...last).contains(row + south) else { continue }
        for east in (u <= near ? -1 : 0)...(u >= far ? 1 : 0) where east != 0 || south != 0 {
          copies.append(
            Copy(
              tile: HilbertCurve.number(zoom: zoom, x: (column + east) & last, y: row + south),
              item: UInt32(item), east: Int8(east), south: Int8(south)))
        }
      }
    }
    // At zoom 0 an item may be copied twice, east and west.
    copies.sort { ($0.tile, $0.item, $0.south, $0.east) < ($1.tile, $1.item, $1.south, $1.east) }
    return copies
  }
}

/// The points in the tiles of one zoom, or of all zooms, in the order of the Hilbert curve.
///
/// - Complexity: 28 bytes for each point.
struct TileItems: Sendable {
  /// The keys on the curve, ascending; items with equal keys keep their input order.
  let keys: [UInt64]
  /// The position of each item.
  let places: [PlanePlace]
  /// What each item is: the index of a feature, or that of a cluster plus `clusterMark`.
  let references: [UInt32]

  /// Marks clusters.
  static let clusterMark: UInt32 = 1 << 31

  var count: Int { keys.count }

  /// Sorts points by their keys.
  ///
  /// - Complexity: O(*n*) time and, temporarily, 32 bytes for each point.
  init(_ points: [(place: PlanePlace, reference: UInt32)]) {
    precondition(points.count < 1 << 31, "\(points.count) features; divide the annotations")
    var entries: [CurveEntry] = []
    entries.reserveCapacity(points.count)
    for (number, point) in points.enumerated() {
      entries.append(CurveEntry(key: point.place.hilbertKey, number: UInt32(number)))
    }
    entries.sortStably()
    keys = entries.map(\.key)
    places = entries.map { points[Int($0.number)].place }
    references = entries.map { points[Int($0.number)].reference }
  }
}
