import Complaints

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What a call returns, and how many seconds it takes.
func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Double) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try body()
  let duration = (clock.now - start).components
  return (result, Double(duration.seconds) + Double(duration.attoseconds) * 1e-18)
}

func flush() { fflush(nil) }

enum FileBytes {
  /// The whole of a file.
  static func of(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else {
      Complaint("\(path) cannot be read", .noInput).end()
    }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = fread(buffer.baseAddress, 1, count, file)
    }
  }
}
