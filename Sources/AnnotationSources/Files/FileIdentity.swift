import SystemCalls

extension FileIdentity {
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
}

extension FileName {
  /// Which file it is; nil where there is none, and for what is no file.
  package var regularFileIdentity: FileIdentity? { path.status.flatMap { FileIdentity(file: $0) } }
}
