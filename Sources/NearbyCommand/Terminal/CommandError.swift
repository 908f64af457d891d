import AnnotationImport
import Geodesy

/// A mistake as the command line reports it: code, sentence and exit status.
struct CommandError: CodedError {
  let code: String
  let description: String
  let status: ExitStatus
  /// How the records of a source fared that could not be read; nil where it is not about one.
  private(set) var report: ImportReport?

  init(_ code: String, _ sentence: String, status: ExitStatus) {
    self.code = code
    description = sentence
    self.status = status
  }

  /// Wraps what a library threw, which has a code and a sentence but no exit status.
  init(_ error: some CodedError, status: ExitStatus) {
    self.init(error.code, error.description, status: status)
  }

  init(_ error: ImportError) {
    self.init(error, status: error.blame == .usage ? .usage : .badData)
    report = error.report
  }
}

/// The exit statuses of `sysexits.h` that the command uses.
enum ExitStatus: Int32 {
  case success = 0
  /// Nothing was found, and the caller asked to be told so.
  case empty = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  /// A server did not answer as it should.
  case unavailable = 69
  case cannotWrite = 73
  case inputOutput = 74
}
