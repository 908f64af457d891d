import AnnotationImport
import BusinessHours
import Geodesy
import LocationFiltering

/// Makes fixes from rows: the log of a phone or a data logger.
struct TrackLog {
  private let options: TrackOptions
  private var dialect = DelimitedDialect()
  private var columns: Columns?
  /// The number of rows before the header.
  private var preambleCount = 0
  /// Why the first of them is not a header.
  private var refusal: TrackError?
  /// A row with an open quote, and the line where it began.
  private var open: (line: Int, bytes: [UInt8])?
  /// Whether a time of day was a number of hours, minutes and seconds.
  private var hasPackedTimes = false

  /// The maximum number of rows before the header.
  private static let preambleLimit = 20

  init(_ options: TrackOptions) { self.options = options }

  private struct Columns {
    let count: Int
    let position: PositionColumns
    let time, date, accuracy, elevation, speed, simulated: Int?
    /// Whether the name of the times, or of their days, says that they are in UTC.
    let timesAreUTC: Bool
  }

  /// The fixes of a line: none for the header, an empty line and a row that continues; several where the quote of a row
  /// that was to continue has not closed.
  mutating func points(_ line: [UInt8], number: Int) throws(TrackError) -> [TrackPoint] {
    let line = number == 1 ? Array(line.withoutByteOrderMark) : line
    let dialect = columns == nil ? dialect(for: line) : dialect
    let isOpen = isOpen(behind: line, dialect)
    if open == nil {
      open = (number, line)
    } else {
      // It grows in place, since it may have many lines.
      open?.bytes.append(0x0A)
      open?.bytes.append(contentsOf: line)
    }
    guard let row = open, !isOpen || row.bytes.count >= 1 << 16 else { return [] }
    open = nil
    return try points(of: row, dialect)
  }

  /// Whether the row is open behind a line of it: a quote that began a cell has not closed.
  private func isOpen(behind line: [UInt8], _ dialect: DelimitedDialect) -> Bool {
    guard let quote = dialect.quote, line.contains(quote) else { return open != nil }
    // A line that continues a row begins within its quotes.
    return (open == nil ? line : [quote] + line).withUnsafeBufferPointer {
      var reader = DelimitedReader($0, dialect: dialect)
      guard let record = reader.next() else { return false }
      return record.unclosedQuoteLine != nil && !record.hasTextAfterQuote
    }
  }

  /// The remaining fixes at the end of the text.
  ///
  /// - Throws: `TrackError` if no row names the columns of the position.
  mutating func finish() throws(TrackError) -> [TrackPoint] {
    if columns == nil, let refusal { throw refusal }
    guard let row = open else { return [] }
    open = nil
    return try points(of: row, dialect)
  }

  /// The fixes of a row; of one whose quote never closes, those of its lines, of which the first is damaged.
  private mutating func points(
    of row: (line: Int, bytes: [UInt8]), _ dialect: DelimitedDialect
  ) throws(TrackError) -> [TrackPoint] {
    guard row.bytes.contains(0x0A), TrackLog.cells(row.bytes, dialect) == nil else {
      return try point(ofRow: row).map { [$0] } ?? []
    }
    var points: [TrackPoint] = []
    let lines = row.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (place, line) in lines.enumerated() {
      if let point = try point(ofRow: (row.line + place, Array(line))) { points.append(point) }
    }
    return points
  }

  /// The fix of a row; nil for the header, an empty line and a row whose cells are all empty.
  private mutating func point(
    ofRow row: (line: Int, bytes: [UInt8])
  ) throws(TrackError) -> TrackPoint? {
    guard row.bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
    if columns == nil {
      try readHeader(row)
      guard columns != nil, !options.hasHeader else { return nil }
    }
    return point(of: row)
  }

  // MARK: The header

  private mutating func readHeader(_ row: (line: Int, bytes: [UInt8])) throws(TrackError) {
    guard String(validating: row.bytes, as: UTF8.self) != nil else {
      throw TrackError(
        "encoding",
        "\(options.source):\(row.line): line \(row.line) is not UTF-8; save the track as UTF-8 "
          + "(iconv -f \(TrackLog.encoding(row.bytes)) -t utf-8)")
    }
    let dialect = dialect(for: row.bytes)
    var cells = TrackLog.cells(row.bytes, dialect) ?? []
    if !options.hasHeader { cells = cells.indices.map { String($0 + 1) } }
    let isNamed = options.latitudeField != nil || options.longitudeField != nil
    let names = cells.map(FieldNames.plain)
    func first(of known: [String]) -> Int? {
      known.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    func column(_ chosen: String?, _ option: String) throws(ImportError) -> Int? {
      guard let chosen else { return nil }
      if let place = PositionColumns.place(of: chosen, in: cells) { return place }
      throw ImportError(options.source, .unknownField(chosen, option: option, columns: cells))
    }
    do throws(ImportError) {
      let position = try PositionColumns(
        cells, latitudeField: options.latitudeField, longitudeField: options.longitudeField,
        source: options.source)
      self.dialect = dialect
      let time = try column(options.timeField, "timeField") ?? first(of: FieldNames.time)
      let date = first(of: FieldNames.date)
      columns = Columns(
        count: cells.count, position: position, time: time, date: date,
        accuracy: try column(options.accuracyField, "accuracyField")
          ?? first(of: FieldNames.accuracy),
        elevation: first(of: FieldNames.elevation), speed: first(of: FieldNames.speed),
        simulated: first(of: FieldNames.simulated),
        timesAreUTC: [time, date].contains { $0.map { FieldNames.saysUTC(cells[$0]) } ?? false })
    } catch {
      preambleCount += 1
      if refusal == nil { refusal = TrackError(error) }
      let mayFollow = options.hasHeader && preambleCount < TrackLog.preambleLimit
      if case .noCoordinateFields = error.reason, mayFollow { return }
      if case .unknownField = error.reason, mayFollow, isNamed { return }
      // Where no row of many is a header, the first is what somebody takes for one.
      if preambleCount >= TrackLog.preambleLimit, let refusal { throw refusal }
      throw TrackError(error)
    }
  }

  /// The encoding that a byte order mark names; cp949 without one, which is the most frequent.
  private static func encoding(_ bytes: [UInt8]) -> String {
    let marks: [[UInt8]] = [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]]
    if marks.contains(where: { bytes.starts(with: $0) }) { return "utf-32" }
    return TextEncoding.marked(in: bytes) == nil ? "cp949" : "utf-16"
  }

