import MapProjections

/// What the tiles of one zoom hold.
struct TileContent: Sendable {
  let items: TileItems
  let features: TileAttributes
  /// What the clusters among the items say; nil where there are none.
  var clusters: TileAttributes?
  /// How many annotations each cluster stands for.
  var clusterCounts: [UInt32] = []

  /// How many annotations an item stands for.
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
  ) -> [PyramidTile] {
    var tiles: [PyramidTile] = []
    tiles.reserveCapacity(piece.tileCount)
    TilePlan.forEachTile(
      zoom: plan.zoom, items, piece.items, plan.copies, piece.copies
    ) { _, own, near in
      tiles.append(
        tile(own, plan.copies[near], zoom: plan.zoom, rules, &encoder))
    }
    return tiles
  }

  private func tile(
    _ own: Range<Int>, _ near: ArraySlice<TilePlan.Copy>, zoom: Int, _ rules: TileRules,
    _ encoder: inout TileEncoder
  ) -> PyramidTile {
    let scale = Double(1 << zoom), count = own.count + near.count
    let address: TileAddress
    if let first = own.first {
      let place = items.places[first]
      address = TileAddress(unchecked: zoom, Int(place.x * scale), Int(place.y * scale))
    } else {
      let copy = near[near.startIndex], place = items.places[Int(copy.item)]
      address = TileAddress(
        unchecked: zoom, (Int(place.x * scale) + Int(copy.east)) & (1 << zoom - 1),
        Int(place.y * scale) + Int(copy.south))
    }
    var limit = min(rules.featureLimit ?? count, count)
    // Worked out once, where a limit asks for it.
    var order: [Int]?
    while true {
      var kept: [Bool]?
      if limit < count {
        if order == nil { order = self.order(own, near) }
        var flags = [Bool](repeating: false, count: count)
        for place in order?.prefix(limit) ?? [] { flags[place] = true }
        kept = flags
      }
      let (body, keptCount, droppedCount) = encoded(own, near, scale: scale, kept, &encoder)
      let bytes = encoder.stored(body)
      // Without features a tile is what it is.
      guard let byteLimit = rules.byteLimit, bytes.count > byteLimit, limit > 0 else {
        return PyramidTile(
          address: address, bytes: bytes, featureCount: limit, droppedCount: droppedCount,
          keptCount: keptCount)
      }
      // Features take about alike; a little less than that, so that few attempts are needed.
      limit = min(limit - 1, limit * byteLimit / bytes.count * 15 / 16)
    }
  }

  /// The features of a tile, those first that stay when not all may: the larger cluster, then the lesser
  /// lot, then the order of the tile.
  private func order(_ own: Range<Int>, _ near: ArraySlice<TilePlan.Copy>) -> [Int] {
    let ranks = (Array(own) + near.map { Int($0.item) }).map { (weight($0), lot($0)) }
    return ranks.indices.sorted { left, right in
      let (a, b) = (ranks[left], ranks[right])
      return a.0 != b.0 ? a.0 > b.0 : a.1 != b.1 ? a.1 < b.1 : left < right
    }
  }

  /// - Parameter kept: Which features stay; nil for all.
  private func encoded(
    _ own: Range<Int>, _ near: ArraySlice<TilePlan.Copy>, scale: Double, _ kept: [Bool]?,
    _ encoder: inout TileEncoder
  ) -> (body: [UInt8], kept: Int, dropped: Int) {
    encoder.begin(features, clusters)
    var keptCount = 0, droppedCount = 0
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
    let body = encoder.finished(clusters ?? features, dropped: droppedCount, kept: keptCount)
    return (body, keptCount, droppedCount)
  }

  /// Positions are whole parts of a tile, rounded down: so what lies in a tile has parts of 0…4095, and
  /// what its buffer holds has others.
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
      encoder.addCluster(
        Int(reference - TileItems.clusterMark), of: clusters, x: column, y: row)
    }
  }
}
