import AnnotationImport
import Geodesy
import MapAnnotations
import NearbySearch
import TextMaps

/// Which annotations count, in which order and from where on, as the options say it.
struct Selection {
  var condition: Condition?
  /// The condition as it was written, to show where it is mistaken.
  var text = ""
  /// nil for the order that the command has by itself.
  var order: ResultOrder?
  /// nil where no page was asked for, empty for the first.
  var cursor: String?
  var facets: [Condition.Field] = []
  /// nil where no days were asked for.
  var dates: DateSelection?

  /// Takes the condition of `--where`, as it was typed; nil for none.
  mutating func take(condition typed: String?) throws(CommandError) {
    guard let typed else { return }
    text = ArgumentPreparation.restored(typed)
    do throws(ConditionError) {
      condition = try Condition(parsing: text)
    } catch {
      throw CommandError(error, in: text)
    }
  }

  /// Whether nothing was asked for but the beginning of the command's own order.
  var isPlain: Bool { order == nil && cursor == nil }

  /// The condition, ready to be asked; nil where there is none.
  ///
  /// - Throws: Where it does not fit the annotations. The order and the facets are checked too.
  func filter(
    for annotations: ImportedAnnotations, from origin: Coordinate?
  ) throws(CommandError) -> ConditionFilter<ImportedAnnotation>? {
    let columns = annotations.columns
    do throws(ConditionError) {
      try order?.check(against: annotations, columns: columns)
      try FacetCounter<ImportedAnnotation>(facets, from: origin)
        .check(against: annotations, columns: columns)
    } catch {
      // They name fields alone, so that the place in them tells nothing.
      throw CommandError(
        error.reason == .field ? "unknown-field" : error.code, error.message, status: .usage)
    }
    guard let condition else { return nil }
    do throws(ConditionError) {
      return try ConditionFilter(condition, for: annotations, columns: columns, from: origin)
    } catch {
      throw CommandError(error, in: text)
    }
  }

  /// The page that is asked for.
  ///
  /// - Parameter words: What the query is, but for the condition and the order.
  func request(
    limit: Int, order standard: ResultOrder, words: String
  ) throws(CommandError) -> PageRequest {
    let order = order ?? standard
    let days = dates.map { ";on=\($0.words)" } ?? ""
    let query = "\(words)\(days);where=\(condition?.description ?? "");order=\(order)"
    var request = PageRequest(limit: limit, order: order, query: query)
    if let cursor, !cursor.isEmpty {
      do throws(PageCursorError) {
        request.cursor = try PageCursor(cursor, of: query)
      } catch {
        throw CommandError(error.code, "--after: \(error)", status: .usage)
      }
    }
    return request
  }

  /// The counts of all that match, for the answer; nil where none are asked for.
  func counted(
    _ items: some Sequence<ImportedAnnotation>, from origin: Coordinate?
  ) throws(CommandError) -> Listing.FacetList? {
    guard !facets.isEmpty else { return nil }
    do throws(ConditionError) {
      var counter = try FacetCounter<ImportedAnnotation>(facets, from: origin)
      for item in items { counter.count(item) }
      return Listing.FacetList(total: counter.total, facets: counter.facets)
    } catch {
      throw CommandError(error.code, error.message, status: .usage)
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
