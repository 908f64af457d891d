import Geodesy
import MapAnnotations

/// What a map has to do to show something else: pins and clusters to add, remove, redraw and leave
/// alone, and which clusters came from which.
///
/// Removing what is `removed`, redrawing what is `updated` and adding what is `added` turns what
/// the map shows into what a new query would answer. Nothing that stays is removed and added again.
public struct MapChange<Item: Annotation>: Sendable {
  /// The number of the change in this session, from 1: draw changes from several tasks in the order
  /// of their numbers, leaving none out.
  ///
  /// A refused change has the number of the last one before it.
  public let number: Int
  /// Whether nothing was done, since the call came from inside of one of the session's own closures.
  public let isRefused: Bool
  /// The single annotations, by id.
  public let pins: AnnotationDiff<Item>
  /// The clusters, by id.
  public let clusters: ClusterDiff
  /// The `look` of every pin that is shown now and has another than 0.
  public let looks: [AnnotationID: Int]
  /// The box that is shown now, whose annotations the pins and clusters are, all of them, lines and areas by
  /// their shape.
  public let box: BoundingBox
  /// The zoom that is shown now.
  public let zoom: Int
  /// The first instant at which time alone could change what is shown; nil if it never does.
  public let validUntil: Instant?

  /// A change made by hand, for previews and tests of a display.
  ///
  /// - Parameters:
  ///   - number: Which change of the session this is, from 1.
  ///   - isRefused: Whether nothing was done.
  ///   - pins: The annotations that stand alone.
  ///   - clusters: The clusters.
  ///   - looks: The look of each pin on the map whose look is not 0.
  ///   - box: The box on the map now.
  ///   - zoom: The zoom of the map now.
  ///   - validUntil: nil where time changes nothing.
  public init(
    number: Int, isRefused: Bool = false, pins: AnnotationDiff<Item>,
    clusters: ClusterDiff = ClusterDiff(), looks: [AnnotationID: Int] = [:],
    box: BoundingBox = .world, zoom: Int = 0, validUntil: Instant? = nil
  ) {
    self.number = number
    self.isRefused = isRefused
    self.pins = pins
    self.clusters = clusters
    self.looks = looks
    self.box = box
    self.zoom = zoom
    self.validUntil = validUntil
  }

  /// Whether nothing is to be done.
  public var isEmpty: Bool { pins.isEmpty && clusters.isEmpty }
}

extension MapChange: Equatable where Item: Equatable {}

/// What changed between the clusters of two views.
///
/// Clusters of different zooms have different ids, so that on zooming all are added and removed;
/// `splits` and `merges` then say what became of what, for a view to animate. Each added cluster is a
/// birth, or part of one split, or the whole of one merge, and each removed one likewise a death, the
/// whole of one split or part of one merge.
public struct ClusterDiff: Hashable, Sendable {
  /// Those whose id is new.
  public var added: [MapCluster] = []
  /// Those whose id is gone.
  public var removed: [MapCluster] = []
  /// Those that have another count or place, as they are now.
  public var updated: [MapCluster] = []
  /// Those that are as they were.
  public var kept: [MapCluster] = []

  /// Added clusters whose annotations were not shown before.
  public var births: [ClusterID] = []
  /// Removed clusters whose annotations are not shown any more, but for a shape that still reaches in after
  /// zooming out.
  public var deaths: [ClusterID] = []
  /// Removed clusters that fell apart: on zooming in, where a filter left too few, or out of the window,
  /// into which one of their shapes still reaches.
  public var splits: [ClusterSplit] = []
  /// Added clusters that took others in.
  public var merges: [ClusterMerge] = []

  /// Compares nothing with nothing.
  public init() {}

  /// Whether nothing is to be done.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && updated.isEmpty }

  /// The old clusters after the changes, by id.
  public func applied(to old: some Sequence<MapCluster>) -> [ClusterID: MapCluster] {
    var clusters: [ClusterID: MapCluster] = [:]
    for cluster in old { clusters[cluster.id] = cluster }
    for cluster in removed { clusters[cluster.id] = nil }
    for cluster in added + updated { clusters[cluster.id] = cluster }
    return clusters
  }
}

/// A cluster that fell apart.
public struct ClusterSplit: Hashable, Sendable {
  /// The cluster that is gone.
  public let parent: ClusterID
  /// The added clusters inside its cell.
  ///
  /// One alone may be the same annotations under the name of the next zoom.
  public let clusters: [ClusterID]
  /// The added pins that were in it.
  public let annotations: [AnnotationID]

