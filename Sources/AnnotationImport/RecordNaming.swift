import GeoJSONCoding
import MapAnnotations

/// Where the ids of a source's records come from.
enum RecordNaming: String, Sendable {
  /// No record names one: each goes by its number.
  case numbers
  /// Every record names its own.
  case own
  /// Some do. The others go by what they say, as `ContentID` has it: their number may be the id of
  /// another record, and passes to another row when one is put in before them.
  case mixed

  init(named: Int, unnamed: Int) {
    self = named == 0 ? .numbers : unnamed == 0 ? .own : .mixed
  }
}

/// The id of a record that has none while others of its source do: `no-id-` and the first 64 bits of
/// a SHA-256 digest of what it says, in hexadecimal.
///
/// The same record has it in every import, wherever it stands in its source. One that says something
/// else has another, and records that say the same share one. What says nothing (an empty cell, a
/// null) is left out, so that a new column without values renames nothing.
struct ContentID {
  private var bytes: [UInt8] = []

  /// Takes what the record says under one name.
  mutating func add(_ name: String, _ value: String) {
    for text in [name, value] {
      bytes += text.utf8
      // Ends a text, since it is in none: two texts are not another two put together.
      bytes.append(.max)
    }
  }

  var id: AnnotationID {
    var digest = ContentDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return AnnotationID("no-id-" + digest.hexadecimal().prefix(16))
  }

  /// What is said of the first record without an id.
  static let remark =
    "there is no id here, so the record is identified by its content; give it an id to be able to change it"

  /// Whether the text of an id names nothing: it is empty, or of nothing but blanks.
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
        content.add(entry.name, JSONWriter.text(of: entry.value))
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

extension JSONWriter {
  /// A value as JSON on one line.
  fileprivate static func text(of value: PropertyValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return writer.text
  }
}
