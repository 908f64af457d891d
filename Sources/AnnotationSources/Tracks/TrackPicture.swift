import GPXCoding
import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations
import TextMaps
import TrackImport
import WebMaps

/// A track on its way into a text map or a web page: the believed way, what was rejected, and the fences with what
/// happened there.
package struct TrackPicture {
  private var parts: [Part] = []
  private var lastPart: Int?
  private var fences: [Fence] = []
  private var marks: [Mark] = []
  private let mostRejected: Int

  /// A piece of the way that is drawn as one line.
  private struct Part {
    var positions: [Coordinate] = []
    var begin: String?
    var end: String?
  }

  /// A rejected fix or an event, with the labels and texts shown beside it.
  private struct Mark {
    let place: Coordinate
    let texts: [(String, String)]
  }

  /// - Parameter isMap: Whether it becomes a text map, on which more than 200 rejected fixes say no more than these.
  package init(isMap: Bool) { mostRejected = isMap ? 200 : .max }

  /// The areas of fences, below everything else.
  package mutating func add(_ fences: [Fence]) { self.fences += fences }

  /// A fix that is believed continues the way.
  package mutating func add(believed point: TrackPoint) {
    guard let position = point.fix.coordinate else { return }
    // Also across ±180°: the page draws each step the shorter way.
    if lastPart != point.part { parts.append(Part()) }
    let here = parts.count - 1
    parts[here].positions.append(position)
    if let time = TrackPicture.time(of: point) {
      parts[here].begin = parts[here].begin ?? time
      parts[here].end = time
    }
    lastPart = point.part
  }

  /// A fix that is not believed, and why.
  package mutating func add(rejected point: TrackPoint, number: Int, why: @autoclosure () -> String)
  {
    guard let position = point.fix.coordinate, marks.count < mostRejected else { return }
    marks.append(
      Mark(
        place: position,
        texts: [
          ("name", "fix \(number)"), ("kind", "rejected"), ("why", why()),
          ("time", TrackPicture.time(of: point) ?? ""),
        ]))
  }

  /// What happened at a fence.
  package mutating func add(_ event: FenceEvent, at fence: Fence, number: Int, _ point: TrackPoint)
  {
    let name = fence.name ?? fence.id.text
    marks.append(
      Mark(
        place: event.position,
        texts: [
          ("name", "\(event.kind.rawValue) \(name)"), ("kind", event.kind.rawValue),
          ("time", TrackPicture.time(of: point) ?? ""), ("fix", String(number)),
          ("why", event.reasons.map(\.description).joined(separator: ", ")),
        ]))
  }

  /// The time of a fix; nil where its day is not known.
  private static func time(of point: TrackPoint) -> String? {
    point.isDated ? point.fix.time.flatMap(GPXTime.text) : nil
  }

  // MARK: The text map

  /// The way as a line, its ends by name, and what was rejected; nil where nothing was believed.
  ///
  /// Rejected fixes far off would shrink the track to a spot: the window holds the believed ones.
  package func map(_ plan: MapPlan) throws(ReportedError) -> String? {
    let lines = parts.map(\.positions)
    guard let start = lines.first?.first, let end = lines.last?.last else { return nil }
    let track = AnnotationKind(rawValue: "track")
    let markers =
      [(start, "start"), (end, "end")].map { TextMap.Marker(at: $0, kind: track, label: $1) }
      + marks.map { TextMap.Marker(at: $0.place, kind: AnnotationKind(rawValue: "rejected")) }
    let map = TextMap(
      markers: markers, lines: lines, viewport: window, size: plan.size, style: plan.style,
      color: plan.color, basemap: try plan.outlines())
    return map.render() + "\n"
  }

  /// A box around the believed way with room at its edges; nil where nothing else is to be shown.
  private var window: BoundingBox? {
    guard !marks.isEmpty, let box = BoundingBox(around: parts.lazy.flatMap(\.positions)) else {
      return nil
    }
    let high = (box.north - box.south) * 0.1 + 0.0002
    let wide = box.width * 0.1 + 0.0002
    return try? BoundingBox(
      south: max(-90, box.south - high), west: Coordinate.wrappedLongitude(box.west - wide),
      north: min(90, box.north + high), east: Coordinate.wrappedLongitude(box.east + wide))
  }

  // MARK: The page

  /// The page, named after the track.
  package func page(titled title: String) -> [UInt8] {
    let box = BoundingBox(around: parts.flatMap(\.positions) + marks.map(\.place))
    var page = WebPage(title: title)
    page.land = PageLand(near: box)
    let areas = fences.map { fence in
      TrackPicture.feature(
        TrackPicture.geometry(of: fence.shape),
        [("name", fence.name ?? fence.id.text), ("kind", "fence"), ("fence", fence.id.text)])
    }
    let way = parts.enumerated().map { place, part in
      let positions = part.positions.map { Position($0) }
      let time = part.begin.flatMap { begin in part.end.map { "\(begin) to \($0)" } }
      return TrackPicture.feature(
        positions.count == 1 ? .point(positions[0]) : .lineString(positions),
        [
          ("name", parts.count == 1 ? "track" : "track, part \(place + 1)"), ("kind", "track"),
          ("time", time ?? ""),
        ])
    }
    let points = marks.map { TrackPicture.feature(.point(Position($0.place)), $0.texts) }
    return page.bytes(showing: GeoJSONWriter.bytes(of: areas + way + points, bbox: box))
  }

  private static func feature(_ geometry: Geometry, _ texts: [(String, String)]) -> Feature {
    var properties = Properties()
    for (name, text) in texts where !text.isEmpty { properties.append(name, .string(text)) }
    return Feature(geometry: geometry, properties: properties)
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
