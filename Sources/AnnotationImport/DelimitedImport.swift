import Geodesy
import MapAnnotations
import MapProjections

/// One reading of a CSV or TSV source: each record is judged once, and for a good one its offset
/// and its coordinate are kept.
struct DelimitedImport {
  let text: [UInt8]
  let source: String
  let isTSV: Bool
  let options: ImportOptions

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    try text.withUnsafeBufferPointer { (bytes) throws(ImportError) -> ImportResult in
      let start = bytes.withoutByteOrderMark.startIndex
      let dialect = dialect(of: UnsafeBufferPointer(rebasing: bytes[start...]))
      let header = try Header(
        bytes, from: start, dialect: dialect, options: options, source: source)
      var pass = DelimitedPass(
        bytes, dialect: dialect, header: header, source: source, options: options,
        observer: observer)
      try pass.prepareTransform()
      pass.run()
      if dialect.delimiter != usualDelimiter, options.delimiter == nil {
        let name = DelimitedImport.delimiterNames[dialect.delimiter[0]] ?? "another character"
        pass.tally.report.remarks.append(
          "\(source): cells are separated by \(name), not by a \(isTSV ? "tab" : "comma")")
      }
      if let remark = header.remark { pass.tally.report.remarks.append(remark) }
      try pass.checkForDegrees()
      let rows = DelimitedRows(
        bytes: text, dialect: dialect,
        layout: ColumnLayout(columns: header.columns, roles: header.roles),
        offsets: pass.offsets)
      let table = SourceTable(
        source: source, latitudes: pass.tally.latitudes, longitudes: pass.tally.longitudes,
        numbering: pass.tally.numbering, idsAscend: pass.idsAscend,
        defaultKind: options.defaultKind, rows: .delimited(rows))
      return ImportResult(annotations: ImportedAnnotations(table), report: pass.tally.report)
    }
  }

  private var usualDelimiter: [UInt8] { isTSV ? [.tab] : [.comma] }

  private func dialect(of bytes: UnsafeBufferPointer<UInt8>) -> DelimitedDialect {
    func dialect(_ delimiter: [UInt8], usualQuote: UInt8?) -> DelimitedDialect {
      let quote: UInt8? =
        switch options.quoting {
        case .automatic: usualQuote
        case .none: nil
        case .character(let byte): byte
        }
      return DelimitedDialect(delimiter: delimiter, quote: quote, comment: options.comment)
        .withLineEnds(of: bytes)
    }
    let plain = dialect(
      options.delimiter ?? usualDelimiter, usualQuote: isTSV ? nil : .doubleQuote)
    guard options.delimiter == nil else { return plain }
    guard !isTSV else {
      // CSV with the wrong ending has no tab in its first line, and a header split by commas.
      let line = bytes.prefix { $0 != .lineFeed }
      if line.contains(.tab) || headerStart(bytes, plain) != nil { return plain }
      let commas = dialect([.comma], usualQuote: .doubleQuote)
      return headerStart(bytes, commas) == nil ? plain : commas
    }
    // A header split by commas is proof enough; cells may contain another mark more regularly. But a cell such as `x,y`
    // below a header split by another mark is no header.
    let commas = headerStart(bytes, plain)
    if commas == 0 { return plain }
    let guessed = plain.withDelimiter(guessedFrom: bytes)
    guard let commas else { return guessed }
    guard let other = headerStart(bytes, guessed), other < commas else { return plain }
    return guessed
  }

  /// The offset of the first record that names both coordinates in this dialect; nil if none of the first records does.
  private func headerStart(
    _ bytes: UnsafeBufferPointer<UInt8>, _ dialect: DelimitedDialect
  ) -> Int? {
    guard options.hasHeader else { return nil }
    return LeadingRecords(bytes, from: 0, dialect: dialect, atMost: Header.recordsToLookAt).records
      .first { options.coordinateColumns(in: $0.texts) != nil }?.start
  }

  private static let delimiterNames: [UInt8: String] = [
    .comma: "a comma", .tab: "a tab", .semicolon: "a semicolon", .verticalBar: "a vertical bar",
  ]
}

