import AnnotationSources
import MapAnnotations
import NearbySearch

/// What the options ask: the query, and what is needed to show its answer.
struct Question {
  var query = NearbyQuery()
  /// The condition as it was typed.
  var condition: WrittenCondition?
  /// The kinds as they were typed.
  var kinds: [String] = []
  var open: OpenPlan?
  /// Properties that the source has, although perhaps nothing that was fetched does.
  var fields: [String] = []
  /// `--within` as it was given without a unit: meters, which not everybody expects.
  var bareWithin: String?

  init() {}
}
