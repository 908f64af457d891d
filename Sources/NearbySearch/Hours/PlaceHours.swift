import Geodesy
import SpatialIndexing

/// The hours of the places of an index, independent of the type of its annotations.
struct PlaceHours: Sendable {
  /// The different hours.
  let entries: [HoursEntry]
  /// By place, the index of its hours in `entries`.
  let numbers: [UInt32]

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
    let number = Int(numbers[place])
    return min(
      table.admission(number, at: instant, in: entries).until,
      table.state(number, at: instant, in: entries).until)
  }
}

/// A query that a window's tree can answer without looking at annotations.
struct WindowRequest {
  let limit: Int
  let origin: Coordinate
  let ring: NearestRing
  let categories: CategorySet
  let second: Int64
}

/// The results found in a window.
struct WindowFinding {
  /// A neighbor that is admitted, and its status.
  struct Row {
    let neighbor: Neighbor
    let status: OpenStatus
  }

  var rows: [Row] = []
  var validRadius: Distance?
  var statistics = SearchStatistics()
  /// The first instant at which one of the rows changes, or another would be among them.
  var change = Admission.never
}

extension OpenWindow {
  /// The largest limits of the small-k search: in as many lanes as ten results take, and at all.
  private static let counts = [12, 16]

  /// Takes the nearest candidates without testing on the way, since nearly all of them match.
  ///
  /// - Parameters:
  ///   - knowledge: Has what is known of hours that must be evaluated.
  ///   - positions: The positions of all places.
  ///   - isKind: Whether a place is of a wanted kind; nil where all are.
  ///   - coordinate: Returns the coordinate of a place.
  /// - Returns: nil where places must be tested one by one.
  func answer(
    _ request: WindowRequest, _ hours: PlaceHours, _ knowledge: HoursKnowledge,
    positions: KDTreeIndex, _ isKind: ((Int) -> Bool)?, coordinate: (Int) -> Coordinate?
  ) -> WindowFinding? {
    guard var finding = nearest(request, hours, knowledge) else { return nil }
    let last = finding.rows.count == request.limit ? finding.rows.last?.neighbor : nil
    finding.change = firstOpening(
      in: positions, around: request.origin, within: request.ring.outer, before: last,
      earlierThan: finding.change, where: isKind, coordinate: coordinate)
    return finding
  }

  private func nearest(
    _ request: WindowRequest, _ hours: PlaceHours, _ knowledge: HoursKnowledge
  ) -> WindowFinding? {
    let limit = request.limit
    guard uncertainShare > 0 else {
      return take(find(limit, request), request, hours, knowledge).finding
    }
    // One more than wanted tells how far the answer reaches. More are fetched at once while that costs nothing, and
    // once it has turned out that some of them do not match.
    for count in Self.counts where limit < count - 1 {
      guard uncertainShare * Double(limit + 1) * 2 < Double(count - 1 - limit) else { continue }
      // The search itself looks for one more.
      var (finding, next) = take(find(count - 1, request), request, hours, knowledge)
      guard let next else { continue }
      finding.validRadius = request.ring.validRadius(
        of: finding.rows.map(\.neighbor), isFull: true, next: next, lastInside: nil)
      return finding
    }
    return nil
  }

  private func find(_ limit: Int, _ request: WindowRequest) -> NearestAnswer {
    candidates.nearest(
      limit, to: request.origin, within: request.ring.outer, categories: request.categories)
  }

  /// Takes the first candidates that are admitted.
  ///
  /// - Returns: The results, and the distance of the next candidate that may match; nil where none was found.
  private func take(
    _ found: NearestAnswer, _ request: WindowRequest, _ hours: PlaceHours,
    _ knowledge: HoursKnowledge
  ) -> (finding: WindowFinding, next: Distance?) {
    var finding = WindowFinding()
    finding.validRadius = found.validRadius
    finding.statistics = found.statistics
    finding.rows.reserveCapacity(min(request.limit, found.neighbors.count))
    // Rarely needed, and then for few hours.
    var table: AdmissionTable?
    defer { if let table { knowledge.giveBack(table) } }
    let start = interval.lowerBound
    var change = UInt32.max
    var next: Distance?
    for neighbor in found.neighbors {
      let isFull = finding.rows.count == request.limit
      let outlook = outlooks[Int(hours.numbers[neighbor.position])]
      if let state = outlook.state {
        if isFull {
          next = neighbor.distance
          break
        }
        change = min(change, outlook.change)
        let end = outlook.nextChange
        finding.rows.append(
          WindowFinding.Row(
            neighbor: neighbor,
            status: OpenStatus(
              instant: Instant(seconds: request.second), state: state,
              nextChange: end == .max ? nil : Instant(seconds: start + Int64(end)))))
        continue
      }
      let known = table ?? knowledge.takeTable(terms)
      table = known
      let admission = hours.admission(of: neighbor.position, at: request.second, known)
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
        finding.change, hours.change(of: neighbor.position, at: request.second, known))
      finding.rows.append(
        WindowFinding.Row(
          neighbor: neighbor,
          status: hours.status(of: neighbor.position, at: request.second, known)))
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
  ///   - isIncluded: Whether a place matches otherwise; nil where all do.
  ///   - coordinate: Returns the coordinate of a place.
  func firstOpening(
    in positions: KDTreeIndex, around origin: Coordinate, within outer: Distance,
    before last: Neighbor?, earlierThan bound: Int64, where isIncluded: ((Int) -> Bool)?,
    coordinate: (Int) -> Coordinate?
  ) -> Int64 {
    let start = interval.lowerBound
    let limit = bound == Admission.never ? PositionMinima.none : UInt32(clamping: bound - start)
    let radius = last?.distance ?? outer
    /// Whether a place comes before the last result, where their distances are so close that only geodesics decide.
    func isWithin(_ place: Int, _ distance: Distance) -> Bool {
      guard distance <= outer else { return false }
      guard let last, let edge = coordinate(last.position) else { return true }
      return (distance, place) < (origin.distance(to: edge), last.position)
    }
    let wait: UInt32
    if let isIncluded {
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
