import GeoJSONCoding
import Geodesy
import MapAnnotations

/// One reading of a plain JSON feed, or of lines of JSON that are not GeoJSON: rows become GeoJSON
/// features, with the position as the geometry and everything else as properties.
///
/// A server may change its feed without notice, so every row stands alone: each is searched for
/// coordinate names again, numbers may be in quotes, and only a row that is null or not an object
/// is rejected.
struct JSONImport {
  private let text: [UInt8]
  private let source: String
  private let options: ImportOptions
  /// Whether each line is a row.
  private let areLines: Bool

  init(_ text: [UInt8], source: String, areLines: Bool = false, options: ImportOptions) {
    self.text = text
    self.source = source
    self.areLines = areLines
    self.options = options
  }

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    try text.withUnsafeBufferPointer { (bytes) throws(ImportError) -> ImportResult in
      var plane: PlaneReading?
      if case .transformed(let name, let transform) = options.crs {
        plane = PlaneReading(name: name, transform: transform)
      }
      var pass = FeaturePass(
        bytes, source: source, options: options, fields: FeatureFields(options), plane: plane,
        observer: observer)
      var kept = KeptFeatures()
      // An array that determines the kind becomes a separate table.
      var finished: [FinishedArray] = []
      var array: String?
      var census = FieldCensus()
      let finder = PositionFinder(options)
      var members = Properties()
      do throws(GeoJSONError) {
        if areLines {
          JSONRowReader().readLines(bytes) { row, error in
            judge(row, error, finder, &pass, &kept, &census)
          }
        } else {
          members = try JSONRowReader(members: options.rowsFields).read(bytes) { row in
            if options.rowsFields.count > 1, row.array != array {
              if array != nil { finished.append(FinishedArray(array, &pass, &kept)) }
              array = row.array
            }
            judge(row, nil, finder, &pass, &kept, &census)
          }
        }
      } catch {
        throw ImportError(
          source,
          error.code == "empty-input"
            ? .empty : .geoJSON(code: error.code, message: error.description))
      }
      pass.finish()
      try pass.checkForUnknownFields()
      try finder.check(census, source)
      if let plane { pass.report.remarks.append(plane.remark(source)) }
      for (name, missing) in census.gaps {
        pass.report.countWarning(
          "missing-field", times: missing,
          example: "\(source): \(missing == 1 ? "1 row has" : "\(grouped(missing)) rows have") no "
            + "\"\(name)\", which most have")
      }
      finished.append(FinishedArray(array, &pass, &kept))
      let tables = finished.map { part in
        SourceTable(
          source: source, latitudes: part.latitudes, longitudes: part.longitudes,
          numbering: part.numbering, idsAscend: pass.idsAscend,
          defaultKind: options.defaultKind ?? part.name.map { AnnotationKind(rawValue: $0) },
          rows: .features(
            FeatureRows(
              bytes: part.features.bytes, starts: part.features.starts, ends: part.features.ends,
              fields: pass.fields, naming: pass.naming, collectionMembers: members, plane: plane,
              columns: pass.propertyNames.names)))
      }
      return ImportResult(
        annotations: ImportedAnnotations(joining: tables.map { ImportedAnnotations($0) }),
        report: pass.report)
    }
  }

  private func judge(
    _ row: JSONRow, _ error: GeoJSONError?, _ finder: PositionFinder, _ pass: inout FeaturePass,
    _ kept: inout KeptFeatures, _ census: inout FieldCensus
  ) {
    guard case .object(let properties) = row.value else {
      let isNull = row.value == .null
      pass.problems[row.number] = .feature(
        code: error?.code ?? (isNull ? "row-null" : "row-no-object"),
        message: error?.message
          ?? (isNull
            ? "null stands where a row should; row skipped" : "a row is an object; row skipped"))
      kept.append(Feature(geometry: nil, properties: nil), of: row) { pass.keeps($0) }
      return
    }
    census.count(properties)
    var position = finder.position(in: properties)
    if position.problem == nil, options.rejectsUnplaced, position.geometry == nil {
      position.problem = .noCoordinate
    }
    pass.problems[row.number] = position.problem
    let feature = Feature(geometry: position.geometry, properties: position.others.ofRow)
    let isKept = kept.append(feature, of: row) { pass.keeps($0) }
    if isKept, position.isText {
      pass.report.countWarning(
        "number-as-text",
        example: "\(source):\(row.line): the position is written in quotes; read as numbers")
    }
  }
}

extension Properties {
  /// The properties of a row: its members, and those of a member `properties` in the place of that, as results are
  /// written.
  ///
  /// What the row says as well, or leaves open, is not said twice.
  fileprivate var ofRow: Properties {
    guard case .object(let own)? = self["properties"], self["type"]?.text != "Feature" else {
      return self
    }
    let others = entries.filter { entry in
      entry.name != "properties" && entry.value != .null
        && own[entry.name].map { $0.text != entry.value.text } ?? true
    }
    return Properties(others + own.entries)
  }
}

/// The results of one array of rows.
private struct FinishedArray {
  let name: String?
  let latitudes: [Double]
  let longitudes: [Double]
  let numbering: RecordNumbering
  let features: KeptFeatures

  /// Takes the results so far, so that the next array starts empty.
  init(_ name: String?, _ pass: inout FeaturePass, _ kept: inout KeptFeatures) {
    self.name = name
    features = kept
    kept = KeptFeatures()
    (latitudes, longitudes, numbering) = pass.takeRows()
  }
}

/// Features as text, to be read again.
private struct KeptFeatures {
  private var writer = GeoJSONWriter(.sequence(recordSeparators: false))
  private(set) var bytes: [UInt8] = []
  private(set) var starts = RowOffsets()
  private(set) var ends = RowOffsets()

  init() { writer.begin() }

  /// Writes the feature of a row, and keeps it if `judge` returns true.
  @discardableResult
  mutating func append(
    _ feature: Feature, of row: JSONRow, ifKept judge: (ScannedRecord) -> Bool
  ) -> Bool {
    writer.write(feature)
    let text = writer.takeBytes()
    var isKept = false
    text.withUnsafeBufferPointer { text in
      do throws(GeoJSONError) {
        try GeoJSONReader(framing: .document).scan(text) { scanned in
          isKept = judge(
            ScannedRecord(
              number: row.number, feature: scanned.feature, byteRange: row.byteRange,
              line: row.line))
          return .stop
        }
      } catch {
        isKept = judge(
          ScannedRecord(
            number: row.number, feature: .failure(error), byteRange: row.byteRange, line: row.line))
      }
    }
    guard isKept else { return false }
    starts.append(bytes.count)
    bytes += text
    ends.append(bytes.count)
    return true
  }
}

/// Counts how many rows have each field.
struct FieldCensus {
  private(set) var rows = 0
  private(set) var counts: [String: Int] = [:]

  mutating func count(_ properties: Properties) {
    rows += 1
    for entry in properties.entries { counts[entry.name, default: 0] += 1 }
  }

  /// Fields of more than half of the rows, but not all, and how many rows lack them.
  var gaps: [(name: String, missing: Int)] {
    counts.filter { $0.value < rows && $0.value * 2 > rows }
      .map { (name: $0.key, missing: rows - $0.value) }.sorted { $0.name < $1.name }
  }
}
