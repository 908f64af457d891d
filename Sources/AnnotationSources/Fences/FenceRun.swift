import GeoJSONCoding
import Geodesy
import Geofencing
import LocationFiltering
import MapAnnotations
import TrackImport

/// How events are written.
package enum FenceOutputFormat: String, CaseIterable { case table, jsonl, json, csv, geojson, html }

/// One track on its way past fences.
package struct FenceRun {
  package var session: FenceSession
  private var review: TrackReview
  package let format: FenceOutputFormat
  package let explains: Bool
  package let sink: OutputSink
  /// Takes what a reader of the results should know who does not see the summary.
  private let remark: (String) -> Void
  package let text: FenceText
  private var json = JSONWriter()
  private var picture = TrackPicture(isMap: false)
  private var belief = TrackBelief()
  /// What a page is called.
  package var title = ""
  private var tally = FenceTally()
  private var part = 0
  private var hasBegun = false

  package init(
    session: FenceSession, review: TrackReview, format: FenceOutputFormat, explains: Bool,
    sink: OutputSink, width: Int, remark: @escaping (String) -> Void
  ) {
    self.session = session
    self.review = review
    self.format = format
    self.explains = explains
    self.sink = sink
    self.remark = remark
    text = FenceText(width: width, explains: explains)
    if format == .html { picture.add(fences) }
  }

  private var fences: [Fence] { session.monitor.index.fences }

  /// Takes fixes and writes at once what happened at those whose turn it is.
  package mutating func take(_ points: [TrackPoint]) throws(ReportedError) {
    try write(points.compactMap { review.take($0) })
  }

  private mutating func write(_ points: [ReviewedPoint]) throws(ReportedError) {
    var bytes: [UInt8] = []
    for reviewed in points {
      tally.fixes += 1
      tally.unread.add(reviewed.point)
      bytes += bytesOf(reviewed, number: tally.fixes)
      try sink.writeChunk(&bytes)
    }
    if !bytes.isEmpty { try sink.write(bytes) }
  }

  /// What is written of one fix.
  private mutating func bytesOf(_ reviewed: ReviewedPoint, number: Int) -> [UInt8] {
    let point = reviewed.point
    if let why = point.problem?.description ?? reviewed.fix.objection?.description {
      tally.rejected += 1
      if format == .html { picture.add(rejected: point, number: number, why: why) }
      guard explains, format == .table else { return [] }
      return Array((begin() + text.remark(number, point, "rejected", why)).utf8)
    }
    let update = session.take(
      reviewed.fix.fix, now: reviewed.fix.now, isContinuous: point.part == part)
    part = point.part
    tally.add(update)
    settle(
      belief.decide(JudgedPoint(number: number, point, update.verdict)),
      late: update.lateness == nil ? nil : number)
    switch format {
    case .html:
      add(update, number: number, point)
      return []
    case .table: return Array(lines(of: update, number: number, point).utf8)
    case .jsonl, .json, .csv, .geojson:
      var bytes: [UInt8] = []
      for event in update.events { bytes += bytesOf(event, fix: number, point) }
      return bytes
    }
  }

  /// What the table has of a fix: why it changed nothing, where that is explained, and its events.
  private mutating func lines(
    of update: FenceSession.Update, number: Int, _ point: TrackPoint
  ) -> String {
    var lines = ""
    if explains, update.verdict.isRejected || update.isWaiting {
      let why = FenceRun.why(update, point)
      lines = begin() + text.remark(number, point, update.verdict.name, why)
    } else if explains, let lateness = update.lateness {
      let why = "\(text.number(lateness)) s before the last fix"
      lines = begin() + text.remark(number, point, "late", why)
    }
    for event in update.events {
      lines += begin() + text.lines(number, point, event, fences[event.fence])
    }
    return lines
  }

  private mutating func add(_ update: FenceSession.Update, number: Int, _ point: TrackPoint) {
    if update.verdict.isRejected {
      picture.add(rejected: point, number: number, why: FenceRun.why(update, point))
    }
    for event in update.events {
      picture.add(event, at: fences[event.fence], number: number, point)
    }
  }

  private static func why(_ update: FenceSession.Update, _ point: TrackPoint) -> String {
    update.verdict.reasons.map(point.sentence).joined(separator: ", ")
  }

  /// Continues the way with those fixes that are believed, now that it is known of which, and counts the others.
  private mutating func settle(_ fixes: [DecidedFix], late: Int? = nil) {
    for fix in fixes where fix.judged.number != late {
      if !fix.isBelieved {
        if !fix.judged.isRejected { tally.doubted += 1 }
      } else if format == .html {
        picture.add(believed: fix.judged.point)
      }
    }
  }

  package mutating func finish(regions: Int?) throws(ReportedError) {
    try write(review.finish())
    settle(belief.finish())
    let monitor = session.monitor
    let plan = regions.flatMap { regions -> RegionPlan? in
      var limits = RegionPlan.Limits()
      limits.count = regions
      return monitor.lastPosition.map { monitor.index.regionPlan(at: $0, limits: limits) }
    }
    switch format {
    case .table:
      var ending = (hasBegun ? "\n" : "") + text.summary(tally, monitor)
      if regions != nil { ending += text.plan(plan, fences) }
      try sink.write(Array(ending.utf8))
    case .html: try sink.write(picture.page(titled: title))
    default: try sink.write(ending(plan, asksForPlan: regions != nil))
    }
    if tally.rejected + tally.late + tally.doubted > 0, format != .table, format != .json {
      remark(
        "note: \(grouped(tally.rejected)) of \(grouped(tally.fixes)) fixes rejected, "
          + "\(grouped(tally.late)) late, \(grouped(tally.doubted)) in doubt; they changed nothing")
    }
    tally.unread.remarks(
      of: tally.fixes, policy: session.gate.policy, timeRules: monitor.policy.timeRules
    ).forEach(remark)
  }
}

