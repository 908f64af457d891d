/// A position in a tile, in units of its side: x to the east and y to the south from its northwest
/// corner.
///
/// A layer defines the number of units along the side (its extent, usually 4096). Positions in the
/// tile's buffer are below 0 or beyond the extent.
public struct TilePosition: Sendable, Hashable {
  /// Eastward.
  public var x: Int32
  /// Southward.
  public var y: Int32

  /// Makes a position from any two numbers.
  @inlinable
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// Points, lines or polygons of one feature, in a tile.
public struct TileGeometry: Sendable, Hashable {
  /// The kind of the parts; the numbers are those of the vector tile specification.
  public enum Kind: UInt8, Sendable {
    case point = 1
    case line = 2
    case polygon = 3
  }

  /// The kind of the parts.
  public var kind: Kind
  /// The parts: one with all points; one for each line; or one for each ring, with every exterior
  /// ring followed by its holes, none with its closing point.
  ///
  /// Exterior rings have a positive area by the surveyor's formula in tile positions (clockwise on
  /// a screen), holes a negative one.
  public var parts: [[TilePosition]]

  /// Makes a geometry of the given parts, unchecked.
  public init(kind: Kind, parts: [[TilePosition]]) {
    self.kind = kind
    self.parts = parts
  }

  /// Twice the area of a ring by the surveyor's formula: positive for an exterior ring, negative
  /// for a hole.
  ///
  /// A `Double`, which is exact up to 2⁵³: malicious positions could make an integer overflow.
  public static func doubledArea(of ring: [TilePosition]) -> Double {
    guard var last = ring.last else { return 0 }
    var sum = 0.0
    for position in ring {
      sum += Double(last.x) * Double(position.y) - Double(position.x) * Double(last.y)
      last = position
    }
    return sum
  }
}

/// A geometry as commands of the vector tile specification: MoveTo, LineTo and ClosePath, each with
/// a count, and positions as differences.
///
/// Source: "Mapbox Vector Tile Specification 2.1", section 4.3.
extension TileGeometry {
  enum Command {
    static let moveTo: UInt32 = 1
    static let lineTo: UInt32 = 2
    static let closePath: UInt32 = 7
  }

  // MARK: Writing

  /// Appends the geometry's commands.
  ///
  /// - Precondition: Every part has enough positions for its kind (one, two for a line, three for a
  ///   ring) and fewer than 2²⁹.
  func appendCommands(to commands: inout [UInt32]) {
    var pen = TilePosition(x: 0, y: 0)
    func draw(_ position: TilePosition) {
      commands.append(zigzagged(position.x &- pen.x))
      commands.append(zigzagged(position.y &- pen.y))
      pen = position
    }
    for part in parts {
      precondition(
        part.count >= Int(kind.rawValue) && part.count < 1 << 29,
        "a \(kind) of \(part.count) positions")
      guard kind != .point else {
        commands.append(Command.moveTo | UInt32(part.count) << 3)
        part.forEach(draw)
        continue
      }
      commands.append(Command.moveTo | 1 << 3)
      draw(part[0])
      commands.append(Command.lineTo | UInt32(part.count - 1) << 3)
      part.dropFirst().forEach(draw)
      if kind == .polygon { commands.append(Command.closePath | 1 << 3) }
    }
  }

  // MARK: Reading

  /// Decodes commands.
  ///
  /// A position may lie anywhere. Consecutive equal positions are accepted, because many programs
  /// write them although the specification forbids it; rings may have any winding. Sums beyond 32
  /// bits wrap around.
  ///
  /// - Throws: The rule that the commands break.
  /// - Complexity: O(commands) in time and memory, whatever counts they announce.
  init(
    kind: Kind, commands: [UInt32]
  ) throws(VectorTileError.GeometryFault) {
    self.init(kind: kind, parts: [])
    var next = 0
    var pen = TilePosition(x: 0, y: 0)

    /// The count of the next command, which must be the wanted one.
    func count(of wanted: UInt32) throws(VectorTileError.GeometryFault) -> Int {
      guard next < commands.count else { throw .tooShort }
      let (command, count) = (commands[next] & 7, commands[next] >> 3)
      guard command == wanted else {
        let isKnown = [Command.moveTo, Command.lineTo, Command.closePath].contains(command)
        throw isKnown ? .unexpectedCommand : .unknownCommand
      }
      next += 1
      return Int(count)
    }
    func appendPositions(
      _ count: Int, to part: inout [TilePosition]
    ) throws(VectorTileError.GeometryFault) {
      // Checked before reserving memory: a count may be 2²⁹ − 1 with nothing after it.
      guard count <= (commands.count - next) / 2 else { throw .missingParameters }
      part.reserveCapacity(part.count + count)
      for _ in 0..<count {
        pen.x &+= unzigzagged(commands[next])
        pen.y &+= unzigzagged(commands[next + 1])
        part.append(pen)
        next += 2
      }
    }

    repeat {
      var part: [TilePosition] = []
      let moves = try count(of: Command.moveTo)
      guard kind == .point ? moves > 0 : moves == 1 else { throw .count }
      try appendPositions(moves, to: &part)
      if kind != .point {
        let lines = try count(of: Command.lineTo)
        guard lines > 0 else { throw .count }
        try appendPositions(lines, to: &part)
      }
      if kind == .polygon {
        guard part.count > 2 else { throw .tooShort }
        guard try count(of: Command.closePath) == 1 else { throw .count }
      }
      parts.append(part)
      // Points are one command, and nothing may follow it.
      guard kind != .point || next == commands.count else { throw .unexpectedCommand }
    } while next < commands.count
  }
}
