import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing
import TextMaps

/// What somebody asks: the query, and what is needed to show its answer.
package struct Question {
  package var query = NearbyQuery()
  /// The condition as it was typed.
  package var condition: WrittenCondition?
  /// The kinds in the order in which they were given.
  package var kinds: [String] = []
  package var open: OpenPlan?
  /// By which clocks, and when, the days are asked about, where today's date is that of the source and not known yet;
  /// nil otherwise.
  private var undated: (clocks: PlaceClocks, now: Instant)?
  /// Properties that the source has, although perhaps nothing that was fetched does.
  package var fields: [String] = []
  /// Kinds that the source has, although perhaps nothing that was fetched is of them.
  package var knownKinds: [AnnotationKind] = []
  /// The file whose polygons are the area; nil for a box, or where there is no area.
  package var area: FileName?
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

// MARK: Its answer

extension Question {
  /// Looks in an area; where a box was asked for before, only in what both hold.
  package mutating func look(in area: QueryArea) {
    query.clip = query.area.boundingBox
    query.area = area
  }

  /// The annotations that count, in the order of their sources, those without a position among them where
  /// neither a place nor a distance is asked for.
  ///
  /// - Parameter remark: Is called with what may surprise: a kind that no annotation has, numbers that could not be
  ///   read, days asked for where no column has any.
  package func chosen(
    of annotations: ImportedAnnotations, remark: (String) -> Void
  ) throws(ReportedError) -> ImportedAnnotations {
    try offsets(of: annotations, remark: remark).map(annotations.keeping) ?? annotations
  }

  /// The annotations of some sources that count, in the order of the sources, and all that there are.
  ///
  /// Of an index file that is asked for an area only those in it are read; the others are read when they are looked at.
  package func chosen(
    of files: [FileName], _ reading: SourceReading, remark: (String) -> Void
  ) throws(ReportedError) -> (chosen: ImportedAnnotations, all: ImportedAnnotations) {
    guard asksOnlyWhere, let document = try Source.indexFile(of: files, reading),
      document.sources.store == nil
    else {
      let all = try Source.annotations(of: files, reading)
      return (try chosen(of: all, remark: remark), all)
    }
    let opened = try document.openedIndex()
    let all = opened.index.annotations
    let found: [Int]
    do throws(QueryError) {
      found = opened.index.offsets(of: try opened.index.answer(query))
    } catch {
      throw ReportedError(error, in: condition)
    }
    let chosen = try opened.inOrderOfSources(all.keeping(found.sorted()))
    KindRemarks.of(kinds, shown: chosen.lazy.map(\.kind), among: all).forEach(remark)
    if chosen.isEmpty { remarkOnUnit.map(remark) }
    try opened.check()
    return (chosen, all)
  }

  /// Whether it names an area and kinds, and no more.
  private var asksOnlyWhere: Bool {
    var inArea = NearbyQuery()
    (inArea.area, inArea.kinds) = (query.area, query.kinds)
    return query == inArea && query.area != .everywhere
  }

  /// The same by their offsets, ascending; nil for all.
  package func offsets(
    of annotations: ImportedAnnotations, remark: (String) -> Void
  ) throws(ReportedError) -> [Int]? {
    let question = try settled(in: annotations)
    var query = question.query
    // A position that nothing is measured from chooses nothing.
    if !query.choosesByOrigin { query.origin = nil }
    if query == NearbyQuery() { return nil }
    let context = QueryContext(
      hours: question.open?.clocks.reader, columns: annotations.columns)
    let offsets: [Int]
    do throws(QueryError) {
      offsets = try AnnotationScan(annotations).offsets(matching: query, in: context)
    } catch {
      throw ReportedError(error, in: condition)
    }
    query.remarksOnNumbers(among: annotations).forEach(remark)
    query.remarksOnMissingTimes(in: offsets.lazy.map { annotations[$0] }, among: annotations)
      .forEach(remark)
    KindRemarks.of(kinds, shown: offsets.lazy.map { annotations[$0].kind }, among: annotations)
      .forEach(remark)
    if offsets.isEmpty { remarkOnUnit.map(remark) }
    return offsets
  }

  /// The answer of annotations, on its way out.
  ///
  /// - Parameter tellsNext: Whether it is to say what comes next, which may take another search; pages do always.
  package func listing(
    of search: some AnnotationSearching<ImportedAnnotation>, _ annotations: ImportedAnnotations,
    _ today: Today, tellsNext: Bool = false, viewport: BoundingBox? = nil
  ) throws(ReportedError) -> Listing {
    let question = try settled(in: annotations)
    var query = question.query
    if tellsNext, !query.isPerKind, query.after == nil { query.after = "" }
    let context = QueryContext(
      hours: open?.clocks.reader, columns: (annotations.columns + fields).withoutRepeats)
    do throws(QueryError) {
      let answer = try search.answer(query, in: context)
      var listing = Listing(answer, to: question, of: annotations, today)
      listing.viewport = viewport
      if query.after != nil { listing.continuation = Listing.Continuation(answer.next) }
      return listing
    } catch {
      throw ReportedError(error, in: condition)
    }
  }

  /// The answer of an opened index, which tells what its source has beside it and what may be missing.
  package mutating func listing(
    of opened: inout OpenedIndex, _ today: Today, tellsNext: Bool = false,
    viewport: BoundingBox? = nil
  ) throws(ReportedError) -> Listing {
    fields = opened.fields
    knownKinds = opened.kinds
    let question = self
    var listing = try opened.answer { (opened) throws(ReportedError) in
      try question.listing(
        of: opened.index, opened.index.annotations, today, tellsNext: tellsNext,
        viewport: viewport)
    }
    listing.lack(whatOf: opened)
    return listing
  }

  /// How many annotations of a box match; where nothing else is asked, an index counts them without looking at each.
  package func count(
    in box: BoundingBox, of index: AnnotationIndex<ImportedAnnotations>
  ) throws(ReportedError) -> Int {
    if query == NearbyQuery() { return index.count(in: box) }
    var question = self
    question.look(in: .box(box))
    let context = QueryContext(hours: open?.clocks.reader, columns: index.annotations.columns)
    do throws(QueryError) {
      return try index.answer(question.query, in: context).count
    } catch {
      throw ReportedError(error, in: condition)
    }
  }
}

// MARK: Likely slips

extension Question {
  /// Which unit a bare radius has, to be said where nothing lies so near; nil for one with a unit.
  package var remarkOnUnit: String? { Self.remark(onBareWithin: bareWithin) }

  /// The same of a radius alone: 0 is 0 in every unit.
  package static func remark(onBareWithin text: String?) -> String? {
    guard let text else { return nil }
    if Double(text) == 0 {
      return
        "note: `within` \(text) finds only what is exactly there; write a distance, such as 300m"
    }
    // In kilometers it may be longer than any distance on the Earth.
    let isFar = (Double(text) ?? 0) * 1_000 > WGS84.longestDistance
    return "note: looked within \(text) m" + (isFar ? "" : "; write \(text)km for kilometers")
  }
}

extension Question {
  /// Refuses the position of devices without a fix, and remarks on one that is meant, or outside a region.
  package static func check(
    origin: Coordinate, allowsNullIsland: Bool = false, in region: Region? = nil,
    remark: (String) -> Void
  ) throws(ReportedError) {
    if origin.isNullIsland {
      let sentence = "\(origin.plainText) is what devices send when they have no fix"
      guard allowsNullIsland else {
        throw ReportedError(
          "null-island", sentence + "; if you mean it, say `allowsNullIsland`", fault: .usage)
      }
      remark("warning: null-island: \(sentence)")
    }
    guard let region, !region.contains(origin) else { return }
    remark(
      """
      warning: outside-region: \(origin.plainText) is \(roughLength(region.distance(to: origin))) \
      outside \(region.name)
      """)
  }
}

extension Coordinate {
  fileprivate var plainText: String { "\(plainDecimal(latitude)),\(plainDecimal(longitude))" }
}

extension Listing {
  /// Says that latitude and longitude may be exchanged, where the position is legal but far from everything, and with
  /// the two exchanged would lie among the data; nil otherwise.
  ///
  /// - Complexity: O(1) where a result is near; otherwise O(*n*).
  package func remarkOnExchange(in index: AnnotationIndex<ImportedAnnotations>) -> String? {
    // What is nearer than this is no sign of a slip.
    let far = Distance.kilometers(300)
    // The first result says how near something is, unless what is near was not asked for.
    let nearest = query.distances.beyond == nil ? rows.first?.distance : nil
    guard let origin = query.origin, nearest.map({ $0 >= far }) ?? true,
      let exchanged = try? Coordinate(latitude: origin.longitude, longitude: origin.latitude),
      exchanged != origin, let distance = index.nearest(1, to: origin).first?.distance,
      distance >= far,
      let extent = BoundingBox(around: index.annotations.lazy.compactMap(\.coordinate)),
      extent.contains(exchanged), !extent.contains(origin)
    else { return nil }
    return """
      warning: lat-lon-swapped: nothing lies within \(roughLength(distance)) of \(origin.plainText), \
      but `latitude` \(plainDecimal(exchanged.latitude)) `longitude` \
      \(plainDecimal(exchanged.longitude)) is among the data
      """
  }

  /// Which kinds nothing is of, which distance a condition compares where the source has one, too, and where nothing
  /// was found, which unit a bare number has.
  package var remarksOnSlips: [String] {
    var remarks: [String] = []
    if query.condition?.measuresDistance == true, hasOwnDistance {
      remarks.append(
        "note: distance is measured from the position; for the source's column of that name, write "
          + "\"distance\", with the quotes")
    }
    remarks += KindRemarks.of(
      question.kinds, shown: rows.lazy.map(\.annotation.kind), among: source,
      known: question.knownKinds)
    return remarks + (rows.isEmpty ? [question.remarkOnUnit].compactMap(\.self) : [])
  }

  /// Whether the source has a column `distance`: all of it is read only where it names none.
  private var hasOwnDistance: Bool {
    let known = source.columns + (source.featureColumns ?? [])
    return known.contains("distance")
      || known.isEmpty && source.contains { $0.property("distance") != nil }
      || rows.contains { $0.annotation.property("distance") != nil }
  }
}

/// What is said of kinds that were asked for and no annotation is of: mostly somebody mistyped one.
package enum KindRemarks {
  /// Looks for the kinds among the results first, and through all annotations only for those that are not there.
  ///
  /// - Parameter known: Kinds of annotations that were not fetched.
  /// - Complexity: O(results), where each kind has one; O(*n*) for a kind that nothing is of.
  package static func of(
    _ names: [String], shown: some Sequence<AnnotationKind?>,
    among annotations: some Sequence<ImportedAnnotation>, known: [AnnotationKind] = []
  ) -> [String] {
    var missing = Set(names.map(AnnotationKind.init(rawValue:))).subtracting(known)
    for case let kind? in shown {
      guard !missing.isEmpty else { break }
      missing.remove(kind)
    }
    guard !missing.isEmpty else { return [] }
    var kinds = Set(known)
    for annotation in annotations {
      guard let kind = annotation.kind, kinds.insert(kind).inserted else { continue }
      missing.remove(kind)
      if missing.isEmpty { return [] }
    }
    let names = kinds.map(\.rawValue).sorted()
    return missing.map(\.rawValue).sorted().map {
      "warning: kind-unknown: no annotation is of kind \"\($0)\"; \(remedy(for: $0, names))"
    }
  }

  /// The greatest number of kinds to list.
  private static var mostListed: Int { 8 }

  private static func remedy(for name: String, _ known: [String]) -> String {
    guard !known.isEmpty else { return "none has a kind" }
    let parts = name.split(separator: ",").map { trimmed($0) }
    if parts.count > 1, parts.contains(where: { known.contains($0) }) {
      return "repeat `kind` for several"
    }
    let similar = SimilarNames.words(like: name, among: known)
    if !similar.isEmpty { return "did you mean \(similar.joined(separator: " or "))?" }
    let rest = known.count - mostListed
    return "known kinds: " + known.prefix(mostListed).joined(separator: ", ")
      + (rest > 0 ? " and \(grouped(rest)) more" : "")
  }
}

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
}

