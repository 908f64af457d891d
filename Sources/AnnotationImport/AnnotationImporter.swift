import GeoJSONCoding
import Geodesy
import GzipReading
import MapAnnotations
import MapProjections

/// Reads annotations from the bytes of a source, and reports the result for its records.
///
/// The importer opens no file and prints nothing. A record that cannot be used is rejected with a
/// code and left out; a record without a position is kept, unplaced. Nothing is corrected.
///
///     let result = try AnnotationImporter().read(bytes, named: "shops.csv")
///     print(result.report.placed, result.report.rankedReasons)
///
/// Gzip is recognized by its first bytes, under any name.
public struct AnnotationImporter: Sendable {
  /// How sources are read.
  public var options: ImportOptions

  /// Makes an importer with the same options for every source.
  public init(options: ImportOptions = ImportOptions()) { self.options = options }

  /// Reads one source.
  ///
  /// - Parameters:
  ///   - bytes: The whole source; consumed, so that packed bytes need not outlive unpacking.
  ///   - source: Its name, for messages and `origin`: a path, or `-`.
  ///   - format: nil to use the name's ending, and otherwise to detect it from the first bytes.
  ///   - onReject: Called with each rejected record, in order.
  ///   - onProgress: Called about once a megabyte with the number of unpacked bytes read and their total.
  ///   - onCompare: Called about once in a thousand placed records with the number of compared records and their total,
  ///     if the options ask for a comparison.
  /// - Returns: The kept records in the order of the source, and the report.
  /// - Throws: `ImportError` if the source as a whole cannot be read, every record is rejected, or more are rejected
  ///   than the options allow; it contains the report as far as there is one.
  /// - Complexity: O(*n*) for *n* unpacked bytes, which stay in memory, and 20 bytes for each record.
  public func read(
    _ bytes: consuming [UInt8], named source: String, format: InputFormat? = nil,
    onReject: ((RejectedRecord) -> Void)? = nil, onProgress: ((Int, Int) -> Void)? = nil,
    onCompare: ((Int, Int) -> Void)? = nil
  ) throws(ImportError) -> ImportResult {
    let bytes = try unpacked(bytes, source)
    if bytes.isEmpty { throw ImportError(source, .empty) }
    let named = format ?? InputFormat(nameEndingIn: source)
    try OtherFormat.refuse(bytes, named: source, isNamed: named != nil)
    let hasRowsField = !options.rowsFields.isEmpty
    func recognized(_ bytes: [UInt8]) -> InputFormat {
      named
        ?? bytes.withUnsafeBufferPointer {
          InputFormat(sniffedFrom: $0, hasRowsField: hasRowsField)
        }
    }
    let packedFormat = recognized(bytes)
    let decoding: TextDecoding
    if packedFormat == .gpx, options.encoding == nil {
      // XML declares its own encoding.
      decoding = TextDecoding(text: bytes)
    } else {
      // Servers often state a charset for JSON, too, which is UTF-8 nevertheless.
      let stated = [.csv, .tsv].contains(packedFormat) ? options.statedCharset : nil
      decoding = try TextDecoding(bytes, source, asked: options.encoding, stated: stated)
    }
    let observer = ImportObserver(
      onReject: onReject, onProgress: onProgress, hasSourceOffsets: !decoding.isConverted)
    let text = decoding.text
    let remarks = decoding.remark.map { [$0] } ?? []
    let format = decoding.isConverted ? recognized(text) : packedFormat
    do throws(ImportError) {
      var result = try read(text, source, as: format, observer)
      result.report.remarks.insert(contentsOf: remarks, at: 0)
      return try checked(result, source, onCompare)
    } catch {
      let reason = AnnotationImporter.reason(error.reason, of: text, as: format)
      throw ImportError(
        source, reason, report: error.report, annotations: error.annotations, remarks: remarks)
    }
  }

