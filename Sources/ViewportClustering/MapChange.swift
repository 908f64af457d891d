import Geodesy
import MapAnnotations

/// A change of a map's contents: pins and clusters to add, remove, redraw and leave alone, and
/// which clusters came from which.
///
/// Removing what is `removed`, redrawing what is `updated` and adding what is `added` turns the
/// map's contents into the result of a new query. Nothing that stays is removed and added again.
public struct MapChange<Item: Annotation>: Sendable {
  /// The number of the change in its session, from 1: draw changes from several tasks in the order
  /// of their numbers, without omissions.
  ///
  /// A refused change has the number of the previous change.
  public let number: Int
  /// Whether nothing was done, because the call came from inside one of the session's own closures.
  public let isRefused: Bool
  /// The single annotations, by id.
  public let pins: AnnotationDiff<Item>
  /// The clusters, by id.
  public let clusters: ClusterDiff
  /// The `look` of every shown pin whose look is not 0.
  public let looks: [AnnotationID: Int]
  /// The current box; the pins and clusters are all annotations in it, with lines and areas by
  /// their shape.
  public let box: BoundingBox
  /// The current zoom.
  public let zoom: Int
  /// The first instant at which the contents may change with time alone; nil if they never do.
  public let validUntil: Instant?

  /// Makes a change by hand, for previews and tests of a display.
  ///
  /// - Parameters:
  ///   - number: The number of the change in its session, from 1.
  ///   - isRefused: Whether nothing was done.
  ///   - pins: The single annotations.
  ///   - clusters: The clusters.
  ///   - looks: The look of each shown pin whose look is not 0.
  ///   - box: The current box.
  ///   - zoom: The current zoom.
  ///   - validUntil: nil if time changes nothing.
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

  /// Whether there is nothing to do.
  public var isEmpty: Bool { pins.isEmpty && clusters.isEmpty }
}

extension MapChange: Equatable where Item: Equatable {}

/// The difference between the clusters of two views.
///
/// Clusters of different zooms have different ids, so zooming adds and removes all of them;
/// `splits` and `merges` then say what became of what, for animations. Each added cluster is a
/// birth, or part of one split, or the result of one merge; each removed one is a death, the source
/// of one split, or part of one merge.
public struct ClusterDiff: Hashable, Sendable {
  /// Clusters with a new id.
  public var added: [MapCluster] = []
  /// Clusters whose id is gone.
  public var removed: [MapCluster] = []
  /// The new versions of clusters whose count or position changed.
  public var updated: [MapCluster] = []
  /// Unchanged clusters.
  public var kept: [MapCluster] = []

  /// Added clusters whose annotations were not shown before.
  public var births: [ClusterID] = []
  /// Removed clusters whose annotations are no longer shown.
  public var deaths: [ClusterID] = []
  /// Removed clusters that fell apart: on zooming in, when a filter left too few, or outside the
  /// window if one of their shapes still reaches in.
  public var splits: [ClusterSplit] = []
  /// Added clusters that absorbed others.
  public var merges: [ClusterMerge] = []

  /// Makes an empty difference.
  public init() {}

  /// Whether there is nothing to do.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && updated.isEmpty }

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

  /// Traces what became of each cluster.
  ///
  /// - Parameters:
  ///   - addedPins: Pins that are shown now and were in a cluster before, with their cells.
  ///   - removedPins: Pins that were shown and are in a cluster now.
  mutating func trace(
    rule: ClusterRule, addedPins: [PinCode], removedPins: [PinCode]
  ) {
    guard let older = removed.first?.id.zoom ?? added.first?.id.zoom,
      let newer = added.first?.id.zoom ?? removed.first?.id.zoom
    else { return }
    let isInward = newer >= older
    let level = rule.level(ofZoom: min(older, newer))
    let (wholes, parts) = isInward ? (removed, added) : (added, removed)
    let (pins, otherPins) = isInward ? (addedPins, removedPins) : (removedPins, addedPins)
    func byCell(_ pins: [PinCode], atLevel level: Int) -> [UInt64: [AnnotationID]] {
      Dictionary(grouping: pins) { $0.code >> UInt64(64 - 2 * level) }.mapValues { $0.map(\.id) }
    }
    var related: Set<ClusterID> = []
    func relate(
      _ whole: ClusterID, _ clusters: [ClusterID], _ pins: [AnnotationID], isSplit: Bool
    ) {
      related.insert(whole)
      related.formUnion(clusters)
      if isSplit {
        splits.append(ClusterSplit(parent: whole, clusters: clusters, annotations: pins))
      } else {
        merges.append(ClusterMerge(cluster: whole, clusters: clusters, annotations: pins))
      }
    }
    let clustersIn = Dictionary(grouping: parts.map(\.id)) {
      $0.cell >> UInt64(2 * (rule.level(ofZoom: $0.zoom) - level))
    }
    let pinsIn = byCell(pins, atLevel: level)
    for whole in wholes.map(\.id) {
      let clusters = clustersIn[whole.cell] ?? [], pins = pinsIn[whole.cell] ?? []
      guard !clusters.isEmpty || !pins.isEmpty else { continue }
      relate(whole, clusters, pins, isSplit: isInward)
    }
    // At one zoom pins can form a cluster too. At another zoom, a cluster of the deeper one is made
    // of pins or becomes pins only after a change of the filter, or if a shape of it reaches in.
    let othersIn = byCell(otherPins, atLevel: rule.level(ofZoom: max(older, newer)))
    for part in parts.map(\.id) where !related.contains(part) {
      guard let pins = othersIn[part.cell] else { continue }
      relate(part, [], pins, isSplit: !isInward)
    }
    births = added.map(\.id).filter { !related.contains($0) }
    deaths = removed.map(\.id).filter { !related.contains($0) }
  }
}

/// A cluster that fell apart.
public struct ClusterSplit: Hashable, Sendable {
  /// The removed cluster.
  public let parent: ClusterID
  /// The added clusters inside its cell.
  ///
  /// A single one may be the same annotations under the id of the next zoom.
  public let clusters: [ClusterID]
  /// The added pins that were in it.
  public let annotations: [AnnotationID]

  /// Makes a split, for previews and tests of a display.
  public init(parent: ClusterID, clusters: [ClusterID], annotations: [AnnotationID]) {
    self.parent = parent
    self.clusters = clusters
    self.annotations = annotations
  }
}

/// A cluster that absorbed others.
public struct ClusterMerge: Hashable, Sendable {
  /// The added cluster.
  public let cluster: ClusterID
  /// The removed clusters inside its cell.
  public let clusters: [ClusterID]
  /// The removed pins that are in it now.
  public let annotations: [AnnotationID]

  /// Makes a merge, for previews and tests of a display.
  public init(cluster: ClusterID, clusters: [ClusterID], annotations: [AnnotationID]) {
    self.cluster = cluster
    self.clusters = clusters
    self.annotations = annotations
  }
}

/// An added or removed pin, with its cell in the finest grid.
typealias PinCode = (id: AnnotationID, code: UInt64)
