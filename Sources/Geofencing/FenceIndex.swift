import Geodesy
import SpatialIndexing

/// Fences, found by where their borders are: a value built once and shared by everything that moves.
///
///     let index = FenceIndex(fences)
///     index.fences(containing: here)               // numbers, in the order the fences were given
///     index.fences(borderWithin: .kilometers(1), of: here)
///
/// Every fence has a circle around its border. Circles of about one size, within a factor of two,
/// share a `KDTreeIndex` of their centers, so that a question about borders near a place is one
/// question for each size that occurs. The few fences without such a circle (polygons of more than
/// 5,000 km across, or round the far side of the Earth) are always looked at.
///
/// - Complexity: O(*n* log *n*) to build, some 1 µs a circle; 100 bytes a circle, 120 more for each
///   edge of a polygon.
public struct FenceIndex: Sendable {
  /// The fences, in the order they were given: a fence's number is its place here.
  public let fences: [Fence]

  /// Circles around the borders, for the fences in their order.
  let circles: [BorderCircle]
  /// The borders of polygons; a circle has none.
  private let outlines: [FenceOutline]
  private let sizes: [SizeClass]
  /// Fences that no circle of a size class holds.
  private let giants: [Int32]

  /// A circle around a border; of a circular fence, the border itself.
  struct BorderCircle: Sendable {
    let center: Coordinate
    /// In meters.
    let radius: Double
    /// The number of the outline; −1 for a circular fence.
    let outline: Int32
  }

  /// Circles whose radii are alike.
  private struct SizeClass: Sendable {
    let tree: KDTreeIndex
    /// The fences' numbers by their places in the tree.
    let numbers: [Int32]
    /// The longest radius of them, in meters.
    let radius: Double
  }

  /// Circles smaller than this count as one size, in meters.
  private static let smallestSize = 32.0

  /// Builds an index.
  ///
  /// - Precondition: there are fewer than 2³¹ fences.
  public init(_ fences: [Fence]) {
    precondition(fences.count < Int(Int32.max), "\(fences.count) fences are too many")
    var circles: [BorderCircle] = []
    circles.reserveCapacity(fences.count)
    var outlines: [FenceOutline] = []
    var members: [Int: [Int32]] = [:]
    var giants: [Int32] = []
    for (number, fence) in fences.enumerated() {
      let number = Int32(number)
      var isGiant = false
      switch fence.shape {
      case .circle(let center, let radius):
        circles.append(BorderCircle(center: center, radius: radius.meters, outline: -1))
      case .polygons(let area):
        let outline = FenceOutline(area)
        let (center, reach) = outline.circle()
        circles.append(BorderCircle(center: center, radius: reach, outline: Int32(outlines.count)))
        outlines.append(outline)
        // A border within a circle has inside it either what is outside the circle, all of it, or
        // nothing of that; the far side tells.
        let farSide = Coordinate(
          unchecked: -center.latitude, Coordinate.wrappedLongitude(center.longitude + 180))
        isGiant = reach > Fence.longestRadius.meters || area.contains(farSide)
      }
      if isGiant {
        giants.append(number)
      } else {
        let radius = circles[circles.count - 1].radius
        members[Int(max(radius, FenceIndex.smallestSize).exponent), default: []].append(number)
      }
    }
    self.fences = fences
    self.circles = circles
    self.outlines = outlines
    self.giants = giants
    sizes = members.sorted { $0.key < $1.key }.map { _, numbers in
      SizeClass(
        tree: KDTreeIndex(numbers.map { circles[Int($0)].center }), numbers: numbers,
        radius: numbers.reduce(0) { max($0, circles[Int($1)].radius) })
    }
  }

  /// The border of a polygonal fence; nil for a circle.
  @inline(__always)
  func outline(_ circle: BorderCircle) -> FenceOutline? {
    circle.outline < 0 ? nil : outlines[Int(circle.outline)]
  }

  /// What distances on the ground may be wrong by, in meters, many times over.
  static let rounding = 1e-6

  /// Calls `body` with the numbers of all fences whose circles hold a place or come within a distance
  /// of it, each once, and some more.
  ///
  /// That is a superset of those that contain the place or whose borders come so near.
  func forEachCandidate(
    within meters: Double, of place: Coordinate, _ body: (Int32) -> Void
  ) {
    for number in giants { body(number) }
    for size in sizes {
      let reach = Distance.meters(meters + size.radius + FenceIndex.rounding)
      for neighbor in size.tree.neighbors(within: reach, of: place) {
        let number = size.numbers[neighbor.position]
        let radius = circles[Int(number)].radius
        if neighbor.distance.meters <= meters + radius + FenceIndex.rounding { body(number) }
      }
    }
  }
}