  /// A split, as for previews and tests of a display.
  public init(parent: ClusterID, clusters: [ClusterID], annotations: [AnnotationID]) {
    self.parent = parent
    self.clusters = clusters
    self.annotations = annotations
  }
}

/// A cluster that took others in.
public struct ClusterMerge: Hashable, Sendable {
  /// The cluster that is new.
  public let cluster: ClusterID
  /// The removed clusters inside its cell.
  public let clusters: [ClusterID]
  /// The removed pins that are in it now.
  public let annotations: [AnnotationID]

  /// A merge, as for previews and tests of a display.
  public init(cluster: ClusterID, clusters: [ClusterID], annotations: [AnnotationID]) {
    self.cluster = cluster
    self.clusters = clusters
    self.annotations = annotations
  }
}

/// Something of a view that came or went: a cluster, or a pin, by the cell it is in.
struct ViewPart {
  let level: Int
  let cell: UInt64

  /// The cell of the part at a coarser level.
  func cell(atLevel coarse: Int) -> UInt64 { cell >> UInt64(2 * (level - coarse)) }

  init(level: Int, cell: UInt64) {
    self.level = level
    self.cell = cell
  }

  init(_ cluster: MapCluster, rule: ClusterRule) {
    level = rule.level(ofZoom: cluster.id.zoom)
    cell = cluster.id.cell
  }
}

extension ClusterDiff {
  /// Compares two lists of clusters.
  init(from old: [MapCluster], to new: [MapCluster]) {
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    var seen: Set<ClusterID> = []
    for cluster in new {
      seen.insert(cluster.id)
      guard let last = before[cluster.id] else {
        added.append(cluster)
        continue
      }
      if last == cluster { kept.append(cluster) } else { updated.append(cluster) }
    }
    removed = old.filter { !seen.contains($0.id) }
  }

  /// Finds what became of what.
  ///
  /// - Parameters:
  ///   - addedPins: Pins that are shown now and were hidden in a cluster before, with their cells.
  ///   - removedPins: Pins that were shown and are in a cluster now.
  mutating func trace(
    rule: ClusterRule, addedPins: [(id: AnnotationID, part: ViewPart)],
    removedPins: [(id: AnnotationID, part: ViewPart)]
  ) {
    guard let older = removed.first?.id.zoom ?? added.first?.id.zoom,
      let newer = added.first?.id.zoom ?? removed.first?.id.zoom
    else { return }
    let isInward = newer >= older
    let level = rule.level(ofZoom: min(older, newer))
    let (wholes, parts) = isInward ? (removed, added) : (added, removed)
    let pins = isInward ? addedPins : removedPins
    var clustersIn: [UInt64: [ClusterID]] = [:]
    var pinsIn: [UInt64: [AnnotationID]] = [:]
    for part in parts {
      clustersIn[ViewPart(part, rule: rule).cell(atLevel: level), default: []].append(part.id)
    }
    for pin in pins { pinsIn[pin.part.cell(atLevel: level), default: []].append(pin.id) }

    var related: Set<ClusterID> = []
    for whole in wholes {
      let clusters = clustersIn[whole.id.cell] ?? [], pins = pinsIn[whole.id.cell] ?? []
      guard !clusters.isEmpty || !pins.isEmpty else { continue }
      related.insert(whole.id)
      related.formUnion(clusters)
      if isInward {
        splits.append(ClusterSplit(parent: whole.id, clusters: clusters, annotations: pins))
      } else {
        merges.append(ClusterMerge(cluster: whole.id, clusters: clusters, annotations: pins))
      }
    }
    // At one zoom, pins can become a cluster too; further in and out, only from a filter's change.
    if isInward, !removedPins.isEmpty {
      var gone: [UInt64: [AnnotationID]] = [:]
      let level = rule.level(ofZoom: newer)
      for pin in removedPins { gone[pin.part.cell(atLevel: level), default: []].append(pin.id) }
      for cluster in added where !related.contains(cluster.id) {
        guard let pins = gone[cluster.id.cell] else { continue }
        related.insert(cluster.id)
        merges.append(ClusterMerge(cluster: cluster.id, clusters: [], annotations: pins))
      }
    }
    births = added.map(\.id).filter { !related.contains($0) }
    deaths = removed.map(\.id).filter { !related.contains($0) }
  }
}
