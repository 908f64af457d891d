/// Weighs the vertices of a line once, so that every zoom simplifies it with one comparison for each vertex.
///
/// A line is replaced by the segment between its ends. The vertex farthest from the segment gets the squared distance
/// as its weight and splits the line in two. Each part is treated in the same way, until no vertex is farther than a
/// limit. A zoom then keeps the vertices whose weight exceeds the square of its tolerance.
///
/// At the limit, this is exactly the result of the algorithm, and no vertex is farther from the line. Above it, one
/// half of a line may have a vertex with a larger weight than the vertex that split the line: the first is kept and the
/// other is not, so a vertex may lie slightly beyond the tolerance.
///
/// Source: D. H. Douglas and T. K. Peucker, "Algorithms for the reduction of the number of points required to represent
/// a digitized line or its caricature", Cartographica 10(2), 1973, doi:10.3138/FM57-6770-U75U-7727. Stored weights: V.
/// Agafonkin, geojson-vt, 2015.
enum LineSimplification {
  /// Sets the weight of each vertex: infinity for ends, 0 for vertices within the limit.
  ///
  /// A ring must repeat its first vertex at the end.
  ///
  /// - Complexity: O(*n* log *n*) for typical lines, O(*n*²) in the worst case, such as combs that
  ///   shrink evenly; without recursion.
  static func weigh(_ line: inout [ShapeVertex], limit: Double) {
    guard line.count > 1 else { return }
    let squaredLimit = limit * limit
    for index in line.indices { line[index].weight = 0 }
    line[0].weight = .infinity
    line[line.count - 1].weight = .infinity
    line.withUnsafeMutableBufferPointer { line in
      var waiting = [(first: 0, last: line.count - 1)]
      while let (first, last) = waiting.popLast() {
        guard
          let (farthest, squaredDistance) = farthestVertex(UnsafeBufferPointer(line), first, last),
          squaredDistance > squaredLimit
        else { continue }
        line[farthest].weight = squaredDistance
        waiting.append((first, farthest))
        waiting.append((farthest, last))
      }
    }
  }

  /// The vertex between two that is farthest from the segment between them.
  ///
  /// Of equally far ones, the one nearest to the middle of the line, so that a vertex repeated a thousand times does
  /// not take a thousand steps.
  private static func farthestVertex(
    _ line: UnsafeBufferPointer<ShapeVertex>, _ first: Int, _ last: Int
  ) -> (index: Int, squaredDistance: Double)? {
    guard last - first > 1 else { return nil }
    let (a, b) = (line[first], line[last])
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let squaredLength = dx * dx + dy * dy
    let middle = first + (last - first) / 2
    var best = 0.0
    var bestIndex = -1
    for index in first + 1..<last {
      let vertex = line[index]
      var (ex, ey) = (vertex.x - a.x, vertex.y - a.y)
      if squaredLength > 0 {
        let along = min(max((ex * dx + ey * dy) / squaredLength, 0), 1)
        ex -= along * dx
        ey -= along * dy
      }
      let squared = ex * ex + ey * ey
      if squared > best
        || squared == best && bestIndex >= 0 && abs(index - middle) < abs(bestIndex - middle)
      {
        best = squared
        bestIndex = index
      }
    }
    return bestIndex < 0 ? nil : (bestIndex, best)
  }
}
