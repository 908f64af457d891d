import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations
import TrackImport

/// Events as JSON, as rows and as GeoJSON.
package struct FenceData {
  package let fences: [Fence]
  private var json = JSONWriter()

  package init(fences: [Fence]) { self.fences = fences }

  private static let columns = [
    "fix", "time", "event", "fence", "name", "order", "visit", "latitude", "longitude", "code",
    "value", "limit", "unit",
  ]

  /// What is written at once of an event.
  package mutating func bytes(
    of event: FenceEvent, fix: Int, _ point: TrackPoint, in format: FenceOutputFormat,
    isFirst: Bool
  ) -> [UInt8] {
    var bytes = isFirst ? beginning(of: format) : []
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

  private mutating func takeJSON() -> [UInt8] {
    defer { json.removeAll() }
    return json.bytes
  }

  private mutating func beginning(of format: FenceOutputFormat) -> [UInt8] {
    switch format {
    case .table, .jsonl, .html: return []
    case .csv: return CSVText.line(FenceData.columns)
    case .json:
      json.beginObject()
      json.name("events")
    case .geojson:
      json.beginObject()
      json.member("type", "FeatureCollection")
      json.name("features")
    }
    json.beginArray()
    return takeJSON()
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
  package mutating func ending(
    of tally: FenceTally, _ monitor: FenceMonitor, _ plan: RegionPlan?, asksForPlan: Bool,
    in format: FenceOutputFormat, isFirst: Bool
  ) -> [UInt8] {
    let start = isFirst ? beginning(of: format) : []
    switch format {
    case .table, .jsonl, .csv, .html: return start
    case .geojson: json.endArray()
    case .json:
      json.endArray()
      json.member("inside", .array(ids(of: monitor.inside)))
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
