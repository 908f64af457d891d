internal import CNearbyZlib

/// Why packed bytes cannot be unpacked.
enum GzipFailure: Error {
  /// They are damaged; holds how, in a few words.
  case damaged(String)
  /// More comes out than was allowed.
  case tooLarge
}

/// Unpacks gzip (RFC 1952) of tiles and directories.
enum Gzip {
  /// All that one member holds.
  ///
  /// - Parameter limit: How many bytes may come out; no more than twice as many are ever held.
  static func unpacked(_ packed: [UInt8], limit: Int) throws(GzipFailure) -> [UInt8] {
    var stream = z_stream()
    // 15 bits of window, and 16 for a gzip header.
    let status = inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .damaged("zlib: \(status)") }
    defer { inflateEnd(&stream) }
    // zlib counts in 32 bits.
    guard packed.count < 1 << 31 else { throw .damaged("it has 2 GiB or more") }

    var unpacked: [UInt8] = []
    var consumed = 0
    // Four times as much is what tiles unpack to; a bomb has to be unpacked to be known.
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

/// Packs many short pieces, each as a gzip member of its own, with one set of zlib's tables: they take
/// 256 KiB, and making new ones for every tile would take longer than to pack a small one.
public final class GzipPacker {
  /// At one address for good: zlib remembers where it was.
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Parameter level: 1, fast, to 9, small.
  /// - Precondition: `level` is in 1…9.
  public init(level: Int = 6) {
    precondition((1...9).contains(level), "a gzip level of \(level)")
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window, and 16 for a gzip header, without a name and a time.
    let status = deflateInit2_(
      stream, Int32(level), Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory for its tables (\(status))")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The bytes as one gzip member; the same bytes give the same member.
  public func packed(_ bytes: [UInt8]) -> [UInt8] { packed(bytes, pieceSize: 1 << 30) }

  /// - Parameter pieceSize: How many bytes zlib, which counts in 32 bits, gets and gives at once.
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
