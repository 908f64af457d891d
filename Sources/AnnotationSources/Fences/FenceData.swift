import GPXCoding
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
    switch format {
    case .table, .html: break
    case .csv: CSVText.append(cells(of: event, fix, point), to: &bytes)
    case .jsonl:
      write(event, fix, point)
      json.endLine()
    case .json: write(event, fix, point)
    case .geojson:
      json.beginObject()
      json.member("type", "Feature")
      json.name("geometry")
      json.point(event.position)
      json.name("properties")
      write(event, fix, point)
      json.endObject()
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
  private mutating func write(_ event: FenceEvent, _ fix: Int, _ point: TrackPoint) {
    let fence = fences[event.fence]
    json.beginObject()
    json.member("fix", .integer(fix))
    json.member("time", .text(FenceData.time(of: point)))
    json.member("event", .string(event.kind.rawValue))
    json.member("fence", .string(fence.id.text))
    json.member("name", .text(fence.name))
    json.member("order", .integer(event.order))
    json.member("visit", event.visit.map(PropertyValue.integer) ?? .null)
    json.place(event.position)
    json.member("reasons", each: event.reasons) { json, reason in
      json.beginObject()
      json.member("code", .string(reason.code.rawValue))
      for (name, value) in [("value", reason.value), ("limit", reason.limit)] {
        guard let value, value.isFinite else { continue }
        json.name(name)
        json.number(value)
      }
      if !reason.unit.isEmpty { json.member("unit", .string(reason.unit)) }
      json.endObject()
    }
    json.endObject()
  }

  private func cells(of event: FenceEvent, _ fix: Int, _ point: TrackPoint) -> [String] {
    func text(_ value: Double?) -> String {
      value.map { $0.isFinite ? plainDecimal($0) : "" } ?? ""
    }
    let fence = fences[event.fence]
    let reason = event.reasons[0]
    return [
      String(fix), FenceData.time(of: point) ?? "", event.kind.rawValue, fence.id.text,
      fence.name ?? "", String(event.order), event.visit.map(String.init) ?? "",
      text(event.position.latitude), text(event.position.longitude), reason.code.rawValue,
      text(reason.value), text(reason.limit), reason.unit,
    ]
  }

  /// The time of a fix; seconds where its day is not known.
  private static func time(of point: TrackPoint) -> String? {
    guard let time = point.fix.time else { return nil }
    return point.isDated ? GPXTime.text(time) : plainDecimal(time)
  }

  /// What stands behind the last event.
  package mutating func ending(
    of tally: FenceTally, _ monitor: FenceMonitor, _ plan: RegionPlan?, asksForPlan: Bool,
    in format: FenceOutputFormat, isFirst: Bool
  ) -> [UInt8] {
    let start = isFirst ? beginning(of: format) : []
    switch format {
    case .table, .jsonl, .csv, .html: return start
    case .geojson:
      json.endArray()
      json.endObject()
      json.endLine()
      return start + takeJSON()
    case .json: break
    }
    json.endArray()
    json.member("inside", .array(ids(of: monitor.inside)))
    json.name("summary")
    json.beginObject()
    let counts =
      [("fixes", tally.fixes), ("rejected", tally.rejected), ("late", tally.late)]
      + FenceTally.kinds.map { ($0.rawValue, tally.events[$0] ?? 0) }
    for (name, count) in counts { json.member(name, .integer(count)) }
    json.endObject()
    if asksForPlan {
      json.name("plan")
      if let plan { write(plan) } else { json.null() }
    }
    json.endObject()
    json.endLine()
    return start + takeJSON()
  }

  private func ids(of fences: some Sequence<Int>) -> [PropertyValue] {
    fences.map { .string(self.fences[$0].id.text) }
  }

  private mutating func write(_ plan: RegionPlan) {
    let fences = fences
    json.beginObject()
    json.place(plan.position)
    json.length("refreshRadius", plan.refreshRadius)
    json.length("validRadius", plan.validRadius)
    json.member("regions", each: plan.regions) { json, region in
      json.beginObject()
      json.member("fence", .string(fences[region.fence].id.text))
      json.place(region.center)
      json.length("radius", region.radius)
      json.length("distance", region.distance)
      json.member("inside", .bool(region.isInside))
      json.endObject()
    }
    json.member("unwatchable", .array(ids(of: plan.unwatchable)))
    json.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func place(_ coordinate: Coordinate) {
    name("latitude")
    number(coordinate.latitude)
    name("longitude")
    number(coordinate.longitude)
  }

  /// Writes a length in meters; `null` where it has no end.
  fileprivate mutating func length(_ name: String, _ value: Distance) {
    self.name(name)
    number(value.meters)
  }
}
