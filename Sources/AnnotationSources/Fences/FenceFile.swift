import AnnotationImport
import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations

/// The fences of a source: its polygons, and its points with a radius.
package struct FenceFile {
  package let file: FileName
  /// The radius of points that do not say theirs.
  package let radius: Distance?
  /// The column of radii; nil to find it by its name.
  package let radiusField: String?

  package init(_ file: FileName, radius: Distance?, radiusField: String?) {
    self.file = file
    self.radius = radius
    self.radiusField = radiusField
  }

  private static let radiusNames = ["radius", "radius_m", "반경", "半径"]

  /// The fences among some annotations, which were read from the file.
  package func fences(of annotations: ImportedAnnotations) throws(ReportedError) -> [Fence] {
    var fences: [Fence] = []
    fences.reserveCapacity(annotations.count)
    for annotation in annotations {
      if let fence = try fence(annotation) { fences.append(fence) }
    }
    guard !fences.isEmpty else {
      throw ReportedError(
        "fence-empty", "\(file.text) holds no fence; give polygons, or points with a radius",
        fault: .badData)
    }
    return fences
  }

  /// The fence of a record; nil for one without a place.
  private func fence(_ annotation: ImportedAnnotation) throws(ReportedError) -> Fence? {
    if let parts = annotation.feature?.geometry?.wrapped.polygons {
      let place = "\(file.text): fence \(annotation.id.text)"
      var polygons: [Polygon] = []
      for rings in parts {
        if let polygon = try AreaFile.polygon(rings, of: place) { polygons.append(polygon) }
      }
      if polygons.isEmpty { return nil }
      return try checked(annotation) { () throws(FenceError) in
        try Fence(id: annotation.id, name: annotation.name, area: MultiPolygon(polygons))
      }
    }
    guard let center = annotation.coordinate else { return nil }
    try expectPoint(annotation)
    let radius = try radius(of: annotation)
    return try checked(annotation) { () throws(FenceError) in
      try Fence(id: annotation.id, name: annotation.name, center: center, radius: radius)
    }
  }

  /// Refuses what elsewhere stands for one place: a circle around the middle of a line, or around the
  /// first of several points, is not what somebody drew.
  private func expectPoint(_ annotation: ImportedAnnotation) throws(ReportedError) {
    guard let geometry = annotation.feature?.geometry, !geometry.isPoint else { return }
    throw refusal(
      "fence-shape", annotation,
      " is a \(geometry.type); give polygons, or single points with a radius")
  }

  private func checked(
    _ annotation: ImportedAnnotation, _ make: () throws(FenceError) -> Fence
  ) throws(ReportedError) -> Fence {
    do throws(FenceError) { return try make() } catch {
      throw refusal(error.code, annotation, ": \(error)")
    }
  }

  private func refusal(
    _ code: String, _ annotation: ImportedAnnotation, _ why: String
  ) -> ReportedError {
    ReportedError(code, "\(file.text): fence \(annotation.id.text)\(why)", fault: .badData)
  }

  private func radius(of annotation: ImportedAnnotation) throws(ReportedError) -> Distance {
    let names = radiusField.map { [$0] } ?? FenceFile.radiusNames
    for name in names {
      guard let text = annotation.property(name)?.text, !trimmed(text).isEmpty else { continue }
      do throws(ReportedError) { return try Distance(text: trimmed(text), named: name) } catch {
        throw refusal("fence-radius", annotation, ": \(error)")
      }
    }
    if let radius { return radius }
    throw refusal(
      "fence-radius", annotation,
      " is a point without a radius; give `radius` 100m, or name the column with `radiusField`")
  }
}
