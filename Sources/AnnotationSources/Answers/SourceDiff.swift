import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import TextMaps

/// What differs between two sources, by id.
package struct SourceDiff {
  /// One annotation that is not as it was.
  package struct Change {
    package enum Kind: String, CaseIterable {
      case new, gone, moved, changed
    }
    package let kind: Kind
    /// As it is, or as it was where it is gone.
    package let annotation: ImportedAnnotation
    /// What it was; nil where it is new.
    package let before: ImportedAnnotation?
    /// The columns that say something else, by name, with their values before and now.
    package var fields: [(name: String, before: PropertyValue, now: PropertyValue)] = []

    /// How far it moved; nil where it did not, or was or is without a position.
    package var distance: Distance? {
      guard kind == .moved, let from = before?.coordinate, let to = annotation.coordinate else {
        return nil
      }
      return from.distance(to: to)
    }

    /// In which direction it moved.
    package var bearing: Double? {
      guard distance != nil, let from = before?.coordinate, let to = annotation.coordinate else {
        return nil
      }
      return from.initialBearing(to: to)
    }
  }

  /// By ascending id.
  package private(set) var changes: [Change] = []
  /// How many annotations are as they were.
  let sameCount: Int
  /// Columns that only one of the two sources has, which are not compared.
  package let unsharedColumns: [String]
  /// One of the columns that were asked for and neither source has.
  package let missingColumn: String?
  /// How many rows of each repeat an id; the first of each is compared.
  package let repeatedCounts: (old: Int, new: Int)

  /// Compares two sources.
  ///
  /// - Parameters:
  ///   - tolerance: A move by no more than this counts for nothing.
  ///   - columns: The columns that are compared; nil for all that both sources have.
  /// - Complexity: O(*n* + *m*) records read, and sorting the changes.
  package init(
    from old: ImportedAnnotations, to new: ImportedAnnotations, tolerance: Distance,
    columns: [String]?
  ) {
    let names = (old: old.allColumns, new: new.allColumns)
    let all = (
      old: Set(names.old.map(ExactText.init)), new: Set(names.new.map(ExactText.init))
    )
    let compared = columns ?? names.old.filter { all.new.contains(ExactText($0)) }
    let known = names.old + names.new + ["name", "kind"] + ImportedAnnotation.positionFields
    missingColumn = columns?.first { !known.contains($0) }
    // As columns, names and kinds are compared where both sources have them, whatever their columns are called.
    let roles = ["name", "kind"].filter { role in
      if let columns { return columns.contains(role) }
      return [old, new].allSatisfy { source in
        source.contains { Self.text(of: role, in: $0) != nil }
      }
    }
    // Of two sources of which one has nothing there is nothing to say.
    unsharedColumns =
      columns == nil && !old.isEmpty && !new.isEmpty
      ? Self.unshared(names.old, of: old, all.new, roles)
        + Self.unshared(names.new, of: new, all.old, roles) : []
    // A repeated name, with a number after it, is none of the columns as their table names them.
    let mayRepeatNames = [(old, names.old), (new, names.new)].contains { source, all in
      !source.columns.isEmpty && all.count > source.columns.count
    }
    let comparedColumns = ComparedColumns(compared)
    var updates: [Change] = []
    let diff = AnnotationDiff(from: old, to: new) { before, now in
      guard
        let change = Self.change(
          before, now, tolerance, comparedColumns, roles: roles, mayRepeatNames: mayRepeatNames)
      else { return true }
      updates.append(change)
      return false
    }
    sameCount = diff.kept.count
    let shared = diff.kept.count + diff.updated.count
    repeatedCounts = (
      old.count - shared - diff.removed.count, new.count - shared - diff.added.count
    )
    changes =
      updates + diff.added.map { Change(kind: .new, annotation: $0, before: nil) }
      + diff.removed.map { Change(kind: .gone, annotation: $0, before: $0) }
    changes.sort { $0.annotation.id < $1.annotation.id }
  }

  /// The columns that only one source has, except those with the names or kinds that are compared.
  private static func unshared(
    _ columns: [String], of source: ImportedAnnotations, _ others: Set<ExactText>,
    _ roles: [String]
  ) -> [String] {
    columns.filter { column in
      !others.contains(ExactText(column))
        && !roles.contains { role in
          source.allSatisfy { annotation in
            let cell = annotation.property(column)?.text ?? ""
            return text(of: role, in: annotation)?.isSameBytes(as: cell) ?? NullText.isNull(cell)
          }
        }
    }
  }

  package func count(_ kind: Change.Kind) -> Int { changes.count { $0.kind == kind } }

  private static func change(
    _ before: ImportedAnnotation, _ now: ImportedAnnotation, _ tolerance: Distance,
    _ columns: ComparedColumns, roles: [String], mayRepeatNames: Bool
  ) -> Change? {
    var (old, new) = (before.properties, now.properties)
    if mayRepeatNames { (old, new) = (old.withDistinctNames, new.withDistinctNames) }
    var change = Change(kind: .changed, annotation: now, before: before)
    var (olds, news) = (RowValues(old), RowValues(new))
    for name in columns.names(in: old, new) {
      let (was, after) = (olds.value(of: name), news.value(of: name))
      if !isSame(was, after) { change.fields.append((name, was, after)) }
    }
    // Those that are not in a column of this name.
    for name in roles {
      let was = PropertyValue.text(text(of: name, in: before))
      let after = PropertyValue.text(text(of: name, in: now))
      guard !isSame(was, after),
        !change.fields.contains(where: {
          $0.name == name || isSame($0.before, was) && isSame($0.now, after)
        })
      else { continue }
      change.fields.append((name, was, after))
    }
    if let was = before.feature?.geometry, let after = now.feature?.geometry, was != after {
      if case .point(let was) = was, case .point(let after) = after {
        // The places of two points are compared by their distance.
        if was.altitude != after.altitude {
          change.fields.append(("altitude", Self.number(was.altitude), Self.number(after.altitude)))
        }
      } else {
        change.fields.append(("geometry", .string(was.type), .string(after.type)))
      }
    }
    if hasMoved(before.coordinate, now.coordinate, tolerance) {
      return Change(kind: .moved, annotation: now, before: before, fields: change.fields)
    }
    return change.fields.isEmpty ? nil : change
  }

  /// The name or the kind of an annotation; the role says which.
  private static func text(of role: String, in annotation: ImportedAnnotation) -> String? {
    role == "name" ? annotation.name : annotation.kind?.rawValue
  }

  private static func number(_ number: Double?) -> PropertyValue {
    number.map { .double($0) } ?? .null
  }

  /// Nothing is the same however a format says it, and so is a number that one writes as text.
  ///
  /// Texts are compared byte by byte, because a store that replaces one by the other has changed.
  private static func isSame(_ one: PropertyValue, _ other: PropertyValue) -> Bool {
    switch (one, other) {
    case (.array, _), (.object, _), (_, .array), (_, .object):
      return one == other && one.json == other.json
    default: return (one.text ?? "").isSameBytes(as: other.text ?? "")
    }
  }

  private static func hasMoved(
    _ from: Coordinate?, _ to: Coordinate?, _ tolerance: Distance
  ) -> Bool {
    guard let from, let to else { return (from == nil) != (to == nil) }
    return from != to && from.distance(to: to) > tolerance
  }
}