/// The pass over the data records of one source, and its results so far.
private struct DelimitedPass {
  var tally: SourceTally
  private(set) var offsets = RowOffsets()

  private let bytes: UnsafeBufferPointer<UInt8>
  private let dialect: DelimitedDialect
  private let header: Header
  private let options: ImportOptions
  private var checks: RowChecks
  private let hasDates: Bool
  private var idOrder: IDOrder
  /// The first pair of numbers in meters, as written.
  private var firstNotDegrees: (latitude: String, longitude: String)?
  /// The columns with the letters of hemispheres; none for meters.
  private let hemispheres: HemisphereColumns

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, dialect: DelimitedDialect, header: Header,
    source: String, options: ImportOptions, observer: ImportObserver
  ) {
    self.bytes = bytes
    self.dialect = dialect
    self.header = header
    hemispheres = HemisphereColumns(
      options.plane == nil && !header.roles.isPaired ? header.columns : [],
      beside: (header.roles.latitude, header.roles.longitude))
    self.options = options
    tally = SourceTally(bytes, from: header.dataStart, source: source, observer: observer)
    checks = RowChecks(bytes, options: options)
    hasDates = header.roles.validFrom != nil || header.roles.validUntil != nil
    idOrder = IDOrder(bytes)
  }

  /// A reader before the first row.
  private var firstRow: DelimitedReader {
    DelimitedReader(bytes, dialect: dialect, from: header.dataStart, line: header.dataLine)
  }

  /// Whether ids ascend, as record numbers do.
  var idsAscend: Bool { header.roles.id == nil || idOrder.ascends && tally.unnamed.count == 0 }

  mutating func run() {
    reserveCapacity()
    var reader = firstRow
    let columnCount = header.columns.count
    var emptyRows = 0
    while let record = reader.next() {
      // A row of nothing is not a record, unless the only column may be empty.
      if columnCount > 1, record.unclosedQuoteLine == nil, reader.isEmptyRow {
        if !record.isBlank { emptyRows += 1 }
        continue
      }
      tally.report.records += 1
      if let line = record.unclosedQuoteLine {
        reject(record, line: line, record.hasTextAfterQuote ? .textAfterQuote : .unclosedQuote)
      } else if reader.cellCount != columnCount, header.isWritten {
        reject(record, .fieldCount(reader.cellCount, expected: columnCount))
      } else {
        judge(record, reader)
      }
      tally.advance(to: reader.position)
    }
    if emptyRows > 0 {
      tally.report.remarks.append(
        "\(tally.source): \(grouped(emptyRows, "row")) of empty cells \(emptyRows == 1 ? "is" : "are") left out"
      )
    }
    countRepeatedIDs()
    adviseIfSwapped()
    tally.finish(haveIDs: true, emptyRemark: "there is a header but no records; add some")
  }

  /// Says how to read a table that has latitude and longitude exchanged in nearly all rows.
  private mutating func adviseIfSwapped() {
    let (roles, report) = (header.roles, tally.report)
    let swapped = report.rejected["lat-lon-swapped"] ?? 0
    guard swapped > 1, swapped * 10 > (report.records - report.unplaced) * 9, !roles.isPaired else {
      return
    }
    /// A name as one word of a command.
    func word(_ name: String) -> String {
      guard name.isEmpty || !name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
        return name
      }
      return "\"" + name.escaped(["\\", "\"", "$", "`"], by: "\\") + "\""
    }
    tally.report.examples["lat-lon-swapped"]? +=
      "; nearly all rows look swapped: use `latitudeField` "
      + "\(word(header.columns[roles.longitude])) `longitudeField` "
      + word(header.columns[roles.latitude])
  }

  /// Finds out whether coordinates have decimal commas, as Excel writes them in German or French.
  private mutating func readDecimalCommas(areMetres: Bool) {
    guard let example = decimalComma(areMetres: areMetres) else { return }
    checks.decimalMark = .comma
    tally.report.remarks.append(
      "\(tally.source): coordinates are read with decimal commas: \(example) is "
        + String(example.map { $0 == "," ? "." : $0 }))
  }

  /// The number of records examined for decimal commas.
  private static var recordsToLookAt: Int { 200 }

  /// The first coordinate with a decimal comma, as written; nil if decimal points are used.
  ///
  /// With commas, the cell separator is another mark, and in the first rows some coordinates have a comma and none a
  /// point. Thousands separators do not count: for meters, at least one number must not have three digits after its
  /// comma.
  private func decimalComma(areMetres: Bool) -> String? {
    let roles = header.roles
    if dialect.delimiter == [.comma] || roles.isPaired { return nil }
    var example: String?
    var isCertain = !areMetres
    var reader = firstRow
    var records = 0
    while records < DelimitedPass.recordsToLookAt, reader.next() != nil {
      records += 1
      for column in [roles.latitude, roles.longitude] where column < reader.cells.count {
        let cell = reader[column]
        if bytes[cell.range].contains(UInt8(ascii: ".")) { return nil }
        guard let number = WrittenDecimal(cell, in: bytes, mark: .comma), number.digits > 0
        else { continue }
        example = example ?? reader.text(cell)
        if number.digits != 3 { isCertain = true }
      }
    }
    return isCertain ? example : nil
  }

  /// Reserves memory for the number of rows estimated from the first ones.
  private mutating func reserveCapacity() {
    var reader = firstRow
    var sampled = 0
    while sampled < 100, reader.next() != nil { sampled += 1 }
    let sampledBytes = reader.position - header.dataStart
    guard sampledBytes > 0 else { return }
    let expected = Double(bytes.count - header.dataStart) / Double(sampledBytes) * Double(sampled)
    // At least ten bytes for each row, whatever the estimate, so at most twice the size of the text.
    let rows = min(Int(expected * 1.05), bytes.count / 10) + 16
    tally.reserveCapacity(rows)
    offsets.reserveCapacity(rows)
  }

  @inline(__always)
  private mutating func judge(_ record: DelimitedRecord, _ reader: borrowing DelimitedReader) {
    // Without a header a row may be short; its missing cells are empty.
    let missing = DelimitedCell(start: record.end, end: record.end)
    let roles = header.roles
    var latitude = roles.latitude < reader.cellCount ? reader[roles.latitude] : missing
    var longitude = roles.longitude < reader.cellCount ? reader[roles.longitude] : missing
    if roles.isPaired {
      let point = PointCell(latitude, in: bytes, isLongitudeFirst: roles.isLongitudeFirst)
      if let type = point.shapeType { return judge(record, reader, ofShape: type) }
      if let problem = problem(with: point) { return reject(record, problem) }
      (latitude, longitude) = (point.latitude, point.longitude)
    }
    if hemispheres.isEmpty,
      let (north, east) = checks.placed(latitude: latitude, longitude: longitude)
    {
      tally.report.placed += 1
      keep(record, north, east, reader)
    } else {
      judgeUnplaced(record, reader, latitude: latitude, longitude: longitude)
    }
  }

  /// Degrees with the signs that letters in columns of their own mean.
  private func signed(
    _ place: (north: Double, east: Double), _ reader: borrowing DelimitedReader
  ) -> (north: Double, east: Double) {
    func signed(_ value: Double, _ letter: Int?) -> Double {
      guard let letter, letter < reader.cellCount,
        HemisphereColumns.isNegative(reader.text(reader[letter]))
      else { return value }
      return -abs(value)
    }
    return (signed(place.north, hemispheres.latitude), signed(place.east, hemispheres.longitude))
  }

  /// Judges a row with a line or an area, which is no position.
  private mutating func judge(
    _ record: DelimitedRecord, _ reader: borrowing DelimitedReader, ofShape type: String
  ) {
    let what = "only points are read from tables, and this is a \(type)"
    guard !options.requiresPositions else {
      return reject(
        record, .feature(code: "geometry-type", message: "\(what); write it as GeoJSON"))
    }
    tally.countUnplaced(line: record.line, "\(what); the row is kept, unplaced")
    keep(record, .nan, .nan, reader)
  }

  /// Why a cell of both coordinates is rejected, whatever its numbers are; nil if these decide.
  private func problem(with point: PointCell) -> RowProblem? {
    // A CRS that options name overrides the text's SRID.
    if let srid = point.srid, checks.plane == nil, !RowChecks.sridsInDegrees.contains(srid) {
      return .foreignSRID(srid)
    }
    if !point.isPair, checks.number(point.latitude) != nil {
      return .position(.notAPosition(checks.text(point.latitude)))
    }
    return nil
  }

  /// Judges a row whose cells are not two numbers that give a position: it may have none, angles, or letters beside its
  /// numbers.
  ///
  /// Not inlined, so that the loop over the rows, nearly all of which have two numbers, stays short.
  @inline(never)
  private mutating func judgeUnplaced(
    _ record: DelimitedRecord, _ reader: borrowing DelimitedReader, latitude: DelimitedCell,
    longitude: DelimitedCell
  ) {
    if !hemispheres.isEmpty, let north = checks.number(latitude),
      let east = checks.number(longitude)
    {
      let (north, east) = signed((north, east), reader)
      if let place = checks.placed(north, east) {
        tally.report.placed += 1
        return keep(record, place.latitude, place.longitude, reader)
      }
      if let problem = checks.problem(north, east, writtenIn: latitude, longitude) {
        return reject(record, problem)
      }
    }
    guard var problem = checks.problem(latitude: latitude, longitude: longitude) else {
      if options.rejectsUnplaced { return reject(record, .noCoordinate) }
      tally.countUnplaced(
        line: record.line,
        header.roles.areUnplaced
          ? "there are no columns for coordinates"
          : "both coordinates are empty; the row is kept, unplaced")
      return keep(record, .nan, .nan, reader)
    }
    if case .position(.notANumber) = problem,
      let angles = checks.angles(latitude: latitude, longitude: longitude)
    {
      switch angles {
      case .success(let angles):
        let (north, east) = signed(angles, reader)
        if let place = checks.placed(north, east) {
          let reading =
            "\(checks.text(latitude)), \(checks.text(longitude)) is read as "
            + "\(plainDecimal(north)),\(plainDecimal(east))"
          tally.warn("angle-text", line: record.line, reading)
          tally.report.placed += 1
          return keep(record, place.latitude, place.longitude, reader)
        }
        problem = checks.problem(north, east, writtenIn: latitude, longitude) ?? problem
      case .failure(let found): problem = found
      }
    }
    if case .notDegrees(let north, let east) = problem, firstNotDegrees == nil {
      firstNotDegrees = (north, east)
    }
    reject(record, problem)
  }

  @inline(__always)
  private mutating func keep(
    _ record: DelimitedRecord, _ north: Double, _ east: Double,
    _ reader: borrowing DelimitedReader
  ) {
    tally.keep(north, east)
    offsets.append(record.start)
    if let column = header.roles.id {
      if let key = IDKey(column < reader.cellCount ? reader[column] : nil, in: bytes) {
        idOrder.add(key)
      } else {
        tally.countUnnamed(line: record.line)
      }
    }
    if let plane = checks.plane {
      tally.warnIfOutside(
        plane, Coordinate(unchecked: north, east), line: record.line,
        check: "`crs`, `longitudeField` (x) and `latitudeField` (y)")
    }
    if Coordinate.isNullIsland(north, east) {
      tally.warnOfNullIsland(north, east, line: record.line)
    }
    if hasDates { checkDates(record, reader) }
  }

  /// Warns of every repeated id, after the pass, when the number of rows is known.
  private mutating func countRepeatedIDs() {
    guard let column = header.roles.id, !idOrder.ascendsStrictly,
      let (count, first, message) = RepeatedIDs.find(
        in: bytes, dialect, column: column, offsets, count: tally.latitudes.count)
    else { return }
    tally.warn("duplicate-id", times: count, line: line(at: offsets[first]), message)
  }

  /// The line of the record at an offset, from 1.
  private func line(at offset: Int) -> Int {
    var reader = firstRow
    while let record = reader.next() {
      // Not the line where the record before it ends: comments may stand between them.
      if record.start >= offset { return record.line }
    }
    return reader.line
  }

  private mutating func checkDates(
    _ record: DelimitedRecord, _ reader: borrowing DelimitedReader
  ) {
    func text(_ column: Int?) -> String? {
      guard let column, column < reader.cellCount else { return nil }
      let text = reader.text(reader[column])
      return NullText.isNull(text) ? nil : text
    }
    let dates = ValidDates(
      from: text(header.roles.validFrom), until: text(header.roles.validUntil))
    tally.warn(of: dates, line: record.line)
  }

  private mutating func reject(
    _ record: DelimitedRecord, line: Int? = nil, _ problem: RowProblem
  ) {
    tally.reject(
      problem, record: tally.report.records, line: line ?? record.line, record.start..<record.end)
  }

  /// Throws if no row has degrees and the rows with two numbers have meters.
  func checkForDegrees() throws(ImportError) {
    guard tally.report.placed == 0, let first = firstNotDegrees,
      tally.report.rankedReasons.first?.code == "crs-unknown"
    else { return }
    let numbers = [first.longitude, first.latitude].compactMap { checks.number($0) }
    let column = header.roles.longitude
    let isNamedEasting =
      header.columns.indices.contains(column)
      && CoordinateNames.saysEasting(header.columns[column])
    let candidates =
      numbers.count == 2
      ? CRSCandidates(x: numbers[0], y: numbers[1], isNamedEasting: isNamedEasting).description : ""
    throw ImportError(
      tally.source,
      .notDegrees(first: first.longitude, second: first.latitude, candidates: candidates),
      report: tally.report)
  }

  // MARK: Positions in a named CRS

  /// The number of records examined to distinguish easting and northing.
  private static var sampleSize: Int { 1_000 }

  /// Determines the decimal mark, and sets up the transform from the source's CRS, if one is named.
  mutating func prepareTransform() throws(ImportError) {
    guard var plane = options.plane else { return readDecimalCommas(areMetres: false) }
    readDecimalCommas(areMetres: !plane.transform.startsFromDegrees)
    let sample = samplePairs()
    if plane.areDegrees(sample.map(\.position)), let first = sample.first {
      throw ImportError(tally.source, .notMetres(crs: plane.name, first: first.x, second: first.y))
    }
    tally.report.remarks.append(plane.remark(tally.source))
    let areChosen = options.latitudeField != nil || options.longitudeField != nil
    let roles = header.roles
    let column =
      header.columns.indices.contains(roles.longitude) ? header.columns[roles.longitude] : ""
    if let remark = plane.chooseOrder(
      sample.map(\.position), areChosen: areChosen || roles.isPaired, column: column,
      source: tally.source
    ) {
      tally.report.remarks.append(remark)
    }
    checks.plane = plane
  }

  /// The first pairs of numbers except 0,0, and their texts.
  private func samplePairs() -> [(position: PlanePosition, x: String, y: String)] {
    var reader = firstRow
    let roles = header.roles
    var pairs: [(position: PlanePosition, x: String, y: String)] = []
    while pairs.count < DelimitedPass.sampleSize, let record = reader.next() {
      guard record.unclosedQuoteLine == nil,
        max(roles.latitude, roles.longitude) < reader.cellCount
      else { continue }
      var (east, north) = (reader[roles.longitude], reader[roles.latitude])
      if roles.isPaired {
        let point = PointCell(north, in: bytes, isLongitudeFirst: roles.isLongitudeFirst)
        (east, north) = (point.longitude, point.latitude)
      }
      guard let x = checks.number(east), let y = checks.number(north), x != 0 || y != 0
      else { continue }
      pairs.append((PlanePosition(x: x, y: y), reader.text(east), reader.text(north)))
    }
    return pairs
  }
}
