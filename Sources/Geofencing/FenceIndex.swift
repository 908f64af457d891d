import Geodesy
import MapAnnotations
import SpatialIndexing

/// Fences indexed by their borders: built once and shared by all moving objects.
///
///     let index = FenceIndex(fences)
///     index.fences(containing: here)               // numbers, in the order the fences were given
///     index.fences(borderWithin: .kilometers(1), of: here)
///
/// Every fence has a circle around its border. Circles of similar size, within a factor of 64,
/// share a tree of balls in space. A query for borders near a position or a path descends one tree
/// for each such size. The few fences without such a circle (polygons more than 5,000 km across, or
/// round the far side of the Earth) are always examined.
///
/// - Complexity: O(*n* log *n*) to build, about 1 µs for each circle; 110 bytes for each circle, 40
///   more for each edge of a polygon.
public struct FenceIndex: Sendable {
  /// The fences in the order given: a fence's number is its index here.
  public let fences: [Fence]

  /// Circles around the borders.
  ///
  /// Fences near each other have neighboring circles: a fence's index here is its *slot*.
  let circles: [BorderCircle]
  /// The fences' ids, by slot.
  let ids: [AnnotationID]
  /// The fences' slots, by number.
  private let slots: [Int32]
  /// The borders of polygons; a circle has none.
  private let outlines: [FenceOutline]
  /// The circles of each size class in space, and the slot of the first.
  private let sizes: [(first: Int32, circles: BallTree)]
  /// The number of fences without a size class; they have the first slots.
  private let giantCount: Int32

  /// A circle around a border; for a circular fence, the border itself.
  struct BorderCircle: Sendable {
    let center: Coordinate
    /// In meters.
    let radius: Double
    /// The center as a point in space.
    let place: ECEFPosition
    /// The number of the outline; −1 for a circular fence.
    let outline: Int32
    /// The number of the fence.
    let number: Int32

    init(_ center: Coordinate, _ radius: Double, outline: Int32 = -1, number: Int32 = 0) {
      self.center = center
      self.radius = radius
      place = ECEFPosition(center)
      self.outline = outline
      self.number = number
    }

    /// The position opposite the center: everything outside a circle around the border is on its side of the border.
    var farSide: Coordinate {
      Coordinate(
        unchecked: -center.latitude, Coordinate.wrappedLongitude(center.longitude + 180))
    }
  }

  /// The number of a circle's size class; they begin at 32 m, and each reaches to 64 times its beginning.
  private static func sizeClass(ofRadius meters: Double) -> Int {
    Int(max(1, meters / 32).exponent) / 6
  }

  /// Builds an index.
  ///
  /// - Precondition: There are fewer than 2³¹ fences.
  public init(_ fences: [Fence]) {
    precondition(fences.count < Int(Int32.max), "\(fences.count) fences are too many")
    var circles: [BorderCircle] = []
    circles.reserveCapacity(fences.count)
    let borders = ShapeIndex(
      fences.compactMap { fence in
        if case .polygons(let area) = fence.shape { GroundShape(area: area) } else { nil }
      })
    let outlines = borders.groupsByShape.enumerated().map { number, groups in
      FenceOutline(borders, number, groups: groups)
    }
    var outlineCount: Int32 = 0
    var members: [Int: [BallTree.Ball]] = [:]
    var giants: [Int32] = []
    for (number, fence) in fences.enumerated() {
      let number = Int32(number)
      let circle: BorderCircle
      var isGiant = false
      switch fence.shape {
      case .circle(let center, let radius):
        circle = BorderCircle(center, radius.meters, number: number)
      case .polygons(let area):
        let (center, reach) = outlines[Int(outlineCount)].circle()
        circle = BorderCircle(center, reach, outline: outlineCount, number: number)
        outlineCount += 1
        isGiant = reach > Fence.longestRadius.meters || area.contains(circle.farSide)
      }
      circles.append(circle)
      if isGiant {
        giants.append(number)
      } else {
        // A chord is at most as long as the line on the ground, so this ball contains the circle.
        members[FenceIndex.sizeClass(ofRadius: circle.radius), default: []].append(
          BallTree.Ball(number: number, place: circle.place, radius: circle.radius))
      }
    }
    var order = giants
    sizes = members.sorted { $0.key < $1.key }.map { _, balls in
      let tree = BallTree(balls)
      defer { order += tree.order }
      return (Int32(order.count), tree)
    }
    var slots = [Int32](repeating: 0, count: fences.count)
    for (slot, number) in order.enumerated() { slots[Int(number)] = Int32(slot) }
    self.fences = fences
    self.circles = order.map { circles[Int($0)] }
    self.slots = slots
    self.outlines = outlines
    ids = order.map { fences[Int($0)].id }
    giantCount = Int32(giants.count)
  }

