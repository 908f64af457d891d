import AnnotationImport
import GPXCoding
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Annotations on their way into a GPX file.
package enum GPXFile {
  /// Whether the ids of the placed ones are the numbers that they would get again, and need not be written.
  private static func areNumbered(_ annotations: some Collection<ImportedAnnotation>) -> Bool {
    var numbered = 0
    return annotations.lazy.filter { $0.coordinate != nil }.allSatisfy {
      numbered += 1
      return $0.id == AnnotationID(numbered) && KnownProperties($0.properties).id == nil
    }
  }

  /// Writes the placed ones as waypoints, a few at a time.
  ///
  /// - Returns: What a person should know: how many have no position, for which GPX has no place, and how many shapes
  ///   became points.
  package static func write(
    _ annotations: some Collection<ImportedAnnotation>, keeping fields: [String]?,
    to sink: OutputSink
  ) throws(ReportedError) -> [String] {
    let writesIDs = !areNumbered(annotations)
    var writer = GPXWriter()
    var unplaced = 0
    var reduced = ReducedShapes(format: "GPX", keepsAltitudes: true)
    writer.begin()
    for annotation in annotations {
      guard let coordinate = annotation.coordinate else {
        unplaced += 1
        continue
      }
      let (common, feature) = annotation.whole
      reduced.add(feature)
      var altitude: Double?
      if case .point(let position) = feature?.geometry { altitude = position.altitude }
      var kept = common
      let knownHours = KnownProperties(kept.properties).hours
      kept.properties = kept.properties.keeping(fields)
      kept.properties.say("opening_hours", kept.openingHours, insteadOf: knownHours)
      // A property with another known name may say the kind; it is read again.
      if KnownProperties(kept.properties).kind == kept.kind?.rawValue { kept.kind = nil }
      writer.write(kept, at: coordinate, elevation: altitude, writesID: writesIDs)
      if writer.bytes.count > OutputSink.chunk { try sink.write(writer.takeBytes()) }
    }
    writer.end()
    try sink.write(writer.takeBytes())
    var remarks: [String] = []
    if unplaced > 0 {
      remarks.append(
        "warning: gpx-unplaced: \(grouped(unplaced, "annotation")) without a position \(unplaced == 1 ? "is" : "are") left out, "
          + "because GPX has no place for them; use geojson or csv to keep them")
    }
    return remarks + reduced.remarks
  }
}
