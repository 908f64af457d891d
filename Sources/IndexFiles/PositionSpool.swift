import Geodesy
import SpatialIndexing
import SystemCalls

/// Positions for an index, in an unnamed file that disappears with this object.
///
/// Only one caller uses it at a time: the builder.
final class PositionSpool: BuildingSpace, @unchecked Sendable {
  /// Two doubles, as in a `Coordinate`.
  private static let positionSize = MemoryLayout<Coordinate>.stride

  private let file: OpenFile
  /// The number of positions appended.
  var count: Int { writtenCount + buffer.count }
  private var writtenCount = 0
  private var buffer: [Coordinate] = []
  private var mappings: [(start: UnsafeMutableRawPointer, byteCount: Int)] = []
  /// The target file, for messages.
  private let path: FilePath

  /// Makes a spool in the folder of a file.
  init(beside path: FilePath) throws(IndexFileFailure) {
    guard let file = OpenFile.unnamed(beside: path) else {
      throw IndexFileFailure(path, attempt: "write")
    }
    self.file = file
    self.path = path
    buffer.reserveCapacity(1 << 16)
  }

  func append(_ coordinate: Coordinate) throws(IndexFileFailure) {
    buffer.append(coordinate)
    if buffer.count == 1 << 16 { try flush() }
  }

  private func flush() throws(IndexFileFailure) {
    let offset = writtenCount * PositionSpool.positionSize
    let isWritten = buffer.withUnsafeBytes { OpenFile.send($0, to: file.descriptor, at: offset) }
    guard isWritten else { throw IndexFileFailure(path, attempt: "write") }
    writtenCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// All appended positions, read from the file on access.
  func positions() throws(IndexFileFailure) -> UnsafeBufferPointer<Coordinate> {
    try flush()
    guard count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    guard let start = map(at: 0, byteCount: count * PositionSpool.positionSize, PROT_READ) else {
      throw IndexFileFailure(path, attempt: "map")
    }
    return UnsafeBufferPointer(
      start: start.bindMemory(to: Coordinate.self, capacity: count), count: count)
  }

  private func map(at offset: Int, byteCount: Int, _ access: Int32) -> UnsafeMutableRawPointer? {
    let start = mmap(nil, byteCount, access, MAP_SHARED, file.descriptor, off_t(offset))
    guard let start, start != MAP_FAILED else { return nil }
    mappings.append((start, byteCount))
    return start
  }

  func makeRoom(byteCount: Int) -> UnsafeMutableRawPointer? {
    let page = 1 << 16
    let offset = (count * PositionSpool.positionSize + page - 1) / page * page
    // Without reserved disk space, writing a page later could end the program.
    #if canImport(Darwin)
      var space = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(page + byteCount), fst_bytesalloc: 0)
      // Some file systems cannot reserve any.
      let isReserved = fcntl(file.descriptor, F_PREALLOCATE, &space) != -1 || errno == ENOTSUP
      guard isReserved, ftruncate(file.descriptor, off_t(offset + byteCount)) == 0 else {
        return nil
      }
    #else
      guard posix_fallocate(file.descriptor, off_t(offset), off_t(byteCount)) == 0 else {
        return nil
      }
    #endif
    return map(at: offset, byteCount: byteCount, PROT_READ | PROT_WRITE)
  }

  func positionsAreRead() {
    guard let mapping = mappings.first else { return }
    munmap(mapping.start, mapping.byteCount)
    mappings.removeFirst()
  }

  deinit {
    for mapping in mappings { munmap(mapping.start, mapping.byteCount) }
  }
}
