import AnnotationImport
import Geodesy
import GzipReading
import SystemCalls
import TrackImport

// Reading and writing by the system's calls: Foundation would double the time to start.

/// A file as the command line names it; the name need not be UTF-8.
package struct FileName: Equatable, Sendable {
  /// The name as the system takes it.
  let path: FilePath

  init(path: FilePath) { self.path = path }

  package init(bytes: [UInt8]) { path = FilePath(bytes) }

  package init(_ text: String) { path = FilePath(text) }

  /// The name's bytes, without a closing zero.
  package var bytes: [UInt8] { path.bytes }

  /// The name as text for messages; control characters and bytes that are not UTF-8 are shown as �, and the password of
  /// an address is left out.
  ///
  /// An empty name is shown as `""`.
  package var text: String {
    FilePath.shown(
      String(
        String.UnicodeScalarView(
          String(decoding: shown, as: UTF8.self).unicodeScalars.map {
            $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0
          })))
  }

  /// The name, or the server and database of an address.
  private var shown: [UInt8] {
    isServerAddress ? Array(PostgresSource.shown(self).utf8) : bytes
  }

  /// The name as it is written, for the address of a server.
  package var address: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it is the address of a server: a URL, or libpq's keywords, such as `host=db dbname=maps`, unless a file has
  /// that name.
  package var isServerAddress: Bool {
    // By bytes, as libpq reads it.
    if ["postgres://", "postgresql://"].contains(where: { bytes.starts(with: $0.utf8) }) {
      return true
    }
    let parts = bytes.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
    // libpq allows white space around the sign.
    let words = parts.dropLast().map {
      String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }
    return words.first?.count == 1
      && words.contains { $0.last.map { FileName.libpqKeywords.contains(String($0)) } ?? false }
      && !Files.exists(self)
  }

  /// Those of which an address has at least one.
  private static let libpqKeywords: Set = [
    "dbname", "host", "hostaddr", "password", "service", "user",
  ]

  /// A message for clients of a server, who need not know where its files are: it has only the last part of the name.
  package func folderHidden(in message: String) -> String {
    // What links lead to may end with the name.
    [path.resolved.text, text].reduce(message) { $0.replacing($1, with: lastComponent.text) }
  }

  /// The name's last part; of an address, the database.
  package var lastComponent: FileName {
    FileName(bytes: Array(shown.split(separator: UInt8(ascii: "/")).last ?? bytes[...]))
  }

  /// What follows the last dot of the last part, as written; nil where there is none, or nothing on one
  /// of its sides.
  package var ending: String? {
    let parts = lastComponent.text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last, !last.isEmpty,
      parts.count > 2 || !parts[0].isEmpty
    else { return nil }
    return String(last)
  }

  /// What a page of it is called: the last part without its endings.
  package var title: String { isStandardInput ? "Nearby" : stem }

  /// The name without folders and endings, as a layer is called.
  package var stem: String {
    if isStandardInput { return "stdin" }
    let last = lastComponent.text
    let stem = last.split(separator: ".").first.map(String.init) ?? last
    return stem.isEmpty ? "layer" : stem
  }

  /// The name up to its last part, with the slash; empty where there is none.
  package var folder: FileName { FileName(bytes: Array(bytes.dropLast(lastComponent.bytes.count))) }

  /// The name of a folder without slashes behind it.
  var withoutClosingSlashes: FileName {
    var bytes = bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return FileName(bytes: bytes)
  }

  /// The folder that it is in, to be looked into; `.` where the name says none.
  var enclosingFolder: FileName { FileName(path: path.folder) }

  /// The name of something in the folder that this names.
  func appending(_ path: String) -> FileName { appending(Array(path.utf8)) }

  func appending(_ path: [UInt8]) -> FileName {
    FileName(bytes: bytes + [UInt8(ascii: "/")] + path)
  }

  package var isStandardInput: Bool { bytes == [UInt8(ascii: "-")] }
}

