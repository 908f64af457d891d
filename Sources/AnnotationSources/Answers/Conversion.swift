import AnnotationImport
import GPXCoding
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

  /// Writes them into a file, whole or not at all.
  ///
  /// - Parameters:
  ///   - file: nil and `-` stand for standard output, where no GeoPackage can go.
  ///   - now: When that is, for formats that say it.
  package func write(
    as format: ConversionFormat, to file: FileName?, at now: Instant
  ) throws(ReportedError) {
    guard format != .gpkg else {
      #if Store
        return try GeoPackageOutput.write(
          annotations, keeping: fields, to: file ?? FileName("-"), at: now, progress)
      #else
        throw StoreSource.withoutStore
      #endif
    }
    let sink = try OutputSink(file)
    if format != .geojson { ReducedShapes.remarks(of: annotations).forEach(remark) }
    switch format {
    case .csv: try writeCSV(to: sink)
    case .geojson: try writeGeoJSON(.featureCollection, to: sink)
    case .gpx: try GPXFile.write(annotations, keeping: fields, to: sink).forEach(remark)
    case .geojsonseq: try writeGeoJSON(.sequence(recordSeparators: false), to: sink)
    case .jsonl: try writeJSONLines(to: sink)
    case .gpkg: break
    }
    try sink.finish()
  }

  private func writeCSV(to sink: OutputSink) throws(ReportedError) {
    let table = CSVTable(
      columns: fields ?? source.allColumns, of: source, roles: source.roleColumns)
    var reduced = ReducedShapes(format: "CSV")
    try sink.write(table.header, each: annotations.enumerated()) { annotation, bytes in
      progress.update(rows: annotation.offset, of: annotations.count)
      let (common, feature) = annotation.element.whole
      reduced.add(feature)
      table.append(common, to: &bytes)
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

/// Lines, areas, several points, altitudes and foreign members on their way into a format that has only points and
/// properties.
package struct ReducedShapes {
  private let format: String
  /// Whether the format has altitudes of points.
  private let keepsAltitudes: Bool
  private var count = 0
  private var altitudeCount = 0
  private var memberCount = 0
  private var firstMember = ""

  package init(format: String, keepsAltitudes: Bool = false) {
    self.format = format
    self.keepsAltitudes = keepsAltitudes
  }

  /// Counts a feature that is more than one point, a point with an altitude that no property repeats, or one with
  /// foreign members.
  package mutating func add(_ feature: Feature?) {
    guard let feature else { return }
    if let member = feature.foreignMembers.entries.first {
      if memberCount == 0 { firstMember = member.name }
      memberCount += 1
    }
    guard let geometry = feature.geometry, !geometry.isEmpty else { return }
    guard case .point(let position) = geometry else {
      count += 1
      return
    }
    // GPX has it there, too.
    if position.altitude != nil, feature.properties?["ele"] == nil { altitudeCount += 1 }
  }

  /// What a person should know; empty if nothing is lost.
  package var remarks: [String] {
    func remark(
      _ code: String, _ count: Int, one: String, several: String, _ rest: String
    ) -> String? {
      guard count > 0 else { return nil }
      return
        "warning: \(code): \(grouped(count)) of the features \(count == 1 ? one : several) \(rest)"
    }
    return [
      remark(
        "shapes-as-points", count, one: "is a line, an area", several: "are lines, areas",
        "or several points, for which \(format) has one point each; use geojson or gpkg to keep them"
      ),
      remark(
        "no-altitudes", keepsAltitudes ? 0 : altitudeCount, one: "is a point",
        several: "are points",
        "with an altitude, for which \(format) has no place; use geojson, gpx or gpkg to keep it"),
      remark(
        "no-members", memberCount, one: "has a member", several: "have members",
        "beside the properties (\"\(firstMember)\"), for which \(format) has no place; use geojson or gpkg to "
          + "keep them"),
    ].compactMap(\.self)
  }

  /// What a person should know of the members of collections, for which only whole collections have a place.
  package static func remarks(of annotations: ImportedAnnotations) -> [String] {
    // Positions are written on WGS 84, whatever they were.
    let names = annotations.collectionMembers.entries.map(\.name).filter { $0 != "crs" }
    guard !names.isEmpty else { return [] }
    let shown = names.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      "warning: no-members: the collection has members beside its features (\(shown)"
        + (names.count > 5 ? ", …" : "")
        + "), which only geojson and gpkg keep; use one of these to keep them"
    ]
  }
}
