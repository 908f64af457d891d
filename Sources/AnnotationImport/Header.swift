import Geodesy

/// The columns of a delimited source, and where its data begin.
struct Header {
  let columns: [String]
  let roles: ColumnRoles
  /// Whether a record named the columns, so that every row must have as many cells.
  let isWritten: Bool
  /// The offset of the first data record.
  let dataStart: Int
  /// The line of the first data record.
  let dataLine: Int
  /// A sentence about decisions made from data instead of names; nil if names sufficed.
  private(set) var remark: String?

  /// The number of records searched for column names; a preamble or a header of several rows may
  /// come first.
  static let recordsToLookAt = 20
  /// The number of records whose cells are examined if no names are found.
  private static let recordsToWeigh = 200

  /// Finds the header in a text, or makes numbered columns if the options say there is none.
  ///
  /// The first record that names both coordinates, and is not one of the rows, is the header.
  /// Records before it are skipped, except that they supply names for empty header cells; so are
  /// records directly after it that repeat the coordinates in another language, or give their units.
  /// If no record names them, a column of whole positions or, without any header, two columns of
  /// degrees may still be certain.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, dialect: DelimitedDialect,
    options: ImportOptions, source: String
  ) throws(ImportError) {
    func leading(_ limit: Int) -> LeadingRecords {
      LeadingRecords(bytes, from: start, dialect: dialect, atMost: limit)
    }
    let areNamed = options.latitudeField != nil || options.longitudeField != nil
    guard options.hasHeader else {
      let leadingOne = leading(1)
      guard let first = leadingOne.records.first else {
        throw ImportError(source, leadingOne.excess.map { .headerSize($0) } ?? .empty)
      }
      if !areNamed,
        let header = try Header(unnamed: leading(Header.recordsToWeigh), options, source)
      {
        self = header
        return
      }
      let columns = first.texts.indices.map { String($0 + 1) }
      let roles = try ColumnRoles(columns, options: options, source: source)
      self.init(numbered: columns, roles, from: start)
      return
    }
    let few = leading(Header.recordsToLookAt)
    var found = try Header(namingCoordinatesIn: few, options, source)
    if found == nil, !areNamed {
      let more = leading(Header.recordsToWeigh)
      found = try Header(ofPositionsIn: more, options, source)
      if found == nil { found = try Header(unnamed: more, options, source) }
    }
    if let found { self = found } else { try self.init(likeliestIn: few, options, source) }
  }

  /// The first header that names both coordinates; nil if there is none.
  private init?(
    namingCoordinatesIn few: LeadingRecords, _ options: ImportOptions, _ source: String
  ) throws(ImportError) {
    let place = few.records.indices.first { few.namesCoordinates($0, options) }
    guard let place else { return nil }
    let columns = Header.filled(few.records[place].texts, from: few.records[..<place])
    var roles = try ColumnRoles(columns, options: options, source: source)
    if roles.isPaired {
      let positions = few.positionColumns.first { $0.column == roles.latitude }
      roles.takeOrder(of: positions, named: columns[roles.latitude])
    } else if options.latitudeField == nil, options.longitudeField == nil {
      let rows = few.records[(place + 1)...]
      for (axis, column) in [
        (CoordinateAxis.latitude, roles.latitude), (.longitude, roles.longitude),
      ] where column < columns.count {
        let minutes = CoordinateDetail.minutes(of: axis, beside: column, among: columns)
        let degrees = rows.compactMap { column < $0.texts.count ? $0.texts[column] : nil }
          .filter { !$0.isEmpty }
        if !minutes.isEmpty, !degrees.isEmpty, degrees.allSatisfy(CoordinateDetail.isWhole) {
          throw ImportError(
            source, .splitCoordinate(axis, columns: ([column] + minutes).map { columns[$0] }))
        }
      }
    }
    self.init(columns, roles, behind: few.records[place], in: few)
  }

  /// The likeliest header where none names coordinates and nothing shows them, if they are not required.
  ///
  /// - Throws: Which coordinate is missing, or which option names a missing column.
  private init(
    likeliestIn few: LeadingRecords, _ options: ImportOptions, _ source: String
  ) throws(ImportError) {
    if let excess = few.excess { throw ImportError(source, .headerSize(excess)) }
    guard let names = few.likeliestHeader(among: few.records[...]) else {
      throw ImportError(source, .empty)
    }
    let roles: ColumnRoles
    do throws(ImportError) {
      roles = try ColumnRoles(names.texts, options: options, source: source)
    } catch {
      guard options.requiresPositions, case .noCoordinateFields = error.reason else { throw error }
      throw ImportError(
        source, error.reason, report: Header.report(ofRecordsBehind: names, in: few, source))
    }
    guard !options.requiresPositions else {
      throw ImportError(source, .noCoordinateFields(columns: names.texts))
    }
    self.init(names.texts, roles, behind: names, in: few)
    remark = few.remark(onRowAsHeader: names, source)
  }

  /// A header written in a record, with data after everything that belongs to the header.
  private init(
    _ columns: [String], _ roles: ColumnRoles, behind record: LeadingRecords.Record,
    in leading: LeadingRecords
  ) {
    self.columns = columns
    self.roles = roles
    isWritten = true
    var reader = leading.reader(at: record)
    _ = reader.next()
    var position = reader.position
    var line = reader.line
    while let next = Header.nextTexts(&reader),
      roles.nameCoordinates(next) || (record.isComment && next.first?.hasPrefix("#") ?? false)
    {
      position = reader.position
      line = reader.line
    }
    dataStart = position
    dataLine = line
  }

  /// No header: numbered columns, and data from the start.
  private init(numbered columns: [String], _ roles: ColumnRoles, from start: Int) {
    self.columns = columns
    self.roles = roles
    isWritten = false
    dataStart = start
    dataLine = 1
  }

  /// A header with a column of whole positions; nil if there is none.
  private init?(
    ofPositionsIn leading: LeadingRecords, _ options: ImportOptions, _ source: String
  ) throws(ImportError) {
    let all = leading.positionColumns
    let ofPoints = all.filter(\.isOfPoints)
    // A column of nothing but lines or areas is kept only so that they are refused as such.
    let columns =
      ofPoints.isEmpty ? all.filter { options.requiresPositions || $0.hasPoints } : ofPoints
    guard let first = columns.first, first.firstRecord > 0 else { return nil }
    let before = leading.records[..<min(first.firstRecord, Header.recordsToLookAt)]
    guard let record = leading.likeliestHeader(among: before) else { return nil }
    // Sizes are pairs of numbers, too: few decimals need a name that means positions.
    let found = columns.filter {
      $0.isPrecise || CoordinateNames.meansPosition(Header.name($0.column, in: record.texts))
    }
    guard let position = found.first else { return nil }
    guard found.count == 1 else {
      throw ImportError(
        source,
        .ambiguousCoordinateFields(
          .latitude, columns: found.map { Header.name($0.column, in: record.texts) }))
    }
    let column = position.column
    var roles = try ColumnRoles(
      record.texts, options: options, source: source, coordinates: (column, column))
    roles.takeOrder(of: position, named: Header.name(column, in: record.texts))
    self.init(record.texts, roles, behind: record, in: leading)
    let what = position.isWellKnownText ? "points as well-known text" : roles.order
    remark = "\(source): column \(Header.name(column, in: record.texts)) is read as \(what)"
  }

  /// Numbered columns if no record names any; nil unless their contents identify the coordinates.
  private init?(
    unnamed leading: LeadingRecords, _ options: ImportOptions, _ source: String
  ) throws(ImportError) {
    guard let first = leading.records.first else { return nil }
    let columns = first.texts.indices.map { String($0 + 1) }
    let coordinates: (latitude: Int, longitude: Int)
    let place: String
    let positions = leading.positionColumns.filter(\.isOfPoints)
    if positions.count == 1, positions[0].firstRecord == 0, positions[0].isPrecise {
      coordinates = (positions[0].column, positions[0].column)
      place = "column \(positions[0].column + 1) is"
    } else if positions.isEmpty,
      let degrees = DegreeColumns(in: leading.bytes, from: leading.start, dialect: leading.dialect)
    {
      coordinates = (degrees.latitude, degrees.longitude)
      place = "columns \(degrees.latitude + 1) and \(degrees.longitude + 1) are"
    } else {
      return nil
    }
    var roles = try ColumnRoles(
      columns, options: options, source: source, coordinates: coordinates)
    roles.takeOrder(of: positions.first, named: "")
    self.init(numbered: columns, roles, from: leading.start)
    let what = positions.first?.isWellKnownText == true ? "position" : roles.order
    remark = "\(source): there is no header; by its numbers, \(place) read as \(what)"
  }

  // MARK: Names

  /// A header's names, with empty ones taken from the nearest record above with as many cells.
  private static func filled(
    _ names: [String], from above: ArraySlice<LeadingRecords.Record>
  ) -> [String] {
    names.indices.map { column in
      guard names[column].isEmpty else { return names[column] }
      let other = above.last { $0.texts.count == names.count && !$0.texts[column].isEmpty }
      return other?.texts[column] ?? ""
    }
  }

  private static func name(_ column: Int, in names: [String]) -> String {
    column < names.count && !names[column].isEmpty ? names[column] : String(column + 1)
  }

  /// The cells of the next record that is neither blank nor malformed.
  private static func nextTexts(_ reader: inout DelimitedReader) -> [String]? {
    while let record = reader.next() {
      if record.isBlank || record.unclosedQuoteLine != nil { continue }
      return reader.cells.map { reader.text($0) }
    }
    return nil
  }

  /// The report for a source without coordinate columns: no record has a position.
  private static func report(
    ofRecordsBehind header: LeadingRecords.Record, in leading: LeadingRecords, _ source: String
  ) -> ImportReport {
    var report = ImportReport()
    var reader = leading.reader(at: header)
    _ = reader.next()
    var isBehindHeader = false
    while let record = reader.next() {
      if record.unclosedQuoteLine == nil, reader.isEmptyRow { continue }
      // Types and units of a header that is written as a comment.
      let isComment = leading.bytes[record.start] == UInt8(ascii: "#")
      if header.isComment, !isBehindHeader, isComment { continue }
      isBehindHeader = true
      report.records += 1
      report.countUnplaced(
        example: "\(source):\(record.line): there are no columns for coordinates")
    }
    return report
  }
}

