import Geodesy
import MapAnnotations

/// The ids of records as text, for joins of millions of them: usually without making a string.
package struct IDTexts: Sendable {
  private let annotations: ImportedAnnotations
  /// Whether records are called by their number.
  private let areNumbers: Bool
  /// Kept here, because to look into a table counts a reference, for which several threads wait.
  private let numbering: RecordNumbering

  package init(_ annotations: ImportedAnnotations) {
    self.annotations = annotations
    guard annotations.tables.count == 1, !annotations.isPacked,
      case .delimited(let rows) = annotations.tables[0].rows, rows.roles.id == nil
    else {
      areNumbers = false
      numbering = RecordNumbering()
      return
    }
    areNumbers = true
    numbering = annotations.tables[0].numbering
  }

  /// Appends the text of a record's id as UTF-8: the same as `annotations[position].id.text`.
  package func append(of position: Int, to bytes: inout [UInt8]) {
    if areNumbers { return appendDecimal(numbering.record(ofRow: position), to: &bytes) }
    guard annotations.tables.count == 1, !annotations.isPacked,
      case .delimited(let rows) = annotations.tables[0].rows, let column = rows.roles.id,
      rows.appendID(ofRow: position, column: column, to: &bytes)
    else {
      bytes += annotations[position].id.text.utf8
      return
    }
  }
}

extension DelimitedRows {
  /// - Returns: Whether the id is just what its cell says.
  fileprivate func appendID(ofRow row: Int, column: Int, to text: inout [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect, from: offsets[row])
      guard let cell = reader.cell(column), !cell.hasDoubledQuotes,
        !IDKey.isBlank(buffer[cell.range])
      else { return false }
      text.append(contentsOf: buffer[cell.range])
      return true
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

  /// How many records have an id that a record of an earlier source has, and the first of them; nil if there are none.
  ///
  /// Ids are compared by their hashes, which are the same for two different ones once in 2⁶⁴.
  ///
  /// - Complexity: O(length of the sources), and 8 to 16 bytes for each record; O(*s*) for *s* sources whose ids ascend.
  package var repeatsBetweenSources: (count: Int, id: AnnotationID, source: String)? {
    guard tables.count > 1, !isPacked, !idsAscend else { return nil }
    var earlier: Set<Int> = []
    var found: (count: Int, id: AnnotationID, source: String)?
    for table in tables {
      let hashes = table.latitudes.indices.map {
        ImportedAnnotation(table: table, row: $0).id.hashValue
      }
      for (row, hash) in hashes.enumerated() where earlier.contains(hash) {
        let id = found?.id ?? ImportedAnnotation(table: table, row: row).id
        found = ((found?.count ?? 0) + 1, id, found?.source ?? table.source)
      }
      earlier.formUnion(hashes)
    }
    return found
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
