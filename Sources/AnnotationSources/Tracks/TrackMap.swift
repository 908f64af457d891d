import Geodesy
import MapAnnotations
import TextMaps
import TrackImport

/// The map of a judged track: the believed way as a line, its ends by name, and what was rejected.
package struct TrackMap {
  private var lines: [[Coordinate]] = []
  private var markers: [TextMap.Marker] = []
  private var last: (position: Coordinate, part: Int)?

  /// More rejected fixes than that say no more than these; the summary counts all.
  private static let markerLimit = 200

  /// A fix that is not believed.
  package mutating func add(rejected point: TrackPoint) {
    guard let position = point.fix.coordinate, markers.count < TrackMap.markerLimit else { return }
    markers.append(TextMap.Marker(at: position, kind: AnnotationKind(rawValue: "rejected")))
  }

  /// A fix that is believed continues the way.
  package mutating func add(believed point: TrackPoint) {
    guard let position = point.fix.coordinate else { return }
    if let last, last.part == point.part {
      lines[lines.count - 1].append(position)
    } else {
      lines.append([position])
    }
    last = (position, point.part)
  }

  /// The map as text; nil where nothing was believed.
  ///
  /// Rejected fixes far off would shrink the track to a spot: the window holds the believed ones.
  package func draw(_ plan: MapPlan) throws(ReportedError) -> String? {
    guard let start = lines.first?.first, let end = lines.last?.last else { return nil }
    let ends = [
      TextMap.Marker(at: start, kind: AnnotationKind(rawValue: "track"), label: "start"),
      TextMap.Marker(at: end, kind: AnnotationKind(rawValue: "track"), label: "end"),
    ]
    let map = TextMap(
      markers: ends + markers, lines: lines, viewport: window, size: plan.size,
      style: plan.style, color: plan.color, basemap: try plan.outlines())
    return map.render() + "\n"
  }

  /// A box around the believed way with room at its edges; nil where nothing else is to be shown.
  private var window: BoundingBox? {
    guard !markers.isEmpty, let box = BoundingBox(around: lines.joined()) else { return nil }
    let high = (box.north - box.south) * 0.1 + 0.0002
    let wide = box.width * 0.1 + 0.0002
    return try? BoundingBox(
      south: max(-90, box.south - high), west: Coordinate.wrappedLongitude(box.west - wide),
      north: min(90, box.north + high), east: Coordinate.wrappedLongitude(box.east + wide))
  }
}
