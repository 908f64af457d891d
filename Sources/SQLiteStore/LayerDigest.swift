#if Store
  import MapAnnotations

  /// What the rows of a layer say, in 16 bytes each: to count what a replacement changes.
  struct LayerDigest {
    /// Hashes of a row's id and of all that it says; those of two different texts are equal once in 2⁶⁴.
    private struct Row: Comparable {
      let id: Int
      let content: Int

      static func < (left: Row, right: Row) -> Bool {
        (left.id, left.content) < (right.id, right.content)
      }
    }

    private let rows: [Row]

    var isEmpty: Bool { rows.isEmpty }

    /// Reads all rows of a table, whatever columns it has.
    init(of table: String, _ connection: Connection) throws(StoreError) {
      let statement = try connection.prepare("SELECT * FROM \(quoted(table))")
      let names = (0..<statement.columnCount).map(statement.columnName)
      let id = names.firstIndex(of: "id")
      let meanings = try LayerDigest.meanings(of: table, connection)
      // By meaning, because the name and the place of a column depend on which property came first.
      var columns: [(place: Int, name: Int)] = []
      for (place, name) in names.enumerated() {
        guard let meaning = meanings[ExactText(name.lowercased())] else { continue }
        columns.append((place, ExactText(meaning).hashValue))
      }
      columns.sort { $0.name < $1.name }
      var rows: [Row] = []
      while try statement.step() {
        var content = Hasher()
        for column in columns where !statement.isNull(column.place) {
          let bytes = statement.bytes(column.place)
          content.combine(column.name)
          content.combine(bytes.count)
          content.combine(bytes: bytes)
        }
        var name = Hasher()
        if let id { name.combine(bytes: statement.bytes(id)) }
        rows.append(Row(id: name.finalize(), content: content.finalize()))
      }
      self.rows = rows.sorted()
    }

    /// What a table's columns say, by their names as SQLite compares them.
    ///
    /// Every layer's own ones say what they are called, the others say their property, and `fid` and those of other
    /// programs say nothing.
    private static func meanings(
      of table: String, _ connection: Connection
    ) throws(StoreError) -> [ExactText: String] {
      var meanings: [ExactText: String] = [:]
      let text = try connection.text(
        "SELECT columns FROM nearby_layers WHERE table_name = ?", .text(table))
      for property in text.flatMap(LayerColumns.init(json:))?.properties ?? [] {
        meanings[ExactText(property.column.lowercased())] = "property \(property.name)"
      }
      for column in LayerColumns.own where column != "fid" { meanings[ExactText(column)] = column }
      return meanings
    }

    /// Counts what became of the rows when others took their place.
    ///
    /// If several rows have the same id, their order does not count.
    func count(replacedBy new: LayerDigest, in counts: inout UpdateCounts) {
      let same = LayerDigest.sharedCount(rows, new.rows, by: <)
      let kept = LayerDigest.sharedCount(rows, new.rows) { $0.id < $1.id }
      counts.unchanged = same
      counts.changed = kept - same
      counts.added = new.rows.count - kept
      counts.removed = rows.count - kept
    }

    /// How many rows two lists in order have in common, each as often as both have it.
    private static func sharedCount(
      _ left: [Row], _ right: [Row], by isBefore: (Row, Row) -> Bool
    ) -> Int {
      var (here, there, count) = (0, 0, 0)
      while here < left.count, there < right.count {
        if isBefore(left[here], right[there]) {
          here += 1
        } else if isBefore(right[there], left[here]) {
          there += 1
        } else {
          here += 1
          there += 1
          count += 1
        }
      }
      return count
    }
  }
#endif
