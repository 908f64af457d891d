import BusinessHours
import Geodesy
import SpatialIndexing

/// What an index knows of a quarter of an hour: a separate tree of what may be open then, and when the rest next opens.
///
/// Most hours change on a quarter of an hour, so nearly all of the tree is open throughout, and a search in it meets
/// hardly anything that is not.
///
/// A class, so that a query retains it by counting one reference.
final class OpenWindow: Sendable {
  /// The instants that the window covers.
  let interval: Range<Int64>
  let terms: AdmissionTerms
  /// The placed annotations that are admitted at some instant of the interval, under their own places.
  let candidates: KDTreeIndex
  /// The share of the candidates that is not admitted throughout.
  let uncertainShare: Double
  /// The status of the different hours while the window lasts.
  let outlooks: [HoursOutlook]
  /// For all others, in seconds after the interval's start, when they will be admitted.
  let openings: PositionMinima

  /// How long the interval is, in seconds.
  static let length: Int64 = 900

  /// The interval that an instant lies in.
  static func interval(around instant: Int64) -> Range<Int64> {
    let past = instant % length
    let start = instant - (past < 0 ? past + length : past)
    return start..<start + length
  }

  /// Makes a window.
  ///
  /// - Parameters:
  ///   - interval: From `interval(around:)`.
  ///   - hours: The hours of the index's places.
  ///   - coordinate: Returns the coordinate of a place.
  ///   - categories: Returns the categories of a place; nil where the index has none.
  init(
    _ interval: Range<Int64>, _ terms: AdmissionTerms, of positions: KDTreeIndex,
    hours: PlaceHours, coordinate: (Int) -> Coordinate?,
    categories: ((Int) -> CategorySet)?
  ) {
    self.interval = interval
    self.terms = terms
    // 0 for a candidate; otherwise how long after the start it will be admitted.
    var waits: [UInt32] = []
    var isUncertain: [Bool] = []
    var outlooks: [HoursOutlook] = []
    waits.reserveCapacity(hours.entries.count)
    outlooks.reserveCapacity(hours.entries.count)
    for entry in hours.entries {
      let admission = entry.admission(at: interval.lowerBound, terms)
      isUncertain.append(admission.until < interval.upperBound)
      outlooks.append(HoursOutlook(of: entry, admission, interval))
      if admission.isAdmitted || admission.until < interval.upperBound {
        waits.append(0)
      } else if admission.until == Admission.never {
        waits.append(PositionMinima.none)
      } else {
        // An opening more than a hundred years away is as good as never.
        waits.append(UInt32(clamping: admission.until - interval.lowerBound))
      }
    }
    var places: [UInt32] = []
    var coordinates: [Coordinate] = []
    var sets: [CategorySet] = []
    var uncertainCount = 0
    for (place, number) in hours.numbers.enumerated() where waits[Int(number)] == 0 {
      guard let coordinate = coordinate(place) else { continue }
      places.append(UInt32(place))
      coordinates.append(coordinate)
      if let categories { sets.append(categories(place)) }
      if isUncertain[Int(number)] { uncertainCount += 1 }
    }
    self.outlooks = outlooks
    uncertainShare = Double(uncertainCount) / Double(max(1, places.count))
    candidates = KDTreeIndex(part: coordinates, positions: places, categories: sets)
    openings = PositionMinima(of: positions) { place in
      let wait = waits[Int(hours.numbers[place])]
      return wait == 0 ? PositionMinima.none : wait
    }
  }
}

/// The status of hours throughout an interval, small enough that all different hours stay in the processor's cache.
struct HoursOutlook: Sendable {
  /// The state, where it is constant, the place is admitted throughout and there is nothing else to report; nil where
  /// the hours must be evaluated.
  let state: OpenState?
  /// In seconds after the interval's start, the next change of state, and the first change of state or admission; the
  /// greatest number for never.
  let nextChange: UInt32, change: UInt32
}

extension HoursOutlook {
  init(of entry: HoursEntry, _ admission: Admission, _ interval: Range<Int64>) {
    func after(_ instant: Int64) -> UInt32? {
      guard instant != Admission.never else { return .max }
      let seconds = instant - interval.lowerBound
      return seconds < Int64(UInt32.max) ? UInt32(seconds) : nil
    }
    guard admission.isAdmitted, admission.until >= interval.upperBound, !entry.hasRemarks else {
      self = .unknown
      return
    }
    let (state, until) = entry.state(at: interval.lowerBound)
    guard until >= interval.upperBound, let next = after(until), let end = after(admission.until)
    else {
      self = .unknown
      return
    }
    self.init(state: state, nextChange: next, change: min(next, end))
  }

