import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing
import TextMaps

/// An answer on its way out: what was asked, and the annotations in their order.
package struct Listing {
  /// What follows a page.
  package enum Continuation {
    /// The answer has no pages.
    case none
    /// It was the last page.
    case end
    /// There is a page behind this cursor.
    case cursor(String)

    package init(_ cursor: String?) { self = cursor.map { .cursor($0) } ?? .end }
  }

  /// One annotation, with its distance where there is a position to measure from.
  package struct Row {
    package let annotation: ImportedAnnotation
    /// nil for an unplaced annotation.
    package let coordinate: Coordinate?
    package let distance: Distance?
    package let bearing: Double?
    /// The nearest place of a line or an area; nil for one place, and where nothing is measured.
    let nearestPoint: Coordinate?
    /// What its hours say of the moment that is asked about; nil where none is.
    package let open: OpenStatus?
    /// Whether it is in business: at the moment that is asked about, or today.
    package let business: BusinessStatus

    package init(_ result: NearbyResult<ImportedAnnotation>, _ today: Today) {
      let (annotation, origin) = (result.annotation, result.origin)
      let point = origin.flatMap { annotation.shape?.nearest(to: $0)?.point }
      let end = point ?? annotation.coordinate
      self.annotation = annotation
      coordinate = annotation.coordinate
      distance = origin == nil ? nil : result.distance
      nearestPoint = point
      bearing = origin.flatMap { origin in end.flatMap { origin.initialBearing(to: $0) } }
      open = result.openStatus
      business = result.openStatus?.business ?? today.business(of: annotation)
    }
  }

  /// What was asked, as JSON output repeats it.
  package let question: Question
  package let rows: [Row]
  package var validRadius: Distance?
  /// The first instant at which time alone changes the answer; nil when there is none.
  package var validUntil: Instant?
  /// What lies nearer and is not open on arrival.
  var passedOver: [Row] = []
  package var continuation = Continuation.none
  /// How many match, and how many of these have which values.
  package var facets: (total: Int, facets: [Facet])?
  /// What could not be asked; nil where all was.
  package var missing: MissingParts?
  /// For how many seconds changes may be missing; nil for what is no replica.
  package var replicaLag: Double?
  package let plan: QueryPlan?
  package let statistics: SearchStatistics
  package var viewport: BoundingBox?
  /// The annotations that were asked.
  package let source: ImportedAnnotations
  /// The source's own columns that are wanted; nil for all.
  package var fields: [String]?
}

extension Listing {
  /// - Parameter source: The annotations that were asked.
  package init(
    _ answer: NearbyAnswer<ImportedAnnotation>, to question: Question,
    of source: ImportedAnnotations, _ today: Today
  ) {
    self.question = question
    self.source = source
    rows = answer.map { Row($0, today) }
    validRadius = answer.validRadius
    validUntil = answer.validUntil
    passedOver = answer.passedOver.map { Row($0, today) }
    facets = answer.matched.map { (total: $0, facets: answer.facets) }
    plan = answer.plan
    statistics = answer.statistics
  }

  /// What was asked of the annotations.
  package var query: NearbyQuery { question.query }

  /// Refuses a field that neither a column nor any row has: it is a slip of the pen.
  package func checkFields() throws(ReportedError) {
    guard let fields, !rows.isEmpty else { return }
    let known = source.columns + ImportedAnnotation.positionFields
    for field in fields where !known.contains(field) {
      guard !rows.contains(where: { $0.annotation.properties[field] != nil }),
        !question.fields.contains(field), !source.hasColumn(field)
      else { continue }
      throw ReportedError("unknown-field", source.missing(field: field), fault: .usage)
    }
  }
}

extension Condition.Field {
  /// The field's name as its source or every annotation has it, without quotes.
  var columnName: String {
    switch name {
    case .common(let field): field.rawValue
    case .property(let name): name
    }
  }
}

// MARK: Whether a place is in business today

