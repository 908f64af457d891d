import SystemCalls
import WebMaps

/// An archive of tiles on a disk, of which only what is asked for is read: archives of a country have gigabytes.
package final class OpenedArchive: PMTilesSource {
  private let descriptor: Int32
  package let byteCount: Int

  package init(_ file: FileName) throws(ReportedError) {
    descriptor = try Files.openForReading(file)
    guard let status = Files.status(of: descriptor) else { throw Files.readFailure(file.text) }
    byteCount = Int(status.st_size)
  }

  deinit { close(descriptor) }

  package func bytes(_ range: Range<Int>) throws(PMTilesError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < range.count {
      let count = bytes.withUnsafeMutableBytes { room in
        pread(
          descriptor, room.baseAddress! + done, range.count - done, off_t(range.lowerBound + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(systemMessage()) }
      guard count > 0 else { throw .cutOff("a tile") }
      done += count
    }
    return bytes
  }
}
