import SystemCalls

/// An unnamed file: it disappears when it is released, and after a crash.
///
/// Writing ends before reading begins; only that makes it safe to share.
public final class TemporaryFile: @unchecked Sendable {
  private let file: OpenFile
  /// The number of bytes written.
  public private(set) var byteCount = 0

  /// Makes an empty file in `$TMPDIR`, or else in `/tmp`.
  package init() throws(SystemFailure) {
    // The name of a folder need not be UTF-8.
    let folder =
      getenv("TMPDIR").flatMap { $0.pointee == 0 ? nil : $0 }
      .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? Array("/tmp".utf8)
    guard let file = OpenFile.unnamed(beside: FilePath(folder + Array("/nearby".utf8))) else {
      throw SystemFailure()
    }
    self.file = file
  }

  /// Appends bytes.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    guard OpenFile.send(bytes, to: file.descriptor, at: byteCount) else { throw SystemFailure() }
    byteCount += bytes.count
  }

  /// The bytes of a range in `0..<byteCount`.
  package func bytes(_ range: Range<Int>) throws(SystemFailure) -> [UInt8] {
    guard let bytes = OpenFile.bytes(range, of: file.descriptor), bytes.count == range.count else {
      throw SystemFailure()
    }
    return bytes
  }

  #if Store
    /// All bytes written.
    ///
    /// - Complexity: O(*n*) time and memory.
    public func bytes() throws(FetchError) -> [UInt8] {
      do throws(SystemFailure) { return try bytes(0..<byteCount) } catch {
        throw FetchError("temporary file", .temporaryFile(error.message))
      }
    }
  #endif
}

/// The system's error of a failed call.
package struct SystemFailure: Error {
  package let message: String
  let isMissing: Bool

  init() {
    isMissing = errno == ENOENT || errno == ENOTDIR
    message = systemMessage()
  }
}
