import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// One reading of a GeoJSON source: each feature is judged once, and for a good one its range and
/// its representative position are kept.
struct GeoJSONImport {
  private let text: [UInt8]
  private let source: String
  private let framing: GeoJSONReader.Framing
  private let options: ImportOptions
  /// Known problems of records, by number, before they are read.
  var problems: [Int: RowProblem] = [:]
  /// What the text was made of; nil for a file.
  var stored: StoredFeatures?
  /// The number of records of the same source before these.
  var recordsBefore = 0
  /// The remark for a source without records; nil for the one for collections.
  var emptyRemark: String?

  init(
    _ text: [UInt8], source: String, framing: GeoJSONReader.Framing, options: ImportOptions
  ) {
    self.text = text
    self.source = source
    self.framing = framing
    self.options = options
  }

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    try text.withUnsafeBufferPointer { (bytes) throws(ImportError) -> ImportResult in
      switch options.crs {
      case .wgs84:
        return try read(bytes, by: nil, observer).result
      case .transformed(let name, let transform):
        let plane = PlaneReading(name: name, transform: transform)
        return try read(bytes, by: plane, observer).result
      case .declared:
        if GeoJSONImport.mayDeclareCRS(bytes) { return try readAsDeclared(bytes, observer) }
        let reading = try read(bytes, by: nil, observer)
        try checkForDegrees(reading.result.report, reading.firstMetres)
        return reading.result
      }
    }
  }

  /// Reads a text that may name a CRS before or after its features: once as degrees, and again if
  /// it does.
  private func readAsDeclared(
    _ bytes: UnsafeBufferPointer<UInt8>, _ observer: ImportObserver
  ) throws(ImportError) -> ImportResult {
    var rejected: [RejectedRecord] = []
    let keepsRejects = observer.onReject != nil
    var (result, document, firstMetres) = try read(
      bytes, by: nil,
      ImportObserver(
        onReject: keepsRejects ? { rejected.append($0) } : nil, onProgress: observer.onProgress,
        hasSourceOffsets: observer.hasSourceOffsets))
    if let name = document.declaredCRS {
      let reason: String
      switch declaredTransform(name) {
      case .success(let transform):
        if transform.startsFromDegrees || !result.report.isMostlyDegrees {
          return try read(
            bytes, by: PlaneReading(name: name, transform: transform), observer
          ).result
        }
        reason = "but its numbers are degrees"
      case .failure(let error):
        reason = "which is not supported (\(error))"
      }
      result.report.countWarning(
        "crs-declared",
        example: "\(source): it declares the CRS \(name), \(reason); it is read as degrees on "
          + "WGS 84, as RFC 7946 says; say `crs` EPSG:n if it means another")
    }
    for record in rejected { observer.onReject?(record) }
    try checkForDegrees(result.report, firstMetres)
    return result
  }

  /// Throws if no feature has degrees and most have meters.
  private func checkForDegrees(
    _ report: ImportReport, _ first: Position?
  ) throws(ImportError) {
    guard report.placed == 0, let first, report.rankedReasons.first?.code == "crs-unknown" else {
      return
    }
    throw ImportError(
      source,
      .notDegrees(
        first: plainDecimal(first.longitude), second: plainDecimal(first.latitude),
        candidates: CRSCandidates(x: first.longitude, y: first.latitude).description),
      report: report)
  }

  private func declaredTransform(
    _ name: String
  ) -> Result<any CoordinateTransform, CRSError> {
    do throws(CRSError) { return .success(try options.transformNamed(name)) } catch {
      return .failure(error)
    }
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
    let document: GeoJSONDocument
    do throws(GeoJSONError) {
      document = try GeoJSONReader(framing: framing).scan(bytes) { record in
        pass.judge(record)
        return .readOn
      }
    } catch {
      throw ImportError(
        source,
        error.code == "empty-input"
          ? .empty : .geoJSON(code: error.code, message: error.description))
    }
    pass.finish(emptyRemark)
    try pass.checkForUnknownFields()
    var members = stored?.members ?? document.foreignMembers
    if let plane {
      pass.report.remarks.append(plane.remark(source))
      // The kept positions are on WGS 84.
      members["crs"] = nil
    }
    let rows = FeatureRows(
      bytes: text, starts: pass.starts, ends: pass.ends, fields: pass.fields, naming: pass.naming,
      collectionMembers: members, plane: plane,
      hasShapes: pass.hasShapes && !options.takesShapesForPoints, arePoints: !pass.hasShapes,
      columns: pass.propertyNames.names)
    let table = SourceTable(
      source: source, latitudes: pass.latitudes, longitudes: pass.longitudes,
      numbering: pass.numbering, idsAscend: pass.idsAscend, defaultKind: options.defaultKind,
      rows: .features(rows))
    return (
      ImportResult(annotations: ImportedAnnotations(table), report: pass.report), document,
      pass.firstMetres
    )
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

/// The pass over the features of one source, and its results so far.
struct FeaturePass {
  var report = ImportReport()
  /// Known problems of records, by number, before they are judged.
  var problems: [Int: RowProblem] = [:]
  var latitudes: [Double] = []
  var longitudes: [Double] = []
  /// Whether some features were lines, areas or several points.
  private(set) var hasShapes = false
  var starts = RowOffsets()
  var ends = RowOffsets()
  var numbering: RecordNumbering
  let fields: FeatureFields

  private let bytes: UnsafeBufferPointer<UInt8>
  private let source: String
  private let options: ImportOptions
  private let plane: PlaneReading?
  /// The first position of the first feature with unexpected meters.
  private(set) var firstMetres: Position?
  private let recordsBefore: Int
  private let observer: ImportObserver
  private var ids = SeenIDs()
  /// The names of the properties so far.
  private(set) var propertyNames = SeenNames()
  /// The numbers of kept features with and without an id, and the line of the first without one.
  private var named = 0
  private var unnamed = 0
  private var firstUnnamedLine = 0
  private var nextProgress = 1 << 20
  /// The properties that options name and no feature has had so far.
  private var unseenFields: [(name: String, option: String)]
  private var firstPropertyNames: [String] = []

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, source: String, options: ImportOptions,
    fields: FeatureFields, plane: PlaneReading?, recordsBefore: Int = 0, observer: ImportObserver
  ) {
    self.recordsBefore = recordsBefore
    numbering = RecordNumbering(first: recordsBefore + 1)
    self.plane = plane
    self.bytes = bytes
    self.source = source
    self.options = options
    self.observer = observer
    self.fields = fields
    let idField = options.idField == ImportOptions.recordNumberField ? nil : options.idField
    let nameFields = options.nameField.map { NameTemplate($0)?.fields ?? [$0] } ?? []
    unseenFields =
      [
        (idField, "idField"), (options.kindField, "kindField"),
        (options.hoursField, "hoursField"),
      ].compactMap { name, option in name.map { ($0, option) } }
      + nameFields.map { ($0, "nameField") }
  }

  mutating func judge(_ record: ScannedRecord) {
    report.records += 1
    switch record.feature {
    case _ where problems[record.number] != nil:
      if let problem = problems[record.number] { reject(record, problem) }
    case .success(let feature): judge(feature, record)
    case .failure(let error):
      reject(record, .feature(code: error.code, message: error.message), line: error.line)
    }
    if record.byteRange.upperBound >= nextProgress {
      observer.onProgress?(record.byteRange.upperBound, bytes.count)
      nextProgress = record.byteRange.upperBound + 1 << 20
    }
  }

  /// Takes the rows so far and their numbering; the next row starts another table.
  mutating func takeRows() -> (
    latitudes: [Double], longitudes: [Double], numbering: RecordNumbering
  ) {
    defer {
      latitudes = []
      longitudes = []
      starts = RowOffsets()
      ends = RowOffsets()
      numbering = RecordNumbering(first: report.records + 1)
    }
    return (latitudes, longitudes, numbering)
  }

  /// Judges a record, and returns whether it became a row.
  mutating func keeps(_ record: ScannedRecord) -> Bool {
    let rowsBefore = latitudes.count
    judge(record)
    return latitudes.count > rowsBefore
  }

  /// A null or empty geometry is valid and unplaced, even in a strict import.
  private mutating func judge(_ feature: ScannedFeature, _ record: ScannedRecord) {
    var geometry = feature.geometry
    if let plane, let planar = geometry {
      if !options.allowsNullIsland,
        planar.isWrittenAt({ plane.isOrigin(x: $0.longitude, y: $0.latitude) })
      {
        return reject(record, .nullIsland(latitude: "0", longitude: "0"))
      }
      do throws(CRSError) { geometry = try planar.transformed(by: plane) } catch {
        return reject(record, .crs(error))
      }
    }
    let coordinate: Coordinate?
    do throws(CoordinateError) {
      coordinate = try geometry?.representativePoint()
    } catch {
      let problem = RowChecks.problem(with: error, of: geometry)
      if case .notDegrees = problem, firstMetres == nil { firstMetres = geometry?.firstPosition }
      return reject(record, problem)
    }
    guard let coordinate else {
      report.unplaced += 1
      return keep(feature, record, .nan, .nan)
    }
    let (north, east) = (coordinate.latitude, coordinate.longitude)
    if RowChecks.isNullIsland(north, east), let geometry,
      geometry.isWrittenAt({ RowChecks.isNullIsland($0.latitude, $0.longitude) })
    {
      guard options.allowsNullIsland else {
        return reject(
          record, .nullIsland(latitude: plainDecimal(north), longitude: plainDecimal(east)))
      }
      warn(
        "null-island", record,
        "\(plainDecimal(north)),\(plainDecimal(east)) is what devices send when they have no fix; kept, as asked"
      )
    }
    if let region = options.region, let problem = RowChecks.outside(region, north, east) {
      return reject(record, problem)
    }
    if let plane, plane.isFarOutside(coordinate) {
      warn(
        "crs-area", record,
        "\(coordinate) is more than 100 km from where \(plane.name) is used; check `crs`")
    }
    if let geometry, geometry.runsPastAntimeridian {
      warn(
        "lon-wrapped", record,
        "this \(geometry.type) runs on past ±180°; read as crossing the antimeridian "
          + "(RFC 7946 says to cut shapes there)")
    }
    if let geometry { judgeShape(geometry, record) }
    report.placed += 1
    keep(feature, record, north, east)
  }

  /// Warns of flaws of a line or an area, with how it was read.
  private mutating func judgeShape(_ geometry: Geometry, _ record: ScannedRecord) {
    if case .point = geometry { return }
    hasShapes = true
    guard !options.takesShapesForPoints, let read = try? geometry.groundShape() else { return }
    for problem in read.problems {
      warn(problem.code, record, "\(problem); its ring is taken for a line")
    }
    // Once for each record, since warnings count records.
    var told: Set<String> = []
    for polygon in read.shape.area.polygons {
      for flaw in polygon.flaws where told.insert(flaw.code).inserted {
        warn(flaw.code, record, flaw.description)
      }
    }
    if record.closedRings > 0 {
      warn(
        "polygon-open", record,
        "\(record.closedRings == 1 ? "a ring does" : "\(record.closedRings) rings do") not end where it starts; "
          + "closed by an edge to the start")
    }
  }

  private mutating func keep(
    _ feature: ScannedFeature, _ record: ScannedRecord, _ north: Double, _ east: Double
  ) {
    latitudes.append(north)
    longitudes.append(east)
    propertyNames.read(feature)
    starts.append(record.byteRange.lowerBound)
    ends.append(record.byteRange.upperBound)
    if !unseenFields.isEmpty { lookForFields(in: feature) }
    if let id = fields.id(of: feature).map({ AnnotationID($0) }) {
      named += 1
      if !ids.insert(id) {
        warn("duplicate-id", record, "id \(id) was already used; both features are kept")
      }
    } else {
      unnamed += 1
      if unnamed == 1 { firstUnnamedLine = record.line + recordsBefore }
    }
    if let problem = fields.validDates(of: feature).problem {
      warn("valid-dates", record, "\"\(problem)\" is not used; write dates as 2026-01-31, in order")
    }
  }

  private mutating func lookForFields(in feature: ScannedFeature) {
    let names = feature.propertyNames
    if firstPropertyNames.isEmpty { firstPropertyNames = names }
    let lowercased = Set(names.map { $0.lowercased() })
    unseenFields.removeAll { lowercased.contains($0.name.lowercased()) }
  }

  /// Throws if an option names a property that no feature has, as for a missing column.
  func checkForUnknownFields() throws(ImportError) {
    guard let field = unseenFields.first, named + unnamed > 0 else { return }
    throw ImportError(
      source, .unknownField(field.name, option: field.option, columns: firstPropertyNames))
  }

  private mutating func warn(
    _ code: String, _ record: ScannedRecord, _ message: @autoclosure () -> String
  ) {
    report.countWarning(
      code, example: "\(source):\(record.line + recordsBefore): \(message())")
  }

  private mutating func reject(
    _ record: ScannedRecord, _ problem: RowProblem, line: Int? = nil
  ) {
    numbering.skip(afterRows: latitudes.count)
    let rejected = RejectedRecord(
      source: source, record: record.number + recordsBefore,
      line: (line ?? record.line) + recordsBefore,
      byteOffset: observer.hasSourceOffsets ? record.byteRange.lowerBound : nil, problem: problem,
      bytes: observer.onReject == nil ? [] : Array(bytes[record.byteRange]))
    report.countRejected(problem.code, example: rejected.sentence)
    observer.onReject?(rejected)
  }

  /// The origin of the features' ids, once all were judged.
  var naming: RecordNaming { RecordNaming(named: named, unnamed: unnamed) }

  /// Whether ids ascend, once all features were judged.
  var idsAscend: Bool { naming != .mixed && ids.ascend }

  mutating func finish(_ emptyRemark: String? = nil) {
    if naming == .mixed {
      report.countWarning(
        "no-id", times: unnamed,
        example: "\(source):\(firstUnnamedLine): \(ContentID.remark)")
    }
    if report.records == 0 {
      report.countWarning(
        "empty-input",
        example: "\(source): \(emptyRemark ?? "a collection without features; add some")")
    }
    observer.onProgress?(bytes.count, bytes.count)
  }
}

extension ImportReport {
  /// Whether more records were valid degrees than were not, inside or outside the region.
  fileprivate var isMostlyDegrees: Bool {
    let elsewhere = rejected["outside-region", default: 0] + rejected["null-island", default: 0]
    return placed + elsewhere >= rejectedCount - elsewhere
  }
}

extension GeoJSONDocument {
  /// The CRS named in a text of the older GeoJSON of 2008, if it is not WGS 84.
  fileprivate var declaredCRS: String? {
    guard case .object(let crs)? = foreignMembers["crs"],
      case .object(let properties)? = crs["properties"], let name = properties["name"]?.text
    else { return nil }
    let isWGS84 = name.hasSuffix("CRS84") || name.hasSuffix(":4326") || name.hasSuffix("/4326")
    return isWGS84 ? nil : name
  }
}