// MARK: Events as JSON, as rows and as GeoJSON

extension FenceRun {
  private static let columns = [
    "fix", "time", "event", "fence", "name", "order", "visit", "latitude", "longitude", "code",
    "value", "limit", "unit",
  ]

  /// What stands before the first event; nothing before the others.
  private mutating func begin() -> String {
    if hasBegun { return "" }
    hasBegun = true
    switch format {
    case .table: return text.header
    case .jsonl, .html: return ""
    case .csv: return String(decoding: CSVText.line(FenceRun.columns), as: UTF8.self)
    case .json:
      json.beginObject()
      json.name("events")
    case .geojson:
      json.beginObject()
      json.member("type", "FeatureCollection")
      json.name("features")
    }
    json.beginArray()
    return String(decoding: takeJSON(), as: UTF8.self)
  }

  private mutating func takeJSON() -> [UInt8] {
    defer { json.removeAll() }
    return json.bytes
  }

  /// What programs read of an event.
  private mutating func bytesOf(_ event: FenceEvent, fix: Int, _ point: TrackPoint) -> [UInt8] {
    var bytes = Array(begin().utf8)
    let members = members(of: event, fix, point)
    switch format {
    case .table, .html: break
    case .csv: CSVText.append(cells(of: event, members), to: &bytes)
    case .jsonl:
      json.value(.object(members))
      json.endLine()
    case .json: json.value(.object(members))
    case .geojson:
      json.feature(Feature(geometry: .point(Position(event.position)), properties: members))
    }
    return bytes + takeJSON()
  }

  /// `{"fix":7,"time":"…","event":"enter","fence":"school",…,"reasons":[{"code":"inside",…}]}`.
  private func members(of event: FenceEvent, _ fix: Int, _ point: TrackPoint) -> Properties {
    let fence = fences[event.fence]
    let reasons = event.reasons.map { reason -> PropertyValue in
      var members: Properties = ["code": .string(reason.code.rawValue)]
      for (name, value) in [("value", reason.value), ("limit", reason.limit)] {
        if let value, value.isFinite { members.append(name, .double(value)) }
      }
      if !reason.unit.isEmpty { members.append("unit", .string(reason.unit)) }
      return .object(members)
    }
    return [
      "fix": .integer(fix), "time": .text(point.timeText),
      "event": .string(event.kind.rawValue), "fence": .string(fence.id.text),
      "name": .text(fence.name), "order": .integer(event.order),
      "visit": event.visit.map(PropertyValue.integer) ?? .null,
      "latitude": .degrees(event.position.latitude),
      "longitude": .degrees(event.position.longitude), "reasons": .array(reasons),
    ]
  }

