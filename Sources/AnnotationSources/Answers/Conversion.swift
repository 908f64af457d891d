import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// What a source is converted to.
package enum ConversionFormat: String, CaseIterable, Sendable {
  case csv, geojson, geojsonseq, jsonl, gpx, gpkg
}

/// Annotations of a source on their way into another format, a few at a time.
package struct Conversion {
  private let annotations: ImportedAnnotations
  /// All that the source has: what one is written like does not depend on which others are.
  private let source: ImportedAnnotations
  private let fields: [String]?
  private let progress: ProgressReport
  private let remark: (String) -> Void

  /// - Parameters:
  ///   - annotations: What is written.
  ///   - source: What it was chosen from.
  ///   - fields: The source's own columns that are wanted; nil for all.
  ///   - remark: Takes what a person should know.
  package init(
    _ annotations: ImportedAnnotations, of source: ImportedAnnotations, keeping fields: [String]?,
    progress: ProgressReport, remark: @escaping (String) -> Void
  ) {
    self.annotations = annotations
    self.source = source
    self.fields = fields
    self.progress = progress
    self.remark = remark
  }

  /// Writes them in a format that is a stream of bytes: not as a GeoPackage (`GeoPackageOutput`).
  package func write(as format: ConversionFormat, to sink: OutputSink) throws(ReportedError) {
    if format != .geojson { ReducedShapes.remarks(of: annotations).forEach(remark) }
    switch format {
    case .csv: try writeCSV(to: sink)
    case .geojson: try writeGeoJSON(.featureCollection, to: sink)
    case .gpx: try GPXFile.write(annotations, keeping: fields, to: sink).forEach(remark)
    case .geojsonseq: try writeGeoJSON(.sequence(recordSeparators: false), to: sink)
    case .jsonl: try writeJSONLines(to: sink)
    case .gpkg: preconditionFailure("a GeoPackage is not a stream of bytes")
    }
  }

  private func writeCSV(to sink: OutputSink) throws(ReportedError) {
    let table = CSVTable(
      columns: fields ?? source.allColumns, of: source, roles: source.roleColumns)
    var reduced = ReducedShapes(format: "CSV")
    try sink.write(table.header, each: annotations.enumerated()) { annotation, bytes in
      progress.update(rows: annotation.offset, of: annotations.count)
      let row = CSVTable.Row(annotation.element)
      reduced.add(row.feature)
      table.append(row, to: &bytes)
    }
    reduced.remarks.forEach(remark)
  }

  private func writeJSONLines(to sink: OutputSink) throws(ReportedError) {
    var reduced = ReducedShapes(format: "JSON Lines")
    try sink.writeLines(
      annotations.enumerated().lazy.map { place, annotation in
        progress.update(rows: place, of: annotations.count)
        reduced.add(annotation.feature)
        return Listing.members(of: annotation, keeping: fields)
      })
    reduced.remarks.forEach(remark)
  }

  private func writeGeoJSON(
    _ format: GeoJSONWriter.Format, to sink: OutputSink
  ) throws(ReportedError) {
    var writer = GeoJSONWriter(format)
    writer.begin(bbox: annotations.extent, members: annotations.collectionMembers)
    let leavesNumbers = source.areNumberedAgain
    for (place, annotation) in annotations.enumerated() {
      progress.update(rows: place, of: annotations.count)
      writer.write(annotation.wholeFeature(keeping: fields, leavesNumbers: leavesNumbers))
      if writer.bytes.count > OutputSink.chunk { try sink.write(writer.takeBytes()) }
    }
    writer.end()
    try sink.write(writer.takeBytes())
  }
}
