import Geodesy
import MapAnnotations

/// The records of a source as they are judged: where the kept ones are, and the report on all.
struct SourceTally {
  let source: String
  var report = ImportReport()
  /// Degrees; NaN for a row without a position.
  private(set) var latitudes: [Double] = []
  private(set) var longitudes: [Double] = []
  private(set) var numbering: RecordNumbering
  /// How many kept records have no id, and the line of the first.
  private(set) var unnamed = (count: 0, line: 0)
  private let recordsBefore: Int
  private let bytes: UnsafeBufferPointer<UInt8>
  private let observer: ImportObserver
  private var nextProgress: Int

  private static let progressStep = 1 << 20

  /// - Parameters:
  ///   - start: The offset of the first record.
  ///   - recordsBefore: The number of records of the same source before these; lines are counted behind them, too.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, source: String,
    recordsBefore: Int = 0, observer: ImportObserver
  ) {
    numbering = RecordNumbering(first: recordsBefore + 1)
    self.recordsBefore = recordsBefore
    self.bytes = bytes
    self.source = source
    self.observer = observer
    nextProgress = observer.onProgress == nil ? .max : start + SourceTally.progressStep
  }

  /// Reports progress if enough was read since the last time.
  @inline(__always)
  mutating func advance(to offset: Int) {
    guard offset >= nextProgress else { return }
    observer.onProgress?(offset, bytes.count)
    nextProgress = offset + SourceTally.progressStep
  }

  /// Reports that everything was read.
  ///
  /// - Parameters:
  ///   - haveIDs: Whether records have ids, so that one without is to be warned of.
  ///   - emptyRemark: What to say of a source without records.
  mutating func finish(haveIDs: Bool, emptyRemark: String) {
    if haveIDs, unnamed.count > 0 {
      warn("no-id", times: unnamed.count, line: unnamed.line, ContentID.remark)
    }
    if report.records == 0 {
      report.countWarning("empty-input", example: "\(source): \(emptyRemark)")
    }
    observer.onProgress?(bytes.count, bytes.count)
  }

  mutating func reserveCapacity(_ rows: Int) {
    latitudes.reserveCapacity(rows)
    longitudes.reserveCapacity(rows)
  }

  /// Keeps a row; NaN for both numbers if it has no position.
  @inline(__always)
  mutating func keep(_ latitude: Double, _ longitude: Double) {
    latitudes.append(latitude)
    longitudes.append(longitude)
  }

  /// Counts a kept record without an id.
  mutating func countUnnamed(line: Int) {
    if unnamed.count == 0 { unnamed.line = line }
    unnamed.count += 1
  }

  /// Forgets the rows so far: the next one starts another table.
  mutating func beginTable() {
    latitudes = []
    longitudes = []
    numbering = RecordNumbering(first: recordsBefore + report.records + 1)
  }

  mutating func countUnplaced(line: Int, _ remark: @autoclosure () -> String) {
    report.countUnplaced(example: "\(source):\(recordsBefore + line): \(remark())")
  }

  /// Counts a rejected record, and passes it on.
  mutating func reject(_ problem: RowProblem, record: Int, line: Int, _ range: Range<Int>) {
    numbering.skip(afterRows: latitudes.count)
    let rejected = RejectedRecord(
      source: source, record: recordsBefore + record, line: recordsBefore + line,
      byteOffset: observer.hasSourceOffsets ? range.lowerBound : nil, problem: problem,
      bytes: observer.onReject == nil ? [] : Array(bytes[range]))
    report.countRejected(problem.code, example: rejected.sentence)
    observer.onReject?(rejected)
  }

  // MARK: Warnings

  mutating func warn(
    _ code: String, times: Int = 1, line: Int, _ message: @autoclosure () -> String
  ) {
    report.countWarning(
      code, times: times, example: "\(source):\(recordsBefore + line): \(message())")
  }

  /// Warns of a position that was kept though it is the one of devices without a fix.
  mutating func warnOfNullIsland(_ north: Double, _ east: Double, line: Int) {
    warn(
      "null-island", line: line,
      "\(plainDecimal(north)),\(plainDecimal(east)) is what devices send when they have no fix; kept, as asked"
    )
  }

  /// Warns of a position far outside a CRS's area of use.
  ///
  /// - Parameter settings: What to check.
  mutating func warnIfOutside(
    _ plane: PlaneReading, _ coordinate: Coordinate, line: Int, check settings: StaticString
  ) {
    guard plane.isFarOutside(coordinate) else { return }
    warn(
      "crs-area", line: line,
      "\(coordinate) is more than 100 km from where \(plane.name) is used; check \(settings)")
  }

  /// Warns of valid days that cannot be used.
  mutating func warn(of dates: ValidDates, line: Int) {
    guard let problem = dates.problem else { return }
    warn(
      "valid-dates", line: line,
      "\"\(problem)\" is not used; write dates as 2026-01-31, in order")
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
