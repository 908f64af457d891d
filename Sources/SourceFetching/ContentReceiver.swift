#if Store
  import GzipReading
  import MapAnnotations

  /// Receives a response piece by piece: unpacks gzip, counts bytes, computes the digest, and writes a temporary file.
  ///
  /// Gzip is recognized by its first bytes, whatever the headers say: as a content coding and as a packed file, in up
  /// to two layers (a packed file that was packed again for transfer). Unchecked, because it is read once the transfer
  /// that writes to it has ended.
  public final class ContentReceiver: @unchecked Sendable {
    /// The head of the response, once it has arrived.
    private(set) var head: HTTPHead?
    /// The number of bytes received, as sent.
    private(set) var received = 0
    /// The number of bytes received before, from addresses that redirected here.
    private let receivedBefore: Int
    /// Why the receiver ended the transfer; nil if it did not.
    private(set) var failure: FetchError.Reason?

    private let limit: Int
    private let unpackingLimit: Int
    private let file: TemporaryFile
    private var digest = ContentDigest()
    private var layers: [GzipInflater] = []
    /// The first bytes of a packing layer, until two have arrived and it is decided.
    private var undecided: [UInt8] = []
    private var isDecided = false

    private static let mostLayers = 2

    /// - Parameters:
    ///   - options: The limits of the bytes received and unpacked.
    ///   - before: The number of bytes received before.
    ///   - address: The address or file of the content, for the error.
    init(
      _ options: FetchOptions, after before: Int = 0, from address: String
    ) throws(FetchError) {
      limit = options.byteLimit
      unpackingLimit = options.unpackingLimit ?? options.byteLimit
      receivedBefore = before
      do throws(SystemFailure) { file = try TemporaryFile() } catch {
        throw FetchError(address, .temporaryFile(error.message))
      }
    }

    /// Receives the head; false ends the transfer.
    public func receive(_ head: HTTPHead) -> Bool {
      self.head = head
      // The body of an error or a redirect is not kept, but it counts. With 304 the length is that
      // of the content that is not sent.
      if head.status != 304, let length = head.contentLength, length > limit - receivedBefore {
        return stop(.tooLarge(limit: limit, unpacked: false))
      }
      guard head.isContent else { return true }
      let coding = head["content-encoding"]?.lowercased() ?? ""
      guard ["", "identity", "gzip", "x-gzip"].contains(coding) else {
        return stop(.coding(coding))
      }
      return true
    }

    /// Receives bytes of the body, as sent; false ends the transfer.
    public func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      received += bytes.count
      guard received <= limit - receivedBefore else {
        return stop(.tooLarge(limit: limit, unpacked: false))
      }
      if let head, !head.isContent { return true }
      return take(bytes, behind: 0)
    }

    /// Processes bytes after a number of unpacking layers.
    private func take(_ bytes: UnsafeRawBufferPointer, behind depth: Int) -> Bool {
      if depth < layers.count {
        switch layers[depth].update(bytes, { take($0, behind: depth + 1) }) {
        case .taken: return true
        case .full: return false
        case .damaged(let why): return stop(.gzip(why))
        }
      }
      if isDecided { return keep(bytes) }
      undecided += bytes
      guard undecided.count >= 2 else { return true }
      let start = undecided
      undecided = []
      if GzipInflater.isGzip(start), layers.count < ContentReceiver.mostLayers,
        let inflater = GzipInflater()
      {
        layers.append(inflater)
      } else {
        isDecided = true
      }
      return start.withUnsafeBytes { take($0, behind: depth) }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let limit = layers.isEmpty ? limit : unpackingLimit
      guard file.byteCount + bytes.count <= limit else {
        return stop(.tooLarge(limit: limit, unpacked: !layers.isEmpty))
      }
      digest.update(bytes)
      do throws(SystemFailure) {
        try file.append(bytes)
        return true
      } catch {
        return stop(.temporaryFile(error.message))
      }
    }

    private func stop(_ reason: FetchError.Reason) -> Bool {
      failure = failure ?? reason
      return false
    }

    /// Finishes the content and returns it; nil if something was wrong with it; see `failure`.
    func finish() -> (file: TemporaryFile, digest: String)? {
      if failure == nil, !undecided.isEmpty {
        // Content of a single byte.
        isDecided = true
        _ = undecided.withUnsafeBytes { keep($0) }
        undecided = []
      }
      if let promised = head?.contentLength, received != promised, failure == nil {
        failure = .cutOff(received: received, promised: promised)
      }
      if failure == nil, layers.contains(where: { !$0.isComplete }) {
        failure = .gzip("it is cut off")
      }
      return failure == nil ? (file, digest.hexadecimal()) : nil
    }
  }
#endif
