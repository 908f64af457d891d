import AnnotationImport
import Complaints
import Foundation
import NearbyKit
import TrackImport

/// Counts how often three rules ask for the nearest three along real tracks, and at how many fixes
/// what they show is not the nearest three.
///
///     swift run -c release --package-path Benchmarks RefreshTable ../shared
///
/// The rules are the cinema app's 300 m, the mart app's 0.0005° as intended, and the `validRadius` of
/// the last answer (`NearbySession`). Tracks are those of `conformance/gpx` with 100 fixes or more, as
/// they are, and carried to where cinemas and stations are: every fix in the same direction and
/// distance from the city's center as it was from the first fix. The judge at each fix is a query of
/// its own, of which `KDTreeConformanceTests` say that they are exact. Prints Markdown.
@main
struct RefreshTable {
  static func main() {
    Complaint.ending("usage: RefreshTable SHARED, the folder with conformance and data") {
      try run(URL(filePath: try $0.operands(1...1)[0]))
    }
  }

  private static func run(_ shared: URL) throws {
    let tracks = try [
      ("korita-zbevnica", "hike"), ("cerknicko-jezero", "walk and ride"),
      ("garmin-activity", "run"), ("gh-test1", "drive"),
    ].map { name, way in
      try Track(
        name: "\(name), \(way)", shared.appending(path: "conformance/gpx/tracks/\(name).gpx"))
    }
    let cinemas = try Places(
      "cinemas of Korea, from Seoul City Hall",
      [
        shared.appending(path: "data/kr-cinemas/indie.csv"),
        shared.appending(path: "data/kr-cinemas/multiplex.csv"),
      ], center: (37.5663, 126.9779))
    let stations = try Places(
      "stations of Japan, from Tokyo Station",
      [shared.appending(path: "data/jp-stations/station.csv")], center: (35.6812, 139.7671))
    let postal = try Places(
      "postal places, where the track is",
      [shared.appending(path: "data/geonames-postal/postal-world-a.csv.gz")], center: nil)
    print(
      """
      | track | fixes | km | annotations | asked: 300 m | 0.0005° | `validRadius` \
      | wrong three: 300 m | 0.0005° | `validRadius` |
      |---|--:|--:|---|--:|--:|--:|--:|--:|--:|
      """)
    for places in [cinemas, stations, postal] {
      for track in tracks {
        let positions = try track.positions(from: places.center)
        guard places.isNear(positions) else { continue }
        let outcomes = [
          places.outcome(of: .cinema300m, along: positions),
          places.outcome(of: RefreshTable.degrees, along: positions),
          places.outcomeOfSession(along: positions),
        ]
        let count = positions.count
        let cells =
          ["\(track.name)", "\(count)", tenths(length(positions) / 1_000), places.name]
          + outcomes.map { "\($0.asked)" } + outcomes.map { percent($0.wrong, of: count) }
        print("| " + cells.joined(separator: " | ") + " |")
      }
    }
  }

  /// The mart app's rule without its box of Korea.
  private static let degrees: GatePolicy = {
    var policy = GatePolicy.mart0005deg
    policy.region = nil
    return policy
  }()

  private static func length(_ positions: [Coordinate]) -> Double {
    zip(positions, positions.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1).meters }
  }

  private static func tenths(_ value: Double) -> String {
    "\((value * 10).rounded() / 10)"
  }

  private static func percent(_ part: Int, of whole: Int) -> String {
    part == 0 ? "0" : tenths(Double(part) / Double(whole) * 100) + " %"
  }
}

/// The fixes of a file, in their order.
private struct Track {
  let name: String
  private let recorded: [Coordinate]

  init(name: String, _ file: URL) throws {
    self.name = name
    recorded = try TrackReader.points(in: [UInt8](contents(of: file.path))).points
      .compactMap(\.fix.coordinate)
  }

  /// Where the fixes are, or would be if the first were elsewhere.
  func positions(from center: (Double, Double)?) throws -> [Coordinate] {
    guard let center, let first = recorded.first else { return recorded }
    let start = try Coordinate(latitude: center.0, longitude: center.1)
    return recorded.map { position in
      guard position != first, let bearing = first.initialBearing(to: position) else {
        return start
      }
      return start.destination(bearing: bearing, distance: first.distance(to: position))
    }
  }
}

/// Annotations to be near to.
private struct Places {
  let name: String
  let center: (Double, Double)?
  private let index: AnnotationIndex<[BasicAnnotation]>

  init(_ name: String, _ files: [URL], center: (Double, Double)?) throws {
    self.name = name
    self.center = center
    var annotations: [BasicAnnotation] = []
    for file in files {
      let bytes = [UInt8](try contents(of: file.path))
      let source = try AnnotationImporter().read(bytes, named: file.lastPathComponent)
      for annotation in source.annotations where annotation.coordinate != nil {
        annotations.append(
          BasicAnnotation(
            id: AnnotationID(annotations.count + 1), coordinate: annotation.coordinate))
      }
    }
    index = AnnotationIndex(annotations)
  }

  /// Whether a track has a fourth place within 50 km: what lies in another country tells nothing.
  func isNear(_ positions: [Coordinate]) -> Bool {
    guard let first = positions.first else { return false }
    let four = index.nearest(4, to: first)
    return four.count == 4 && four[3].distance < .kilometers(50)
  }

  private func three(at position: Coordinate) -> NearbyAnswer<BasicAnnotation> {
    index.nearest(3, to: position)
  }

  private func ids(_ answer: NearbyAnswer<BasicAnnotation>?) -> Set<AnnotationID> {
    Set(answer?.annotations.map(\.id) ?? [])
  }

  typealias Outcome = (asked: Int, wrong: Int)

  /// What is asked and shown when every fix that a gate accepts asks again.
  func outcome(of policy: GatePolicy, along positions: [Coordinate]) -> Outcome {
    var gate = LocationGate(policy)
    var shown: Set<AnnotationID> = []
    var outcome = (asked: 0, wrong: 0)
    for position in positions {
      let truth = ids(three(at: position))
      if gate.judge(Fix(position)).isAccepted {
        shown = truth
        outcome.asked += 1
      }
      if shown != truth { outcome.wrong += 1 }
    }
    return outcome
  }

  /// What is asked and shown when the last answer says how far it holds.
  func outcomeOfSession(along positions: [Coordinate]) -> Outcome {
    let session = NearbySession<BasicAnnotation>(GatePolicy()) { [index] in index.nearest(3, to: $0)
    }
    var outcome = (asked: 0, wrong: 0)
    for position in positions {
      if session.take(Fix(position)).change != nil { outcome.asked += 1 }
      if ids(session.answer) != ids(three(at: position)) { outcome.wrong += 1 }
    }
    return outcome
  }
}
