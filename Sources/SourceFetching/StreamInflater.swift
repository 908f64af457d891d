#if Store
  import CNearbyZlib

  /// Unpacks gzip (RFC 1952) piece by piece, with one or several members.
  ///
  /// Memory use does not depend on the unpacked size.
  final class StreamInflater {
    /// At a fixed address, because zlib stores it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isAtMemberStart = true
    private var isPadding = false
    private var room = [UInt8](repeating: 0, count: 1 << 16)

    init?() {
      // 15 bits of window, plus 16 for a gzip header.
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
      guard inflateInit2_(stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { return nil }
    }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
    }

    /// Why unpacking ended.
    enum Failure: Error {
      case damaged(String)
      /// The receiver stopped.
      case stopped
    }

    /// Unpacks a piece.
    ///
    /// - Parameter receive: Called with the unpacked bytes, up to 64 KB at a time; false stops.
    func update(
      _ packed: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) {
      guard let start = packed.bindMemory(to: UInt8.self).baseAddress else { return }
      var consumed = 0
      while consumed < packed.count {
        if isAtMemberStart, stream.pointee.total_in > 0 || isPadding {
          // After a member, zeros are padding and anything else is another member.
          if packed[consumed] == 0 {
            isPadding = true
            consumed += 1
            continue
          }
          guard !isPadding, packed[consumed] == 0x1F else {
            throw .damaged("something else follows")
          }
          inflateReset(stream)
        }
        isAtMemberStart = false
        // zlib counts in 32 bits.
        let available = min(packed.count - consumed, 1 << 30)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start + consumed)
        stream.pointee.avail_in = UInt32(available)
        var status = Z_OK
        repeat {
          let produced = room.withUnsafeMutableBufferPointer { room in
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            status = CNearbyZlib.inflate(stream, Z_NO_FLUSH)
            return room.count - Int(stream.pointee.avail_out)
          }
          if produced > 0 {
            let goesOn = room.withUnsafeBytes {
              receive(UnsafeRawBufferPointer(rebasing: $0[..<produced]))
            }
            guard goesOn else { throw .stopped }
          }
        } while status == Z_OK && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
        consumed += available - Int(stream.pointee.avail_in)
        switch status {
        case Z_OK, Z_BUF_ERROR: continue
        case Z_STREAM_END: isAtMemberStart = true
        default: throw .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "zlib: \(status)")
        }
      }
    }

    /// Whether the last member is complete.
    var isComplete: Bool { isAtMemberStart && stream.pointee.total_in > 0 || isPadding }
  }
#endif
