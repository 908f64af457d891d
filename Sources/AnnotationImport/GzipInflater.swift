import CNearbyZlib

/// Unpacks gzip (RFC 1952) with one or several members.
package enum GzipInflater {
  /// Whether bytes begin like gzip.
  package static func isGzip(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
  }

  /// The unpacked bytes; unchanged if they are not packed.
  ///
  /// - Throws: As `inflate(_:limit:)`.
  package static func unpacked(
    _ bytes: consuming [UInt8], limit: UnpackingLimit = .standard
  ) throws(GzipFailure) -> [UInt8] {
    isGzip(bytes) ? try inflate(bytes, limit: limit) : bytes
  }

  /// Unpacks all members in order.
  ///
  /// Zeros after the last member are padding.
  ///
  /// - Throws: `GzipFailure` if a member is cut off or fails its checksum, something else follows,
  ///   or the result exceeds the limit.
  /// - Complexity: O(*n*) for *n* unpacked bytes; memory stays below one and a half times the
  ///   limit. The buffer starts with the length that the last member states, if that is plausible,
  ///   and doubles as needed.
  package static func inflate(
    _ packed: [UInt8], limit: UnpackingLimit = .standard
  ) throws(GzipFailure) -> [UInt8] {
    var stream = z_stream()
    // 15 bits of window, plus 16 for a gzip header.
    let status = inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .damaged(detail: "zlib: \(status)", unpackedBytes: 0) }
    defer { inflateEnd(&stream) }

    let most = limit.byteCount(forPacked: packed.count)
    var unpacked: [UInt8] = []
    var consumed = 0
    var outcome = Outcome.full
    // One byte more than the limit shows that there is more.
    var capacity = min(firstCapacity(for: packed), most + 1)
    while true {
      unpacked = Array(unsafeUninitializedCapacity: capacity) { buffer, count in
        count = buffer.update(fromContentsOf: unpacked)
        outcome = fill(buffer, count: &count, from: packed, consumed: &consumed, with: &stream)
      }
      guard unpacked.count <= most else {
        throw .tooLarge(limit: most, packedBytes: packed.count)
      }
      switch outcome {
      case .done: return unpacked
      case .full: capacity = min(capacity * 2, most + 1)
      case .damaged(let detail): throw .damaged(detail: detail, unpackedBytes: unpacked.count)
      }
    }
  }

  private enum Outcome {
    case full, done
    case damaged(String)
  }

  /// Unpacks until the buffer is full or the packed bytes end.
  private static func fill(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int, from packed: [UInt8],
    consumed: inout Int, with stream: inout z_stream
  ) -> Outcome {
    packed.withUnsafeBufferPointer { input in
      while true {
        guard count < buffer.count else { return .full }
        guard let output = buffer.baseAddress, let source = input.baseAddress else {
          return .damaged("no bytes")
        }
        // zlib counts in 32 bits.
        let available = min(input.count - consumed, 1 << 30)
        let room = min(buffer.count - count, 1 << 30)
        stream.next_in = UnsafeMutablePointer(mutating: source + consumed)
        stream.avail_in = UInt32(available)
        stream.next_out = output + count
        stream.avail_out = UInt32(room)
        let status = CNearbyZlib.inflate(&stream, Z_NO_FLUSH)
        consumed += available - Int(stream.avail_in)
        count += room - Int(stream.avail_out)
        switch status {
        case Z_OK: continue
        case Z_STREAM_END:
          let rest = input[consumed...]
          if rest.allSatisfy({ $0 == 0 }) { return .done }
          guard rest.starts(with: [0x1F, 0x8B]) else {
            return .damaged("something else follows")
          }
          inflateReset(&stream)
        case Z_BUF_ERROR where consumed == input.count:
          return .damaged("it is cut off")
        default:
          return .damaged(stream.msg.map { String(cString: $0) } ?? "zlib: \(status)")
        }
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
