#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import Testing

  @testable import PostGISStore

  @Suite(.enabled(if: TestServer.address != nil, TestServer.reason))
  struct LookupTests {
    @Test func `a number is looked up however ids write it, and no other rows are read`() throws {
      let layer = try TestServer.layer("numbers")
      let ids = [
        "7", "07", "7.0", " 7", "70e-1", "+7", "-7", "09", "0", "-0", ".5", "7x", "x7", "",
        // PostgreSQL has no such numbers.
        "7e99999", "7e-99999", "0e99999", "7e00000", "1_0", "0x7", "7.", ".", "1e", "-.5e+1",
        "0." + String(repeating: "0", count: 2_500) + "7e2501",
        String(repeating: "7", count: 2_500) + "e9999", "." + String(repeating: "7", count: 2_000),
      ]
      let items = try (ids + (10..<300).map { "\($0)" } + (10..<300).map { "0\($0)" })
        .enumerated().map { place, id in
          BasicAnnotation(
            id: AnnotationID(id),
            coordinate: try Coordinate(latitude: 37, longitude: 127 + Double(place) / 1_000))
        }
      let annotations = try PostGISStoreTests.imported(items)
      try layer.replace(with: annotations)
      let index = AnnotationIndex(annotations)
      for condition in [
        "id = 7", "id in (7, 9)", "id in (0, -7, 0.5)", "id = 12", "id in (1, 2)",
        "id = 7 and id = '07'", "id = -5", "id in (0.25, 0.5)", "id in (1e-99999, 7e-99999)",
      ] {
        for origin in [nil, annotations[0].coordinate] {
          var query = NearbyQuery()
          query.origin = origin
          query.condition = try Condition(parsing: condition)
          #expect(
            try PostGISStoreTests.pages(query, layer) == PostGISStoreTests.pages(query, index),
            "\(condition)")
          let found = try layer.candidates(for: query, in: PostGISStoreTests.context)
          #expect(found.annotations.count < 25, "\(condition)")
        }
      }
    }

    @Test func `thousands of numbers are looked up within the time limit`() throws {
      let layer = try TestServer.layer("many numbers")
      let ids = (0..<3_000).map { "\($0)" } + (0..<3_000).map { "0000\($0)" }
      try layer.replace(
        with: PostGISStoreTests.imported(ids.map { BasicAnnotation(id: AnnotationID($0)) }))
      var query = NearbyQuery()
      query.limit = .max
      let numbers = (0..<8_000).map { "\($0 * 7)" }
      query.condition = try Condition(parsing: "id in (\(numbers.joined(separator: ", ")))")
      // With one pattern for each number it took longer than the limit.
      let found = try layer.candidates(for: query, in: PostGISStoreTests.context)
      // Those of both spellings that are multiples of seven.
      #expect(found.annotations.count == 2 * 429)
    }
  }
#endif
