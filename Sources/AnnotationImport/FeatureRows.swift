import GeoJSONCoding
import MapAnnotations
import MapProjections

/// The kept features of a GeoJSON source.
///
/// Features are read again on demand. A class, so that a copy takes one reference.
final class FeatureRows: Sendable {
  let records: KeptRecords
  let fields: FeatureFields
  let naming: RecordNaming
  /// The members of the collection beyond RFC 7946.
  let collectionMembers: Properties
  /// How the numbers of its geometries become degrees; nil if they are degrees.
  let plane: PlaneReading?
  /// Whether some features are lines, areas or several points, and are used as such.
  let hasShapes: Bool
  /// Whether all are known to be points, or nothing.
  let arePoints: Bool
  /// Their properties' names, each once, in the order in which they first appear; nil where all would have to be read.
  let columns: [String]?
  /// What there is to look for in them.
  let topics: FeatureTopics

  init(
    _ records: KeptRecords, fields: FeatureFields, naming: RecordNaming,
    collectionMembers: Properties, plane: PlaneReading? = nil, hasShapes: Bool = false,
    arePoints: Bool = false, columns: [String]? = nil, topics: FeatureTopics? = nil
  ) {
    self.topics = topics ?? FeatureTopics(columns, fields)
    self.hasShapes = hasShapes
    self.arePoints = arePoints
    self.columns = columns
    self.records = records
    self.fields = fields
    self.naming = naming
    self.collectionMembers = collectionMembers
    self.plane = plane
  }

  /// The feature of a row, in degrees.
  func feature(ofRow row: Int) -> Feature { scanned(row) { feature(of: $0) } }

  /// The feature, in degrees, of a row that is read already.
  func feature(of scanned: ScannedFeature) -> Feature {
    var feature = scanned.feature()
    if plane != nil {
      feature.geometry = feature.geometry.flatMap(inDegrees)
      // Both were about the source's numbers.
      feature.bbox = nil
      feature.foreignMembers["crs"] = nil
    }
    return feature
  }

  /// The geometry of a row's feature, in degrees; nil for `null`.
  func geometry(ofRow row: Int) -> Geometry? { scanned(row) { $0.geometry }.flatMap(inDegrees) }

  /// nil if a transform that reads its own files, such as PROJ's, no longer works as it did on
  /// import.
  private func inDegrees(_ geometry: Geometry) -> Geometry? {
    guard let plane else { return geometry }
    return try? geometry.transformed(by: plane)
  }

  /// The feature as text: as written, unless its numbers are not degrees.
  func text(ofRow row: Int) -> [UInt8] {
    guard plane != nil else { return Array(records.bytes[records.starts[row]..<records.ends[row]]) }
    var writer = JSONWriter()
    writer.feature(feature(ofRow: row))
    return writer.bytes
  }

  /// The id of a row, or its substitute: the record number if no feature has an id, otherwise an id
  /// from the content.
  func id(ofRow row: Int, record: Int) -> AnnotationID {
    scanned(row) { id(of: $0, record: record) }
  }

  /// The same of a row that is read already.
  func id(of scanned: ScannedFeature, record: Int) -> AnnotationID {
    if let text = fields.id(of: scanned) { return AnnotationID(text) }
    return naming == .numbers ? AnnotationID(record) : ContentID.id(of: feature(of: scanned))
  }

  func placeID(ofRow row: Int) -> String? {
    topics.places ? scanned(row) { fields.text(KnownNames.place, of: $0) } : nil
  }

  func kind(ofRow row: Int) -> String? {
    topics.kinds ? scanned(row) { fields.text(fields.kind, of: $0) } : nil
  }

  func openingHours(ofRow row: Int) -> String? {
    topics.hours ? scanned(row) { fields.hours(of: $0) } : nil
  }

  func address(ofRow row: Int) -> String? {
    topics.addresses ? scanned(row) { fields.text(KnownNames.address, of: $0) } : nil
  }

  /// The name of a feature; nil if its name properties are empty.
  func name(ofRow row: Int) -> String? { topics.names ? scanned(row) { fields.name(of: $0) } : nil }

  /// Whether the hours of a row are those of a known name.
  func hasKnownHours(_ row: Int) -> Bool {
    if !fields.areStored, fields.hours == KnownNames.hours { return true }
    return scanned(row) {
      fields.hours(of: $0) == $0.text(ofPropertyNamed: KnownNames.hours, by: \.hoursText)
    }
  }

  func validDates(ofRow row: Int) -> [DateSpan] {
    topics.validDates ? scanned(row) { fields.validDates(of: $0).spans } : []
  }

  /// The value of the first property with exactly that name; nil if there is none.
  func property(ofRow row: Int, _ name: String) -> PropertyValue? {
    topics.mayHave(name) ? scanned(row) { $0.property(name) } : nil
  }

  /// The properties of a row, if some feature may have one that a reader looks at.
  func properties(ofRow row: Int, if isTopic: Bool) -> Properties {
    isTopic ? feature(ofRow: row).properties ?? Properties() : Properties()
  }

  /// Reads the feature of a row again.
  ///
  /// It was valid before; if it cannot be read now, it counts as empty.
  func scanned<Result>(_ row: Int, _ body: (ScannedFeature) -> Result) -> Result {
    records.bytes.withUnsafeBufferPointer { buffer in
      let text = buffer[records.starts[row]..<records.ends[row]]
      return body(ScannedFeature(UnsafeBufferPointer(rebasing: text)) ?? .silent)
    }
  }
}

