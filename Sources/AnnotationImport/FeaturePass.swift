import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// The pass over the features of one source, and its results so far.
struct FeaturePass {
  var tally: SourceTally
  /// Known problems of records, by number, before they are judged.
  var problems: [Int: RowProblem] = [:]
  /// Whether some features were lines, areas or several points.
  private var hasShapes = false
  private let fields: FeatureFields

  private let options: ImportOptions
  private let isStored: Bool
  private let plane: PlaneReading?
  /// The first position of the first feature with unexpected meters.
  private(set) var firstMetres: Position?
  private var ids = SeenIDs()
  /// The names of the properties so far.
  private var propertyNames = SeenNames()
  /// The number of kept features with an id.
  private var named = 0
  /// The properties that options name and no feature has had so far.
  private var unseenFields: [(name: String, option: String)]
  private var firstPropertyNames: [String] = []
  /// Writes the features of records of other formats.
  private var writer = JSONWriter()

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, source: String, options: ImportOptions,
    fields: FeatureFields, plane: PlaneReading?, recordsBefore: Int? = nil, observer: ImportObserver
  ) {
    self.plane = plane
    self.options = options
    tally = SourceTally(
      bytes, source: source, recordsBefore: recordsBefore ?? 0, observer: observer)
    isStored = recordsBefore != nil
    self.fields = fields
    unseenFields = options.namedFields
  }

  /// Judges a record, and returns whether it became a row.
  mutating func keeps(_ record: ScannedRecord) -> Bool {
    let rowsBefore = tally.latitudes.count
    tally.report.records += 1
    if let problem = problems[record.number] {
      reject(record, problem)
    } else {
      switch record.feature {
      case .success(let feature): judge(feature, record)
      case .failure(let error):
        reject(record, .feature(code: error.code, message: error.message), line: error.line)
      }
    }
    tally.advance(to: record.byteRange.upperBound)
    return tally.latitudes.count > rowsBefore
  }

  /// Writes the feature of a record of another format, judges it as it is read again, and returns
  /// whether it became a row, which is kept on the line of its record.
  @discardableResult
  mutating func keeps(
    _ feature: Feature, record number: Int, at byteRange: Range<Int>, line: Int,
    in kept: inout KeptRecords
  ) -> Bool {
    writer.removeAll()
    writer.feature(feature)
    // Before the next feature.
    writer.endLine()
    let text = writer.bytes
    var isKept = false
    func judge(_ feature: Result<ScannedFeature, GeoJSONError>) {
      isKept = keeps(
        ScannedRecord(number: number, feature: feature, byteRange: byteRange, line: line))
    }
    text.withUnsafeBufferPointer { text in
      do throws(GeoJSONError) {
        try GeoJSONReader(framing: .document).scan(text) { scanned in
          judge(scanned.feature)
          return .stop
        }
      } catch {
        judge(.failure(error))
      }
    }
    if isKept { kept.append(text.dropLast(), line: line) }
    return isKept
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
      tally.report.unplaced += 1
      return keep(feature, record, .nan, .nan)
    }
    let (north, east) = (coordinate.latitude, coordinate.longitude)
    if Coordinate.isNullIsland(north, east), let geometry,
      geometry.isWrittenAt({ Coordinate.isNullIsland($0.latitude, $0.longitude) })
    {
      guard options.allowsNullIsland else {
        return reject(
          record, .nullIsland(latitude: plainDecimal(north), longitude: plainDecimal(east)))
      }
      tally.warnOfNullIsland(north, east, line: record.line)
    }
    if let region = options.region, let problem = RowChecks.outside(region, north, east) {
      return reject(record, problem)
    }
    if let plane { tally.warnIfOutside(plane, coordinate, line: record.line, check: "`crs`") }
    if let geometry, geometry.runsPastAntimeridian {
      tally.warn(
        "lon-wrapped", line: record.line,
        "this \(geometry.type) runs on past ±180°; read as crossing the antimeridian "
          + "(RFC 7946 says to cut shapes there)")
    }
    if let geometry { judgeShape(geometry, record) }
    tally.report.placed += 1
    keep(feature, record, north, east)
  }

  /// Warns of flaws of a line or an area, with how it was read.
  private mutating func judgeShape(_ geometry: Geometry, _ record: ScannedRecord) {
    if geometry.isPoint { return }
    hasShapes = true
    guard options.takesShapesForPoints != true, let read = try? geometry.groundShape() else {
      return
    }
    for problem in read.problems {
      tally.warn(problem.code, line: record.line, "\(problem); its ring is taken for a line")
    }
    // Once for each record, since warnings count records.
    var told: Set<String> = []
    for polygon in read.shape.area.polygons {
      for flaw in polygon.flaws where told.insert(flaw.code).inserted {
        tally.warn(flaw.code, line: record.line, flaw.description)
      }
    }
    if record.closedRings > 0 {
      tally.warn(
        "polygon-open", line: record.line,
        "\(record.closedRings == 1 ? "a ring does" : "\(record.closedRings) rings do") not end where it starts; "
          + "closed by an edge to the start")
    }
  }

  private mutating func keep(
    _ feature: ScannedFeature, _ record: ScannedRecord, _ north: Double, _ east: Double
  ) {
    tally.keep(north, east)
    propertyNames.read(feature)
    if !unseenFields.isEmpty { lookForFields(in: feature) }
    if let id = fields.id(of: feature).map({ AnnotationID($0) }) {
      named += 1
      if !ids.insert(id) {
        tally.warn(
          "duplicate-id", line: record.line, "id \(id) was already used; both features are kept")
      }
    } else {
      tally.countUnnamed(line: record.line)
    }
    tally.warn(of: fields.validDates(of: feature), line: record.line)
  }

  private mutating func lookForFields(in feature: ScannedFeature) {
    let names = feature.propertyNames
    if firstPropertyNames.isEmpty { firstPropertyNames = names }
    let lowercased = Set(names.map { $0.lowercased() })
    unseenFields.removeAll { lowercased.contains($0.name.lowercased()) }
  }

  private mutating func reject(
    _ record: ScannedRecord, _ problem: RowProblem, line: Int? = nil
  ) {
    tally.reject(
      problem, record: record.number, line: line ?? record.line, record.byteRange)
  }

  // MARK: The end

  /// The origin of the features' ids.
  private var naming: RecordNaming { RecordNaming(named: named, unnamed: tally.unnamed.count) }

  /// What is said of a source without records.
  static let emptyRemark = "a collection without features; add some"

  /// Ends the pass, once all features were judged.
  ///
  /// - Parameter emptyRemark: For a source without records.
  /// - Throws: If an option names a property that no feature has, as for a missing column.
  mutating func finish(
    _ emptyRemark: String = FeaturePass.emptyRemark
  ) throws(ImportError) {
    tally.finish(haveIDs: naming == .mixed, emptyRemark: emptyRemark)
    if let field = unseenFields.first, named + tally.unnamed.count > 0 {
      throw ImportError(
        tally.source,
        .unknownField(field.name, option: field.option, columns: firstPropertyNames))
    }
    if let plane { tally.report.remarks.append(plane.remark(tally.source)) }
  }

  /// The result of a source that is one table, once the pass has ended.
  func result(_ records: KeptRecords, members: Properties = Properties()) -> ImportResult {
    let table = table(records, tally, members: members, defaultKind: options.defaultKind)
    return ImportResult(annotations: ImportedAnnotations(table), report: tally.report)
  }

  /// A table of features, once the pass has ended.
  ///
  /// - Parameter tally: Of the rows of this table.
  func table(
    _ records: KeptRecords, _ tally: SourceTally, members: Properties, defaultKind: AnnotationKind?
  ) -> SourceTable {
    SourceTable(
      source: tally.source, latitudes: tally.latitudes, longitudes: tally.longitudes,
      numbering: tally.numbering, idsAscend: naming != .mixed && ids.ascend,
      defaultKind: defaultKind,
      rows: .features(
        FeatureRows(
          records, fields: fields, naming: naming, collectionMembers: members, plane: plane,
          hasShapes: hasShapes && options.takesShapesForPoints != true, arePoints: !hasShapes,
          columns: propertyNames.names)), isStored: isStored)
  }
}