  private func dialect(for bytes: [UInt8]) -> DelimitedDialect {
    bytes.withUnsafeBufferPointer { DelimitedDialect().withDelimiter(guessedFrom: $0) }
  }

  // MARK: Rows

  /// The cells of a row as text; nil if a quote is never closed.
  private static func cells(_ bytes: [UInt8], _ dialect: DelimitedDialect) -> [String]? {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect)
      guard let record = reader.next(), record.unclosedQuoteLine == nil else { return nil }
      return reader.cells.map { trimmed(reader.text($0)) }
    }
  }

  private mutating func point(of row: (line: Int, bytes: [UInt8])) -> TrackPoint? {
    guard let columns else { return nil }
    guard let cells = TrackLog.cells(row.bytes, dialect) else {
      return TrackPoint(
        TrackProblem(.rowQuote, "a quote of it never closes, or text follows it"), line: row.line)
    }
    // Spreadsheets leave such rows below a table.
    if cells.allSatisfy(\.isEmpty) { return nil }
    let needed = max(columns.position.latitude, columns.position.longitude)
    guard cells.count > needed else {
      return TrackPoint(
        TrackProblem(
          .rowFields, "it has \(grouped(cells.count, "cell")), the header \(columns.count)"),
        line: row.line)
    }
    func text(_ column: Int?) -> String? {
      guard let column, cells.indices.contains(column), !cells[column].isEmpty else { return nil }
      return cells[column]
    }
    let day = text(columns.date)
    let time = text(columns.time)
    if let day, let time, TrackTime.isPacked(time, beside: day) { hasPackedTimes = true }
    let read = TrackTime.read(day: day, time: time, arePacked: hasPackedTimes)
    var point = TrackPoint(
      time: (
        read?.by(columns.timesAreUTC ? FieldNames.utc : options.zone),
        read == nil ? TrackTime.text(day, time) : nil
      ),
      accuracy: text(columns.accuracy), speed: text(columns.speed),
      isSimulated: text(columns.simulated),
      elevation: text(columns.elevation).flatMap(finiteNumber), line: row.line)
    let position = columns.position.texts(text)
    point.setPosition(latitude: position.latitude, longitude: position.longitude)
    return point
  }
}

/// The known names of log fields, in the languages of the supported sources.
enum FieldNames {
  static let time = [
    "time", "timestamp", "datetime", "date_time", "utc", "utctime", "gpstime", "time_utc", "when",
    "recorded_at", "created_at", "loggedat", "timestampms", "epoch", "unixtime", "일시", "시각",
    "시간", "측정시각", "측정일시", "수집일시", "기록일시", "日時", "時刻", "時間", "測位時刻",
    "測位日時", "測定日時", "記録日時", "取得日時",
  ]
  static let date = ["date", "날짜", "일자", "日付"]
  static let accuracy = [
    "accuracy", "acc", "hacc", "horizontalaccuracy", "horizontal_accuracy", "accuracy_m",
    "accuracymeters", "gpsaccuracy", "정확도", "수평정확도", "精度", "水平精度", "測位精度",
  ]
  static let elevation = [
    "ele", "elevation", "alt", "altitude", "height", "고도", "標高", "高度",
  ]
  static let speed = ["speed", "speed_mps", "velocity", "속도", "速度"]
  static let simulated = [
    "mock", "ismock", "is_mock", "simulated", "issimulated", "isfrommockprovider",
  ]

  /// A name prepared for comparison: in lower case, without a unit in brackets.
  static func plain(_ name: String) -> String {
    let text = name.lowercased().prefix { $0 != "(" && $0 != "[" && $0 != "（" }
    let plain = trimmed(text) { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
    return String(plain.map { $0 == " " || $0 == "-" ? "_" : $0 })
  }

  static let utc = ZoneRules(fixed: 0)

  /// Whether the name of a column of times says that they are in UTC: `time_utc_iso8601`, but not `Time (UTC+9)`.
  static func saysUTC(_ name: String) -> Bool {
    let name = name.lowercased()
    let zones = name.ranges(of: "utc") + name.ranges(of: "gmt")
    return !zones.isEmpty
      && zones.allSatisfy { zone in
        name[zone.upperBound...].first { !" +-−±".contains($0) }?.isNumber != true
      }
  }

  /// Whether a text means "yes".
  static func isTrue(_ text: String) -> Bool { ["1", "true", "yes"].contains(text.lowercased()) }
}
