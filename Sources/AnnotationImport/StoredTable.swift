import GeoJSONCoding
import Geodesy
import MapAnnotations

/// The rows of a store's layer that are points, or nothing, with a text for each property, as the rows of CSV are.
///
/// They are kept as CSV and read again as such, which takes a tenth of the time of features. Behind the properties, each
/// row has cells that only the roles name: the id, the name and so on, where no property has them.
package struct StoredTable: Sendable {
  /// What an annotation is beyond its properties.
  package enum Role: Int, CaseIterable, Sendable {
    case id, name, place, kind, hours, validFrom, validUntil
  }

  /// The names of the properties, which are the first cells of a row.
  private let names: [String]
  /// By role, its cell.
  private let cells: [Int]
  /// By role, whether some row has a text there.
  private var isUsed = Role.allCases.map { _ in false }
  /// The property that has every row's hours, and is taken for them in CSV; nil if there is none.
  private var hoursProperty: Int?
  private let cellCount: Int
  private var text: [UInt8] = []
  private var offsets = RowOffsets()
  private var latitudes: [Double] = []
  private var longitudes: [Double] = []

  /// Makes a table without rows.
  ///
  /// - Parameters:
  ///   - names: The properties, in order.
  ///   - roles: By role, its cell: that of a property, or one behind them.
  package init(names: [String], roles: [Int]) {
    precondition(roles.count == Role.allCases.count, "\(roles.count) roles")
    self.names = names
    cells = roles
    cellCount = max(names.count, (roles.max() ?? 0) + 1)
    hoursProperty = KnownNames.hoursColumn(of: names)
  }

  /// The number of rows.
  package var count: Int { latitudes.count }

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - coordinate: Its position; nil for none.
  ///   - cell: The text of a cell; nil for none.
  /// - Returns: False, with an end to the table, if CSV would be read as another row.
  package mutating func append(
    _ coordinate: Coordinate?, cell: (Int) -> UnsafeRawBufferPointer?
  ) -> Bool {
    if let coordinate, coordinate.isNullIsland { return false }
    let start = text.count
    for place in 0..<cellCount {
      if place > 0 { text.append(.comma) }
      if let bytes = cell(place) {
        let start = text.count
        text.append(contentsOf: bytes)
        text.quoteCell(from: start)
      } else if place < names.count {
        // Without this property is something else than with an empty one.
        return false
      }
    }
    text.append(.lineFeed)
    guard keepsRoles(cell) else { return false }
    offsets.append(start)
    latitudes.append(coordinate?.latitude ?? .nan)
    longitudes.append(coordinate?.longitude ?? .nan)
    return true
  }

  /// Notes which roles a row has; returns whether CSV is read as the same.
  private mutating func keepsRoles(_ cell: (Int) -> UnsafeRawBufferPointer?) -> Bool {
    for role in Role.allCases {
      let bytes = cell(cells[role.rawValue])?.bindMemory(to: UInt8.self)
      guard let bytes, !bytes.isEmpty else {
        if role == .id { return false }
        continue
      }
      if role == .id ? IDKey.isBlank(bytes) : NullText.isNull(bytes) { return false }
      isUsed[role.rawValue] = true
    }
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    func hours(_ place: Int) -> UnsafeBufferPointer<UInt8> {
      let bytes = cell(place)?.bindMemory(to: UInt8.self) ?? none
      return NullText.isNull(bytes) ? none : bytes
    }
    if let place = hoursProperty,
      !hours(cells[Role.hours.rawValue]).elementsEqual(hours(place))
    {
      hoursProperty = nil
    }
    func date(_ role: Role) -> String? {
      cell(cells[role.rawValue]).flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }
    return ValidDates(from: date(.validFrom), until: date(.validUntil)).problem == nil
  }

  /// Whether every text is UTF-8, as that of a file is.
  package var isUTF8: Bool {
    text.withUnsafeBufferPointer { UTF8Validation.firstInvalidOffset(in: $0) == nil }
  }

  /// The annotations, and what there is to say of them.
  ///
  /// - Parameter recordsBefore: The number of records of the same source before these.
  func result(named source: String, recordsBefore: Int) -> ImportResult {
    func cell(_ role: Role) -> Int? { isUsed[role.rawValue] ? cells[role.rawValue] : nil }
    // CSV that is written needs no column of its own for hours that a property has.
    let hours = cell(.hours).map { hoursProperty ?? $0 }
    let roles = ColumnRoles(
      places: [
        ColumnRoles.noColumn, ColumnRoles.noColumn, cells[Role.id.rawValue], cell(.name),
        cell(.place), cell(.kind), hours, cell(.validFrom), cell(.validUntil),
      ])
    guard let roles else { preconditionFailure("there are nine") }
    var report = ImportReport()
    report.records = count
    report.unplaced = latitudes.count { $0.isNaN }
    report.placed = count - report.unplaced
    if count == 0 {
      report.countWarning("empty-input", example: "\(source): \(FeaturePass.emptyRemark)")
    }
    let dialect = DelimitedDialect()
    let idsAscend = text.withUnsafeBufferPointer { bytes in
      var order = IDOrder(bytes)
      var reader = DelimitedReader(bytes, dialect: dialect)
      for row in latitudes.indices {
        reader.move(to: offsets[row])
        if let key = IDKey(reader.cell(cells[Role.id.rawValue]), in: bytes) { order.add(key) }
      }
      if !order.ascendsStrictly,
        let (count, first, message) = RepeatedIDs.find(
          in: bytes, dialect, column: cells[Role.id.rawValue], offsets, count: latitudes.count)
      {
        report.countWarning(
          "duplicate-id", times: count,
          example: "\(source):\(recordsBefore + first + 1): \(message)")
      }
      return order.ascends
    }
    let rows = DelimitedRows(
      bytes: text, dialect: dialect,
      layout: ColumnLayout(columns: names, roles: roles, hiddenCells: cellCount - names.count),
      offsets: offsets)
    let table = SourceTable(
      source: source, latitudes: latitudes, longitudes: longitudes,
      numbering: RecordNumbering(first: recordsBefore + 1),
      idsAscend: idsAscend, defaultKind: nil, rows: .delimited(rows), isStored: true)
    return ImportResult(annotations: ImportedAnnotations(table), report: report)
  }
}

extension ImportOptions {
  /// Whether the rows of a store are read as they are.
  package var takeStoresAsTheyAre: Bool {
    idField == nil && nameField == nil && kindField == nil && hoursField == nil
      && defaultKind == nil && region == nil && plane == nil
  }
}
