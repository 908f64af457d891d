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

  /// Makes tables that lie in a file, in the order of `StoredShapeTables.all`.
  fileprivate init(_ file: inout TableReader, hasAreasAlone: Bool) {
    vertices = file.next()
    groups = file.next()
    starts = file.next()
    owners = file.next()
    tree = BallTree(groups: file.next(), numbers: file.next())
    boxes = file.next()
    areas = BoxTree(members: file.next(), eights: file.next())
    polygons = file.next()
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

/// The tables of a shape index as stored in an index file, read on demand.
///
/// Sixteen numbers of eight bytes (a mark, the layout version, and the number of elements of each table), then the
/// tables as they lie in memory, each aligned to 64. The shapes themselves are not included: most queries need
/// none, and the others read the few they need from the rows.
package struct StoredShapeTables: Sendable {
  let tables: ShapeTables
  /// By shape, its owner's number for it, ascending.
  private let labels: PlainTable<UInt32>

  private static let mark: UInt64 = 0x5345_5041_4853_424e  // NBSHAPES
  /// Increases with every change to the contents of the tables.
  ///
  /// 2: vertices in space are right to 20 nm.
  private static let layout: UInt64 = 2
  private static let headerSize = 128

  /// The number of shapes.
  package var count: Int { labels.count }

  /// The owner's number for a shape.
  package func label(_ shape: Int) -> Int { Int(labels[shape]) }

  /// The tables of an index as bytes.
  ///
  /// - Parameter labels: By shape, its owner's number for it; ascending.
  package static func bytes(of index: ShapeIndex, labels: [UInt32]) -> [UInt8] {
    precondition(labels.count == index.count, "\(labels.count) labels for \(index.count) shapes")
    let hasAreasAlone: UInt64 = index.tables.hasAreasAlone ? 1 : 0
    let all = StoredShapeTables(tables: index.tables, labels: PlainTable(labels)).all
    var bytes: [UInt8] = []
    bytes.reserveCapacity(all.reduce(headerSize) { $0 + type(of: $1).byteCount(of: $1.count) })
    var header = [mark, layout, hasAreasAlone] + all.map { UInt64($0.count) }
    header += repeatElement(0, count: headerSize / 8 - header.count)
    for number in header { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    for table in all { table.append(to: &bytes) }
    return bytes
  }

  private init(tables: ShapeTables, labels: PlainTable<UInt32>) {
    (self.tables, self.labels) = (tables, labels)
  }

  /// The tables in the order in which they are stored.
  private var all: [any ElementTable] {
    [
      tables.vertices, tables.groups, tables.starts, tables.owners, tables.tree.groups,
      tables.tree.numbers, tables.boxes, tables.areas.members, tables.areas.eights,
      tables.polygons, labels,
    ]
  }

  /// Opens the tables in some bytes of a file.
  ///
  /// - Throws: What is impossible. Forged contents may still pass; then answers are wrong, but nothing outside is
  ///   read.
  init(_ memory: TreeMemory, _ checks: PageChecks) throws(IndexFileError) {
    let bytes = memory.bytes
    guard bytes.count >= StoredShapeTables.headerSize else {
      throw .invalid("its shapes have \(bytes.count) bytes")
    }
    checks.check(bytes.baseAddress.unsafelyUnwrapped, count: StoredShapeTables.headerSize)
    if let damage = checks.damage { throw damage }
    let header = (0..<StoredShapeTables.headerSize / 8).map { place in
      UInt64(littleEndian: bytes.load(fromByteOffset: place * 8, as: UInt64.self))
    }
    guard header[0] == StoredShapeTables.mark else {
      throw .invalid("its lines and areas have no index")
    }
    guard header[1] == StoredShapeTables.layout else {
      throw .invalid("another version of the program wrote its lines and areas")
    }
    // No table is longer than the file, so no sum overflows.
    guard header[3...].allSatisfy({ $0 <= UInt64(bytes.count) }) else {
      throw .invalid("its shapes claim more tables than there are bytes")
    }
    var file = TableReader(
      counts: header[3...].map { Int($0) }[...], memory: memory, checks: checks,
      end: StoredShapeTables.headerSize)
    tables = ShapeTables(&file, hasAreasAlone: header[2] == 1)
    labels = file.next()
    let groups = tables.groups.count, shapes = tables.boxes.count
    let parts = tables.areas.members.count
    guard file.end == bytes.count, tables.starts.count == groups + 1, tables.owners.count == groups,
      tables.tree.numbers.count == groups,
      tables.tree.groups.count == BallTree.levelSizes(ofBalls: groups).reduce(0, +),
      tables.areas.eights.count == BoxTree.levels(ofParts: parts).count, labels.count == shapes,
      groups == 0 || tables.vertices.count > 1 && shapes > 0,
      parts == 0 || tables.polygons.count > 0 && shapes > 0
    else { throw .invalid("the tables of its shapes do not go together") }
  }
}

/// Tables that lie one after another in the bytes of a file.
private struct TableReader {
  /// The number of elements of each table that is left.
  var counts: ArraySlice<Int>
  let memory: TreeMemory
  let checks: PageChecks
  /// Where the tables read so far end.
  var end: Int

  mutating func next<Element>() -> PlainTable<Element> {
    let count = counts.removeFirst()
    defer { end += PlainTable<Element>.byteCount(of: count) }
    return PlainTable(count, at: end, of: memory, checks)
  }
}

/// A table of any kind of elements.
private protocol ElementTable {
  var count: Int { get }
  static func byteCount(of count: Int) -> Int
  func append(to bytes: inout [UInt8])
}

extension PlainTable: ElementTable {}

extension IndexBytes {
  /// The tables of a shape index among the attached bytes, which are not copied.
  ///
  /// - Throws: What is wrong with them, or with the range. No input makes this crash.
  /// - Complexity: O(1).
  package func shapeTables(in range: Range<Int>) throws(IndexFileError) -> StoredShapeTables {
    let (memory, checks) = try attachedBytes(in: range)
    return try StoredShapeTables(memory, checks)
  }
}
