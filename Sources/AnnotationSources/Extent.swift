import AnnotationImport
import GeoJSONCoding
import Geodesy

extension Collection<ImportedAnnotation> {
  /// The smallest box around all shapes, for the `bbox` of a collection that holds them whole; nil when nothing is
  /// placed.
  ///
  /// It crosses the antimeridian where that is smaller (RFC 7946, 5.2). The edges of lines and polygons go the shorter way.
  package var extent: BoundingBox? {
    // Rows of a table have no feature, so that only GeoJSON is read for this.
    let hasShapes = contains { annotation in
      guard annotation.mayBeShape else { return false }
      return switch annotation.feature?.geometry {
      case nil, .point: false
      default: annotation.coordinate != nil
      }
    }
    guard hasShapes else { return BoundingBox(around: lazy.compactMap(\.coordinate)) }
    var boxes: [BoundingBox] = []
    for annotation in self {
      guard let coordinate = annotation.coordinate else { continue }
      let geometry = annotation.feature?.geometry ?? .point(Position(coordinate))
      geometry.forEachPath { path in
        if let box = BoundingBox(along: path) { boxes.append(box) }
      }
    }
    return BoundingBox(around: boxes)
  }
}

extension BoundingBox {
  /// The box around a line or a ring whose edges go the shorter way; nil without positions.
  fileprivate init?(along path: [Position]) {
    guard let first = path.first else { return nil }
    // Where it is once the turns around the Earth are counted, and as it is written.
    var west = (unrolled: first.longitude, written: first.longitude), east = west
    var (south, north) = (first.latitude, first.latitude)
    var turns = 0.0
    for (before, position) in zip(path, path.dropFirst()) {
      let step = position.longitude - before.longitude
      // A step of 180° is taken as written, and one of 360°, from −180 to 180, is all the way round.
      if abs(step) > 180, abs(step) != 360 {
        turns -= ((abs(step) - 180) / 360).rounded(.up) * (step < 0 ? -1 : 1)
      }
      let longitude = position.longitude + 360 * turns
      if longitude < west.unrolled { west = (longitude, position.longitude) }
      if longitude > east.unrolled { east = (longitude, position.longitude) }
      south = min(south, position.latitude)
      north = max(north, position.latitude)
    }
    let box = try? BoundingBox(
      plane: (south, west.written, north, east.written),
      isWhole: east.unrolled - west.unrolled >= 360)
    guard let box else { return nil }
    self = box
  }
}
