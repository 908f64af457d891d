import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Joins records to their places in another source: many records to many places.
///
/// A deal that names two addresses becomes two annotations. Each has the ids of the deal and of the
/// place (`12@a7`), and a `placeID` by which the deals of one place can be found:
///
///     let join = PlaceJoin(places: addresses.annotations, named: "addresses.json", key: "address_ids")
///     let result = try join.join(deals)
///
/// An annotation has the properties of its record and of its place, whose id is `place_id`. If both have a
/// property, the record's keeps the name and the place's gets the prefix `place_`. A record without a known place
/// is kept once, with its own id and position; one whose place has no position is unplaced.
public struct PlaceJoin: Sendable {
  private let places: ImportedAnnotations
  /// The first place of each id.
  private let placeOfID: [AnnotationID: Int]
  private let source: String
  private let key: String

  /// Prepares places for lookup.
  ///
  /// - Parameters:
  ///   - places: If several have the same id, the first counts; the importer has warned of the others.
  ///   - source: The name of their source, for messages.
  ///   - key: The property in which records name places: a list of ids, or one text with ids separated by commas,
  ///     semicolons or vertical bars.
  /// - Complexity: O(*n*), and the ids in memory.
  public init(places: ImportedAnnotations, named source: String, key: String) {
    self.places = places
    self.source = source
    self.key = key
    var placeOfID: [AnnotationID: Int] = [:]
    for (place, annotation) in places.enumerated() where placeOfID[annotation.id] == nil {
      placeOfID[annotation.id] = place
    }
    self.placeOfID = placeOfID
  }

  /// Joins the records of one source to their places.
  ///
  /// Unknown keys are counted under the warning `place-unknown` and listed in a remark; a place
  /// that a record names twice is counted under `place-repeated`.
  ///
  /// - Parameters:
  ///   - result: The imported records.
  ///   - isStrict: Whether an annotation without a position fails the import.
  /// - Returns: An annotation for each place of each record, in the order of the records and of
  ///   their keys; record numbers follow that order.
  /// - Throws: `ImportError` if no record has the property, or a strict import has annotations
  ///   without a position.
  /// - Complexity: O(*r* + *n*) for *r* records and *n* annotations, each of which is kept as text.
  public func join(
    _ result: ImportResult, isStrict: Bool = false
  ) throws(ImportError) -> ImportResult {
    let records = result.annotations
    let from = records.sources.first ?? ""
    var rows = JoinedRows()
    var unknown: Set<AnnotationID> = []
    var hasKey = false
    var report = result.report
    // Annotations are counted again.
    report.examples[RowProblem.noCoordinate.code] = nil
    for record in records {
      let value = record.property(key)
      hasKey = hasKey || value != nil
      let number = record.origin?.record ?? 0
      var reached: [Int] = []
      for id in keys(in: value) {
        guard let place = placeOfID[id] else {
          unknown.insert(id)
          report.countWarning(
            "place-unknown",
            example:
              "\(from): record \(grouped(number)) names the place \(id), and \(source) has none "
              + "with that id; add it there, or correct \(key)")
          continue
        }
        guard !reached.contains(place) else {
          report.countWarning(
            "place-repeated",
            example: "\(from): record \(grouped(number)) names the place \(id) twice; taken once")
          continue
        }
        reached.append(place)
      }
      if reached.isEmpty { rows.append(record) }
      for place in reached { rows.append(record, at: places[place]) }
    }
    guard hasKey || records.isEmpty else {
      let columns = records[0].properties.entries.map(\.name)
      throw ImportError(from, .unknownField(key, option: "key", columns: columns))
    }
    if !unknown.isEmpty {
      report.remarks.append("\(source): \(PlaceJoin.remark(ofUnknown: unknown.sorted()))")
    }
    rows.count(into: &report, from: from)
    if isStrict, report.unplaced > 0 {
      report.rejected[RowProblem.noCoordinate.code, default: 0] += report.unplaced
      report.unplaced = 0
      throw ImportError(from, .rejectedWhenStrict, report: report, annotations: records)
    }
    return ImportResult(
      annotations: ImportedAnnotations(
        rows.table(
          from, members: result.annotations.collectionMembers,
          isNumbered: !records.numberedSources.isEmpty)), report: report)
  }

  /// The place ids of a record, in order.
  private func keys(in value: PropertyValue?) -> [AnnotationID] {
    switch value {
    case .array(let elements)?: return elements.flatMap { keys(in: $0) }
    case .string(let text)?:
      if NullText.isNull(text) { return [] }
      // The whole text may be a place's id, or a list written as JSON in a cell.
      if placeOfID[AnnotationID(text)] != nil { return [AnnotationID(text)] }
      if text.hasPrefix("["), let list = try? PropertyValue(json: Array(text.utf8)) {
        return keys(in: list)
      }
      return text.split(whereSeparator: { ",;|".contains($0) })
        .map { trimmed($0, where: \.isWhitespace) }.filter { !$0.isEmpty }
        .map { AnnotationID($0) }
    default: return value?.text.map { [AnnotationID($0)] } ?? []
    }
  }

  private static func remark(ofUnknown ids: [AnnotationID]) -> String {
    let shown = ids.prefix(20)
    let more = ids.count - shown.count
    return
      "\(grouped(ids.count)) \(ids.count == 1 ? "place is" : "places are") named but missing: "
      + shown.map(\.text).joined(separator: ", ") + (more > 0 ? " and \(grouped(more)) more" : "")
  }
}

/// The resulting annotations, as features to be read again.
private struct JoinedRows {
  private var latitudes: [Double] = []
  private var longitudes: [Double] = []
  private var kept = KeptRecords()
  private var hasShapes = false
  private var lastID: AnnotationID?
  private var idsAscend = true
  /// What is said of the first annotation without a position.
  private var firstUnplaced: String?