  /// The border of a polygonal fence; nil for a circle.
  @inline(__always)
  func outline(_ circle: BorderCircle) -> FenceOutline? {
    circle.outline < 0 ? nil : outlines[Int(circle.outline)]
  }

  /// Much more than the rounding error of distances on the ground, in meters.
  static let rounding = 1e-6

  /// The slots of all fences whose circles contain a position or are within a distance of it, and some others.
  ///
  /// They include all fences that contain the position or whose borders are within the distance.
  func candidates(within meters: Double, of place: Coordinate) -> [Int32] {
    var slots: [Int32] = []
    appendCandidates(within: meters, of: ECEFPosition(place), to: &slots)
    return slots
  }

  func appendCandidates(within meters: Double, of place: ECEFPosition, to slots: inout [Int32]) {
    appendCandidates(within: Capsule(from: place, to: place, reach: meters), to: &slots)
  }

  /// Appends the slots of all fences whose circles intersect a capsule, ascending, and some others.
  func appendCandidates(within capsule: Capsule, to slots: inout [Int32]) {
    if giantCount > 0 { slots.append(contentsOf: 0..<giantCount) }
    var capsule = capsule
    capsule.reach += FenceIndex.rounding
    for size in sizes {
      size.circles.appendBalls(touching: capsule, from: size.first, to: &slots)
    }
  }

  /// The numbers of the fences that contain a position, ascending; borders are included.
  ///
  /// - Complexity: O(log *n* + *r*) expected for *r* fences whose circles contain the position; for
  ///   polygons, also O(*v*) in the vertices of each of these.
  public func fences(containing position: Coordinate) -> [Int] {
    candidates(within: 0, of: position).map { Int(circles[Int($0)].number) }
      .filter { fences[$0].contains(position) }.sorted()
  }

  /// The fences whose borders are within a distance of a position, on either side, nearest border
  /// first, ties by number.
  public func fences(
    borderWithin distance: Distance, of position: Coordinate
  ) -> [(number: Int, distance: Distance)] {
    var found: [(number: Int, distance: Distance)] = []
    for slot in candidates(within: max(0, distance.meters), of: position) {
      let toBorder = Distance.meters(abs(gap(slot: slot, to: position).meters))
      if toBorder <= distance { found.append((Int(circles[Int(slot)].number), toBorder)) }
    }
    return found.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }
  }

  /// The distance of a position outside a fence; negative inside, where it is the depth.
  ///
  /// For a circle it is the distance minus the radius; for polygons the distance to the nearest
  /// point of any ring, accurate to a millimeter within 1,000 km.
  public func gap(_ number: Int, to position: Coordinate) -> Distance {
    gap(slot: slots[number], to: position)
  }

  func gap(slot: Int32, to position: Coordinate) -> Distance {
    let circle = circles[Int(slot)]
    guard let outline = outline(circle) else {
      return .meters(circle.center.distance(to: position).meters - circle.radius)
    }
    let toBorder = outline.distance(to: position)
    return .meters(outline.area.contains(position) ? -toBorder : toBorder)
  }
}

/// A position from which many fences are examined.
struct FenceViewpoint {
  let position: Coordinate
  /// The position in space.
  let place: ECEFPosition

  init(_ position: Coordinate) {
    self.position = position
    place = ECEFPosition(position)
  }

