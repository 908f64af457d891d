import GeoJSONCoding
import Geodesy
import MapProjections
import SystemCalls
import WebMaps

/// Where tiles go, an archive or a folder of files, which appears whole or not at all.
package protocol TileOutput: AnyObject {
  /// Takes the next tile.
  func append(_ tile: PyramidTile) throws(ReportedError)
  /// Takes what came of each zoom, and gives the tiles their name.
  func finish(_ pyramid: TilePyramid, _ zooms: [PyramidZoom]) throws(ReportedError)
  /// The size of what was written, once it is finished; an archive has equal tiles once.
  var byteCount: Int { get }
  /// Leaves nothing of what is not finished.
  func discard()
}

extension TileOutput {
  /// Makes all tiles of a pyramid and writes them; leaves nothing of them if that fails.
  package func write(_ pyramid: TilePyramid, _ progress: ProgressReport?) throws -> [PyramidZoom] {
    defer { progress?.finish() }
    do {
      // The task that writes has both alone, while this thread waits.
      nonisolated(unsafe) let output = self
      nonisolated(unsafe) let progress = progress
      let zooms = try AwaitedWork.result {
        try await pyramid.forEachTile { tile, state in
          try output.append(tile)
          progress?.update(tiles: state.doneTiles, of: state.totalTiles, share: state.share)
        }
      }
      try finish(pyramid, zooms)
      return zooms
    } catch {
      // Not left to `deinit`: the program may end before that.
      discard()
      if let error = error as? TileSizeError { throw ReportedError(error, fault: .badData) }
      throw error
    }
  }
}

/// Tiles as one PMTiles archive.
package final class TileArchive: TileOutput {
  private let file: OutputSink
  private var writer: PMTilesWriter<OutputSink>

  /// - Parameter file: A file, or what is to become one: a header is written last, so that no pipe will
  ///   do.
  package init(_ file: FileName) throws(ReportedError) {
    try OutputTarget.requireFile(file, for: "an archive of tiles", as: "tiles.pmtiles")
    self.file = try OutputSink(file)
    writer = PMTilesWriter(to: self.file)
  }

  package func append(_ tile: PyramidTile) throws(ReportedError) {
    try writer.append(tile.bytes, at: tile.address)
  }

  package func finish(_ pyramid: TilePyramid, _ zooms: [PyramidZoom]) throws(ReportedError) {
    try writer.finish(
      metadata: pyramid.metadata(zooms), bounds: pyramid.bounds ?? .world,
      center: pyramid.suggestedView?.center, zoom: pyramid.suggestedView?.zoom)
    try file.finish()
  }

  package var byteCount: Int { file.byteCount }

  package func discard() { file.discard() }
}

extension OutputSink: PMTilesSink {}

/// An archive of tiles on a disk, of which only what is asked for is read: archives of a country have gigabytes.
package final class OpenedArchive: PMTilesSource {
  private let opened: OpenFile
  package let byteCount: Int

  package init(_ file: FileName) throws(ReportedError) {
    let opened = try Files.openForReading(file)
    guard let status = opened.status else { throw Files.readFailure(file.text) }
    byteCount = Int(status.st_size)
    self.opened = opened
  }

  package func bytes(_ range: Range<Int>) throws(PMTilesError) -> [UInt8] {
    guard let bytes = OpenFile.bytes(range, of: opened.descriptor) else {
      throw .unreadable(systemMessage())
    }
    guard bytes.count == range.count else { throw .cutOff("a tile") }
    return bytes
  }
}

