import Geodesy

/// One entry of a directory: a run of tiles with the same content, or another directory.
struct PMTilesEntry: Hashable, Sendable {
  /// The number of the first tile.
  var id: UInt64
  /// The number of consecutive tiles with this content; 0 for a directory, which covers tiles from
  /// `id` on.
  var runLength: UInt32
  /// The number of bytes; never 0.
  var length: UInt32
  /// The first byte, relative to the tiles or the leaf directories.
  var offset: UInt64
}

/// Entries in ascending order of their tiles; stored in a file column by column, in varints.
///
/// Source: "PMTiles Version 3 Specification", protomaps, section 4.
struct PMTilesDirectory: Sendable {
  var entries: [PMTilesEntry]

  init(_ entries: [PMTilesEntry]) { self.entries = entries }

  /// The entry for a tile, or the directory to search next; nil if there is no such tile.
  ///
  /// - Complexity: O(log *n*).
  func entry(for id: UInt64) -> PMTilesEntry? {
    let low = entries.partitioningCount { $0.id <= id }
    guard low > 0 else { return nil }
    let entry = entries[low - 1]
    return entry.runLength == 0 || id - entry.id < entry.runLength ? entry : nil
  }

  /// The bytes of some entries, not packed.
  static func encoded(_ entries: ArraySlice<PMTilesEntry>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 5)
    bytes.appendVarint(entries.count)
    var last: UInt64 = 0
    for entry in entries {
      bytes.appendVarint(entry.id - last)
      last = entry.id
    }
    for entry in entries { bytes.appendVarint(entry.runLength) }
    for entry in entries { bytes.appendVarint(entry.length) }
    var end: UInt64?
    for entry in entries {
      // 0 means "directly after the previous entry", the usual case.
      bytes.appendVarint(entry.offset == end ? 0 : entry.offset + 1)
      end = entry.offset + UInt64(entry.length)
    }
    return bytes
  }

  /// Decodes entries.
  ///
  /// - Parameters:
  ///   - bytes: The unpacked bytes.
  ///   - tiles: The number of bytes of all tiles.
  ///   - leaves: The number of bytes of all leaf directories.
  /// - Throws: The rule that the bytes break. Decoded entries ascend, do not overlap, and point
  ///   only into the file.
  init(decoding bytes: [UInt8], tiles: Int, leaves: Int) throws(PMTilesError) {
    var reader = ProtobufReader(bytes)
    func varint() throws(PMTilesError) -> UInt64 {
      do throws(VectorTileError) { return try reader.varint() } catch {
        throw .directory(
          error.reason == .cutOff ? "fewer numbers than it announces" : "a number beyond 64 bits")
      }
    }
    let count = try varint()
    // An entry takes at least four bytes.
    guard count <= UInt64((bytes.count - reader.position) / 4) else {
      throw .directory("fewer numbers than it announces")
    }
    entries = []
    entries.reserveCapacity(Int(count))
    var id: UInt64 = 0
    for index in 0..<count {
      let (sum, overflows) = id.addingReportingOverflow(try varint())
      guard !overflows, index == 0 || sum > id else { throw .directory("entries out of order") }
      id = sum
      entries.append(PMTilesEntry(id: id, runLength: 0, length: 0, offset: 0))
    }
    for index in entries.indices {
      guard let run = UInt32(exactly: try varint()) else { throw .directory("a run beyond 2³²") }
      // The next entry begins after the run.
      let limit = index + 1 < entries.count ? entries[index + 1].id - entries[index].id : .max
      guard run <= limit, entries[index].id <= .max - UInt64(run) else {
        throw .directory("runs that overlap")
      }
      entries[index].runLength = run
    }
    for index in entries.indices {
      guard let length = UInt32(exactly: try varint()), length > 0 else {
        throw .directory("an entry of no bytes, or of 2³²")
      }
      entries[index].length = length
    }
    for index in entries.indices {
      let code = try varint()
      if code > 0 {
        entries[index].offset = code - 1
      } else if index > 0 {
        entries[index].offset = entries[index - 1].offset + UInt64(entries[index - 1].length)
      } else {
        throw .directory("a first entry that follows another")
      }
      let entry = entries[index]
      let end = UInt64(entry.runLength == 0 ? leaves : tiles)
      guard entry.offset <= end, UInt64(entry.length) <= end - entry.offset else {
        throw .directory("an entry that points out of the file")
      }
    }
    guard reader.isAtEnd else { throw .directory("more bytes than entries") }
  }
}
