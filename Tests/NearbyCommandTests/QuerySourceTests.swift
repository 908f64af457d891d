#if Store && CommandLine
  import AnnotationImport
  import NearbySearch
  import NearbyTestSupport
  import Testing

  @testable import NearbyCommand

  /// One query put to a file of rows, to its index file and to a store, beside a list that is gone through.
  @Suite struct QuerySourceTests {
    /// Rows with gaps: some without a position, a kind, a rating.
    private static func table(_ random: inout SeededGenerator) -> String {
      var text = "id,name,kind,lat,lon,rating,opening_hours\n"
      for row in 0..<300 {
        let id = row % 4 == 3 ? "shop-\(row)" : "\(row)"
        let place =
          row % 11 == 10
          ? ","
          : "\(37 + Double.random(in: 0..<1, using: &random)),\(126.5 + Double.random(in: 0..<1, using: &random))"
        let kind = ["cinema", "mart", "deal", ""].randomElement(using: &random)!
        let rating = ["", "1", "2", "3.5", "4", "5", "n/a"].randomElement(using: &random)!
        text += "\(id),이름 \(row),\(kind),\(place),\(rating),Mo-Fr 09:00-1\(row % 9):00\n"
      }
      return text
    }

    /// The text of a query, of some of all parameters.
    private static func query(_ random: inout SeededGenerator) throws -> NearbyQuery {
      var parts: [String] = []
      func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
      func one(_ texts: [String]) -> String { texts.randomElement(using: &random)! }
      let hasOrigin = chance(70)
      if hasOrigin {
        parts.append("lat=37.\(Int.random(in: 0..<1000, using: &random))&lon=127")
        if chance(40) { parts.append(one(["within=2000", "within=30000", "beyond=10000"])) }
      }
      if chance(30) {
        parts.append(
          one([
            "bbox=126.6,37.2,127.1,37.7",
            "area=37.1,126.6,37.9,126.7,37.5,127.4",
          ]))
      }
      if chance(30) { parts.append(one(["kind=mart", "kind=cinema&kind=deal", "kind=none"])) }
      if chance(50) {
        parts.append(
          "where="
            + one([
              "rating%20%3E%3D%203", "not%20rating%20%3D%202", "rating%20is%20null",
              "name%20contains%20'7'", "kind%20%3D%20'mart'%20and%20rating%20%3C%204",
              "id%20in%20('7',%20'12',%20'shop-3')",
            ]))
      }
      if chance(30) { parts.append("facets=kind,rating") }
      parts.append(one(["k=1", "k=7", "k=40", "k=1000"]))
      if hasOrigin, chance(25) {
        parts.append("per-kind")
      } else {
        if chance(50) {
          parts.append("sort=" + one(["rating:desc", "id", "kind,rating", "name:desc"]))
        }
        if chance(50) { parts.append("after=") }
      }
      return try NearbyQuery(parsing: parts.joined(separator: "&"))
    }

    @Test(arguments: UInt64(0)..<3)
    func `rows, their index file and a store give one answer`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let folder = try Folder()
      try folder.write(Self.table(&random), to: "rows.csv")
      for arguments in [
        ["index", "build", "rows.csv", "-o", "rows.nbx"],
        ["import", "rows.csv", "--store", "s.gpkg"],
        // The index beside the store is made by the first question.
        ["list", "s.gpkg", "--limit", "1"],
      ] {
        let outcome = try Program.run(arguments, in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      func opened(_ name: String) throws -> AnnotationIndex<ImportedAnnotations> {
        let file = FileName(argument: folder.url.appending(path: name).path)
        return try Source.index(of: [file], SourceReading(), isAskedOnce: false).index
      }
      let rows = try opened("rows.csv")
      let scan = AnnotationScan(Array(rows.annotations))
      let others = try ["rows.nbx", "s.gpkg"].map(opened)
      for other in others { #expect(other.annotations.count == 300) }
      var found = 0
      for _ in 0..<120 {
        let query = try Self.query(&random)
        var query2 = query
        // Three pages, where pages are asked for.
        for _ in 0..<3 {
          let wanted = try scan.answer(query2)
          found += wanted.count
          for index in [rows] + others {
            let answer = try index.answer(query2)
            #expect(
              answer.map(\.annotation.id) == wanted.map(\.annotation.id), "\(query2.text)")
            #expect(answer.map(\.distance) == wanted.map(\.distance), "\(query2.text)")
            #expect(answer.facets == wanted.facets, "\(query2.text)")
            #expect(answer.next == wanted.next, "\(query2.text)")
          }
          guard query.after != nil, let next = wanted.next else { break }
          query2.after = next
        }
      }
      #expect(found > 500)
    }
  }
#endif
