#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where results go: standard output, as they come, or a file that appears whole or not at all.
///
/// A file is written under another name beside its own, which it takes in `finish()`. Whatever
/// happens before leaves the file that was there as it was.
final class OutputSink {
  private let file: FileName?
  private let temporary: FileName?
  private var descriptor: Int32 = -1

  /// - Parameter file: nil and `-` stand for standard output.
  init(_ file: FileName?) throws(CommandError) {
    guard let file, !file.isStandardInput else {
      self.file = nil
      temporary = nil
      return
    }
    self.file = file
    let temporary = FileName(bytes: file.bytes + Array(".\(getpid()).partial".utf8))
    self.temporary = temporary
    descriptor = temporary.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw Files.writeFailure(file) }
  }

  deinit {
    guard descriptor >= 0, let temporary else { return }
    close(descriptor)
    _ = temporary.withPath { unlink($0) }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    guard let file else { return try Console.write(bytes) }
    guard Files.send(bytes, to: descriptor) else { throw Files.writeFailure(file) }
  }

  /// Gives a file its name, once everything is on the disk.
  func finish() throws(CommandError) {
    guard let file, let temporary else { return }
    guard fsync(descriptor) == 0 else { throw Files.writeFailure(file) }
    let renamed = temporary.withPath { from in file.withPath { to in rename(from, to) } }
    guard renamed == 0 else { throw Files.writeFailure(file) }
    close(descriptor)
    descriptor = -1
  }
}
