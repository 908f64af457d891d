#if Store
  import MapProjections

  /// Fills an SQLite R*Tree in bulk, from boxes sorted along a space-filling curve.
  ///
  /// SQLite keeps the tree in three plain tables. Filling them is a tenth of the work of inserting
  /// box by box, and the nodes are fuller and overlap less. `rtreecheck()` finds no errors.
  ///
  /// Source: the comment on the node format in SQLite's `ext/rtree/rtree.c`; Kamel and Faloutsos,
  /// "Hilbert R-tree", VLDB 1994.
  struct RTreePacking {
    /// A box as the tree stores it: 32-bit numbers, rounded outward.
    private typealias Box = GeometryBlob.Bounds<Float>

    private var rows: [Int] = []
    private var boxes: [Box] = []
    private(set) var extent = GeometryBlob.Envelope()

    mutating func append(row: Int, _ envelope: GeometryBlob.Envelope) {
      rows.append(row)
      boxes.append(
        Box(
          minX: RTreePacking.roundedDown(envelope.minX),
          maxX: RTreePacking.roundedUp(envelope.maxX),
          minY: RTreePacking.roundedDown(envelope.minY), maxY: RTreePacking.roundedUp(envelope.maxY)
        ))
      extent.extend(envelope)
    }

    static func roundedDown(_ value: Double) -> Float {
      let single = Float(value)
      return Double(single) > value ? single.nextDown : single
    }

    static func roundedUp(_ value: Double) -> Float {
      let single = Float(value)
      return Double(single) < value ? single.nextUp : single
    }

    /// Writes the tree into the tables of a new, empty R*Tree.
    func write(to name: String, _ connection: Connection) throws(StoreError) {
      guard !rows.isEmpty else { return }
      let nodeTable = quoted(name + "_node")
      guard
        let nodeByteCount = try connection.integer(
          "SELECT length(data) FROM \(nodeTable) WHERE nodeno = 1"), nodeByteCount > 4 + 24
      else {
        throw StoreError(connection.file, .notADatabase("the R-tree \(name) has no root"))
      }
      // Leave room, so that the first insertions split no node.
      let capacity = (nodeByteCount - 4) / 24
      let filling = max(2, capacity * 9 / 10)
      var writer = try NodeWriter(name, byteCount: nodeByteCount, connection)

      let order = sortedPlaces()
      var children = order.map { (key: Int64(rows[Int($0)]), box: boxes[Int($0)]) }
      var height = 0
      var nextNode = 2
      var leafOfPlace = [Int32](repeating: 1, count: rows.count)
      while children.count > capacity {
        let nodeCount = (children.count + filling - 1) / filling
        var parents: [(key: Int64, box: Box)] = []
        parents.reserveCapacity(nodeCount)
        for number in 0..<nodeCount {
          // Equal shares, so that the last node is not nearly empty.
          let share =
            children.count * number / nodeCount..<children.count * (number + 1) / nodeCount
          let node = nextNode + number
          parents.append((Int64(node), writer.node(children[share])))
          try writer.write(node, depth: 0)
          if height == 0 {
            for place in share { leafOfPlace[Int(order[place])] = Int32(node) }
          } else {
            for child in children[share] { try writer.setParent(of: child.key, node) }
          }
        }
        nextNode += nodeCount
        children = parents
        height += 1
      }
      _ = writer.node(children[...])
      try writer.write(1, depth: height)
      if height > 0 {
        for child in children { try writer.setParent(of: child.key, 1) }
      }
      try writer.setLeaves(of: rows, leafOfPlace)
    }

    /// The indices of the boxes in the order of their centers along a Hilbert curve.
    private func sortedPlaces() -> [Int32] {
      let width = max(extent.maxX - extent.minX, .leastNormalMagnitude)
      let height = max(extent.maxY - extent.minY, .leastNormalMagnitude)
      var entries: [CurveEntry] = []
      entries.reserveCapacity(boxes.count)
      for (place, box) in boxes.enumerated() {
        let x = (Double(box.minX + box.maxX) / 2 - extent.minX) / width
        let y = (Double(box.minY + box.maxY) / 2 - extent.minY) / height
        let key = HilbertCurve.key(x: RTreePacking.cell(x), y: RTreePacking.cell(y))
        entries.append(CurveEntry(key: key, number: UInt32(place)))
      }
      entries.sortStably(fromBit: 32)
      return entries.map { Int32($0.number) }
    }

    /// One of 65,536 cells, at the upper end of 32 bits.
    private static func cell(_ part: Double) -> UInt32 {
      UInt32(min(max(part * 65_535, 0), 65_535)) << 16
    }

    /// Writes nodes and their parents.
    private struct NodeWriter {
      private let nodes: Statement
      private let parents: Statement
      private let insertLeaves: String
      private let connection: Connection
      private var bytes: [UInt8]
      private var place = 0

      init(_ name: String, byteCount: Int, _ connection: Connection) throws(StoreError) {
        nodes = try connection.prepare(
          "INSERT OR REPLACE INTO \(quoted(name + "_node"))(nodeno, data) VALUES (?, ?)")
        parents = try connection.prepare(
          "INSERT INTO \(quoted(name + "_parent"))(nodeno, parentnode) VALUES (?, ?)")
        insertLeaves = "INSERT INTO \(quoted(name + "_rowid"))(rowid, nodeno) VALUES "
        self.connection = connection
        bytes = [UInt8](repeating: 0, count: byteCount)
      }

      /// Lays out a node and returns the box around it.
      mutating func node(_ children: ArraySlice<(key: Int64, box: Box)>) -> Box {
        for place in bytes.indices { bytes[place] = 0 }
        bytes[2] = UInt8(children.count >> 8)
        bytes[3] = UInt8(children.count & 0xFF)
        place = 4
        var around = children[children.startIndex].box
        for (key, box) in children {
          append(UInt64(bitPattern: key))
          for value in [box.minX, box.maxX, box.minY, box.maxY] { append(value.bitPattern) }
          around.extend(box)
        }
        return around
      }

      private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { source in
          for byte in source {
            bytes[place] = byte
            place += 1
          }
        }
      }

      /// Writes the last node laid out; only the root has a depth.
      mutating func write(_ number: Int, depth: Int) throws(StoreError) {
        bytes[0] = UInt8(depth >> 8)
        bytes[1] = UInt8(depth & 0xFF)
        nodes.bind(number, at: 1)
        nodes.bind(.blob(bytes), at: 2)
        try nodes.run()
      }

      func setParent(of node: Int64, _ parent: Int) throws(StoreError) {
        parents.bind(Int(node), at: 1)
        parents.bind(parent, at: 2)
        try parents.run()
      }

      /// The number of rows in one statement: starting and ending a statement costs three times as
      /// much as adding a row.
      private static let leavesAtOnce = 100

      func setLeaves(of rows: [Int], _ nodes: [Int32]) throws(StoreError) {
        var first = 0
        for count in [NodeWriter.leavesAtOnce, 1] {
          let statement = try connection.prepare(
            insertLeaves + Array(repeating: "(?, ?)", count: count).joined(separator: ", "))
          while first + count <= rows.count {
            for place in 0..<count {
              statement.bind(rows[first + place], at: 2 * place + 1)
              statement.bind(Int(nodes[first + place]), at: 2 * place + 2)
            }
            try statement.run()
            first += count
          }
        }
      }
    }
  }
#endif