/// Tiles as files `z/x/y.mvt` of a folder, with `metadata.json` beside them.
///
/// They are not packed: a server of files does not say that they are, and a browser would not
/// understand them. They are written to a temporary folder, and get their place in `finish(_:_:)`;
/// until then what was there stays. Tiles in a folder that holds anything but tiles made here are not
/// replaced.
///
/// A new folder is made beside its place and renamed. A folder that exists stays, with its owner and
/// mode: it may be a mount point, the working folder of a shell, or in a folder where we may not
/// write. Then the temporary folder is in it, and what that holds is moved.
package final class TileFolder: TileOutput {
  private static let description = "metadata.json"

  /// The folder as it was given, for errors.
  private let name: FileName
  private let target: FileName
  private let temporary: FileName
  private let address: String?
  private var isFinished = false
  package private(set) var byteCount = 0
  /// The folder that the last tile went into.
  private var made: (zoom: Int, x: Int)?

  /// - Parameters:
  ///   - name: May end in a slash.
  ///   - style: The file of the tiles' style, which is replaced after them and may be in the folder.
  ///   - address: Where a server will have the folder; nil if it is not known.
  package init(
    _ name: FileName, style: FileName? = nil, servedAt address: String? = nil
  ) throws(ReportedError) {
    let target = Files.absolute(name.withoutClosingSlashes)
    try TileFolder.check(target, style: style.map(Files.absolute))
    self.name = name
    self.target = target
    self.address = address
    if Files.exists(target) {
      temporary = TileFolder.temporaryName(in: target)
    } else {
      try Files.makeFolder(of: target)
      temporary = FileName(path: target.path.temporaryName)
    }
    PartialFiles.beginFolder()
    guard temporary.path.withPointer({ mkdir($0, 0o777) }) == 0 else {
      isFinished = true  // There is nothing to discard.
      throw Files.writeFailure(name)
    }
  }

  deinit { discard() }

  package func discard() {
    if !isFinished { Files.removeFolder(temporary) }
    PartialFiles.endFolder()
  }

  /// Whether the style of tiles will be in their folder.
  ///
  /// - Throws: `same-output` where it would replace tiles or what describes them, or is in a folder of theirs.
  package static func holds(_ style: FileName, in folder: FileName) throws(ReportedError) -> Bool {
    guard let name = OutputFiles.path(of: style, inFolder: folder) else { return false }
    guard !name.contains(UInt8(ascii: "/")), name != Array(description.utf8), !isZoom(name)
    else {
      throw ReportedError(
        "same-output",
        "the style \(style.text) would be among the tiles; name a file beside them, such as style.json",
        fault: .usage)
    }
    return true
  }

  /// Refuses to replace what was not made here.
  private static func check(_ target: FileName, style: FileName?) throws(ReportedError) {
    guard Files.exists(target) else { return }
    guard Files.isFolder(target) else {
      throw ReportedError(
        "cannot-write", "\(target.text) is a file; name a folder, or a file ending in .pmtiles",
        fault: .cannotWrite)
    }
    let all = Files.names(inFolder: target)
    let names = all.filter { !isTemporary($0) }
    guard !names.isEmpty else { return }
    // If a run was killed while it moved tiles, their description is in its temporary folder.
    let folders = [target] + all.filter(isTemporary).map { target.appending($0) }
    let isOurs =
      folders.contains {
        Files.begins($0.appending(description), with: TilePyramid.tileJSONOpening.utf8)
      }
      && names.allSatisfy {
        $0 == Array(description.utf8) || isZoom($0) || target.appending($0) == style
      }
    guard isOurs else {
      throw ReportedError(
        "folder-in-use",
        "\(target.text) holds other files than tiles made here; name a new or an empty folder",
        fault: .cannotWrite)
    }
  }

  private static func temporaryName(in folder: FileName) -> FileName {
    FileName(path: folder.appending("tiles").path.temporaryName)
  }

  private static func isTemporary(_ name: [UInt8]) -> Bool {
    name.starts(with: "tiles.".utf8) && name.suffix(8).elementsEqual(".partial".utf8)
  }

  /// The names of the tiles' parts in a folder, the description first.
  private static func parts(of folder: FileName) -> [String] {
    let names = Files.names(inFolder: folder)
    return names.filter { $0 == Array(description.utf8) }.map { _ in description }
      + names.filter(isZoom).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func isZoom(_ name: [UInt8]) -> Bool {
    name.count < 3 && name.allSatisfy(\.isASCIIDigit)
  }

  package func append(_ tile: PyramidTile) throws(ReportedError) {
    PartialFiles.endIfAsked(discard)
    let address = tile.address
    let folder = temporary.appending("\(address.zoom)/\(address.x)")
    if made?.zoom != address.zoom || made?.x != address.x {
      try Files.makeFolder(of: folder.appending("tile"), for: name)
      made = (address.zoom, address.x)
    }
    try write(tile.bytes, to: folder.appending("\(address.y).mvt"))
  }

  package func finish(_ pyramid: TilePyramid, _ zooms: [PyramidZoom]) throws(ReportedError) {
    PartialFiles.endIfAsked(discard)
    try write(
      pyramid.tileJSON(zooms, servedAt: address), to: temporary.appending(TileFolder.description))
    if Files.exists(target) {
      try exchange()
    } else {
      guard Files.move(temporary, to: target) else { throw Files.writeFailure(name) }
      isFinished = true
    }
    PartialFiles.endFolder()
    PartialFiles.endIfAsked {}
  }

  /// Moves the old tiles out of the folder that is there, and the new ones in.
  ///
  /// Tiles without a description are no set, so the old description leaves first and the new one comes
  /// last.
  private func exchange() throws(ReportedError) {
    let old = TileFolder.temporaryName(in: target)
    guard old.path.withPointer({ mkdir($0, 0o777) }) == 0 else { throw Files.writeFailure(name) }
    let leaving = TileFolder.parts(of: target).map {
      (from: target.appending($0), to: old.appending($0))
    }
    let coming = TileFolder.parts(of: temporary).reversed().map {
      (from: temporary.appending($0), to: target.appending($0))
    }
    let moves = leaving + coming
    for (place, move) in moves.enumerated() where !Files.move(move.from, to: move.to) {
      let failure = Files.writeFailure(name)
      for done in moves[..<place].reversed() { _ = Files.move(done.to, to: done.from) }
      // What cannot be moved back stays in it.
      _ = old.path.withPointer { rmdir($0) }
      throw failure
    }
    isFinished = true
    Files.removeFolder(old)
    Files.removeFolder(temporary)
  }

  /// Nobody reads there yet, so a file is simply written.
  private func write(_ bytes: [UInt8], to file: FileName) throws(ReportedError) {
    let descriptor = file.path.withPointer {
      open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else { throw Files.writeFailure(name) }
    let isWritten = Files.send(bytes, to: descriptor)
    guard close(descriptor) == 0, isWritten else { throw Files.writeFailure(name) }
    byteCount += bytes.count
  }
}
