import MapProjections

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
