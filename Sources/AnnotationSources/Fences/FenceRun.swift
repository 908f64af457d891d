import GeoJSONCoding
import Geodesy
import Geofencing
import LocationFiltering
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
  private var data: FenceData
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
    data = FenceData(fences: session.monitor.index.fences)
    if format == .html { picture.add(session.monitor.index.fences) }
  }

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
      for event in update.events {
        bytes += data.bytes(of: event, fix: number, point, in: format, isFirst: !hasBegun)
        hasBegun = true
      }
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
      let fence = session.monitor.index.fences[event.fence]
      lines += begin() + text.lines(number, point, event, fence)
    }
    return lines
  }

  private mutating func add(_ update: FenceSession.Update, number: Int, _ point: TrackPoint) {
    if update.verdict.isRejected {
      picture.add(rejected: point, number: number, why: FenceRun.why(update, point))
    }
    for event in update.events {
      picture.add(event, at: session.monitor.index.fences[event.fence], number: number, point)
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

  private mutating func begin() -> String {
    defer { hasBegun = true }
    return hasBegun ? "" : text.header
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
      if regions != nil { ending += text.plan(plan, monitor.index.fences) }
      try sink.write(Array(ending.utf8))
    case .html: try sink.write(picture.page(titled: title))
    default:
      try sink.write(
        data.ending(
          of: tally, monitor, plan, asksForPlan: regions != nil, in: format, isFirst: !hasBegun))
    }
    if tally.rejected + tally.late + tally.doubted > 0, format != .table, format != .json {
      remark(
        "note: \(grouped(tally.rejected)) of \(grouped(tally.fixes)) fixes rejected, "
          + "\(grouped(tally.late)) late, \(grouped(tally.doubted)) in doubt; they changed nothing")
    }
    let timeRules = session.gate.policy.timeRules + monitor.policy.timeRules
    tally.unread.remarks(of: tally.fixes, timeRules: timeRules).forEach(remark)
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
