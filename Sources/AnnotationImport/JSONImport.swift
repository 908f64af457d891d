import GeoJSONCoding
import Geodesy
import MapAnnotations

/// One reading of a plain JSON feed, or of lines of JSON that are not GeoJSON: rows become GeoJSON
/// features, with the position as the geometry and everything else as properties.
///
/// A server may change its feed without notice, so every row stands alone: each is searched for
/// coordinate names again, numbers may be in quotes, and only a row that is null, not an object or
/// not decodable is rejected.
struct JSONImport {
  let text: [UInt8]
  let source: String
  /// Whether each line is a row.
  let areLines: Bool
  let options: ImportOptions
  /// The members of inner objects that options name: `tags.name`; a row has them under their paths, too.
  private let paths: [String]

  init(text: [UInt8], source: String, areLines: Bool = false, options: ImportOptions) {
    self.text = text
    self.source = source
    self.areLines = areLines
    self.options = options
    paths = options.namedFields.map(\.name).filter { $0.contains(".") }
  }

  func run(_ observer: ImportObserver) throws(ImportError) -> ImportResult {
    try text.withUnsafeBufferPointer { (bytes) throws(ImportError) -> ImportResult in
      var pass = FeaturePass(
        bytes, source: source, options: options, fields: FeatureFields(options),
        plane: options.plane, observer: observer)
      var kept = KeptRecords()
      // An array that determines the kind becomes a separate table.
      var finished: [FinishedArray] = []
      var array: String?
      var census = FieldCensus()
      var finder = PositionFinder(options)
      var members = Properties()
      do throws(GeoJSONError) {
        if areLines {
          JSONRowReader().readLines(bytes) { row in
            judge(row, &finder, &pass, &kept, &census)
          }
        } else {
          members = try JSONRowReader(members: options.rowsFields).readRows(bytes) { row in
            if options.rowsFields.count > 1, row.array != array {
              if array != nil { finished.append(FinishedArray(array, &pass, &kept)) }
              array = row.array
            }
            judge(row, &finder, &pass, &kept, &census)
          }
        }
      } catch {
        throw ImportError(source, reading: error)
      }
      if options.plane == nil, let wkid = PropertyValue.object(members).foreignWKID {
        throw ImportError(
          source,
          .unreadable(
            code: "crs-unsupported",
            message: "its spatialReference is not WGS 84; say `crs` EPSG:\(wkid)"))
      }
      try pass.finish()
      try finder.check(census, source)
      tell(census, in: &pass.tally.report)
      if members["osm3s"] != nil, let remark = members["remark"]?.text {
        pass.tally.report.countWarning(
          "source-remark", example: "\(source): Overpass says, so rows may be missing: \(remark)")
      }
      finished.append(FinishedArray(array, &pass, &kept))
      let tables = finished.map { part in
        pass.table(
          part.features, part.tally, members: members,
          defaultKind: options.defaultKind ?? part.name.map { AnnotationKind(rawValue: $0) })
      }
      return ImportResult(
        annotations: ImportedAnnotations(joining: tables.map { ImportedAnnotations($0) }),
        report: pass.tally.report)
    }
  }

  /// Says what rows lack: names of coordinates, or a field that most of them have.
  private func tell(_ census: FieldCensus, in report: inout ImportReport) {
    if census.rows > 0, !census.hasPositions {
      report.examples[RowProblem.noCoordinate.code] =
        "\(source): no row has a member with a known name for coordinates; the members are "
        + "\(census.names); say which with `latitudeField` and `longitudeField`"
    }
    for (name, missing) in census.gaps where !PositionFinder.isCoordinate(name) {
      report.countWarning(
        "missing-field", times: missing,
        example: "\(source): \(missing == 1 ? "1 row has" : "\(grouped(missing)) rows have") no "
          + "\"\(name)\", which most have")
    }
  }

