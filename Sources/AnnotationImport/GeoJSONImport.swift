import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// One reading of a GeoJSON source: each feature is judged once, and for a good one its range and
/// its representative position are kept.
struct GeoJSONImport {
  let text: [UInt8]
  let source: String
  let framing: GeoJSONReader.Framing
  let options: ImportOptions
  /// Known problems of records, by number, before they are read.
  var problems: [Int: RowProblem] = [:]
  /// What the text was made of; nil for a file.
  var stored: StoredFeatures?
  /// The number of records of the same store before these; nil for a file.
  var recordsBefore: Int?

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    try text.withUnsafeBufferPointer { (bytes) throws(ImportError) -> ImportResult in
      guard case .declared = options.crs else {
        return try read(bytes, by: options.plane, observer).result
      }
      // What is stored is on WGS 84, whatever its features were read from.
      if stored == nil { return try readAsDeclared(bytes, observer) }
      let reading = try read(bytes, by: nil, observer)
      try checkForDegrees(reading.result.report, reading.firstMetres, declared: nil)
      return reading.result
    }
  }

  /// Reads a text that may name a CRS: once as degrees, and again if it does, before or after its
  /// features.
  private func readAsDeclared(
    _ bytes: UnsafeBufferPointer<UInt8>, _ observer: ImportObserver
  ) throws(ImportError) -> ImportResult {
    var rejected: [RejectedRecord] = []
    // Rejected records wait in memory only if they may be read again.
    let mayBeReadAgain = GeoJSONImport.mayDeclareCRS(bytes)
    let keepsRejects = mayBeReadAgain && observer.onReject != nil
    var (result, document, firstMetres) = try read(
      bytes, by: nil,
      ImportObserver(
        onReject: keepsRejects ? { rejected.append($0) } : observer.onReject,
        onProgress: observer.onProgress,
        hasSourceOffsets: observer.hasSourceOffsets))
    var unused: String?
    if let declared = DeclaredCRS(document) {
      let reason: String
      switch declared.name.map(declaredTransform) {
      case _ where !declared.isOfAll:
        reason = "but in its features, not once for all of them"
      case _ where !mayBeReadAgain:
        reason = "but far from the start and the end"
      case nil:
        reason = "which is not a name"
      case .success(let transform):
        if transform.startsFromDegrees || !result.report.isMostlyDegrees {
          return try read(
            bytes, by: PlaneReading(name: declared.text, transform: transform), observer
          ).result
        }
        reason = "but its numbers are degrees"
      case .failure(let error):
        reason = "which is not supported (\(error))"
      }
      let said = "\(declared.text), \(reason)"
      unused = said
      result.report.countWarning(
        "crs-declared",
        example: "\(source): it declares the CRS \(said); it is read as "
          + "degrees on WGS 84, as RFC 7946 says; say `crs` EPSG:n if it means another")
    }
    for record in rejected { observer.onReject?(record) }
    try checkForDegrees(result.report, firstMetres, declared: unused)
    return result
  }

  /// Throws if no feature has degrees and most have meters.
  ///
  /// - Parameter declared: The CRS that the text declares, and why it is not used.
  private func checkForDegrees(
    _ report: ImportReport, _ first: Position?, declared: String?
  ) throws(ImportError) {
    guard report.placed == 0, let first, report.rankedReasons.first?.code == "crs-unknown" else {
      return
    }
    throw ImportError(
      source,
      .notDegrees(
        first: plainDecimal(first.longitude), second: plainDecimal(first.latitude),
        candidates: CRSCandidates(x: first.longitude, y: first.latitude).description,
        declared: declared),
      report: report)
  }

  private func declaredTransform(
    _ name: String
  ) -> Result<any CoordinateTransform, CRSError> {
    Result { () throws(CRSError) in try options.transformNamed(name) }
  }

  private func read(
    _ bytes: UnsafeBufferPointer<UInt8>, by plane: PlaneReading?, _ observer: ImportObserver
  ) throws(ImportError) -> (
    result: ImportResult, document: GeoJSONDocument, firstMetres: Position?
  ) {
    var pass = FeaturePass(
      bytes, source: source, options: options,
      fields: FeatureFields(options, areStored: stored?.tellAnnotations ?? false), plane: plane,
      recordsBefore: recordsBefore, observer: observer)
    pass.problems = problems
    var kept = KeptRecords(in: text)
    let document: GeoJSONDocument
    do throws(GeoJSONError) {
      document = try GeoJSONReader(framing: framing).scan(bytes) { record in
        if pass.keeps(record) { kept.append(record.byteRange) }
        return .readOn
      }
    } catch {
      throw ImportError(source, reading: error)
    }
    try pass.finish()
    var members = stored?.members ?? document.foreignMembers
    // The kept positions are on WGS 84.
    if plane != nil { members["crs"] = nil }
    return (pass.result(kept, members: members), document, pass.firstMetres)
  }

  /// Whether the text may have a member `crs` before or after the features.
  private static func mayDeclareCRS(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let reach = 1 << 16
    let name = Array("\"crs\"".utf8)
    func holds(_ part: Range<Int>) -> Bool {
      guard part.count >= name.count else { return false }
      return (part.lowerBound...part.upperBound - name.count).contains { start in
        bytes[start] == name[0] && bytes[start..<start + name.count].elementsEqual(name)
      }
    }
    return holds(0..<min(reach, bytes.count)) || holds(max(0, bytes.count - reach)..<bytes.count)
  }
}

extension ImportReport {
  /// Whether more records were valid degrees than were not, inside or outside the region.
  fileprivate var isMostlyDegrees: Bool {
    let elsewhere = rejected["outside-region", default: 0] + rejected["null-island", default: 0]
    return placed + elsewhere >= rejectedCount - elsewhere
  }
}

/// The CRS that a text of the older GeoJSON of 2008 declares, if it is not WGS 84.
private struct DeclaredCRS {
  /// Its name; nil if the text links to it, or says anything else.
  let name: String?
  /// The name, or what the text says in its place.
  let text: String
  /// Whether it is declared for all records, not in one of several.
  let isOfAll: Bool

  init?(_ document: GeoJSONDocument) {
    let common = document.foreignMembers["crs"]
    let isCommon = common?.isForeignCRS == true
    guard let crs = isCommon ? common : document.firstCRS else { return nil }
    name = crs.crsName
    text = crs.crsText
    isOfAll = isCommon || document.recordCount == 1
  }
}
