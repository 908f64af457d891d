import Geodesy

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
