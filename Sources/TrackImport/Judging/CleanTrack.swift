import Geodesy
import LocationFiltering

/// Which fixes of a track a gate believes, on their way into a file.
package struct CleanTrack {
  /// One that is written, with no more than is written of it: a long track has millions.
  package struct Point {
    package let coordinate: Coordinate
    /// Whether smoothing has moved it from where the source has it.
    let isMoved: Bool
    package let part: Int
    package let elevation: Double?
    /// Seconds since 1970; nil without a time or without a date.
    package let time: Double?
    package let accuracy: Double?

    package init(_ coordinate: Coordinate, _ point: TrackPoint, isMoved: Bool = false) {
      self.coordinate = coordinate
      self.isMoved = isMoved
      part = point.part
      elevation = point.elevation
      time = point.isDated ? point.fix.time : nil
      accuracy = point.fix.accuracy
    }
  }

  /// Whether only accepted fixes are kept, and not those that were held.
  package let keepsAcceptedOnly: Bool
  private var smoother: TrackSmoother?
  /// What became of each fix in its order: the point that is written, or nil where it is left out.
  private var decisions: [Point?] = []
  /// Held fixes that contradict those before, until it is known which of them are right.
  private var doubted: [Point?] = []

  package init(keepsAcceptedOnly: Bool, smoother: TrackSmoother? = nil) {
    self.keepsAcceptedOnly = keepsAcceptedOnly
    self.smoother = smoother
  }

  package mutating func add(_ judged: JudgedPoint) {
    guard !judged.isRejected, let coordinate = judged.point.fix.coordinate else {
      // One that is bad by itself says nothing of those before it.
      if !judged.isContradicted, !doubted.isEmpty { return doubted.append(nil) }
      leaveOutDoubted()
      decisions.append(nil)
      return
    }
    if judged.isDoubted {
      doubted.append(keepsAcceptedOnly ? nil : Point(coordinate, judged.point))
      return
    }
    if judged.isReanchored { decisions += doubted.take() } else { leaveOutDoubted() }
    let shown = judged.gateVerdict.flatMap { smoother?.smooth(judged.point.fix, $0) } ?? coordinate
    let isKept = judged.isAccepted || !keepsAcceptedOnly
    decisions.append(
      isKept ? Point(shown, judged.point, isMoved: shown != coordinate) : nil)
  }

  /// Leaves out those of which it will not be known any more.
  package mutating func finish() { leaveOutDoubted() }

  private mutating func leaveOutDoubted() {
    decisions += doubted.take().map { _ in nil }
  }

  /// Hands over what is certain, fix by fix, and forgets it.
  package mutating func takeDecisions() -> [Point?] { decisions.take() }
}

extension Array {
  /// Hands over all elements, and forgets them.
  fileprivate mutating func take() -> Self {
    defer { removeAll(keepingCapacity: true) }
    return self
  }
}
