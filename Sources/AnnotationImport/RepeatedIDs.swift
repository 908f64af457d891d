import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Finds repeated ids of a source.
enum RepeatedIDs {
  /// The number of rows whose id an earlier row has, the first of them, and what to say of it; nil if there is none.
  ///
  /// - Parameters:
  ///   - column: The column of ids.
  ///   - offsets: Where each row begins.
  static func find(
    in bytes: UnsafeBufferPointer<UInt8>, _ dialect: DelimitedDialect, column: Int,
    _ offsets: RowOffsets, count: Int
  ) -> (count: Int, first: Int, message: String)? {
    func key(ofRow row: Int) -> IDKey? {
      var reader = DelimitedReader(bytes, dialect: dialect, from: offsets[row])
      return IDKey(reader.cell(column), in: bytes)
    }
    // A row without an id repeats none.
    let keys = (0..<count).map { row in
      key(ofRow: row).map { $0.equalKey(in: bytes) } ?? EqualKeys.Key(UInt64(row), .max)
    }
    var repeats = (count: 0, first: Int.max)
    EqualKeys.forEachGroup(of: keys) { rows in
      repeats.count += rows.count - 1
      repeats.first = min(repeats.first, rows[1])
    }
    guard repeats.count > 0, let first = key(ofRow: repeats.first) else { return nil }
    let id = first.text(in: bytes)
    return (repeats.count, repeats.first, "id \(id) was already used; both rows are kept")
  }
}

extension IDKey {
  /// A key that is equal for equal ids, and for different ones once in 2¹²⁸.
  ///
  /// That of a text is seeded at random in each process, so that no source can make different ones equal on purpose.
  fileprivate func equalKey(in bytes: UnsafeBufferPointer<UInt8>) -> EqualKeys.Key {
    func hash(_ range: Range<Int>, _ seed: Int) -> UInt64 {
      var hasher = Hasher()
      hasher.combine(seed)
      hasher.combine(
        bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[range]))
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }
    return switch self {
    case .number(let number): EqualKeys.Key(UInt64(bitPattern: Int64(number)), 0)
    case .text(let range): EqualKeys.Key(hash(range, 0), hash(range, 1))
    case .unordered(let range): EqualKeys.Key(hash(range, 2), hash(range, 3))
    }
  }
}

/// The origin of the ids of a source's records.
enum RecordNaming: String, Sendable {
  /// No record has an id: each is identified by its number.
  case numbers
  /// Every record has its own id.
  case own
  /// Some records have ids. The others are identified by their content (`ContentID`): their number
  /// may be another record's id, and changes when a row is inserted before them.
  case mixed

  init(named: Int, unnamed: Int) { self = named == 0 ? .numbers : unnamed == 0 ? .own : .mixed }
}

/// The id of a record without one in a source where others have ids.
///
/// It is `no-id-` and the first 64 bits of a SHA-256 digest of the content, in hexadecimal. The
/// same record has the same id in every import, wherever it is in its source. A record with other
/// content has another id, and records with the same content share one. Empty values (an empty
/// cell, a null) are ignored, so that a new column without values changes no id.
struct ContentID {
  private var bytes: [UInt8] = []

  /// Adds the value under one name.
  mutating func add(_ name: String, _ value: String) {
    for text in [name, value] {
      bytes += text.utf8
      // Ends a text with a byte that no text contains, so that different pairs of texts stay different.
      bytes.append(.max)
    }
  }

  var id: AnnotationID {
    var digest = ContentDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return AnnotationID("no-id-" + digest.hexadecimal().prefix(16))
  }

  /// The warning for the first record without an id.
  static let remark =
    "there is no id here, so the record is identified by its content; give it an id to be able to change it"

  /// The id of a GeoJSON feature without one.
  static func id(of feature: Feature) -> AnnotationID {
    var content = ContentID()
    for entry in feature.properties?.entries ?? [] {
      guard let text = entry.value.cellText, !NullText.isNull(text) else { continue }
      content.add(entry.name, text)
    }
    if let geometry = feature.geometry {
      var writer = JSONWriter()
      writer.feature(Feature(geometry: geometry, properties: nil))
      content.add("geometry", writer.text)
    }
    return content.id
  }
}

/// Finds repeated keys among millions, most of which occur once.
///
/// A dictionary takes five times as long, and sorting ten times.
enum EqualKeys {
  /// A key of two words, compared for equality.
  struct Key: Hashable {
    let first: UInt64
    let second: UInt64

    init(_ first: UInt64, _ second: UInt64) {
      self.first = first
      self.second = second
    }

    fileprivate func bucket(_ bits: Int) -> Int {
      // The upper bits of a product depend on all bits of its factor.
      let mixed = (first &* 0x9E37_79B9_7F4A_7C15 ^ second) &* 0xD6E8_FEB8_6659_FD93
      return Int((mixed ^ (first >> 7 &* 0xA24B_AED4_963E_E407)) >> UInt64(64 - bits))
    }
  }

  /// Calls `body` with the indices of each repeated key, ascending; keys come in no order.
  ///
  /// - Complexity: O(*n*) expected; 8 to 12 bytes of memory for each key.
  static func forEachGroup(of keys: [Key], _ body: ([Int]) -> Void) {
    guard keys.count > 1 else { return }
    // One to two buckets for each key.
    let bits = Int.bitWidth - (keys.count - 1).leadingZeroBitCount
    var ends = [UInt32](repeating: 0, count: 1 << bits + 1)
    for key in keys { ends[key.bucket(bits) + 1] += 1 }
    for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
    var starts = ends
    let places = [UInt32](unsafeUninitializedCapacity: keys.count) { places, count in
      for (place, key) in keys.enumerated() {
        let bucket = key.bucket(bits)
        places.initializeElement(at: Int(starts[bucket]), to: UInt32(place))
        starts[bucket] += 1
      }
      count = keys.count
    }
    for bucket in 0..<1 << bits where ends[bucket + 1] - ends[bucket] > 1 {
      let members = places[Int(ends[bucket])..<Int(ends[bucket + 1])].map(Int.init)
      guard members.count > 2 || keys[members[0]] == keys[members[1]] else { continue }
      for group in Dictionary(grouping: members, by: { keys[$0] }).values where group.count > 1 {
        body(group)
      }
    }
  }
}
