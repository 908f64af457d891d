import Geodesy

extension FenceIndex {
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
      return outlineBounds(outline, circle, gap, from: view, isCoarse: isCoarse)
    }
    if gap.lower > 0 || gap.upper <= 0 { return gap }
    let exact = circle.center.distance(to: view.position).meters - circle.radius
    return exact <= 0
      ? FenceGap(lower: min(gap.lower, exact), upper: 0)
      : FenceGap(lower: exact, upper: max(gap.upper, exact))
  }

  private func outlineBounds(
    _ outline: FenceOutline, _ circle: BorderCircle, _ gap: FenceGap, from view: FenceViewpoint,
    isCoarse: Bool
  ) -> FenceGap {
    // Outside the circle is outside the fence; and far from it, these bounds are tight enough.
    let isOutside = gap.lower > FenceIndex.rounding && !isGiant(circle, outline)
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

  /// Whether the outside of a circle around a border is inside the polygon.
  private func isGiant(_ circle: BorderCircle, _ outline: FenceOutline) -> Bool {
    circle.radius > Fence.longestRadius.meters / 8
      && outline.area.contains(circle.farSide)
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
