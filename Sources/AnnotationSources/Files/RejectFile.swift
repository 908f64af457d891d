import AnnotationImport

/// The rows that were left out, for `--rejects FILE`: a CSV of where, why and the row itself.
///
/// Shared by all that is read with one set of options, so that none replaces the rows of another.
package final class RejectFile {
  private let file: FileName
  private let worded: (String) -> String
  private var bytes = CSVText.line([
    "source", "line", "byte", "record", "code", "message", "row",
  ])
  /// Where rows go as they come, and how many bytes have gone; nil for a file that is replaced.
  private var stream: OutputSink?
  private var sentCount = 0

  /// - Parameter worded: A message as whoever reads the file knows it.
  package init(_ file: FileName, worded: @escaping (_ message: String) -> String = { $0 }) {
    self.file = file
    self.worded = worded
  }

  /// Makes sure that no other option names it, and that it is not standard output, where results go.
  ///
  /// - Parameter option: The option that does.
  package func claim(option: String) throws(ReportedError) {
    guard !file.isStandardInput else {
      throw ReportedError(
        "bad-rejects",
        "\(option) - would write rejected rows among the results; name a file, such as "
          + "\(option) bad.csv", fault: .usage)
    }
    try OutputFiles.claim(file, option: option)
  }

  /// Refuses a file that would be missed, before something is read in vain.
  package func check() throws(ReportedError) { try OutputFiles.refuse(file, as: .text) }

  package func append(_ records: [RejectedRecord]) {
    for record in records {
      CSVText.append(
        [
          record.source, String(record.line), record.byteOffset.map { String($0) } ?? "",
          String(record.record), record.problem.code, worded(record.sentence),
          String(decoding: record.bytes, as: UTF8.self),
        ], to: &bytes)
    }
  }

  /// Writes all rows so far: a file anew, and to anything else those that it has not had.
  package func write() throws(ReportedError) {
    if stream == nil, OutputTarget(file) == .file {
      return try ReadFiles.keepingPermissions { () throws(ReportedError) in
        try Files.write(bytes, to: file)
      }
    }
    if stream == nil { stream = try OutputSink(file) }
    try stream?.write(Array(bytes[sentCount...]))
    sentCount = bytes.count
  }
}
