import Geodesy

extension FenceIndex {
  /// The numbers of the fences that hold a position, ascending; borders belong to them.
  ///
  /// - Complexity: O(log *n* + *r*) expected for *r* fences whose circles hold the position; for
  ///   polygons, besides, O(*v*) in the vertices of each of these.
  public func fences(containing position: Coordinate) -> [Int] {
    var numbers: [Int] = []
    forEachCandidate(within: 0, of: position) { number in
      if fences[Int(number)].contains(position) { numbers.append(Int(number)) }
    }
    return numbers.sorted()
  }

  /// The fences whose borders come within a distance of a position, from inside or outside, nearest
  /// border first, ties by number.
  public func fences(
    borderWithin distance: Distance, of position: Coordinate
  ) -> [(number: Int, distance: Distance)] {
    var found: [(number: Int, distance: Distance)] = []
    forEachCandidate(within: max(0, distance.meters), of: position) { number in
      let toBorder = Distance.meters(abs(gap(Int(number), to: position).meters))
      if toBorder <= distance { found.append((Int(number), toBorder)) }
    }
    return found.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }
  }

  /// How far a position is outside a fence; negative inside, by how deep.
  ///
  /// To the border of a circle it is distance less radius; to that of polygons the distance to the
  /// nearest place of any ring, right to a millimeter within 1,000 km.
  public func gap(_ number: Int, to position: Coordinate) -> Distance {
    let circle = circles[number]
    guard let outline = outline(circle) else {
      return .meters(circle.center.distance(to: position).meters - circle.radius)
    }
    let toBorder = outline.distance(to: position)
    return .meters(outline.area.contains(position) ? -toBorder : toBorder)
  }
}

/// A place from which many fences are looked at.
struct FenceViewpoint {
  let position: Coordinate
  let origin: LineOrigin

  init(_ position: Coordinate) {
    self.position = position
    origin = LineOrigin(position)
  }
}

/// How far outside a fence a place lies, in meters and negative inside, as far as that is known.
struct FenceGap {
  let lower, upper: Double
}

extension FenceIndex {
  /// Distances closer to a limit than this are decided by the geodesic itself, in meters.
  ///
  /// Twice what a distance by the series and one by the geodesic may differ by.
  private static let doubt = 2 * LineOrigin.tie

  /// Bounds of how far outside a fence a place lies; their signs are right.
  @inline(__always)
  func gapBounds(_ number: Int32, from view: FenceViewpoint) -> FenceGap {
    let circle = circles[Int(number)]
    let gap = view.origin.distance(to: circle.center) - circle.radius
    if let outline = outline(circle) { return outlineBounds(outline, circle, gap, from: view) }
    guard abs(gap) <= FenceIndex.doubt else {
      return FenceGap(lower: gap - FenceIndex.doubt, upper: gap + FenceIndex.doubt)
    }
    let exact = circle.center.distance(to: view.position).meters - circle.radius
    return exact <= 0
      ? FenceGap(lower: -2 * FenceIndex.doubt, upper: 0)
      : FenceGap(lower: exact, upper: 2 * FenceIndex.doubt)
  }

  private func outlineBounds(
    _ outline: FenceOutline, _ circle: BorderCircle, _ gap: Double, from view: FenceViewpoint
  ) -> FenceGap {
    // Outside the circle is outside; and far from it, it is near enough.
    let isOutside = gap > FenceIndex.rounding && !isGiant(circle, outline)
    if isOutside, gap > circle.radius / 2 {
      return FenceGap(
        lower: gap - FenceIndex.rounding,
        upper: gap + 2 * circle.radius + FenceIndex.rounding)
    }
    let toBorder = outline.distanceBounds(to: view.position)
    if !isOutside, outline.area.contains(view.position) {
      return FenceGap(lower: -toBorder.upper, upper: -toBorder.lower)
    }
    return FenceGap(lower: toBorder.lower.nextUp, upper: toBorder.upper)
  }

  /// Whether the outside of a circle around a border is inside the polygon.
  private func isGiant(_ circle: BorderCircle, _ outline: FenceOutline) -> Bool {
    circle.radius > Fence.longestRadius.meters / 8
      && outline.area.contains(
        Coordinate(
          unchecked: -circle.center.latitude,
          Coordinate.wrappedLongitude(circle.center.longitude + 180)))
  }

  /// Whether a place is more than so far outside a fence; exact as `gap(_:to:)` is.
  @inline(__always)
  func isOutside(
    _ number: Int32, _ gap: FenceGap, by meters: Double, from view: FenceViewpoint
  ) -> Bool {
    if gap.lower > meters { return true }
    if gap.upper <= meters { return false }
    if meters == 0 { return gap.lower > 0 }
    return self.gap(Int(number), to: view.position).meters > meters
  }
}