extension ReportedError {
  /// A mistake in a condition, with a caret under its place.
  package init(_ error: ConditionError, in text: String) {
    self.init(
      error.code, "\(error.message)\n\(Caret.lines(under: error.column, of: text))", fault: .usage)
  }

  /// Why a query has no answer, with a caret where the condition is mistaken.
  init(_ error: QueryError, in condition: WrittenCondition?) {
    switch error {
    case .condition(let error): self.init(error, in: condition?.text ?? "")
    case .cursor(let cursor):
      self.init(error.code, "`after`: \(cursor)", fault: .usage)
    default: self.init(error.code, error.description, fault: .usage)
    }
  }
}

extension QueryDates {
  /// Reads `today`, `tomorrow`, `this-month`, `all`, `next`, a date, a month as `2026-12`, or a run of days as
  /// `2026-12-01/2026-12-07`; all dates in the notations of columns, too.
  package init(_ text: String, named name: String, today: CalendarDate) throws(ReportedError) {
    let read =
      QueryDates(word: text.lowercased(), today: today)
      ?? Self.segment(text).map { QueryDates(.segment($0), today: today) }
    let isShortEnough =
      read?.days.map { $0.upperBound.dayNumber - $0.lowerBound.dayNumber < Self.mostDays } ?? true
    guard let dates = read, isShortEnough else {
      throw ReportedError(
        "bad-date",
        "\(name) \"\(text)\" \(Self.problem(of: text, isTooLong: !isShortEnough))", fault: .usage)
    }
    self = dates
  }

