import GeoJSONCoding
import MapProjections
import SystemCalls
import WebMaps

/// Tiles as files `z/x/y.mvt` of a folder, with `metadata.json` beside them.
///
/// They are not packed: a server of files does not say that they are, and a browser would not
/// understand them. The folder is filled under another name, which it changes in `finish(_:)`; until
/// then what was there stays. A folder that holds anything but tiles made here is not replaced.
package final class TileFolder: TileOutput {
  private let target: FileName
  private let temporary: FileName
  private var isFinished = false
  package private(set) var byteCount = 0
  /// The folder that the last tile went into.
  private var made: (zoom: Int, x: Int)?

  /// - Parameters:
  ///   - name: May end in a slash.
  ///   - style: The file of the tiles' style, which is replaced after them and may be in the folder.
  package init(_ name: FileName, style: FileName? = nil) throws(ReportedError) {
    var bytes = name.bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    let target = Files.absolute(FileName(bytes: bytes))
    try TileFolder.check(target, style: style.map(Files.absolute))
    try Files.makeFolder(of: target)
    self.target = target
    temporary = target.temporaryName
    PartialFiles.beginFolder()
    guard temporary.withPath({ mkdir($0, 0o777) }) == 0 else {
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
    guard !name.contains(UInt8(ascii: "/")), name != Array("metadata.json".utf8), !isZoom(name)
    else {
      throw ReportedError(
        "same-output",
        "--style names \(style.text), where -o puts the tiles; name a file beside them, such as style.json",
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
    let names = Files.names(inFolder: target)
    guard !names.isEmpty else { return }
    let isOurs =
      Files.begins(target.appending("metadata.json"), with: TilePyramid.tileJSONOpening.utf8)
      && names.allSatisfy { name in
        name == Array("metadata.json".utf8) || isZoom(name)
          || FileName(bytes: target.bytes + [UInt8(ascii: "/")] + name) == style
      }
    guard isOurs else {
      throw ReportedError(
        "folder-in-use",
        "\(target.text) holds other files, which would be lost; name a new folder",
        fault: .cannotWrite)
    }
  }

  private static func isZoom(_ name: [UInt8]) -> Bool {
    name.count < 3 && name.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  package func append(_ tile: PyramidTile) throws(ReportedError) {
    PartialFiles.endIfAsked(discard)
    let address = tile.address
    let folder = temporary.appending("\(address.zoom)/\(address.x)")
    if made?.zoom != address.zoom || made?.x != address.x {
      try Files.makeFolder(of: folder.appending("tile"))
      made = (address.zoom, address.x)
    }
    try write(tile.bytes, to: folder.appending("\(address.y).mvt"))
  }

  package func finish(_ pyramid: TilePyramid, _ zooms: [PyramidZoom]) throws(ReportedError) {
    PartialFiles.endIfAsked(discard)
    try write(pyramid.tileJSON(zooms), to: temporary.appending("metadata.json"))
    let old = FileName(bytes: temporary.bytes + Array(".old".utf8))
    let replaces = Files.exists(target)
    if replaces { try move(target, to: old) }
    do throws(ReportedError) {
      try move(temporary, to: target)
    } catch {
      // What was there comes back; where that fails, too, it is still beside.
      if replaces { try? move(old, to: target) }
      throw error
    }
    isFinished = true
    if replaces { Files.removeFolder(old) }
    PartialFiles.endFolder()
    PartialFiles.endIfAsked {}
  }

  private func move(_ name: FileName, to other: FileName) throws(ReportedError) {
    guard Files.move(name, to: other) else { throw Files.writeFailure(target) }
  }

  /// Nobody reads there yet, so a file is simply written.
  private func write(_ bytes: [UInt8], to file: FileName) throws(ReportedError) {
    let descriptor = file.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw Files.writeFailure(file) }
    let isWritten = Files.send(bytes, to: descriptor)
    guard close(descriptor) == 0, isWritten else { throw Files.writeFailure(file) }
    byteCount += bytes.count
  }
}
