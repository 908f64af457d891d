import Geodesy
import SpatialIndexing
import SystemCalls

/// An error in reading or writing an index file, with the file name.
public struct IndexFileFailure: CodedError {
  /// The file name as text; bytes that are not UTF-8 are shown as �.
  public let file: String
  /// The reason for the error.
  public let reason: Reason

  /// The possible errors of an index file.
  public enum Reason: Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// The name belongs to a folder, a pipe or a device.
    case notAFile
    /// The name belongs to something that must not be replaced; holds what it is.
    case notReplaced(String)
    /// The system refused; holds what was tried, and the system's message.
    case system(attempt: String, message: String)
    /// The bytes are not a usable index.
    case bytes(IndexFileError)
    /// The source has changed since the index was built.
    case stale(source: String)
  }

  package init(_ file: String, _ reason: Reason) {
    self.file = file
    self.reason = reason
  }

  /// The system's last error.
  init(_ file: FilePath, attempt: String) {
    self.init(file.text, .system(attempt: attempt, message: systemMessage()))
  }

  /// Runs work that reads the bytes of a file, and names the file in its errors.
  static func of<Result>(
    _ file: String, _ read: () throws(IndexFileError) -> Result
  ) throws(IndexFileFailure) -> Result {
    do throws(IndexFileError) { return try read() } catch {
      throw IndexFileFailure(file, .bytes(error))
    }
  }

  /// The code of the error, for programs.
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