  /// Reads a table of which it is known that it is in UTF-8, with commas between its cells: nothing is detected.
  package func read(
    plainCSV text: [UInt8], named source: String
  ) throws(ImportError) -> ImportResult {
    var options = options
    options.delimiter = [.comma]
    return try DelimitedImport(text: text, source: source, isTSV: false, options: options)
      .run(ImportObserver(onReject: nil, onProgress: nil, hasSourceOffsets: true))
  }

  /// The reason of an error, or a better one if JSON was read as a table, or a table as JSON or GPX.
  private static func reason(
    _ reason: ImportError.Reason, of text: [UInt8], as format: InputFormat
  ) -> ImportError.Reason {
    let tables: [InputFormat] = [.csv, .tsv]
    switch reason {
    case .empty, .noCoordinateFields, .headerSize:
      if !tables.contains(format) { return reason }
    case .unreadable, .allRejected, .tooManyRejected, .rejectedWhenStrict:
      if tables.contains(format) { return reason }
    default: return reason
    }
    let found = text.withUnsafeBufferPointer { InputFormat(sniffedFrom: $0) }
    switch found {
    case .gpx: return reason
    case .geojson, .geojsonseq, .json: return tables.contains(format) ? .otherFormat(found) : reason
    case .csv, .tsv:
      // Of a program's text, such as `data = {…}, {…}`, nothing is known.
      let line = text.prefix { $0 != .lineFeed }
      let isTable = line.contains { ",;\t".utf8.contains($0) } && !line.contains(UInt8(ascii: "{"))
      return !tables.contains(format) && isTable ? .otherFormat(found) : reason
    }
  }

  /// The result with the warnings from comparing its records, unless too many were rejected.
  func checked(
    _ result: ImportResult, _ source: String, _ onCompare: ((Int, Int) -> Void)?
  ) throws(ImportError) -> ImportResult {
    var result = result
    if options.comparesRecords { result.compareRecords(onCompare) }
    try options.checkRejects(in: result, of: source)
    return result
  }

  private func read(
    _ text: [UInt8], _ source: String, as format: InputFormat, _ observer: ImportObserver
  ) throws(ImportError) -> ImportResult {
    switch format {
    case .csv, .tsv:
      try DelimitedImport(
        text: text, source: source, isTSV: format == .tsv, options: options
      ).run(observer)
    case .geojson:
      try GeoJSONImport(text: text, source: source, framing: .automatic, options: options)
        .run(observer)
    case .geojsonseq where text.withUnsafeBufferPointer(JSONRowReader.areRowLines):
      try JSONImport(text: text, source: source, areLines: true, options: options).run(observer)
    case .geojsonseq:
      try GeoJSONImport(text: text, source: source, framing: .sequence, options: options)
        .run(observer)
    case .json:
      try JSONImport(text: text, source: source, options: options).run(observer)
    case .gpx:
      try GPXImport(text: text, source: source, options: options).run(observer)
    }
  }

  private func unpacked(
    _ bytes: consuming [UInt8], _ source: String
  ) throws(ImportError) -> [UInt8] {
    do throws(GzipFailure) {
      return try GzipInflater.unpacked(bytes, limit: options.unpackingLimit)
    } catch {
      throw ImportError(source, reading: error)
    }
  }
}

/// The result of an import.
public struct ImportResult: Sendable {
  /// The kept records, in the order of the source.
  public let annotations: ImportedAnnotations
  /// The outcome of all of its records.
  public internal(set) var report: ImportReport
}

extension ImportResult {
  /// Joins the results of several imports in order.
  public init(joining results: [ImportResult]) {
    self.init(
      annotations: ImportedAnnotations(joining: results.map(\.annotations)),
      report: ImportReport(joining: results.map(\.report)))
  }

