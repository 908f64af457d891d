import Geodesy
import SpatialIndexing

/// Who is near whom, among objects that all move: people near people.
///
///     var pairs = RoamingPairs(within: .meters(500), until: .meters(600))
///     for batch in batches {
///       for event in pairs.apply(batch, to: friends, now: now) { print(event) }
///     }
///
/// A pair begins when its two are at most `within` apart, and ends when they are more than `until`
/// apart, or one of them is removed or expires; in between nothing is reported. After each batch the
/// pairs are exactly those: what a comparison of everybody with everybody would find, by the geodesic
/// on WGS 84. Each pair is reported once, its smaller id first, and only those who moved are looked
/// at.
///
/// - Complexity: of a batch, O(log *n* + *m*) for each object of it with *m* others in reach; 100 to 200
///   bytes a pair.
public struct RoamingPairs: Sendable {
  /// How near two objects must come, this distance included.
  public let within: Distance
  /// How far they may go apart and still be a pair, itself included.
  public let until: Distance

  /// Whom each is paired with; each pair stands at both.
  private var partners: [UInt64: Set<UInt64>] = [:]
  /// Those who are in pairs, as they were last seen.
  private var members: [UInt64: LiveObject] = [:]
  /// No member expires sooner.
  private var nextExpiry = Double.infinity

  /// Begins with no pair.
  ///
  /// - Precondition: `until >= within`.
  public init(within: Distance, until: Distance? = nil) {
    let until = until ?? within
    precondition(until >= within, "pairs that begin at \(within) cannot end at \(until)")
    self.within = within
    self.until = until
  }

  /// Two ids, the smaller first.
  public struct Pair: Hashable, Comparable, Sendable {
    /// The smaller id.
    public let first: UInt64
    /// The greater id.
    public let second: UInt64

    /// Puts two different ids in order.
    public init(_ one: UInt64, _ other: UInt64) {
      first = min(one, other)
      second = max(one, other)
    }

    /// By the first id, then the second.
    public static func < (left: Pair, right: Pair) -> Bool {
      (left.first, left.second) < (right.first, right.second)
    }
  }

  /// What happened to a pair.
  public enum Event: Hashable, Sendable {
    /// They came near: so far apart, at most `within`.
    case met(Pair, Distance)
    /// They went apart: so far, more than `until`.
    case parted(Pair, Distance)
    /// One or both are not there any more.
    case lost(Pair)

    /// Whom it happened to.
    public var pair: Pair {
      switch self {
      case .met(let pair, _), .parted(let pair, _), .lost(let pair): pair
      }
    }
  }

  /// The pairs, in order.
  public var pairs: [Pair] {
    partners.flatMap { one, others in
      others.filter { one < $0 }.map { Pair(one, $0) }
    }.sorted()
  }

  /// The objects that one is near, by id.
  public func partners(of id: UInt64) -> [UInt64] { partners[id, default: []].sorted() }

  /// Applies a batch of changes to an index, and says what that does to pairs.
  ///
  /// Every change of the index must go through this method, or through `update` with its batch.
  ///
  /// - Returns: First the pairs that ended, then those that began, each by their ids.
  public mutating func apply(
    _ changes: some Collection<LiveChange>, to index: LiveIndex, now: Double = -.infinity
  ) -> [Event] {
    update(to: index.apply(changes), after: changes, now: now)
  }

  /// Says what a batch that has been applied does to pairs.
  ///
  /// - Parameters:
  ///   - snapshot: The index after the batch, as `LiveIndex.apply` returns it.
  ///   - changes: The batch.
  ///   - now: What expires at this instant or before is not there any more.
  public mutating func update(
    to snapshot: LiveSnapshot, after changes: some Collection<LiveChange>, now: Double = -.infinity
  ) -> [Event] {
    // Of several changes of one object the last counts.
    var moved: [UInt64: LiveObject?] = [:]
    for change in changes {
      switch change {
      case .put(let object): moved[object.id] = object.expiry > now ? object : .some(nil)
      case .remove(let id): moved[id] = .some(nil)
      case .replace(let id, let object):
        moved[id] = .some(nil)
        moved[object.id] = object.expiry > now ? object : .some(nil)
      }
    }
    if nextExpiry <= now {
      for (id, member) in members where member.expiry <= now && moved[id] == nil {
        moved[id] = .some(nil)
      }
    }
    var ended: [Event] = []
    for (id, object) in moved {
      guard let object else {
        for other in partners[id, default: []] {
          // Where both are gone, the pair is lost once.
          if other < id, case .some(.none) = moved[other] { continue }
          ended.append(.lost(Pair(id, other)))
        }
        members[id] = nil
        continue
      }
      if members[id] != nil { members[id] = object }
    }
    for event in ended { separate(event.pair) }
    for (id, object) in moved {
      guard let object else { continue }
      for other in partners[id, default: []] {
        guard let partner = members[other] else { continue }
        let distance = object.coordinate.distance(to: partner.coordinate)
        // Where both moved, the pair is looked at once.
        if distance > until, moved[other] == nil || id < other {
          ended.append(.parted(Pair(id, other), distance))
        }
      }
    }
    for event in ended { separate(event.pair) }
    var begun: [Event] = []
    for (id, object) in moved {
      guard let object else { continue }
      for neighbor in snapshot.neighbors(within: within, of: object.coordinate, now: now) {
        let other = neighbor.object
        guard other.id != id, partners[id]?.contains(other.id) != true else { continue }
        partners[id, default: []].insert(other.id)
        partners[other.id, default: []].insert(id)
        members[id] = object
        members[other.id] = other
        begun.append(.met(Pair(id, other.id), neighbor.distance))
      }
    }
    nextExpiry = members.values.reduce(.infinity) { min($0, $1.expiry) }
    return ended.sorted { $0.pair < $1.pair } + begun.sorted { $0.pair < $1.pair }
  }

  private mutating func separate(_ pair: Pair) {
    for (one, other) in [(pair.first, pair.second), (pair.second, pair.first)] {
      partners[one]?.remove(other)
      if partners[one]?.isEmpty == true {
        partners[one] = nil
        members[one] = nil
      }
    }
  }
}
