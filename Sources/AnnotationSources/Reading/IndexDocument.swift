import AnnotationImport
import GeoJSONCoding
import Geodesy
import IndexFiles
import MapAnnotations
import NearbySearch
import SpatialIndexing

/// An index file as the program writes it: the tree, a row for each record, and attached to it what
/// the rows are read with and which sources they are of.
///
/// The attachment is two lengths of eight bytes, the frame of `RecordPacking` with the names of the
/// kinds, the line of `IndexedSources`, and what lines and areas are found by. Where a store has several
/// layers, their own index files follow, from the next page on. Files of earlier versions have a copy of
/// their sources there, which is not read.
package struct IndexDocument {
  private let file: IndexFile
  private let frame: [UInt8]
  /// Where in the attachment that stands what lines and areas are found by.
  private let shapes: Range<Int>
  private let name: String
  /// What the index was built from.
  package let sources: IndexedSources

  // MARK: Writing

  /// Builds the tree, and writes it with the records.
  ///
  /// - Parameters:
  ///   - original: The file that it is kept beside, where nobody chose its name.
  ///   - layers: The layers of a store and their numbers of annotations, in order. Where there are several, each gets
  ///     a tree of its own besides, over its rows among those of the whole, so that `--layer` asks as quickly and finds
  ///     nothing else.
  package static func write(
    _ annotations: ImportedAnnotations, _ sources: IndexedSources, to file: FileName,
    keptBeside original: FileName? = nil, layers: [(name: String, count: Int)] = []
  ) throws(ReportedError) {
    let packing = RecordPacking(annotations)
    let index = AnnotationIndex(forManyQuestions: annotations)
    // The placed in the order of ties, then the others.
    let rows =
      index.tieOrderedOffsets + annotations.indices.filter { annotations[$0].coordinate == nil }
    var sources = sources
    let layerFiles = layers.count > 1 ? layerFiles(of: annotations, packing, rows, layers) : []
    if layers.count > 1 {
      sources.layers = layerFiles.map {
        IndexedSources.Layer(name: $0.layer, byteCount: $0.bytes.count)
      }
    }
    var attachment = attachment(
      packing.frame, kinds: index.kindNames, shapes: index.shapeBytes ?? [],
      line: sources.headerLine)
    if !layerFiles.isEmpty { attachment.fill(to: IndexFileFormat.pageSize) }
    for layer in layerFiles { attachment += layer.bytes }
    try ReportedError.wrapping(.cannotWrite) { () throws(IndexFileFailure) in
      try IndexFile.write(
        index.tree, toPathBytes: file.bytes, keptBeside: original?.bytes, rowCount: rows.count,
        attachment: attachment,
        source: sources.stamp, willMake: { PartialFiles.note(FileName(bytes: $0)) }
      ) { number, bytes throws(IndexFileFailure) in packing.append(rows[number], to: &bytes) }
    }
  }

  /// The beginning of an attachment: the lengths of its frame and of its line, if it has one, both of these, and what
  /// lines and areas are found by.
  private static func attachment(
    _ records: [UInt8], kinds: (names: [AnnotationKind], hasUnnamed: Bool)?, shapes: [UInt8],
    line: [UInt8]? = nil, part: (firstRecord: Int, table: Int)? = nil
  ) -> [UInt8] {
    var members: Properties = [
      "kinds": .array((kinds?.names ?? []).map { .string($0.rawValue) }),
      "hasUnnamedKind": .bool(kinds?.hasUnnamed ?? true),
      "records": .string(String(decoding: records, as: UTF8.self)),
      "shapes": .integer(shapes.count),
    ]
    if let part {
      members.append("firstRecord", .integer(part.firstRecord))
      members.append("table", .integer(part.table))
    }
    let parts = [PropertyValue.object(members).json, line].compactMap(\.self)
    var attachment: [UInt8] = []
    for part in parts { withUnsafeBytes(of: UInt64(part.count).littleEndian) { attachment += $0 } }
    for part in parts { attachment += part }
    attachment.append(shapes: shapes)
    return attachment
  }

  /// The index files of the layers that have rows: the tree of each, and in the attachment which rows of the whole are
  /// its own.
  ///
  /// The attachment is a length of eight bytes, the frame of the layer, what its lines and areas are found by, and
  /// 32 bits for each row.
  ///
  /// - Parameter order: The number of each row's annotation among all.
  private static func layerFiles(
    of annotations: ImportedAnnotations, _ packing: RecordPacking, _ order: [Int],
    _ layers: [(name: String, count: Int)]
  ) -> [(layer: String, bytes: [UInt8])] {
    var files: [(layer: String, bytes: [UInt8])] = []
    var start = 0
    for layer in layers where layer.count > 0 {
      defer { start += layer.count }
      let own = start..<start + layer.count
      let rows = order.indices.filter { own.contains(order[$0]) }
      let table = packing.table(ofRow: start)
      // In the order of ties in the whole, which is that in the layer.
      let index = AnnotationIndex(rows.map { annotations[order[$0]] }, shortcuts: .idsAscend)
      var attachment = attachment(
        packing.frame(ofTable: table), kinds: index.kindNames, shapes: index.shapeBytes ?? [],
        part: (firstRecord: start + 1, table: table))
      attachment.reserveCapacity(attachment.count + 4 * rows.count)
      for row in rows { withUnsafeBytes(of: UInt32(row).littleEndian) { attachment += $0 } }
      files.append((layer.name, index.tree.fileBytes(attachment: attachment)))
    }
    return files
  }

  /// Reads and checks sources, and keeps the result in an index file.
  ///
  /// - Parameters:
  ///   - options: The words by which they are read so again.
  ///   - regionFile: The file that names their region; nil where none does.
  /// - Returns: How many annotations there are.
  package static func build(
    of sources: [FileName], _ reading: SourceReading, options: [String], regionFile: FileName?,
    to file: FileName
  ) throws(ReportedError) -> Int {
    // Stamped before they are read: a change while reading then makes the index stale.
    var parts: [IndexedSources.Part] = []
    var contents: [(name: String, bytes: [UInt8])] = []
    for source in sources {
      let (part, bytes) = try IndexedSources.Part.read(source)
      parts.append(part)
      contents.append((part.name, bytes))
    }
    var indexed = IndexedSources(
      parts: parts, options: options, regionArea: try regionFile.map(Files.bytes(of:)))
    try OutputFiles.refuse(file, as: .index)
    let result = try Source.check(contents, reading)
    indexed.records = result.annotations.count
    indexed.rejected = result.report.rejected
    // It holds all that its sources do.
    try ReadFiles.keepingPermissions { () throws(ReportedError) in
      try write(result.annotations, indexed, to: file)
    }
    return indexed.records
  }

  // MARK: Reading

  /// Maps an index file; one that comes through a pipe is read.
  package static func open(_ file: FileName) throws(ReportedError) -> IndexDocument {
    // Reading also says best what is wrong with a name.
    Files.isRegular(file)
      ? try IndexDocument(file) : try IndexDocument(Files.bytes(of: file), named: file.text)
  }

  /// Maps an index file.
  ///
  /// - Parameter followsLinks: Whether its name may be that of a link.
  package init(_ file: FileName, followsLinks: Bool = true) throws(ReportedError) {
    ReadFiles.note(file)
    let mapped = try IndexDocument.checked { () throws(IndexFileFailure) in
      try IndexFile(pathBytes: file.bytes, followsLinks: followsLinks)
    }
    try self.init(mapped, file)
  }

  package init(_ bytes: [UInt8], named name: String) throws(ReportedError) {
    let copied = try IndexDocument.checked { () throws(IndexFileFailure) in
      try IndexFile(contents: bytes, named: name)
    }
    try self.init(copied, FileName(name))
  }

  private init(_ file: IndexFile, _ place: FileName) throws(ReportedError) {
    self.file = file
    name = place.text
    let attachment = Attachment(bytes: file.bytes, name: name)
    let frameEnd = 16 + (try attachment.length(at: 0))
    let lineEnd = frameEnd + (try attachment.length(at: 8))
    frame = try attachment[16..<frameEnd]
    shapes = try attachment.shapes(behind: lineEnd, frame)
    sources = try IndexedSources(headerLine: attachment[frameEnd..<lineEnd], named: name)
    // Noted as read, though only their index is: they have what a result made from it does not.
    for origin in sources.parts.compactMap(\.origin) { ReadFiles.note(origin.file(beside: place)) }
  }

  /// All records in the order of their sources, read into memory.
  func read() throws(ReportedError) -> ImportResult {
    let opened = try openedIndex()
    let annotations = try opened.inOrderOfSources(opened.index.annotations)
    return ImportResult(annotations: annotations, rejected: sources.rejected)
  }

  /// The index in the file, whose annotations are read one by one.
  ///
  /// - Parameter source: What its source is called now; nil for the name that it had.
  package func openedIndex(source: String? = nil) throws(ReportedError) -> OpenedIndex {
    try openedIndex(frame, file.bytes, shapes: shapes, ofPart: nil, source: source)
  }

  /// The index of a layer, whose annotations are read one by one where the whole has them.
  ///
  /// Its records are counted as if there were no other layer.
  ///
  /// - Parameters:
  ///   - layer: The exact name of the layer.
  ///   - source: What the store is called now.
  /// - Returns: nil where the layer has no index of its own here.
  package func openedIndex(
    ofLayer layer: String, source: String? = nil
  ) throws(ReportedError) -> OpenedIndex? {
    var start = shapes.upperBound.roundedUp(to: IndexFileFormat.pageSize)
    for other in sources.layers ?? [] {
      guard other.byteCount <= file.bytes.attachmentByteCount - start else {
        throw IndexedSources.damaged(name, "layer \(other.name) of it is cut off")
      }
      let range = start..<start + other.byteCount
      if other.name.isSameBytes(as: layer) {
        return try openedIndex(ofLayerIn: range, source: source)
      }
      start = range.upperBound
    }
    return nil
  }

  private func openedIndex(
    ofLayerIn range: Range<Int>, source: String?
  ) throws(ReportedError) -> OpenedIndex {
    let bytes = try IndexDocument.checked(name) { () throws(IndexFileError) in
      try file.bytes.attachedFile(in: range)
    }
    let attachment = Attachment(bytes: bytes, name: name)
    let frameEnd = 8 + (try attachment.length(at: 0))
    let frame = try attachment[8..<frameEnd]
    let shapes = try attachment.shapes(behind: frameEnd, frame)
    let part = IndexedRows.Part(bytes: bytes, mapStart: shapes.upperBound)
    return try openedIndex(frame, bytes, shapes: shapes, ofPart: part, source: source)
  }

  private func openedIndex(
    _ frame: [UInt8], _ bytes: IndexBytes, shapes: Range<Int>, ofPart part: IndexedRows.Part?,
    source: String?
  ) throws(ReportedError) -> OpenedIndex {
    let tree = bytes.index
    guard let value = try? PropertyValue(json: frame), case .object(let members) = value,
      case .array(let kinds)? = members["kinds"],
      case .bool(let hasUnnamedKind)? = members["hasUnnamedKind"],
      case .string(let records)? = members["records"],
      let unpacking = RecordUnpacking(frame: Array(records.utf8), source: source),
      case let first = (
        record: members["firstRecord"].map { $0.wholeNumber ?? 0 } ?? 1,
        table: members["table"].map { $0.wholeNumber ?? -1 } ?? 0
      ), first.record > 0, first.table >= 0
    else { throw IndexedSources.damaged(name, "it does not say how its records are read") }
    let rows = IndexedRows(file.bytes, part, unpacking, first: first)
    guard rows.count >= tree.count else {
      throw IndexedSources.damaged(
        name, "it has \(grouped(rows.count)) records for \(grouped(tree.count)) positions")
    }
    let tables = try IndexDocument.checked(name) {
      () throws(IndexFileError) -> StoredShapeTables? in
      shapes.isEmpty ? nil : try bytes.shapeTables(in: shapes)
    }
    return OpenedIndex(
      index: AnnotationIndex(
        ImportedAnnotations(rows), positions: tree,
        kinds: (kinds.compactMap(\.text).map { AnnotationKind(rawValue: $0) }, hasUnnamedKind),
        shapes: tables),
      rows: rows, name: name)
  }

  /// Makes sure that the file is whole and its sources unchanged, and says so.
  ///
  /// - Parameters:
  ///   - file: The index file, which sources are found beside.
  ///   - allowsStale: Whether the sources are not looked at.
  package func verify(
    beside file: FileName, allowsStale: Bool
  ) throws(ReportedError) -> String {
    try verify()
    if !allowsStale { try sources.checkSources(beside: file) }
    let count = try openedIndex().index.annotations.count
    guard count == sources.records else {
      throw IndexedSources.damaged(
        name, "it has \(grouped(count)) of \(grouped(sources.records, "annotation"))")
    }
    return "whole, \(grouped(count, "annotation"))"
      + (allowsStale ? "" : sources.missing(beside: file))
  }

  /// Makes sure of everything in the file.
  func verify() throws(ReportedError) {
    try IndexDocument.checked { () throws(IndexFileFailure) in try file.verify() }
    try openedIndex().verify()
    for layer in sources.layers ?? [] { try openedIndex(ofLayer: layer.name)?.verify() }
  }

  // MARK: Errors

  /// Does something with an index file, and says what to do where that fails.
  private static func checked<Value>(
    _ body: () throws(IndexFileFailure) -> Value
  ) throws(ReportedError) -> Value {
    do throws(IndexFileFailure) { return try body() } catch { throw commandError(error) }
  }

  /// Does something with the bytes of an index file.
  fileprivate static func checked<Value>(
    _ name: String, _ body: () throws(IndexFileError) -> Value
  ) throws(ReportedError) -> Value {
    do throws(IndexFileError) { return try body() } catch { throw commandError(error, named: name) }
  }

  private static func commandError(_ error: IndexFileFailure) -> ReportedError {
    if case .bytes(let bytes) = error.reason { return commandError(bytes, named: error.file) }
    return ReportedError(error, fault: .noInput)
  }

  static func commandError(_ error: IndexFileError, named name: String) -> ReportedError {
    ReportedError(
      error.code, "\(name): \(error) with nearby index build", fault: .badData)
  }
}

