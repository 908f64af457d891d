import Geofencing

#if CommandLine
  /// How many of what there were along a track.
  struct FenceTally {
    var fixes = 0
    var rejected = 0
    var unreadTimes = UnreadTimes()
    private(set) var late = 0
    private(set) var events: [FenceEvent.Kind: Int] = [:]

    mutating func add(_ update: FenceSession.Update) {
      if update.verdict.isRejected { rejected += 1 }
      if update.lateness != nil { late += 1 }
      for event in update.events { events[event.kind, default: 0] += 1 }
    }

    /// The kinds in the order in which people ask for them.
    static let kinds: [FenceEvent.Kind] = [.enter, .exit, .cross, .dwell]
  }
#endif
