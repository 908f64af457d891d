import Geodesy
import LocationFiltering
import TrackImport

/// The fixes of a track that a gate believes, on their way into a file.
struct CleanTrack {
  /// One that is written, with no more than is written of it: a long track has millions.
  struct Point {
    let coordinate: Coordinate
    let part: Int
    let elevation: Double?
    /// Seconds since 1970; nil without a time or without a date.
    let time: Double?
    let accuracy: Double?

    init(_ coordinate: Coordinate, _ point: TrackPoint) {
      self.coordinate = coordinate
      part = point.part
      elevation = point.elevation
      time = point.isDated ? point.fix.time : nil
      accuracy = point.fix.accuracy
    }
  }

  /// Whether only accepted fixes are kept, and not those that were held.
  let keepsAcceptedOnly: Bool
  private var smoother: TrackSmoother?
  private(set) var points: [Point] = []
  /// Held fixes that contradict those before, until it is known which of them are right.
  private var doubted: [Point] = []

  init(keepsAcceptedOnly: Bool, smoother: TrackSmoother? = nil) {
    self.keepsAcceptedOnly = keepsAcceptedOnly
    self.smoother = smoother
  }

  mutating func add(_ judged: JudgedPoint) {
    guard !judged.isRejected, let coordinate = judged.point.fix.coordinate else {
      doubted = []
      return
    }
    if judged.isDoubted {
      if !keepsAcceptedOnly { doubted.append(Point(coordinate, judged.point)) }
      return
    }
    if judged.isReanchored { points += doubted }
    doubted = []
    let shown = judged.gateVerdict.flatMap { smoother?.smooth(judged.point.fix, $0) }
    if judged.isAccepted || !keepsAcceptedOnly {
      points.append(Point(shown ?? coordinate, judged.point))
    }
  }

  /// Hands over the points that are certain, and forgets them.
  mutating func takePoints() -> [Point] {
    defer { points.removeAll(keepingCapacity: true) }
    return points
  }
}
