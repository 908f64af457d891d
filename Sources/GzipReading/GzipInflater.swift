internal import CNearbyZlib
import Geodesy

/// Unpacks gzip (RFC 1952), whole or in pieces.
///
/// Zeros after the last member are padding.
package final class GzipInflater {
  /// Why unpacking came to a halt.
  package enum Outcome {
    /// All packed bytes are taken.
    case taken
    /// There is no room for more.
    case full
    case damaged(String)
  }

  /// At a fixed address, because zlib stores it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let isOneMember: Bool
  private var isAtMemberStart = true
  private var isPadding = false
  /// Where pieces are unpacked to; empty before the first one.
  private var room: [UInt8] = []

  /// - Parameter isOneMember: Whether anything after the first member is damage, padding included.
  /// - Returns: nil if zlib has no memory for its tables.
  package init?(isOneMember: Bool = false) {
    self.isOneMember = isOneMember
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window, plus 16 for a gzip header.
    guard inflateInit2_(stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Whether the last member is complete.
  package var isComplete: Bool { isAtMemberStart && stream.pointee.total_in > 0 || isPadding }

  /// Unpacks until the buffer is full or the packed bytes are taken.
  private func fill(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int,
    from packed: UnsafeBufferPointer<UInt8>, consumed: inout Int
  ) -> Outcome {
    guard let output = buffer.baseAddress, let source = packed.baseAddress else { return .taken }
    while true {
      if isComplete {
        // After a member, zeros are padding and anything else is another member.
        guard consumed < packed.count else { return .taken }
        let isZero = packed[consumed] == 0
        guard !isOneMember, isZero || !isPadding && packed[consumed] == 0x1F else {
          return .damaged("something else follows")
        }
        if isZero {
          isPadding = true
          consumed += 1
          continue
        }
        inflateReset(stream)
      }
      guard count < buffer.count else { return .full }
      isAtMemberStart = false
      // zlib counts in 32 bits.
      let available = min(packed.count - consumed, 1 << 30)
      let free = min(buffer.count - count, 1 << 30)
      stream.pointee.next_in = UnsafeMutablePointer(mutating: source + consumed)
      stream.pointee.avail_in = UInt32(available)
      stream.pointee.next_out = output + count
      stream.pointee.avail_out = UInt32(free)
      let status = CNearbyZlib.inflate(stream, Z_NO_FLUSH)
      consumed += available - Int(stream.pointee.avail_in)
      count += free - Int(stream.pointee.avail_out)
      switch status {
      case Z_OK: continue
      case Z_STREAM_END: isAtMemberStart = true
      case Z_BUF_ERROR where consumed == packed.count: return .taken
      default: return .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "zlib: \(status)")
      }
    }
  }

  /// Unpacks the next piece, with memory that does not depend on the unpacked size.
  ///
  /// - Parameter receive: Called with the unpacked bytes, up to 64 KB at a time; false stops.
  /// - Returns: `full` if the receiver stopped.
  package func update(
    _ packed: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool
  ) -> Outcome {
    if room.isEmpty { room = [UInt8](repeating: 0, count: 1 << 16) }
    let packed = packed.bindMemory(to: UInt8.self)
    var consumed = 0
    while true {
      var count = 0
      let outcome = room.withUnsafeMutableBufferPointer {
        fill($0, count: &count, from: packed, consumed: &consumed)
      }
      let goesOn =
        count == 0
        || room.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      guard goesOn else { return .full }
      guard case .full = outcome else { return outcome }
    }
  }

  // MARK: Whole

  /// Whether bytes begin like gzip.
  package static func isGzip(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
  }

  /// Unpacks all members in order.
  ///
  /// - Throws: `GzipFailure` if a member is cut off or fails its checksum, something else follows,
  ///   or the result exceeds the limit.
  /// - Complexity: O(*n*) for *n* unpacked bytes; memory stays below one and a half times the
  ///   limit. The buffer starts with the length that the last member states, if that is plausible,
  ///   and doubles as needed.
  package static func inflate(
    _ packed: [UInt8], limit: Int, isOneMember: Bool = false
  ) throws(GzipFailure) -> [UInt8] {
    guard let inflater = GzipInflater(isOneMember: isOneMember) else {
      throw .damaged(detail: "zlib has no memory", unpackedBytes: 0)
    }
    var unpacked: [UInt8] = []
    var consumed = 0
    var outcome = Outcome.full
    // One byte more than the limit shows that there is more.
    var capacity = min(firstCapacity(for: packed), limit + 1)
    while true {
      unpacked = Array(unsafeUninitializedCapacity: capacity) { buffer, count in
        count = buffer.update(fromContentsOf: unpacked)
        outcome = packed.withUnsafeBufferPointer {
          inflater.fill(buffer, count: &count, from: $0, consumed: &consumed)
        }
      }
      guard unpacked.count <= limit else {
        throw .tooLarge(limit: limit, packedBytes: packed.count)
      }
      switch outcome {
      case .taken where inflater.isComplete: return unpacked
      case .taken: throw .damaged(detail: "it is cut off", unpackedBytes: unpacked.count)
      case .full: capacity = min(capacity * 2, limit + 1)
      case .damaged(let detail): throw .damaged(detail: detail, unpackedBytes: unpacked.count)
      }
    }
  }

  /// The length in the last four bytes, which is right for one valid member under 4 GiB and may be
  /// anything otherwise; limited to 32 times the packed size.
  private static func firstCapacity(for packed: [UInt8]) -> Int {
    let stated = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    // One byte more, so that a right length ends with the stream and not with a full buffer.
    return min(max(stated, packed.count), packed.count * 32) + 1
  }
}

/// An error in unpacking gzip.
package enum GzipFailure: CodedError {
  /// The content is cut off or fails its checksum; holds how, and how many bytes were unpacked before.
  case damaged(detail: String, unpackedBytes: Int)
  /// The unpacked content exceeds the limit; holds the limit, and the packed size.
  case tooLarge(limit: Int, packedBytes: Int)

  /// The code of the error, for programs.
  package var code: String {
    switch self {
    case .damaged: "gzip-damaged"
    case .tooLarge: "gzip-too-large"
    }
  }

  /// What is wrong and what to do, if an option raises the limit.
  package var description: String {
    sentence(remedy: "pass a larger `unpackingLimit`, as 8G, if that is right")
  }

  /// What is wrong and what to do, if no option raises the limit.
  package var withoutOption: String {
    sentence(remedy: "unpack it with gunzip first if that is right")
  }

  private func sentence(remedy: String) -> String {
    switch self {
    case .damaged(let detail, let count):
      "the gzip packing is damaged after \(grouped(count)) unpacked bytes (\(detail)); "
        + "fetch or pack it again"
    case .tooLarge(let limit, let packed):
      "more than \(grouped(limit)) bytes come out of \(grouped(packed)) packed ones; \(remedy)"
    }
  }
}
