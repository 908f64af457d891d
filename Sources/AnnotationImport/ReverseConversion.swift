#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Encodes single characters, through the system's iconv.
struct ReverseConversion: ~Copyable {
  private let descriptor: iconv_t

  /// nil if the system does not know the encoding.
  init?(to encoding: TextEncoding) {
    for name in encoding.iconvNames {
      if let opened = iconv_open(name, "UTF-8"), Int(bitPattern: opened) != -1 {
        descriptor = opened
        return
      }
    }
    return nil
  }

  deinit { iconv_close(descriptor) }

  /// The bytes of a character; empty if the encoding lacks it.
  func bytes(of character: Unicode.Scalar) -> [UInt8] {
    var input = String(character).utf8.map { CChar(bitPattern: $0) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { room in
      input.withUnsafeMutableBufferPointer { input in
        var from = input.baseAddress
        var left = input.count
        var to = room.baseAddress
        var free = room.count
        let result = iconv(descriptor, &from, &left, &to, &free)
        guard result != -1 else { return [] }
        return room[..<(room.count - free)].map { UInt8(bitPattern: $0) }
      }
    }
  }
}