  private static let unknown = HoursOutlook(state: nil, nextChange: 0, change: 0)
}

/// The hours of the places of an index, independent of the type of its annotations.
struct PlaceHours: Sendable {
  /// The different hours.
  let entries: [HoursEntry]
  /// By place, the index of its hours in `entries`.
  let numbers: [UInt32]

  /// Prefetches what is read of the places of some neighbors: each lies somewhere else in memory.
  func prefetch(_ neighbors: [Neighbor]) {
    numbers.withUnsafeBufferPointer { numbers in
      let start = UInt(bitPattern: numbers.baseAddress)
      let size = MemoryLayout<UInt32>.size
      for neighbor in neighbors {
        Memory.prefetch(start &+ UInt(neighbor.offset &* size), byteCount: size)
      }
    }
  }

  @inline(__always)
  func admission(of place: Int, at instant: Int64, _ table: AdmissionTable) -> Admission {
    table.admission(Int(numbers[place]), at: instant, in: entries)
  }

  @inline(__always)
  func status(of place: Int, at instant: Int64, _ table: AdmissionTable) -> OpenStatus {
    table.status(Int(numbers[place]), at: instant, in: entries)
  }

  /// The first instant at which an admitted place changes its state or is no longer admitted.
  @inline(__always)
  func change(of place: Int, at instant: Int64, _ table: AdmissionTable) -> Int64 {
    table.change(Int(numbers[place]), at: instant, in: entries)
  }
}

/// One query, in the parts that all ways of answering it share.
struct HoursQuestion {
  let limit: Int
  let origin: Coordinate
  let distances: DistanceRange
  let categories: CategorySet
  let condition: OpenCondition
  /// Whether a place that a tree has selected by the categories matches, apart from its hours; nil where all do.
  let isMatch: ((Int) -> Bool)?
  /// The same for a place that no tree has selected.
  let isMatchAnywhere: ((Int) -> Bool)?
}

/// The results found in a window.
struct WindowFinding {
  /// Those that are admitted, and the status of each.
  var neighbors: [Neighbor] = []
  var statuses: [OpenStatus] = []
  var validRadius: Distance?
  var statistics = SearchStatistics()
  /// The first instant at which one of them changes, or another would be among them.
  var change = Admission.never
}

extension OpenWindow {
  /// The largest limits of the small-k search: in as many lanes as ten results take, and at all.
  private static let counts = [12, 16]

  /// Takes the nearest candidates without testing on the way, since nearly all of them match.
  ///
  /// - Parameters:
  ///   - question: One that asks for nothing but hours and categories.
  ///   - knowledge: Has what is known of hours that must be evaluated.
  ///   - positions: The positions of all places.
  ///   - prefetch: Called with the candidates that were found, before anything else of them is looked at.
  ///   - coordinate: Returns the coordinate of a place.
  /// - Returns: nil where places must be tested one by one.
  func answer(
    _ question: HoursQuestion, _ hours: PlaceHours, _ knowledge: HoursKnowledge,
    positions: KDTreeIndex, prefetch: ([Neighbor]) -> Void, coordinate: (Int) -> Coordinate?
  ) -> WindowFinding? {
    guard var finding = nearest(question, hours, knowledge, prefetch) else { return nil }
    let last = finding.neighbors.count == question.limit ? finding.neighbors.last : nil
    finding.change = firstOpening(
      in: positions, question, before: last, earlierThan: finding.change, coordinate: coordinate)
    return finding
  }

