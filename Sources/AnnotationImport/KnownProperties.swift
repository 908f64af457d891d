import GeoJSONCoding
import MapAnnotations

/// The id, name, kind and hours in properties that are read without options.
package struct KnownProperties {
  package let id: String?
  package let name: String?
  package let kind: String?
  package let hours: String?

  /// - Complexity: O(*n*) for *n* properties.
  package init(_ properties: Properties) {
    var best = [(rank: Int, text: String)?](repeating: nil, count: 4)
    var seen: Set<String> = []
    for entry in properties.entries {
      let name = entry.name.lowercased()
      // Of names that differ only by case, the first counts.
      guard let known = KnownProperties.ranks[name], seen.insert(name).inserted else { continue }
      let text = entry.value.text ?? ""
      let isAbsent = known.role == 0 ? ContentID.isBlank(text.utf8) : NullText.isNull(text)
      if !isAbsent, known.rank < best[known.role]?.rank ?? .max {
        best[known.role] = (known.rank, text)
      }
    }
    id = best[0]?.text
    name = best[1]?.text
    kind = best[2]?.text
    hours = best[3]?.text
  }

  /// The first columns of every table that is written here, before those of its source.
  package static let firstColumns = ["id", "name", "kind", "latitude", "longitude"]

  private static let roles = [KnownNames.id, KnownNames.name, KnownNames.kind, KnownNames.hours]

  /// By known name, whether it is that of an id, a name, a kind or hours, and its rank among these.
  private static let ranks = Dictionary(
    uniqueKeysWithValues: roles.enumerated().flatMap { role, names in
      names.enumerated().map { ($0.element, (role: role, rank: $0.offset)) }
    })
}

extension ImportedAnnotation {
  /// Whether its hours are those of a known name, so that they are read again without options.
  ///
  /// - Complexity: O(1), but for options and stores that name the hours of features: O(its record).
  package var hasKnownHours: Bool {
    switch table.rows {
    case .delimited(let rows): rows.layout.hasKnownHours
    case .features(let rows): rows.hasKnownHours(row)
    }
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
