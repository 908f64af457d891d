/// The runs of elements, sorted by least value, whose order is uncertain.
///
/// In a run, each next least value is no more than the greatest value of some element before it.
///
/// - Parameters:
///   - limit: Runs that begin at this offset or later do not matter.
///   - bounds: The bounds of the value at an offset.
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
