import Geofencing
import TrackImport

/// How many of what there were along a track.
package struct FenceTally {
  package var fixes = 0
  package var rejected = 0
  package var unreadTimes = UnreadValues(.time)
  package var unreadAccuracies = UnreadValues(.accuracy)
  package private(set) var late = 0
  package private(set) var events: [FenceEvent.Kind: Int] = [:]

  package mutating func add(_ update: FenceSession.Update) {
    if update.verdict.isRejected { rejected += 1 }
    if update.lateness != nil { late += 1 }
    for event in update.events { events[event.kind, default: 0] += 1 }
  }

  /// The kinds in the order in which people ask for them.
  package static let kinds: [FenceEvent.Kind] = [.enter, .exit, .cross, .dwell]
}
