#if Store
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
  @testable import NearbyCommand
  @testable import SQLiteStore

  /// Rows of texts go into a store without being made annotations first.
  @Suite struct StoreRowTests {
    private static let names = [
      "id", "name", "이름", "kind", "종류", "opening_hours", "place_id", "메모", "geom", "feature",
      "ID ", "가\"나", "valid_from",
    ]
    private static let cells = [
      "", "", "NULL", "-", "\\N", "7", "007", "가게", "\"a\"\"b\"", "\"두, 셋\"", "2026-11-22",
    ]

    @Test(arguments: UInt64(0)..<60)
    func `a row is kept as its annotation is`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var header = StoreRowTests.names.shuffled(using: &random)
      header.removeLast(Int.random(in: 0..<header.count, using: &random))
      header.insert("lat", at: Int.random(in: 0...header.count, using: &random))
      header.insert("lon", at: Int.random(in: 0...header.count, using: &random))
      // Two sources in one layer, the second with the columns of the first in another order.
      var rowCount = 0
      let texts = [header, header.shuffled(using: &random)].map { header in
        var text = header.map { $0.contains("\"") ? "\"가\"\"나\"" : $0 }.joined(separator: ",")
        for row in 0..<40 {
          let isPlaced = Bool.random(using: &random)
          let cells = header.map { name in
            switch name {
            case "lat": isPlaced ? "37.\(row)" : ""
            case "lon": isPlaced ? "127.0\(row)" : ""
            default: StoreRowTests.cells.randomElement(using: &random)!
            }
          }
          text += "\n" + cells.joined(separator: ",")
          // A row of empty cells is none.
          if cells.contains(where: { !$0.isEmpty }) { rowCount += 1 }
        }
        return text
      }
      var options = ImportOptions()
      if Bool.random(using: &random) { options.defaultKind = .mart }
      let annotations = ImportedAnnotations(
        joining: try texts.map {
          try AnnotationImporter(options: options).read(Array($0.utf8), named: "a.csv").annotations
        })

      let folder = try Folder()
      let update = LayerUpdate(layer: "rows", refreshed: Instant(milliseconds: 0))
      var kept: [[String]] = []
      var read: [[StoredAnnotation]] = []
      var rowsTaken = 0
      for takesRows in [true, false] {
        let store = try AnnotationStore(folder.url.appending(path: "\(takesRows).gpkg").path)
        try store.apply(update) { writer in
          try annotations.forEachWithRow { (annotation, row) throws(StoreError) in
            if row != nil { rowsTaken += 1 }
            try writer.append(annotation, from: takesRows ? row : nil)
          }
        }
        kept.append(try StoreRowTests.rows(of: store))
        read.append(try store.annotations(in: "rows"))
      }
      #expect(kept[0] == kept[1])
      #expect(read[0] == read[1])
      #expect(read[0].count == rowCount && rowCount > 60)
      if !header.contains("valid_from") { #expect(rowsTaken > 0) }
    }

    /// Every value of every row, as SQL writes it.
    private static func rows(of store: AnnotationStore) throws -> [String] {
      let columns = try store.connection.rows("SELECT name FROM pragma_table_info('rows')") {
        (row) throws(StoreError) in row.text(0) ?? ""
      }
      let values = columns.map { "quote(\(quoted($0)))" }.joined(separator: " || ',' || ")
      return try store.connection.rows("SELECT \(values) FROM rows ORDER BY fid") {
        (row) throws(StoreError) in columns.joined(separator: ",") + ": " + (row.text(0) ?? "")
      }
    }
  }
#endif
