import GeoJSONCoding
import MapAnnotations

/// The rows of a layer of a store.
package enum StoredRows: Sendable {
  case table(StoredTable)
  case features(StoredFeatures)

  /// The number of rows.
  package var count: Int {
    switch self {
    case .table(let table): table.count
    case .features(let features): features.count
    }
  }
}

/// The rows of a store or a database on their way into annotations.
///
/// Each is a feature on a line of its own, as `FeatureRows` keeps features and reads them again. The number of a line is
/// that of its record.
package struct StoredFeatures: Sendable {
  /// Whether features say what their annotations are, with `StoredMember`, where they would not be read as such.
  private(set) var tellAnnotations: Bool
  /// The members of the collection beyond RFC 7946.
  let members: Properties
  /// The number of features.
  package private(set) var count = 0
  private(set) var lines: [UInt8] = []
  /// What is wrong with a record, by its number.
  private(set) var problems: [Int: RowProblem] = [:]
  private var writer = JSONWriter()
  /// What features are read as that say nothing else.
  private let fields = FeatureFields(ImportOptions())

  /// Makes an empty list.
  package init(tellAnnotations: Bool, members: Properties = Properties()) {
    self.tellAnnotations = tellAnnotations
    self.members = members
  }

  /// Appends a feature, and what the database could not read of it.
  package mutating func append(_ feature: Feature, unreadable damage: String? = nil) {
    writer.removeAll()
    writer.feature(feature)
    append(line: writer.bytes)
    // Before the next feature.
    writer.endLine()
    problems[count] = damage.map {
      .feature(
        code: "geometry-damaged", message: "its geometry cannot be read (\($0)); row skipped")
    }
  }

  /// Appends a feature whose geometry has a type that GeoJSON does not have.
  package mutating func append(_ feature: Feature, ofType type: String) {
    append(feature)
    problems[count] = .feature(
      code: "geometry-type",
      message: "a \(type) is not read; write it as lines and polygons, for example with "
        + "ogr2ogr -nlt CONVERT_TO_LINEAR; row skipped")
  }

  /// Appends the feature of an annotation.
  ///
  /// - Parameter isRow: Whether it only stands for a row of a table, and its geometry for the position.
  package mutating func append(
    _ feature: Feature, of annotation: some Annotation, isRow: Bool = false
  ) {
    var feature = feature
    StoredMember.put(annotation, into: &feature, isRow: isRow)
    tellAnnotations = true
    append(feature)
  }

  /// Appends a feature whose id, properties and bounding box are text already.
  ///
  /// - Parameters:
  ///   - members: The text, an object.
  ///   - role: What its annotation is: the text of a role; nil for none.
  /// - Returns: False, having appended nothing, if the text is anything else.
  package mutating func append(
    members: UnsafeRawBufferPointer, _ geometry: Geometry?,
    role: (StoredTable.Role) -> String?
  ) -> Bool {
    let dates = ValidDates(from: role(.validFrom), until: role(.validUntil))
    guard members.count > 2, members.first == UInt8(ascii: "{"),
      members.last == UInt8(ascii: "}"), !members.contains(.lineFeed), dates.problem == nil
    else { return false }
    writer.removeAll()
    writer.feature(Feature(geometry: geometry, properties: nil))
    let start = lines.count
    // Without the properties, which the text has.
    lines += writer.bytes[..<(writer.bytes.count - #""properties":null}"#.utf8.count)]
    writer.endLine()
    lines.append(contentsOf: members.dropFirst())
    let isTold = lines.withUnsafeBufferPointer { lines -> Bool? in
      guard let feature = ScannedFeature(UnsafeBufferPointer(rebasing: lines[start...])),
        feature.foreignMembers.entries.isEmpty
      else { return nil }
      return tells(feature, role, dates)
    }
    guard let isTold else {
      lines.removeLast(lines.count - start)
      return false
    }
    if !isTold {
      tellAnnotations = true
      writer.removeAll()
      writer.beginObject()
      writer.member(StoredMember.name, StoredMember.value(role))
      writer.endObject()
      lines.removeLast()
      lines.append(.comma)
      lines += writer.bytes.dropFirst()
      writer.endLine()
    }
    lines.append(.lineFeed)
    count += 1
    return true
  }

  /// Whether a feature is read as an annotation with these roles and dates.
  private func tells(
    _ feature: ScannedFeature, _ role: (StoredTable.Role) -> String?, _ dates: ValidDates
  ) -> Bool {
    let own = fields.validDates(of: feature)
    return fields.id(of: feature) == role(.id) && fields.name(of: feature) == role(.name)
      && fields.text(fields.kind, of: feature) == role(.kind)
      && fields.hours(of: feature) == role(.hours)
      && fields.text(KnownNames.place, of: feature) == role(.place)
      && own.spans == dates.spans && own.problem == nil
  }

  /// Appends a feature as text, without a line feed.
  package mutating func append(line: some Collection<UInt8>) {
    lines.append(contentsOf: line)
    lines.append(.lineFeed)
    count += 1
  }
}

extension AnnotationImporter {
  /// Reads the rows of the layers of a store or a database; that there are none is no mistake.
  ///
  /// Records are counted through all layers; an id may be in several of them.
  ///
  /// - Parameter areOwn: Whether this program wrote the rows, and decided then which may be at 0,0.
  package func read(
    _ layers: [StoredRows], named source: String, areOwn: Bool = false,
    onReject: ((RejectedRecord) -> Void)? = nil, onProgress: ((Int, Int) -> Void)? = nil,
    onCompare: ((Int, Int) -> Void)? = nil
  ) throws(ImportError) -> ImportResult {
    let observer = ImportObserver(
      onReject: onReject, onProgress: onProgress, hasSourceOffsets: false)
    var importer = self
    if areOwn { importer.options.allowsNullIsland = true }
    var results: [ImportResult] = []
    var count = 0
    for layer in layers {
      switch layer {
      case .table(let table):
        results.append(table.result(named: source, recordsBefore: count))
      case .features(let features):
        results.append(
          try importer.read(features, named: source, recordsBefore: count, observer))
      }
      count += layer.count
    }
    var result = ImportResult(joining: results)
    if areOwn {
      // It says that they are kept as asked, but nobody asked for that now.
      result.report.warnings["null-island"] = nil
      result.report.examples["null-island"] = nil
    }
    return try checked(result, source, onCompare)
  }

  private func read(
    _ features: StoredFeatures, named source: String, recordsBefore: Int, _ observer: ImportObserver
  ) throws(ImportError) -> ImportResult {
    let isEmpty = features.count == 0
    let reading = GeoJSONImport(
      text: isEmpty
        ? Array(#"{"type":"FeatureCollection","features":[]}"#.utf8) : features.lines,
      source: source, framing: isEmpty ? .document : .sequence, options: options,
      problems: features.problems, stored: features, recordsBefore: recordsBefore)
    return try reading.run(observer)
  }
}

/// What an annotation is beyond its feature: the id, name, kind, hours, place and dates from its import, whatever its
/// columns are called.
///
/// Stores, databases and joined records have it as a member of a feature that would be read as something else without
/// it. It is looked for nowhere else, so that a file may have a member of this name.
package enum StoredMember {
  /// The member's name.
  static let name = "nearby:stored"

  /// Puts it into the feature of an annotation.
  ///
  /// - Parameter isRow: Whether the feature only stands for a row of a table.
  package static func put(
    _ annotation: some Annotation, into feature: inout Feature, isRow: Bool = false
  ) {
    feature.foreignMembers[name] = nil
    let value = value(isRow: isRow) { (role: StoredTable.Role) -> String? in
      switch role {
      case .id: annotation.id.text
      case .name: annotation.name
      case .kind: annotation.kind?.rawValue
      case .hours: annotation.openingHours
      case .place: annotation.placeID
      case .validFrom: annotation.validDates.first?.first?.description
      case .validUntil: annotation.validDates.last?.last?.description
      }
    }
    feature.foreignMembers.append(name, value)
  }

  /// The value of the member by the texts of an annotation's roles.
  static func value(
    isRow: Bool = false, _ text: (StoredTable.Role) -> String?
  ) -> PropertyValue {
    var members = Properties()
    if isRow { members.append("row", .bool(true)) }
    for list in lists {
      if let text = text(list.role) { members.append(list.member, .string(text)) }
    }
    return .object(members)
  }

  /// Whether a feature only stands for a row of a table.
  static func isRow(_ feature: Feature) -> Bool {
    if case .object(let members)? = feature.foreignMembers[name] {
      members["row"] == .bool(true)
    } else {
      false
    }
  }

  /// nil for a feature without it.
  static func of(_ feature: ScannedFeature) -> Properties? {
    if case .object(let members)? = feature.foreignMembers[name] { members } else { nil }
  }

  /// The stored value for one of the known lists of names: an inner nil if it is empty, an outer
  /// nil if an option names a property.
  static func value(_ names: [String], in members: Properties) -> String?? {
    guard let place = lists.firstIndex(where: { $0.names == names }) else { return nil }
    return .some(members[lists[place].member]?.text)
  }

  private static let lists: [(role: StoredTable.Role, names: [String], member: String)] = [
    (.id, KnownNames.id, "id"), (.name, KnownNames.name, "name"),
    (.kind, KnownNames.kind, "kind"), (.hours, KnownNames.hours, "hours"),
    (.place, KnownNames.place, "place"), (.validFrom, KnownNames.validFrom, "from"),
    (.validUntil, KnownNames.validUntil, "until"),
  ]
}
