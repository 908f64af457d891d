import AnnotationImport

/// The rows that were left out, for `--rejects FILE`: a CSV of where, why and the row itself.
struct RejectFile {
  private let file: FileName?
  private var bytes: [UInt8] = []

  /// - Parameter file: None of `ReadFiles`; nil where nobody asked for one.
  init(_ file: FileName?) throws(CommandError) {
    if let file { try ReadFiles.refuse(file) }
    self.file = file
    CSVText.append(["source", "line", "byte", "record", "code", "message", "row"], to: &bytes)
  }

  var isWanted: Bool { file != nil }

  mutating func append(_ records: [RejectedRecord]) {
    for record in records {
      CSVText.append(
        [
          record.source, String(record.line), String(record.byteOffset), String(record.record),
          record.problem.code, record.sentence, String(decoding: record.bytes, as: UTF8.self),
        ], to: &bytes)
    }
  }

  func write() throws(CommandError) {
    if let file { try Files.write(bytes, to: file) }
  }
}
