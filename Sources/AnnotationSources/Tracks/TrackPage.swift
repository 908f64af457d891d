import GPXCoding
import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations
import TrackImport
import WebMaps

/// A track on its way into a web page: the believed way, what was rejected, and the fences with what happened there.
package struct TrackPage {
  private var parts: [Part] = []
  private var lastPart: Int?
  /// Below everything else.
  private var fences: [Feature] = []
  private var features: [Feature] = []
  private var box = GrowingBox()

  /// A piece of the way that is drawn as one line.
  private struct Part {
    var positions: [Coordinate] = []
    var begin: String?
    var end: String?
  }

  /// The areas of fences.
  package mutating func add(_ fences: [Fence]) {
    self.fences += fences.map { fence in
      TrackPage.feature(
        TrackPage.geometry(of: fence.shape),
        [("name", fence.name ?? fence.id.text), ("kind", "fence"), ("fence", fence.id.text)])
    }
  }

  /// A fix that is believed continues the way.
  package mutating func add(believed point: TrackPoint) {
    guard let position = point.fix.coordinate else { return }
    // Also across ±180°: the page draws each step the shorter way.
    if lastPart != point.part { parts.append(Part()) }
    let here = parts.count - 1
    parts[here].positions.append(position)
    if let time = TrackPage.time(of: point) {
      parts[here].begin = parts[here].begin ?? time
      parts[here].end = time
    }
    lastPart = point.part
    box.add(position)
  }

  /// A fix that is not believed, and why.
  package mutating func add(rejected point: TrackPoint, number: Int, why: String) {
    guard let position = point.fix.coordinate else { return }
    add(
      position,
      [
        ("name", "fix \(number)"), ("kind", "rejected"), ("why", why),
        ("time", TrackPage.time(of: point) ?? ""),
      ])
  }

  /// What happened at a fence.
  package mutating func add(_ event: FenceEvent, at fence: Fence, number: Int, _ point: TrackPoint)
  {
    let name = fence.name ?? fence.id.text
    add(
      event.position,
      [
        ("name", "\(event.kind.rawValue) \(name)"), ("kind", event.kind.rawValue),
        ("time", TrackPage.time(of: point) ?? ""), ("fix", String(number)),
        ("why", event.reasons.map(\.description).joined(separator: ", ")),
      ])
  }

  private mutating func add(_ place: Coordinate, _ texts: [(String, String)]) {
    features.append(TrackPage.feature(.point(Position(place)), texts))
    box.add(place)
  }

  private static func feature(_ geometry: Geometry, _ texts: [(String, String)]) -> Feature {
    var properties = Properties()
    for (name, text) in texts where !text.isEmpty { properties.append(name, .string(text)) }
    return Feature(geometry: geometry, properties: properties)
  }

  /// The page, named after the track.
  package func bytes(titled title: String) -> [UInt8] {
    var page = WebPage(title: title)
    page.land = PageLand(near: box.box)
    let way = parts.enumerated().map { place, part in
      var properties: Properties = [
        "name": .string(parts.count == 1 ? "track" : "track, part \(place + 1)"),
        "kind": "track",
      ]
      if let begin = part.begin, let end = part.end {
        properties.append("time", .string("\(begin) to \(end)"))
      }
      let positions = part.positions.map { Position($0) }
      return Feature(
        geometry: positions.count == 1 ? .point(positions[0]) : .lineString(positions),
        properties: properties)
    }
    return page.bytes(
      showing: GeoJSONWriter.bytes(of: fences + way + features, bbox: box.box))
  }

  /// The time of a fix; nil where its day is not known.
  private static func time(of point: TrackPoint) -> String? {
    point.isDated ? point.fix.time.flatMap(GPXTime.text) : nil
  }

  /// A circle is drawn by 72 places of its border.
  private static func geometry(of shape: Fence.Shape) -> Geometry {
    switch shape {
    case .circle(let center, let radius):
      let ring = (0...72).map { step in
        let place = center.destination(bearing: Double(step % 72) * -5, distance: radius)
        // Beside the center, over ±180° too.
        return Position(
          longitude: center.longitude
            + Coordinate.wrappedLongitude(place.longitude - center.longitude),
          latitude: place.latitude)
      }
      return .polygon([ring])
    case .polygons(let area): return .multiPolygon(area.polygons.map(\.rings))
    }
  }
}
