import Geodesy
import MapAnnotations
import SpatialIndexing

extension Annotation {
  /// The distance on WGS 84 from an origin to the annotation; nil if it has no coordinate.
  ///
  /// It is measured to the nearest point of a shape, 0 inside; to the coordinate of a point.
  ///
  /// - Complexity: one geodesic, or O(*v*) in the vertices of a shape.
  public func distance(from origin: Coordinate) -> Distance? {
    if let searchedShape { return searchedShape.nearest(to: origin)?.distance }
    return coordinate.map { origin.distance(to: $0) }
  }

  /// The point of the annotation that is nearest to an origin: its coordinate if it is a point.
  public func nearestPoint(to origin: Coordinate) -> Coordinate? {
    if let searchedShape { return searchedShape.nearest(to: origin)?.point }
    return coordinate
  }
}

/// The lines and areas among the annotations of an index, by place.
@usableFromInline
final class AnnotationShapes: Sendable {
  let index: ShapeIndex
  /// By shape, its place in the annotation index, in tie order.
  private let places: [UInt32]
  /// The same in a file, ascending.
  private let stored: StoredShapeTables?
  /// The places, where they are not in a file.
  private let shaped: Set<UInt32>
  /// The number of places, to check those read from a file.
  private let placeCount: Int

  /// - Parameter shapes: With their places, in any order.
  @usableFromInline
  convenience init(_ shapes: [(place: Int, shape: GroundShape)]) {
    self.init(inOrder: shapes.sorted { $0.place < $1.place })
  }

  /// - Parameter shapes: With their places, in tie order.
  init(inOrder shapes: [(place: Int, shape: GroundShape)]) {
    index = ShapeIndex(shapes.map(\.shape))
    places = shapes.map { UInt32($0.place) }
    shaped = Set(places)
    stored = nil
    placeCount = Int(UInt32.max)
  }

  /// Shapes whose tables are stored in a file.
  ///
  /// - Parameters:
  ///   - placeCount: The number of placed annotations.
  ///   - shape: Returns the shape of the annotation at a place.
  init(
    _ stored: StoredShapeTables, placeCount: Int,
    shape: @escaping @Sendable (_ place: Int) -> GroundShape?
  ) {
    self.stored = stored
    self.placeCount = placeCount
    (places, shaped) = ([], [])
    index = ShapeIndex(stored) { number in
      let place = stored.label(number)
      return place < placeCount ? shape(place) ?? GroundShape() : GroundShape()
    }
  }

  /// The tables and places as bytes to store in a file.
  var bytes: [UInt8] {
    StoredShapeTables.bytes(
      of: index, labels: stored == nil ? places : (0..<index.count).map { UInt32(place(of: $0)) })
  }

  /// The place of a shape.
  private func place(of shape: Int) -> Int {
    guard let stored else { return Int(places[shape]) }
    // A forged file may name a place that does not exist.
    let place = stored.label(shape)
    return place < placeCount ? place : 0
  }

  /// Whether the annotation at a place has a shape.
  func has(_ place: Int) -> Bool {
    guard stored != nil else { return shaped.contains(UInt32(place)) }
    let low = (0..<index.count).partitioningCount { self.place(of: $0) < place }
    return low < index.count && self.place(of: low) == place
  }

  /// The places of the shapes that intersect an area.
  func places(in area: QueryArea) -> [Int] {
    let numbers =
      switch area {
      case .everywhere: Array(0..<index.count)
      case .box(let box): index.meeting(box)
      case .polygons(let polygons): index.meeting(polygons)
      }
    return numbers.map(place(of:))
  }

  /// The nearest among shapes and points together.
  ///
  /// - Parameters:
  ///   - isIncluded: Whether to include the annotation at a place.
  ///   - precedes: The order of neighbors: by distance, then in tie order.
  ///   - distance: The distance of the annotation at a place, as `Annotation.distance(from:)` gives it.
  ///   - points: Finds that many of the nearest annotations that are points.
  func nearest(
    _ limit: Int, _ origin: Coordinate, _ distances: DistanceRange, _ isIncluded: (Int) -> Bool,
    by precedes: (Neighbor, Neighbor) -> Bool = { $0 < $1 },
    distance: (_ place: Int) -> Distance?,
    points: (_ limit: Int) -> NearestAnswer
  ) -> NearestAnswer {
    guard limit > 0, !distances.isEmpty else { return .nothing }
    let wanted = limit < .max ? limit + 1 : limit
    var found: [Neighbor] = []
    var lastInside: Distance?
    var next: Distance?
    let others = points(wanted)
    // Where there are enough points, no shape beyond the last of them is of interest.
    let last = others.neighbors.count < wanted ? nil : others.neighbors.last?.distance.meters
    let end = last.map { .meters($0 + LineOrigin.tie) } ?? Distance.infinity
    index.forEachNearest(to: origin, within: end) { neighbor in
      let place = place(of: neighbor.shape)
      guard isIncluded(place) else { return true }
      if let inner = distances.beyond, neighbor.distance <= inner {
        lastInside = neighbor.distance
        return true
      }
      guard neighbor.distance <= distances.within else {
        next = neighbor.distance
        return false
      }
      found.append(Neighbor(offset: place, distance: neighbor.distance))
      return found.count < wanted
    }
    let measured = AnnotationShapes.measured(others.neighbors, tiedWith: found, distance)
    let all = (found + measured).sorted(by: precedes)
    let neighbors = Array(all.prefix(limit))
    let isFull = all.count > limit
    if let inside = others.lastInside { lastInside = max(lastInside ?? inside, inside) }
    var radius = distances.validRadius(
      of: neighbors, isFull: isFull, next: isFull ? all[limit].distance : next,
      lastInside: lastInside)
    // Points outside the limit may come in; if the answer is full, the next one decides that.
    if !isFull, let least = others.validRadius { radius = min(radius ?? least, least) }
    return NearestAnswer(
      neighbors: neighbors, validRadius: radius, statistics: others.statistics)
  }

  /// The points, with their geodesics where they may be as far away as a shape.
  ///
  /// A search for points measures geodesics only where points may tie with each other. Pages compare geodesics, so
  /// ties with shapes need them too.
  ///
  /// - Parameters:
  ///   - points: Nearest first.
  ///   - shapes: Nearest first.
  ///   - distance: The geodesic distance of the point at a place.
  static func measured(
    _ points: [Neighbor], tiedWith shapes: [Neighbor], _ distance: (_ place: Int) -> Distance?
  ) -> [Neighbor] {
    var points = points
    var shape = 0
    for index in points.indices {
      let point = points[index]
      let meters = point.distance.meters
      while shape < shapes.count, shapes[shape].distance.meters < meters - LineOrigin.tie {
        shape += 1
      }
      guard shape < shapes.count else { break }
      guard shapes[shape].distance.meters <= meters + LineOrigin.tie,
        let geodesic = distance(point.offset)
      else { continue }
      points[index] = Neighbor(offset: point.offset, distance: geodesic)
    }
    return points
  }
}
