import MapProjections

/// The contents of the tiles of one zoom.
struct TileContent: Sendable {
  let items: TileItems
  let features: TileAttributes
  /// The attributes of the clusters among the items; nil if there are none.
  var clusters: TileAttributes?
  /// The number of annotations in each cluster.
  var clusterCounts: [UInt32] = []
  /// The tiles from which lines and polygons are cut, ascending.
  var shapeTops: [ShapeTile] = []

  /// The number of annotations that an item stands for.
  @inline(__always)
  func weight(_ item: Int) -> Int {
    let reference = items.references[item]
    return reference < TileItems.clusterMark
      ? 1 : Int(clusterCounts[Int(reference - TileItems.clusterMark)])
  }

  private func lot(_ item: Int) -> UInt32 {
    let reference = items.references[item]
    return reference < TileItems.clusterMark
      ? features.lots[Int(reference)]
      : clusters?.lots[Int(reference - TileItems.clusterMark)] ?? 0
  }

  // MARK: Tiles

  /// Makes the tiles of a piece.
  func tiles(
    of piece: TilePlan.Piece, _ plan: TilePlan, _ rules: TileRules, _ encoder: inout TileEncoder
  ) throws(TileSizeError) -> [PyramidTile] {
    var tiles: [PyramidTile] = []
    tiles.reserveCapacity(piece.tileCount)
    let shapes = shapes(of: piece, plan)
    // Inside a country all tiles are equal, so they are made once.
    var uniform: (contents: ShapeTileContents, tile: PyramidTile)?
    try TilePlan.forEachTile(
      zoom: plan.zoom, items, plan.copies, plan.shapeTiles, of: piece
    ) { (number, own, near, shapeTile) throws(TileSizeError) in
      let address = TileAddress(unchecked: plan.zoom, number: number)
      let drawn =
        shapeTile.isEmpty ? nil : shapes[shapeTile.lowerBound - piece.shapeTiles.lowerBound]
      let isUniform = own.isEmpty && near.isEmpty && drawn?.isUniform == true
      if isUniform, var same = uniform, same.contents == drawn?.contents {
        same.tile.address = address
        return tiles.append(same.tile)
      }
      let tile = try tile(
        address, own, plan.copies[near], drawn?.contents ?? ShapeTileContents(), rules, &encoder)
      if isUniform, let contents = drawn?.contents { uniform = (contents, tile) }
      // Shapes too small to draw may be the only content, and be counted in another tile.
      if tile.featureCount + tile.droppedCount + tile.tooSmallCount > 0 { tiles.append(tile) }
    }
    return tiles
  }

  /// The lines and polygons to draw in the tiles of a piece, in their order.
  private func shapes(
    of piece: TilePlan.Piece, _ plan: TilePlan
  ) -> [(isUniform: Bool, contents: ShapeTileContents)] {
    guard let first = plan.shapeTiles[piece.shapeTiles].first,
      let last = plan.shapeTiles[piece.shapeTiles].last
    else { return [] }
    var shapes: [(isUniform: Bool, contents: ShapeTileContents)] = []
    shapes.reserveCapacity(piece.shapeTiles.count)
    for top in shapeTops {
      top.forEach(atZoom: plan.zoom, numbers: first...last) {
        shapes.append(($0.isUniform, $0.contents()))
      }
    }
    return shapes
  }