  private func judge(
    _ row: JSONRow, _ finder: inout PositionFinder, _ pass: inout FeaturePass,
    _ kept: inout KeptRecords, _ census: inout FieldCensus
  ) {
    guard case .success(.object(let read)) = row.value else {
      let (code, message): (String, String) =
        switch row.value {
        case .failure(let error): (error.code, error.message)
        case .success(.null): ("row-null", "null stands where a row should; row skipped")
        case .success: ("row-no-object", "a row is an object; row skipped")
        }
      pass.problems[row.number] = .feature(code: code, message: message)
      pass.keeps(
        Feature(geometry: nil, properties: nil), record: row.number, at: row.byteRange,
        line: row.line, in: &kept)
      return
    }
    let properties = read.ofBinding ?? read
    census.count(properties)
    var position = finder.position(in: properties)
    if position.hasNames { census.hasPositions = true }
    if position.problem == nil, options.rejectsUnplaced, position.geometry == nil {
      position.problem = .noCoordinate
    }
    pass.problems[row.number] = position.problem
    var members = position.others.ofRow
    for path in paths where members[path] == nil {
      if let found = properties.member(at: path[...]) { members.append(path, found.value) }
    }
    let feature = Feature(
      id: properties.osmID.map { .string($0) }, geometry: position.geometry, properties: members)
    let isKept = pass.keeps(
      feature, record: row.number, at: row.byteRange, line: row.line, in: &kept)
    if isKept, position.isText {
      pass.tally.warn(
        "number-as-text", line: row.line, "the position is written in quotes; read as numbers")
    }
  }
}

extension Properties {
  /// The properties of a row: its members, and in the place of a member `properties`, as results are written, or of an
  /// OSM element's `tags`, the members of that.
  ///
  /// What the row says as well, or leaves open, is not said twice.
  fileprivate var ofRow: Properties {
    let name = osmID == nil ? "properties" : "tags"
    guard case .object(let own)? = self[name], self["type"]?.text != "Feature" else { return self }
    let others = entries.filter { entry in
      entry.name != name && entry.value != .null
        && own[entry.name].map { $0.text != entry.value.text } ?? true
    }
    return Properties(others + own.entries)
  }

  /// The values of a row of SPARQL's results, such as Wikidata's, in which each member is an object of a type and a
  /// value; nil for other rows.
  fileprivate var ofBinding: Properties? {
    var values = Properties()
    for entry in entries {
      guard case .object(let member) = entry.value, let value = member["value"],
        let type = member["type"]?.text,
        ["uri", "literal", "typed-literal", "bnode"].contains(type)
      else { return nil }
      values.append(entry.name, value)
    }
    return values
  }

  /// The id of an OpenStreetMap element, as Overpass writes it, among all kinds of elements: `way/7`; nil for other rows.
  fileprivate var osmID: String? {
    guard let kind = self["type"]?.text, ["node", "way", "relation"].contains(kind),
      case .number(let number)? = self["id"],
      entries.allSatisfy({ Self.osmMembers.contains($0.name) })
    else { return nil }
    return "\(kind)/\(number)"
  }

  private static let osmMembers: Set<String> = [
    "type", "id", "lat", "lon", "center", "bounds", "geometry", "nodes", "members", "tags",
    "timestamp", "version", "changeset", "user", "uid", "visible",
  ]
}

/// The results of one array of rows.
private struct FinishedArray {
  let name: String?
  let tally: SourceTally
  let features: KeptRecords

  /// Takes the results so far, so that the next array starts empty.
  init(_ name: String?, _ pass: inout FeaturePass, _ kept: inout KeptRecords) {
    self.name = name
    features = kept
    kept = KeptRecords()
    tally = pass.tally
    pass.tally.beginTable()
  }
}

/// Counts how many rows have each field.
struct FieldCensus {
  private(set) var rows = 0
  private(set) var counts: [String: Int] = [:]
  /// Whether some row has a member that is named for a coordinate.
  var hasPositions = false

  mutating func count(_ properties: Properties) {
    rows += 1
    for entry in properties.entries { counts[entry.name, default: 0] += 1 }
  }

  /// The first names of fields in alphabetical order.
  var names: String {
    let names = counts.keys.sorted()
    return names.prefix(20).joined(separator: ",") + (names.count > 20 ? ",…" : "")
  }

  /// Fields of more than half of the rows, but not all, and how many rows lack them.
  var gaps: [(name: String, missing: Int)] {
    counts.filter { $0.value < rows && $0.value * 2 > rows }
      .map { (name: $0.key, missing: rows - $0.value) }.sorted { $0.name < $1.name }
  }
}
