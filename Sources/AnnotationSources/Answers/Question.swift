import AnnotationImport
import Geodesy
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
  /// By which clocks, and when, the days are asked about, where today's date is that of the source and not known yet;
  /// nil otherwise.
  private var undated: (clocks: PlaceClocks, now: Instant)?
  /// Properties that the source has, although perhaps nothing that was fetched does.
  package var fields: [String] = []
  /// Kinds that the source has, although perhaps nothing that was fetched is of them.
  package var knownKinds: [AnnotationKind] = []
  /// A radius as it was given without a unit: meters, which not everybody expects.
  package var bareWithin: String?

  package init() {}

  /// Asks for days, of which today is that of the query's origin, or else of the source.
  package mutating func ask(
    for days: String, named name: String, _ clocks: PlaceClocks, now: Instant
  ) throws(ReportedError) {
    let today = clocks.today(
      at: query.origin, orAmong: EmptyCollection<ImportedAnnotation>(), now: now)
    let dates = try QueryDates(days, named: name, today: today)
    if let origin = query.origin, dates.dependsOnToday { try clocks.check(at: origin) }
    query.dates = dates
    undated = query.origin == nil && dates.dependsOnToday ? (clocks: clocks, now: now) : nil
  }

  /// Whether it is the same wherever the annotations of the source are.
  var isSettled: Bool { undated == nil && open?.time == nil }

  /// The same question by the clock of the source that is asked, if it names a time or a day and no position.
  package func settled(
    in source: some RandomAccessCollection<ImportedAnnotation>
  ) throws(ReportedError) -> Question {
    try open?.clocks.check(hoursOf: source)
    guard !isSettled else { return self }
    var question = self
    if let (clocks, now) = undated {
      try clocks.check(among: source)
      question.query.dates?.today = clocks.today(at: nil, orAmong: source, now: now)
      question.undated = nil
    }
    question.open = try open?.settled(in: source)
    question.query.open = question.open?.condition
    return question
  }
}
