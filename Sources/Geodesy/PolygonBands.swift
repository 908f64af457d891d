/// The edges of a ring by bands of latitude, so that a test of a position looks at the few edges of
/// its band: a ring that is prepared.
///
/// Made once with the ring. 4,574 vertices, the mainland of Russia, become some 15 edges a test.
///
/// Source: the slab method of F. P. Preparata and M. I. Shamos, "Computational Geometry", 1985, §2.2,
/// with slabs of one height, in which edges are not sorted: there are few.
struct PolygonBands: Hashable, Sendable {
  private let south: Double
  /// Bands in a degree.
  private let density: Double
  /// Where the edges of each band begin in `edges`, and where the last ones end.
  private let starts: [Int32]
  /// The places of the vertices that edges end at, in their order, band by band.
  private let edges: [Int32]

  /// Rings of fewer vertices are as quickly gone through.
  private static let leastVertices = 24
  /// At most so many places in all bands for each vertex: long edges stand in many bands.
  private static let places = 6

  /// - Parameter latitudes: What the ring spans.
  /// - Returns: nil for a ring that is better gone through, because it is short or flat.
  init?(_ vertices: [UnrolledPoint], _ latitudes: ClosedRange<Double>) {
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

  /// Lends the places of the vertices that the edges end at which may meet a latitude of the ring.
  @inline(__always)
  func withEdges<Result>(
    at latitude: Double, _ body: (Slice<UnsafeBufferPointer<Int32>>) -> Result
  ) -> Result {
    withEdges(inBand: PolygonBands.band(latitude, south, density, count), body)
  }

  /// How many bands there are.
  var count: Int { starts.count - 1 }

  /// Lends the places of the vertices that the edges of a band end at, ascending.
  @inline(__always)
  func withEdges<Result>(
    inBand band: Int, _ body: (Slice<UnsafeBufferPointer<Int32>>) -> Result
  ) -> Result {
    let range = Int(starts[band])..<Int(starts[band + 1])
    return edges.withUnsafeBufferPointer { body($0[range]) }
  }

  /// Never falls as the latitude rises, however it is rounded: an edge that spans a latitude stands
  /// in its band.
  private static func band(
    _ latitude: Double, _ south: Double, _ density: Double, _ count: Int
  ) -> Int {
    min(max(Int((latitude - south) * density), 0), count - 1)
  }

  /// The edges by bands; nil where they would take too many places.
  private static func sorted(
    _ vertices: [UnrolledPoint], _ south: Double, _ density: Double, _ count: Int
  ) -> (starts: [Int32], edges: [Int32])? {
    var starts = [Int32](repeating: 0, count: count + 1)
    // By edge, its least and its greatest band.
    var spans = [(first: Int32, last: Int32)]()
    spans.reserveCapacity(vertices.count)
    var total = 0
    var before = band(vertices[vertices.count - 1].latitude, south, density, count)
    for vertex in vertices {
      let here = band(vertex.latitude, south, density, count)
      let (first, last) = (min(before, here), max(before, here))
      before = here
      total += last - first + 1
      guard total <= places * vertices.count else { return nil }
      spans.append((Int32(first), Int32(last)))
      for band in first...last { starts[band + 1] += 1 }
    }
    for band in 0..<count { starts[band + 1] += starts[band] }
    let edges = [Int32](unsafeUninitializedCapacity: total) { edges, filled in
      var next = starts
      for (place, span) in spans.enumerated() {
        for band in Int(span.first)...Int(span.last) {
          edges[Int(next[band])] = Int32(place)
          next[band] += 1
        }
      }
      filled = total
    }
    return (starts, edges)
  }
}
