import AnnotationImport
import GPXCoding
import Geodesy
import MapAnnotations

/// Annotations on their way into a GPX file.
enum GPXFile {
  /// Writes the placed ones as waypoints, a few at a time, and remarks on how many have no position, for which GPX
  /// has no place.
  static func write(
    _ annotations: some Sequence<ImportedAnnotation>, keeping fields: [String]?,
    to sink: OutputSink
  ) throws(CommandError) {
    var writer = GPXWriter()
    var unplaced = 0
    writer.begin()
    var record = 0
    for annotation in annotations {
      guard let coordinate = annotation.coordinate else {
        unplaced += 1
        continue
      }
      record += 1
      var kept = BasicAnnotation(copying: annotation)
      kept.properties = kept.properties.keeping(fields)
      // A record number that it would get again need not be written.
      writer.write(kept, at: coordinate, writesID: annotation.id != AnnotationID(record))
      if writer.bytes.count > OutputSink.chunk { try sink.write(writer.takeBytes()) }
    }
    writer.end()
    try sink.write(writer.takeBytes())
    if unplaced > 0 {
      Console.remark(
        "warning: gpx-unplaced: \(grouped(unplaced)) annotations without a position are left out, "
          + "because GPX has no place for them; use geojson or csv to keep them")
    }
  }
}
