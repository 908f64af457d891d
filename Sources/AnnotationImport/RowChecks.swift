import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

// How each row is judged: by the numbers in its coordinate cells, and the position that they give;
// and the tally of all rows.

/// Judges the coordinate cells of a row; the first problem decides.
///
/// In this order: both empty, one empty, not a number, meters, out of range or swapped, null
/// island, outside the region. Nothing is corrected.
struct RowChecks {
  /// If both numbers of a pair are in this range they count as meters in a plane; it ends at half
  /// the equator's length in Web Mercator.
  private static let planeMetres = 1_000.0...20_037_508.35

  /// The SRIDs whose degrees agree with WGS 84 to a meter or two: WGS 84 itself, KGD2002, JGD2000,
  /// JGD2011, ETRS89, NAD83.
  static let sridsInDegrees: Set<Int> = [
    0, 4326, 4979, 4737, 4927, 4612, 4947, 6668, 6667, 4258, 4937, 4269,
  ]

  private let bytes: UnsafeBufferPointer<UInt8>
  private let allowsNullIsland: Bool
  private let region: Region?
  /// How the numbers become degrees; nil if they are degrees.
  var plane: PlaneReading?
  /// The decimal mark of numbers.
  var decimalMark = UInt8(ascii: ".")

  init(_ bytes: UnsafeBufferPointer<UInt8>, options: ImportOptions) {
    self.bytes = bytes
    allowsNullIsland = options.allowsNullIsland
    region = options.region
  }

  /// The number in a cell; nil if it is not a number.
  @inline(__always)
  func number(_ cell: DelimitedCell) -> Double? {
    DecimalParser.number(bytes[cell.range], mark: decimalMark)
  }

  /// The number in a text, read like a cell of the source.
  func number(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { DecimalParser.number($0[...], mark: decimalMark) }
  }

  /// The position in two cells; nil if there is none, or `problem` reports one.
  @inline(__always)
  func placed(
    latitude: DelimitedCell, longitude: DelimitedCell
  ) -> (latitude: Double, longitude: Double)? {
    guard let north = number(latitude), let east = number(longitude) else { return nil }
    return placed(north, east)
  }

  /// The position of two numbers; nil if `problem` reports one.
  @inline(__always)
  func placed(_ north: Double, _ east: Double) -> (latitude: Double, longitude: Double)? {
    var (north, east) = (north, east)
    if let plane {
      guard allowsNullIsland || !plane.isOrigin(x: east, y: north),
        let place = try? plane.coordinate(x: east, y: north)
      else { return nil }
      (north, east) = (place.latitude, place.longitude)
    }
    guard abs(north) <= 90, abs(east) <= 180,
      allowsNullIsland || !Coordinate.isNullIsland(north, east)
    else { return nil }
    if let region, !region.contains(Coordinate(unchecked: north, east)) { return nil }
    return (north, east)
  }

  /// The problem with two cells that cannot be placed; nil if both are empty or null.
  func problem(latitude: DelimitedCell, longitude: DelimitedCell) -> RowProblem? {
    let (north, east) = (number(latitude), number(longitude))
    guard let north, let east else {
      func written(_ cell: DelimitedCell) -> String? {
        RowChecks.isNull(bytes[cell.range]) ? nil : text(cell)
      }
      return .unread(
        latitude: written(latitude), longitude: written(longitude), isNumber: north != nil)
    }
    return problem(north, east, writtenIn: latitude, longitude)
  }

  /// The problem with two numbers from two cells.
  func problem(
    _ north: Double, _ east: Double, writtenIn latitude: DelimitedCell, _ longitude: DelimitedCell
  ) -> RowProblem? {
    var (north, east) = (north, east)
    if let plane {
      if !allowsNullIsland, plane.isOrigin(x: east, y: north) {
        return .nullIsland(latitude: text(latitude), longitude: text(longitude))
      }
      do throws(CRSError) {
        let place = try plane.coordinate(x: east, y: north)
        (north, east) = (place.latitude, place.longitude)
      } catch {
        return .crs(error)
      }
    }
    guard abs(north) <= 90, abs(east) <= 180 else {
      return outOfRange(north, east, text(latitude), text(longitude))
    }
    if Coordinate.isNullIsland(north, east), !allowsNullIsland {
      return .nullIsland(latitude: text(latitude), longitude: text(longitude))
    }
    return region.flatMap { RowChecks.outside($0, north, east) }
  }