/// What the features of a source may say, by the names of their properties: what none has needs no reading.
struct FeatureTopics: Sendable {
  let names: Bool
  let kinds: Bool
  let hours: Bool
  let places: Bool
  let validDates: Bool
  let addresses: Bool
  /// Whether properties may tell of being in business, of closing days, of times beside hours, and of days and sessions.
  let business: Bool
  let closingDays: Bool
  let times: Bool
  let calendars: Bool
  /// The names of their properties; nil where these are not known.
  private let columns: Set<String>?

  init(_ columns: [String]?, _ fields: FeatureFields) {
    self.columns = columns.map { Set($0) }
    let known = columns.map { Set($0.map { $0.lowercased() }) }
    // What is stored beside the properties has no column.
    func mayHave(_ names: [String]) -> Bool {
      guard let known, !fields.areStored else { return true }
      return names.contains(where: known.contains)
    }
    names = mayHave(fields.name) || fields.nameTemplate != nil
    kinds = mayHave(fields.kind)
    hours = mayHave(fields.hours)
    places = mayHave(KnownNames.place)
    validDates = mayHave(KnownNames.validFrom + KnownNames.validUntil)
    addresses = mayHave(KnownNames.address)
    // Looked up here once, because a source may have as many names as rows.
    func mayHaveOne(_ isColumn: (String) -> Bool) -> Bool {
      columns?.contains(where: isColumn) ?? true
    }
    business = mayHaveOne(BusinessRecord.isColumn)
    closingDays = mayHaveOne(ClosingDayColumns.isColumn)
    times = mayHaveOne { TimesColumns.meaning(of: $0) != nil }
    calendars = mayHaveOne(AnnotationCalendar.isColumn)
  }

  /// Whether some feature may have a property.
  func mayHave(_ name: String) -> Bool { columns?.contains(name) ?? true }
}

/// The roles of a feature's properties: normalized names in order of preference.
struct FeatureFields: Sendable {
  let kind: [String]
  let hours: [String]
  let name: [String]
  /// The template of a name made from several properties; nil if one property has it.
  private(set) var nameTemplate: NameTemplate?
  private let idField: String?
  /// Whether features may say in `StoredMember` what their annotations are.
  let areStored: Bool

  /// Whether no option names the id property.
  var namesIDsItself: Bool { idField == nil }

  /// The properties of names, kinds and hours, and of ids if an option names it.
  var lists: [[String]] { [name, kind, hours, idField.map { [$0] } ?? []] }

  init?(lists: [[String]], areStored: Bool) {
    guard lists.count == 4 else { return nil }
    self.areStored = areStored
    name = lists[0]
    kind = lists[1]
    hours = lists[2]
    idField = lists[3].first
  }

  init(_ options: ImportOptions, areStored: Bool = false) {
    self.areStored = areStored
    func names(_ chosen: String?, _ known: [String]) -> [String] {
      chosen.map { [$0.lowercased()] } ?? known
    }
    nameTemplate = options.nameField.flatMap(NameTemplate.init)
    name = names(options.nameField, KnownNames.name)
    kind = names(options.kindField, KnownNames.kind)
    hours = names(options.hoursField, KnownNames.hours)
    idField = options.idField
  }

  /// The same fields, with a stored name template.
  func naming(by text: String?) -> FeatureFields {
    var fields = self
    fields.nameTemplate = text.flatMap(NameTemplate.init)
    return fields
  }

  func name(of feature: ScannedFeature) -> String? {
    let own = text(name, of: feature, by: \.nameText)
    guard let nameTemplate else { return own }
    // A property may have the template text as its name.
    return own
      ?? nameTemplate.text {
        text([nameTemplate.fields[$0].lowercased()], of: feature)
      }
  }

  /// The feature's own id, or the property `id`, unless options say otherwise; nil if it has none.
  func id(of feature: ScannedFeature) -> String? {
    writtenID(of: feature).flatMap { IDKey.isBlank($0.utf8) ? nil : $0 }
  }

  private func writtenID(of feature: ScannedFeature) -> String? {
    switch idField {
    case ImportOptions.recordNumberField: nil
    case let field?: text([field.lowercased()], of: feature, isExact: true)
    case nil:
      (areStored && StoredMember.of(feature) != nil ? nil : feature.featureID?.text)
        ?? text(KnownNames.id, of: feature, isExact: true)
    }
  }

  func hours(of feature: ScannedFeature) -> String? { text(hours, of: feature, by: \.hoursText) }

  func validDates(of feature: ScannedFeature) -> ValidDates {
    ValidDates(
      from: text(KnownNames.validFrom, of: feature),
      until: text(KnownNames.validUntil, of: feature))
  }

  /// The text of the first of several properties that a feature has, or the stored value beside
  /// them; nil if it is empty or null.
  func text(
    _ names: [String], of feature: ScannedFeature, isExact: Bool = false,
    by textOf: (PropertyValue) -> String? = \.text
  ) -> String? {
    if areStored, let stored = StoredMember.of(feature),
      let known = StoredMember.value(names, in: stored)
    {
      return known
    }
    return feature.text(ofPropertyNamed: names, isExact: isExact, by: textOf)
  }
}
