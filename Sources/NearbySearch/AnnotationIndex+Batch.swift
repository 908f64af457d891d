import Geodesy
import MapAnnotations
import SpatialIndexing

extension AnnotationIndex {
  /// The annotations nearest to each of many origins, found on all cores.
  ///
  /// The same results as from `nearest` for one origin after another, in a fraction of the time and four bytes per
  /// result.
  ///
  /// - Parameters:
  ///   - limit: How many to find for each origin.
  ///   - kinds: Only annotations of these kinds; nil for all.
  /// - Returns: nil where the tree alone cannot tell: for a limit above sixteen, for kinds that share a category, and
  ///   for an index with lines or areas.
  /// - Complexity: O(*m* *k* log *n*) expected for *m* origins.
  package func nearestOffsets(
    _ limit: Int, toEach origins: [Coordinate], kinds: Set<AnnotationKind>? = nil
  ) async -> NearestOffsets? {
    let filter = filter(kinds: kinds)
    guard limit <= 16, filter.isExact, shapes == nil else { return nil }
    // Rows of a table at the same coordinate are mostly adjacent, so one query answers them all.
    var asked: [Coordinate] = []
    let questions = origins.map { origin in
      if asked.last != origin { asked.append(origin) }
      return UInt32(asked.count - 1)
    }
    return NearestOffsets(
      batch: await positions.findNearest(
        limit, toEach: asked, categories: filter.categories, maximumTasks: nil),
      questions: questions, offsets: offsets)
  }

  /// The offsets in `annotations` of the results of an answer from this index, in its order.
  package func offsets(of answer: NearbyAnswer<Item>) -> [Int] {
    answer.neighbors.map { offset(of: $0.offset) }
  }
}

/// The offsets of the annotations nearest to each of many origins, nearest first.
package struct NearestOffsets: Sendable {
  fileprivate let batch: NearestBatch
  /// By origin, the number of its query in the batch.
  fileprivate let questions: [UInt32]
  /// By place, the offset in `annotations`; nil where they are the same.
  fileprivate let offsets: [UInt32]?

  /// Calls `body` for each of the given origins with the offsets found for it.
  ///
  /// - Parameter origins: The indices of the origins in the array that was searched from.
  package func forEach(
    _ origins: Range<Int>, _ body: (_ origin: Int, _ offsets: ArraySlice<Int>) -> Void
  ) {
    let limit = batch.limit
    var found = [Int](repeating: 0, count: limit)
    batch.withUnsafeBufferPointer { places in
      for origin in origins {
        let start = Int(questions[origin]) * limit
        var count = 0
        while count < limit, places[start + count] != .max {
          let place = Int(places[start + count])
          found[count] = offsets.map { Int($0[place]) } ?? place
          count += 1
        }
        body(origin, found[..<count])
      }
    }
  }
}
