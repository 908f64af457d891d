import GeoJSONCoding
import MapAnnotations
import SystemCalls

/// Where results go: standard output, as they come, or a file that appears whole or not at all.
///
/// A file is written under another name beside its own, which it takes in `finish()`. Whatever
/// happens before leaves the file that was there as it was. What is not replaced, as `/dev/null`, a
/// named pipe or `/dev/stdout`, is written to as results come, and stays what it is (`OutputTarget`).
package final class OutputSink {
  /// Written bytes are sent on once there are more than so many.
  package static let chunk = 1 << 18

  private let file: FileName?
  /// What becomes the file once it is finished; nil where the file itself is written to.
  private var replaced: ReplacedFile?
  /// The file itself where that is written to; −1 for none.
  private var stream: Int32 = -1
  /// How far what was written to places of a file reaches.
  private(set) var byteCount = 0

  /// - Parameter file: nil and `-` stand for standard output; no file that `OutputFiles` refuses.
  package init(_ file: FileName?) throws(ReportedError) {
    guard let file, !file.isStandardInput else {
      self.file = nil
      return
    }
    try OutputFiles.refuse(file, as: .text)
    switch OutputTarget(file) {
    case .descriptor(STDOUT_FILENO):
      self.file = nil
      return
    case .descriptor(let number):
      self.file = file
      stream = OutputTarget.duplicate(number)
    case .stream:
      self.file = file
      // Another program's file is appended to.
      stream = file.path.withPointer { open($0, O_WRONLY | O_APPEND | O_CLOEXEC) }
    case .file:
      self.file = file
      // A link stays, and what it leads to is replaced.
      let target = file.path.resolved
      replaced = ReplacedFile(target, like: target.status) {
        PartialFiles.note(FileName(path: $0))
      }
    }
    guard descriptor >= 0 else { throw Files.writeFailure(file) }
  }

  private var descriptor: Int32 { replaced?.descriptor ?? stream }

  deinit { discard() }

  /// Leaves nothing of a file that is not finished, and no way to write to it.
  package func discard() {
    if stream >= 0 { close(stream) }
    stream = -1
    replaced = nil
  }

  /// Sends bytes on once there are enough of them, and forgets them then.
  package func writeChunk(_ bytes: inout [UInt8]) throws(ReportedError) {
    guard bytes.count > OutputSink.chunk else { return }
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes elements one behind another, some at a time.
  ///
  /// - Parameter start: What stands before them.
  package func write<Element>(
    _ start: [UInt8] = [], each elements: some Sequence<Element>,
    _ append: (Element, inout [UInt8]) -> Void
  ) throws(ReportedError) {
    var bytes = start
    for element in elements {
      append(element, &bytes)
      try writeChunk(&bytes)
    }
    try write(bytes)
  }

  /// Writes objects as JSON, one a line.
  package func writeLines(_ objects: some Sequence<Properties>) throws(ReportedError) {
    var writer = JSONWriter()
    try write(each: objects) { members, bytes in
      writer.value(.object(members))
      writer.endLine()
      bytes += writer.bytes
      writer.removeAll()
    }
  }

  package func write(_ bytes: [UInt8]) throws(ReportedError) {
    guard let file else { return try Files.writeToStandardOutput(bytes) }
    guard Files.send(bytes, to: descriptor) else {
      let failure = Files.writeFailure(file)
      throw errno == EPIPE ? ReportedError(failure, fault: .readerLeft) : failure
    }
  }

  /// Writes bytes to a place of a file, which may lie before or behind what was written.
  ///
  /// - Precondition: `OutputTarget.requireFile` has passed the file.
  package func write(_ bytes: [UInt8], at offset: Int) throws(ReportedError) {
    guard let file else {
      throw ReportedError(
        "cannot-write", "this cannot be written to standard output; name a file",
        fault: .cannotWrite)
    }
    let isWritten = bytes.withUnsafeBytes { OpenFile.send($0, to: descriptor, at: offset) }
    guard isWritten else { throw Files.writeFailure(file) }
    byteCount = max(byteCount, offset + bytes.count)
  }

  /// Gives a file its name, once everything is on the disk.
  package func finish() throws(ReportedError) {
    guard let file, let replaced else { return }
    // It may have been read since.
    try ReadFiles.refuse(file)
    guard replaced.replace() else { throw Files.writeFailure(file) }
    self.replaced = nil
  }
}
