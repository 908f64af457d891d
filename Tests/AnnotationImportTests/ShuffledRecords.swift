import AnnotationImport
import NearbyTestSupport

/// Records as an index file keeps them: each as its bytes, in an order of its own.
final class ShuffledRecords: PackedRecords {
  let unpacking: RecordUnpacking
  /// Which record of the source each is.
  let order: [Int]
  private let records: [[UInt8]]

  /// nil where what the records have in common cannot be read again.
  init?(_ annotations: ImportedAnnotations, using generator: inout SeededGenerator) {
    let packing = RecordPacking(annotations)
    guard let unpacking = RecordUnpacking(frame: packing.frame) else { return nil }
    self.unpacking = unpacking
    order = annotations.indices.shuffled(using: &generator)
    records = order.map { row in
      var bytes: [UInt8] = []
      packing.append(row, to: &bytes)
      return bytes
    }
  }

  var count: Int { records.count }

  func annotation(_ row: Int) -> ImportedAnnotation {
    unpacking.annotation(records[row]) ?? RecordUnpacking.missing
  }

  func bytes(ofRow row: Int) -> [UInt8]? { records[row] }
}
