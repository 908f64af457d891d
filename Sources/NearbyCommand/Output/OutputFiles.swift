import SpatialIndexing
import Synchronization

/// The files that this run is asked to write, by whatever names.
///
/// Each is claimed by its option before anything is read: of two outputs in one file only the last
/// written would remain.
enum OutputFiles {
  /// One place in the file system; two names of it have something in common.
  private struct Place {
    let option: String
    let identity: FileIdentity?
    /// Where there is no file yet, two names of it are one in a folder.
    let folder: FileIdentity?
    let name: [UInt8]

    init(_ file: FileName, option: String) {
      let target = Files.absolute(file)
      let folder = target.folder
      self.option = option
      identity = FileIdentity(file: target)
      self.folder = FileIdentity(
        folder: folder.bytes.isEmpty ? FileName(bytes: [UInt8(ascii: ".")]) : folder)
      name = target.lastComponent.bytes
    }

    func isSame(as other: Place) -> Bool {
      if let identity, identity == other.identity { return true }
      return folder != nil && folder == other.folder && name == other.name
    }
  }

  private static let places = Mutex<[Place]>([])

  /// The file that an option names for what is written; nil where it names none.
  static func claim(
    _ name: String?, option: String = "-o"
  ) throws(CommandError) -> FileName? {
    guard let name else { return nil }
    let file = FileName(argument: name)
    try claim(file, option: option)
    return file
  }

  /// Makes sure that no other option names a file.
  ///
  /// Standard output, descriptors, pipes and devices take what several write.
  static func claim(_ file: FileName, option: String) throws(CommandError) {
    guard OutputTarget(file) == .file else { return }
    let place = Place(file, option: option)
    let other = places.withLock { places in
      defer { places.append(place) }
      return places.first { $0.option != option && $0.isSame(as: place) }
    }
    guard let other else { return }
    throw CommandError(
      "same-output",
      "\(other.option) and \(option) both name \(file.text), which would hold only the last written; "
        + "name two files", status: .usage)
  }

  /// What stores, GeoPackages and all else that SQLite keeps begin with.
  static let databaseMark = Array("SQLite format 3\0".utf8)

  /// What replaces a file.
  enum Content { case text, index, database }

  /// Refuses to replace a file that was read, an index file by anything else, and a store or another
  /// database by anything whatever: it may hold more than one command wrote.
  static func refuse(_ file: FileName, as content: Content) throws(CommandError) {
    try ReadFiles.refuse(file)
    guard Files.isRegular(file) else { return }
    let held: String
    if content != .index, Files.begins(file, with: IndexFileFormat.mark) {
      held = "an index file"
    } else if Files.begins(file, with: databaseMark) {
      held = "a store or another database"
    } else {
      return
    }
    let other =
      content == .database ? ", or add a layer to it with nearby import --store \(file.text)" : ""
    throw CommandError(
      "file-in-use", "\(file.text) is \(held), which would be lost; name another file\(other)",
      status: .usage)
  }
}
