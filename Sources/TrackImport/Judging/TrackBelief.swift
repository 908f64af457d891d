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