  /// Appends a record without a known place.
  mutating func append(_ record: ImportedAnnotation) {
    let (annotation, feature) = record.whole
    noteUnplaced(annotation, record) { "\($0) has no known place and no position" }
    append(annotation, feature?.geometry, members: feature?.foreignMembers ?? Properties())
  }

  mutating func append(_ record: ImportedAnnotation, at place: ImportedAnnotation) {
    var (annotation, feature) = record.whole
    annotation.id = PlaceJoin.id(of: annotation.id, at: place.id)
    annotation.placeID = place.id.text
    annotation.name = annotation.name ?? place.name
    annotation.kind = annotation.kind ?? place.kind
    annotation.openingHours = annotation.openingHours ?? place.openingHours
    if annotation.validDates.isEmpty { annotation.validDates = place.validDates }
    annotation.coordinate = place.coordinate
    annotation.properties = PlaceJoin.properties(of: record, at: place)
    noteUnplaced(annotation, record) { "\($0) is at \(place.id), which has no position" }
    append(
      annotation, place.feature?.geometry, members: feature?.foreignMembers ?? Properties())
  }

  private mutating func noteUnplaced(
    _ annotation: BasicAnnotation, _ record: ImportedAnnotation, _ sentence: (String) -> String
  ) {
    guard annotation.coordinate == nil, firstUnplaced == nil else { return }
    firstUnplaced = sentence("record \(grouped(record.origin?.record ?? 0))")
  }

  private mutating func append(
    _ annotation: BasicAnnotation, _ shape: Geometry?, members: Properties
  ) {
    var feature = Feature(
      geometry: shape ?? annotation.coordinate.map { .point(Position($0)) },
      properties: annotation.properties, foreignMembers: members)
    StoredMember.put(annotation, into: &feature)
    var writer = JSONWriter()
    if let shape, !shape.isPoint { hasShapes = true }
    writer.feature(feature)
    kept.append(writer.bytes[...], line: latitudes.count + 1)
    latitudes.append(annotation.coordinate?.latitude ?? .nan)
    longitudes.append(annotation.coordinate?.longitude ?? .nan)
    if let lastID, annotation.id < lastID { idsAscend = false }
    lastID = annotation.id
  }

  func count(into report: inout ImportReport, from source: String) {
    report.unplaced = latitudes.count { $0.isNaN }
    report.placed = latitudes.count - report.unplaced
    report.records = latitudes.count + report.rejectedCount
    if let firstUnplaced {
      report.examples[RowProblem.noCoordinate.code] =
        "\(source): \(firstUnplaced); it is kept, unplaced"
    }
  }

  func table(_ source: String, members: Properties, isNumbered: Bool) -> SourceTable {
    SourceTable(
      source: source, latitudes: latitudes, longitudes: longitudes, numbering: RecordNumbering(),
      idsAscend: idsAscend, defaultKind: nil,
      rows: .features(
        FeatureRows(
          kept, fields: FeatureFields(ImportOptions(), areStored: true), naming: .own,
          collectionMembers: members, hasShapes: hasShapes)),
      isNumbered: isNumbered)
  }
}

extension PlaceJoin {
  /// The id of a record at a place: both with `@` between them.
  ///
  /// In the record's id, `@` is written `%40` and `%` is written `%25`, so that no two pairs have the same id.
  static func id(of record: AnnotationID, at place: AnnotationID) -> AnnotationID {
    AnnotationID(escaped(record) + "@" + place.text)
  }

  private static func escaped(_ record: AnnotationID) -> String {
    record.text.unicodeScalars
      .map { $0 == "@" ? "%40" : $0 == "%" ? "%25" : String($0) }.joined()
  }

  /// The ids of held annotations whose records are delivered again, but not at these places.
  ///
  /// A merge by id would keep them beside the new ones.
  ///
  /// - Complexity: O(*n*) for *n* annotations of both.
  package static func formerIDs(
    of joined: ImportedAnnotations, among held: some Sequence<some Annotation>
  ) -> Set<AnnotationID> {
    let ids = Set(joined.map(\.id))
    let records = Set(joined.map { recordText(of: $0) })
    return Set(
      held.filter { !ids.contains($0.id) && records.contains(recordText(of: $0)) }.map(\.id))
  }

  /// The record's part of an annotation's id, as ``id(of:at:)`` writes it.
  private static func recordText(of annotation: some Annotation) -> ExactText {
    let id = annotation.id.text
    guard let place = annotation.placeID,
      id.utf8.reversed().starts(with: "@\(place)".utf8.reversed())
    else { return ExactText(escaped(annotation.id)) }
    return ExactText(String(decoding: id.utf8.dropLast(place.utf8.count + 1), as: UTF8.self))
  }

  /// The record's properties, then the place's, with the place's id as `place_id`.
  fileprivate static func properties(
    of record: ImportedAnnotation, at place: ImportedAnnotation
  ) -> Properties {
    var properties = record.properties.withDistinctNames
    var taken = Set(properties.entries.map { ExactText($0.name) })
    func append(_ name: String, _ value: PropertyValue) {
      let title = taken.contains(ExactText(name)) ? "place_" + name : name
      properties.append(title.firstFree { taken.insert(ExactText($0)).inserted }, value)
    }
    append("place_id", .string(place.id.text))
    for entry in place.properties.withDistinctNames.entries where entry.name != "place_id" {
      // `place_id` says it already.
      if KnownNames.normalized(entry.name) == "id", entry.value.text == place.id.text { continue }
      append(entry.name, entry.value)
    }
    return properties
  }
}
