import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

/// What the rows of a join say, and in which order: the columns that its kind has, then the fields that
/// were asked for.
package struct JoinTable: Sendable {
  /// What is joined to each left row.
  package enum Kind: Sendable {
    /// Its nearest right ones: `left_id,right_id,rank,distance`.
    case nearest
    /// The areas that hold it: `left_id,right_id`.
    case inside
    /// Nothing: each area has a row, with how many left rows lie in it: `right_id,count`.
    case count

    package var columns: [String] {
      switch self {
      case .nearest: ["left_id", "right_id", "rank", "distance"]
      case .inside: ["left_id", "right_id"]
      case .count: ["right_id", "count"]
      }
    }
  }

  /// A column of one side's source.
  package struct Field: Sendable {
    /// What its source calls it.
    package let name: String
    /// What it is called here: the same, unless another column is called so.
    package let title: String
    /// Whether it is a part of the position.
    fileprivate var isPosition = false

    /// What an annotation says there.
    fileprivate func value(of annotation: ImportedAnnotation) -> PropertyValue? {
      isPosition ? annotation.degrees(ofField: name) : annotation.writtenProperty(name)
    }
  }

  package let kind: Kind
  package private(set) var left: [Field]
  package private(set) var right: [Field]
  /// Whether GeoJSON has the line from the left one to the nearest point of the right one in place of the left one.
  package var drawsLines = false
  /// Whether a left annotation without a match has a row.
  package var keepsUnmatched = false

  /// - Parameters:
  ///   - left: The columns of the left source that are wanted.
  ///   - right: Those of the right one.
  package init(_ kind: Kind, left: [String] = [], right: [String] = []) {
    self.kind = kind
    let left = left.withoutRepeats
    let right = right.withoutRepeats
    var taken = Set(kind.columns.map(ExactText.init))
    func fields(_ names: [String], _ side: String, others: [String]) -> [Field] {
      let others = Set(others.map(ExactText.init))
      return names.map { name in
        let isPlain = !others.contains(ExactText(name)) && !taken.contains(ExactText(name))
        let title = (isPlain ? name : "\(side)_\(name)")
          .firstFree { taken.insert(ExactText($0)).inserted }
        return Field(name: name, title: title)
      }
    }
    self.left = fields(left, "left", others: right)
    self.right = fields(right, "right", others: left)
  }

  /// Finds out which fields are parts of the position.
  fileprivate mutating func findPositions(
    _ lefts: ImportedAnnotations, _ rights: ImportedAnnotations
  ) {
    func find(_ fields: inout [Field], _ side: ImportedAnnotations) {
      let positions = side.positionFields(among: fields.map(\.name))
      for place in fields.indices where positions.contains(fields[place].name) {
        fields[place].isPosition = true
      }
    }
    find(&left, lefts)
    find(&right, rights)
  }

  /// What all columns are called, in order.
  package var titles: [String] { kind.columns + (left + right).map(\.title) }
}

package struct JoinRow {
  /// The offset of the left annotation; nil in a row that counts.
  package var left: Int?
  /// That of the right one; nil where nothing was found for the left one.
  package var right: Int?
  /// Which of the left one's neighbors the right one is, from 1.
  package var rank: Int?
  /// How far away it is, in meters.
  package var distance: Double?
  /// How many left rows lie in the right one.
  package var count = 0
}

