import GeoJSONCoding
import Geodesy
import LocationFiltering
import MapAnnotations

/// Judged fixes as JSON, and as rows.
package enum TrackJSON {
  /// Writes one verdict: `{"fix":3,"verdict":"held","reasons":[{"code":"moved",…}]}`.
  ///
  /// A reason has the numbers that there are. Where it is explained, sentences stand beside them,
  /// and the words for what would have given the other verdict.
  package static func write(
    _ judged: JudgedPoint, explains: Bool, words: (JudgedPoint.Otherwise) -> [String],
    to json: inout JSONWriter
  ) {
    json.beginObject()
    json.name("fix")
    json.number(judged.number)
    json.member("verdict", .string(judged.verdict.rawValue))
    json.member("reasons", each: judged.sentences.enumerated()) { json, reason in
      json.beginObject()
      if let verdict = judged.gateVerdict {
        write(verdict.reasons[reason.offset], to: &json)
      } else {
        json.member("code", .string(judged.code))
      }
      if explains { json.member("message", .string(reason.element)) }
      json.endObject()
    }
    if explains {
      json.member("line", .integer(judged.point.line))
      if let words = judged.otherwise.map(words) {
        json.member("otherwise", each: words) { $0.string($1) }
      } else {
        json.member("otherwise", .null)
      }
    }
    json.endObject()
  }

  /// Writes the code of a reason, and the numbers that decided.
  private static func write(_ reason: GateReason, to json: inout JSONWriter) {
    json.member("code", .string(reason.code.rawValue))
    for (name, value) in [("value", reason.value), ("limit", reason.limit)] {
      guard let value, value.isFinite else { continue }
      json.name(name)
      json.number(value)
    }
    if !reason.unit.isEmpty { json.member("unit", .string(reason.unit)) }
    if let subject = reason.subject { json.member("subject", .string(subject)) }
  }

  /// What became of the track.
  package static func write(_ tally: TrackTally, to json: inout JSONWriter) {
    let summary = tally.summary
    json.beginObject()
    for (name, count) in [
      ("fixes", summary.fixes), ("timed", summary.timed), ("unreadTimes", tally.unread.times.count),
      ("unreadAccuracies", tally.unread.accuracies.count), ("unplaced", summary.unplaced),
      ("outOfRange", summary.outOfRange), ("stillSteps", summary.stillSteps),
      ("sameTimeSteps", summary.sameTimeSteps), ("backwardSteps", summary.backwardSteps),
    ] {
      json.member(name, .integer(count))
    }
    for (name, value) in [
      ("duration", summary.duration), ("length", summary.length.meters),
      ("believedLength", tally.believed.length.meters),
      ("acceptedLength", tally.accepted.length.meters),
      ("medianSpeed", summary.speed(quantile: 0.5)), ("greatestSpeed", summary.speeds.max()),
    ] {
      json.name(name)
      if let value, value.isFinite { json.number(value) } else { json.null() }
    }
    for verdict in JudgedPoint.Verdict.allCases {
      let counts = tally.reasons(verdict).map {
        Properties.Entry(name: $0.code, value: .integer($0.count))
      }
      json.member(verdict.rawValue, .object(Properties(counts)))
    }
    json.endObject()
  }

  package static let columns = [
    "fix", "line", "time", "latitude", "longitude", "verdict", "code", "value", "limit", "unit",
  ]

  /// The cells of a row, those of the first reason among them.
  package static func cells(of judged: JudgedPoint) -> [String] {
    func text(_ value: Double?) -> String {
      value.map { $0.isFinite ? plainDecimal($0) : "" } ?? ""
    }
    let fix = judged.point.fix
    let reason = judged.gateVerdict?.reasons.first
    return [
      String(judged.number), String(judged.point.line), judged.point.timeText ?? "",
      text(fix.latitude), text(fix.longitude), judged.verdict.rawValue, judged.code,
      text(reason?.value),
      text(reason?.limit), reason?.unit ?? "",
    ]
  }
}
