import GeoJSONCoding
import Geodesy
import MapAnnotations
import TextMaps

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
