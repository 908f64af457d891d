import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

// A listing in the formats that programs read.

extension Listing {
  /// One object: the query, the results, how long they hold.
  func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("query", .object(queryMembers))
    writer.name("results")
    writer.beginArray()
    for row in rows { writer.value(.object(members(of: row))) }
    writer.endArray()
    writer.member("validRadius", validRadius.map { .number(ResultNumber.least($0)) } ?? .null)
    writer.member("complete", true)
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// One result a line.
  func writeJSONLines(to sink: OutputSink) throws(CommandError) {
    var writer = JSONWriter()
    for row in rows {
      writer.value(.object(members(of: row)))
      writer.endLine()
      if writer.bytes.count > 1 << 18 {
        try sink.write(writer.bytes)
        writer.removeAll()
      }
    }
    try sink.write(writer.bytes)
  }

  private var queryMembers: Properties {
    var members = Properties()
    if let origin = query.origin {
      members.append("latitude", .double(origin.latitude))
      members.append("longitude", .double(origin.longitude))
    }
    members.append("k", query.limit == .max ? "all" : .integer(query.limit))
    members.append(
      "within", query.ring.outer < .infinity ? .double(query.ring.outer.meters) : .null)
    if let inner = query.ring.inner { members.append("beyond", .double(inner.meters)) }
    if !query.kinds.isEmpty { members.append("kinds", .array(query.kinds.map { .string($0) })) }
    if let viewport {
      members.append(
        "bbox",
        .array(
          [viewport.west, viewport.south, viewport.east, viewport.north].map { .double($0) }))
    }
    members.append("metric", "geodesic")
    return members
  }

  private func members(of row: Row) -> Properties {
    Listing.members(
      of: row.annotation, keeping: fields,
      distance: [
        "distance": row.distance.map { .number(ResultNumber.meters($0)) } ?? .null,
        "bearing": row.bearing.map { .number(ResultNumber.bearing($0)) } ?? .null,
      ])
  }

  /// An annotation as an object: what it is, where, how far, and the source's own columns.
  static func members(
    of annotation: ImportedAnnotation, keeping fields: [String]?,
    distance: Properties = Properties()
  ) -> Properties {
    let coordinate = annotation.coordinate
    var members: Properties = [
      "id": .string(annotation.id.text),
      "name": annotation.name.map { .string($0) } ?? .null,
      "kind": annotation.kind.map { .string($0.rawValue) } ?? .null,
      "latitude": coordinate.map { .number(plainDecimal($0.latitude)) } ?? .null,
      "longitude": coordinate.map { .number(plainDecimal($0.longitude)) } ?? .null,
    ]
    members.entries += distance.entries
    members.append("properties", .object(annotation.properties.keeping(fields)))
    return members
  }

  /// The fixed columns, then those of the source.
  func writeCSV(to sink: OutputSink) throws(CommandError) {
    let table = CSVTable(columns: fields ?? ownColumns, hasDistances: true)
    var bytes = table.header
    for row in rows {
      table.append(
        CSVTable.Row(row.annotation, distance: row.distance, bearing: row.bearing), to: &bytes)
      try sink.writeChunk(&bytes)
    }
    try sink.write(bytes)
  }

  /// The columns of the sources, then those that only some rows have.
  private var ownColumns: [String] {
    var names = columns
    var seen = Set(columns)
    for row in rows {
      for entry in row.annotation.properties.withDistinctNames.entries
      where seen.insert(entry.name).inserted {
        names.append(entry.name)
      }
    }
    return names
  }

  /// Refuses a field that neither a column nor any row has: it is a slip of the pen.
  func checkFields() throws(CommandError) {
    guard let fields, !rows.isEmpty else { return }
    for field in fields where !columns.contains(field) {
      guard !rows.contains(where: { $0.annotation.properties[field] != nil }) else { continue }
      throw CommandError(
        "unknown-field",
        "no column is named \"\(field)\"; columns are \(ownColumns.prefix(40).joined(separator: ","))",
        status: .usage)
    }
  }

  func writeGeoJSON(
    _ format: GeoJSONWriter.Format, to sink: OutputSink
  ) throws(CommandError) {
    var members = Properties()
    if query.origin != nil {
      members.append("validRadius", validRadius.map { .number(ResultNumber.least($0)) } ?? .null)
    }
    var writer = GeoJSONWriter(format)
    writer.begin(bbox: BoundingBox(around: rows.lazy.map(\.coordinate)), members: members)
    for row in rows {
      writer.write(
        row.annotation.feature(keeping: fields, distance: row.distance, bearing: row.bearing))
      if writer.bytes.count > 1 << 18 { try sink.write(writer.takeBytes()) }
    }
    writer.end()
    try sink.write(writer.takeBytes())
  }

  /// One id a line.
  func writeIDs(to sink: OutputSink) throws(CommandError) {
    var bytes: [UInt8] = []
    for row in rows {
      bytes += row.annotation.id.text.utf8
      bytes.append(UInt8(ascii: "\n"))
      try sink.writeChunk(&bytes)
    }
    try sink.write(bytes)
  }
}