/// Today, by the clock of each place.
package final class Today {
  private let clock: () -> Instant
  private lazy var now = clock()
  private let zoneElsewhere: () -> NamedZone?

  /// - Parameters:
  ///   - clock: Is read once, and only where a place may be out of business.
  ///   - zoneElsewhere: The clock of places that have none of their own; asked for few of them.
  package init(
    _ clock: @escaping () -> Instant, elsewhere zoneElsewhere: @escaping () -> NamedZone?
  ) {
    self.clock = clock
    self.zoneElsewhere = zoneElsewhere
  }

  package func business(of annotation: ImportedAnnotation) -> BusinessStatus {
    guard let record = annotation.statedBusiness else { return .unknown }
    guard record.absence != nil else { return record.saysInBusiness ? .inBusiness : .unknown }
    // Wherever it is, today is within a day of UTC's; few records need to know where.
    let status = record.status(at: now, setting: HoursSetting())
    let isSure = [-86_400, 86_400].allSatisfy {
      record.status(at: now.advanced(by: .seconds($0)), setting: HoursSetting()) == status
    }
    if isSure { return status }
    guard let zone = annotation.coordinate.flatMap(NamedZone.zone(at:)) ?? zoneElsewhere() else {
      return status
    }
    return record.status(at: now, setting: zone.setting())
  }
}

// MARK: A listing for a person: the list, a blank line and the map

extension Listing {
  /// The list, in the style and color of its map.
  ///
  /// - Parameter showsMap: Whether the map, whose pins carry the numbers of the list, stands below.
  /// - Returns: The text, and the wanted fields for which the width has no room.
  package func table(
    width: Int, _ plan: MapPlan, showsMap: Bool
  ) throws(ReportedError) -> (text: String, withoutRoom: [String]) {
    let business = rows.map(\.business)
    let isAnyOut = business.contains(where: \.isOutOfBusiness)
    let showsBusiness = isAnyOut && question.open == nil
    let showsDays = rows.contains { query.isUndecided($0.annotation) }
    var list = ResultTable(
      groups: groups(business, showsBusiness: showsBusiness, showsDays: showsDays),
      detailHeaders: (showsBusiness ? ["Business"] : []) + (showsDays ? ["Days"] : [])
        + detailHeaders,
      width: width, style: plan.style, color: plan.color)
    if !isAnyNamed { list.nameHeader = "id" }
    let (lines, withoutRoom) = list.laidOut()
    var text = lines + "\n"
    // The map's legend says it, too.
    if isAnyOut, !showsMap { text += TextMap.outOfBusinessNote(plan.style) + "\n" }
    if let open = question.open {
      text += passedOverLines(open, width: width)
      if let validUntil {
        text +=
          "valid until \(ClockText.brief(validUntil, seenFrom: open.condition.instant, open.own))\n"
      }
    }
    if showsMap { text += "\n" + (try map(plan, isNumbered: true)) }
    return (text, (fields ?? []).filter(withoutRoom.contains))
  }

  private var isAnyNamed: Bool { rows.contains { $0.annotation.name != nil } }

  /// The columns that may hold names, where rows have only numbers: those with letters in the first row.
  package var columnsForNames: [String] {
    guard let first = rows.first?.annotation, !isAnyNamed else { return [] }
    let properties = first.properties.withDistinctNames
    return source.columnsForNames.filter {
      properties[$0]?.text?.contains(where: \.isLetter) == true
    }
  }