/// The ids of the features of a source so far.
struct SeenIDs {
  /// Whether each is at least the one before it.
  private(set) var ascend = true
  private var last: AnnotationID?
  /// All of them while each is above the one before it: then none repeats, and none has to be looked for.
  private var ascending: [AnnotationID] = []
  private var all: Set<AnnotationID>?

  /// Adds an id; returns whether it is new.
  mutating func insert(_ id: AnnotationID) -> Bool {
    let isAbove = last.map { $0 < id } ?? true
    if !isAbove, let last, id < last { ascend = false }
    last = id
    if all == nil {
      if isAbove {
        ascending.append(id)
        return true
      }
      all = Set(ascending)
      ascending = []
    }
    return all?.insert(id).inserted ?? true
  }
}

/// The names of the properties of the features of a source so far.
struct SeenNames {
  /// Each once, in the order in which they first appear; repeated names of one feature are numbered.
  private(set) var names: [String] = []
  private var known: Set<ExactText> = []
  /// The lists of names that were read, by their hashes: most features have one of a few.
  private var lists: Set<Int> = []
  private var last: ScannedFeature.NamesMark?

  mutating func read(_ feature: ScannedFeature) {
    let mark = feature.namesMark
    guard mark != last else { return }
    last = mark
    guard lists.insert(feature.namesHash).inserted else { return }
    for name in KnownNames.distinct(feature.propertyNames)
    where known.insert(ExactText(name)).inserted {
      names.append(name)
    }
  }
}

