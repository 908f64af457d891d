#if Store
  import MapAnnotations

  /// Takes content as it comes: unpacks gzip, counts, digests, and keeps it in a temporary file.
  ///
  /// Gzip is recognized by its first bytes, whatever the headers say: as a content coding and as a
  /// packed file, up to twice (a packed file that was packed once more on its way).
  final class ContentReceiver: HTTPReceiver, @unchecked Sendable {
    /// The head of the answer, once it has come.
    private(set) var head: HTTPHead?
    /// How many bytes came, packed as they were.
    private(set) var received = 0
    /// How many came before, of the addresses that redirected here.
    private let receivedBefore: Int
    /// Why the receiver ended the transfer; nil when it did not.
    private(set) var failure: FetchError.Reason?

    private let limit: Int
    private let file: TemporaryFile
    private var digest = ContentDigest()
    private var layers: [StreamInflater] = []
    /// For each layer of packing, the first two bytes if they have come; decided when they have.
    private var undecided: [UInt8] = []
    private var isDecided = false

    private static let mostLayers = 2

    /// - Parameters:
    ///   - limit: How many bytes may come, and how many may come out of them.
    ///   - before: How many of them have come already.
    init(limit: Int, after before: Int = 0) throws(SystemFailure) {
      self.limit = limit
      receivedBefore = before
      file = try TemporaryFile()
    }

    func receive(_ head: HTTPHead) -> Bool {
      self.head = head
      // What an error or a redirect says is not kept, but is as long as it is.
      // Of 304 it is the length of what is not sent.
      if head.status != 304, let length = head["content-length"].flatMap({ Int($0) }),
        length > limit - receivedBefore
      {
        return stop(.tooLarge(limit: limit, unpacked: false))
      }
      guard head.isContent else { return true }
      let coding = head["content-encoding"]?.lowercased() ?? "identity"
      guard ["identity", "gzip", "x-gzip"].contains(coding) else { return stop(.coding(coding)) }
      return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      received += bytes.count
      guard received <= limit - receivedBefore else {
        return stop(.tooLarge(limit: limit, unpacked: false))
      }
      if let head, !head.isContent { return true }
      return take(bytes, behind: 0)
    }

    /// Takes bytes that have gone through so many layers of unpacking.
    private func take(_ bytes: UnsafeRawBufferPointer, behind depth: Int) -> Bool {
      if depth < layers.count {
        do throws(StreamInflater.Failure) {
          try layers[depth].update(bytes) { take($0, behind: depth + 1) }
          return true
        } catch {
          if case .damaged(let why) = error { return stop(.gzip(why)) }
          return false
        }
      }
      if isDecided { return keep(bytes) }
      undecided += bytes
      guard undecided.count >= 2 else { return true }
      let start = undecided
      undecided = []
      if start.starts(with: [0x1F, 0x8B]), layers.count < ContentReceiver.mostLayers,
        let inflater = StreamInflater()
      {
        layers.append(inflater)
      } else {
        isDecided = true
      }
      return start.withUnsafeBytes { take($0, behind: depth) }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
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

    /// Ends the content and hands it on; nil when something was wrong with it, as `failure` says.
    func finish() -> (file: TemporaryFile, digest: String)? {
      if failure == nil, !undecided.isEmpty {
        // A single byte.
        isDecided = true
        _ = undecided.withUnsafeBytes { keep($0) }
        undecided = []
      }
      if let promised, received != promised, failure == nil {
        failure = .cutOff(received: received, promised: promised)
      }
      if failure == nil, layers.contains(where: { !$0.isComplete }) {
        failure = .gzip("it is cut off")
      }
      return failure == nil ? (file, digest.hexadecimal()) : nil
    }

    /// How many bytes the head promised; nil when it did not.
    var promised: Int? { head?["content-length"].flatMap { Int($0) } }
  }
#endif
