import AnnotationImport
import Geodesy
import MapAnnotations
import NearbySearch
import TextMaps

/// A condition with its text, to show where it is mistaken.
package struct WrittenCondition {
  package let text: String
  package let condition: Condition

  package init(_ text: String) throws(ReportedError) {
    self.text = text
    do throws(ConditionError) {
      condition = try Condition(parsing: text)
    } catch {
      throw ReportedError(error, in: text)
    }
  }

  /// The condition, ready to be asked of annotations.
  ///
  /// - Throws: Where it does not fit them.
  package func filter(
    for annotations: ImportedAnnotations, from origin: Coordinate?
  ) throws(ReportedError) -> ConditionFilter<ImportedAnnotation> {
    do throws(ConditionError) {
      return try ConditionFilter(
        condition, for: annotations, columns: annotations.columns, from: origin)
    } catch {
      throw ReportedError(error, in: text)
    }
  }
}

extension ReportedError {
  /// A mistake in a condition, with a caret under its place.
  package init(_ error: ConditionError, in text: String) {
    self.init(
      error.code, "\(error.message)\n\(Caret.lines(under: error.column, of: text))", fault: .usage)
  }

  /// Why a query has no answer, with a caret where the condition is mistaken.
  ///
  /// - Parameter cursorName: The name of the option or parameter that takes the cursor of the next page.
  package init(_ error: QueryError, in condition: WrittenCondition?, cursorName: String = "after") {
    switch error {
    case .condition(let error): self.init(error, in: condition?.text ?? "")
    case .cursor(let cursor):
      self.init(error.code, "\(cursorName): \(cursor)", fault: .usage)
    default: self.init(error.code, error.description, fault: .usage)
    }
  }
}
