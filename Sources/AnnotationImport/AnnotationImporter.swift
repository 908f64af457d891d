import GeoJSONCoding
import Geodesy
import GzipReading
import MapAnnotations
import SpatialIndexing

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
    if named == nil { try AnnotationImporter.refuseOtherFormats(bytes, source) }
    var observer = ImportObserver(onReject: onReject, onProgress: onProgress)
    if options.encoding == nil,
      named == .gpx || named == nil && AnnotationImporter.looksLikeGPX(bytes)
    {
      // XML declares its own encoding.
      return try checked(try read(bytes, source, as: .gpx, observer), source, onCompare)
    }
    let decoding = try TextDecoding(bytes, source, asked: options.encoding)
    observer.hasSourceOffsets = !decoding.isConverted
    let text = decoding.text
    let remarks = decoding.remark.map { [$0] } ?? []
    let hasRowsField = !options.rowsFields.isEmpty
    let format =
      named
      ?? text.withUnsafeBufferPointer {
        InputFormat(sniffedFrom: $0, hasRowsField: hasRowsField)
      }
    do throws(ImportError) {
      var result = try read(text, source, as: format, observer)
      result.report.remarks.insert(contentsOf: remarks, at: 0)
      return try checked(result, source, onCompare)
    } catch {
      let reason = AnnotationImporter.reason(error.reason, of: text, as: format)
      throw ImportError(source, reason, report: error.report, remarks: remarks)
    }
  }

  /// The reason of an error, or a better one if JSON was read as a table.
  private static func reason(
    _ reason: ImportError.Reason, of text: [UInt8], as format: InputFormat
  ) -> ImportError.Reason {
    guard format == .csv || format == .tsv else { return reason }
    switch reason {
    case .empty, .noCoordinateFields, .headerSize: break
    default: return reason
    }
    let found = text.withUnsafeBufferPointer { InputFormat(sniffedFrom: $0) }
    return switch found {
    case .geojson, .geojsonseq, .json: .otherFormat(found)
    case .csv, .tsv, .gpx: reason
    }
  }

  /// The result with the warnings from comparing its records, unless too many were rejected.
  func checked(
    _ result: ImportResult, _ source: String, _ onCompare: ((Int, Int) -> Void)?
  ) throws(ImportError) -> ImportResult {
    var result = result
    if options.comparesRecords { result.compareRecords(onCompare) }
    try options.checkRejects(in: result.report, of: source)
    return result
  }

  private func read(
    _ text: [UInt8], _ source: String, as format: InputFormat, _ observer: ImportObserver
  ) throws(ImportError) -> ImportResult {
    switch format {
    case .csv, .tsv:
      try DelimitedImport(.owned(text), source: source, isTSV: format == .tsv, options: options)
        .run(observer)
    case .geojson:
      try GeoJSONImport(text, source: source, framing: .automatic, options: options).run(observer)
    case .geojsonseq where text.withUnsafeBufferPointer(JSONRowReader.areRowLines):
      try JSONImport(text, source: source, areLines: true, options: options).run(observer)
    case .geojsonseq:
      try GeoJSONImport(text, source: source, framing: .sequence, options: options).run(observer)
    case .json:
      try JSONImport(text, source: source, options: options).run(observer)
    case .gpx:
      try GPXImport(text, source: source, options: options).run(observer)
    }
  }

  /// Whether bytes are XML that may be GPX: its root element is near the beginning.
  private static func looksLikeGPX(_ bytes: [UInt8]) -> Bool {
    guard bytes.withoutByteOrderMark.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else {
      return false
    }
    let start = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    return start.contains("<gpx") || start.contains(":gpx")
  }

  /// Reads a CSV file that is part of the program, in place, without copying it or checking UTF-8,
  /// which its tests do.
  ///
  /// - Parameter bytes: Must stay unchanged for as long as the program runs.
  package func read(
    permanentCSV bytes: UnsafeBufferPointer<UInt8>, named source: String
  ) throws(ImportError) -> ImportResult {
    let result = try DelimitedImport(
      .permanent(bytes), source: source, isTSV: false, options: options
    )
    .run(ImportObserver(onReject: nil, onProgress: nil))
    try options.checkRejects(in: result.report, of: source)
    return result
  }

  private func unpacked(
    _ bytes: consuming [UInt8], _ source: String
  ) throws(ImportError) -> [UInt8] {
    do throws(GzipFailure) {
      return try GzipInflater.unpacked(bytes, limit: options.unpackingLimit)
    } catch {
      throw ImportError(source, error)
    }
  }

  /// Throws if the first bytes are those of an unsupported format.
  private static func refuseOtherFormats(
    _ bytes: [UInt8], _ source: String
  ) throws(ImportError) {
    for (signature, reason) in otherFormats
    where bytes.starts(with: signature) && !looksLikeGPX(bytes) {
      throw ImportError(source, reason)
    }
  }

  /// The first bytes of files in unsupported formats; the only supported XML is GPX.
  private static let otherFormats: [(signature: [UInt8], reason: ImportError.Reason)] = [
    (Array("SQLite format 3\0".utf8), .database), (Array(IndexFileFormat.mark.prefix(4)), .index),
    (Array("PK\u{3}\u{4}".utf8), .format("a ZIP archive")), (Array("<".utf8), .format("XML")),
    (Array("%PDF".utf8), .format("PDF")),
    (Array("PMTiles\u{3}".utf8), .format("an archive of map tiles (PMTiles)")),
  ]
}

/// The result of an import.
public struct ImportResult: Sendable {
  /// The kept records, in the order of the source.
  public let annotations: ImportedAnnotations
  /// The outcome of all of its records.
  public internal(set) var report: ImportReport

  /// Joins the results of several imports in order.
  public init(joining results: [ImportResult]) {
    annotations = ImportedAnnotations(joining: results.map(\.annotations))
    report = ImportReport(joining: results.map(\.report))
  }

  init(annotations: ImportedAnnotations, report: ImportReport) {
    self.annotations = annotations
    self.report = report
  }
}

extension ImportResult {
  /// Adds the warnings that need a comparison of a source's records.
  fileprivate mutating func compareRecords(_ onProgress: ((Int, Int) -> Void)?) {
    let annotations = annotations
    let readers = annotations.tables.map(\.addressReader)
    let comparison = RecordComparison(annotations, onProgress: onProgress) { annotation in
      annotations.tables.firstIndex { $0 === annotation.table }.flatMap {
        readers[$0](annotation.row)
      }
    }
    for finding in comparison.findings() {
      let place = annotations.place(of: finding.row)
      let (table, row) = (annotations.tables[place.table], place.row)
      report.countWarning(
        finding.code, times: finding.rows,
        example: "\(table.source):\(table.line(ofRow: row)): \(finding.message)")
    }
  }
}

/// Receives events while an import runs.
struct ImportObserver {
  let onReject: ((RejectedRecord) -> Void)?
  let onProgress: ((Int, Int) -> Void)?
  /// Whether an offset in the text is one in the unpacked source; not if the text was converted.
  var hasSourceOffsets = true
}

extension ImportOptions {
  /// Throws if more records of a source were rejected than allowed.
  func checkRejects(in report: ImportReport, of source: String) throws(ImportError) {
    let rejected = report.rejectedCount
    guard rejected > 0 else { return }
    if rejected == report.records { throw ImportError(source, .allRejected, report: report) }
    if isStrict { throw ImportError(source, .rejectedWhenStrict, report: report) }
    if let rejectLimit, rejectLimit.isExceeded(by: rejected, of: report.records) {
      throw ImportError(source, .tooManyRejected(rejectLimit), report: report)
    }
  }
}
