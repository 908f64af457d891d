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
