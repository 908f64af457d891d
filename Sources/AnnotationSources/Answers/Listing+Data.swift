import AnnotationImport
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

// A listing in the formats that programs read.

extension Listing {
  /// One object: the query, the results, how long they hold.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("query", .object(queryMembers))
    writer.member("results", each: rows) { $0.value(.object(members(of: $1))) }
    writer.member("validRadius", .least(validRadius))
    writer.member("complete", .bool(missing == nil))
    if let missing {
      writer.member("missing", .array(missing.names.map { .string($0) }))
      writer.member("certain", .integer(missing.certainCount))
    }
    if let lag = replicaLag { writer.member("replicaLag", lag.isFinite ? .double(lag) : .null) }
    if let open = question.open {
      writer.member("validUntil", .moment(validUntil, by: open.own))
      if case .arrival = open.condition.moment {
        writer.member("passedOver", each: passedOver) { $0.value(.object(members(of: $1))) }
      }
    }
    switch continuation {
    case .none: break
    case .end: writer.member("next", .null)
    case .cursor(let cursor): writer.member("next", .string(cursor))
    }
    if let facets {
      writer.member("matched", .integer(facets.total))
      writer.write(facets: facets.facets)
    }
    writeDays(to: &writer)
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// One result a line.
  package func writeJSONLines(to sink: OutputSink) throws(ReportedError) {
    try sink.writeLines(rows.lazy.map { members(of: $0) })
  }

  private var queryMembers: Properties {
    var members = Properties()
    if let origin = query.origin {
      members.append("latitude", .double(origin.latitude))
      members.append("longitude", .double(origin.longitude))
    }
    members.append("k", query.limit == .max ? "all" : .integer(query.limit))
    members.append(
      "within", query.distances.within < .infinity ? .double(query.distances.within.meters) : .null)
    if let inner = query.distances.beyond { members.append("beyond", .double(inner.meters)) }
    if let condition = query.condition { members.append("where", .string("\(condition)")) }
    if let order = query.order {
      members.append("sort", .string(order.words))
      if let band = order.band { members.append("bucket", .double(band.meters)) }
    }
    if query.isPerKind { members.append("perKind", true) }
    if let dates = query.dates { members.append("on", .string("\(dates)")) }
    if let open = question.open { members.append("open", .object(open.members)) }
    if !question.kinds.isEmpty {
      members.append("kinds", .array(question.kinds.map { .string($0) }))
    }
    if let area = question.area { members.append("area", .string(area.text)) }
    for (name, box) in [("bbox", viewport ?? query.area.boundingBox), ("clip", query.clip)] {
      guard let box else { continue }
      members.append(name, .box(box))
    }
    members.append("metric", "geodesic")
    return members
  }

  private func members(of row: Row) -> Properties {
    var way: Properties = ["distance": .meters(row.distance), "bearing": .bearing(row.bearing)]
    if let point = row.nearestPoint { way.append("nearest_point", Listing.pair(point)) }
    var members = Listing.members(
      of: row.annotation, keeping: fields, distance: way,
      open: timeMembers(of: row, orElse: row.business.members))
    guard let dates = query.dates else { return members }
    if dates.day == nil, let days = dates.days(of: row.annotation) {
      members.append("days", .array(days.map { .string("\($0)") }))
    }
    if let sessions = dates.sessions(of: row.annotation) {
      members.append("sessions", .array(sessions.map { .object(Listing.members(of: $0)) }))
    }
    return members
  }

  /// A position as GeoJSON has it, to a millimeter.
  private static func pair(_ point: Coordinate) -> PropertyValue {
    .array([point.longitude, point.latitude].map { .double(($0 * 1e8).rounded() / 1e8) })
  }

  /// A session as an object: its business day, start, end and title.
  package static func members(of session: Session) -> Properties {
    var object: Properties = [
      "day": .string("\(session.day)"), "start": .string(ClockText.iso(session.start)),
    ]
    if let end = session.end { object.append("end", .string(ClockText.iso(end))) }
    if let title = session.title { object.append("title", .string(title)) }
    return object
  }

  /// What the hours and the days of a row say, where a moment or days are asked about.
  ///
  /// - Parameter business: The members to write in place of the hours if no moment is asked about.
  private func timeMembers(of row: Row, orElse business: Properties = Properties()) -> Properties {
    var members = business
    if let open = question.open {
      members = row.open.map { open.members(of: $0, of: row.annotation) } ?? Properties()
    }
    members.entries += query.dayMembers(of: row.annotation).entries
    return members
  }

  /// An annotation as an object: what it is, where, how far, and the source's own columns.
  package static func members(
    of annotation: ImportedAnnotation, keeping fields: [String]?,
    distance: Properties = Properties(), open: Properties = Properties()
  ) -> Properties {
    var members = Properties(
      id: annotation.id.text, name: annotation.name, kind: annotation.kind,
      at: annotation.coordinate)
    members.entries += distance.entries
    members.entries += open.entries
    var properties = annotation.properties
    let hours = annotation.openingHours
    let isSaid = hours != nil && properties["opening_hours"]?.text == hours
    let known = isSaid ? hours : KnownProperties(properties).hours
    properties = properties.keeping(fields)
    // Of a column that only the options name.
    properties.say("opening_hours", hours, insteadOf: known)
    members.append("properties", .object(properties))
    return members
  }

  /// The fixed columns, then those of the source, and those that only some rows have.
  package func writeCSV(to sink: OutputSink) throws(ReportedError) {
    let table = CSVTable(
      columns: fields ?? ownColumns, of: rows.lazy.map(\.annotation),
      ways: rows.map { (distance: $0.distance, bearing: $0.bearing) })
    try sink.write(table.header, each: rows) { row, bytes in
      table.append(
        row.annotation.whole.common, distance: row.distance, bearing: row.bearing, to: &bytes)
    }
  }