extension stat {
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

package enum Files {
  package static func bytes(of file: FileName) throws(ReportedError) -> [UInt8] {
    try withOpened(file, allBytes)
  }

  /// Opens a file, or takes standard input, for the duration of a call.
  private static func withOpened<Result>(
    _ file: FileName,
    _ body: (_ descriptor: Int32, _ name: String) throws(ReportedError) -> Result
  ) throws(ReportedError) -> Result {
    if file.isStandardInput {
      ReadFiles.note(file)
      return try body(STDIN_FILENO, "standard input")
    }
    let opened = try openForReading(file)
    return try body(opened.descriptor, file.text)
  }

  /// A file open for reading, or what kept it from opening.
  static func openForReading(_ file: FileName) throws(ReportedError) -> OpenFile {
    guard let opened = OpenFile(file.path, O_RDONLY) else { throw cannotOpen(file) }
    if opened.status?.isFolder == true { throw folderFailure(file.text) }
    ReadFiles.note(opened.descriptor)
    return opened
  }

  /// Throws where a file cannot be opened.
  static func check(_ file: FileName) throws(ReportedError) { _ = try openForReading(file) }

  static func folderFailure(_ name: String) -> ReportedError {
    ReportedError("is-directory", "\(name) is a folder; name a file in it", fault: .noInput)
  }

  private static func allBytes(
    of descriptor: Int32, name: String
  ) throws(ReportedError) -> [UInt8] {
    guard let status = OpenFile.status(of: descriptor) else { throw readFailure(name) }
    guard !status.isFolder else { throw folderFailure(name) }
    // An array that gets no memory ends the program; a file may claim any length. (A block of malloc's
    // that is freed at once is none for an optimizing compiler.)
    let length = max(1, Int(status.st_size))
    let room = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let room, room != MAP_FAILED else {
      throw ReportedError(
        "file-too-large",
        "\(name) has \(grouped(Int(status.st_size))) bytes, more than fit into memory; split it",
        fault: .noInput)
    }
    munmap(room, length)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    // Unlike a terminal, `/dev/zero` has no end; `/dev/null` has no bytes.
    let isEndless = status.st_mode & S_IFMT == S_IFCHR && isatty(descriptor) == 0
    let isRead = try OpenFile.forEachPiece(of: descriptor, size: 1 << 18) {
      (piece) throws(ReportedError) in
      guard !isEndless else {
        throw ReportedError(
          "file-too-large", "\(name) is a device that may never end; copy a part of it to a file",
          fault: .noInput)
      }
      bytes.append(contentsOf: piece)
    }
    guard isRead else { throw readFailure(name) }
    return bytes
  }

  /// Unpacks the bytes of a file that is read beside the sources, as an area, where they are packed with
  /// gzip.
  package static func unpacked(_ bytes: [UInt8], of file: FileName) throws(ReportedError) -> [UInt8]
  {
    do throws(GzipFailure) { return try GzipInflater.unpacked(bytes) } catch {
      throw ReportedError(
        error.code, "\(file.text): \(error.withoutOption)", fault: .badData)
    }
  }

  static func readFailure(_ name: String) -> ReportedError {
    ReportedError(
      "read-failed",
      errno == EBADF
        ? "cannot read \(name): it is closed; open it, or name a file"
        : "cannot read \(name): \(systemMessage()); check the file and its disk",
      fault: .inputOutput)
  }

  /// What to say of a file that does not open.
  private static func cannotOpen(_ file: FileName) -> ReportedError {
    let reason = systemMessage()
    // A part of the path that is a file and no folder is as good as missing.
    guard errno == ENOENT || errno == ENOTDIR else {
      let remedy =
        switch errno {
        case ELOOP: "let its links lead to a file"
        case ENAMETOOLONG: "give a shorter name"
        default: "check its permissions"
        }
      return ReportedError(
        "cannot-open", "cannot open \(file.text): \(reason); \(remedy)", fault: .noInput)
    }
    return ReportedError("no-such-file", absence(of: file), fault: .noInput)
  }

  /// What to say of a file that is not there, and what may be meant.
  private static func absence(of file: FileName) -> String {
    if ["http://", "https://"].contains(where: { file.text.lowercased().hasPrefix($0) }) {
      return
        "\(file.text) is a web address, and files are read; download it, or keep it in a layer of a "
        + "store with nearby sync"
    }
    if let target = file.path.linkTarget.map(FileName.init(path:)) {
      return "\(file.text) is a link to \(target.text), which does not exist; correct the link"
    }
    if let remedy = WrittenMeasure.remedy(forFile: file.text) {
      return "there is no file \(file.text); \(remedy)"
    }
    return "there is no file \(file.text); "
      + (SimilarNames.question(like: file) ?? "check the name and the folder")
  }

  package static func stamp(of file: FileName) -> FileStamp? { file.path.stamp }

  /// The stamp of the log beside a database, which has what was written last; nil where there is none, or an empty one.
  package static func logStamp(of database: FileName) -> FileStamp? {
    let log = FileName(bytes: absolute(database).bytes + "-wal".utf8)
    return stamp(of: log).flatMap { $0.byteCount > 0 ? $0 : nil }
  }

  /// When anything about a file was changed, its name and its times as well, in nanoseconds since 1970.
  package static func changed(of file: FileName) -> Int? { file.path.status?.changed }

  /// The file's name from the root on, with links followed; where it does not exist, the name that it would get.
  package static func absolute(_ file: FileName) -> FileName { FileName(path: file.path.resolved) }

  package static func exists(_ file: FileName) -> Bool { file.path.exists }

  /// Whether there is a file of that name, and no folder, pipe or device.
  package static func isRegular(_ file: FileName) -> Bool {
    !file.isStandardInput && file.path.status?.isRegularFile == true
  }

  /// Who may read and write a file, as the bits of a mode of a file in some group: to another group
  /// than the file's own it is as to everybody.
  static func permissions(of status: stat, inGroup group: gid_t) -> mode_t {
    let everybody = status.st_mode & 0o006
    return status.st_mode & 0o600 | everybody
      | (status.st_gid == group ? status.st_mode & 0o060 : everybody << 3)
  }

  /// Whether people may read a file who may not read another; false where one of them is missing.
  package static func mayBeRead(_ file: FileName, byOthersThan other: FileName) -> Bool {
    guard let status = file.path.ownStatus, let other = other.path.status else { return false }
    let allowed = permissions(of: other, inGroup: status.st_gid)
    return status.st_mode & 0o666 & ~allowed != 0
  }

  /// Makes the folders that a file is to be in, as far as they are missing.
  ///
  /// - Parameter target: What the error names; nil for the folder that cannot be made.
  package static func makeFolder(
    of file: FileName, for target: FileName? = nil
  ) throws(ReportedError) {
    for (place, byte) in file.bytes.enumerated() where byte == UInt8(ascii: "/") && place > 0 {
      let folder = FileName(bytes: Array(file.bytes[..<place]))
      if folder.path.withPointer({ mkdir($0, 0o755) }) != 0, errno != EEXIST {
        throw writeFailure(target ?? folder)
      }
    }
  }

  /// Hands over the bytes of a file as they can be had, without waiting for more.
  package static func pieces(
    of file: FileName, _ receive: ([UInt8]) throws(ReportedError) -> Void
  ) throws(ReportedError) {
    try withOpened(file) { (descriptor, name) throws(ReportedError) in
      let isRead = try OpenFile.forEachPiece(of: descriptor, size: 1 << 16) {
        (piece) throws(ReportedError) in try receive(Array(piece))
      }
      guard isRead else { throw readFailure(name) }
    }
  }

  /// Hands over the lines of a file as they can be had, those that one piece completes together, without waiting for
  /// more.
  ///
  /// Lines have no line breaks, and the first no byte order mark; numbers count from 1.
  ///
  /// - Throws: `line-too-long` for a line of more than 16 MiB, after the lines before it are handed over; and what
  ///   `receive` throws.
  package static func lines(
    of file: FileName,
    _ receive: ([(bytes: [UInt8], number: Int)]) throws(ReportedError) -> Void
  ) throws(ReportedError) {
    var buffer = LineBuffer()
    let longestLine = LineBuffer.longestLine
    func handOver(_ piece: [UInt8], isLast: Bool) throws(ReportedError) {
      var lines: [(bytes: [UInt8], number: Int)] = []
      buffer.read(piece, isLast: isLast) { line, number in
        lines.append((number == 1 ? Array(line.withoutByteOrderMark) : line, number))
      }
      let whole = lines.prefix { $0.bytes.count <= longestLine }
      if !whole.isEmpty { try receive(Array(whole)) }
      guard whole.count < lines.count || buffer.waitingByteCount > longestLine else { return }
      let number = whole.count < lines.count ? lines[whole.count].number : buffer.count + 1
      throw ReportedError(
        "line-too-long",
        "line \(number) has more than \(grouped(longestLine)) bytes; end each line with a line feed",
        fault: .badData)
    }
    try pieces(of: file) { (piece) throws(ReportedError) in
      try handOver(piece, isLast: false)
    }
    try handOver([], isLast: true)
  }

  /// Descriptors of databases that were looked into, by device and file number.
  ///
  /// They stay open: when a process closes any descriptor of a file, it loses all its locks on that file, also those
  /// that SQLite holds for a store, and then the next program that reads the store deletes the log with what was
  /// written last.
  ///
  /// Source: "How To Corrupt An SQLite Database File", 2.2, sqlite.org/howtocorrupt.html.
  private static let databases = SharedValue<[FileIdentity: Int32]>([:])

  /// Whether a file begins with some bytes; false where it cannot be read.
  package static func begins(_ file: FileName, with start: some Collection<UInt8>) -> Bool {
    func starts(_ descriptor: Int32, with start: [UInt8]) -> Bool {
      OpenFile.bytes(0..<start.count, of: descriptor) == start
    }
    let wanted = Array(start)
    return databases.withLock { databases in
      if let identity = file.regularFileIdentity, let descriptor = databases[identity] {
        return starts(descriptor, with: wanted)
      }
      let descriptor = file.path.withPointer { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
      guard descriptor >= 0 else { return false }
      if starts(descriptor, with: OutputFiles.databaseMark),
        let identity = FileIdentity(descriptor: descriptor)
      {
        forgetDeleted(&databases)
        // It may have been replaced since it was looked for.
        if databases[identity] == nil { databases[identity] = descriptor }
        return starts(descriptor, with: wanted)
      }
      defer { close(descriptor) }
      return starts(descriptor, with: wanted)
    }
  }

  /// Closes what nobody else can open any more.
  private static func forgetDeleted(_ databases: inout [FileIdentity: Int32]) {
    for (file, descriptor) in databases {
      guard OpenFile.status(of: descriptor)?.st_nlink ?? 0 == 0 else { continue }
      close(descriptor)
      databases[file] = nil
    }
  }

  /// Whether a file is text that ends within a line, or, if it begins as JSON or XML do, does not end as they do; false
  /// where it cannot be read.
  package static func endsWithinLine(_ file: FileName) -> Bool {
    guard let opened = OpenFile(file.path, O_RDONLY | O_NONBLOCK) else { return false }
    let length = Int(opened.status?.st_size ?? 0)
    guard length > 0, let start = OpenFile.bytes(0..<512, of: opened.descriptor),
      let last = OpenFile.bytes(length - 1..<length, of: opened.descriptor)?.first,
      !start.contains(0), !GzipInflater.isGzip(start)
    else { return false }
    // Behind blanks, and the byte order mark.
    let first = start.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    let isNested = first.map { "{[<".utf8.contains($0) } ?? false
    return !(isNested ? "\n\r }]>" : "\n\r").utf8.contains(last)
  }

  /// Writes a file whole or not at all; `-` and nil are standard output.
  package static func write(_ bytes: [UInt8], to file: FileName?) throws(ReportedError) {
    let sink = try OutputSink(file)
    try sink.write(bytes)
    try sink.finish()
  }

  static func writeFailure(_ file: FileName) -> ReportedError {
    ReportedError(
      "cannot-write",
      "cannot write \(file.text): \(systemMessage()); choose another place",
      fault: .cannotWrite)
  }

  /// Writes to standard output.
  ///
  /// If the reader has left, as `head` does when it has seen enough, the error's fault is `readerLeft`.
  package static func writeToStandardOutput(_ bytes: [UInt8]) throws(ReportedError) {
    guard !send(bytes, to: STDOUT_FILENO) else { return }
    let code = errno
    throw ReportedError(
      "write-failed",
      "cannot write to standard output: "
        + (code == EBADF
          ? "it is closed; leave it open" : "\(systemMessage(code)); check its disk"),
      fault: code == EPIPE ? .readerLeft : .inputOutput)
  }

  /// Writes all bytes to a descriptor; false when it fails, with `errno` set.
  package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { OpenFile.send($0, to: descriptor) }
  }

  /// A moment as `2026-11-21 10:02:07`, in the machine's own zone, for messages.
  package static func localTime(nanoseconds: Int) -> String {
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var fields = tm()
    localtime_r(&seconds, &fields)
    let date = [fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday].map { zeroPadded($0) }
    let clock = [fields.tm_hour, fields.tm_min, fields.tm_sec].map { zeroPadded($0) }
    return date.joined(separator: "-") + " " + clock.joined(separator: ":")
  }

  package static func isFolder(_ file: FileName) -> Bool { file.path.status?.isFolder == true }

  /// Gives a file or a folder another name; false when it fails, with `errno` set.
  static func move(_ file: FileName, to name: FileName) -> Bool {
    file.path.withPointer { from in name.path.withPointer { rename(from, $0) } } == 0
  }

  /// Removes a folder with all that is in it, as far as that can be; links in it are removed, and what
  /// they lead to stays.
  static func removeFolder(_ folder: FileName) {
    for name in names(inFolder: folder) {
      let entry = folder.appending(name)
      guard let status = entry.path.ownStatus else { continue }
      if status.isFolder {
        removeFolder(entry)
      } else {
        entry.path.remove()
      }
    }
    _ = folder.path.withPointer { rmdir($0) }
  }

  /// The names in a folder, without those of itself and of the folder that it is in; empty when it cannot be read.
  package static func names(inFolder folder: FileName) -> [[UInt8]] {
    guard let directory = folder.path.withPointer({ opendir($0) }) else { return [] }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = readdir(directory) {
      // An entry may end before its type does: the name is read where it is, up to its end.
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        let name = UnsafeRawPointer(name)
        let count = strlen(name.assumingMemoryBound(to: CChar.self))
        names.append(Array(UnsafeRawBufferPointer(start: name, count: count)))
      }
    }
    return names.filter { $0 != [0x2E] && $0 != [0x2E, 0x2E] }
  }
}

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
