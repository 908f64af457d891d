import Geodesy
import SpatialIndexing

/// Why an index file could not be read or written; says which file.
public struct IndexFileFailure: CodedError {
  /// The file's name, as text; bytes that are not UTF-8 are shown as �.
  public let file: String
  /// What went wrong with it.
  public let reason: Reason

  /// What can go wrong with an index file.
  public enum Reason: Hashable, Sendable {
    /// There is no file of that name.
    case missing
    /// It is a folder, a pipe or a device.
    case notAFile
    /// It is something else that has the name, which is not replaced; holds what it is.
    case notReplaced(String)
    /// The system refused; holds what was tried, and the system's sentence.
    case system(attempt: String, message: String)
    /// The bytes are no index that can be used.
    case bytes(IndexFileError)
    /// The source has changed since the index was built.
    case stale(source: String)
  }

  package init(_ file: String, _ reason: Reason) {
    self.file = file
    self.reason = reason
  }

  /// The mistake's name, for programs.
  public var code: String {
    switch reason {
    case .missing: "no-such-file"
    case .notAFile: "not-a-file"
    case .notReplaced: "file-in-use"
    case .system(let attempt, _): attempt == "write" ? "cannot-write" : "read-failed"
    case .bytes(let error): error.code
    case .stale: "index-stale"
    }
  }

  /// One sentence that names the file and says what to do.
  public var description: String {
    switch reason {
    case .missing: "there is no file \(file); check the name and the folder"
    case .notAFile: "\(file) is not a file that can be mapped; name an index file"
    case .notReplaced(let what):
      "\(file) is \(what) and stays as it is; move it away to have an index kept there"
    case .system("write", let message): "cannot write \(file): \(message); choose another place"
    case .system(let attempt, let message):
      "cannot \(attempt) \(file): \(message); check the file and its permissions"
    case .bytes(let error): "\(file): \(error)"
    case .stale(let source): "\(file) is older than \(source); build it again"
    }
  }
}