extension ColumnRoles {
  /// What the columns of the coordinates hold, in their order.
  fileprivate var order: String {
    isLongitudeFirst ? "longitude and latitude" : "latitude and longitude"
  }

  /// Whether the cells of the coordinate columns are names of coordinates, types or units, not
  /// numbers.
  fileprivate func nameCoordinates(_ cells: [String]) -> Bool {
    guard cells.indices.contains(latitude), cells.indices.contains(longitude), !isPaired else {
      return false
    }
    let names = cells.map(KnownNames.normalized)
    let (north, east) = (names[latitude], names[longitude])
    if KnownNames.typesAndUnits.contains(north), KnownNames.typesAndUnits.contains(east) {
      return true
    }
    return KnownNames.columns(of: .latitude, in: names).contains(latitude)
      && KnownNames.columns(of: .longitude, in: names).contains(longitude)
  }
}

// MARK: - The first records

/// The first records of a source, searched for its header and columns.
struct LeadingRecords {
  struct Record {
    let texts: [String]
    let cells: [DelimitedCell]
    let start: Int
    let line: Int

    var filled: Int { texts.count { !$0.isEmpty } }
    /// Whether it is written as a comment.
    var isComment: Bool { texts.first?.hasPrefix("#") ?? false }
    /// Whether it only counts the columns, as a line above or below the names may.
    var numbersColumns: Bool { texts.indices.allSatisfy { texts[$0] == String($0 + 1) } }
  }

