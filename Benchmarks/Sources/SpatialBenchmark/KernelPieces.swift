import CKernelPieces
import GeodesyInside
import SeededNumbers

/// The inner loops of the tree, whose memory fits the first cache: what they cost without waiting.
///
/// Other packages cannot reach them. The kernels come from the header in which they are written
/// (`CKernelPieces.h`), the series from `GeodesyInside`: the sources of `Geodesy` once more, as a
/// target of this package, so that what they declare `package` is seen here. Neither makes anything
/// public that an app could lean on.
final class KernelPieces {
  static let groupCount = 4
  static var leafCount: Int { 16 * groupCount }
  static var positionCount: Int { 16 * leafCount }

  let origin: (latitude: Double, longitude: Double) = (37.5665, 126.978)
  let latitudes: [Double]
  let longitudes: [Double]
  private let pieces: OpaquePointer

  init() {
    // Leaves some 600 m wide, within 5 km.
    var generator = SplitMix64(seed: 43)
    var latitudes: [Double] = [], longitudes: [Double] = []
    for _ in 0..<KernelPieces.leafCount {
      let south = origin.latitude + 0.08 * (generator.unit() - 0.5)
      let west = origin.longitude + 0.1 * (generator.unit() - 0.5)
      for _ in 0..<16 {
        // Whole 1e-7 degrees, so that both kinds of leaves hold the same positions.
        latitudes.append(((south + 0.005 * generator.unit()) * 1e7).rounded() / 1e7)
        longitudes.append(((west + 0.007 * generator.unit()) * 1e7).rounded() / 1e7)
      }
    }
    self.latitudes = latitudes
    self.longitudes = longitudes
    pieces = kernel_pieces_make(
      origin.latitude, origin.longitude, latitudes, longitudes, Int64(KernelPieces.groupCount))
  }

  deinit { kernel_pieces_free(pieces) }

  func testNodes(_ repetitions: Int) -> Double {
    kernel_pieces_test_nodes(pieces, Int64(repetitions))
  }

  func readLeaves(areDecimal: Bool, _ repetitions: Int) -> Double {
    kernel_pieces_read_leaves(pieces, areDecimal, Int64(repetitions))
  }

  /// Squared chords and distances from the origin to all positions; the sum of the latter.
  func measure(_ repetitions: Int) -> Double {
    let line = LineOrigin(latitude: origin.latitude, longitude: origin.longitude)
    let count = KernelPieces.positionCount
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * count) { memory in
      guard let chords = memory.baseAddress else { return 0 }
      var sum = 0.0
      for _ in 0..<repetitions {
        line.lines(
          latitudes: latitudes, longitudes: longitudes, count: count, squaredChords: chords,
          distances: chords + count)
        sum += memory[2 * count - 1]
      }
      return sum
    }
  }

  /// What a flat distance of at most 10 km may be wrong by, as a part of itself: floats, and the
  /// metric's own 10⁻⁸.
  private static let flatTolerance = 1e-5
  /// What a distance by the series may differ from the geodesic by, in meters.
  private static let seriesTolerance = 2e-8

  /// Compares what the pieces compute with geodesics.
  func check() {
    let count = KernelPieces.positionCount
    let geodesics = (0..<count).map {
      Geodesic.distance(
        latitude1: origin.latitude, longitude1: origin.longitude, latitude2: latitudes[$0],
        longitude2: longitudes[$0])
    }
    var distances = [Double](repeating: 0, count: count)
    for areDecimal in [true, false] {
      kernel_pieces_distances(pieces, areDecimal, &distances)
      for (found, meters) in zip(distances, geodesics) {
        precondition(
          abs(found - meters) <= KernelPieces.flatTolerance * meters,
          "a leaf says \(found) m where it is \(meters) m")
      }
    }
    var gaps = [Double](repeating: 0, count: KernelPieces.leafCount)
    kernel_pieces_gaps(pieces, &gaps)
    for (position, meters) in geodesics.enumerated() {
      precondition(
        gaps[position / 16] <= meters * (1 + KernelPieces.flatTolerance) + 1,
        "a node says \(gaps[position / 16]) m and holds a position at \(meters) m")
    }
    let line = LineOrigin(latitude: origin.latitude, longitude: origin.longitude)
    var chords = distances
    line.lines(
      latitudes: latitudes, longitudes: longitudes, count: count, squaredChords: &chords,
      distances: &distances)
    for (found, meters) in zip(distances, geodesics) {
      precondition(
        abs(found - meters) <= KernelPieces.seriesTolerance,
        "the series says \(found) m where it is \(meters) m")
    }
  }
}
