/// The edges of a prepared ring, grouped by bands of latitude, so that a point test reads only the few edges of one
/// band.
///
/// Built once with the ring. Of the 4,573 edges of mainland Russia, a test reads about 12, and only where its
/// `PolygonFields` do not know the answer.
///
/// Source: the slab method of F. P. Preparata and M. I. Shamos, "Computational Geometry", 1985, §2.2, with slabs of
/// equal height whose few edges are not sorted.
struct PolygonBands: Hashable, Sendable {
  private let south: Double
  /// The number of bands in one degree.
  private let density: Double
  /// The number of bands; here, since a test would otherwise wait for the memory that `table` lies in.
  let count: Int
  /// The offset in this table where the edges of each band begin, and the end of the last band; then the edges, band by
  /// band: the indices of the vertices that they end at, ascending in each band.
  ///
  /// One table, since a test waits for each piece of memory that it has to read.
  private let table: [Int32]

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
    var bands = vertices.count / 4
    while true {
      let density = Double(bands) / height
      guard density.isFinite, bands > 1 else { return nil }
      if let table = PolygonBands.sorted(vertices, south, density, bands) {
        self.density = density
        count = bands
        self.table = table
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

  /// Calls `body` with the end vertices of the edges of one band, as ascending indices.
  @inline(__always)
  func withEdges<Result>(
    inBand band: Int, _ body: (Slice<UnsafeBufferPointer<Int32>>) -> Result
  ) -> Result {
    table.withUnsafeBufferPointer { table in
      body(table[Int(table[band])..<Int(table[band + 1])])
    }
  }

  /// The band of a latitude; monotonic despite rounding, so each edge is in the band of every
  /// latitude it spans.
  private static func band(
    _ latitude: Double, _ south: Double, _ density: Double, _ count: Int
  ) -> Int {
    let offset = min(max((latitude - south) * density, 0), Double(count - 1))
    // The last bits of a sum that has no room for a fraction: that takes a third of the time that `Int(_:)` takes.
    return Int(UInt32(truncatingIfNeeded: (offset + 0x1p52).bitPattern))
  }

  /// The table of the edges by band; nil if they would take too many entries.
  private static func sorted(
    _ vertices: UnrolledVertices, _ south: Double, _ density: Double, _ count: Int
  ) -> [Int32]? {
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
            total &+= last &- first &+ 1
            spans.initializeElement(
              at: place,
              to: SIMD2(Int32(truncatingIfNeeded: first), Int32(truncatingIfNeeded: last)))
            next[first] &+= 1
            next[last &+ 1] &-= 1
          }
        }
        guard total <= places * length else { return nil }
        let first = count + 1
        return [Int32](unsafeUninitializedCapacity: first + total) { table, filled in
          var start = Int32(first), edges: Int32 = 0
          for band in 0..<count {
            edges += next[band]
            (table[band], next[band]) = (start, start)
            start += edges
          }
          table[count] = start
          for (place, span) in spans.enumerated() {
            var band = Int(span.x)
            repeat {
              table[Int(next[band])] = Int32(truncatingIfNeeded: place)
              next[band] &+= 1
              band &+= 1
            } while band <= Int(span.y)
          }
          filled = first + total
        }
      }
    }
  }
}
