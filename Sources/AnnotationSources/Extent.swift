import AnnotationImport
import GeoJSONCoding
import Geodesy

extension Collection<ImportedAnnotation> {
  /// The box around all shapes, for the `bbox` of a collection that holds them whole; nil when
  /// nothing is placed.
  ///
  /// Around points it is the smallest, which may cross the antimeridian. A line or a polygon may
  /// run either way round between its positions, so that with one of them the box runs from the
  /// least longitude to the greatest.
  package var extent: BoundingBox? {
    var corners = Corners()
    var holdsOnlyPoints = true
    for annotation in self {
      // Rows of a table have no feature, so that only GeoJSON is read for this.
      guard let geometry = annotation.feature?.geometry, annotation.coordinate != nil else {
        if let coordinate = annotation.coordinate { corners.add(Position(coordinate)) }
        continue
      }
      if case .point = geometry {} else { holdsOnlyPoints = false }
      geometry.wrapped.forEachPosition { corners.add($0) }
    }
    return holdsOnlyPoints ? BoundingBox(around: lazy.compactMap(\.coordinate)) : corners.box
  }
}

/// The least and the greatest latitude and longitude of positions, as they are written.
private struct Corners {
  private var south = Double.infinity
  private var west = Double.infinity
  private var north = -Double.infinity
  private var east = -Double.infinity

  mutating func add(_ position: Position) {
    south = min(south, position.latitude)
    west = min(west, position.longitude)
    north = max(north, position.latitude)
    east = max(east, position.longitude)
  }

  /// nil without positions.
  var box: BoundingBox? { try? BoundingBox(south: south, west: west, north: north, east: east) }
}

extension Geometry {
  fileprivate func forEachPosition(_ body: (Position) -> Void) {
    switch self {
    case .point(let position): body(position)
    case .multiPoint(let positions), .lineString(let positions): positions.forEach(body)
    case .multiLineString(let parts), .polygon(let parts): parts.joined().forEach(body)
    case .multiPolygon(let polygons): polygons.joined().joined().forEach(body)
    case .geometryCollection(let members): members.forEach { $0.forEachPosition(body) }
    }
  }
}