  private func nearest(
    _ question: HoursQuestion, _ hours: PlaceHours, _ knowledge: HoursKnowledge,
    _ prefetch: ([Neighbor]) -> Void
  ) -> WindowFinding? {
    let limit = question.limit
    func find(_ count: Int) -> NearestAnswer {
      let found = candidates.nearest(
        count, to: question.origin, within: question.distances.within,
        categories: question.categories)
      hours.prefetch(found.neighbors)
      prefetch(found.neighbors)
      return found
    }
    guard uncertainShare > 0 else {
      return take(find(limit), question, hours, knowledge).finding
    }
    // One more than wanted tells how far the answer reaches. More are fetched at once while that costs nothing, and
    // once it has turned out that some of them do not match.
    for count in Self.counts where limit < count - 1 {
      guard uncertainShare * Double(limit + 1) * 2 < Double(count - 1 - limit) else { continue }
      // The search itself looks for one more.
      var (finding, next) = take(find(count - 1), question, hours, knowledge)
      guard let next else { continue }
      finding.validRadius = question.distances.validRadius(
        of: finding.neighbors, isFull: true, next: next, lastInside: nil)
      return finding
    }
    return nil
  }

  /// Takes the first candidates that are admitted.
  ///
  /// - Returns: The results, and the distance of the next candidate that may match; nil where none was found.
  private func take(
    _ found: NearestAnswer, _ question: HoursQuestion, _ hours: PlaceHours,
    _ knowledge: HoursKnowledge
  ) -> (finding: WindowFinding, next: Distance?) {
    let (limit, second) = (question.limit, question.condition.second)
    var finding = WindowFinding()
    finding.validRadius = found.validRadius
    finding.statistics = found.statistics
    finding.neighbors.reserveCapacity(min(limit, found.neighbors.count))
    finding.statuses.reserveCapacity(min(limit, found.neighbors.count))
    // Rarely needed, and then for few hours.
    var table: AdmissionTable?
    defer { if let table { knowledge.giveBack(table) } }
    let start = interval.lowerBound
    var change = UInt32.max
    var next: Distance?
    for neighbor in found.neighbors {
      let isFull = finding.neighbors.count == limit
      let outlook = outlooks[Int(hours.numbers[neighbor.offset])]
      if let state = outlook.state {
        if isFull {
          next = neighbor.distance
          break
        }
        change = min(change, outlook.change)
        let end = outlook.nextChange
        finding.neighbors.append(neighbor)
        finding.statuses.append(
          OpenStatus(
            instant: Instant(seconds: second), state: state,
            nextChange: end == .max ? nil : Instant(seconds: start + Int64(end))))
        continue
      }
      let known = table ?? knowledge.takeTable(terms)
      table = known
      let admission = hours.admission(of: neighbor.offset, at: second, known)
      if isFull {
        guard admission.isAdmitted else { continue }
        next = neighbor.distance
        break
      }
      guard admission.isAdmitted else {
        finding.change = min(finding.change, admission.until)
        continue
      }
      finding.change = min(
        finding.change, hours.change(of: neighbor.offset, at: second, known))
      finding.neighbors.append(neighbor)
      finding.statuses.append(hours.status(of: neighbor.offset, at: second, known))
    }
    if change != .max { finding.change = min(finding.change, start + Int64(change)) }
    return (finding, next)
  }

  /// The first instant before a bound at which a place outside the candidates opens where results would lie; the bound
  /// where there is none.
  ///
  /// - Parameters:
  ///   - positions: The positions of all places.
  ///   - last: The last result, where the limit is reached.
  ///   - coordinate: Returns the coordinate of a place.
  func firstOpening(
    in positions: KDTreeIndex, _ question: HoursQuestion, before last: Neighbor?,
    earlierThan bound: Int64, coordinate: (Int) -> Coordinate?
  ) -> Int64 {
    let (origin, outer) = (question.origin, question.distances.within)
    let start = interval.lowerBound
    let limit = bound == Admission.never ? PositionMinima.none : UInt32(clamping: bound - start)
    let radius = last?.distance ?? outer
    /// Whether a place comes before the last result, where their distances are so close that only geodesics decide.
    func isWithin(_ place: Int, _ distance: Distance) -> Bool {
      guard distance <= outer else { return false }
      guard let last, let edge = coordinate(last.offset) else { return true }
      return (distance, place) < (origin.distance(to: edge), last.offset)
    }
    let wait: UInt32
    if let isIncluded = question.isMatchAnywhere {
      wait = positions.least(of: openings, within: radius, of: origin, below: limit) {
        place, distance in
        distance.map { isWithin(place, $0) } ?? true && isIncluded(place)
      }
    } else {
      wait = positions.least(
        of: openings, within: radius, of: origin, below: limit, edge: isWithin)
    }
    return wait == limit ? bound : start + Int64(wait)
  }
}
