import GeoJSONCoding
import MapAnnotations

/// The origin of the ids of a source's records.
enum RecordNaming: String, Sendable {
  /// No record has an id: each is identified by its number.
  case numbers
  /// Every record has its own id.
  case own
  /// Some records have ids. The others are identified by their content (`ContentID`): their number
  /// may be another record's id, and changes when a row is inserted before them.
  case mixed

  init(named: Int, unnamed: Int) {
    self = named == 0 ? .numbers : unnamed == 0 ? .own : .mixed
  }
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

  /// Whether the text of an id is empty or blank.
  static func isBlank(_ text: some Sequence<UInt8>) -> Bool { text.allSatisfy { $0 <= 0x20 } }
}

extension ContentID {
  /// The id of a GeoJSON feature without one.
  static func id(of feature: Feature) -> AnnotationID {
    var content = ContentID()
    for entry in feature.properties?.entries ?? [] {
      if let text = entry.value.text {
        if !NullText.isNull(text) { content.add(entry.name, text) }
      } else if entry.value != .null {
        content.add(entry.name, entry.value.jsonText)
      }
    }
    if let geometry = feature.geometry {
      var writer = JSONWriter()
      writer.feature(Feature(geometry: geometry, properties: nil))
      content.add("geometry", writer.text)
    }
    return content.id
  }
}