  /// Whether which days are chosen, or which sessions are shown, depends on the date of today.
  var dependsOnToday: Bool {
    switch choice {
    case .segment(.on), .segment(.during): false
    case .segment, .next: true
    }
  }

  /// The longest run of days that is asked at once: ten years.
  private static let mostDays = 3_653

  /// A day, a run of days, a month or a year.
  private static func segment(_ written: String) -> DateSegment? {
    let text = AnnotationDates.withJoinedRuns(written)
    // A day with a time would be more days than were asked for.
    let hasTime =
      text.contains { $0 == ":" || $0 == "T" }
      || zip(text, text.dropFirst()).contains { $0.isNumber && $1.isWhitespace }
    if hasTime { return nil }
    let span = AnnotationDates.span(text[...])
    let month = span == nil ? WrittenDay(text) : nil
    guard let first = span?.first ?? month?.first, let last = span?.last ?? month?.last else {
      return nil
    }
    return first == last ? .on(first) : .during(first...last)
  }

  /// What is wrong with a text, and what to write.
  private static func problem(of text: String, isTooLong: Bool) -> String {
    if isTooLong { return "has more than 3,653 days, ten years; write a shorter run" }
    let ends = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { CalendarDate(String($0)) }
    if ends.count == 2, let first = ends[0], let last = ends[1], last < first {
      return "ends before it begins; write the earlier day first"
    }
    return "is not a day; write a date as 2026-11-22, a month as 2026-11, a run as "
      + "2026-11-22/2026-11-28, or today, tomorrow, this-month, next or all"
  }
}

