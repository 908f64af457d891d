import Geodesy

/// The precomputed tables of a shape index.
///
/// A class, so that passing an index counts one reference and not one per table.
final class ShapeTables: Sendable {
  /// Latitudes and unrolled longitudes of the vertices, one part of a shape after the other.
  ///
  /// Edges are kept whole: a search halves long ones.
  let vertices: PlainTable<SIMD2<Double>>
  /// The edges in groups of eight consecutive ones; no group spans two shapes.
  let groups: PlainTable<EdgePieceGroup>
  /// By group, its first vertex; then the total number of vertices.
  let starts: PlainTable<Int32>
  /// By group, the shape it belongs to.
  let owners: PlainTable<Int32>
  /// Balls around the groups.
  let tree: BallTree
  /// By shape, its bounding box, which may extend past ±180°.
  let boxes: PlainTable<ShapeBox>
  /// The boxes of all polygons.
  let areas: BoxTree
  /// By polygon, its shape and its offset among the shape's polygons.
  let polygons: PlainTable<SIMD2<Int32>>
  /// Whether there are only areas, so that distance 0 means containing the position.
  let hasAreasAlone: Bool

  init(_ shapes: [GroundShape]) {
    var edges = ShapeEdges(for: shapes)
    for shape in shapes { edges.add(shape) }
    edges.starts.append(Int32(edges.vertices.count))
    vertices = edges.vertices.finished()
    groups = edges.groups.finished()
    starts = edges.starts.finished()
    owners = edges.owners.finished()
    boxes = edges.boxes.finished()
    let count = groups.count
    tree = groups.withElements { groups in
      BallTree(count: count) { number in
        BallTree.Ball(
          number: Int32(number), place: groups[number].place, radius: groups[number].radius)
      }
    }
    areas = BoxTree(shapes.flatMap { $0.area.polygons.map(\.boundingBox) })
    polygons = PlainTable(
      shapes.enumerated().flatMap { number, shape in
        shape.area.polygons.indices.map { SIMD2(Int32(number), Int32($0)) }
      })
    hasAreasAlone = shapes.allSatisfy { $0.points.isEmpty && $0.lines.isEmpty }
  }

  /// Makes tables that lie in a file.
  init(
    vertices: PlainTable<SIMD2<Double>>, groups: PlainTable<EdgePieceGroup>,
    starts: PlainTable<Int32>, owners: PlainTable<Int32>, tree: BallTree,
    boxes: PlainTable<ShapeBox>, areas: BoxTree, polygons: PlainTable<SIMD2<Int32>>,
    hasAreasAlone: Bool
  ) {
    self.vertices = vertices
    self.groups = groups
    self.starts = starts
    self.owners = owners
    self.tree = tree
    self.boxes = boxes
    self.areas = areas
    self.polygons = polygons
    self.hasAreasAlone = hasAreasAlone
  }

  /// A vertex, which a forged file may put anywhere or nowhere.
  private func vertex(_ number: Int) -> SIMD2<Double> {
    let vertex = vertices[number]
    return SIMD2(
      vertex.x >= -90 ? min(vertex.x, 90) : -90, abs(vertex.y) <= 1e6 ? vertex.y : 0)
  }

  /// An edge of a group.
  func edge(_ group: Int32, _ number: Int) -> EdgePiece {
    let first = Int(starts[Int(group)]) + number
    let start = vertex(first), end = vertex(first + 1)
    // A forged file may have an edge that goes around the Earth a million times, which would take forever.
    guard abs(end.y - start.y) <= 360 else {
      return EdgePiece(start: (start.x, start.y), end: (start.x, start.y))
    }
    return EdgePiece(start: (start.x, start.y), end: (end.x, end.y))
  }
}

/// The edges of an index, for others who walk along them.
extension ShapeIndex {
  /// By shape, its groups of eight edges, which are consecutive.
  ///
  /// - Complexity: O(*n*).
  package var groupsByShape: [Range<Int>] {
    var ranges: [Range<Int>] = []
    var group = 0
    for shape in 0..<count {
      let first = group
      while group < tables.groups.count, tables.owners[group] == shape { group += 1 }
      ranges.append(first..<group)
    }
    return ranges
  }

  /// A group of edges.
  @inline(__always)
  package func group(_ number: Int) -> EdgePieceGroup { tables.groups[number] }

  /// The number of edges in a group.
  package func edgeCount(_ group: Int) -> Int { tables.groups[group].count }

  /// An edge of a group, which may be long.
  package func edge(_ group: Int, _ number: Int) -> EdgePiece {
    tables.edge(Int32(group), number)
  }
}

/// The edges of shapes while an index is built.
private struct ShapeEdges {
  var vertices: PlainTable<SIMD2<Double>>.Builder
  var groups: PlainTable<EdgePieceGroup>.Builder
  var starts: PlainTable<Int32>.Builder
  var owners: PlainTable<Int32>.Builder
  var boxes: PlainTable<ShapeBox>.Builder

  init(for shapes: [GroundShape]) {
    var edges = 0, chains = 0
    for shape in shapes {
      let count = shape.edgeCount
      edges += count.edges
      chains += count.chains
    }
    precondition(edges + chains < Int(Int32.max), "\(edges) edges are too many")
    vertices = PlainTable.Builder(capacity: edges + chains)
    let groupCount = edges / EdgePieceGroup.size + chains
    groups = PlainTable.Builder(capacity: groupCount)
    starts = PlainTable.Builder(capacity: groupCount + 1)
    owners = PlainTable.Builder(capacity: groupCount)
    boxes = PlainTable.Builder(capacity: shapes.count)
  }

  mutating func add(_ shape: GroundShape) {
    let owner = Int32(boxes.count)
    var box = ShapeBox()
    shape.forEachChain { chain in
      box.extend(over: chain.box)
      let first = vertices.count
      vertices.append(chain.count, chain.write)
      vertices.withElements(from: first) { chain in
        EightEdges.forEachEight(of: chain) { edges, start in
          groups.append(EdgePieceGroup(edges))
          starts.append(Int32(first + start))
          owners.append(owner)
        }
      }
    }
    boxes.append(box)
  }
}