/// The columns that are compared, of which each row may have a few of its own.
private struct ComparedColumns {
  private let names: [String]
  /// Their places among the names, under every spelling by which `Properties` finds them.
  private let places: [String: [Int]]

  init(_ names: [String]) {
    self.names = names
    places = Dictionary(grouping: names.indices) { names[$0] }
  }

  /// Those that may differ between two rows, in order: where neither has a column, both say nothing.
  ///
  /// - Complexity: O(*n*) columns of the two rows, and sorting them, however many are compared.
  func names(in old: Properties, _ new: Properties) -> [String] {
    let entries = [old.entries, new.entries].joined()
    guard entries.count < names.count else { return names }
    return Set(entries.flatMap { places[$0.name] ?? [] }).sorted().map { names[$0] }
  }
}

/// The values of one row by the names of their columns, which are mostly asked for in the row's own order.
private struct RowValues {
  private let properties: Properties
  /// The place behind the value that was found last.
  private var next = 0
  /// The places of the names, once one is asked for out of order.
  private lazy var places: [ExactText: Int] = Dictionary(
    zip(properties.entries.lazy.map { ExactText($0.name) }, 0...),
    uniquingKeysWith: { first, _ in first })

  init(_ properties: Properties) { self.properties = properties }

  /// The value under a name, found as in `Properties`; null if there is none.
  ///
  /// - Complexity: O(1) in order, and on average otherwise, beyond one pass over the row.
  mutating func value(of name: String) -> PropertyValue {
    let entries = properties.entries
    if next < entries.count, entries[next].name.isSameBytes(as: name) {
      next += 1
      return entries[next - 1].value
    }
    // A few names are compared faster than hashed.
    guard entries.count > 16 else { return properties[name] ?? .null }
    if let place = places[ExactText(name)] {
      next = place + 1
      return entries[place].value
    }
    // An ASCII name has only one spelling.
    return name.utf8.allSatisfy { $0 < 0x80 } ? .null : properties[name] ?? .null
  }
}