  /// One line for each field that was counted: its values, the most frequent first, as many as it has room for.
  package func facetLines(width: Int) -> String {
    guard let facets else { return "" }
    var text = "\(grouped(facets.total)) match\n"
    let names = facets.facets.map { TerminalText.sanitized($0.field.columnName) }
    let nameWidth = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    for (name, facet) in zip(names, facets.facets) {
      let name = TerminalText.padded(name, to: nameWidth)
      var counts = facet.counts.prefix(Listing.shownFacetValues).map {
        "\(TerminalText.sanitized($0.value ?? "(none)")) \(grouped($0.count))"
      }
      func line() -> String {
        let rest = facet.counts.count - counts.count
        return "\(name)  \(counts.joined(separator: " · "))"
          + (rest > 0 ? " · \(grouped(rest, "more value"))" : "")
      }
      while counts.count > 1, DisplayWidth.columns(of: line()) > width { counts.removeLast() }
      text += TerminalText.truncated(line(), to: max(1, width)) + "\n"
    }
    return text
  }

  /// How many values of a field a table shows; JSON has all of them.
  private static let shownFacetValues = 10

  /// One group, or one for each kind.
  private func groups(
    _ business: [BusinessStatus], showsBusiness: Bool, showsDays: Bool
  ) -> [ResultTable.Group] {
    let header = whatHeader
    let positions = fields.map { fields in
      source.positionFields(among: fields).filter { !question.fields.contains($0) }
    }
    let tableRows = rows.enumerated().map { place, row in
      ResultTable.Row(
        number: place + 1, name: row.annotation.name ?? row.annotation.id.text,
        kind: row.annotation.kind, distance: row.distance, bearing: row.bearing,
        details: (showsBusiness ? [business[place].words ?? ""] : [])
          + (showsDays ? [query.isUndecided(row.annotation) ? "unknown" : ""] : [])
          + details(of: row, under: header, positions ?? []),
        isOutOfBusiness: business[place].isOutOfBusiness)
    }
    guard query.isPerKind else { return [ResultTable.Group(rows: tableRows)] }
    var groups: [ResultTable.Group] = []
    for row in tableRows {
      let title = row.kind?.rawValue ?? "(no kind)"
      if groups.last?.title == title {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append(ResultTable.Group(title: title, rows: [row]))
      }
    }
    return groups
  }

  /// The columns asked for, or what tells a person most: the hours and the address.
  private var detailHeaders: [String] {
    (question.open == nil ? [] : ["Hours"])
      + (fields ?? (whatHeader.map { [$0] } ?? []) + ["address"])
  }

  private static let hoursHeader = "opening hours"

  /// What a person asked about: the sessions of some days, or the hours; nil where a moment is asked
  /// about, and what the hours say of it is enough.
  private var whatHeader: String? {
    guard let dates = query.dates,
      rows.contains(where: { $0.annotation.calendar.timetable != nil })
    else { return question.open == nil ? Self.hoursHeader : nil }
    return dates.day.map { "on \($0)" } ?? "sessions"
  }

  /// What is closed on arrival, a line each; nothing where nothing was passed over.
  package func passedOverLines(_ open: OpenPlan, width: Int) -> String {
    guard let farthest = passedOver.last?.distance else { return "" }
    // Where there are fewer results than were asked for, everything was looked at.
    let areNearer = rows.last?.distance.map { farthest <= $0 } ?? false
    var text = (areNearer ? "nearer, but " : "") + "not open on arrival:\n"
    for row in passedOver.prefix(Listing.shownPassedOver) {
      let name = TerminalText.sanitized(row.annotation.name ?? row.annotation.id.text)
      let words = row.open.map { open.words($0, of: row.annotation) } ?? ""
      let line =
        "  \(name), \(row.distance?.label ?? ""): \(TerminalText.sanitized(words))"
      text += TerminalText.truncated(line, to: max(1, width)) + "\n"
    }
    let rest = passedOver.count - Listing.shownPassedOver
    return rest > 0 ? text + "  and \(grouped(rest)) more\n" : text
  }

  private static let shownPassedOver = 5

