import MapAnnotations
import MapProjections
import ViewportClustering

/// Clusters that replace annotations close together, zoom by zoom.
struct TileClustering: Sendable {
  /// The last zoom with clusters.
  let maxZoom: Int
  /// The attributes of clusters in addition to those of annotations.
  let fields: [(name: String, type: PMTilesMetadata.FieldType)]
  /// The view of a zoom: its clusters with their attributes, and the indices of single annotations.
  let view: @Sendable (_ zoom: Int) -> (clusters: [Cluster], annotations: [Int])

  /// A cluster to be written into a tile.
  struct Cluster: Sendable {
    let number: Int
    let count: Int
    let place: PlanePlace
    let attributes: [(String, VectorTileValue)]
  }

  /// The content of a zoom's tiles; nil beyond the last zoom with clusters.
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
  /// Makes a pyramid of annotations in which those close together form clusters.
  ///
  ///     let index = ClusterIndex(shops, rule: ClusterRule(alignment: .tiles))
  ///     let pyramid = TilePyramid(features, clusters: index, rules: TileRules(zooms: 0...14))
  ///
  /// A cluster has the attributes of supercluster: `cluster` true, `cluster_id`, `point_count` and
  /// `point_count_abbreviated`; then, if the index has sums, `kinds` as JSON, and `_min`, `_max`
  /// and `_sum` of each property. Its id is its `cluster_id`. Each cell of the rule lies in one
  /// tile, so the counts of a tile's own clusters and annotations add up to the annotations in it.
  ///
  /// - Parameters:
  ///   - features: The annotations of the index, in its order.
  ///   - index: An index whose rule is aligned with tiles.
  ///   - selection: Only these annotations; `features` must include the same ones.
  ///   - rules: Zooms and limits of the tiles.
  /// - Precondition: There are as many features as the index has annotations, and its rule has the
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
          view.clusters.map {
            TileClustering.Cluster($0, index.summary(of: $0.id, selection: selection))
          }, view.annotations
        )
      })
  }
}

extension TilePyramid {
  /// Makes a single tile, as a server does on request.
  ///
  /// - Parameters:
  ///   - address: The address of the tile, at a zoom of the rules.
  ///   - features: The single annotations in the tile and in its buffer.
  ///   - clusters: The clusters there.
  /// - Returns: nil if the tile is empty.
  package static func tile(
    _ address: TileAddress, _ features: TileFeatures, clusters: [MapCluster], rules: TileRules
  ) throws(TileSizeError) -> PyramidTile? {
    let clustering = TileClustering(maxZoom: address.zoom, fields: []) { _ in
      (
        clusters.map { TileClustering.Cluster($0, nil) },
        features.points.map { Int($0.reference) }
      )
    }
    return try TilePyramid(
      features, rules: rules, clustering: clusters.isEmpty ? nil : clustering
    ).tile(address)
  }
}

extension TilePyramid {
  /// The attributes of tiles made one by one, with their types.
  ///
  /// - Parameters:
  ///   - features: All annotations in the tiles.
  ///   - hasClusters: Whether some tiles have clusters.
  package static func fields(
    of features: TileFeatures, hasClusters: Bool
  ) -> [(name: String, type: PMTilesMetadata.FieldType)] {
    fields(
      of: features, besides: hasClusters ? TileClustering.fields(of: ClusterAggregates()) : [])
  }

  /// The attributes of features and those of clusters, each name once.
  static func fields(
    of features: TileFeatures, besides clusters: [(name: String, type: PMTilesMetadata.FieldType)]
  ) -> [(name: String, type: PMTilesMetadata.FieldType)] {
    let attributes = features.attributes
    var fields = zip(attributes.names, attributes.types).compactMap { name, type in
      type.map { (name: name, type: $0) }
    }
    for (name, type) in clusters where !fields.contains(where: { $0.name == name }) {
      fields.append((name, type))
    }
    return fields
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
}

extension TileClustering.Cluster {
  fileprivate init(_ cluster: MapCluster, _ summary: ClusterSummary?) {
    number = cluster.id.number
    count = cluster.count
    place = PlanePlace(column: cluster.column, row: cluster.row)
    var attributes: [(String, VectorTileValue)] = [
      ("cluster", .bool(true)), ("cluster_id", .integer(Int64(cluster.id.number))),
      ("point_count", .integer(Int64(cluster.count))),
      ("point_count_abbreviated", .string(cluster.abbreviatedCount)),
    ]
    for entry in summary?.featureProperties.entries ?? [] {
      if let value = VectorTileValue(entry.value) { attributes.append((entry.name, value)) }
    }
    self.attributes = attributes
  }
}
