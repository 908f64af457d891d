import AnnotationImport
import Geodesy
import MapAnnotations
import NearbySearch
import TextMaps

/// A condition as `--where` has it, with its text, to show where it is mistaken.
struct WrittenCondition {
  let text: String
  let condition: Condition

  /// Reads a condition, as it was typed.
  init(_ typed: String) throws(CommandError) {
    text = ArgumentPreparation.restored(typed)
    do throws(ConditionError) {
      condition = try Condition(parsing: text)
    } catch {
      throw CommandError(error, in: text)
    }
  }

  /// The condition, ready to be asked of annotations.
  ///
  /// - Throws: Where it does not fit them.
  func filter(
    for annotations: ImportedAnnotations, from origin: Coordinate?
  ) throws(CommandError) -> ConditionFilter<ImportedAnnotation> {
    do throws(ConditionError) {
      return try ConditionFilter(
        condition, for: annotations, columns: annotations.columns, from: origin)
    } catch {
      throw CommandError(error, in: text)
    }
  }
}

extension CommandError {
  /// A mistake in a condition, with a caret under its place.
  init(_ error: ConditionError, in text: String) {
    self.init(
      error.code, "\(error.message)\n\(Caret.lines(under: error.column, of: text))", status: .usage)
  }
}

/// A text with a caret under one of its characters.
enum Caret {
  private static let width = 72

  /// Two lines; a long text is cut down to what stands around the place.
  static func lines(under column: Int, of text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
    let place = min(max(column - 1, 0), scalars.count)
    let start = scalars.count <= width ? 0 : max(0, min(place - width / 2, scalars.count - width))
    let end = min(scalars.count, start + width)
    func shown(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return TerminalText.sanitized(String(view))
    }
    let before = (start > 0 ? "…" : "") + shown(start..<min(place, end))
    let after = shown(min(place, end)..<end) + (end < scalars.count ? "…" : "")
    let blanks = String(repeating: " ", count: DisplayWidth.columns(of: before))
    return "  \(before)\(after)\n  \(blanks)^"
  }
}