  /// Adds the warnings that need a comparison of a source's records.
  fileprivate mutating func compareRecords(_ onProgress: ((Int, Int) -> Void)?) {
    for finding in RecordComparison(annotations, onProgress: onProgress).findings() {
      let place = annotations.place(of: finding.row)
      let (table, row) = (annotations.tables[place.table], place.row)
      report.countWarning(
        finding.code, times: finding.rows,
        example: "\(table.source):\(table.line(ofRow: row)): \(finding.message)")
    }
  }
}

/// The outcome of a source's records.
///
/// Every record is placed, unplaced or rejected, so `records` is the sum of the three. A rejected
/// record counts only under its first problem. Warnings concern kept records, and one record may
/// have several.
public struct ImportReport: Hashable, Sendable {
  /// The number of records in the source, without headers, blank lines and rows of empty cells.
  public internal(set) var records = 0
  /// The number of records with a position.
  public internal(set) var placed = 0
  /// The number of kept records without a position.
  public internal(set) var unplaced = 0
  /// The number of rejected records, by code.
  public internal(set) var rejected: [String: Int] = [:]
  /// The number of warnings about kept records, by code.
  public internal(set) var warnings: [String: Int] = [:]
  /// The first message for each code in `rejected` and `warnings`.
  public internal(set) var examples: [String: String] = [:]
  /// The importer's own decisions, in sentences, such as a guessed delimiter.
  public internal(set) var remarks: [String] = []

  /// Makes the report of a source without records.
  public init() {}

  /// The number of rejected records.
  public var rejectedCount: Int { rejected.values.reduce(0, +) }

  /// The codes of rejected records, most frequent first, equal ones by name.
  public var rankedReasons: [(code: String, count: Int)] { ImportReport.ranked(rejected) }

  /// The codes of warnings, most frequent first, equal ones by name.
  public var rankedWarnings: [(code: String, count: Int)] { ImportReport.ranked(warnings) }

  /// Joins the reports of several sources.
  public init(joining reports: some Sequence<ImportReport>) {
    for report in reports {
      records += report.records
      placed += report.placed
      unplaced += report.unplaced
      rejected.merge(report.rejected, uniquingKeysWith: +)
      warnings.merge(report.warnings, uniquingKeysWith: +)
      examples.merge(report.examples) { first, _ in first }
      remarks += report.remarks
    }
  }

  mutating func countRejected(_ code: String, example: @autoclosure () -> String) {
    rejected[code, default: 0] += 1
    if examples[code] == nil { examples[code] = example() }
  }

  mutating func countUnplaced(example: @autoclosure () -> String) {
    unplaced += 1
    if unplaced == 1 { examples[RowProblem.noCoordinate.code] = example() }
  }

  package mutating func countWarning(
    _ code: String, times: Int = 1, example: @autoclosure () -> String
  ) {
    warnings[code, default: 0] += times
    if examples[code] == nil { examples[code] = example() }
  }

