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

  private init(state: OpenState?, nextChange: UInt32, change: UInt32) {
    self.state = state
    self.nextChange = nextChange
    self.change = change
  }

  private static let unknown = HoursOutlook(state: nil, nextChange: 0, change: 0)
}
