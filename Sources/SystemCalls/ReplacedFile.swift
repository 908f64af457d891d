/// A file that is written under a temporary name in its folder, and gets its own name once all of it is on the disk.
///
/// A program that opens that name finds the old file or the new one, also after a crash. A file that does not get its
/// name is removed with this object. A run that is killed may leave a file that ends in `.partial`.
package final class ReplacedFile {
  /// The name until it gets its own.
  package let temporary: FilePath
  private let target: FilePath
  /// The open file; −1 once all of it is on the disk.
  package private(set) var descriptor: Int32
  private var isNamed = false

  /// Makes an empty file; nil on failure, with `errno` set.
  ///
  /// - Parameters:
  ///   - target: Its own name. A link there would be replaced; `FilePath.resolved` follows it.
  ///   - model: The status of the file whose owner, group and mode it gets: from the start, only those may read it who
  ///     may read that one. nil for none.
  ///   - mode: Its mode without a model.
  ///   - willMake: Called with the temporary name before the file exists, so that a program interrupted by a signal can
  ///     remove it.
  package init?(
    _ target: FilePath, like model: stat?, mode: mode_t = 0o666,
    willMake: (_ temporary: FilePath) -> Void
  ) {
    let temporary = target.temporaryName
    willMake(temporary)
    // Nobody else may open it before its owner and mode are set.
    let first = model == nil ? mode : 0o600
    let opened = temporary.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, first) }
    guard opened >= 0 else { return nil }
    model?.give(to: opened)
    self.temporary = temporary
    self.target = target
    descriptor = opened
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isNamed { temporary.remove() }
  }

  /// Puts what was written so far onto the disk; returns false on failure, with `errno` set.
  package func synchronize() -> Bool { descriptor < 0 || OpenFile.synchronize(descriptor) }

  /// Gives the file its name, in place of the file that has it; returns false on failure, with `errno` set.
  package func replace() -> Bool {
    guard finish() else { return false }
    let renamed = temporary.withPointer { from in target.withPointer { rename(from, $0) } }
    guard renamed == 0 else { return false }
    isNamed = true
    // The new name itself. Some file systems cannot do that, and then the old file may come back.
    target.folder.synchronize()
    return true
  }

  /// Gives the file its name, unless there is something of that name: unlike renaming, linking never replaces a file
  /// that has appeared meanwhile.
  ///
  /// - Returns: false on failure, with `errno` set: `EEXIST` if the name is taken.
  package func takeFreeName() -> Bool {
    guard finish() else { return false }
    let linked = temporary.withPointer { from in target.withPointer { link(from, $0) } }
    guard linked == 0 else { return false }
    isNamed = true
    temporary.remove()
    target.folder.synchronize()
    return true
  }

  /// Puts everything onto the disk and closes the file; returns false on failure, with `errno` set.
  ///
  /// Closing it later, when this process may have it open through SQLite under its own name, would drop SQLite's locks.
  private func finish() -> Bool {
    guard descriptor >= 0 else { return true }
    guard OpenFile.synchronize(descriptor) else { return false }
    close(descriptor)
    descriptor = -1
    return true
  }
}
