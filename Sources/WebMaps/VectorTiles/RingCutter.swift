/// Cuts polygons to a band and separates pieces that were connected only outside it.
///
/// The rings are walked once. Each stretch inside the band is a chain, which enters and leaves over
/// a border. Along each border the entries and exits are sorted and paired, the first with the
/// second, the third with the fourth. Between the two the polygon continues beyond the border, and
/// there the border itself becomes its edge. Following chains and pairs gives closed rings. A valid
/// polygon gives valid ones, one for each piece, and holes that a border opens become part of the
/// outline.
///
/// Whatever the pairs are, the rings wind round every point inside the band as often as before,
/// because another pairing only adds loops within the border, which enclose nothing. So
/// self-crossing polygons stay as invalid as before, but not more so. Where three or more chains
/// touch the border in one point, pieces may stay connected at that point.
///
/// Clipping ring by ring (I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", CACM
/// 17(1), 1974, doi:10.1145/360767.360802) is a little simpler, but it leaves the teeth of a comb
/// connected by edges that run back and forth along the border, which is not a valid polygon.
struct RingCutter<Axis: ShapeAxis> {
  let band: ShapeBand<Axis>

  /// A stretch of a ring inside the band.
  private struct Chain {
    let vertices: Range<Int>
    /// The next chain in the new ring; negative until known.
    var next = -1
  }

  /// A point where a chain crosses a border.
  private struct Passage {
    let place: Double
    let chain: Int
    /// Whether the chain enters the band there.
    let isEntry: Bool
  }

  private var vertices: [ShapeVertex] = []
  private var chains: [Chain] = []
  private var lowerPassages: [Passage] = []
  private var upperPassages: [Passage] = []

  init(band: ShapeBand<Axis>) { self.band = band }

  /// Appends the parts of a polygon inside the band, for a polygon that crosses a border.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *n* vertices and *k* crossings. If the exterior is cut
  ///   into pieces, each hole that stays whole adds O(pieces), with a test of vertices if boxes do
  ///   not decide.
  mutating func cut(_ polygon: ShapePolygon, into kept: inout [ShapePolygon]) {
    vertices.removeAll(keepingCapacity: true)
    chains.removeAll(keepingCapacity: true)
    lowerPassages.removeAll(keepingCapacity: true)
    upperPassages.removeAll(keepingCapacity: true)
    var exteriors: [ShapePath] = []
    var holes: [ShapePath] = []
    if !walk(polygon.exterior) { exteriors.append(polygon.exterior) }
    for hole in polygon.holes {
      switch band.reach(of: hole.box) {
      case .none: break
      case .whole: holes.append(hole)
      case .part: if !walk(hole) { holes.append(hole) }
      }
    }
    RingCutter.pair(&lowerPassages, of: &chains)
    RingCutter.pair(&upperPassages, of: &chains)
    for first in chains.indices where chains[first].next >= 0 {
      let ring = ring(from: first)
      guard ring.count > 2 else { continue }
      let area = ShapePath.area(of: ring)
      if area > 0 {
        exteriors.append(ShapePath(ring, size: polygon.exterior.size))
      } else if area < 0 {
        holes.append(ShapePath(ring, size: -area))
      }
    }
    ShapePolygon.append(exteriors, with: holes, to: &kept)
  }

  /// Collects the chains of a ring; returns false and collects nothing if the ring lies entirely in the band.
  private mutating func walk(_ path: ShapePath) -> Bool {
    let ring = path.vertices
    guard let start = ring.firstIndex(where: { band.side(of: $0) != 0 }) else { return false }
    var last = ring[start]
    var lastSide = band.side(of: last)
    var index = start
    for _ in 0..<ring.count {
      index = index + 1 == ring.count ? 0 : index + 1
      let vertex = ring[index]
      let side = band.side(of: vertex)
      if side != lastSide {
        if lastSide != 0 {
          begin(at: Axis.crossing(last, vertex, at: band.border(on: lastSide)), on: lastSide)
        }
        if side != 0 {
          end(at: Axis.crossing(last, vertex, at: band.border(on: side)), on: side)
        }
      }
      // Within a chain, a vertex on the border is its own crossing.
      if side == 0 { vertices.append(vertex, toPartFrom: chainStart) }
      last = vertex
      lastSide = side
    }
    return true
  }

  /// The index where the vertices of the open chain begin.
  private var chainStart = 0

