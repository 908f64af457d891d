#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which file it is, by whatever name: two names of one file have one identity.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64, inode: UInt64

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// nil for what is no file: folders, pipes and devices lose nothing by being written to.
  package init?(file status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  /// nil for what is not open, and for what is no file.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(file: status)
  }

  /// nil where there is none, and for what is no file.
  package init?(file: FileName) {
    var status = stat()
    guard file.withPath({ stat($0, &status) }) == 0 else { return nil }
    self.init(file: status)
  }

  /// nil where there is none.
  package init?(folder: FileName) {
    var status = stat()
    guard folder.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR
    else { return nil }
    self.init(status)
  }
}
