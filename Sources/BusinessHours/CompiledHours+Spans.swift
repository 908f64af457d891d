// Compiles the times of rules into table rows.

extension CompiledHours {
  mutating func add(_ time: TimeSpan) {
    var span = Span()
    func take(_ point: TimePoint) -> (Int32, SunEvent?) {
      switch point {
      case .clock(let minute): return (Int32(minute), nil)
      case .sun(let event, let offset):
        uses.insert(.sun)
        return (Int32(offset), event)
      }
    }
    (span.start, span.startEvent) = take(time.start)
    let end: TimePoint
    switch time.end {
    case .time(let point): end = point
    case .open:
      span.ending = .open
      end = time.start
    case .openAfter(let point):
      span.ending = .openAfter
      end = point
    case .times(let point, _):
      span.ending = .times
      end = point
    }
    (span.end, span.endEvent) = take(end)
    if span.ending != .open {
      let isEqual = end.nominal == time.start.nominal
      span.wraps =
        end.nominal < time.start.nominal
        || (isEqual && span.startEvent == span.endEvent)
    }
    span.guess = Int32(Self.guessedEnd(after: end.nominal + (span.wraps ? 1440 : 0)))
    spans.append(span)
  }

  /// The latest end assumed for an open-ended span: midnight by day, ten hours later from 17:00,
  /// eight hours later from 22:00 and from any time of the next days.
  ///
  /// All of that time is *unknown*, so the guess only bounds it.
  private static func guessedEnd(after minute: Int) -> Int {
    switch minute {
    case ..<1020: 1440
    case ..<1320: minute + 600
    default: minute + 480
    }
  }

  /// Ends each open-ended span where the rule's next span starts.
  mutating func setCuts(from first: Int) {
    for index in spans.indices[first...] where spans[index].ending != .time {
      let end = spans[index].nominalEnd
      var cut: Int?
      for other in spans.indices[first...] where other != index {
        let start = spans[other].nominalStart
        // `13:00-17:00+,17:00+` is one open end written as two spans.
        let isNext = start > end || start == end && spans[other].ending == .time
        if isNext, cut.map({ start < spans[$0].nominalStart }) ?? true { cut = other }
      }
      if let cut { spans[index].cut = Int32(cut) }
    }
  }
}

extension CompiledHours.Span {
  private func nominal(_ event: SunEvent?, _ minutes: Int32) -> Int {
    event.map { TimePoint.sun($0, offset: Int(minutes)).nominal } ?? Int(minutes)
  }
  fileprivate var nominalStart: Int { nominal(startEvent, start) }
  fileprivate var nominalEnd: Int { nominal(endEvent, end) + (wraps ? 1440 : 0) }

  /// How many days after its own day the span may end.
  var spill: Int {
    let last = ending == .open || ending == .openAfter ? Int(guess) : nominalEnd
    // Sunset may be hours after its nominal time.
    let sure = startEvent == nil && endEvent == nil ? last : last + 720
    return min(2, max(0, (sure - 1) / 1440))
  }
}
