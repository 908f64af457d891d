import GeoJSONCoding
import MapAnnotations

/// The kept features of a GeoJSON source: its bytes, and where each feature lies in them.
///
/// A feature is read again when it is asked for.
struct FeatureRows: Sendable {
  let bytes: [UInt8]
  let starts: RowOffsets
  let ends: RowOffsets
  let fields: FeatureFields
  /// What the collection says beyond RFC 7946.
  let collectionMembers: Properties

  /// The feature of a row.
  func feature(ofRow row: Int) -> Feature {
    bytes.withUnsafeBufferPointer { buffer in
      let slice = UnsafeBufferPointer(rebasing: buffer[starts[row]..<ends[row]])
      var feature = Feature(geometry: nil, properties: nil)
      do throws(GeoJSONError) {
        try GeoJSONReader(framing: .document).read(slice) { record in
          if case .success(let found) = record.feature { feature = found }
          return .stop
        }
      } catch {
        preconditionFailure("a feature that was read before cannot be read again: \(error)")
      }
      return feature
    }
  }

  func id(ofRow row: Int) -> String? { fields.id(of: feature(ofRow: row)) }

  /// The text of the first of some properties that a feature has; nil when it is empty or null.
  func value(ofRow row: Int, _ names: [String]) -> String? {
    FeatureFields.value(names, of: feature(ofRow: row))
  }

  func validDates(ofRow row: Int) -> [DateSpan] { fields.validDates(of: feature(ofRow: row)).spans }
}

/// Which properties of features hold what: names as they are compared, in order of preference.
struct FeatureFields: Sendable {
  let name: [String]
  let kind: [String]
  let hours: [String]
  private let idField: String?

  /// Names, kinds, hours, and the id's field if there is one.
  var lists: [[String]] { [name, kind, hours, idField.map { [$0] } ?? []] }

  init?(lists: [[String]]) {
    guard lists.count == 4 else { return nil }
    name = lists[0]
    kind = lists[1]
    hours = lists[2]
    idField = lists[3].first
  }

  init(_ options: ImportOptions) {
    func names(_ chosen: String?, _ known: [String]) -> [String] {
      chosen.map { [$0.lowercased()] } ?? known
    }
    name = names(options.nameField, KnownNames.name)
    kind = names(options.kindField, KnownNames.kind)
    hours = names(options.hoursField, KnownNames.hours)
    idField = options.idField
  }

  /// The feature's own id, or the property `id`, unless options say otherwise; nil when its record
  /// number is its id.
  func id(of feature: Feature) -> String? {
    switch idField {
    case ImportOptions.recordNumberField: nil
    case let field?: FeatureFields.value([field.lowercased()], of: feature)
    case nil:
      feature.foreignMembers.isEmpty || StoredMember.of(feature) == nil
        ? feature.id?.text ?? FeatureFields.value(KnownNames.id, of: feature)
        : FeatureFields.value(KnownNames.id, of: feature)
    }
  }

  func validDates(of feature: Feature) -> ValidDates {
    ValidDates(
      from: FeatureFields.value(KnownNames.validFrom, of: feature),
      until: FeatureFields.value(KnownNames.validUntil, of: feature))
  }

  static func value(_ names: [String], of feature: Feature) -> String? {
    if !feature.foreignMembers.isEmpty, let stored = StoredMember.of(feature),
      let known = StoredMember.value(names, in: stored)
    {
      return known
    }
    guard let entries = feature.properties?.entries else { return nil }
    for name in names {
      // Lengths first: most names differ in theirs, and lowercasing costs far more.
      let entry = entries.first {
        $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name
      }
      if let text = entry?.value.text, !text.isEmpty { return text }
    }
    return nil
  }
}
