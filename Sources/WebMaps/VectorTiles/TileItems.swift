import Geodesy

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

  /// Sorts points by their keys with a stable radix sort.
  ///
  /// - Complexity: O(*n*) time and, temporarily, 24 bytes for each point.
  init(_ points: [(place: PlanePlace, reference: UInt32)]) {
    typealias Entry = (key: UInt64, point: UInt32)
    let count = points.count
    precondition(count < 1 << 31, "\(count) features; divide the annotations")
    var from: [Entry] = []
    from.reserveCapacity(count)
    for (number, point) in points.enumerated() {
      from.append((point.place.hilbertKey, UInt32(number)))
    }
    let digitBits: UInt64 = 11, digitCount = 6
    let size = 1 << Int(digitBits)
    /// The counter for a digit of a key.
    func slot(_ key: UInt64, _ pass: Int) -> Int {
      pass * size + Int(truncatingIfNeeded: key >> (UInt64(pass) * digitBits)) & (size - 1)
    }
    var starts = [Int](repeating: 0, count: digitCount * size)
    for entry in from {
      for pass in 0..<digitCount { starts[slot(entry.key, pass)] += 1 }
    }
    var to = from
    for pass in 0..<digitCount where count > 0 {
      // All keys have the same digit: nothing to do.
      if starts[slot(from[0].key, pass)] == count { continue }
      var start = 0
      for value in pass * size..<(pass + 1) * size {
        (starts[value], start) = (start, start + starts[value])
      }
      from.withUnsafeBufferPointer { from in
        to.withUnsafeMutableBufferPointer { to in
          starts.withUnsafeMutableBufferPointer { starts in
            for entry in from {
              let value = slot(entry.key, pass)
              to[starts[value]] = entry
              starts[value] += 1
            }
          }
        }
      }
      swap(&from, &to)
    }
    keys = from.map(\.key)
    places = from.map { points[Int($0.point)].place }
    references = from.map { points[Int($0.point)].reference }
  }
}