  let records: [Record]
  /// A description of a record that is too large to be a header; nil if there is none.
  let excess: String?
  let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the first record.
  let start: Int
  let dialect: DelimitedDialect

  /// A longer text, in bytes, is not a name.
  private static let nameLimit = 65_536

  /// Reads records that are neither blank nor malformed, nor too large to be a header.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, dialect: DelimitedDialect,
    atMost limit: Int
  ) {
    self.bytes = bytes
    self.start = start
    self.dialect = dialect
    var reader = DelimitedReader(bytes, dialect: dialect, from: start)
    var records: [Record] = []
    var excess: String?
    while records.count < limit, let record = reader.next() {
      if record.isBlank || record.unclosedQuoteLine != nil { continue }
      if let found = LeadingRecords.excess(of: reader) {
        excess = excess ?? "line \(grouped(record.line)) has \(found)"
        continue
      }
      records.append(
        Record(
          texts: reader.cells.map { reader.text($0) }, cells: Array(reader.cells),
          start: record.start, line: record.line))
    }
    self.records = records
    self.excess = excess
  }

  /// A reader before one of the records.
  func reader(at record: Record) -> DelimitedReader {
    DelimitedReader(bytes, dialect: dialect, from: record.start, line: record.line)
  }

  private static func excess(of reader: borrowing DelimitedReader) -> String? {
    if reader.cellCount > DelimitedReader.cellLimit {
      return "\(grouped(reader.cellCount)) columns, and up to "
        + "\(grouped(DelimitedReader.cellLimit)) are read"
    }
    let longest = reader.cells.map(\.range.count).max() ?? 0
    guard longest > nameLimit else { return nil }
    return "a cell of \(grouped(longest)) bytes, and a column's name has up to "
      + "\(grouped(nameLimit))"
  }

  /// Whether a record is a header that names both coordinates, and not a row whose cells read so,
  /// such as `2,x,y`.
  ///
  /// A record before a row has a number where it has one, or numbers in both columns; or the records
  /// behind it have texts there, and no digit in any.
  func namesCoordinates(_ place: Int, _ options: ImportOptions) -> Bool {
    let record = records[place]
    guard let (north, east) = options.coordinateColumns(in: record.texts) else { return false }
    guard place > 0 else { return true }
    let numbers = record.cells.indices.filter { isNumber($0, of: record) }
    // The first is no row, since there is a header.
    for other in records[1..<place] where !other.numbersColumns {
      if numbers.contains(where: { isNumber($0, of: other) }) { return false }
      if north != east, isNumber(north, of: other), isNumber(east, of: other) { return false }
    }
    var isText = false
    for other in records[(place + 1)...] {
      for column in [north, east] where column < other.texts.count {
        let text = other.texts[column]
        if text.contains(where: \.isWholeNumber) { return true }
        if !RowChecks.isNull(text), !LeadingRecords.standsInHeader(text) { isText = true }
      }
    }
    return !isText
  }

  /// Whether a text in a column of coordinates is a name, type or unit, not a value.
  private static func standsInHeader(_ text: String) -> Bool {
    let name = KnownNames.normalized(text)
    return KnownNames.typesAndUnits.contains(name)
      || [.latitude, .longitude].contains { !KnownNames.columns(of: $0, in: [name]).isEmpty }
  }

  /// Whether a cell is there and a number.
  func isNumber(_ column: Int, of record: Record) -> Bool {
    record.cells.indices.contains(column)
      && WrittenDecimal(record.cells[column], in: bytes) != nil
  }
}

