internal import CNearbyZlib

/// Why packed bytes cannot be unpacked.
enum GzipFailure: Error {
  /// The bytes are damaged; holds a short description.
  case damaged(String)
  /// The unpacked bytes exceed the limit.
  case tooLarge
}

/// Unpacks gzip (RFC 1952) in tiles and directories.
enum Gzip {
  /// Unpacks one member.
  ///
  /// - Parameter limit: The maximum number of unpacked bytes; memory never exceeds twice as many.
  static func unpacked(_ packed: [UInt8], limit: Int) throws(GzipFailure) -> [UInt8] {
    var stream = z_stream()
    // 15 bits of window, plus 16 for a gzip header.
    let status = inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .damaged("zlib: \(status)") }
    defer { inflateEnd(&stream) }
    // zlib counts in 32 bits.
    guard packed.count < 1 << 31 else { throw .damaged("it has 2 GiB or more") }

    var unpacked: [UInt8] = []
    var consumed = 0
    // Tiles unpack to about four times their size; a zip bomb is only detected by unpacking.
    var room = min(max(packed.count * 4, 1 << 10), limit + 1)
    while true {
      var status = Z_OK
      let before = unpacked
      unpacked = Array(unsafeUninitializedCapacity: room) { buffer, count in
        count = buffer.update(fromContentsOf: before)
        packed.withUnsafeBufferPointer { input in
          stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + consumed })
          stream.avail_in = UInt32(input.count - consumed)
          stream.next_out = buffer.baseAddress.map { $0 + count }
          stream.avail_out = UInt32(min(buffer.count - count, 1 << 30))
          let offered = stream.avail_out
          status = CNearbyZlib.inflate(&stream, Z_NO_FLUSH)
          consumed = input.count - Int(stream.avail_in)
          count += Int(offered - stream.avail_out)
        }
      }
      guard unpacked.count <= limit else { throw .tooLarge }
      switch status {
      case Z_STREAM_END:
        guard consumed == packed.count else { throw .damaged("something else follows") }
        return unpacked
      case Z_OK where unpacked.count == room: room = min(room * 2, limit + 1)
      case Z_OK, Z_BUF_ERROR: throw .damaged("it is cut off")
      default: throw .damaged(stream.msg.map { String(cString: $0) } ?? "zlib: \(status)")
      }
    }
  }
}

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
