#if Store && CommandLine
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
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

    /// What an answer says that does not name its source.
    private struct Page: Equatable {
      let ids: [AnnotationID]
      let distances: [Distance]
      let facets: [Facet]
      let hasMore: Bool

      /// Distances may differ in their last bits: an index measures many with what it knows of the origin.
      static func == (left: Page, right: Page) -> Bool {
        left.ids == right.ids && left.facets == right.facets && left.hasMore == right.hasMore
          && left.distances.elementsEqual(right.distances) {
            $0 == $1 || abs($0.meters - $1.meters) < 1e-6
          }
      }
    }

    /// The first three pages, where pages are asked for; a cursor is of the source that gave it.
    private static func pages(
      of query: NearbyQuery, from source: some AnnotationSearching
    ) throws -> [Page] {
      var query = query
      var pages: [Page] = []
      while pages.count < 3 {
        let answer = try source.answer(query)
        pages.append(
          Page(
            ids: answer.map(\.annotation.id), distances: answer.map(\.distance),
            facets: answer.facets, hasMore: answer.next != nil))
        guard let next = answer.next else { break }
        query.after = next
      }
      return pages
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
        let wanted = try Self.pages(of: query, from: scan)
        found += wanted.reduce(0) { $0 + $1.ids.count }
        for index in [rows] + others {
          #expect(try Self.pages(of: query, from: index) == wanted, "\(query.text)")
        }
      }
      #expect(found > 500)
    }
  }
#endif
