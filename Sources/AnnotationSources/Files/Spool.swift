import SourceFetching

/// Bytes that are wanted only once all of them are there: in memory while they are few, then in a
/// file without a name, which is gone with the program however it ends.
package final class Spool {
  private var bytes: [UInt8] = []
  /// Everything before `bytes`; nil while all fit into memory.
  private var file: TemporaryFile?

  package func append(_ more: [UInt8]) throws(ReportedError) {
    bytes += more
    guard bytes.count > OutputSink.chunk else { return }
    do throws(SystemFailure) {
      let file: TemporaryFile
      if let held = self.file { file = held } else { file = try TemporaryFile() }
      self.file = file
      try bytes.withUnsafeBufferPointer { (bytes) throws(SystemFailure) in
        try file.append(UnsafeRawBufferPointer(bytes))
      }
    } catch {
      throw Spool.failed(error)
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Hands over all bytes, some at a time, and forgets them.
  func drain(_ receive: ([UInt8]) throws(ReportedError) -> Void) throws(ReportedError) {
    if let file {
      for start in stride(from: 0, to: file.byteCount, by: OutputSink.chunk) {
        let piece: [UInt8]
        do throws(SystemFailure) {
          piece = try file.bytes(start..<min(start + OutputSink.chunk, file.byteCount))
        } catch {
          throw Spool.failed(error)
        }
        try receive(piece)
      }
      self.file = nil
    }
    if !bytes.isEmpty { try receive(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  private static func failed(_ failure: SystemFailure) -> ReportedError {
    ReportedError(
      "write-failed",
      "no temporary file: \(failure.message); set TMPDIR to a folder with room",
      fault: .inputOutput)
  }
}
