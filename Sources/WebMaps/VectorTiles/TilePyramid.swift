import Geodesy
import MapProjections

/// Annotations as the vector tiles of a range of zooms.
///
///     var features = TileFeatures()
///     for shop in shops { features.append(shop) }
///     let pyramid = TilePyramid(features, rules: TileRules(zooms: 0...12, layer: "shops"))
///     let zooms = try await pyramid.forEachTile { tile, progress in
///       try archive.append(tile.bytes, at: tile.address)
///     }
///
/// The annotations are sorted once along the Hilbert curve; the contents of a tile are a run of that order at every
/// zoom. A tile also has the features within its buffer, across ±180° too. Positions distinguish the two: a tile's own
/// features have 0 ≤ x, y < 4096 and occur once at each zoom.
///
/// The same features give the same bytes, however many tasks make them.
public struct TilePyramid: Sendable {
  /// The zooms of the pyramid, and the limits of a tile.
  public let rules: TileRules
  let features: TileFeatures
  let items: TileItems
  let clustering: TileClustering?
  /// The tiles of a middle zoom with lines and polygons, by number: deeper tiles are cut from
  /// these, so that a piece of work cuts little that it does not need.
  private let shapeTops: [ShapeTile]

  /// The number of annotations in the tiles of each zoom; a cluster counts all its members.
  public var annotationCount: Int { items.count + features.shapeCount }

  /// A lower bound of the number of tiles: those that the largest polygon alone covers.
  ///
  /// Each zoom has four times the tiles of the one before, so a large area at zoom 24 has more than any disk holds.
  ///
  /// - Complexity: O(polygons and holes).
  public var leastTileCount: Int {
    let area = features.shapes.largestArea
    return rules.zooms.reduce(0) { $0 + Int((area * Double(1 << (2 * $1))).rounded(.down)) }
  }

  /// - Complexity: O(*n*), a radix sort.
  public init(_ features: TileFeatures, rules: TileRules = TileRules()) {
    self.init(features, rules: rules, clustering: nil)
  }

  init(_ features: TileFeatures, rules: TileRules, clustering: TileClustering?) {
    self.rules = rules
    self.features = features
    self.clustering = clustering
    items = TileItems(features.points)
    let root = features.shapes.root
    precondition(
      root.isEmpty || root.tiling == rules.shapeTiling,
      "shapes for \(root.tiling), tiles of \(rules.shapeTiling); give the features the rules' tiling"
    )
    var tops: [ShapeTile] = []
    root.forEach(atZoom: min(rules.zooms.upperBound, TilePyramid.topZoom)) { tops.append($0) }
    shapeTops = tops
  }

  private static let topZoom = 4
  /// The maximum size of an unpacked tile in bytes: protocol buffer messages end at 2 GiB, and no
  /// map displays half of that.
  var largestTile = 1 << 30

  /// The tiles from which a zoom's lines and polygons are cut.
  private func shapeTops(atZoom zoom: Int) -> [ShapeTile] {
    zoom < TilePyramid.topZoom ? [features.shapes.root] : shapeTops
  }

  /// The progress of making tiles.
  public struct Progress: Hashable, Sendable {
    /// The number of finished tiles.
    public let doneTiles: Int
    /// The expected number of tiles; an upper bound, because tiles with only tiny shapes are not made.
    public let totalTiles: Int
    /// The finished share of the work, 0…1, counted in features, because some tiles have a million.
    public let share: Double
  }

  // MARK: Tiles