/// Annotations as CSV: id, name, kind and position, then the source's own columns.
struct CSVTable {
  struct Row {
    let annotation: ImportedAnnotation
    let distance: Distance?
    let bearing: Double?
    /// The source's own values; of a name that repeats, the later ones under names with a number.
    let properties: Properties

    init(_ annotation: ImportedAnnotation, distance: Distance? = nil, bearing: Double? = nil) {
      self.annotation = annotation
      self.distance = distance
      self.bearing = bearing
      properties = annotation.properties.withDistinctNames
    }
  }

  private let hasDistances: Bool
  /// The source's own columns, each once.
  private let columns: [String]
  /// Where each of them stands among them.
  private let places: [String: Int]

  /// - Parameter columns: The source's own, in their order; those that repeat one another or a
  ///   fixed column are left out, because a file that is read again must not have two of a name.
  init(columns: some Sequence<String>, hasDistances: Bool) {
    self.hasDistances = hasDistances
    var seen: Set<String> = ["id", "name", "kind", "latitude", "longitude"]
    if hasDistances { seen.formUnion(["distance", "bearing"]) }
    let columns = columns.filter { seen.insert($0).inserted }
    self.columns = columns
    places = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
  }

  /// The first line.
  var header: [UInt8] {
    var bytes: [UInt8] = []
    CSVText.append(
      ["id", "name", "kind", "latitude", "longitude"]
        + (hasDistances ? ["distance", "bearing"] : []) + columns, to: &bytes)
    return bytes
  }

  func append(_ row: Row, to bytes: inout [UInt8]) {
    let coordinate = row.annotation.coordinate
    var cells = [
      row.annotation.id.text, row.annotation.name ?? "", row.annotation.kind?.rawValue ?? "",
      coordinate.map { plainDecimal($0.latitude) } ?? "",
      coordinate.map { plainDecimal($0.longitude) } ?? "",
    ]
    if hasDistances {
      cells.append(row.distance.map(ResultNumber.meters) ?? "")
      cells.append(row.bearing.map(ResultNumber.bearing) ?? "")
    }
    let start = cells.count
    cells += repeatElement("", count: columns.count)
    for entry in row.properties.entries {
      if let place = places[entry.name] { cells[start + place] = CSVTable.cell(entry.value) }
    }
    CSVText.append(cells, to: &bytes)
  }

  /// A value as a cell: plain text where it has one, JSON where it is nested, nothing for null.
  private static func cell(_ value: PropertyValue) -> String {
    switch value {
    case .null: return ""
    case .array, .object:
      var writer = JSONWriter()
      writer.value(value)
      return writer.text
    default: return value.text ?? ""
    }
  }
}

extension ImportedAnnotation {
  /// The annotation as a GeoJSON feature, its id as the source wrote it.
  func feature(
    keeping fields: [String]?, distance: Distance? = nil, bearing: Double? = nil
  ) -> Feature {
    var kept = BasicAnnotation(copying: self)
    kept.properties = kept.properties.keeping(fields)
    var feature = Feature(kept, id: featureID, distance: distance, bearing: bearing)
    if let distance {
      feature.properties?["distance"] = .number(ResultNumber.meters(distance))
      feature.properties?["bearing"] = bearing.map { .number(ResultNumber.bearing($0)) } ?? .null
    }
    return feature
  }
}

extension ImportedAnnotation {
  /// The annotation as its GeoJSON source has it, shape and foreign members included, or as the
  /// feature that stands for a row; not made up for a map, so that nothing is added to the data.
  ///
  /// An id is written where the source has none only if it would be another one when read again: a
  /// record number does not stay when records before it are left out.
  ///
  /// - Parameter record: The number it will be read again under, from 1.
  func wholeFeature(keeping fields: [String]?, asRecord record: Int) -> Feature {
    guard var feature else {
      var kept = BasicAnnotation(copying: self)
      kept.properties = kept.properties.keeping(fields)
      return Feature(kept, isStyled: false)
    }
    feature.properties = feature.properties?.keeping(fields)
    let property = feature.properties?.entries.first { $0.name.lowercased() == "id" }?.value.text
    let readAgain = feature.id?.text ?? property ?? String(record)
    if readAgain != id.text { feature.id = .string(id.text) }
    return feature
  }
}

extension ImportedAnnotations {
  /// The sources' own columns, in the order in which they first appear.
  ///
  /// - Complexity: O(1) for tables; GeoJSON names its columns feature by feature, so all are read.
  var allColumns: [String] {
    var names = columns
    var seen = Set(names)
    // Every row of a table has all of its columns; without a header, which numbers them, a later
    // row may have more.
    let isTable =
      !columns.isEmpty && sources.count == 1 && !columns.allSatisfy { Int($0) != nil }
    for annotation in prefix(isTable ? 1 : count) {
      for entry in annotation.properties.withDistinctNames.entries
      where seen.insert(entry.name).inserted {
        names.append(entry.name)
      }
    }
    return names
  }
}

extension Properties {
  /// Only the entries of some names; all of them for nil.
  func keeping(_ names: [String]?) -> Properties {
    guard let names else { return self }
    return Properties(entries.filter { names.contains($0.name) })
  }
}