// Changes for a person and for programs.

extension SourceDiff {
  /// The changes, each sort under its name, and how many there are.
  package func table(width: Int) -> String {
    let groups = Change.Kind.allCases.compactMap { kind -> ResultTable.Group? in
      let rows = changes.filter { $0.kind == kind }.map { change in
        ResultTable.Row(
          name: change.annotation.name ?? change.annotation.id.text,
          kind: change.annotation.kind, distance: change.distance, bearing: change.bearing,
          details: [change.annotation.id.text, change.differences.joined(separator: ", ")])
      }
      return rows.isEmpty ? nil : ResultTable.Group(title: kind.rawValue, rows: rows)
    }
    var text = ""
    if !groups.isEmpty {
      let list = ResultTable(groups: groups, detailHeaders: ["id", "differs in"], width: width)
      text = list.render() + "\n\n"
    }
    // A count and its word stay together.
    let counts =
      Change.Kind.allCases.map { "\(grouped(count($0)))\u{A0}\($0.rawValue)" }
      + ["\(grouped(sameCount))\u{A0}the\u{A0}same"]
    let lines = LineWrapping.lines(counts.joined(separator: ", "), columns: width)
    return text + lines.joined(separator: "\n") + "\n"
  }

  package func writeCSV(to sink: OutputSink) throws(ReportedError) {
    // As the members of a change in JSON.
    let header = CSVText.line([
      "id", "name", "kind", "change", "distance", "fields", "latitude", "longitude",
      "old_latitude", "old_longitude",
    ])
    try sink.write(header, each: changes) { change, bytes in
      var members = change.members
      members["fields"] = .string(change.fields.map(\.name).joined(separator: ";"))
      CSVText.append(members.entries.map { $0.value.text ?? "" }, to: &bytes)
    }
  }

  package func json() -> [UInt8] {
    var members = Properties()
    for kind in Change.Kind.allCases { members.append(kind.rawValue, .integer(count(kind))) }
    members.append("same", .integer(sameCount))
    members.append("changes", .array(changes.map { .object($0.members) }))
    return PropertyValue.object(members).jsonLine
  }

  package func writeJSONLines(to sink: OutputSink) throws(ReportedError) {
    try sink.writeLines(changes.lazy.map(\.members))
  }
}

extension SourceDiff.Change {
  /// What differs, for a person: a position that only one of the two has, and the columns.
  fileprivate var differences: [String] {
    let isPlaced = annotation.coordinate != nil
    let position =
      kind == .moved && distance == nil ? [isPlaced ? "position new" : "position gone"] : []
    return position + fields.map(\.name)
  }

  /// What programs read; the position is that of now, or the last of one that is gone.
  fileprivate var members: Properties {
    let now = annotation.coordinate
    let old = kind == .moved ? before?.coordinate : nil
    var fields = Properties()
    for field in self.fields { fields.append(field.name, .array([field.before, field.now])) }
    return [
      "id": .string(annotation.id.text), "name": .text(annotation.name),
      "kind": .text(annotation.kind?.rawValue), "change": .string(kind.rawValue),
      "distance": .meters(distance), "fields": .object(fields),
      "latitude": .degrees(now?.latitude), "longitude": .degrees(now?.longitude),
      "old_latitude": .degrees(old?.latitude), "old_longitude": .degrees(old?.longitude),
    ]
  }
}
