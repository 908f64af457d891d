import GeoJSONCoding
import Geodesy
import MapAnnotations

/// One reading of a plain JSON feed, whose rows become GeoJSON features: what a row says of its
/// position becomes the geometry, all else stays a property.
///
/// A feed is made by a server that may change without notice, so every row stands for itself: each
/// is looked through for the names of coordinates anew, numbers may be in quotes, and what is null
/// or no object is rejected alone.
struct JSONImport {
  private let text: [UInt8]
  private let source: String
  private let options: ImportOptions

  init(_ text: [UInt8], source: String, options: ImportOptions) {
    self.text = text
    self.source = source
    self.options = options
  }

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    try text.withUnsafeBufferPointer { (bytes) throws(ImportError) -> ImportResult in
      var pass = FeaturePass(bytes, source: source, options: options, observer: observer)
      var kept = KeptFeatures()
      var census = FieldCensus()
      let finder = PositionFinder(options)
      let members: Properties
      do throws(GeoJSONError) {
        members = try JSONRowReader(member: options.rowsField).read(bytes) { row in
          judge(row, finder, &pass, &kept, &census)
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
      for (name, missing) in census.gaps {
        pass.report.countWarning(
          "missing-field", times: missing,
          example: "\(source): \(missing == 1 ? "1 row has" : "\(grouped(missing)) rows have") no "
            + "\"\(name)\", which most have")
      }
      let rows = FeatureRows(
        bytes: kept.bytes, starts: kept.starts, ends: kept.ends, fields: pass.fields,
        collectionMembers: members)
      let table = SourceTable(
        source: source, latitudes: pass.latitudes, longitudes: pass.longitudes,
        numbering: pass.numbering, idsAscend: pass.idsAscend, defaultKind: options.defaultKind,
        rows: .features(rows))
      return ImportResult(annotations: ImportedAnnotations(table), report: pass.report)
    }
  }

  private func judge(
    _ row: JSONRow, _ finder: PositionFinder, _ pass: inout FeaturePass,
    _ kept: inout KeptFeatures, _ census: inout FieldCensus
  ) {
    func record(_ feature: Feature) -> GeoJSONRecord {
      GeoJSONRecord(
        number: row.number, feature: feature, byteRange: row.byteRange, line: row.line)
    }
    guard case .object(let properties) = row.value else {
      let isNull = row.value == .null
      return pass.judge(
        record(Feature(geometry: nil, properties: nil)),
        .feature(
          code: isNull ? "row-null" : "row-no-object",
          message: isNull
            ? "null stands where a row should; row skipped"
            : "a row is an object; row skipped"))
    }
    census.count(properties)
    var position = finder.position(in: properties)
    if position.problem == nil, options.isStrict, position.geometry == nil {
      position.problem = .noCoordinate
    }
    let feature = Feature(geometry: position.geometry, properties: position.others)
    let rowsBefore = pass.latitudes.count
    pass.judge(record(feature), position.problem)
    guard pass.latitudes.count > rowsBefore else { return }
    if position.isText {
      pass.report.countWarning(
        "number-as-text",
        example: "\(source):\(row.line): the position is written in quotes; read as numbers")
    }
    kept.append(feature)
  }
}

/// Features as text, for reading them again.
private struct KeptFeatures {
  private var writer = GeoJSONWriter(.sequence(recordSeparators: false))
  private(set) var bytes: [UInt8] = []
  private(set) var starts = RowOffsets()
  private(set) var ends = RowOffsets()

  init() { writer.begin() }

  mutating func append(_ feature: Feature) {
    writer.write(feature)
    starts.append(bytes.count)
    bytes += writer.takeBytes()
    ends.append(bytes.count)
  }
}

/// How many rows have each field.
struct FieldCensus {
  private(set) var rows = 0
  private(set) var counts: [String: Int] = [:]

  mutating func count(_ properties: Properties) {
    rows += 1
    for entry in properties.entries { counts[entry.name, default: 0] += 1 }
  }

  /// Fields that more than half of the rows have, but not all, and how many lack them.
  var gaps: [(name: String, missing: Int)] {
    counts.filter { $0.value < rows && $0.value * 2 > rows }
      .map { (name: $0.key, missing: rows - $0.value) }.sorted { $0.name < $1.name }
  }
}
