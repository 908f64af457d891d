/// The edges of a prepared ring, grouped by bands of latitude, so that a point test reads only the few edges of one
/// band.
///
/// Built once with the ring. For the 4,574 vertices of mainland Russia, a test reads about 15 edges.
///
/// Source: the slab method of F. P. Preparata and M. I. Shamos, "Computational Geometry", 1985, §2.2, with slabs of
/// equal height whose few edges are not sorted.
struct PolygonBands: Hashable, Sendable {
  private let south: Double
  /// The number of bands in one degree.
  private let density: Double
  /// The offset in `edges` where each band begins, and the end of the last band.
  private let starts: [Int32]
  /// The indices of the vertices that edges end at, band by band and ascending in each band.
  private let edges: [Int32]

  /// For rings with fewer vertices, a scan of all edges is as fast.
  private static let leastVertices = 24
  /// The maximum of entries in all bands for each vertex: a long edge is entered in many bands.
  private static let places = 6

  /// - Parameter latitudes: The latitudes that the ring spans.
  /// - Returns: nil for a short or flat ring, where a scan of all edges is faster.
  init?(_ vertices: UnrolledVertices, _ latitudes: ClosedRange<Double>) {
    let height = latitudes.upperBound - latitudes.lowerBound
    guard vertices.count >= PolygonBands.leastVertices, vertices.count < 1 << 28, height > 0 else {
      return nil
    }
    south = latitudes.lowerBound
    var bands = vertices.count / 2
    while true {
      let density = Double(bands) / height
      guard density.isFinite, bands > 1 else { return nil }
      if let (starts, edges) = PolygonBands.sorted(vertices, south, density, bands) {
        self.density = density
        self.starts = starts
        self.edges = edges
        return
      }
      bands /= 2
    }
  }

  /// Calls `body` with the end vertices of the edges that may meet a latitude of the ring, as indices.
  @inline(__always)
  func withEdges<Result>(
    at latitude: Double, _ body: (Slice<UnsafeBufferPointer<Int32>>) -> Result
  ) -> Result {
    withEdges(inBand: PolygonBands.band(latitude, south, density, count), body)
  }

  /// The number of bands.
  var count: Int { starts.count - 1 }

  /// Calls `body` with the end vertices of the edges of one band, as ascending indices.
  @inline(__always)
  func withEdges<Result>(
    inBand band: Int, _ body: (Slice<UnsafeBufferPointer<Int32>>) -> Result
  ) -> Result {
    let range = Int(starts[band])..<Int(starts[band + 1])
    return edges.withUnsafeBufferPointer { body($0[range]) }
  }

  /// The band of a latitude; monotonic despite rounding, so each edge is in the band of every
  /// latitude it spans.
  private static func band(
    _ latitude: Double, _ south: Double, _ density: Double, _ count: Int
  ) -> Int {
    min(max(Int((latitude - south) * density), 0), count - 1)
  }

  /// The edges grouped by band; nil if they would take too many entries.
  private static func sorted(
    _ vertices: UnrolledVertices, _ south: Double, _ density: Double, _ count: Int
  ) -> (starts: [Int32], edges: [Int32])? {
    let length = vertices.count
    // The first and last band of each edge.
    return withUnsafeTemporaryAllocation(of: SIMD2<Int32>.self, capacity: length) { spans in
      // By band how many more edges begin in it than end before it; then where its next edge is to be put.
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { next in
        next.initialize(repeating: 0)
        var total = 0
        vertices.withUnsafeVertices { vertices in
          var before = band(vertices[length - 1].latitude, south, density, count)
          for place in 0..<length {
            let here = band(vertices[place].latitude, south, density, count)
            let (first, last) = (min(before, here), max(before, here))
            before = here
            total += last - first + 1
            spans.initializeElement(at: place, to: SIMD2(Int32(first), Int32(last)))
            next[first] += 1
            next[last + 1] -= 1
          }
        }
        guard total <= places * length else { return nil }
        let starts = [Int32](unsafeUninitializedCapacity: count + 1) { starts, filled in
          var start: Int32 = 0, edges: Int32 = 0
          for band in 0..<count {
            edges += next[band]
            (starts[band], next[band]) = (start, start)
            start += edges
          }
          starts[count] = start
          filled = count + 1
        }
        let edges = [Int32](unsafeUninitializedCapacity: total) { edges, filled in
          for (place, span) in spans.enumerated() {
            for band in Int(span.x)...Int(span.y) {
              edges[Int(next[band])] = Int32(place)
              next[band] += 1
            }
          }
          filled = total
        }
        return (starts, edges)
      }
    }
  }
}
