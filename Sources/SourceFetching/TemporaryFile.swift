import SystemCalls

/// An unnamed file: it disappears when it is released, and after a crash.
///
/// Writing ends before reading begins; only that makes it safe to share.
public final class TemporaryFile: @unchecked Sendable {
  private let descriptor: Int32
  /// The number of bytes written.
  public private(set) var byteCount = 0

  /// Makes an empty file in `$TMPDIR`, or else in `/tmp`.
  package init() throws(SystemFailure) {
    // The name of a folder need not be UTF-8.
    let folder =
      getenv("TMPDIR").flatMap { $0.pointee == 0 ? nil : $0 }
      .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? Array("/tmp".utf8)
    var template = folder + Array("/nearby-XXXXXX".utf8) + [0]
    let opened = template.withUnsafeMutableBytes { name -> Int32 in
      let start = name.assumingMemoryBound(to: CChar.self).baseAddress!
      let opened = mkstemp(start)
      if opened >= 0 { unlink(start) }
      return opened
    }
    guard opened >= 0 else { throw SystemFailure() }
    descriptor = opened
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Appends bytes.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    guard OpenFile.write(bytes, to: descriptor, at: byteCount) else { throw SystemFailure() }
    byteCount += bytes.count
  }

  /// The bytes of a range in `0..<byteCount`.
  package func bytes(_ range: Range<Int>) throws(SystemFailure) -> [UInt8] {
    // Otherwise the shared empty array would be written to.
    guard !range.isEmpty else { return [] }
    var failure: SystemFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < buffer.count {
        let got = pread(
          descriptor, buffer.baseAddress! + count, buffer.count - count,
          off_t(range.lowerBound + count))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else {
          failure = SystemFailure()
          return
        }
        count += got
      }
    }
    if let failure { throw failure }
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