  /// Two cells of which at least one is an angle with marked degrees, or a number whose signs are not plain; nil otherwise.
  ///
  /// - Returns: The numbers, or the problem if a cell names the other coordinate.
  func angles(
    latitude: DelimitedCell, longitude: DelimitedCell
  ) -> Result<(north: Double, east: Double), RowProblem>? {
    func angle(_ cell: DelimitedCell) -> (degrees: Double, axis: CoordinateAxis?, isPlain: Bool)? {
      if let number = number(cell) { return (number, nil, true) }
      let text = bytes[cell.range]
      // `37.5` with a wide blank or an invisible mark behind it, `−33.9`, `３７．５`.
      if text.count <= 64, let number = number(String(decoding: text, as: UTF8.self).plainSigns) {
        return (number, nil, false)
      }
      return AngleText(text).map { ($0.degrees, $0.axis, false) }
    }
    // One angle in a column of whole positions is none.
    guard latitude.start != longitude.start, let north = angle(latitude),
      let east = angle(longitude), !(north.isPlain && east.isPlain)
    else { return nil }
    guard north.axis != .longitude, east.axis != .latitude else {
      return .failure(
        .feature(
          code: "lat-lon-swapped",
          message:
            "latitude \(text(latitude)), longitude \(text(longitude)): by their letters these "
            + "are swapped; say which is which with `latitudeField` and `longitudeField`"))
    }
    return .success((north.degrees, east.degrees))
  }

  /// The problem with a geometry that has a position off the Earth.
  static func problem(with error: CoordinateError, of geometry: Geometry?) -> RowProblem {
    if let position = geometry?.firstPosition, planeMetres.contains(abs(position.latitude)),
      planeMetres.contains(abs(position.longitude))
    {
      return .notDegrees(latitude: "\(position.latitude)", longitude: "\(position.longitude)")
    }
    return .position(error)
  }

  /// The problem with a valid position outside a region; nil if it is inside.
  static func outside(_ region: Region, _ north: Double, _ east: Double) -> RowProblem? {
    let coordinate = Coordinate(unchecked: north, east)
    guard !region.contains(coordinate) else { return nil }
    return .outsideRegion(coordinate, region)
  }

  private func outOfRange(
    _ north: Double, _ east: Double, _ northText: String, _ eastText: String
  ) -> RowProblem {
    if RowChecks.planeMetres.contains(abs(north)), RowChecks.planeMetres.contains(abs(east)) {
      return .notDegrees(latitude: trimmed(northText), longitude: trimmed(eastText))
    }
    do throws(CoordinateError) {
      _ = try Coordinate(latitude: north, longitude: east)
    } catch .notANumber {
      // Too large for a double, so it is shown as written.
      return .position(.notANumber(north.isFinite ? eastText : northText))
    } catch {
      return .position(error)
    }
    preconditionFailure("\(north),\(east) is a legal position")
  }

  /// Whether the text of a coordinate cell is no value: empty, blank or a word for null.
  static func isNull(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let text = DecimalParser.trimmed(text)
    guard let first = text.first else { return true }
    guard text.count <= (first < 0x80 ? 12 : 64) else { return false }
    // Blanks of other widths, and marks that cannot be seen.
    return nullBytes.contains(Array(text))
      || first >= 0x80
        && nullBytes.contains(Array(trimmed(String(decoding: text, as: UTF8.self).plainSigns).utf8))
  }

