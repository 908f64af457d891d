import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations

/// Watches annotations that clients move, and reports who enters, leaves, crosses and stays in which fence.
public final class ServedFences: Sendable {
  let index: FenceIndex
  private let policy: FencePolicy
  /// The event streams by fence id; several fences of one id share one.
  let feeds: [String: LiveFeed]
  /// The monitors of annotations, by collection and id.
  private let monitors = SharedValue<[String: [AnnotationID: FenceMonitor]]>([:])

  /// Fences with event streams.
  public init(_ fences: [Fence], _ policy: FencePolicy = FencePolicy(), began: Instant) {
    index = FenceIndex(fences)
    self.policy = policy
    var feeds: [String: LiveFeed] = [:]
    for fence in fences where feeds[fence.id.text] == nil {
      feeds[fence.id.text] = LiveFeed(firstNumber: Int(began.milliseconds) * 1_000)
    }
    self.feeds = feeds
  }

  /// Takes the current positions of annotations.
  ///
  /// - Parameter moved: Each with its position before, nil where it had none, and now.
  func take(
    _ moved: [(id: AnnotationID, before: Coordinate?, position: Coordinate?)],
    in collection: String, at now: Instant
  ) {
    let time = Double(now.milliseconds) / 1000
    monitors.withLock { monitors in
      for (id, before, position) in moved {
        let mover = Mover(id: id, collection: collection, time: time)
        var monitor = monitors[collection]?[id] ?? begun(at: before)
        guard let position else {
          monitors[collection]?[id] = nil
          for fence in monitor.inside {
            publish(
              .exit, at: fence, monitor.lastPosition, ["it has no position any more"], of: mover)
          }
          continue
        }
        // A clock that was set back must not make fixes late.
        let update = monitor.take(position, time: max(time, monitor.lastTime ?? time))
        monitors[collection, default: [:]][id] = monitor
        publish(update.events, of: mover)
      }
    }
  }

  /// A monitor of what was there before anybody moved it: nobody needs to be told of that.
  private func begun(at position: Coordinate?) -> FenceMonitor {
    var monitor = FenceMonitor(index, policy)
    if let position { monitor.begin(at: position) }
    return monitor
  }

  /// Reports who has stayed long enough; to be called regularly.
  public func advance(to now: Instant) {
    guard policy.dwell != nil else { return }
    let time = Double(now.milliseconds) / 1000
    monitors.withLock { monitors in
      for (collection, watched) in monitors {
        for (id, var monitor) in watched {
          let mover = Mover(id: id, collection: collection, time: time)
          let events = monitor.advance(to: time)
          guard !events.isEmpty else { continue }
          monitors[collection]?[id] = monitor
          publish(events, of: mover)
        }
      }
    }
  }

  /// An annotation that is watched, and when.
  private struct Mover {
    let id: AnnotationID
    let collection: String
    /// In seconds since 1970.
    let time: Double
  }

  private func publish(_ events: [FenceEvent], of mover: Mover) {
    for event in events {
      publish(event.kind, at: event.fence, event.position, event.reasons.map { "\($0)" }, of: mover)
    }
  }

  private func publish(
    _ kind: FenceEvent.Kind, at number: Int, _ position: Coordinate?, _ reasons: [String],
    of mover: Mover
  ) {
    let fence = index.fences[number]
    let members: Properties = [
      "fence": .string(fence.id.text), "name": fence.name.map { .string($0) } ?? .null,
      "collection": .string(mover.collection),
      "id": .string(mover.id.text), "latitude": position.map { .double($0.latitude) } ?? .null,
      "longitude": position.map { .double($0.longitude) } ?? .null,
      "time": .number(plainDecimal(mover.time)),
      "reasons": .array(reasons.map { .string($0) }),
    ]
    feeds[fence.id.text]?.publish(kind.rawValue, nil, PropertyValue.object(members).json)
  }
}