  /// The members as cells, with the first reason in the place of all.
  private func cells(of event: FenceEvent, _ members: Properties) -> [String] {
    func text(_ value: Double?) -> String {
      value.map { $0.isFinite ? plainDecimal($0) : "" } ?? ""
    }
    let reason = event.reasons[0]
    return members.entries.dropLast().map { $0.value.text ?? "" }
      + [reason.code.rawValue, text(reason.value), text(reason.limit), reason.unit]
  }

  /// What stands behind the last event.
  private mutating func ending(_ plan: RegionPlan?, asksForPlan: Bool) -> [UInt8] {
    let start = Array(begin().utf8)
    switch format {
    case .table, .jsonl, .csv, .html: return start
    case .geojson: json.endArray()
    case .json:
      json.endArray()
      json.member("inside", .array(ids(of: session.monitor.inside)))
      let counts =
        [
          ("fixes", tally.fixes), ("rejected", tally.rejected), ("late", tally.late),
          ("inDoubt", tally.doubted),
        ] + FenceTally.kinds.map { ($0.rawValue, tally.events[$0] ?? 0) }
      let summary = counts.map { Properties.Entry(name: $0.0, value: .integer($0.1)) }
      json.member("summary", .object(Properties(summary)))
      if asksForPlan { json.member("plan", plan.map { .object(members(of: $0)) } ?? .null) }
    }
    json.endObject()
    json.endLine()
    return start + takeJSON()
  }

  private func ids(of fences: some Sequence<Int>) -> [PropertyValue] {
    fences.map { .string(self.fences[$0].id.text) }
  }

  private func members(of plan: RegionPlan) -> Properties {
    let regions = plan.regions.map { region -> PropertyValue in
      .object([
        "fence": .string(fences[region.fence].id.text),
        "latitude": .degrees(region.center.latitude),
        "longitude": .degrees(region.center.longitude), "radius": .double(region.radius.meters),
        "distance": .double(region.distance.meters), "inside": .bool(region.isInside),
      ])
    }
    // A radius without an end is null.
    return [
      "latitude": .degrees(plan.position.latitude),
      "longitude": .degrees(plan.position.longitude),
      "refreshRadius": .double(plan.refreshRadius.meters),
      "validRadius": .double(plan.validRadius.meters), "regions": .array(regions),
      "unwatchable": .array(ids(of: plan.unwatchable)),
    ]
  }
}

/// How many of what there were along a track.
package struct FenceTally {
  package var fixes = 0
  package var rejected = 0
  package var unread = UnreadValues()
  package private(set) var late = 0
  /// How many were held until others agree with them, which none did.
  package fileprivate(set) var doubted = 0
  package private(set) var events: [FenceEvent.Kind: Int] = [:]

  package mutating func add(_ update: FenceSession.Update) {
    if update.verdict.isRejected { rejected += 1 }
    if update.lateness != nil { late += 1 }
    for event in update.events { events[event.kind, default: 0] += 1 }
  }

  /// The kinds in the order in which people ask for them.
  package static let kinds: [FenceEvent.Kind] = [.enter, .exit, .cross, .dwell]
}

extension FencePolicy {
  /// The rules that need times, as a message calls them.
  fileprivate var timeRules: [String] {
    let confirmsByTime = [entry, exit].contains { if case .seconds = $0 { true } else { false } }
    return [
      ("dwell", dwell != nil), ("confirmation", confirmsByTime),
      ("gap", greatestCrossingGap != nil),
    ].filter(\.1).map(\.0)
  }
}
