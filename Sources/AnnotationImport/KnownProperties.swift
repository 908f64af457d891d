import GeoJSONCoding
import MapAnnotations

/// The id, name and kind in properties that are read without options.
package struct KnownProperties {
  package let id: String?
  package let name: String?
  package let kind: String?

  /// - Complexity: O(*n*) for *n* properties.
  package init(_ properties: Properties) {
    var texts: [String: String] = [:]
    for entry in properties.entries {
      let name = entry.name.lowercased()
      // Of names that differ only by case, the first counts.
      if texts[name] == nil { texts[name] = entry.value.text ?? "" }
    }
    func text(_ names: [String], isAbsent: (String) -> Bool) -> String? {
      names.lazy.compactMap { texts[$0] }.first { !isAbsent($0) }
    }
    id = text(KnownNames.id) { ContentID.isBlank($0.utf8) }
    name = text(KnownNames.name, isAbsent: NullText.isNull)
    kind = text(KnownNames.kind, isAbsent: NullText.isNull)
  }
}

extension ImportedAnnotations {
  /// Whether the annotations are all features of one source without ids, so that their ids are 1,
  /// 2, … in order; false if unknown.
  package var areNumberedInOrder: Bool {
    guard !isPacked, tables.count == 1, case .features(let rows) = tables[0].rows,
      rows.naming == .numbers, rows.fields.namesIDsItself
    else { return false }
    return isEmpty || tables[0].numbering.record(ofRow: count - 1) == count
  }

  /// The names of the sources whose records have numbers as ids.
  package var numberedSources: [String] {
    tables.filter { $0.isNumbered && !$0.latitudes.isEmpty }.map(\.source)
  }

  /// Which of `id`, `name` and `kind` are columns that only repeat the annotation's fields.
  package var roleColumns: Set<String> {
    func column(_ name: String, _ rows: DelimitedRows) -> Int? {
      switch name {
      case "id": rows.roles.id
      case "name": rows.roles.nameTemplate == nil ? rows.roles.name : nil
      default: rows.roles.kind
      }
    }
    return Set(
      ["id", "name", "kind"].filter { name in
        tables.allSatisfy { table in
          guard case .delimited(let rows) = table.rows else { return false }
          // Behind the columns are cells of a store, which nobody writes again.
          guard let place = column(name, rows), place < rows.columns.count else {
            return !rows.columns.contains(name)
          }
          return rows.columns[place] == name
        }
      })
  }
}
