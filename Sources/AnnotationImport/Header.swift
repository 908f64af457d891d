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

  /// How many records are looked at for the names of the columns, so that a preamble or a header
  /// of several rows may come first.
  private static let recordsToLookAt = 20

  /// Finds the header in a text, or makes one of numbers when the options say there is none.
  ///
  /// The first record that names both coordinates is the header; what comes before it is passed
  /// over, and so are records right behind it that name the coordinates again, in another
  /// language.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, dialect: DelimitedDialect,
    options: ImportOptions, source: String
  ) throws(ImportError) {
    var reader = DelimitedReader(bytes, dialect: dialect, from: start)
    guard options.hasHeader else {
      guard let first = Header.nextNames(&reader) else { throw ImportError(source, .empty) }
      columns = first.indices.map { String($0 + 1) }
      roles = try ColumnRoles(columns, options: options, source: source)
      isWritten = false
      dataStart = start
      dataLine = 1
      return
    }

    var candidates: [[String]] = []
    while candidates.count < Header.recordsToLookAt, let names = Header.nextNames(&reader) {
      candidates.append(names)
      guard options.findsCoordinates(in: names) else { continue }
      columns = names
      roles = try ColumnRoles(names, options: options, source: source)
      isWritten = true
      var position = reader.position
      var line = reader.line
      while let names = Header.nextNames(&reader), roles.nameCoordinates(names) {
        position = reader.position
        line = reader.line
      }
      dataStart = position
      dataLine = line
      return
    }
    // The fullest record is the likeliest header to show; the first of several.
    var fullest: [String] = []
    for names in candidates where Header.filled(names) > Header.filled(fullest) { fullest = names }
    if fullest.isEmpty { throw ImportError(source, .empty) }
    // Says which coordinate is missing, or which option names a column that is not there.
    _ = try ColumnRoles(fullest, options: options, source: source)
    throw ImportError(source, .noCoordinateFields(columns: fullest))
  }

  /// The cells of the next record that is neither blank nor malformed.
  private static func nextNames(_ reader: inout DelimitedReader) -> [String]? {
    while let record = reader.next() {
      if record.isBlank || record.unclosedQuoteLine != nil { continue }
      return reader.cells.map { reader.text($0) }
    }
    return nil
  }

  private static func filled(_ names: [String]) -> Int {
    names.count { !$0.isEmpty }
  }
}

extension ColumnRoles {
  /// Whether the cells of the coordinate columns are names of coordinates and not numbers.
  fileprivate func nameCoordinates(_ cells: [String]) -> Bool {
    guard cells.indices.contains(latitude), cells.indices.contains(longitude) else { return false }
    return KnownNames.latitude.contains(KnownNames.normalized(cells[latitude]))
      && KnownNames.longitude.contains(KnownNames.normalized(cells[longitude]))
  }
}
