#if CommandLine
  import AnnotationImport
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// Sources that were read and checked once: format 1 of `.nbx`.
  ///
  /// Two lines of text, then the sources' bytes, one source behind the other:
  ///
  ///     nearby-index 1 crc32-of-the-next-line
  ///     {"sources":[{"name":…,"path":…,"size":…,"modified":…,"bytes":…,"crc32":…}],"options":[…],…}
  ///
  /// Being a copy, with the options it is to be read with, it gives the same annotations to the
  /// last column; lengths and checksums tell whether it is whole, and the stamps whether a source
  /// has changed since. Later formats will hold the tree itself.
  struct IndexFile {
    static let formatVersion = 1
    private static let mark = "nearby-index "

    /// One source, as it was when the index was built.
    struct Part: Equatable {
      /// Its name as it was given, which tells its format; `-` for standard input.
      let name: String
      /// Where it was, and its stamp; nil for standard input.
      let origin: Origin?
      let bytes: [UInt8]

      struct Origin: Equatable {
        let path: FileName
        let stamp: FileStamp
      }
    }

    let parts: [Part]
    /// The input options that the sources are read with, as the command line takes them.
    let options: [String]
    /// The text of the GeoJSON file that `--region` named; nil when it named none.
    let regionArea: [UInt8]?
    /// How many annotations they give.
    var records: Int

    /// Whether bytes begin as an index file does, of this or another version.
    static func hasMark(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark.utf8) }

    init(parts: [Part], options: [String], regionArea: [UInt8]?, records: Int) {
      self.parts = parts
      self.options = options
      self.regionArea = regionArea
      self.records = records
    }

    // MARK: Writing

    func write(to file: FileName) throws(CommandError) {
      var writer = JSONWriter()
      writer.value(.object(header))
      writer.endLine()
      let sink = try OutputSink(file)
      let checksum = Checksum.crc32(of: writer.bytes)
      try sink.write(
        Array("\(IndexFile.mark)\(IndexFile.formatVersion) \(checksum)\n".utf8) + writer.bytes)
      for part in parts { try sink.write(part.bytes) }
      try sink.finish()
    }

    private var header: Properties {
      let sources = parts.map { part -> PropertyValue in
        var source: Properties = ["name": .string(part.name)]
        if let origin = part.origin {
          source.append("path", .string(String(decoding: origin.path.bytes, as: UTF8.self)))
          source.append("size", .integer(origin.stamp.byteCount))
          source.append("modified", .integer(origin.stamp.modified))
        }
        source.append("bytes", .integer(part.bytes.count))
        source.append("crc32", .integer(Int(Checksum.crc32(of: part.bytes))))
        return .object(source)
      }
      return [
        "sources": .array(sources), "options": .array(options.map { .string($0) }),
        "region": regionArea.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
        "records": .integer(records),
      ]
    }

    // MARK: Reading

    /// Reads an index file and makes sure that it is whole.
    init(_ bytes: [UInt8], named name: String) throws(CommandError) {
      guard IndexFile.hasMark(bytes), let markEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
        throw IndexFile.damaged(name, "this is not an index file")
      }
      let marks = String(decoding: bytes[IndexFile.mark.utf8.count..<markEnd], as: UTF8.self)
        .split(separator: " ", omittingEmptySubsequences: false)
      let version = marks[0]
      guard version == String(IndexFile.formatVersion) else {
        throw CommandError(
          "index-version",
          """
          \(name): index format \(version.prefix(20)) is not format \(IndexFile.formatVersion); \
          build it again with nearby index build
          """, status: .badData)
      }
      guard let headerEnd = bytes[(markEnd + 1)...].firstIndex(of: UInt8(ascii: "\n")) else {
        throw IndexFile.damaged(name, "its header is cut off")
      }
      let headerLine = Array(bytes[(markEnd + 1)...headerEnd])
      guard marks.count == 2, marks[1] == String(Checksum.crc32(of: headerLine)),
        let header = try? PropertyValue(json: headerLine),
        case .object(let members) = header, let records = members["records"]?.wholeNumber,
        case .array(let sources)? = members["sources"],
        case .array(let options)? = members["options"]
      else { throw IndexFile.damaged(name, "its header is damaged") }
      self.records = records
      self.options = options.compactMap(\.text)
      if case .string(let area)? = members["region"] {
        regionArea = Array(area.utf8)
      } else {
        regionArea = nil
      }

      var parts: [Part] = []
      var start = headerEnd + 1
      for source in sources {
        guard case .object(let source) = source,
          let count = source["bytes"]?.wholeNumber, count >= 0,
          let checksum = source["crc32"]?.wholeNumber, let sourceName = source["name"]?.text
        else { throw IndexFile.damaged(name, "its header is incomplete") }
        guard count <= bytes.count - start else {
          throw IndexFile.damaged(
            name,
            "\(grouped(bytes.count - start)) of \(grouped(count)) bytes of \(sourceName) are there")
        }
        let content = Array(bytes[start..<start + count])
        guard Int(Checksum.crc32(of: content)) == checksum else {
          throw IndexFile.damaged(name, "\(sourceName) in it does not match its checksum")
        }
        parts.append(Part(name: sourceName, origin: IndexFile.origin(source), bytes: content))
        start += count
      }
      guard start == bytes.count else {
        throw IndexFile.damaged(name, "there are \(grouped(bytes.count - start)) bytes too many")
      }
      self.parts = parts
    }

    private static func origin(_ source: Properties) -> Part.Origin? {
      guard let path = source["path"]?.text, let size = source["size"]?.wholeNumber,
        let modified = source["modified"]?.wholeNumber
      else { return nil }
      return Part.Origin(
        path: FileName(bytes: Array(path.utf8)),
        stamp: FileStamp(byteCount: size, modified: modified))
    }

    static func damaged(_ name: String, _ what: String) -> CommandError {
      CommandError(
        "index-damaged", "\(name): \(what); build it again with nearby index build",
        status: .badData)
    }

    /// Throws when a source has changed since; one that is gone cannot have.
    func checkSources(beside file: FileName) throws(CommandError) {
      for origin in parts.compactMap(\.origin) {
        let sibling = FileName(
          bytes: file.bytes.dropLast(file.lastComponent.bytes.count)
            + origin.path.lastComponent.bytes)
        guard let now = Files.stamp(of: origin.path) ?? Files.stamp(of: sibling),
          now != origin.stamp
        else { continue }
        throw CommandError(
          "index-stale",
          """
          \(file.text) was built from \(origin.path.lastComponent.text) of \
          \(Console.localTime(nanoseconds: origin.stamp.modified)), which changed \
          \(Console.localTime(nanoseconds: now.modified)); rebuild it with nearby index build, \
          or say --allow-stale
          """, status: .badData)
      }
    }

    /// The sources' records, read as they were when the index was built, but for what the options
    /// of this run say otherwise.
    func read(
      named name: String, _ options: ImportOptions = ImportOptions(),
      onReject: ((RejectedRecord) -> Void)? = nil
    ) throws(CommandError) -> ImportResult {
      guard let reading = try? ReadingOptions.parse(self.options) else {
        throw IndexFile.damaged(name, "its options cannot be read")
      }
      let built = try reading.importOptions(in: try region(reading))
      let importer = AnnotationImporter(options: options.completed(by: built))
      var format: InputFormat?
      if case .imported(let given)? = try reading.inputFormat.map(ReadingOptions.format) {
        format = given
      }
      var results: [ImportResult] = []
      for part in parts {
        do throws(ImportError) {
          results.append(
            try importer.read(part.bytes, named: part.name, format: format, onReject: onReject))
        } catch {
          throw CommandError(error)
        }
      }
      return ImportResult(joining: results)
    }

    /// The region that positions had to lie in; that of a file as the file was.
    private func region(_ reading: ReadingOptions) throws(CommandError) -> Region? {
      guard let regionArea, let name = reading.region else { return try reading.regionOfValidity() }
      let file = FileName(argument: name)
      return Region(name: name, polygons: try AreaFile.polygons(in: regionArea, of: file))
    }
  }

  extension ImportOptions {
    /// These options, and those of an index where these say nothing.
    fileprivate func completed(by built: ImportOptions) -> ImportOptions {
      var options = self
      options.idField = idField ?? built.idField
      options.latitudeField = latitudeField ?? built.latitudeField
      options.longitudeField = longitudeField ?? built.longitudeField
      options.nameField = nameField ?? built.nameField
      options.kindField = kindField ?? built.kindField
      options.hoursField = hoursField ?? built.hoursField
      options.hasHeader = hasHeader && built.hasHeader
      options.quoting = quoting == .automatic ? built.quoting : quoting
      options.allowsNullIsland = allowsNullIsland || built.allowsNullIsland
      options.region = region ?? built.region
      return options
    }
  }

  extension PropertyValue {
    /// The value of a JSON number that is an integer; nil otherwise.
    fileprivate var wholeNumber: Int? {
      if case .number(let text) = self { Int(text) } else { nil }
    }
  }
#endif