// MARK: - Columns beside those of coordinates

/// What columns beside those of a coordinate's number say of it.
enum CoordinateDetail: Equatable {
  /// The letter of the hemisphere, where numbers have no sign: `N/S`, `lat_dir`, `GPSLatitudeRef`.
  case hemisphere
  /// Minutes or seconds beside whole degrees.
  case minutes
  /// The greatest value, beside which `lat_min` is the least.
  case maximum

  /// What a column of this name says, and of which coordinate; nil for any other name.
  static func of(_ name: String) -> (axis: CoordinateAxis, detail: CoordinateDetail)? {
    let words = CoordinateNames.words(of: KnownNames.normalized(spaced(name)))
    let text = words.joined()
    if ["ns", "남북", "북위남위", "南北"].contains(text) { return (.latitude, .hemisphere) }
    if ["ew", "동서", "동경서경", "東西"].contains(text) { return (.longitude, .hemisphere) }
    let together = runTogether.first { text.hasSuffix($0) }
    guard let word = words.last(where: { details[$0] != nil }) ?? together,
      let detail = details[word]
    else { return nil }
    let head = text.dropLast(together?.count ?? 0)
    let others = words + [String(head), String(head.dropFirst(head.hasPrefix("gps") ? 3 : 0))]
    let axis = [CoordinateAxis.latitude, .longitude].first { axis in
      others.contains { CoordinateNames.words(for: axis).contains($0) }
    }
    return axis.map { ($0, detail) }
  }