  /// The columns of the sources, then those that only some rows have.
  ///
  /// Those that a database says it has, and those of features that were all read, are there whichever rows are, so that
  /// pages can be put together. Where neither is known, as of records joined to places, to read all records would take a
  /// thousand times as long as the answer; `fields` gives all pages the same.
  private var ownColumns: [String] {
    let known = source.columns + question.fields
    if let names = source.featureColumns { return (known + names).withoutRepeats }
    let shown = rows.lazy.map(\.annotation).filter(\.mayHaveOtherColumns).flatMap {
      $0.properties.withDistinctNames.entries.map(\.name)
    }
    return (known + shown).withoutRepeats
  }

  /// A feature collection or a sequence of features.
  ///
  /// What the answer adds (`distance`, `bearing`, `nearest_point`, and the members about opening hours and days) replaces
  /// properties of the source with these names.
  package func writeGeoJSON(
    _ format: GeoJSONWriter.Format, to sink: OutputSink
  ) throws(ReportedError) {
    var members = Properties()
    if query.origin != nil { members.append("validRadius", .least(validRadius)) }
    if let open = question.open { members.append("validUntil", .moment(validUntil, by: open.own)) }
    var writer = GeoJSONWriter(format)
    let annotations = rows.lazy.map(\.annotation)
    writer.begin(
      bbox: annotations.contains { $0.shape != nil }
        ? annotations.extent : BoundingBox(around: annotations.compactMap(\.coordinate)),
      members: members)
    for row in rows {
      var feature = row.annotation.drawnFeature(
        keeping: fields, distance: row.distance, bearing: row.bearing)
      if let point = row.nearestPoint { feature.properties?["nearest_point"] = Listing.pair(point) }
      for entry in timeMembers(of: row).entries { feature.properties?[entry.name] = entry.value }
      writer.write(feature)
      if writer.bytes.count > OutputSink.chunk { try sink.write(writer.takeBytes()) }
    }
    writer.end()
    try sink.write(writer.takeBytes())
  }

  package func writeIDs(to sink: OutputSink) throws(ReportedError) {
    try sink.write(each: rows) { row, bytes in bytes += "\(row.annotation.id.text)\n".utf8 }
  }
}

extension JSONWriter {
  /// The member `facets`: of each field its values by how many have them.
  package mutating func write(facets: [Facet]) {
    let members = facets.map { facet in
      Properties.Entry(
        name: facet.field.columnName,
        value: .array(
          facet.counts.map {
            .object(["value": .text($0.value), "count": .integer($0.count)])
          }))
    }
    // A property may be called as a field that every annotation has.
    member("facets", .object(Properties(members)))
  }
}

extension QueryArea {
  /// The box that is asked for; nil for another area.
  package var boundingBox: BoundingBox? { if case .box(let box) = self { box } else { nil } }
}

// A listing day by day: as a page of a calendar, as a page of showings, as an iCalendar stream.

extension Listing {
  /// Of several days, which rows hold on each; of days with sessions, what is on, film by film.
  func writeDays(to writer: inout JSONWriter) {
    guard let dates = query.dates else { return }
    if dates.day == nil {
      var ids: [CalendarDate: [PropertyValue]] = [:]
      for row in rows {
        guard let days = dates.days(of: row.annotation) else { return }
        for day in days { ids[day, default: []].append(.string(row.annotation.id.text)) }
      }
      let days = ids.sorted { $0.key < $1.key }
      writer.member(
        "calendar",
        .array(days.map { .object(["day": .string("\($0.key)"), "ids": .array($0.value)]) }))
    }
    let showings = rows.flatMap { row in
      (dates.sessions(of: row.annotation) ?? []).map { (row: row, session: $0) }
    }
    guard !showings.isEmpty else { return }
    let titles = Session.byTitle(showings) { $0.session }
    writer.member(
      "titles",
      .array(
        titles.map { title, showings in
          .object([
            "title": .text(title),
            "sessions": .array(
              showings.map { showing in
                var members: Properties = ["id": .string(showing.row.annotation.id.text)]
                members.entries += Listing.members(of: showing.session).entries.filter {
                  $0.name != "title"
                }
                return .object(members)
              }),
          ])
        }))
  }

  /// An event for each session, and for each day of what has none: a run of days would be called after its first
  /// one, which depends on the days that were asked for.
  ///
  /// - Returns: nil where no days were asked for, or days that have no end.
  package func calendar(written: Instant) -> [UInt8]? {
    guard let dates = query.dates else { return nil }
    var stream = CalendarStream("days", written: written)
    for row in rows {
      let annotation = row.annotation
      let name = annotation.name ?? annotation.id.text
      let id = CalendarStream.name(ofID: annotation.id.text, name, at: annotation.coordinate)
      guard let days = dates.days(of: annotation) else { return nil }
      var event = CalendarStream.Event(
        uid: "", span: .days(0..<0), summary: name, description: nil,
        location: annotation.address, coordinate: annotation.coordinate, alarm: nil)
      if annotation.calendar.timetable != nil {
        for session in days.flatMap({ annotation.calendar.sessions(on: $0) }) {
          // By the business day, whose sessions are in the calendar together or not at all.
          let start = ClockText.basic(session.start, of: session.day.dayNumber)
          event.uid = "session-\(start)-\(id)"
          event.span = .times(session.start, session.end)
          event.summary = session.title.map { "\($0), \(name)" } ?? name
          stream.write(event)
        }
      } else {
        for day in days.map(\.dayNumber) {
          event.uid = "on-\(ClockText.basic(day: day))-\(id)"
          event.span = .days(day..<day + 1)
          stream.write(event)
        }
      }
    }
    return stream.finished()
  }
}
