import Geodesy
import SpatialIndexing

/// The pairs of nearby objects, among objects that all move: people near people.
///
///     var pairs = RoamingPairs(within: .meters(500), until: .meters(600))
///     for batch in batches {
///       for event in pairs.apply(batch, to: friends, now: now) { print(event) }
///     }
///
/// A pair begins when two objects are at most `within` apart. It ends when they are more than
/// `until` apart, or when one of them is removed or expires; in between nothing is reported. After
/// each batch the pairs are exactly those that a comparison of all objects would find, by the
/// geodesic on WGS 84. Each pair is reported once, smaller id first, and only moved objects are
/// examined.
///
/// - Complexity: for a batch, O(log *n* + *m*) for each of its objects with *m* others in reach;
///   100 to 200 bytes for each pair.
public struct RoamingPairs: Sendable {
  /// The distance at which a pair begins, inclusive.
  public let within: Distance
  /// The distance up to which a pair lasts, inclusive.
  public let until: Distance

  /// The partners of each object; each pair is stored at both.
  private var partners: [UInt64: Set<UInt64>] = [:]
  /// The objects in pairs, in their last known state.
  private var members: [UInt64: LiveObject] = [:]
  /// A lower bound of the members' expiry times.
  private var nextExpiry = Double.infinity

  /// Makes an empty set of pairs.
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
    /// The larger id.
    public let second: UInt64

    /// Makes a pair of two different ids.
    public init(_ one: UInt64, _ other: UInt64) {
      first = min(one, other)
      second = max(one, other)
    }

    /// Orders pairs by first id, then second.
    public static func < (left: Pair, right: Pair) -> Bool {
      (left.first, left.second) < (right.first, right.second)
    }
  }

  /// An event of a pair.
  public enum Event: Hashable, Sendable {
    /// The objects came within `within`; holds their distance.
    case met(Pair, Distance)
    /// The objects moved more than `until` apart; holds their distance.
    case parted(Pair, Distance)
    /// One or both objects no longer exist.
    case lost(Pair)

    /// The pair of the event.
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

  /// The ids of the objects paired with one object, sorted.
  public func partners(of id: UInt64) -> [UInt64] { partners[id, default: []].sorted() }

  /// Applies a batch of changes to an index, and returns the events of pairs.
  ///
  /// Every change of the index must go through this method, or through `update` with its batch.
  ///
  /// - Returns: First the pairs that ended, then those that began, each sorted by ids.
  public mutating func apply(
    _ changes: some Collection<LiveChange>, to index: LiveIndex, now: Double = -.infinity
  ) -> [Event] {
    update(to: index.apply(changes), after: changes, now: now)
  }

  /// Returns the events of pairs after a batch that has been applied.
  ///
  /// - Parameters:
  ///   - snapshot: The index after the batch, as `LiveIndex.apply` returns it.
  ///   - changes: The batch.
  ///   - now: Objects that expire at or before this instant no longer exist; if it is NaN, none does.
  public mutating func update(
    to snapshot: LiveSnapshot, after changes: some Collection<LiveChange>, now: Double = -.infinity
  ) -> [Event] {
    let (moved, gone) = outcome(of: changes, now: now)
    for object in moved.values where members[object.id] != nil { remember(object) }
    let lost = lost(by: gone)
    for event in lost { separate(event.pair) }
    let parted = parted(by: moved)
    for event in parted { separate(event.pair) }
    let met = meet(moved, in: snapshot, now: now)
    if !(nextExpiry > now) { nextExpiry = members.values.reduce(.infinity) { min($0, $1.expiry) } }
    return (lost + parted).sorted { $0.pair < $1.pair } + met.sorted { $0.pair < $1.pair }
  }

  /// The objects that a batch has put somewhere, and those that no longer exist after it; if an object has several
  /// changes, the last counts.
  private func outcome(
    of changes: some Collection<LiveChange>, now: Double
  ) -> (moved: [UInt64: LiveObject], gone: Set<UInt64>) {
    var moved: [UInt64: LiveObject] = [:]
    var gone: Set<UInt64> = []
    func remove(_ id: UInt64) {
      moved[id] = nil
      gone.insert(id)
    }
    func put(_ object: LiveObject) {
      guard object.expiry > now else { return remove(object.id) }
      moved[object.id] = object
      gone.remove(object.id)
    }
    for change in changes {
      switch change {
      case .put(let object): put(object)
      case .remove(let id): remove(id)
      case .replace(let id, let object):
        remove(id)
        put(object)
      }
    }
    if !(nextExpiry > now) {
      for member in members.values where !(member.expiry > now) && moved[member.id] == nil {
        remove(member.id)
      }
    }
    return (moved, gone)
  }

  /// The ends of the pairs of objects that no longer exist; if both are gone, the pair is lost once.
  private func lost(by gone: Set<UInt64>) -> [Event] {
    gone.flatMap { id in
      partners[id, default: []].filter { id < $0 || !gone.contains($0) }
        .map { Event.lost(Pair(id, $0)) }
    }
  }

  /// The ends of the pairs that are too far apart now; if both have moved, the pair is examined once.
  private func parted(by moved: [UInt64: LiveObject]) -> [Event] {
    moved.flatMap { id, object in
      partners[id, default: []].compactMap { other -> Event? in
        guard let partner = members[other], moved[other] == nil || id < other else { return nil }
        let distance = object.coordinate.distance(to: partner.coordinate)
        return distance > until ? .parted(Pair(id, other), distance) : nil
      }
    }
  }

  /// Begins the pairs of moved objects with others that are near enough.
  private mutating func meet(
    _ moved: [UInt64: LiveObject], in snapshot: LiveSnapshot, now: Double
  ) -> [Event] {
    var met: [Event] = []
    for (id, object) in moved {
      for neighbor in snapshot.neighbors(within: within, of: object.coordinate, now: now) {
        let other = neighbor.object
        guard other.id != id, partners[id]?.contains(other.id) != true else { continue }
        partners[id, default: []].insert(other.id)
        partners[other.id, default: []].insert(id)
        remember(object)
        remember(other)
        met.append(.met(Pair(id, other.id), neighbor.distance))
      }
    }
    return met
  }

  private mutating func remember(_ member: LiveObject) {
    members[member.id] = member
    nextExpiry = min(nextExpiry, member.expiry)
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
