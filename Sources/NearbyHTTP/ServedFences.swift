import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations

/// Watches annotations that clients move, and reports who enters, leaves, crosses and stays in which fence.
public final class ServedFences: Sendable {
  private struct State {
    var monitors: [String: FenceMonitor] = [:]
  }

  let index: FenceIndex
  private let policy: FencePolicy
  let feeds: [LiveFeed]
  private let state = SharedValue(State())

  /// Fences with event streams.
  public init(_ fences: [Fence], _ policy: FencePolicy = FencePolicy(), began: Instant) {
    index = FenceIndex(fences)
    self.policy = policy
    feeds = fences.map { _ in LiveFeed(firstNumber: Int(began.milliseconds) * 1_000) }
  }

  /// The number of the fence with an id.
  func number(of id: String) -> Int? { index.fences.firstIndex { $0.id.text == id } }

  /// Takes the current positions of annotations.
  func take(
    _ moved: [(id: AnnotationID, position: Coordinate?)], in collection: String, at now: Instant
  ) {
    let time = Double(now.milliseconds) / 1000
    state.withLock { state in
      for (id, position) in moved {
        let key = "\(collection)/\(id.text)"
        guard let position else {
          state.monitors[key] = nil
          continue
        }
        var monitor = state.monitors[key] ?? FenceMonitor(index, policy)
        // A clock that was set back must not make fixes late.
        let update = monitor.take(position, time: max(time, monitor.lastTime ?? time))
        state.monitors[key] = monitor
        for event in update.events { publish(event, of: id, in: collection, now) }
      }
    }
  }

  /// Reports who has stayed long enough; to be called regularly.
  public func advance(to now: Instant) {
    guard policy.dwell != nil else { return }
    state.withLock { state in
      for key in Array(state.monitors.keys) {
        guard var monitor = state.monitors[key] else { continue }
        let events = monitor.advance(to: Double(now.milliseconds) / 1000)
        guard !events.isEmpty else { continue }
        state.monitors[key] = monitor
        let parts = key.split(separator: "/", maxSplits: 1)
        for event in events {
          publish(event, of: AnnotationID(String(parts[1])), in: String(parts[0]), now)
        }
      }
    }
  }

  private func publish(
    _ event: FenceEvent, of id: AnnotationID, in collection: String, _ now: Instant
  ) {
    let fence = index.fences[event.fence]
    var json = JSONWriter()
    json.value(
      .object([
        "fence": .string(fence.id.text), "collection": .string(collection),
        "id": .string(id.text), "latitude": .double(event.position.latitude),
        "longitude": .double(event.position.longitude),
        "time": .number(plainDecimal(Double(now.milliseconds) / 1000)),
        "reasons": .array(event.reasons.map { .string("\($0)") }),
      ]))
    feeds[event.fence].publish(event.kind.rawValue, nil, json.bytes)
  }
}