  /// - Parameter positions: The fields that are parts of the position.
  private func details(of row: Row, under header: String?, _ positions: [String]) -> [String] {
    let hours =
      question.open.map { open in
        [row.open.map { open.words($0, of: row.annotation) } ?? ""]
      } ?? []
    if let fields {
      let properties = row.annotation.properties.withDistinctNames
      return hours
        + fields.map { field in
          let value =
            positions.contains(field)
            ? row.annotation.degrees(ofField: field) : properties[field]
          return value?.text ?? ""
        }
    }
    return hours + (header.map { [what(of: row, under: $0)] } ?? [])
      + [row.annotation.address ?? ""]
  }

  /// What stands in the column of ``whatHeader``.
  private func what(of row: Row, under header: String) -> String {
    guard header != Self.hoursHeader, let dates = query.dates else {
      return row.annotation.openingHours ?? ""
    }
    let sessions = dates.sessions(of: row.annotation) ?? []
    let shown = sessions.prefix { $0.day == sessions[0].day }
    let text = shown.map(\.description).joined(separator: " · ")
    // Where each has days of its own, the first is said.
    guard dates.day == nil, let day = shown.first?.day else { return text }
    let rest = sessions.count - shown.count
    return "\(day) \(text)" + (rest > 0 ? " · \(grouped(rest)) more" : "")
  }
}

// MARK: The map

/// How a map is drawn.
package struct MapPlan {
  package var size: TextMap.Size
  package var style = TextMap.Style.braille
  package var color: TerminalColor
  /// A GeoJSON file whose outlines are drawn; nil for the built-in ones.
  package var basemap: FileName?

  /// What is drawn below everything else.
  package func outlines() throws(ReportedError) -> Basemap {
    guard let basemap else { return .world }
    return Basemap(try OutlineFile.outlines(of: basemap))
  }

  package init(size: TextMap.Size, color: TerminalColor) {
    self.size = size
    self.color = color
  }
}

extension Listing {
  /// The map that goes with a list, or stands alone.
  ///
  /// - Parameters:
  ///   - isNumbered: Whether pins carry the numbers of a list.
  ///   - showsCounts: Whether however many annotations have signs and counts.
  ///   - label: The column that is written beside each annotation, or `name`.
  package func map(
    _ plan: MapPlan, isNumbered: Bool, showsCounts: Bool = false, label: String? = nil
  ) throws(ReportedError) -> String {
    let within = query.distances.within
    let shapes = rows.compactMap(\.annotation.shape)
    var map = TextMap(
      markers: rows.enumerated().compactMap { place, row in
        row.coordinate.map {
          TextMap.Marker(
            at: $0, number: isNumbered ? place + 1 : nil, kind: row.annotation.kind,
            label: label.flatMap { row.annotation.text(of: $0) },
            isOutOfBusiness: row.business.isOutOfBusiness)
        }
      }, lines: shapes.isEmpty ? [] : shapes.outlines, origin: query.origin,
      radius: within < .infinity ? within : nil, viewport: viewport, size: plan.size,
      style: plan.style, color: plan.color, basemap: try plan.outlines())
    map.showsCounts = showsCounts
    return map.render() + "\n"
  }
}

extension ImportedAnnotation {
  /// What a column says; of `name`, whatever column that is.
  fileprivate func text(of column: String) -> String? {
    column == "name" ? name : properties[column]?.text
  }
}

// MARK: Numbers

/// Numbers as results show them: always with a dot, never with an exponent.
package enum ResultNumber {
  /// Meters with four decimals.
  package static func meters(_ distance: Distance) -> String {
    fixedDecimal(distance.meters, decimals: decimals)
  }

  /// Meters with four decimals, rounded down: a promise that holds.
  package static func least(_ distance: Distance) -> String {
    fixedDecimal((distance.meters * 1e4).rounded(.down) / 1e4, decimals: decimals)
  }

  /// Degrees from 0 up to, and never reaching, 360.
  package static func bearing(_ degrees: Double) -> String {
    fixedDecimal(shown(bearing: degrees), decimals: decimals)
  }

  /// How many decimals meters and bearings have.
  package static let decimals = 4

  /// A bearing that is not rounded to 360.
  package static func shown(bearing degrees: Double) -> Double {
    (degrees * 1e4).rounded(.toNearestOrEven) < 360e4 ? degrees : 0
  }
}

