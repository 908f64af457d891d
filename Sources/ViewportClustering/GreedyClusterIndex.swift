import Geodesy
import MapAnnotations

/// The options of supercluster.
public struct GreedyRule: Hashable, Sendable {
  /// The radius of a cluster, in pixels.
  public let radius: Double
  /// The width of a tile in pixels.
  public let extent: Double
  /// The zooms with clusters.
  public let zooms: ClosedRange<Int>
  /// The minimum number of annotations in a cluster, at least 2.
  public let minCount: Int

  /// Makes a rule; the defaults are supercluster's.
  ///
  /// - Precondition: `radius` and `extent` are more than 0 and finite, as is `radius / extent`, the
  ///   zooms are in 0…22, and `minCount >= 2`.
  public init(
    radius: Double = 40, extent: Double = 512, zooms: ClosedRange<Int> = 0...16, minCount: Int = 2
  ) {
    precondition(
      radius > 0 && extent > 0 && extent.isFinite && (radius / extent).isFinite,
      "a radius of \(radius) in \(extent) pixels")
    precondition(zooms.lowerBound >= 0 && zooms.upperBound <= 22, "zooms \(zooms); take 0…22")
    precondition(minCount >= 2, "a cluster of \(minCount); take 2 or more")
    self.radius = radius
    self.extent = extent
    self.zooms = zooms
    self.minCount = minCount
  }

  /// The radius at a zoom, in units of the world's width.
  func reach(atZoom zoom: Int) -> Double { radius / (extent * Double(1 << zoom)) }
}

/// Clusters as in supercluster, for maps that must look the same: from the last zoom to the first,
/// each point not yet taken takes all points within a radius, and is placed at their mean.
///
///     let index = GreedyClusterIndex(shops)
///     let view = index.view(of: screen)
///
/// The same points in the same order give the clusters of supercluster 8, with positions to single
/// precision. It also has its weaknesses, which `ClusterIndex` avoids: clusters depend on the order
/// of the annotations, ids on all of them, filters need a rebuild, and points on both sides of
/// ±180° are never in one cluster. A line or area is treated as a point, its coordinate.
///
/// Source: the rule of mapbox/supercluster (ISC), rewritten over a hash grid.
public struct GreedyClusterIndex<Annotations: RandomAccessCollection & Sendable>: Sendable
where Annotations.Element: Annotation, Annotations.Index == Int {
  /// The annotations of the index.
  public let annotations: Annotations
  /// The rule for forming clusters.
  public let rule: GreedyRule
  private let hierarchy: GreedyHierarchy

  /// Builds an index over annotations; those without a coordinate are in no cluster.
  ///
  /// - Complexity: O(*n* · zooms) if points are spread out; O(*n*²) at worst, if a radius contains
  ///   everything and yet too few for a cluster.
  @inlinable
  public init(_ annotations: Annotations, rule: GreedyRule = GreedyRule()) {
    precondition(annotations.count < 1 << 31, "\(annotations.count) annotations; divide them")
    var coordinates: [Coordinate] = []
    var places: [UInt32] = []
    for (place, annotation) in annotations.enumerated() {
      guard let coordinate = annotation.coordinate else { continue }
      coordinates.append(coordinate)
      places.append(UInt32(place))
    }
    self.init(annotations, coordinates: coordinates, places: places, rule: rule)
  }

  @usableFromInline
  init(_ annotations: Annotations, coordinates: [Coordinate], places: [UInt32], rule: GreedyRule) {
    self.annotations = annotations
    self.rule = rule
    hierarchy = GreedyHierarchy(coordinates, places: places, rule: rule)
  }

  /// The view of a screen: clusters and single annotations whose own position is in the box.
  ///
  /// Unlike in a `ClusterIndex`, the box is not widened, and counts do not add up to its contents:
  /// a cluster may be outside and have annotations inside. Only for the whole world do they add up.
  /// Latitudes beyond ±85.0511°, of positions and of the box, count as that latitude.
  public func view(of viewport: MapViewport) -> GreedyView {
    view(of: hierarchy.items(in: viewport), atZoom: viewport.zoom)
  }

  private func view(of items: [Int], atZoom zoom: Int) -> GreedyView {
    let level = hierarchy.level(atZoom: zoom)
    var clusters: [MapCluster] = []
    var annotations: [Int] = []
    for item in items {
      if let cluster = level.cluster(item) {
        clusters.append(cluster)
      } else {
        annotations.append(Int(level.items[item].source))
      }
    }
    return GreedyView(clusters: clusters, annotations: annotations)
  }

  /// The parts of a cluster one zoom deeper; nil if there is no such cluster.
  public func children(of id: ClusterID) -> GreedyView? {
    hierarchy.children(of: id).map { view(of: $0, atZoom: id.zoom + 1) }
  }

  /// The offsets of a cluster's annotations, in the order of its parts; nil if there is no such
  /// cluster.
  ///
  /// - Complexity: O(`offset` + `limit`) and the parts on the way.
  public func leaves(of id: ClusterID, offset: Int = 0, limit: Int = 10) -> [Int]? {
    precondition(offset >= 0 && limit >= 0, "a page of \(limit) from \(offset)")
    return hierarchy.leaves(of: id, offset: offset, limit: limit)
  }

  /// The first zoom at which a cluster splits; nil if there is no such cluster.
  public func expansionZoom(of id: ClusterID) -> Int? {
    guard var children = hierarchy.children(of: id) else { return nil }
    var zoom = id.zoom + 1
    while children.count == 1, zoom <= rule.zooms.upperBound,
      let only = hierarchy.level(atZoom: zoom).cluster(children[0]),
      let next = hierarchy.children(of: only.id)
    {
      zoom = only.id.zoom + 1
      children = next
    }
    return zoom
  }
}

/// The view of a screen in a `GreedyClusterIndex`.
public struct GreedyView: Sendable {
  /// The clusters, in the order in which they were made.
  public let clusters: [MapCluster]
  /// The offsets of the single annotations.
  public let annotations: [Int]
  /// The total number of annotations, in clusters and alone.
  public var count: Int { clusters.reduce(annotations.count) { $0 + $1.count } }
}
