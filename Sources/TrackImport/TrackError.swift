import AnnotationImport
import Geodesy

/// An error in a track's text as a whole.
public struct TrackError: CodedError {
  /// The code: that of the format's reader, or `empty-input`, `encoding`, `format-unknown`,
  /// `gzip-damaged`, `gzip-too-large`, `line-too-long`.
  public let code: String
  /// The source and the line, what is wrong and what to do, in one lower-case sentence.
  public let description: String
  /// Whether the remedy is to change options, not the data.
  public let isUsage: Bool
  /// The fixes before the error that were not returned yet, if ``TrackReader/finish()`` throws it.
  public internal(set) var points: [TrackPoint] = []

  init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
    isUsage = false
  }

  init(_ error: some CodedError, in source: String) { self.init(error.code, "\(source): \(error)") }

  init(_ error: ImportError) {
    code = error.code
    description = error.description
    isUsage = error.blame == .usage
  }
}
