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
        "id = 7 and id = '07'",
      ] {
        for origin in [nil, annotations[0].coordinate] {
          var query = NearbyQuery()
          query.origin = origin
          query.condition = try Condition(parsing: condition)
          #expect(
            try PostGISStoreTests.pages(query, layer) == PostGISStoreTests.pages(query, index),
            "\(condition)")
          let found = try layer.candidates(for: query, in: PostGISStoreTests.context)
          #expect(found.annotations.count < 20, "\(condition)")
        }
      }
    }
  }
#endif
