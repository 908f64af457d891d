#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SQLiteStore

  @Suite struct StoredAnnotationTests {
    private let folder: Folder
    private let store: AnnotationStore
    private let here = PointSet.legal(37, 127), there = PointSet.legal(35, 129)

    init() throws {
      folder = try Folder()
      store = try AnnotationStore(folder.path("s.gpkg"))
    }

    /// Stores an annotation, edits what is read, puts that back and reads it again.
    private func edited(
      _ annotation: some StorableAnnotation, _ edit: (inout StoredAnnotation) -> Void
    ) throws -> (put: StoredAnnotation, read: StoredAnnotation) {
      try store.apply(Places.update(), [annotation])
      var stored = try #require(try store.annotation(annotation.id, in: "shops"))
      edit(&stored)
      try store.put([stored], in: "shops", at: Places.moment)
      return (stored, try #require(try store.annotation(annotation.id, in: "shops")))
    }

    @Test func `a row that is put keeps its number and the columns of other programs`() throws {
      let shops = try ["a", "a", "b"].map { try Places.shop(AnnotationID($0), 1, 2) }
      try store.apply(Places.update(), shops)
      try Connection(folder.path("s.gpkg"), .readWrite).execute(
        "ALTER TABLE shops ADD COLUMN photo; UPDATE shops SET photo = fid || '.jpg'")
      try store.put(
        [try Places.shop("a", 3, 4, ["new": "n"]), try Places.shop("c", 5, 6)], in: "shops",
        at: Places.moment)
      let rows = try store.connection.integer(
        "SELECT group_concat(fid || id || coalesce(photo, '-') = '2a2.jpg' OR "
          + "fid || id || coalesce(photo, '-') IN ('3b3.jpg', '4c-'), '') FROM shops")
      #expect(rows == 111)
      #expect(try store.annotation("a", in: "shops")?.coordinate == PointSet.legal(3, 4))
      #expect(try store.layer("shops").count == 3)
    }

    private var features: [Shape] {
      get throws {
        let line = Geometry.lineString([Position(here), Position(there)])
        return [
          try Shape(
            "p",
            Feature(
              id: 7, geometry: .point(Position(longitude: 127, latitude: 37, altitude: 5)),
              properties: ["n": 2], bbox: [127, 37, 127, 37], foreignMembers: ["m": 1])),
          try Shape("l", Feature(geometry: line, properties: ["n": 2], foreignMembers: ["m": 1])),
          try Shape("u", Feature(geometry: nil, properties: nil)),
        ]
      }
    }

    @Test func `edits of a feature are put, and what was not edited stays`() throws {
      for shape in try features {
        let (put, read) = try edited(shape) {
          $0.common.name = "new"
          $0.common.properties["n"] = 5
        }
        #expect(read.common == put.common && read.feature == put.feature)
        #expect(read.name == "new" && read.properties == ["n": 5])
        var wanted = shape.feature
        wanted?.properties = ["n": 5]
        #expect(read.feature == wanted)
      }
    }

    @Test func `a point moves with its position`() throws {
      for annotation in [try features[0], try features[2]] {
        let (put, read) = try edited(annotation) { $0.common.coordinate = there }
        #expect(read == put)
        #expect(read.coordinate == there && read.geometry == .point(Position(there)))
        #expect(read.feature?.geometry == read.geometry && read.feature?.bbox == nil)
        #expect(read.feature?.foreignMembers == annotation.feature?.foreignMembers)
      }
      var update = Places.update(policy: .upsert())
      update.layer = "merged"
      try store.apply(update, [try features[0]])
      var merged = try #require(try store.annotation("p", in: "merged"))
      merged.common.coordinate = there
      try store.apply(update, [merged])
      #expect(try store.annotation("p", in: "merged")?.coordinate == there)
      #expect(try edited(features[0]) { $0.common.coordinate = nil }.read.geometry == nil)
    }

    @Test func `a line stays where its pin is moved, and a pin goes where its line is moved`()
      throws
    {
      let line = try features[1]
      let pinned = try edited(line) { $0.common.coordinate = there }
      #expect(pinned.read == pinned.put)
      #expect(pinned.read.coordinate == there)
      #expect(pinned.read.geometry == line.feature?.geometry)
      let other = Geometry.multiPoint([Position(there), Position(here)])
      for annotation: any StorableAnnotation in [
        line, pinned.read, BasicAnnotation(id: "row", coordinate: here),
      ] {
        let moved = try edited(annotation) { $0.geometry = other }
        #expect(moved.read == moved.put)
        #expect(moved.read.geometry == other && moved.read.coordinate == there)
        #expect(moved.read.shape?.points == [there, here])
      }
      #expect(try edited(line) { $0.common.coordinate = nil }.read.geometry == nil)
    }

    @Test func `the shape of an annotation made in code is kept, and so is its pin`() throws {
      let corners = [(0.0, 0.0), (0, 1), (1, 1)].map { PointSet.legal(37 + $0.0, 127 + $0.1) }
      let shapes = [
        GroundShape(area: MultiPolygon([try Polygon(outer: corners)])),
        GroundShape(lines: [Polyline([here, there])]), GroundShape(points: [here, there]),
        GroundShape(
          points: [here], lines: [Polyline(corners), Polyline([there, here])],
          area: MultiPolygon([try Polygon(outer: corners), try Polygon(outer: corners.reversed())])),
      ]
      for shape in shapes {
        let park = BasicAnnotation(id: "park", coordinate: there, shape: shape)
        let (put, read) = try edited(park) { $0.common.name = "park" }
        #expect(read == put)
        #expect(read.shape == shape && read.coordinate == there)
        #expect(StoredAnnotation(copying: park).shape == shape)
        let (_, reshaped) = try edited(BasicAnnotation(id: 1, coordinate: there)) {
          $0.common.shape = shape
        }
        #expect(reshaped.shape == shape && reshaped.coordinate == there)
        let (_, plain) = try edited(park) { $0.common.shape = GroundShape() }
        #expect(plain.shape == nil && plain.geometry == .point(Position(there)))
        // Without a position it has that of the shape, and then the one that is set, in either order.
        let unplaced = BasicAnnotation(id: 2, shape: shape)
        for annotation in [unplaced, BasicAnnotation(id: 3)] {
          let (put, read) = try edited(annotation) { $0.common.shape = shape }
          #expect(read == put && read.shape == shape)
          #expect(try read.coordinate == read.geometry?.representativePoint())
          let (_, pinned) = try edited(annotation) {
            $0.common.shape = shape
            $0.common.coordinate = there
          }
          #expect(pinned.shape == shape && pinned.coordinate == there)
        }
      }
    }

    @Test func `a row keeps a line with altitudes at some positions`() throws {
      let line = Geometry.lineString([
        Position(longitude: 127, latitude: 37, altitude: 5), Position(there),
      ])
      let row = BasicAnnotation(id: "row", coordinate: here, properties: ["n": "2"])
      let (put, read) = try edited(row) { $0.geometry = line }
      #expect(read == put && read.geometry == line && read.feature == nil)
    }

    @Test func `the fields of a kind are kept`() throws {
      let mart = Mart(BasicAnnotation(id: 1, coordinate: here), brand: "이마트", address: "서울")
      let read = Mart(copying: try edited(mart) { $0.common.name = "new" }.read)
      #expect(read.properties == mart.properties && read.name == "new")
      #expect(read.brand == "이마트" && read.address == "서울")
    }
  }
#endif