extension OpenedIndex {
  /// Makes sure of the tree, and that every row is a record.
  fileprivate func verify() throws(ReportedError) {
    guard let rows else { return }
    if let bytes = rows.part?.bytes {
      try IndexDocument.checked(name) { () throws(IndexFileError) in try bytes.verify() }
    }
    for row in 0..<rows.count { _ = rows.annotation(row) }
    let hasRightShapes = index.hasRightShapes
    try check()
    guard hasRightShapes else {
      throw IndexedSources.damaged(
        name, "its index of lines and areas does not match them")
    }
  }
}

extension [UInt8] {
  /// Appends what lines and areas are found by, if there are any, from the next multiple of 64 on.
  fileprivate mutating func append(shapes: [UInt8]) {
    guard !shapes.isEmpty else { return }
    fill(to: 64)
    self += shapes
  }

  /// Appends zeros up to the next multiple of a size.
  fileprivate mutating func fill(to size: Int) {
    self += repeatElement(0, count: count.roundedUp(to: size) - count)
  }
}

extension Int {
  /// The least multiple of a size that is no less.
  fileprivate func roundedUp(to size: Int) -> Int { (self + size - 1) / size * size }
}

/// What is attached to an index file, read with its lengths in front.
private struct Attachment {
  let bytes: IndexBytes
  let name: String