  /// Whether a column of this name says it of a coordinate.
  func isSaid(of axis: CoordinateAxis, by name: String) -> Bool {
    CoordinateDetail.of(name).map { $0 == (axis, self) } ?? false
  }

  /// Words that are found also where no sign parts them from the coordinate's: `latdir`.
  private static let runTogether = ["hemisphere", "hemi", "direction", "dir", "ref"]

  private static let details: [String: CoordinateDetail] = {
    var details: [String: CoordinateDetail] = [:]
    for word in [
      "dir", "direction", "hem", "hemi", "hemisphere", "ref", "ns", "ew", "방향", "方向",
    ] { details[word] = .hemisphere }
    for word in [
      "min", "mins", "minute", "minutes", "분", "分", "sec", "secs", "second", "seconds", "초", "秒",
    ] { details[word] = .minutes }
    for word in ["max", "maximum"] { details[word] = .maximum }
    return details
  }()

  /// `latRef` as two words.
  private static func spaced(_ name: String) -> String {
    var spaced = ""
    for character in name {
      if character.isUppercase, spaced.last?.isLowercase ?? false { spaced.append(" ") }
      spaced.append(character)
    }
    return spaced
  }

  /// The columns of minutes and seconds of a coordinate; empty beside a column of the greatest value.
  static func minutes(
    of axis: CoordinateAxis, beside column: Int, among names: [String]
  ) -> [Int] {
    func columns(_ detail: CoordinateDetail) -> [Int] {
      names.indices.filter { $0 != column && detail.isSaid(of: axis, by: names[$0]) }
    }
    return columns(.maximum).isEmpty ? columns(.minutes) : []
  }

  /// Whether a text is a number of degrees without a part.
  static func isWhole(_ text: String) -> Bool {
    1...3 ~= text.utf8.count(where: \.isASCIIDigit) && !text.utf8.contains(UInt8(ascii: "."))
  }
}

/// The columns with the letters of hemispheres beside columns of numbers, as loggers write them: `N/S`, `lat_dir`.
struct HemisphereColumns {
  let latitude, longitude: Int?

  init(_ names: [String], beside position: (latitude: Int, longitude: Int)) {
    func column(_ axis: CoordinateAxis, beside own: Int) -> Int? {
      names.indices.first {
        $0 != own && CoordinateDetail.hemisphere.isSaid(of: axis, by: names[$0])
      }
    }
    latitude = column(.latitude, beside: position.latitude)
    longitude = column(.longitude, beside: position.longitude)
  }

  /// Whether there are any.
  var isEmpty: Bool { latitude == nil && longitude == nil }

  /// Whether a letter or word means the south or the west; `lat_ref` may also hold `WGS84`.
  static func isNegative(_ letter: String?) -> Bool {
    letter.map { negativeWords.contains(KnownNames.normalized($0)) } ?? false
  }

  private static let negativeWords: Set<String> = [
    "s", "w", "south", "west", "남", "서", "남위", "서경", "南", "西", "南緯", "西経",
  ]
}
