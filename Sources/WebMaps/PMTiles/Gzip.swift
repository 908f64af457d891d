internal import CNearbyZlib

/// Packs many short pieces as separate gzip members, sharing one set of zlib tables.
///
/// The tables take 256 KiB; making new ones for each tile would take longer than packing a small one.
public final class GzipPacker {
  /// At a fixed address, because zlib stores it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Parameter level: 1 (fast) to 9 (small).
  /// - Precondition: `level` is in 1…9.
  public init(level: Int = 6) {
    precondition((1...9).contains(level), "a gzip level of \(level)")
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window, plus 16 for a gzip header, without a name and a time.
    let status = deflateInit2_(
      stream, Int32(level), Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory for its tables (\(status))")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The bytes as one gzip member; deterministic.
  public func packed(_ bytes: [UInt8]) -> [UInt8] { packed(bytes, pieceSize: 1 << 30) }

  /// - Parameter pieceSize: How many bytes zlib, which counts in 32 bits, takes and returns at once.
  func packed(_ bytes: [UInt8], pieceSize: Int) -> [UInt8] {
    deflateReset(stream)
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    return Array(unsafeUninitializedCapacity: bound) { buffer, count in
      bytes.withUnsafeBufferPointer { input in
        var consumed = 0
        var status = Z_OK
        while status == Z_OK {
          let given = min(input.count - consumed, pieceSize)
          let room = min(buffer.count - count, pieceSize)
          stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress.map { $0 + consumed })
          stream.pointee.avail_in = UInt32(given)
          stream.pointee.next_out = buffer.baseAddress.map { $0 + count }
          stream.pointee.avail_out = UInt32(room)
          let isLast = consumed + given == input.count
          status = CNearbyZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          consumed += given - Int(stream.pointee.avail_in)
          count += room - Int(stream.pointee.avail_out)
        }
        precondition(status == Z_STREAM_END, "zlib: \(status)")
      }
    }
  }
}