  /// Computed on each call, because most viewpoints need none.
  var origin: LineOrigin { LineOrigin(position) }

  /// The distance to another position in meters, with its point in space if known.
  func distance(to other: Coordinate, _ itsPlace: ECEFPosition?) -> Double {
    itsPlace.flatMap { place.groundDistance(to: $0) } ?? origin.distance(to: other)
  }
}

/// Bounds of the distance outside a fence, in meters and negative inside.
struct FenceGap {
  let lower, upper: Double
}

extension FenceIndex {
  /// Bounds of the distance of a position outside a fence; their signs are exact.
  ///
  /// They come from the chord to the center, which is uncertain by some nanometers at a kilometer;
  /// where the sign depends on those, from the geodesic itself.
  ///
  /// - Parameter isCoarse: Whether only the signs matter, which is cheaper for polygons.
  @inline(__always)
  func gapBounds(_ slot: Int32, from view: FenceViewpoint, isCoarse: Bool = false) -> FenceGap {
    let circle = circles[Int(slot)]
    let chord = circle.place.squaredChord(to: view.place).squareRoot()
    let bounds = ChordBracket.geodesics(chord: chord)
    let gap = FenceGap(
      lower: bounds.shortest - circle.radius, upper: bounds.longest - circle.radius)
    if let outline = outline(circle) {
      return outlineBounds(
        outline, circle, gap, isGiant: slot < giantCount, from: view, isCoarse: isCoarse)
    }
    if gap.lower > 0 || gap.upper <= 0 { return gap }
    let exact = circle.center.distance(to: view.position).meters - circle.radius
    return exact <= 0
      ? FenceGap(lower: min(gap.lower, exact), upper: 0)
      : FenceGap(lower: exact, upper: max(gap.upper, exact))
  }

  /// - Parameter isGiant: Whether the outside of the circle may be inside the fence.
  private func outlineBounds(
    _ outline: FenceOutline, _ circle: BorderCircle, _ gap: FenceGap, isGiant: Bool,
    from view: FenceViewpoint, isCoarse: Bool
  ) -> FenceGap {
    // Outside the circle is outside the fence; and far from it, these bounds are tight enough.
    let isOutside = gap.lower > FenceIndex.rounding && !isGiant
    if isOutside, isCoarse || gap.lower > circle.radius / 2 {
      return FenceGap(
        lower: gap.lower - FenceIndex.rounding,
        upper: gap.upper + 2 * circle.radius + FenceIndex.rounding)
    }
    if isCoarse {
      return outline.area.contains(view.position)
        ? FenceGap(lower: -.infinity, upper: 0)
        : FenceGap(lower: .leastNonzeroMagnitude, upper: .infinity)
    }
    let toBorder = outline.distanceBounds(to: view.place)
    if !isOutside, outline.area.contains(view.position) {
      return FenceGap(lower: -toBorder.upper, upper: -toBorder.lower)
    }
    return FenceGap(lower: toBorder.lower.nextUp, upper: toBorder.upper)
  }

  /// The distance outside a fence for events: in meters, negative inside, accurate to some
  /// nanometers for circles and a millimeter for polygons.
  ///
  /// - Parameter isInside: On which side the position lies.
  func shownGap(_ slot: Int32, from view: FenceViewpoint, isInside: Bool) -> Double {
    let circle = circles[Int(slot)]
    guard let outline = outline(circle) else {
      let toCenter =
        circle.place.groundDistance(to: view.place)
        ?? circle.center.distance(to: view.position).meters
      return toCenter - circle.radius
    }
    let toBorder = outline.shownDistance(to: view)
    return isInside ? -toBorder : toBorder
  }

  /// Whether a position is more than `meters` outside a fence; as exact as `gap(_:to:)`.
  @inline(__always)
  func isOutside(
    _ slot: Int32, _ gap: FenceGap, by meters: Double, from view: FenceViewpoint
  ) -> Bool {
    if gap.lower > meters { return true }
    if gap.upper <= meters { return false }
    if meters == 0 { return gap.lower > 0 }
    return self.gap(slot: slot, to: view.position).meters > meters
  }
}
