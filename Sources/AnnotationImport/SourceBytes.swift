/// The unpacked bytes of a source.
enum SourceBytes: @unchecked Sendable {
  case owned([UInt8])
  /// A part of the program itself, which never changes or disappears.
  case permanent(UnsafeBufferPointer<UInt8>)

  func withUnsafeBufferPointer<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .owned(let bytes): try bytes.withUnsafeBufferPointer(body)
    case .permanent(let bytes): try body(bytes)
    }
  }
}