extension NearbyQuery {
  /// Whether words that were not understood might decide if an annotation is valid on the days that are asked for.
  fileprivate func isUndecided(_ annotation: ImportedAnnotation) -> Bool {
    dates.map { $0.isMet(by: annotation.calendar) == nil } ?? false
  }

  /// The members of JSON and GeoJSON about the days of an annotation; none if they are certain.
  package func dayMembers(of annotation: ImportedAnnotation) -> Properties {
    isUndecided(annotation) ? ["onState": "unknown"] : Properties()
  }
}

// What an answer lacks: days and numbers that were not understood, and what servers did not say.

extension Listing {
  /// What was not understood: days and sessions of the answer, and numbers that the query compares or orders by.
  package var unreadRemarks: [String] {
    // Only these two name fields.
    let namesFields = query.condition != nil || query.order != nil
    return (unreadDatesRemark.map { [$0] } ?? [])
      + query.remarksOnMissingTimes(in: rows.lazy.map(\.annotation), among: source)
      + (namesFields ? query.remarksOnNumbers(among: source) : [])
  }

  /// How many of the answer may or may not be open, for formats that have no place for it; nil for none.
  package var unknownHoursRemark: String? {
    let count = rows.count { $0.open?.state == .unknown }
    return count == 0
      ? nil
      : "\(count) of these may not be open: hours that are missing or unclear; "
        + "`hoursUnknown` hide leaves them out"
  }

  /// Which days and sessions of the answer were not understood; nil if all were that concern the days which the query
  /// asks for, or if it asks for none.
  private var unreadDatesRemark: String? {
    guard let dates = query.dates else { return nil }
    var undecided: [String] = []
    var incomplete: [String] = []
    for row in rows {
      let calendar = row.annotation.calendar
      guard let words = calendar.unread.first else { continue }
      if query.isUndecided(row.annotation) {
        undecided.append(words)
      } else if !calendar.isRead(for: dates.days),
        // Of a single day without sessions nothing more is to be known.
        dates.day == nil || calendar.timetable != nil
      {
        incomplete.append(words)
      }
    }
    let told = undecided.isEmpty ? incomplete : undecided
    guard let words = told.first else { return nil }
    return
      "\(told.count) of these \(told.count == 1 ? "has" : "have") days or times "
      + "that were not understood, and may \(undecided.isEmpty ? "have more days or sessions" : "not be valid") then: "
      + "\"\(TerminalText.sanitized(String(words.prefix(80))))\""
      + (TimeCheck.remedy(forYearLast: words).map { "; \($0)" } ?? "")
  }

  /// How old the answer may be; nil if it is not from a replica that lags.
  package var replicaRemark: String? {
    guard let lag = replicaLag, lag > 0 else { return nil }
    return lag.isFinite
      ? "replica: changes of the last \(grouped(Int(lag.rounded(.up)), "second")) may be missing"
      : "replica: changes may be missing, and how far it is behind is not known"
  }

  /// Takes down what was not asked or may not be known yet, so that the answer may not be the whole one.
  package mutating func lack(whatOf opened: OpenedIndex) {
    replicaLag = opened.replicaLag
    guard let lost = opened.missing else { return }
    if query.origin != nil { validRadius = .zero }
    missing = MissingParts(
      names: lost.servers, clearance: lost.clearance, in: query,
      distances: rows.map { $0.distance ?? .infinity })
  }
}

extension MissingParts {
  /// Which servers did not answer, and what that leaves of the answer.
  package var remark: String {
    let names = names.map(TerminalText.sanitized).joined(separator: ", ")
    return "incomplete: \(names) did not answer; "
      + (certainCount == 0
        ? "results may be missing anywhere"
        : "results may be missing after the first\(certainCount == 1 ? "" : " \(certainCount)")")
  }
}