extension NearbyQuery {
  /// That days or hours were asked for where nothing says any; empty where something does, or that is not known.
  ///
  /// - Parameter answer: What was found among the source's annotations.
  func remarksOnMissingTimes(
    in answer: some Collection<ImportedAnnotation>, among source: ImportedAnnotations
  ) -> [String] {
    var remarks: [String] = []
    let columns = source.columns + (source.featureColumns ?? [])
    if columns.isEmpty { return remarks }
    if dates != nil, !answer.isEmpty, !columns.contains(where: AnnotationCalendar.isColumn),
      answer.allSatisfy({ $0.calendar == AnnotationCalendar() })
    {
      remarks.append(
        "note: no column is known to hold days or sessions, so all are valid then; known names are "
          + "start_date, end_date, valid_until, dates, 시작일, 종료일, 開始日, 終了日 and their like")
    }
    if open != nil, !HoursColumns.hasKnown(among: columns),
      // An answer may be empty because all hours are unknown.
      !answer.contains(where: HoursColumns.isSaid(by:)),
      !source.prefix(100).contains(where: HoursColumns.isSaid(by:))
    {
      remarks.append(
        "note: no column is known to hold opening hours, so they are unknown; known names are "
          + "opening_hours, hours, 영업시간, 운영시간, 営業時間; `hoursField` names another")
    }
    return remarks
  }
}
