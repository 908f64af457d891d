#if Store
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// An unnamed file: it disappears when it is released, and after a crash.
  ///
  /// Writing ends before reading begins; only that makes it safe to share.
  public final class TemporaryFile: @unchecked Sendable {
    private let descriptor: Int32
    /// The number of bytes written.
    public private(set) var byteCount = 0

    /// Makes an empty file in `$TMPDIR`, or else in `/tmp`.
    init() throws(SystemFailure) {
      let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
      var template = Array(((folder.isEmpty ? "/tmp" : folder) + "/nearby-XXXXXX").utf8CString)
      let opened = template.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
      guard opened >= 0 else { throw SystemFailure() }
      descriptor = opened
      template.withUnsafeBufferPointer { _ = unlink($0.baseAddress!) }
      _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Appends bytes.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
      var sent = 0
      while sent < bytes.count {
        let count = write(descriptor, bytes.baseAddress! + sent, bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw SystemFailure() }
        sent += count
      }
      byteCount += sent
    }

    /// All bytes written.
    ///
    /// - Complexity: O(*n*) time and memory.
    public func bytes() throws(FetchError) -> [UInt8] {
      // Otherwise the shared empty array would be written to.
      guard byteCount > 0 else { return [] }
      var failure: SystemFailure?
      let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
        while count < buffer.count {
          let got = pread(
            descriptor, buffer.baseAddress! + count, buffer.count - count, off_t(count))
          if got < 0, errno == EINTR { continue }
          guard got > 0 else {
            failure = SystemFailure()
            return
          }
          count += got
        }
      }
      if let failure { throw FetchError("temporary file", .temporaryFile(failure.message)) }
      return bytes
    }
  }

  /// The system's error of a failed call.
  struct SystemFailure: Error {
    let message: String
    let isMissing: Bool

    init() {
      isMissing = errno == ENOENT || errno == ENOTDIR
      message = String(cString: strerror(errno)).lowercased()
    }
  }
#endif
