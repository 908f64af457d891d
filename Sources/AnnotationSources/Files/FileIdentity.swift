import SystemCalls

/// Which file it is, by whatever name: two names of one file have one identity.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64, inode: UInt64

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// nil for what is no file: folders, pipes and devices lose nothing by being written to.
  package init?(file status: stat) {
    guard status.isRegularFile else { return nil }
    self.init(status)
  }

  /// nil for what is not open, and for what is no file.
  package init?(descriptor: Int32) {
    guard let status = OpenFile.status(of: descriptor) else { return nil }
    self.init(file: status)
  }

  /// nil where there is none, and for what is no file.
  package init?(file: FileName) {
    guard let status = file.path.status else { return nil }
    self.init(file: status)
  }

  /// nil where there is none.
  package init?(folder: FileName) {
    guard let status = folder.path.status, status.isFolder else { return nil }
    self.init(status)
  }
}