  subscript(range: Range<Int>) -> [UInt8] {
    get throws(ReportedError) {
      guard range.upperBound <= bytes.attachmentByteCount else {
        throw IndexedSources.damaged(name, "its header is cut off")
      }
      return try IndexDocument.checked(name) { () throws(IndexFileError) in
        try bytes.attachment(range)
      }
    }
  }

  /// Where that stands what lines and areas are found by, from the next multiple of 64 on.
  func shapes(behind end: Int, _ frame: [UInt8]) throws(ReportedError) -> Range<Int> {
    guard let value = try? PropertyValue(json: frame), case .object(let members) = value,
      let count = members["shapes"]?.wholeNumber, count >= 0
    else { throw IndexedSources.damaged(name, "it does not say where its shapes are") }
    guard count > 0 else { return end..<end }
    let start = end.roundedUp(to: 64)
    guard start <= bytes.attachmentByteCount, count <= bytes.attachmentByteCount - start else {
      throw IndexedSources.damaged(name, "its shapes are cut off")
    }
    return start..<start + count
  }

  /// A length of eight bytes, which is no greater than the attachment.
  func length(at place: Int) throws(ReportedError) -> Int {
    let number = try self[place..<place + 8].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    guard number <= UInt64(bytes.attachmentByteCount) else {
      throw IndexedSources.damaged(name, "its header says it has \(number) bytes")
    }
    return Int(number)
  }
}