  /// Counts by code, most frequent first, equal ones by name.
  package static func ranked(_ counts: [String: Int]) -> [(code: String, count: Int)] {
    counts.map { (code: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// A summary such as `1,204 of 1,500 rows rejected: 1,190 lat-lon-swapped, 14 row-fields`.
  package var rejectionSummary: String {
    let reasons = rankedReasons.map { "\(grouped($0.count)) \($0.code)" }.joined(separator: ", ")
    let rows = records == 1 ? "row" : "rows"
    return "\(grouped(rejectedCount)) of \(grouped(records)) \(rows) rejected: \(reasons)"
  }
}

/// Receives events while an import runs.
struct ImportObserver {
  let onReject: ((RejectedRecord) -> Void)?
  let onProgress: ((Int, Int) -> Void)?
  /// Whether an offset in the text is one in the unpacked source; not if the text was converted.
  let hasSourceOffsets: Bool
}

// MARK: Options

/// Options for reading a source: they say what the source itself does not show.
///
///     var options = ImportOptions()
///     options.idField = "Postcode"
///     options.rejectLimit = .percent(2)
public struct ImportOptions: Sendable {
  /// The character encoding; nil to use UTF-8 if the bytes are valid, and otherwise to detect it,
  /// with a remark.
  public var encoding: TextEncoding?
  /// The charset that a server states for the source; used only where it would be detected
  /// otherwise.
  package var statedCharset: String?
  /// Whether a line or an area is reduced to its representative position; nil for no.
  public var takesShapesForPoints: Bool?
  /// The column (or property of a GeoJSON feature) with ids; `#` numbers the records.
  ///
  /// nil for the first column with a known name, and a feature's own id. If no record has an id, the record number is
  /// the id; if only some have one, see `ImportedAnnotation.id` for the others.
  public var idField: String?
  /// The column of latitudes in degrees; nil for the one with a known name.
  public var latitudeField: String?
  /// The column of longitudes in degrees; nil for the one with a known name.
  public var longitudeField: String?
  /// The column, or property, of names; nil for the first with a known name.
  ///
  /// Several in braces, such as `{brand} {branch} ({region})`, are combined: an empty one leaves no
  /// gap and removes brackets around it.
  public var nameField: String?
  /// The column, or property, of kinds; nil for the first with a known name.
  public var kindField: String?
  /// The column, or property, of opening hours; nil for the first with a known name.
  public var hoursField: String?
  /// The members of a JSON object that hold the rows, or paths to them, such as `body.items`; if
  /// empty, the only array of objects.
  ///
  /// If there are several, each member's name is the kind of its rows without one.
  public var rowsFields: [String] = []
  /// Whether a record names the columns; otherwise they are named `1`, `2`, ….
  public var hasHeader = true
  /// The quotes around cells with delimiters or line breaks.
  public var quoting = Quoting.automatic
  /// The bytes between cells, usually one; nil for a tab in TSV and to guess in CSV.
  public var delimiter: [UInt8]?
  /// The beginning of comment lines; empty for none.
  public var comment: [UInt8] = []
  /// The points of a GPX file to read; nil for its waypoints.
  public var gpxPoints: GPXPointChoice?
  /// The kind of annotations without one.
  public var defaultKind: AnnotationKind?
  /// Whether CSV and TSV must have coordinate columns.
  ///
  /// Otherwise every row of a table without them is kept, unplaced, for a list without a map or if positions come from
  /// elsewhere, as in ``PlaceJoin``. The header is then the first record as wide as the fullest one and at least half
  /// filled.
  public var requiresPositions = true
  /// Whether positions nearer than 0.0005° to 0,0 are placed with a warning instead of rejected.
  public var allowsNullIsland = false
  /// Whether a single rejected record fails the import, and records without a position are
  /// rejected.
  public var isStrict = false
  /// Whether a record without a position is rejected: only if positions are required.
  var rejectsUnplaced: Bool { isStrict && requiresPositions }
  /// How many records may be rejected; nil for any number, as long as one is kept.
  public var rejectLimit: RejectLimit?
  /// The maximum unpacked size of gzip content.
  public var unpackingLimit = UnpackingLimit.standard
  /// The region where positions must lie; nil for anywhere.
  public var region: Region?
  /// The CRS of the coordinates.
  public var crs = SourceCRS.declared
  /// How numbers become degrees; nil unless a CRS is named here.
  var plane: PlaneReading? {
    guard case .transformed(let name, let transform) = crs else { return nil }
    return PlaneReading(name: name, transform: transform)
  }
  /// Returns the transform to WGS 84 for a CRS that a source declares; by default only built-in
  /// ones.
  public var transformNamed: @Sendable (String) throws(CRSError) -> any CoordinateTransform = {
    (name) throws(CRSError) in try CRS(named: name).toWGS84
  }

  /// Whether placed records are compared with each other, for warnings.
  ///
  /// The warnings are: the same record twice (`duplicate-record`), one position for several addresses
  /// (`placeholder-position`), positions that differ by whole degrees (`fill-down`), positions far from others with the
  /// same address or district (`far-from-address`, `far-from-district`), positions outside Korea or Japan with an
  /// address inside (`outside-country`), over 20 km from the stated province (`far-from-province`), and over 10 km off
  /// the country's land (`off-land`).
  ///
  /// Comparing takes as long as reading, and keeps every address in memory.
  public var comparesRecords = false

  /// Makes options that suit most sources: everything is detected from the column names.
  public init() {}
}

/// The CRS of a source's coordinates.
public enum SourceCRS: Sendable {
  /// Degrees of WGS 84, unless the source names another CRS, as GeoJSON of 2008 may.
  case declared
  /// Degrees of WGS 84, whatever the source says.
  case wgs84
  /// A CRS by its name in messages, and the transform from it to WGS 84.
  indirect case transformed(String, any CoordinateTransform)
}

/// The quotes around cells with delimiters or line breaks.
public enum Quoting: Hashable, Sendable {
  /// `"` in CSV and none in TSV.
  case automatic
  /// None: every quote is an ordinary character.
  case none
  /// This byte.
  case character(UInt8)
}

/// How many records may be rejected before an import fails.
public enum RejectLimit: Hashable, Sendable {
  /// At most this many.
  case count(Int)
  /// At most this percentage of all records, 0…100.
  case percent(Double)

  fileprivate func isExceeded(by rejected: Int, of records: Int) -> Bool {
    switch self {
    case .count(let limit): rejected > limit
    case .percent(let limit): Double(rejected) * 100 > limit * Double(records)
    }
  }
}

extension ImportOptions {
  /// Throws if more records of a source were rejected than allowed.
  func checkRejects(in result: ImportResult, of source: String) throws(ImportError) {
    let report = result.report
    let rejected = report.rejectedCount
    guard rejected > 0 else { return }
    func error(_ reason: ImportError.Reason) -> ImportError {
      ImportError(source, reason, report: report, annotations: result.annotations)
    }
    if rejected == report.records { throw error(.allRejected) }
    if isStrict { throw error(.rejectedWhenStrict) }
    if let rejectLimit, rejectLimit.isExceeded(by: rejected, of: report.records) {
      throw error(.tooManyRejected(rejectLimit))
    }
  }
}

/// The maximum unpacked size of gzip content.
///
/// A few bytes can unpack to a thousand times as many (deflate reaches 1,032 to 1), so that a small
/// file could fill a machine's memory. The page of this module has the ratios of real data.
public struct UnpackingLimit: Hashable, Sendable {
  /// The smallest limit, whatever the packed size, in bytes.
  private let least: Int
  /// The maximum ratio of unpacked to packed size.
  private let ratio: Int
  /// The largest limit, whatever the packed size, in bytes.
  private let most: Int

  /// 250 times the packed size, at least 64 MiB and at most 4 GiB.
  public static let standard = UnpackingLimit(least: 64 << 20, ratio: 250, most: 4 << 30)

  /// A fixed number of bytes, whatever the packed size.
  ///
  /// - Precondition: `count >= 0`.
  public static func bytes(_ count: Int) -> UnpackingLimit {
    precondition(count >= 0, "a limit of \(count) bytes")
    return UnpackingLimit(least: count, ratio: 0, most: count)
  }

  /// The maximum unpacked size for a packed size, in bytes.
  func byteCount(forPacked packed: Int) -> Int {
    let (product, overflows) = packed.multipliedReportingOverflow(by: ratio)
    return min(max(least, overflows ? .max : product), most)
  }
}

extension GzipInflater {
  /// The unpacked bytes; unchanged if they are not packed.
  ///
  /// - Throws: As `inflate(_:limit:isOneMember:)`.
  package static func unpacked(
    _ bytes: consuming [UInt8], limit: UnpackingLimit = .standard
  ) throws(GzipFailure) -> [UInt8] {
    let most = limit.byteCount(forPacked: bytes.count)
    return isGzip(bytes) ? try inflate(bytes, limit: most) : bytes
  }
}
