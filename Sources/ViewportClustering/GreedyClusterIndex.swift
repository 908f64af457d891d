import Geodesy
import MapAnnotations

/// What supercluster calls its options.
public struct GreedyRule: Hashable, Sendable {
  /// How far a cluster reaches, in pixels.
  public let radius: Double
  /// How many pixels a tile is wide.
  public let extent: Double
  /// The zooms that have clusters.
  public let zooms: ClosedRange<Int>
  /// How many annotations make a cluster, at least 2.
  public let minCount: Int

  /// Makes a rule; the defaults are supercluster's.
  ///
  /// - Precondition: `radius` and `extent` are more than 0 and finite, the zooms in 0…22, and
  ///   `minCount >= 2`.
  public init(
    radius: Double = 40, extent: Double = 512, zooms: ClosedRange<Int> = 0...16, minCount: Int = 2
  ) {
    precondition(
      radius > 0 && extent > 0 && radius.isFinite && extent.isFinite,
      "a radius of \(radius) in \(extent) pixels")
    precondition(zooms.lowerBound >= 0 && zooms.upperBound <= 22, "zooms \(zooms); take 0…22")
    precondition(minCount >= 2, "a cluster of \(minCount); take 2 or more")
    self.radius = radius
    self.extent = extent
    self.zooms = zooms
    self.minCount = minCount
  }

  /// The radius at a zoom, where the world is 1 wide.
  func reach(atZoom zoom: Int) -> Double { radius / (extent * Double(1 << zoom)) }
}

/// Clusters as supercluster makes them, for maps that must look as they did: from the last zoom to the
/// first, each point not yet taken takes all within a radius, and stands where their mean is.
///
///     let index = GreedyClusterIndex(shops)
///     let view = index.view(of: screen)
///
/// The same points in the same order give the clusters that supercluster 8 gives, positions to single
/// precision as there. With that come its weaknesses, for which `ClusterIndex` has none: clusters depend
/// on the order of the annotations, ids on all of them, no filter works without a rebuild, and points
/// on both sides of ±180° are never one cluster. A line or area is what its coordinate is: a point.
///
/// Source: the rule of mapbox/supercluster (ISC), rewritten over a hash grid.
public struct GreedyClusterIndex<Annotations: RandomAccessCollection & Sendable>: Sendable
where Annotations.Element: Annotation, Annotations.Index == Int {
  /// What the index was built from.
  public let annotations: Annotations
  /// How clusters were made.
  public let rule: GreedyRule
  private let hierarchy: GreedyHierarchy

  /// Builds an index over annotations; those without a coordinate are in no cluster.
  ///
  /// - Complexity: O(*n* · zooms) where points are spread out; O(*n*²) at worst, when a radius holds
  ///   everything and yet too few for a cluster.
  @inlinable
  public init(_ annotations: Annotations, rule: GreedyRule = GreedyRule()) {
    precondition(annotations.count < 1 << 31, "\(annotations.count) annotations; divide them")
    var coordinates: [Coordinate] = []
    var places: [UInt32] = []
    var place: UInt32 = 0
    for annotation in annotations {
      if let coordinate = annotation.coordinate {
        coordinates.append(coordinate)
        places.append(place)
      }
      place += 1
    }
    self.init(annotations, coordinates: coordinates, places: places, rule: rule)
  }

  @usableFromInline
  init(_ annotations: Annotations, coordinates: [Coordinate], places: [UInt32], rule: GreedyRule) {
    self.annotations = annotations
    self.rule = rule
    hierarchy = GreedyHierarchy(coordinates, places: places, rule: rule)
  }

  /// What a screen shows: clusters and single annotations whose own place is in the box.
  ///
  /// Unlike a `ClusterIndex`'s, the box is not widened, and counts do not add up to what is in it: a
  /// cluster may stand outside and hold annotations inside. Those of the whole world do add up.
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
        annotations.append(Int(level.sources[item]))
      }
    }
    return GreedyView(clusters: clusters, annotations: annotations)
  }

  /// What a cluster falls into one zoom further in; nil where there is no such cluster.
  public func children(of id: ClusterID) -> GreedyView? {
    hierarchy.children(of: id).map { view(of: $0, atZoom: id.zoom + 1) }
  }

  /// The offsets of a cluster's annotations, from the first parts to the last; nil where there is no
  /// such cluster.
  ///
  /// - Complexity: O(`offset` + `limit`) and the parts on the way.
  public func leaves(of id: ClusterID, offset: Int = 0, limit: Int = 10) -> [Int]? {
    precondition(offset >= 0 && limit >= 0, "a page of \(limit) from \(offset)")
    return hierarchy.leaves(of: id, offset: offset, limit: limit)
  }

  /// The first zoom at which a cluster is not one any more; nil where there is no such cluster.
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

/// What a screen shows of a `GreedyClusterIndex`.
public struct GreedyView: Sendable {
  /// Clusters, in the order in which they were made.
  public let clusters: [MapCluster]
  /// The offsets of those annotations that stand alone.
  public let annotations: [Int]
  /// How many annotations there are, in clusters and alone.
  public var count: Int { clusters.reduce(annotations.count) { $0 + $1.count } }
}