/// The rows of an index file, or those of one layer, as annotations.
final class IndexedRows: PackedRecords {
  /// Which rows of the whole are a layer's.
  struct Part {
    /// The layer's own index file.
    let bytes: IndexBytes
    /// Where in its attachment the numbers of the rows begin, 32 bits each.
    let mapStart: Int

    var count: Int { max(0, bytes.attachmentByteCount - mapStart) / 4 }

    /// The number that a row has in the whole.
    func wholeRow(_ row: Int) throws(IndexFileError) -> Int {
      let start = mapStart + 4 * row
      return try bytes.attachment(start..<start + 4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }

  let unpacking: RecordUnpacking
  let part: Part?
  private let bytes: IndexBytes
  /// The numbers in the file of what is record 1 of table 0 here.
  private let first: (record: Int, table: Int)
  private let firstFailure = SharedValue<IndexFileError?>(nil)

  init(
    _ bytes: IndexBytes, _ part: Part?, _ unpacking: RecordUnpacking,
    first: (record: Int, table: Int)
  ) {
    self.bytes = bytes
    self.part = part
    self.unpacking = unpacking
    self.first = first
  }

  var count: Int { part?.count ?? bytes.rowCount }

  /// What was wrong with what was read so far.
  var failure: IndexFileError? {
    bytes.damage ?? part?.bytes.damage ?? firstFailure.withLock { $0 }
  }

  func annotation(_ row: Int) -> ImportedAnnotation {
    guard let bytes = bytes(ofRow: row) else { return RecordUnpacking.missing }
    guard let annotation = unpacking.annotation(bytes) else {
      note(.invalid("row \(row) is not a record"))
      return RecordUnpacking.missing
    }
    return annotation
  }

  func bytes(ofRow row: Int) -> [UInt8]? {
    do throws(IndexFileError) {
      guard let part else { return try bytes.row(row) }
      let wholeRow = try part.wholeRow(row)
      guard wholeRow < bytes.rowCount else {
        throw .invalid("row \(row) of a layer is row \(wholeRow) of \(bytes.rowCount)")
      }
      var record = try bytes.row(wholeRow)
      RecordUnpacking.renumber(&record, from: first.record, ofTable: first.table)
      return record
    } catch {
      note(error)
      return nil
    }
  }

  private func note(_ error: IndexFileError) { firstFailure.withLock { $0 = $0 ?? error } }
}
