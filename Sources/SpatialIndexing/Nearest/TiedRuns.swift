/// The runs, in an order by least values, of those that may belong in another order: each next one's
/// least value is no more than the greatest of some before it.
///
/// - Parameters:
///   - limit: Runs that begin here or later do not matter.
///   - bounds: Between which values one lies.
/// - Returns: Runs of two or more.
@inline(__always)
func tiedRuns(
  count: Int, limit: Int = .max, _ bounds: (Int) -> (least: Double, greatest: Double)
) -> [Range<Int>] {
  var runs: [Range<Int>] = []
  var start = 0
  while start < min(limit, count) {
    var end = start + 1
    var greatest = bounds(start).greatest
    while end < count {
      let next = bounds(end)
      guard next.least <= greatest else { break }
      greatest = max(greatest, next.greatest)
      end += 1
    }
    if end - start > 1 { runs.append(start..<end) }
    start = end
  }
  return runs
}
