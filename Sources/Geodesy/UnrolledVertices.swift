/// The vertices of a line or of a ring, unrolled: each is joined to the one before it the shorter way, also across ±180°.
///
/// They are kept as they were given, 16 bytes each, and beside them the turns of those that cross ±180°.
struct UnrolledVertices: RandomAccessCollection, Sendable {
  private let vertices: [PolygonVertex]
  /// By vertex, the whole turns from its longitude to where it is; none if there are none anywhere.
  private let turns: [Int32]
  /// The number of vertices; more may have been given.
  let endIndex: Int
  var startIndex: Int { 0 }

  /// - Parameter count: How many of the vertices to take, from the first.
  init(_ vertices: [PolygonVertex], count: Int) {
    // An array that has grown may have twice the room that it needs.
    self.vertices =
      vertices.capacity <= count + count / 4 + 4 ? vertices : Array(vertices.prefix(count))
    endIndex = count
    turns = UnrolledVertices.turns(of: vertices, count)
  }

  /// The whole turns that an edge adds: ±1 if it crosses ±180.
  ///
  /// An edge crosses ±180 if the other way is longer than half round the Earth. From −180 to 180 is
  /// one full turn, since nobody writes an edge of no length that way.
  static func turns(from start: PolygonVertex, to end: PolygonVertex) -> Int {
    let jump = end.longitude - start.longitude
    guard abs(jump) > 180, abs(jump) != 360 else { return 0 }
    return jump < 0 ? 1 : -1
  }

  private static func turns(of vertices: [PolygonVertex], _ count: Int) -> [Int32] {
    guard let first = vertices.first else { return [] }
    var all: [Int32] = []
    var turns = 0, previous = first
    for (place, vertex) in vertices.prefix(count).enumerated() {
      let step = self.turns(from: previous, to: vertex)
      previous = vertex
      if step != 0, all.isEmpty { all = Array(repeating: 0, count: place) }
      turns += step
      if turns != 0 || !all.isEmpty { all.append(Int32(clamping: turns)) }
    }
    return all
  }

  subscript(place: Int) -> UnrolledPoint {
    UnrolledPoint(vertices[place], turns: turns.isEmpty ? 0 : Int(turns[place]))
  }

  /// Calls `body` with the vertices as they lie in memory, which counts no reference: threads that count the same one
  /// wait for each other.
  @inline(__always)
  func withUnsafeVertices<Result>(_ body: (UnsafeVertices) -> Result) -> Result {
    vertices.withUnsafeBufferPointer { vertices in
      turns.withUnsafeBufferPointer { turns in
        body(UnsafeVertices(vertices: vertices, turns: turns, count: endIndex))
      }
    }
  }

  /// The vertices while they are read.
  struct UnsafeVertices {
    fileprivate let vertices: UnsafeBufferPointer<PolygonVertex>
    fileprivate let turns: UnsafeBufferPointer<Int32>
    let count: Int

    @inline(__always)
    subscript(place: Int) -> UnrolledPoint {
      UnrolledPoint(vertices[place], turns: turns.isEmpty ? 0 : Int(turns[place]))
    }
  }
}

extension UnrolledVertices: Hashable {
  static func == (a: Self, b: Self) -> Bool { a.count == b.count && a.elementsEqual(b) }

  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for vertex in self { hasher.combine(vertex) }
  }
}
