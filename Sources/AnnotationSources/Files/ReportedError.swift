import AnnotationImport
import Geodesy

/// An error to show to a person: a code, a sentence that ends with what to do, and whose fault it is.
package struct ReportedError: CodedError {
  /// Whose mistake it is, or what failed.
  package enum Fault: Sendable {
    /// What was asked for.
    case usage
    /// What is in a file.
    case badData
    /// A file or a store that is not there, or may not be read.
    case noInput
    /// A server that did not answer as it should.
    case unavailable
    case cannotWrite
    case inputOutput
    /// Nobody reads standard output any more: nothing is wrong, and nobody needs to be told.
    case readerLeft
  }

  package let code: String
  package let description: String
  package let fault: Fault
  /// How the records of a source fared that could not be read; nil where it is not about one.
  package private(set) var report: ImportReport?
  /// The records that were kept of a source of which too many were rejected.
  package private(set) var annotations: ImportedAnnotations?
  /// Where in a text the mistake is, from 1; nil where nobody asks.
  package private(set) var column: Int?

  package init(_ code: String, _ sentence: String, fault: Fault, column: Int? = nil) {
    self.code = code
    description = sentence
    self.fault = fault
    self.column = column
  }

  /// Wraps what another library threw.
  package init(_ error: some CodedError, fault: Fault) {
    self.init(error.code, error.description, fault: fault)
  }

  package init(_ error: ImportError) {
    self.init(error, fault: error.blame == .usage ? .usage : .badData)
    report = error.report
    annotations = error.annotations
  }

  /// Runs work of another library, and wraps the errors that it throws.
  ///
  /// - Parameter place: Where the fault is, if the library does not say so.
  package static func wrapping<Failure: CodedError, Result>(
    _ fault: Fault, at place: @autoclosure () -> String? = nil,
    _ work: () throws(Failure) -> Result
  ) throws(ReportedError) -> Result {
    do throws(Failure) { return try work() } catch {
      let start = place().map { "\($0): " } ?? ""
      throw ReportedError(error.code, start + error.description, fault: fault)
    }
  }
}
