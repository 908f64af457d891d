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
  ///   - unnamed: How many records have no id among others with one, and the line of the first.
  ///   - emptyRemark: What to say of a source without records.
  mutating func finish(unnamed: (count: Int, line: Int), emptyRemark: String) {
    if unnamed.count > 0 {
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
