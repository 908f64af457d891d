/// A vertex of a line or ring in the square of the world, and what it is worth to it.
struct ShapeVertex: Hashable, Sendable {
  /// To the east, 0…1 across the world; beyond that in the copies left and right of it.
  var x: Double
  /// To the south, 0…1.
  var y: Double
  /// The square of the distance at which a simplified line would pass by; infinite for ends, and for
  /// what was cut.
  var weight = Double.infinity

  /// Whether it lies where another one does.
  @inline(__always)
  func isAt(_ other: ShapeVertex) -> Bool { x == other.x && y == other.y }
}

/// Weighs the vertices of a line once, so that every zoom simplifies it by one comparison a vertex.
///
/// A line is replaced by the segment between its ends; the vertex that is farthest from the segment
/// gets the square of its distance as its weight and splits the line in two, each of which goes on so,
/// until no vertex is farther than a limit. A zoom then keeps the vertices whose weight exceeds the square
/// of its tolerance.
///
/// At the limit that is what a run of the algorithm gives, and no vertex is farther from the result.
/// Above it, half of a line may have a vertex farther off than that which split the line: it is kept, and
/// the other is not, so that a vertex may come to lie somewhat beyond the tolerance.
///
/// Source: D. H. Douglas and T. K. Peucker, "Algorithms for the reduction of the number of points
/// required to represent a digitized line or its caricature", Cartographica 10(2), 1973,
/// doi:10.3138/FM57-6770-U75U-7727. Weights that are kept: V. Agafonkin, geojson-vt, 2015.
enum LineSimplification {
  /// Gives each vertex its weight; ends get infinity, and vertices within the limit 0.
  ///
  /// A ring is given with its first vertex once more at its end.
  ///
  /// - Complexity: O(*n* log *n*) for lines as they are drawn, O(*n*²) for the worst, such as combs
  ///   that shrink evenly; without recursion.
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

  /// The vertex between two that is farthest from the segment between them; of equal ones that
  /// nearest to the middle of the line, so that a vertex drawn a thousand times does not take a thousand
  /// steps.
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
