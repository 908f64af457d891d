import AnnotationImport
import Geodesy
import SpatialIndexing

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