  /// Whether a text has no coordinate, by the rules for cells.
  static func isNull(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isNull($0[...]) }
  }

  /// The words for null in columns of numbers, in addition to those of any column.
  private static let numberNulls = [
    "NA", "None", "none", "nil", "(null)", "--", "―", "ー", "없음", "미상", "なし", "不明", "無",
  ]
  private static let nullBytes = Set(([""] + NullText.words + numberNulls).map { Array($0.utf8) })

  /// A cell for messages, cut short if it is long.
  func text(_ cell: DelimitedCell) -> String {
    let shown = String(decoding: bytes[cell.range].prefix(64), as: UTF8.self)
    return cell.range.count > 64 ? shown + "…" : shown
  }
}

// MARK: - Numbers in cells

/// Parses decimal numbers from bytes, correctly rounded and without making strings.
///
/// The grammar is `[+-]digits[.digits][e[+-]digits]` with at least one digit before or after the
/// point, and spaces or tabs on both sides. There is no `nan`, `inf` or hexadecimal; a comma is the
/// decimal mark only if the caller says so.
package enum DecimalParser {
  /// The double nearest to the number in a text, ties to even.
  ///
  /// nil if the text is not exactly one number. A number too large for a double is infinite.
  package static func number(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, mark: UInt8 = UInt8(ascii: ".")
  ) -> Double? {
    let text = trimmed(text)
    let bytes = text.base
    var at = text.startIndex
    let end = text.endIndex
    guard at < end else { return nil }
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative || bytes[at] == UInt8(ascii: "+") { at += 1 }

    // Wraps beyond 19 digits, and is then not used.
    var digits: UInt64 = 0
    let integerStart = at
    while at < end, let digit = digitValue(bytes[at]) {
      digits = digits &* 10 &+ digit
      at += 1
    }
    var digitCount = at - integerStart
    var fractionDigits = 0
    if at < end, bytes[at] == mark {
      at += 1
      let fractionStart = at
      while at < end, let digit = digitValue(bytes[at]) {
        digits = digits &* 10 &+ digit
        at += 1
      }
      fractionDigits = at - fractionStart
      digitCount += fractionDigits
    }
    guard digitCount > 0 else { return nil }
    var exponent = 0
    if at < end {
      guard bytes[at] | 0x20 == UInt8(ascii: "e"),
        let written = DecimalNumber.exponent(bytes[(at + 1)..<end])
      else { return nil }
      exponent = written
    }
    if digitCount <= 19,
      let size = exactlyRounded(digits, timesTenTo: exponent - fractionDigits)
    {
      return isNegative ? -size : size
    }
    return Double(
      String(
        decoding: text.lazy.map { $0 == mark ? UInt8(ascii: ".") : $0 },
        as: UTF8.self))
  }

  /// Whether a byte is a space or a tab.
  package static func isBlank(_ byte: UInt8) -> Bool { byte == .space || byte == .tab }

  /// A text without the blanks at both ends.
  @inline(__always)
  static func trimmed(
    _ text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    var (start, end) = (text.startIndex, text.endIndex)
    while start < end, isBlank(text.base[start]) { start += 1 }
    while start < end, isBlank(text.base[end - 1]) { end -= 1 }
    return text[start..<end]
  }

  @inline(__always)
  private static func digitValue(_ byte: UInt8) -> UInt64? {
    let value = byte &- UInt8(ascii: "0")
    return value <= 9 ? UInt64(value) : nil
  }
}

/// A number in a cell, and its number of decimals.
struct WrittenDecimal {
  let value: Double
  let digits: Int

  /// nil if the cell is not a number.
  init?(
    _ cell: DelimitedCell, in bytes: UnsafeBufferPointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")
  ) {
    let text = bytes[cell.range]
    guard let value = DecimalParser.number(text, mark: mark) else { return nil }
    let point = text.firstIndex(of: mark) ?? text.endIndex
    self.value = value
    digits = text[point...].dropFirst().prefix { $0.isASCIIDigit }.count
  }
}

// MARK: - Tally

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
    guard plane.transform.isFarOutside(coordinate) else { return }
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
