import Geodesy
import MapAnnotations

/// Reads annotations from the bytes of a source, and reports how its records fared.
///
/// The importer opens no file and prints nothing. A record that cannot be used is rejected with a
/// code and left out; a record without a position is kept, unplaced. Nothing is corrected.
///
///     let result = try AnnotationImporter().read(bytes, named: "shops.csv")
///     print(result.report.placed, result.report.rankedReasons)
///
/// Gzip is recognised by its first bytes, under any name.
public struct AnnotationImporter: Sendable {
  /// How sources are read.
  public var options: ImportOptions

  /// An importer that reads every source in one way.
  public init(options: ImportOptions = ImportOptions()) { self.options = options }

  /// Reads one source.
  ///
  /// - Parameters:
  ///   - bytes: The whole source; handed over, so that packed bytes need not outlive unpacking.
  ///   - source: Its name, for messages and `origin`: a path, or `-`.
  ///   - format: nil takes what the name ends in, and otherwise what the first bytes look like.
  ///   - onReject: Called with each rejected record, in order.
  ///   - onProgress: Called about once a megabyte with the unpacked bytes read and their total.
  /// - Returns: The kept records in the order of the source, and the report.
  /// - Throws: `ImportError` when the source as a whole cannot be read, every record is rejected,
  ///   or more are than the options allow; it has the report as far as there is one.
  /// - Complexity: O(*n*) for *n* unpacked bytes, which stay in memory, and 20 bytes a record.
  public func read(
    _ bytes: consuming [UInt8], named source: String, format: InputFormat? = nil,
    onReject: ((RejectedRecord) -> Void)? = nil, onProgress: ((Int, Int) -> Void)? = nil
  ) throws(ImportError) -> ImportResult {
    let text = try unpacked(bytes, source)
    if text.isEmpty { throw ImportError(source, .empty) }
    let observer = ImportObserver(onReject: onReject, onProgress: onProgress)
    let result: ImportResult
    switch try self.format(of: text, source, asked: format) {
    case .csv:
      result = try DelimitedImport(.owned(text), source: source, isTSV: false, options: options)
        .run(observer)
    case .tsv:
      result = try DelimitedImport(.owned(text), source: source, isTSV: true, options: options)
        .run(observer)
    case .geojson:
      result = try GeoJSONImport(text, source: source, framing: .automatic, options: options)
        .run(observer)
    case .geojsonseq:
      result = try GeoJSONImport(text, source: source, framing: .sequence, options: options)
        .run(observer)
    case .gpx:
      result = try GPXImport(text, source: source, options: options).run(observer)
    }
    try options.checkRejects(in: result.report, of: source)
    return result
  }

  /// Whether XML may be GPX: its root is named near the beginning.
  private static func looksLikeGPX(_ text: [UInt8]) -> Bool {
    let start = String(decoding: text.prefix(4_096), as: UTF8.self)
    return start.contains("<gpx") || start.contains(":gpx")
  }

  /// Reads a CSV file that is part of the program, in place: it is neither copied nor checked to be
  /// UTF-8, which its tests do.
  ///
  /// - Parameter bytes: Must stay as they are for as long as the program runs.
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
    guard GzipInflater.isGzip(bytes) else { return bytes }
    do throws(GzipInflater.Damage) {
      return try GzipInflater.inflate(bytes)
    } catch {
      throw ImportError(
        source, .damagedGzip(detail: error.detail, unpackedBytes: error.unpackedBytes))
    }
  }

  /// The format that was asked for, or else the name tells, or else the first bytes.
  private func format(
    of text: [UInt8], _ source: String, asked: InputFormat?
  ) throws(ImportError) -> InputFormat {
    if let format = asked ?? InputFormat(nameEndingIn: source) { return format }
    for (signature, what) in AnnotationImporter.otherFormats
    where text.starts(with: signature.utf8) && !AnnotationImporter.looksLikeGPX(text) {
      throw ImportError(source, .format(what))
    }
    return text.withUnsafeBufferPointer { InputFormat(sniffedFrom: $0) }
  }

  /// What files of formats that are not read begin with; GPX is the XML that is.
  private static let otherFormats = [
    ("SQLite format 3\0", "an SQLite database or a GeoPackage"), ("PK\u{3}\u{4}", "a ZIP archive"),
    ("<", "XML"), ("%PDF", "PDF"),
  ]
}

/// What an import gives.
public struct ImportResult: Sendable {
  /// The kept records, in the order of the source.
  public let annotations: ImportedAnnotations
  /// How all of its records fared.
  public let report: ImportReport

  /// The results of several imports, one behind another.
  public init(joining results: [ImportResult]) {
    annotations = ImportedAnnotations(joining: results.map(\.annotations))
    report = ImportReport(joining: results.map(\.report))
  }

  init(annotations: ImportedAnnotations, report: ImportReport) {
    self.annotations = annotations
    self.report = report
  }
}

/// Who is told while an import runs.
struct ImportObserver {
  let onReject: ((RejectedRecord) -> Void)?
  let onProgress: ((Int, Int) -> Void)?
}

extension ImportOptions {
  /// Throws when more records of a source were rejected than is allowed.
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