  private mutating func begin(at crossing: ShapeVertex, on side: Int) {
    chainStart = vertices.count
    vertices.append(crossing)
    add(Passage(place: Axis.along(crossing), chain: chains.count, isEntry: true), on: side)
  }

  private mutating func end(at crossing: ShapeVertex, on side: Int) {
    vertices.append(crossing, toPartFrom: chainStart)
    add(Passage(place: Axis.along(crossing), chain: chains.count, isEntry: false), on: side)
    chains.append(Chain(vertices: chainStart..<vertices.count))
  }

  private mutating func add(_ passage: Passage, on side: Int) {
    if side < 0 { lowerPassages.append(passage) } else { upperPassages.append(passage) }
  }

  // MARK: Pairs

  /// Joins exits over a border to entries, nearest neighbors along the border first.
  ///
  /// There are as many exits as entries, since rings are closed. In a valid polygon they alternate,
  /// so each pair is complete at its second crossing, and at most one crossing waits.
  private static func pair(_ passages: inout [Passage], of chains: inout [Chain]) {
    passages.sort { $0.place < $1.place }
    var waiting: [Passage] = []
    var index = 0
    while index < passages.count {
      // Of crossings at one point, take first those that match a waiting one: then pieces that
      // touch there stay separate.
      if let last = waiting.last, passages[index].isEntry == last.isEntry {
        var other = index + 1
        while other < passages.count, passages[other].place == passages[index].place {
          if passages[other].isEntry != last.isEntry {
            passages.swapAt(index, other)
            break
          }
          other += 1
        }
      }
      let passage = passages[index]
      if let last = waiting.last, last.isEntry != passage.isEntry {
        waiting.removeLast()
        let (out, into) = passage.isEntry ? (last, passage) : (passage, last)
        chains[out.chain].next = into.chain
      } else {
        waiting.append(passage)
      }
      index += 1
    }
  }

  /// Follows and removes chains from one of them until the ring is closed.
  private mutating func ring(from first: Int) -> [ShapeVertex] {
    var ring: [ShapeVertex] = []
    var chain = first
    while chains[chain].next >= 0 {
      for vertex in vertices[chains[chain].vertices] where ring.last?.isAt(vertex) != true {
        ring.append(vertex)
      }
      let next = chains[chain].next
      chains[chain].next = -1
      chain = next
    }
    if ring.count > 1, ring[0].isAt(ring[ring.count - 1]) { ring.removeLast() }
    return ring
  }
}

extension ShapePolygon {
  /// Assigns each hole to the exterior that contains it, and appends the polygons.
  ///
  /// A hole outside all exteriors is dropped: it would remove nothing.
  static func append(
    _ exteriors: [ShapePath], with holes: [ShapePath], to polygons: inout [ShapePolygon]
  ) {
    let first = polygons.count
    for exterior in exteriors { polygons.append(ShapePolygon(exterior: exterior, holes: [])) }
    for hole in holes {
      let owner = exteriors.count == 1 ? 0 : exteriors.firstIndex { $0.encloses(hole) }
      if let owner { polygons[first + owner].holes.append(hole) }
    }
  }
}

extension ShapePath {
  /// Whether a ring that does not cross this one lies inside it.
  func encloses(_ other: ShapePath) -> Bool {
    box.minX <= other.box.minX && other.box.maxX <= box.maxX && box.minY <= other.box.minY
      && other.box.maxY <= box.maxY && vertices.enclose(other.vertices)
  }
}

extension [ShapeVertex] {
  /// Whether a ring that does not cross this one lies inside it.
  func enclose(_ other: [ShapeVertex]) -> Bool {
    // A hole may touch its exterior in some vertices, never in all of them.
    for vertex in other {
      if let isInside = surround(vertex) { return isInside }
    }
    return true
  }

  /// Whether a vertex lies inside the ring, by counting crossings of an eastward ray; nil on the ring.
  private func surround(_ vertex: ShapeVertex) -> Bool? {
    var isInside = false
    var last = self[count - 1]
    for next in self {
      let turn = ShapePath.turn(last, next, vertex)
      if turn == 0, next.isAt(vertex) || ShapePath.isInside(vertex, last, next) { return nil }
      // The eastward ray crosses this edge.
      if (last.y <= vertex.y) != (next.y <= vertex.y), (turn > 0) == (next.y > last.y) {
        isInside.toggle()
      }
      last = next
    }
    return isInside
  }
}
