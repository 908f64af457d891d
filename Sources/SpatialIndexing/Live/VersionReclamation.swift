import Geodesy

/// Determines when resources of older versions of a value can be reused.
///
/// A resource is seen by the versions from the one that made it to the one before the one that retired it. While
/// any of those lives, it waits with the oldest. When that version dies, it passes to the next that sees it, or
/// becomes free. So an old snapshot keeps only what it needs, and releasing one only notes its number.
///
/// Only the writer may call anything but `bury`.
package final class VersionReclamation: @unchecked Sendable {
  /// Versions that nobody holds any more, not yet seen by the writer.
  private let dead = SharedValue<[Int]>([])

  private struct Generation: BitwiseCopyable {
    let version: Int
    /// Resources of older versions whose oldest living viewer is this one.
    var waiting: PlainList<Retired>
  }

  /// A retired resource: only its name, so the resource itself is not touched again.
  private struct Retired: BitwiseCopyable {
    let name: UInt
    /// The last version that sees it.
    let lastSeen: Int
  }

  /// The versions that may still be held, oldest first.
  @exclusivity(unchecked) private var living = PlainList<Generation>()
  private var spareLists: [PlainList<Retired>] = []

  /// The version that is being made.
  @exclusivity(unchecked) package private(set) var version = 0

  package init() {}

  deinit {
    for index in 0..<living.count { living[index].waiting.deallocate() }
    living.deallocate()
    for list in spareLists { list.deallocate() }
  }

  /// Retires a resource of an older version, under any name, until no version sees it.
  ///
  /// - Parameter birth: The version that made it, older than the one being made.
  @inline(__always)
  package func retire(_ name: UInt, birth: Int) {
    // Most resources are older than any version still held.
    let oldest =
      living[0].version >= birth
      ? 0 : (0..<living.count &- 1).partitioningCount { living[$0].version < birth }
    living[oldest].waiting.append(Retired(name: name, lastSeen: version &- 1))
  }

  /// Notes that the version being made is now published, and begins the next.
  package func publish() {
    living.append(Generation(version: version, waiting: spareLists.popLast() ?? PlainList()))
    version += 1
  }

  /// Notes that nobody holds a version any more; callable from any thread.
  package func bury(_ version: Int) {
    dead.withLock { $0.append(version) }
  }

  /// Calls `free` with the name of every resource that no version sees any more.
  @inline(__always)
  package func reap(_ free: (UInt) -> Void) {
    let dead = dead.withLock { dead in
      let taken = dead
      dead.removeAll(keepingCapacity: true)
      return taken
    }
    for version in dead {
      guard
        let index = (0..<living.count).first(where: { living[$0].version == version })
      else { continue }
      var generation = living[index]
      living.remove(at: index)
      let heir = index < living.count ? living[index].version : .max
      while !generation.waiting.isEmpty {
        let retired = generation.waiting.removeLast()
        if retired.lastSeen >= heir {
          living[index].waiting.append(retired)
        } else {
          free(retired.name)
        }
      }
      spareLists.append(generation.waiting)
    }
  }
}
