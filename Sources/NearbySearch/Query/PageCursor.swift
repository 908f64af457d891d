import Geodesy
import MapAnnotations

/// Where a page of results ended, as text for requesting the next page.
///
/// It holds the place of the last result in its order (key, distance, id) and a fingerprint of the query. So results
/// that are added or removed between pages neither repeat nor hide others, and those added after the place appear on
/// later pages. Only results that share a place are counted: records with the same id, such as those of several files.
///
/// The text is opaque: URL-safe, with a checksum, a few dozen characters long. It does not name the source, because
/// servers hand it to clients, who need not know where on a disk that is.
struct PageCursor: Hashable, Sendable {
  let place: ResultPlace
  /// How many results of this place were shown, on all pages so far; at least 1.
  ///
  /// They come in the same order each time, so these are the first of them.
  let shownCount: Int
  private let fingerprint: UInt64

  init(_ place: ResultPlace, shownCount: Int, of query: String) {
    self.place = place
    self.shownCount = shownCount
    fingerprint = query.utf8.fnvHash
  }

  /// Those before also named the source.
  private static let version: UInt8 = 4

  /// Reads a cursor.
  ///
  /// - Parameters:
  ///   - text: The text that `description` gave.
  ///   - query: The query, as any text that is the same for every page and differs between queries.
  /// - Throws: `PageCursorError`, for a text that is not a cursor or is one of another query.
  init(_ text: String, of query: String) throws(PageCursorError) {
    guard let bytes = Base64.url.bytes(of: text), bytes.count > 4 else { throw .malformed }
    var reader = ByteReader(bytes.dropLast(4))
    guard Self.checksum(bytes.dropLast(4)) == Array(bytes.suffix(4)),
      reader.byte() == Self.version,
      let fingerprint = reader.word(), let band = reader.word(), let rank = reader.byte(),
      let value = reader.text(), let hasDistance = reader.byte(), let distance = reader.word(),
      let id = reader.text(), let sortRank = SortValue.Rank(rawValue: rank),
      let count = reader.word(), let shownCount = UInt32(exactly: count), shownCount > 0,
      let ties = reader.values(), reader.isAtEnd
    else { throw .malformed }
    guard fingerprint == query.utf8.fnvHash else { throw .mismatch }
    self.fingerprint = fingerprint
    self.shownCount = Int(shownCount)
    place = ResultPlace(
      band: Int(bitPattern: UInt(band)), value: SortValue(rank: sortRank, text: value),
      ties: ties,
      distance: hasDistance == 1 ? Double(bitPattern: distance) : nil, id: AnnotationID(id),
      origin: nil)
  }
}

extension NearbyQuery {
  /// Where the previous page ended; nil for the first page.
  var cursor: PageCursor? {
    get throws(QueryError) {
      guard let after, !after.isEmpty else { return nil }
      do throws(PageCursorError) {
        return try PageCursor(after, of: pagesText)
      } catch {
        throw .cursor(error)
      }
    }
  }

  /// The id of the last result of the previous page; nil for the first page.
  package var lastOfPageBefore: AnnotationID? {
    get throws(QueryError) { try cursor?.place.id }
  }
}

extension PageCursor: CustomStringConvertible {
  /// The cursor as text.
  var description: String {
    var bytes: [UInt8] = []
    bytes.append(Self.version)
    bytes.appendVarint(fingerprint)
    bytes.appendVarint(UInt64(UInt(bitPattern: place.band)))
    bytes.append(place.value.rank.rawValue)
    bytes.append(place.value.text)
    bytes.append(place.distance == nil ? 0 : 1)
    bytes.appendVarint((place.distance ?? 0).bitPattern)
    bytes.append(place.id.text)
    bytes.appendVarint(UInt64(shownCount))
    for tie in place.ties {
      bytes.append(tie.rank.rawValue)
      bytes.append(tie.text)
    }
    return Base64.url.text(of: bytes + Self.checksum(bytes[...]))
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let hash = bytes.fnvHash
    return (0..<4).map { UInt8(truncatingIfNeeded: (hash ^ hash >> 32) >> (8 * $0)) }
  }
}

/// Why a cursor cannot be used.
public enum PageCursorError: String, CodedError, CaseIterable {
  /// The text is not a cursor, or was changed.
  case malformed = "cursor-syntax"
  /// The cursor belongs to another query.
  case mismatch = "cursor-mismatch"

  /// The error code, such as `cursor-mismatch`.
  public var code: String { rawValue }

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .malformed:
      "this is not a cursor, or it was changed; copy all of the page's next, or leave it empty for "
        + "the first page"
    case .mismatch:
      "this cursor belongs to another query; ask with the same position, filters and order, or "
        + "begin again without it"
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) {
    appendVarint(UInt64(text.utf8.count))
    self += text.utf8
  }
}

private struct ByteReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8? { bytes.popFirst() }

  mutating func word() -> UInt64? {
    var word: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      word |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return word }
    }
    return nil
  }

  /// The values up to the end of the bytes.
  mutating func values() -> [SortValue]? {
    var values: [SortValue] = []
    while !isAtEnd {
      guard let rank = byte().flatMap(SortValue.Rank.init), let text = text() else { return nil }
      values.append(SortValue(rank: rank, text: text))
    }
    return values
  }

  mutating func text() -> String? {
    guard let count = word(), count <= UInt64(bytes.count) else { return nil }
    defer { bytes = bytes.dropFirst(Int(count)) }
    return String(validating: bytes.prefix(Int(count)), as: UTF8.self)
  }
}
