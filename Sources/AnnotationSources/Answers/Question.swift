import AnnotationImport
import MapAnnotations
import NearbySearch

/// What somebody asks: the query, and what is needed to show its answer.
package struct Question {
  package var query = NearbyQuery()
  /// The condition as it was typed.
  package var condition: WrittenCondition?
  /// The kinds as they were typed.
  package var kinds: [String] = []
  package var open: OpenPlan?
  /// Properties that the source has, although perhaps nothing that was fetched does.
  package var fields: [String] = []
  /// A radius as it was given without a unit: meters, which not everybody expects.
  package var bareWithin: String?

  package init() {}

  /// The same question by the clock of the source that is asked, if it names a time and no position.
  package func settled(
    in source: some RandomAccessCollection<ImportedAnnotation>
  ) throws(ReportedError) -> Question {
    guard let open, open.time != nil else { return self }
    var question = self
    let settled = try open.settled(in: source)
    question.open = settled
    question.query.open = settled.condition
    return question
  }
}
