import Geodesy
import LocationFiltering

/// A fix of a track, once it is known whether it is believed.
package struct DecidedFix {
  package let judged: JudgedPoint
  package let isBelieved: Bool
}

/// Which fixes of a track are believed: one that is doubted waits until those after it agree with it, or do not.
package struct TrackBelief {
  /// Doubted fixes, and those between them that are bad by themselves and say nothing of them.
  private var waiting: [JudgedPoint] = []

  package init() {}

  /// Takes the next fix, and hands over all those that are decided now, in their order.
  package mutating func decide(_ judged: JudgedPoint) -> [DecidedFix] {
    let isGood = !judged.isRejected && judged.point.fix.coordinate != nil
    let saysNothing = !isGood && !judged.isContradicted && !waiting.isEmpty
    if isGood && judged.isDoubted || saysNothing {
      waiting.append(judged)
      return []
    }
    return takeWaiting(areBelieved: isGood && judged.isReanchored)
      + [DecidedFix(judged: judged, isBelieved: isGood)]
  }

  /// Hands over those of which nothing will be known any more.
  package mutating func finish() -> [DecidedFix] { takeWaiting(areBelieved: false) }

  private mutating func takeWaiting(areBelieved: Bool) -> [DecidedFix] {
    defer { waiting.removeAll(keepingCapacity: true) }
    return waiting.map {
      DecidedFix(judged: $0, isBelieved: areBelieved && $0.isDoubted)
    }
  }
}

/// The fixes of a track that a gate believes, on their way into a file.
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

  package init(keepsAcceptedOnly: Bool, smoother: TrackSmoother? = nil) {
    self.keepsAcceptedOnly = keepsAcceptedOnly
    self.smoother = smoother
  }

  /// The point that is written of the next fix; nil where it is left out.
  package mutating func point(of fix: DecidedFix) -> Point? {
    let judged = fix.judged
    guard fix.isBelieved, let coordinate = judged.point.fix.coordinate else { return nil }
    // What was doubted says nothing of where the device is heading.
    let verdict = judged.isDoubted ? nil : judged.gateVerdict
    let shown = verdict.flatMap { smoother?.smooth(judged.point.fix, $0) } ?? coordinate
    guard judged.isAccepted || !keepsAcceptedOnly else { return nil }
    return Point(shown, judged.point, isMoved: shown != coordinate)
  }
}