/// Writes the rows of a join, each by itself, so that several may be at work.
package struct JoinWriter: Sendable {
  package let format: JoinFormat
  package let table: JoinTable
  package let lefts: ImportedAnnotations
  package let rights: ImportedAnnotations
  private let leftIDs: IDTexts
  private let rightIDs: IDTexts
  package private(set) var bytes: [UInt8] = []
  /// Whether what right annotations say is kept, because they are written again and again.
  private var keepsRecords: Bool
  /// By offset what those say that were kept.
  private var known: [Int: KnownRecord] = [:]

  /// What a right annotation says: of a polygon, to read it again is to read its whole outline.
  private struct KnownRecord: Sendable {
    var id = PropertyValue.null
    var values: [PropertyValue] = []
    /// The cells of the id and of the values, each of these with a comma in front.
    var idCell: [UInt8] = []
    var cells: [UInt8] = []
  }

  package init(
    _ format: JoinFormat, _ table: JoinTable, _ lefts: ImportedAnnotations,
    _ rights: ImportedAnnotations
  ) {
    self.format = format
    var table = table
    table.findPositions(lefts, rights)
    self.table = table
    self.lefts = lefts
    self.rights = rights
    leftIDs = IDTexts(lefts)
    rightIDs = IDTexts(rights)
    keepsRecords = table.kind == .nearest && rights.hasShapes
  }

  /// Keeps what some right annotations say, which come in many rows.
  ///
  /// - Parameter offsets: All that will be written.
  package mutating func keep(_ offsets: [Int]) {
    keepsRecords = true
    for offset in offsets { _ = record(of: offset) }
  }

  /// What a right annotation says, kept when it is first asked for; nil where nothing is kept.
  private mutating func record(of offset: Int) -> KnownRecord? {
    guard keepsRecords else { return nil }
    if let record = known[offset] { return record }
    let right = rights[offset]
    var record = KnownRecord(id: .string(right.id.text))
    CSVText.append(cell: right.id.text, to: &record.idCell)
    for field in table.right {
      let value = field.value(of: right) ?? .null
      record.values.append(value)
      record.cells.append(UInt8(ascii: ","))
      CSVText.append(cell: value.cellText ?? "", to: &record.cells)
    }
    known[offset] = record
    return record
  }

  /// Writes the rows of a left annotation with what was found for it, nearest first.
  package mutating func append(_ left: Int, _ found: [(right: Int, meters: Double)]) {
    for (place, neighbor) in found.enumerated() {
      append(
        JoinRow(
          left: left, right: neighbor.right, rank: place + 1, distance: neighbor.meters))
    }
    if found.isEmpty, table.keepsUnmatched { append(JoinRow(left: left)) }
  }

  package mutating func append(_ row: JoinRow) {
    switch format {
    case .csv: appendCSV(row)
    case .json, .jsonl:
      let members = PropertyValue.object(self.members(of: row))
      appendJSON { $0.value(members) }
    case .geojson:
      let feature = self.feature(of: row)
      appendJSON { $0.feature(feature) }
    }
  }

  private mutating func appendCSV(_ row: JoinRow) {
    let comma = UInt8(ascii: ",")
    let record = row.right.flatMap { self.record(of: $0) }
    if table.kind != .count {
      let start = bytes.count
      if let left = row.left { leftIDs.append(of: left, to: &bytes) }
      bytes.quoteCell(from: start)
      bytes.append(comma)
    }
    if let record {
      bytes += record.idCell
    } else if let right = row.right {
      let start = bytes.count
      rightIDs.append(of: right, to: &bytes)
      bytes.quoteCell(from: start)
    }
    switch table.kind {
    case .inside: break
    case .nearest:
      bytes.append(comma)
      if let rank = row.rank { appendDecimal(rank, to: &bytes) }
      bytes.append(comma)
      if let distance = row.distance { appendFixedDecimal(distance, decimals: 4, to: &bytes) }
    case .count:
      bytes.append(comma)
      appendDecimal(row.count, to: &bytes)
    }
    if !table.left.isEmpty || !table.right.isEmpty { appendFields(of: row, record) }
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func appendFields(of row: JoinRow, _ record: KnownRecord?) {
    appendFields(table.left, of: row.left.map { lefts[$0] })
    if let record {
      bytes += record.cells
    } else {
      appendFields(table.right, of: row.right.map { rights[$0] })
    }
  }

  private mutating func appendFields(_ fields: [JoinTable.Field], of side: ImportedAnnotation?) {
    for field in fields {
      bytes.append(UInt8(ascii: ","))
      if let text = side.flatMap({ field.value(of: $0)?.cellText }) {
        CSVText.append(cell: text, to: &bytes)
      }
    }
  }

  private mutating func appendJSON(_ write: (inout JSONWriter) -> Void) {
    if !bytes.isEmpty { bytes += format.separator.utf8 }
    var writer = JSONWriter()
    write(&writer)
    bytes += writer.bytes
    if format == .jsonl { bytes.append(UInt8(ascii: "\n")) }
  }

  /// What a row says, by the names of its columns; null where CSV has an empty cell.
  private mutating func members(of row: JoinRow) -> Properties {
    let left = row.left.map { lefts[$0] }
    let record = row.right.flatMap { self.record(of: $0) }
    let right = record == nil ? row.right.map { rights[$0] } : nil
    var members = Properties()
    if table.kind != .count { members.append("left_id", left.map { .string($0.id.text) } ?? .null) }
    members.append("right_id", record?.id ?? right.map { .string($0.id.text) } ?? .null)
    switch table.kind {
    case .inside: break
    case .nearest:
      members.append("rank", row.rank.map { .integer($0) } ?? .null)
      members.append(
        "distance", row.distance.map { .number(fixedDecimal($0, decimals: 4)) } ?? .null)
    case .count: members.append("count", .integer(row.count))
    }
    for field in table.left {
      members.append(field.title, left.flatMap { field.value(of: $0) } ?? .null)
    }
    for (place, field) in table.right.enumerated() {
      members.append(
        field.title, record?.values[place] ?? right.flatMap { field.value(of: $0) } ?? .null)
    }
    return members
  }

  /// The feature that stands for a row: the left one's, or the right one's in a row that counts, with
  /// what the row says in place of its own properties.
  private mutating func feature(of row: JoinRow) -> Feature {
    let left = row.left.map { lefts[$0] }
    let shown = table.kind == .count ? row.right.map { rights[$0] } : left
    let own = shown?.feature
    return Feature(
      id: shown.map { $0.id.written(like: own?.id) },
      geometry: table.drawsLines
        ? line(from: left, to: row.right.map { rights[$0] })
        : own?.geometry ?? shown?.coordinate.map { Geometry.point(Position($0)) },
      properties: members(of: row))
  }

  /// The line whose length is the distance between the two; nil where there is none.
  private func line(from left: ImportedAnnotation?, to right: ImportedAnnotation?) -> Geometry? {
    guard let start = left?.coordinate, let end = right?.nearestPoint(to: start) else { return nil }
    return Geometry(lineFrom: start, to: end)
  }
}

// MARK: The whole join: some left rows at a time, so that memory does not grow with them

extension JoinWriter {
  /// The most left rows that are in memory with what was found for them.
  private static let mostRows = 1 << 16
  /// About as many matches are in memory at a time.
  private static let matchesAtOnce = 1 << 20

  /// Writes the rows of all left annotations.
  ///
  /// - Parameters:
  ///   - density: How many matches a left row may have at most.
  ///   - isQuiet: Whether nothing is written, and matches are only counted.
  /// - Returns: How many matches there are.
  package func write(
    _ search: some JoinAnswering, density: Int, to file: FileName?, isQuiet: Bool,
    _ progress: ProgressReport
  ) throws -> Int {
    let sink = isQuiet ? nil : try OutputSink(file)
    let writer = isQuiet ? nil : self
    defer { progress.finish() }
    var bytes = format.head(table)
    var isFirst = true
    var matches = 0
    var rows = lefts[...]
    // Where rows may have many matches, how many they have is first found out with a few.
    var atOnce = density <= 16 ? Self.mostRows : 16
    while !rows.isEmpty {
      let part = rows.prefix(atOnce)
      rows = rows.dropFirst(part.count)
      let (texts, found) = try AwaitedWork.result { try await search.texts(of: part, writer) }
      matches += found
      if density > 16 {
        let room = Self.matchesAtOnce * part.count / max(found, 1)
        atOnce = min(Self.mostRows, max(1, min(room, atOnce * 8)))
      }
      progress.update(rows: (lefts.count - rows.count) & ~1023, of: lefts.count)
      guard let sink else { continue }
      for text in texts where !text.isEmpty {
        if !isFirst { bytes += format.separator.utf8 }
        isFirst = false
        bytes += text
        try sink.writeChunk(&bytes)
      }
    }
    if let sink {
      try sink.write(bytes + Array(format.tail.utf8))
      try sink.finish()
    }
    return matches
  }

  /// Writes a row for each area, with how many left annotations lie in it.
  ///
  /// - Returns: The sum of these.
  package func writeCounts(
    _ search: AreaJoin, to file: FileName?, isQuiet: Bool, _ progress: ProgressReport
  ) throws -> Int {
    defer { progress.finish() }
    var counts = [Int](repeating: 0, count: search.offsets.count)
    var rows = lefts[...]
    while !rows.isEmpty {
      let part = rows.prefix(Self.mostRows)
      rows = rows.dropFirst(part.count)
      for (area, count) in search.counts(of: part).enumerated() { counts[area] += count }
      progress.update(rows: (lefts.count - rows.count) & ~1023, of: lefts.count)
    }
    if !isQuiet {
      var writer = self
      for (offset, count) in zip(search.offsets, counts) {
        writer.append(JoinRow(right: offset, count: count))
      }
      try Files.write(
        format.head(table) + writer.bytes + Array(format.tail.utf8), to: file)
    }
    return counts.reduce(0, +)
  }
}

/// How the rows of a join are written.
package enum JoinFormat: String, CaseIterable, Sendable {
  case csv, json, jsonl, geojson

  /// What stands before the first row.
  package func head(_ table: JoinTable) -> [UInt8] {
    switch self {
    case .csv: return CSVText.line(table.titles)
    case .json: return Array("[".utf8)
    case .jsonl: return []
    case .geojson: return Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
    }
  }

  /// What stands between two rows, beside the end of a line.
  package var separator: String { self == .json || self == .geojson ? ",\n" : "" }

  /// What stands behind the last row.
  package var tail: String {
    switch self {
    case .csv, .jsonl: ""
    case .json: "]\n"
    case .geojson: "\n]}\n"
    }
  }
}
