import MapAnnotations
import MapProjections
import ViewportClustering

/// Clusters in place of what stands close together, zoom by zoom.
struct TileClustering: Sendable {
  /// The last zoom with clusters.
  let maxZoom: Int
  /// What clusters say besides what annotations do.
  let fields: [(name: String, type: PMTilesMetadata.FieldType)]
  /// What a zoom shows: clusters with what they say, and the places of what stands alone.
  let view: @Sendable (_ zoom: Int) -> (clusters: [Cluster], annotations: [Int])

  /// A cluster on its way into a tile.
  struct Cluster: Sendable {
    let number: Int
    let count: Int
    let place: PlanePlace
    let attributes: [(String, VectorTileValue)]
  }

  /// What the tiles of a zoom hold; nil behind the last one with clusters.
  func content(atZoom zoom: Int, _ features: TileFeatures) -> TileContent? {
    guard zoom <= maxZoom else { return nil }
    let (clusters, annotations) = view(zoom)
    var attributes = TileAttributes(sharingNamesOf: features.attributes)
    attributes.reserve(clusters.count)
    var points: [(place: PlanePlace, reference: UInt32)] = []
    points.reserveCapacity(clusters.count + annotations.count)
    for (number, cluster) in clusters.enumerated() {
      attributes.append(clusterNumber: cluster.number, cluster.attributes)
      points.append((cluster.place, TileItems.clusterMark + UInt32(number)))
    }
    for place in annotations {
      points.append((features.place(ofAnnotation: place), UInt32(place)))
    }
    return TileContent(
      items: TileItems(points), features: features.attributes, clusters: attributes,
      clusterCounts: clusters.map { UInt32($0.count) })
  }
}

extension TilePyramid {
  /// Annotations of which those that stand close together are clusters.
  ///
  ///     let index = ClusterIndex(shops, rule: ClusterRule(alignment: .tiles))
  ///     let pyramid = TilePyramid(features, clusters: index, rules: TileRules(zooms: 0...14))
  ///
  /// A cluster has the attributes that supercluster gives it: `cluster` true, `cluster_id`, `point_count`
  /// and `point_count_abbreviated`; then, where the index sums them up, `kinds` as JSON, and of each
  /// property `_min`, `_max` and `_sum`. Its number is its `cluster_id`. A cell of the rule is in one
  /// tile whole, so the counts of a tile's own clusters and annotations add up to the annotations in it.
  ///
  /// - Parameters:
  ///   - features: The annotations of the index, in its order.
  ///   - index: Its rule is aligned with tiles.
  ///   - selection: Only these; the features have to say of the same ones that they are included.
  ///   - rules: Zooms and limits of the tiles.
  /// - Precondition: The features are as many as the index has annotations, and its rule has the
  ///   alignment `.tiles`.
  public init<Annotations>(
    _ features: TileFeatures, clusters index: ClusterIndex<Annotations>,
    selection: ClusterSelection? = nil, rules: TileRules = TileRules()
  ) {
    precondition(
      features.count == index.annotations.count,
      "\(features.count) features of \(index.annotations.count) annotations")
    precondition(index.rule.alignment == .tiles, "clusters that lie across the borders of tiles")
    self.init(
      features, rules: rules,
      clustering: TileClustering(
        maxZoom: index.rule.maxZoom, fields: TileClustering.fields(of: index.aggregates)
      ) { zoom in
        let view = index.view(ofZoom: zoom, selection: selection)
        return (
          view.clusters.map { cluster in
            TileClustering.Cluster(
              number: cluster.id.number, count: cluster.count,
              place: PlanePlace(column: cluster.column, row: cluster.row),
              attributes: TileClustering.attributes(
                of: cluster, index.summary(of: cluster.id, selection: selection)))
          }, view.annotations
        )
      })
  }
}

extension TilePyramid {
  /// One tile by itself, as a server makes it when it is asked for.
  ///
  /// - Parameters:
  ///   - address: Which tile; a zoom of the rules.
  ///   - features: The annotations in the tile and in its buffer that stand alone.
  ///   - clusters: The clusters there.
  /// - Returns: nil where nothing is in the tile.
  package static func tile(
    _ address: TileAddress, _ features: TileFeatures, clusters: [MapCluster], rules: TileRules
  ) throws(TileSizeError) -> PyramidTile? {
    let clustering = TileClustering(maxZoom: address.zoom, fields: []) { _ in
      (
        clusters.map { cluster in
          TileClustering.Cluster(
            number: cluster.id.number, count: cluster.count,
            place: PlanePlace(column: cluster.column, row: cluster.row),
            attributes: TileClustering.attributes(of: cluster, nil))
        }, features.points.map { Int($0.reference) }
      )
    }
    return try TilePyramid(
      features, rules: rules, clustering: clusters.isEmpty ? nil : clustering
    ).tile(address)
  }
}

extension TileClustering {
  fileprivate static func fields(
    of aggregates: ClusterAggregates
  ) -> [(name: String, type: PMTilesMetadata.FieldType)] {
    var fields: [(name: String, type: PMTilesMetadata.FieldType)] = [
      ("cluster", .boolean), ("cluster_id", .number), ("point_count", .number),
      ("point_count_abbreviated", .string),
    ]
    if aggregates.countsKinds { fields.append(("kinds", .string)) }
    for name in aggregates.properties {
      fields += ["min", "max", "sum"].map { ("\(name)_\($0)", .number) }
    }
    return fields
  }

  /// What a cluster says.
  fileprivate static func attributes(
    of cluster: MapCluster, _ summary: ClusterSummary?
  ) -> [(String, VectorTileValue)] {
    var attributes: [(String, VectorTileValue)] = [
      ("cluster", .bool(true)), ("cluster_id", .integer(Int64(cluster.id.number))),
      ("point_count", .integer(Int64(cluster.count))),
      ("point_count_abbreviated", .string(cluster.abbreviatedCount)),
    ]
    guard let summary else { return attributes }
    for entry in summary.featureProperties.entries {
      if let value = VectorTileValue(entry.value) { attributes.append((entry.name, value)) }
    }
    return attributes
  }
}
