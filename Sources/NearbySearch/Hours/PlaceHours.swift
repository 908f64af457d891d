import Geodesy
import SpatialIndexing

/// The hours of the places of an index, whatever its annotations are.
struct PlaceHours: Sendable {
  /// The different hours.
  let entries: [HoursEntry]
  /// By place, which of the entries its hours are.
  let numbers: [UInt32]

  @inline(__always)
  func admission(of place: Int, at instant: Int64, _ table: AdmissionTable) -> Admission {
    table.admission(Int(numbers[place]), at: instant, in: entries)
  }

  @inline(__always)
  func status(of place: Int, at instant: Int64, _ table: AdmissionTable) -> OpenStatus {
    table.status(Int(numbers[place]), at: instant, in: entries)
  }

  /// The first instant at which a place that counts is in another state, or does not count.
  @inline(__always)
  func change(of place: Int, at instant: Int64, _ table: AdmissionTable) -> Int64 {
    let number = Int(numbers[place])
    return min(
      table.admission(number, at: instant, in: entries).until,
      table.state(number, at: instant, in: entries).until)
  }
}

/// What was found in a window.
struct WindowFinding {
  let found: NearestAnswer
  /// What is told of each neighbor.
  let statuses: [OpenStatus]
  /// The first instant at which one of them, or one that may count in the window, changes it.
  let change: Int64
}

extension OpenWindow {
  /// How many more than wanted are fetched from a tree in which some may not count, and the most
  /// that the search for a few finds.
  private static var surplus: Int { 4 }
  private static var mostOfAFew: Int { 15 }

  /// Takes the nearest from the candidates without asking on the way: nearly all of them count.
  ///
  /// - Returns: nil where asking is called for.
  func nearest(
    _ limit: Int, to origin: Coordinate, ring: NearestRing, categories: CategorySet,
    at instant: Int64, _ hours: PlaceHours, _ table: AdmissionTable
  ) -> WindowFinding? {
    let found: NearestAnswer
    var change = Admission.never
    if uncertainCount == 0 {
      found = candidates.nearest(limit, to: origin, within: ring.outer, categories: categories)
    } else {
      guard limit + 1 + Self.surplus <= Self.mostOfAFew else { return nil }
      let all = candidates.nearest(
        limit + 1 + Self.surplus, to: origin, within: ring.outer, categories: categories)
      var counted: [Neighbor] = []
      counted.reserveCapacity(limit + 1)
      for neighbor in all.neighbors where counted.count <= limit {
        let admission = hours.admission(of: neighbor.position, at: instant, table)
        if admission.isAdmitted {
          counted.append(neighbor)
        } else if counted.count < limit {
          change = min(change, admission.until)
        }
      }
      // Without one more it is not known how far the answer holds.
      guard counted.count > limit else { return nil }
      let next = counted.removeLast().distance
      found = NearestAnswer(
        neighbors: counted,
        validRadius: ring.validRadius(of: counted, isFull: true, next: next, lastInside: nil),
        statistics: all.statistics)
    }
    var statuses: [OpenStatus] = []
    statuses.reserveCapacity(found.neighbors.count)
    for neighbor in found.neighbors {
      statuses.append(hours.status(of: neighbor.position, at: instant, table))
      change = min(change, hours.change(of: neighbor.position, at: instant, table))
    }
    return WindowFinding(found: found, statuses: statuses, change: change)
  }

  /// The first instant before a bound at which something that certainly does not count in the window,
  /// and lies where results would, does; nil where there is none.
  ///
  /// - Parameters:
  ///   - positions: Of all places.
  ///   - last: The last result, where there may be no more, and where it is.
  ///   - isIncluded: Whether a place counts otherwise; nil where all do.
  func firstOpening(
    in positions: KDTreeIndex, around origin: Coordinate, within outer: Distance,
    before last: (neighbor: Neighbor, coordinate: () -> Coordinate?)?, earlierThan bound: Int64,
    where isIncluded: ((Int) -> Bool)?
  ) -> Int64? {
    let start = interval.lowerBound
    let limit = bound == Admission.never ? PositionMinima.none : UInt32(clamping: bound - start)
    let wait = positions.least(
      of: openings, within: last?.neighbor.distance ?? outer, of: origin, below: limit
    ) { place, distance in
      if let distance {
        // So near to the last result's distance that only geodesics tell.
        guard distance <= outer else { return false }
        if let last, let coordinate = last.coordinate() {
          let edge = origin.distance(to: coordinate)
          guard (distance, place) < (edge, last.neighbor.position) else { return false }
        }
      }
      return isIncluded?(place) ?? true
    }
    return wait == limit ? nil : start + Int64(wait)
  }
}
