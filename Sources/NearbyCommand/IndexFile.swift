import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// A source that was read and checked once: format 1 of `.nbx`.
///
/// Two lines of text, then GeoJSON features, one a line:
///
///     nearby-index 1
///     {"sources":[{"path":…,"bytes":…,"modified":…}],"records":…,"payloadBytes":…,"crc32":"…"}
///     {"type":"Feature",…}
///
/// The header tells whether the file is whole (length and checksum) and whether its sources have
/// changed since. Later formats will hold the tree itself.
struct IndexFile {
  static let formatVersion = 1
  private static let mark = "nearby-index "

  /// A file that the index was built from, as it was then.
  struct SourceStamp: Equatable {
    let path: FileName
    let stamp: FileStamp
  }

  let sources: [SourceStamp]
  let records: Int
  /// The features, as a GeoJSON sequence.
  let payload: [UInt8]

  /// Whether bytes begin as an index file does, of this or another version.
  static func hasMark(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark.utf8) }

  /// An index of annotations that were read from some files.
  init(_ annotations: ImportedAnnotations, sources: [SourceStamp]) {
    self.sources = sources
    records = annotations.count
    payload = GeoJSONWriter.bytes(
      of: annotations.lazy.map { $0.feature(keeping: nil) }, as: .sequence(recordSeparators: false))
  }

  func bytes() -> [UInt8] {
    var writer = JSONWriter()
    writer.value(
      .object([
        "sources": .array(
          sources.map { source in
            .object([
              "path": .string(String(decoding: source.path.bytes, as: UTF8.self)),
              "bytes": .integer(source.stamp.byteCount),
              "modified": .integer(source.stamp.modified),
            ])
          }), "records": .integer(records), "payloadBytes": .integer(payload.count),
        "crc32": .string(IndexFile.checksum(payload)),
      ]))
    writer.endLine()
    return Array("\(IndexFile.mark)\(IndexFile.formatVersion)\n".utf8) + writer.bytes + payload
  }

  /// Reads an index file and makes sure that it is whole.
  init(_ bytes: [UInt8], named name: String) throws(CommandError) {
    func damaged(_ what: String) -> CommandError {
      CommandError(
        "index-damaged", "\(name): \(what); build it again with nearby index build",
        status: .badData)
    }
    guard IndexFile.hasMark(bytes), let markEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      throw damaged("this is not an index file")
    }
    let version = String(
      decoding: bytes[IndexFile.mark.utf8.count..<markEnd], as: UTF8.self)
    guard version == String(IndexFile.formatVersion) else {
      throw CommandError(
        "index-version",
        """
        \(name): index format \(version.prefix(20)) is not format \(IndexFile.formatVersion); \
        build it again with nearby index build
        """, status: .badData)
    }
    guard let headerEnd = bytes[(markEnd + 1)...].firstIndex(of: UInt8(ascii: "\n")) else {
      throw damaged("its header is cut off")
    }
    let header: PropertyValue
    do throws(GeoJSONError) {
      header = try PropertyValue(json: Array(bytes[(markEnd + 1)..<headerEnd]))
    } catch {
      throw damaged("its header is damaged")
    }
    guard case .object(let members) = header,
      let records = members["records"]?.wholeNumber, records >= 0,
      let payloadBytes = members["payloadBytes"]?.wholeNumber,
      case .string(let checksum)? = members["crc32"],
      case .array(let sources)? = members["sources"]
    else { throw damaged("its header is incomplete") }
    let payload = Array(bytes[(headerEnd + 1)...])
    guard payload.count == payloadBytes else {
      throw damaged(
        "it holds \(grouped(payload.count)) bytes of \(grouped(payloadBytes))")
    }
    guard IndexFile.checksum(payload) == checksum else {
      throw damaged("its contents do not match their checksum")
    }
    self.records = records
    self.payload = payload
    self.sources = sources.compactMap { source in
      guard case .object(let members) = source, case .string(let path)? = members["path"],
        let byteCount = members["bytes"]?.wholeNumber,
        let modified = members["modified"]?.wholeNumber
      else { return nil }
      return SourceStamp(
        path: FileName(bytes: Array(path.utf8)),
        stamp: FileStamp(byteCount: byteCount, modified: modified))
    }
    guard self.sources.count == sources.count else { throw damaged("its header is incomplete") }
  }

  /// Throws when a source has changed since; one that is gone cannot have.
  func checkSource(beside file: FileName) throws(CommandError) {
    for source in sources {
      let sibling = FileName(
        bytes: file.bytes.dropLast(file.lastComponent.bytes.count)
          + source.path.lastComponent.bytes)
      guard let now = Files.stamp(of: source.path) ?? Files.stamp(of: sibling),
        now != source.stamp
      else { continue }
      throw CommandError(
        "index-stale",
        """
        \(file.text) was built from \(source.path.lastComponent.text) of \
        \(Console.localTime(nanoseconds: source.stamp.modified)), which changed \
        \(Console.localTime(nanoseconds: now.modified)); rebuild it with nearby index build, or \
        say --allow-stale
        """, status: .badData)
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> String {
    let text = String(Checksum.crc32(of: bytes), radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
  }
}

extension PropertyValue {
  /// The value of a JSON number that is an integer; nil otherwise.
  fileprivate var wholeNumber: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }
}