extension Geometry {
  /// Whether all positions are 0,0, and there are some.
  ///
  /// True for a point, and for a geometry that only repeats that position. A shape that is elsewhere,
  /// too, does not count: no device sent it because it had no fix.
  ///
  /// - Parameter isNull: Whether a position is 0,0 in the numbers of the source.
  /// - Complexity: O(1) for a shape that begins elsewhere.
  fileprivate func isWrittenAt(_ isNull: (Position) -> Bool) -> Bool {
    !isEmpty && !contains { !isNull($0) }
  }
}

/// The kept records of a source, most often features: a text that has them, and where each is.
struct KeptRecords: Sendable {
  private(set) var bytes: [UInt8]
  private(set) var starts = RowOffsets()
  private(set) var ends = RowOffsets()
  /// The last line of those that are written here.
  private var line = 1

  /// - Parameter bytes: A source that has the records; empty if they are written here.
  init(in bytes: [UInt8] = []) { self.bytes = bytes }

  /// Makes the record of a whole text.
  init(only text: [UInt8]) {
    self.init(in: text)
    append(0..<text.count)
  }

  /// Keeps a record that is in the bytes.
  mutating func append(_ range: Range<Int>) {
    starts.append(range.lowerBound)
    ends.append(range.upperBound)
  }

  /// Keeps a text, which is written on that line.
  mutating func append(_ text: ArraySlice<UInt8>, line: Int) {
    bytes.append(contentsOf: repeatElement(UInt8.lineFeed, count: max(0, line - self.line)))
    self.line = max(line, self.line)
    let start = bytes.count
    bytes += text
    append(start..<bytes.count)
  }

  /// Some of the records, ascending.
  func keeping(_ rows: [Int]) -> KeptRecords {
    var kept = self
    kept.starts = starts.keeping(rows)
    kept.ends = ends.keeping(rows)
    return kept
  }
}
