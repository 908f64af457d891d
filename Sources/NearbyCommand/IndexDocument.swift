#if CommandLine
  import AnnotationImport
  import GeoJSONCoding
  import Geodesy
  import IndexFiles
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing
  import Synchronization

  /// An index file as the program writes it: the tree, a row for each record, and attached to it what
  /// the rows are read with and the sources themselves.
  ///
  /// The attachment is two lengths of eight bytes, the frame of `RecordPacking` with the names of the
  /// kinds, the line of `IndexedSources`, and the sources' bytes.
  struct IndexDocument {
    static let formatVersion = IndexFileFormat.version

    private let file: IndexFile
    private let frame: [UInt8]
    private let headerLine: [UInt8]
    /// Where the sources' bytes begin in the attachment.
    private let contentsStart: Int
    private let name: String
    /// What the index was built from; without the sources' bytes.
    let sources: IndexedSources

    /// Whether bytes begin as an index file does, of this or another version.
    static func hasMark(_ bytes: [UInt8]) -> Bool { IndexFile.isMark(bytes) }

    // MARK: Writing

    /// Builds the tree, and writes it with the records and their sources.
    ///
    /// - Parameter original: The file that it is kept beside, where nobody chose its name.
    static func write(
      _ annotations: ImportedAnnotations, _ sources: IndexedSources, to file: FileName,
      keptBeside original: FileName? = nil
    ) throws(CommandError) {
      let packing = RecordPacking(annotations)
      try write(
        AnnotationIndex(forManyQuestions: annotations), recordFrame: packing.frame, sources,
        to: file, keptBeside: original
      ) { number, bytes throws(IndexFileFailure) in packing.append(number, to: &bytes) }
    }

    /// Writes an index whose records are at hand.
    ///
    /// - Parameters:
    ///   - recordFrame: What they are read with.
    ///   - original: The file that it is kept beside, where nobody chose its name.
    ///   - record: Appends the bytes of the record of an annotation.
    static func write<Annotations>(
      _ index: AnnotationIndex<Annotations>, recordFrame: [UInt8], _ sources: IndexedSources,
      to file: FileName, keptBeside original: FileName? = nil,
      record: (_ number: Int, _ bytes: inout [UInt8]) throws(IndexFileFailure) -> Void
    ) throws(CommandError) {
      let annotations = index.annotations
      let rows =
        index.tieOrderedOffsets + annotations.indices.filter { annotations[$0].coordinate == nil }
      let frame = frame(recordFrame, kinds: index.kindNames)
      let headerLine = sources.headerLine
      var attachment: [UInt8] = []
      for length in [frame.count, headerLine.count] {
        withUnsafeBytes(of: UInt64(length).littleEndian) { attachment += $0 }
      }
      attachment += frame + headerLine
      for part in sources.parts { attachment += part.bytes }
      do throws(IndexFileFailure) {
        try IndexFile.write(
          index.tree, toPathBytes: file.bytes, keptBeside: original?.bytes, rowCount: rows.count,
          attachment: attachment,
          source: sources.stamp, willMake: { PartialFiles.note(FileName(bytes: $0)) }
        ) { number, bytes throws(IndexFileFailure) in try record(rows[number], &bytes) }
      } catch {
        throw CommandError(error, status: .cannotWrite)
      }
    }

    private static func frame(
      _ records: [UInt8], kinds: (names: [AnnotationKind], hasUnnamed: Bool)?
    ) -> [UInt8] {
      var writer = JSONWriter()
      writer.value(
        .object([
          "kinds": .array((kinds?.names ?? []).map { .string($0.rawValue) }),
          "hasUnnamedKind": .bool(kinds?.hasUnnamed ?? true),
          "records": .string(String(decoding: records, as: UTF8.self)),
        ]))
      return writer.bytes
    }

    // MARK: Reading

    /// Maps an index file; one that comes through a pipe is read.
    static func open(_ file: FileName) throws(CommandError) -> IndexDocument {
      // Reading also says best what is wrong with a name.
      Files.isRegular(file)
        ? try IndexDocument(file) : try IndexDocument(Files.bytes(of: file), named: file.text)
    }

    /// Maps an index file.
    ///
    /// - Parameter followsLinks: Whether its name may be that of a link.
    init(_ file: FileName, followsLinks: Bool = true) throws(CommandError) {
      ReadFiles.note(file)
      let mapped: IndexFile
      do throws(IndexFileFailure) {
        mapped = try IndexFile(pathBytes: file.bytes, followsLinks: followsLinks)
      } catch {
        throw IndexDocument.commandError(error)
      }
      try self.init(mapped, named: file.text)
    }

    /// Opens the bytes of an index file.
    init(_ bytes: [UInt8], named name: String) throws(CommandError) {
      let copied: IndexFile
      do throws(IndexFileFailure) {
        copied = try IndexFile(contents: bytes, named: name)
      } catch {
        throw IndexDocument.commandError(error)
      }
      try self.init(copied, named: name)
    }

    private init(_ file: IndexFile, named name: String) throws(CommandError) {
      self.file = file
      self.name = name
      let bytes = file.bytes
      func attachment(_ range: Range<Int>) throws(CommandError) -> [UInt8] {
        guard range.upperBound <= bytes.attachmentByteCount else {
          throw IndexedSources.damaged(name, "its header is cut off")
        }
        do throws(IndexFileError) {
          return try bytes.attachment(range)
        } catch {
          throw IndexDocument.commandError(error, named: name)
        }
      }
      func length(_ place: Int) throws(CommandError) -> Int {
        let number = try attachment(place..<place + 8).reversed().reduce(UInt64(0)) {
          $0 << 8 | UInt64($1)
        }
        guard number <= UInt64(bytes.attachmentByteCount) else {
          throw IndexedSources.damaged(name, "its header says it has \(number) bytes")
        }
        return Int(number)
      }
      let frameEnd = 16 + (try length(0))
      contentsStart = frameEnd + (try length(8))
      frame = try attachment(16..<frameEnd)
      headerLine = try attachment(frameEnd..<contentsStart)
      sources = try IndexedSources(headerLine: headerLine, contents: nil, named: name)
      sources.noteFiles(beside: FileName(bytes: Array(name.utf8)))
    }

    /// The sources, with their bytes.
    func wholeSources() throws(CommandError) -> IndexedSources {
      let contents: [UInt8]
      do throws(IndexFileError) {
        contents = try file.bytes.attachment(contentsStart..<file.bytes.attachmentByteCount)
      } catch {
        throw IndexDocument.commandError(error, named: name)
      }
      return try IndexedSources(headerLine: headerLine, contents: contents, named: name)
    }

    /// The index in the file, whose annotations are read one by one.
    func openedIndex() throws(CommandError) -> OpenedIndex {
      guard let value = try? PropertyValue(json: frame), case .object(let members) = value,
        case .array(let kinds)? = members["kinds"],
        case .bool(let hasUnnamedKind)? = members["hasUnnamedKind"],
        case .string(let records)? = members["records"],
        let unpacking = RecordUnpacking(frame: Array(records.utf8)),
        file.bytes.rowCount >= file.bytes.index.count
      else { throw IndexedSources.damaged(name, "it does not say how its records are read") }
      let rows = IndexedRows(file.bytes, unpacking)
      let annotations = ImportedAnnotations(rows)
      return OpenedIndex(
        index: AnnotationIndex(
          annotations, positions: file.bytes.index,
          kinds: (kinds.compactMap(\.text).map { AnnotationKind(rawValue: $0) }, hasUnnamedKind),
          hasShapes: annotations.hasShapes),
        rows: rows, name: name)
    }

    /// Makes sure of everything in the file.
    func verify() throws(CommandError) {
      do throws(IndexFileFailure) {
        try file.verify()
      } catch {
        throw IndexDocument.commandError(error)
      }
      let opened = try openedIndex()
      for row in 0..<file.bytes.rowCount { _ = opened.rows?.annotation(row) }
      try opened.check()
    }

    // MARK: Errors

    fileprivate static func commandError(_ error: IndexFileFailure) -> CommandError {
      if case .bytes(let bytes) = error.reason { return commandError(bytes, named: error.file) }
      return CommandError(error, status: .noInput)
    }

    fileprivate static func commandError(
      _ error: IndexFileError, named name: String
    ) -> CommandError {
      CommandError(
        error.code, "\(name): \(error) with nearby index build", status: .badData)
    }
  }

  /// An index to be asked, and whether what was read for the answer was whole.
  struct OpenedIndex {
    let index: AnnotationIndex<ImportedAnnotations>
    /// nil where the annotations were all read before.
    fileprivate let rows: IndexedRows?
    private let name: String

    fileprivate init(
      index: AnnotationIndex<ImportedAnnotations>, rows: IndexedRows, name: String
    ) {
      self.index = index
      self.rows = rows
      self.name = name
    }

    init(_ index: AnnotationIndex<ImportedAnnotations>) {
      self.index = index
      rows = nil
      name = ""
    }

    /// Throws what was wrong with the pages that were read so far; to be asked before an answer is
    /// given out.
    func check() throws(CommandError) {
      guard let rows, let failure = rows.failure else { return }
      throw IndexDocument.commandError(failure, named: name)
    }
  }

  /// The rows of an index file as annotations.
  private final class IndexedRows: PackedRecords {
    let unpacking: RecordUnpacking
    private let bytes: IndexBytes
    private let firstFailure = Mutex<IndexFileError?>(nil)

    init(_ bytes: IndexBytes, _ unpacking: RecordUnpacking) {
      self.bytes = bytes
      self.unpacking = unpacking
    }

    var count: Int { bytes.rowCount }

    /// What was wrong with what was read so far.
    var failure: IndexFileError? { bytes.damage ?? firstFailure.withLock { $0 } }

    func annotation(_ row: Int) -> ImportedAnnotation {
      guard let bytes = bytes(ofRow: row) else { return RecordUnpacking.missing }
      guard let annotation = unpacking.annotation(bytes) else {
        note(.invalid("row \(row) is no record"))
        return RecordUnpacking.missing
      }
      return annotation
    }

    func bytes(ofRow row: Int) -> [UInt8]? {
      do throws(IndexFileError) {
        return try bytes.row(row)
      } catch {
        note(error)
        return nil
      }
    }

    private func note(_ error: IndexFileError) { firstFailure.withLock { $0 = $0 ?? error } }
  }
#endif
