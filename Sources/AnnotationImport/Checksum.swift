import CNearbyZlib

/// Checksums that detect damaged bytes.
package enum Checksum {
  /// The CRC-32 of gzip and PNG (ISO 3309).
  package static func crc32(of bytes: [UInt8]) -> UInt32 {
    var checksum: uLong = 0
    bytes.withUnsafeBufferPointer { buffer in
      var start = 0
      // zlib takes 32-bit lengths.
      while start < buffer.count {
        let count = min(buffer.count - start, Int(Int32.max))
        checksum = CNearbyZlib.crc32(checksum, buffer.baseAddress! + start, uInt(count))
        start += count
      }
    }
    return UInt32(truncatingIfNeeded: checksum)
  }
}