  /// Makes all tiles and passes them to `body` in archive order: by zoom, and along the Hilbert
  /// curve.
  ///
  /// - Parameters:
  ///   - maximumTasks: The maximum number of concurrent tasks; nil leaves that to the executor.
  ///   - body: Called from this task alone.
  /// - Returns: The results of each zoom.
  /// - Throws: Errors of `body`, `CancellationError`, and `TileSizeError` for a tile of more than 1
  ///   GiB that no limit makes smaller.
  /// - Complexity: O(*n*) for each zoom, most of it gzip. Besides the features, memory for those
  ///   near borders, about 16 bytes for each annotation over all zooms, and for 64 pieces of tiles,
  ///   each of up to 16,384 features or one tile.
  public func forEachTile(
    maximumTasks: Int? = nil, _ body: (PyramidTile, Progress) throws -> Void
  ) async throws -> [PyramidZoom] {
    precondition(maximumTasks ?? 1 > 0, "\(maximumTasks ?? 1) tasks make nothing")
    let plans = await plans()
    let work = plans.flatMap { plan in plan.pieces.map { (plan: plan, piece: $0) } }
    let totalTiles = plans.reduce(0) { $0 + $1.tileCount }
    let totalFeatures = work.reduce(0) { $0 + $1.piece.size }
    var doneTiles = 0, doneFeatures = 0
    var zooms = rules.zooms.map { PyramidZoom(zoom: $0) }
    let encoders = EncoderPool(rules, largestTile: largestTile)
    var latest: (zoom: Int, content: TileContent)?

    try await withThrowingTaskGroup(of: (Int, [PyramidTile]).self) { group in
      var next = 0, running = 0, finished = 0
      var ready: [Int: [PyramidTile]] = [:]
      while finished < work.count {
        while next < work.count, next < finished + TilePyramid.window,
          running < maximumTasks ?? .max
        {
          let number = next, (plan, piece) = work[next]
          let content: TileContent
          if let latest, latest.zoom == plan.zoom {
            content = latest.content
          } else {
            content = self.content(atZoom: plan.zoom)
            latest = (plan.zoom, content)
          }
          group.addTask { [rules] in
            try Task.checkCancellation()
            return (
              number,
              try encoders.withEncoder { try content.tiles(of: piece, plan, rules, &$0) }
            )
          }
          next += 1
          running += 1
        }
        guard let (number, tiles) = try await group.next() else { break }
        running -= 1
        ready[number] = tiles
        // Tiles are passed on in order, whichever were made first.
        while let tiles = ready.removeValue(forKey: finished) {
          let piece = work[finished].piece
          doneFeatures += piece.size
          finished += 1
          for tile in tiles {
            doneTiles += 1
            zooms[tile.address.zoom - rules.zooms.lowerBound].count(tile)
            try body(
              tile,
              Progress(
                doneTiles: doneTiles, totalTiles: totalTiles,
                share: Double(doneFeatures) / Double(totalFeatures)))
          }
        }
      }
    }
    return zooms
  }

  /// Makes one tile of a pyramid with few features; nil if the tile is empty.
  func tile(_ address: TileAddress) throws(TileSizeError) -> PyramidTile? {
    let content = content(atZoom: address.zoom)
    let plan = TilePlan(
      zoom: address.zoom, content.items, shapes: shapeTops(atZoom: address.zoom),
      only: address.number, buffer: rules.buffer)
    var encoder = TileEncoder(rules, largestTile: largestTile)
    for piece in plan.pieces {
      for tile in try content.tiles(of: piece, plan, rules, &encoder) where tile.address == address
      {
        return tile
      }
    }
    return nil
  }

  /// How many pieces may be made ahead of the next one to be passed on.
  private static let window = 64

  /// The plans of all zooms, made concurrently.
  private func plans() async -> [TilePlan] {
    await withTaskGroup(of: TilePlan.self) { group in
      for zoom in rules.zooms {
        group.addTask {
          TilePlan(
            zoom: zoom, self.content(atZoom: zoom).items, shapes: self.shapeTops(atZoom: zoom),
            buffer: self.rules.buffer)
        }
      }
      var plans: [TilePlan] = []
      for await plan in group { plans.append(plan) }
      return plans.sorted { $0.zoom < $1.zoom }
    }
  }

  private func content(atZoom zoom: Int) -> TileContent {
    var content =
      clustering?.content(atZoom: zoom, features)
      ?? TileContent(items: items, features: features.attributes)
    content.shapeTops = shapeTops(atZoom: zoom)
    return content
  }
}

/// Idle encoders: their tables are as long as the list of values, so they are made once for each
/// running task, not for each piece.
private final class EncoderPool: Sendable {
  private let rules: TileRules
  private let largestTile: Int
  private let waiting = SharedValue<[TileEncoder]>([])

  init(_ rules: TileRules, largestTile: Int) {
    self.rules = rules
    self.largestTile = largestTile
  }

  func withEncoder<Result>(_ body: (inout TileEncoder) throws -> Result) rethrows -> Result {
    var encoder =
      waiting.withLock { $0.popLast() } ?? TileEncoder(rules, largestTile: largestTile)
    defer { waiting.withLock { $0.append(encoder) } }
    return try body(&encoder)
  }
}
