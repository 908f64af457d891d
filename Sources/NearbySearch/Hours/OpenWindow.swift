import Geodesy
import SpatialIndexing

/// What an index knows of a quarter of an hour: a tree of its own of what may be open then, and when
/// the rest next opens.
///
/// Most hours change on a quarter, so that nearly all of the tree is open throughout, and a search
/// in it meets hardly anything that is not.
struct OpenWindow: Sendable {
  /// The instants it knows.
  let interval: Range<Int64>
  let terms: AdmissionTerms
  /// The placed annotations that count at some instant of the interval, under their own places.
  let candidates: KDTreeIndex
  /// How many of them do not count throughout.
  let uncertainCount: Int
  /// For all others, in seconds after the interval's start, when they will count.
  let openings: PositionMinima

  /// How long the interval is, in seconds.
  static let length: Int64 = 900

  /// The interval that an instant lies in.
  static func interval(around instant: Int64) -> Range<Int64> {
    let past = instant % length
    let start = instant - (past < 0 ? past + length : past)
    return start..<start + length
  }

  /// How many bytes it keeps.
  var byteCount: Int { candidates.byteCount + openings.byteCount }

  /// Makes a window.
  ///
  /// - Parameters:
  ///   - interval: Of `interval(around:)`.
  ///   - numbers: For each place of the index which entry its hours are.
  ///   - coordinate: Of a place.
  ///   - categories: Of a place; nil where the index has none.
  init<Item>(
    _ interval: Range<Int64>, _ terms: AdmissionTerms, of positions: KDTreeIndex,
    entries: [HoursBook<Item>.Entry], numbers: [UInt32], coordinate: (Int) -> Coordinate?,
    categories: ((Int) -> CategorySet)?
  ) {
    self.interval = interval
    self.terms = terms
    // 0: may count; else how long after the start it will.
    var waits: [UInt32] = []
    var isUncertain: [Bool] = []
    waits.reserveCapacity(entries.count)
    for entry in entries {
      let admission = entry.admission(at: interval.lowerBound, terms)
      isUncertain.append(admission.until < interval.upperBound)
      if admission.isAdmitted || admission.until < interval.upperBound {
        waits.append(0)
      } else if admission.until == Admission.never {
        waits.append(PositionMinima.none)
      } else {
        // What opens later than in a hundred years is as good as never.
        waits.append(UInt32(clamping: admission.until - interval.lowerBound))
      }
    }
    var places: [UInt32] = []
    var coordinates: [Coordinate] = []
    var sets: [CategorySet] = []
    var uncertainCount = 0
    for (place, number) in numbers.enumerated() where waits[Int(number)] == 0 {
      guard let coordinate = coordinate(place) else { continue }
      places.append(UInt32(place))
      coordinates.append(coordinate)
      if let categories { sets.append(categories(place)) }
      if isUncertain[Int(number)] { uncertainCount += 1 }
    }
    self.uncertainCount = uncertainCount
    candidates = KDTreeIndex(part: coordinates, positions: places, categories: sets)
    openings = PositionMinima(of: positions) { place in
      let wait = waits[Int(numbers[place])]
      return wait == 0 ? PositionMinima.none : wait
    }
  }
}
