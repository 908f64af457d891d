import AnnotationSources

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

  /// How the program ends after a mistake.
  init(_ fault: ReportedError.Fault) {
    self =
      switch fault {
      case .usage: .usage
      case .badData: .badData
      case .noInput: .noInput
      case .unavailable: .unavailable
      case .cannotWrite: .cannotWrite
      case .inputOutput: .inputOutput
      // As `head`, which has seen enough.
      case .readerLeft: .success
      }
  }
}
