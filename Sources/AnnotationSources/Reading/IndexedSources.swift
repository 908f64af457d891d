import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import SpatialIndexing
import SystemCalls
import TextMaps

/// What an index file was built from and how that was read.
///
/// In the file it is a line of text:
///
///     {"sources":[{"name":…,"path":…,"size":…,"modified":…,"checksum":…,"bytes":…}],"options":[…],…}
///
/// A path that is not UTF-8 is an array of its bytes.
///
/// The index has all that was read of its records. To read them otherwise takes the sources themselves; their stamps
/// tell whether they have changed since.
package struct IndexedSources {
  /// One source, as it was when the index was built.
  package struct Part: Equatable {
    /// Its name as it was given, which tells its format; `-` for standard input.
    package let name: String
    /// Where it was, and its stamp; nil for standard input and pipes.
    package let origin: Origin?
    package let byteCount: Int

    /// Reads a source that is to be indexed.
    static func read(
      _ source: FileName
    ) throws(ReportedError) -> (part: Part, bytes: [UInt8]) {
      guard !source.isServerAddress else {
        throw ReportedError(
          "index-of-store",
          "\(source.text): an index is built from files; nearby convert the layer to one first",
          fault: .usage)
      }
      try StoreSource.refuseIndex(of: source)
      // A pipe is empty once it was read, and its stamp changes by that: like standard input it cannot be looked at
      // again.
      let stamp = Files.isRegular(source) ? Files.stamp(of: source) : nil
      let bytes = try Files.bytes(of: source)
      guard !IndexFileFormat.isMark(bytes) else {
        throw ReportedError(
          "index-of-index", "\(source.text) is an index already; build from its source",
          fault: .usage)
      }
      let origin = stamp.map {
        Origin(
          path: Files.absolute(source), stamp: $0,
          checksum: bytes.withUnsafeBytes { SourceStamp.checksum(of: $0) })
      }
      let name = source.isStandardInput ? "-" : source.text
      return (Part(name: name, origin: origin, byteCount: bytes.count), bytes)
    }

    package struct Origin: Equatable {
      package let path: FileName
      package let stamp: FileStamp
      /// The CRC-32C of its content; nil in files of earlier versions.
      package let checksum: UInt32?

      /// Whether it has not changed since; its content is read if only its time has.
      ///
      /// - Parameters:
      ///   - file: Where it is now.
      ///   - now: Its stamp there.
      func isUnchanged(in file: FileName, _ now: FileStamp) -> Bool {
        if now == stamp { return true }
        guard now.byteCount == stamp.byteCount, let checksum, let bytes = try? Files.bytes(of: file)
        else { return false }
        return bytes.withUnsafeBytes { SourceStamp.checksum(of: $0) } == checksum
      }

      /// Where it is now: where it was, or else where the index is that moved with it.
      ///
      /// - Parameter index: The index file.
      package func file(beside index: FileName) -> FileName {
        if Files.exists(path) { return path }
        return FileName(bytes: index.folder.bytes + path.lastComponent.bytes)
      }
    }
  }

  package let parts: [Part]
  /// The input options that the sources are read with, as the command line takes them.
  package let options: [String]
  /// The text of the GeoJSON file that `--region` named; nil when it named none.
  package let regionArea: [UInt8]?
  /// How many annotations they give.
  package var records = 0
  /// How many records were rejected, by code.
  package var rejected: [String: Int] = [:]
  /// The store that it was built from, in place of parts; nil where it was built from files.
  package var store: StoreState?
  /// The layers of the store that have index files of their own behind this line, in that order; nil
  /// for a store of one layer, and in files of earlier versions.
  package var layers: [Layer]?

  /// A layer of a store, and how long its index file is.
  package struct Layer: Equatable {
    package let name: String
    package let byteCount: Int
  }

  /// Which state of which store an index holds.
  package struct StoreState: Equatable {
    /// The store's own name.
    package let name: String
    /// The version of what is kept of a store, and a `ChangeStamp`, in one word; the stamp alone in files of earlier
    /// versions, which is no state's.
    package let stamp: String
    /// Other programs build the index anew; raise it where they would read other annotations from the records.
    private static let contentVersion = 2

    package init(name: String, stamp: String) { (self.name, self.stamp) = (name, stamp) }

    /// The state of a store with a `ChangeStamp`.
    init(name: String, changeStamp: String) {
      self.init(name: name, stamp: "\(Self.contentVersion):\(changeStamp)")
    }
  }

  package init(parts: [Part], options: [String], regionArea: [UInt8]?) {
    self.parts = parts
    self.options = options
    self.regionArea = regionArea
  }

  package init(store: StoreState, records: Int) {
    self.init(parts: [], options: [], regionArea: nil)
    self.store = store
    self.records = records
  }

  // MARK: Writing

  /// The stamp of its only source, for apps that open the file; nil where there are several, or none that has one.
  var stamp: SourceStamp? {
    guard parts.count == 1, let origin = parts[0].origin, let checksum = origin.checksum else {
      return nil
    }
    return SourceStamp(
      byteCount: origin.stamp.byteCount, modified: origin.stamp.modified, checksum: checksum)
  }

  var headerLine: [UInt8] { PropertyValue.object(header).jsonLine }

  private var header: Properties {
    let sources = parts.map { part -> PropertyValue in
      var source: Properties = ["name": .string(part.name)]
      if let origin = part.origin {
        let path = origin.path.bytes
        source.append(
          "path",
          String(validating: path, as: UTF8.self).map { .string($0) }
            ?? .array(path.map { .integer(Int($0)) }))
        source.append("size", .integer(origin.stamp.byteCount))
        source.append("modified", .integer(origin.stamp.modified))
        if let checksum = origin.checksum { source.append("checksum", .integer(Int(checksum))) }
      }
      source.append("bytes", .integer(part.byteCount))
      return .object(source)
    }
    var header: Properties = [
      "sources": .array(sources), "options": .array(options.map { .string($0) }),
      "region": regionArea.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
      "records": .integer(records),
    ]
    if !rejected.isEmpty {
      let counts = rejected.sorted { $0.key < $1.key }
      header.append(
        "rejected",
        .object(Properties(counts.map { Properties.Entry(name: $0, value: .integer($1)) })))
    }
    if let store {
      var members: Properties = ["name": .string(store.name), "stamp": .string(store.stamp)]
      if let layers {
        members.append(
          "layers",
          .array(
            layers.map {
              .object(["name": .string($0.name), "bytes": .integer($0.byteCount)])
            }))
      }
      header.append("store", .object(members))
    }
    return header
  }

  // MARK: Reading

  package init(headerLine: [UInt8], named name: String) throws(ReportedError) {
    guard let header = try? PropertyValue(json: headerLine),
      case .object(let members) = header, let records = members["records"]?.wholeNumber,
      case .array(let sources)? = members["sources"],
      case .array(let options)? = members["options"]
    else { throw IndexedSources.damaged(name, "its header is damaged") }
    self.records = records
    self.options = options.compactMap(\.text)
    if case .object(let store)? = members["store"], let storeName = store["name"]?.text,
      let stamp = store["stamp"]?.text
    {
      self.store = StoreState(name: storeName, stamp: stamp)
      if case .array(let layers)? = store["layers"] {
        self.layers = try layers.map { (layer) throws(ReportedError) in
          guard case .object(let layer) = layer, let layerName = layer["name"]?.text,
            let count = layer["bytes"]?.wholeNumber, count >= 0
          else { throw IndexedSources.damaged(name, "its header is incomplete") }
          return Layer(name: layerName, byteCount: count)
        }
      }
    }
    if case .string(let area)? = members["region"] {
      regionArea = Array(area.utf8)
    } else {
      regionArea = nil
    }

    parts = try sources.map { (source) throws(ReportedError) in
      guard case .object(let source) = source,
        let count = source["bytes"]?.wholeNumber, count >= 0, let sourceName = source["name"]?.text
      else { throw IndexedSources.damaged(name, "its header is incomplete") }
      return Part(name: sourceName, origin: IndexedSources.origin(source), byteCount: count)
    }
    if case .object(let counts)? = members["rejected"] {
      // Far more than any source has, so that the counts of a damaged header can be added.
      var rest = 1 << 48
      for entry in counts.entries {
        guard let count = entry.value.wholeNumber, (0...rest).contains(count) else {
          throw IndexedSources.damaged(name, "its header is damaged")
        }
        rejected[entry.name] = count
        rest -= count
      }
    }
  }

  private static func origin(_ source: Properties) -> Part.Origin? {
    let path: [UInt8]
    switch source["path"] {
    case .string(let text)?: path = Array(text.utf8)
    case .array(let bytes)?:
      path = bytes.compactMap { byte in byte.wholeNumber.flatMap { UInt8(exactly: $0) } }
    default: return nil
    }
    guard let size = source["size"]?.wholeNumber, let modified = source["modified"]?.wholeNumber
    else { return nil }
    return Part.Origin(
      path: FileName(bytes: path), stamp: FileStamp(byteCount: size, modified: modified),
      checksum: source["checksum"]?.wholeNumber.flatMap { UInt32(exactly: $0) })
  }

  static func damaged(_ name: String, _ what: String) -> ReportedError {
    ReportedError(
      "index-damaged", "\(name): \(what); build it again with nearby index build",
      fault: .badData)
  }

  /// What the index was built from, for a person.
  package var lines: [String] {
    let sources = parts.map { part in
      "source       \(part.name), \(grouped(part.byteCount)) bytes"
        + (part.origin.map { " of " + Files.localTime(nanoseconds: $0.stamp.modified) } ?? "")
    }
    return ["format       \(IndexFileFormat.version)", "annotations  \(grouped(records))"] + sources
      + (options.isEmpty ? [] : ["options      " + options.joined(separator: " ")])
  }

  /// Throws when a source has changed since; one that is gone cannot have.
  func checkSources(beside file: FileName) throws(ReportedError) {
    for origin in parts.compactMap(\.origin) {
      let source = origin.file(beside: file)
      guard let now = Files.stamp(of: source), !origin.isUnchanged(in: source, now)
      else { continue }
      let built = Files.localTime(nanoseconds: origin.stamp.modified)
      let changed = Files.localTime(nanoseconds: now.modified)
      throw ReportedError(
        "index-stale",
        "\(file.text) was built from \(origin.path.lastComponent.text)"
          + (built == changed
            ? ", which has changed since" : " of \(built), which changed \(changed)")
          + "; rebuild it with nearby index build, or say `allowsStale`", fault: .badData)
    }
  }

  /// A clause that names the sources that are missing, such as `; its source a.csv is not there`;
  /// empty if none is.
  func missing(beside file: FileName) -> String {
    let names = parts.compactMap(\.origin).filter { Files.stamp(of: $0.file(beside: file)) == nil }
      .map(\.path.lastComponent.text)
    guard !names.isEmpty else { return "" }
    let list = names.joined(separator: ", ")
    return names.count == 1
      ? "; its source \(list) is not there" : "; its sources \(list) are not there"
  }

  /// The sources, read again as they were when the index was built, but for what these options say otherwise.
  package func read(
    beside file: FileName, _ options: ImportOptions, _ surroundings: SourceSurroundings,
    onReject: ((RejectedRecord) -> Void)? = nil
  ) throws(ReportedError) -> ImportResult {
    guard let (built, format) = try surroundings.options(self.options, regionArea) else {
      throw IndexedSources.damaged(file.text, "its options cannot be read")
    }
    let importer = AnnotationImporter(options: options.completed(by: built))
    var results: [ImportResult] = []
    for part in parts {
      let bytes = try bytes(of: part, beside: file)
      do throws(ImportError) {
        results.append(
          try importer.read(bytes, named: part.name, format: format, onReject: onReject))
      } catch {
        throw ReportedError(error)
      }
    }
    return ImportResult(joining: results)
  }

  /// The bytes of a source as they were when the index was built.
  private func bytes(of part: Part, beside index: FileName) throws(ReportedError) -> [UInt8] {
    func missing(_ why: String) -> ReportedError {
      ReportedError(
        "index-without-source",
        TerminalText.sanitized(
          "\(index.text) has the records as they were read, and \(part.name), which is needed to read them otherwise, \(why)"
        ), fault: .noInput)
    }
    guard let origin = part.origin else {
      throw missing("came through a pipe; build the index again with these options")
    }
    let file = origin.file(beside: index)
    guard let stamp = Files.stamp(of: file) else {
      throw missing("is not there; put it beside the index")
    }
    guard origin.isUnchanged(in: file, stamp) else {
      throw missing("has changed; build the index again")
    }
    return try Files.bytes(of: file)
  }
}

extension ImportOptions {
  /// These options, and those of an index where these say nothing.
  fileprivate func completed(by built: ImportOptions) -> ImportOptions {
    var options = self
    options.encoding = encoding ?? built.encoding
    options.takesShapesForPoints = takesShapesForPoints ?? built.takesShapesForPoints
    options.gpxPoints = gpxPoints ?? built.gpxPoints
    options.idField = idField ?? built.idField
    options.latitudeField = latitudeField ?? built.latitudeField
    options.longitudeField = longitudeField ?? built.longitudeField
    options.nameField = nameField ?? built.nameField
    options.kindField = kindField ?? built.kindField
    options.hoursField = hoursField ?? built.hoursField
    options.rowsFields = rowsFields.isEmpty ? built.rowsFields : rowsFields
    options.hasHeader = hasHeader && built.hasHeader
    options.delimiter = delimiter ?? built.delimiter
    options.comment = comment.isEmpty ? built.comment : comment
    options.quoting = quoting == .automatic ? built.quoting : quoting
    options.allowsNullIsland = allowsNullIsland || built.allowsNullIsland
    options.region = region ?? built.region
    if case .declared = crs { options.crs = built.crs }
    return options
  }
}