  private func tile(
    _ address: TileAddress, _ own: Range<Int>, _ near: ArraySlice<TilePlan.Copy>,
    _ shapes: ShapeTileContents, _ rules: TileRules, _ encoder: inout TileEncoder
  ) throws(TileSizeError) -> PyramidTile {
    let scale = Double(1 << address.zoom)
    let count = own.count + near.count + shapes.pieces.count
    var limit = min(rules.featureLimit ?? count, count)
    // Computed once, if a limit needs it.
    var order: [Int]?
    while true {
      var kept: [Bool]?
      if limit < count {
        let ranked = order ?? self.order(own, near, shapes)
        order = ranked
        var flags = [Bool](repeating: false, count: count)
        for place in ranked.prefix(limit) { flags[place] = true }
        kept = flags
      }
      let (body, keptCount, droppedCount) = encoded(
        own, near, shapes, scale: scale, kept, &encoder)
      let isTooLarge = body.count > encoder.largestTile
      // A tile that no reader accepts need not be packed to see whether it is too large.
      guard !isTooLarge || rules.byteLimit != nil && limit > 0 else {
        throw TileSizeError(
          address: address, byteCount: body.count, limit: encoder.largestTile)
      }
      let bytes = isTooLarge ? body : encoder.stored(body)
      // A tile without features cannot be made smaller.
      guard let byteLimit = rules.byteLimit, isTooLarge || bytes.count > byteLimit, limit > 0 else {
        return PyramidTile(
          address: address, bytes: bytes, featureCount: limit, droppedCount: droppedCount,
          keptCount: keptCount, tooSmallCount: shapes.tooSmall)
      }
      // Features take similar space; aim a little lower, so that few attempts are needed.
      let aim = isTooLarge ? encoder.largestTile : byteLimit
      limit = min(limit - 1, limit * aim / bytes.count * 15 / 16)
    }
  }

  /// The features of a tile in order of priority under a limit: larger cluster, then lower lot,
  /// then order in the tile.
  private func order(
    _ own: Range<Int>, _ near: ArraySlice<TilePlan.Copy>, _ shapes: ShapeTileContents
  ) -> [Int] {
    let ranks =
      (Array(own) + near.map { Int($0.item) }).map { (weight($0), lot($0)) }
      + shapes.pieces.map { (1, features.lots[$0.feature]) }
    return ranks.indices.sorted { left, right in
      let (a, b) = (ranks[left], ranks[right])
      return a.0 != b.0 ? a.0 > b.0 : a.1 != b.1 ? a.1 < b.1 : left < right
    }
  }

  /// - Parameter kept: The features to keep; nil for all.
  private func encoded(
    _ own: Range<Int>, _ near: ArraySlice<TilePlan.Copy>, _ shapes: ShapeTileContents,
    scale: Double, _ kept: [Bool]?, _ encoder: inout TileEncoder
  ) -> (body: [UInt8], kept: Int, dropped: Int) {
    encoder.begin(features, clusters)
    var tally = FeatureTally()
    // Areas first, so that points are drawn on top of them.
    for (place, piece) in shapes.pieces.enumerated() {
      let isKept = kept?[own.count + near.count + place] ?? true
      if isKept { encoder.addShape(piece.feature, of: features, piece.geometry) }
      if piece.isCounted { tally.add(pieceOf: piece.feature, isDrawn: isKept) }
    }
    var keptCount = tally.drawnCount, droppedCount = tally.missingCount
    for item in own {
      let weight = weight(item)
      if let kept, !kept[item - own.lowerBound] {
        droppedCount += weight
        continue
      }
      keptCount += weight
      add(item, scale: scale, east: 0, south: 0, &encoder)
    }
    for (place, copy) in near.enumerated() where kept?[own.count + place] ?? true {
      add(
        Int(copy.item), scale: scale, east: Int32(copy.east), south: Int32(copy.south), &encoder)
    }
    let body = encoder.finished(
      clusters ?? features, dropped: droppedCount, kept: keptCount,
      tooSmall: shapes.tooSmall)
    return (body, keptCount, droppedCount)
  }

  /// Adds an item at its position in whole tile units, rounded down: 0…4095 in the tile itself,
  /// other numbers in its buffer.
  @inline(__always)
  private func add(
    _ item: Int, scale: Double, east: Int32, south: Int32, _ encoder: inout TileEncoder
  ) {
    let place = items.places[item]
    let x = place.x * scale, y = place.y * scale
    let extent = Double(TileRules.extent)
    let column = Int32((x - x.rounded(.down)) * extent) - east * Int32(TileRules.extent)
    let row = Int32((y - y.rounded(.down)) * extent) - south * Int32(TileRules.extent)
    let reference = items.references[item]
    if reference < TileItems.clusterMark {
      encoder.addPoint(Int(reference), of: features, x: column, y: row)
    } else if let clusters {
      encoder.addPoint(
        Int(reference - TileItems.clusterMark), of: clusters, isCluster: true, x: column, y: row)
    }
  }
}
