import SystemCalls
import WebMaps

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
