import Geodesy
import NearbyTestSupport
import Testing

@Suite struct `Bounding boxes` {
  private func position(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test func `edges belong to the box`() throws {
    let box = try BoundingBox(south: -10, west: 20, north: 10, east: 40)
    for latitude in [-10.0, 0, 10] {
      for longitude in [20.0, 30, 40] {
        #expect(box.contains(try position(latitude, longitude)))
      }
    }
    #expect(!box.contains(try position(10.000001, 30)))
    #expect(!box.contains(try position(0, 40.000001)))
    #expect(!box.contains(try position(0, 19.999999)))
    #expect(!box.crossesAntimeridian)
    #expect(box.width == 20)
  }

  @Test func `a box across the antimeridian holds both its sides`() throws {
    let fiji = try BoundingBox(south: -21, west: 177, north: -12, east: -178)
    #expect(fiji.crossesAntimeridian)
    #expect(fiji.width == 5)
    for longitude in [177.0, 179.9, 180, -180, -179.9, -178] {
      #expect(fiji.contains(try position(-17, longitude)), "\(longitude)")
    }
    for longitude in [176.9, -177.9, 0] {
      #expect(!fiji.contains(try position(-17, longitude)), "\(longitude)")
    }
  }

  @Test func `negative zero is kept as zero`() throws {
    let box = try BoundingBox(south: -0.0, west: -0.0, north: -0.0, east: -0.0)
    #expect([box.south, box.west, box.north, box.east].allSatisfy { $0.sign == .plus })
    #expect(box.description == "0.0,0.0,0.0,0.0")
    // A whole turn is 0, too.
    let turned = try BoundingBox(plane: (south: 0, west: -360, north: 1, east: 1), isWhole: false)
    #expect(turned.west.sign == .plus)
  }

  @Test(arguments: [(170, 180), (-180, -170), (180, -170), (170, -180)] as [(Double, Double)])
  func `an edge at 180 holds the meridian in either spelling`(edges: (Double, Double)) throws {
    let box = try BoundingBox(south: -1, west: edges.0, north: 1, east: edges.1)
    #expect(box.contains(try position(0, 180)))
    #expect(box.contains(try position(0, -180)))
    #expect(box.width == 10)
  }

  @Test func `its spans hold exactly the positions that the box holds`() throws {
    let edges: [Double] = [-180, -179.5, -90, 0, 90, 179.5, 180]
    let longitudes = edges.flatMap { [$0 - 0.25, $0, $0 + 0.25] }
    for west in edges {
      for east in edges {
        let box = try BoundingBox(south: -1, west: west, north: 1, east: east)
        let spans = box.longitudeSpans
        for longitude in longitudes {
          let position = try Coordinate(latitude: 0, wrappingLongitude: longitude)
          let isInSpans =
            spans.first.contains(position.longitude)
            || spans.second?.contains(position.longitude) == true
          #expect(isInSpans == box.contains(position), "\(box) \(position)")
        }
      }
    }
  }

  @Test func `a box holds another when it holds all its corners and its width`() throws {
    let wide = try BoundingBox(south: -20, west: 160, north: 20, east: -160)
    #expect(wide.contains(try BoundingBox(south: -20, west: 160, north: 20, east: 170)))
    #expect(wide.contains(try BoundingBox(south: 0, west: -180, north: 1, east: -160)))
    #expect(wide.contains(try BoundingBox(south: 0, west: 175, north: 1, east: -175)))
    #expect(wide.contains(wide))
    #expect(!wide.contains(try BoundingBox(south: 0, west: -160, north: 1, east: 160)))
    #expect(!wide.contains(try BoundingBox(south: 0, west: 159, north: 1, east: 170)))
    #expect(!wide.contains(try BoundingBox(south: -21, west: 170, north: 1, east: 175)))
    #expect(!wide.contains(.world))
    #expect(BoundingBox.world.contains(wide))
    #expect(BoundingBox.world.contains(.world))
  }

  @Test func `containment agrees with the positions in both boxes`() throws {
    var generator = SeededGenerator(seed: 9)
    func edge() -> Double { Double(Int.random(in: -12...12, using: &generator)) * 15 }
    for _ in 0..<2_000 {
      let outer = try BoundingBox(south: -1, west: edge(), north: 1, east: edge())
      let inner = try BoundingBox(south: -1, west: edge(), north: 1, east: edge())
      // Between the edges lie the odd multiples of 7.5°, on them the even ones.
      let positions = try (-24...24).map { try position(0, Double($0) * 7.5) }
      let isCovered = positions.filter(inner.contains).allSatisfy(outer.contains)
      #expect(outer.contains(inner) == isCovered, "\(outer) \(inner)")
    }
  }

  @Test func `a box holds every part that shares its edges, whatever their last digits`() throws {
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<2_000 {
      let (start, end) = (
        Double.random(in: -540...180, using: &generator),
        Double.random(in: 0...300, using: &generator)
      )
      func part(_ from: Double, _ to: Double) throws -> BoundingBox {
        try BoundingBox(
          south: 0, west: Coordinate.wrappedLongitude(start + from), north: 1,
          east: Coordinate.wrappedLongitude(start + to))
      }
      let middle = Double.random(in: 0...end, using: &generator)
      let whole = try part(0, end)
      #expect(whole.contains(whole))
      #expect(whole.contains(try part(0, middle)), "\(whole) \(middle)")
      #expect(whole.contains(try part(middle, end)), "\(whole) \(middle)")
    }
  }

  @Test func `bad edges are rejected with their values and codes`() {
    #expect(throws: CoordinateError.boxOrder(south: 10, north: -10)) {
      try BoundingBox(south: 10, west: 0, north: -10, east: 1)
    }
    #expect(throws: CoordinateError.latitudeOutOfRange(-91)) {
      try BoundingBox(south: -91, west: 0, north: 0, east: 1)
    }
    #expect(throws: CoordinateError.longitudeOutOfRange(181)) {
      try BoundingBox(south: 0, west: 0, north: 1, east: 181)
    }
    #expect(throws: CoordinateError.notANumber("nan")) {
      try BoundingBox(south: 0, west: .nan, north: 1, east: 1)
    }
    let error = CoordinateError.boxOrder(south: 10, north: -10)
    #expect(error.code == "bbox-order")
    #expect(error.description == "south 10 lies north of north -10; swap them")
  }

  @Test func `it is written west, south, east, north, and read so`() throws {
    let box = try BoundingBox(south: 37.4, west: 126.7, north: 37.7, east: 127.2)
    #expect(box.description == "126.7,37.4,127.2,37.7")
    for text in ["126.7,37.4,127.2,37.7", " 126.7, 37.40,\t127.2 ,37.7"] {
      #expect(try BoundingBox(text: text) == box)
      #expect(try BoundingBox(text: text, mayHaveHeights: true) == box)
    }
    let high = "126.7, 37.4, 0, 127.2, 37.7, 100"
    #expect(try BoundingBox(text: high, mayHaveHeights: true) == box)
    for (text, error) in [
      (high, CoordinateError.notABox(high)), ("1,2,3", .notABox("1,2,3")),
      ("1 2 3 4", .notABox("1 2 3 4")), ("1,2,3,", .notANumber("")), ("1,2, x,4", .notANumber("x")),
      ("nan,1,2,3", .notANumber("nan")), ("1,5,2,4", .boxOrder(south: 5, north: 4)),
      ("1,2,181,4", .longitudeOutOfRange(181)),
    ] {
      #expect(throws: error) { try BoundingBox(text: text) }
    }
    let swapped = "latitude 126.7 is outside -90…90; these look swapped: try 126.7,37.4,127.2,37.7"
    for text in ["37.4,126.7,37.7,127.2", "37.4,126.7,0,37.7,127.2,0"] {
      let error = #expect(throws: CoordinateError.self) {
        try BoundingBox(text: text, mayHaveHeights: true)
      }
      #expect(error?.code == "lat-lon-swapped" && error?.description == swapped)
    }
    // Exchanged, it is no box either.
    #expect(throws: CoordinateError.latitudeOutOfRange(95)) { try BoundingBox(text: "92,95,93,96") }
    let error = CoordinateError.notABox("1,2")
    #expect(error.code == "bad-bbox")
    #expect(
      error.description
        == "\"1,2\" is not a box; write west,south,east,north, for example 126.9,37.4,127.1,37.6")
  }
}

@Suite struct `Boxes around a radius` {
  @Test(arguments: [-2...1, 1...4, 4...6, 6...6.99] as [ClosedRange<Double>])
  func `they hold every position on the circle`(exponents: ClosedRange<Double>) {
    let judge = PROJJudge()
    var generator = SeededGenerator(seed: 10)
    for round in 0..<60 {
      var center = PointSet.anywhere(using: &generator)
      if round % 5 == 0 { center = PointSet.legal(90 - pow10(-6...0, &generator), 10) }
      if round % 7 == 0 { center = PointSet.legal(-90 + pow10(-6...0, &generator), -180) }
      if round % 11 == 0 { center = PointSet.legal(pow10(-12...0, &generator) - 1e-3, 179.9) }
      if round % 13 == 0 { center = PointSet.legal(0, -30) }
      let radius = Distance.meters(pow10(exponents, &generator))
      let box = BoundingBox(around: center, radius: radius)
      var farthest = 0.0
      for step in 0..<360 {
        let end = judge.direct(
          center.latitude, center.longitude, azimuth: Double(step), distance: radius.meters)
        let position = PointSet.legal(end.latitude, Coordinate.wrappedLongitude(end.longitude))
        #expect(box.contains(position), "\(center) \(radius) \(step)")
        farthest = max(farthest, turn(position.longitude, center.longitude))
      }
      // It is not larger than it must be: what is left is the 1 µm, and the circle between degrees.
      if box.width < 180 {
        let margin = 3e-6 / (111_000 * WGS84.polarRadius / WGS84.equatorialRadius)
        let scale = max(
          1e-9, cosineOfDegrees(abs(box.north) > abs(box.south) ? box.north : box.south))
        #expect(box.width / 2 <= farthest * 1.0002 + margin / scale, "\(center) \(radius)")
      }
    }
  }

  @Test func `they hold every position inside, between opposite poles of the circle too`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let center = PointSet.anywhere(using: &generator)
      let position = PointSet.anywhere(using: &generator)
      let box = BoundingBox(around: center, radius: center.distance(to: position))
      #expect(box.contains(position), "\(center) \(position)")
    }
  }

  @Test func `the north and south edges are where the meridian reaches`() throws {
    let center = try Coordinate(latitude: 60, longitude: 25)
    let box = BoundingBox(around: center, radius: .kilometers(100))
    let north = center.destination(bearing: 0, distance: .kilometers(100)).latitude
    let south = center.destination(bearing: 180, distance: .kilometers(100)).latitude
    #expect((0...2e-11).contains(box.north - north))
    #expect((0...2e-11).contains(south - box.south))
  }

  @Test func `one that reaches a pole spans all longitudes up to it`() throws {
    let north = try Coordinate(latitude: 89.9, longitude: 25)
    let reaching = BoundingBox(around: north, radius: .kilometers(12))
    #expect(reaching.north == 90)
    #expect(reaching.west == -180)
    #expect(reaching.east == 180)
    #expect(reaching.south > 89.7)
    let short = BoundingBox(around: north, radius: .kilometers(11))
    #expect(short.north < 90)
    #expect(short.width < 180)

    let south = try Coordinate(latitude: -90, longitude: 77)
    let atPole = BoundingBox(around: south, radius: .zero)
    #expect(atPole.south == -90)
    #expect(atPole.width == 360)
    #expect(atPole.north < -89.99999999)
  }

  @Test func `one across the antimeridian has west greater than east`() throws {
    for longitude in [179.99, -179.99, 180] {
      let center = try Coordinate(latitude: -17, longitude: longitude)
      let box = BoundingBox(around: center, radius: .kilometers(5))
      #expect(box.crossesAntimeridian)
      #expect(box.width < 0.1)
      #expect(box.contains(center))
    }
  }

  @Test func `radius zero gives a box of the margin, and half the Earth gives the world`() throws {
    let center = try Coordinate(latitude: 37.5, longitude: 127)
    let point = BoundingBox(around: center, radius: .zero)
    #expect(point.contains(center))
    #expect(point.width < 3e-11)
    #expect(point.north - point.south < 3e-11)
    #expect(BoundingBox(around: center, radius: .infinity) == .world)
    #expect(BoundingBox(around: center, radius: .kilometers(20_004)) == .world)
    let most = BoundingBox(around: center, radius: .kilometers(15_000))
    #expect(most == .world)
  }

  private func pow10(
    _ exponents: ClosedRange<Double>, _ generator: inout SeededGenerator
  ) -> Double {
    PairClass.power(exponents, using: &generator)
  }

  private func cosineOfDegrees(_ angle: Double) -> Double { cosine(radians(angle)) }
}

@Suite struct `Boxes around positions` {
  private func box(around numbers: (Double, Double)...) -> BoundingBox? {
    BoundingBox(around: numbers.map { PointSet.legal($0.1, $0.0) })
  }

  @Test func `a box around positions is the smallest, across the antimeridian too`() throws {
    #expect(
      box(around: (10, 1), (20, -2)) == (try BoundingBox(south: -2, west: 10, north: 1, east: 20)))
    #expect(
      box(around: (178, 1), (-172, 2))
        == (try BoundingBox(south: 1, west: 178, north: 2, east: -172)))
    #expect(
      box(around: (178, 1), (-180, 2))
        == (try BoundingBox(south: 1, west: 178, north: 2, east: 180)))
    #expect(
      box(around: (-178, 1), (-180, 2))
        == (try BoundingBox(south: 1, west: -180, north: 2, east: -178)))
    #expect(box(around: (-90, 0), (90, 0))?.crossesAntimeridian == false)
    #expect(box(around: (5, 6)) == (try BoundingBox(south: 6, west: 5, north: 6, east: 5)))
    #expect(box() == nil)
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<10)
  func `a box that grows is the smallest after every position`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    let (points, _) = pointSet.sample(60, seed: seed)
    var growing = GrowingBox()
    #expect(growing.box == nil)
    for count in points.indices {
      growing.add(points[count])
      guard count < 5 || count % 20 == 19 else { continue }
      #expect(growing.box == BoundingBox(around: points[...count]))
    }
  }

  @Test func `a box that grows is all round the Earth where positions are`() throws {
    var growing = GrowingBox()
    let longitudes = (0..<400_000).map { Double($0) / 1_000 - 180 }
    for longitude in longitudes where longitude < 180 {
      growing.add(PointSet.legal(80 + longitude / 1_000, longitude))
    }
    let box = try #require(growing.box)
    #expect(box.west == -180 && box.east == 180 && box.south == 79.82)
    // A gap that is wider than a part is seen wherever it is.
    var open = GrowingBox()
    for longitude in longitudes where longitude < 180 && !(10..<10.012).contains(longitude) {
      open.add(PointSet.legal(0, longitude))
    }
    let around = try #require(open.box)
    #expect(abs(around.west - 10.012) < 1e-9 && abs(around.east - 9.999) < 1e-9)
  }

  @Test(arguments: PointSet.allCases, UInt64(0)..<10)
  func `a box around positions holds them, and none that starts at one of them is narrower`(
    pointSet: PointSet, seed: UInt64
  ) throws {
    let (points, _) = pointSet.sample(60, seed: seed)
    let box = try #require(BoundingBox(around: points))
    #expect(points.allSatisfy(box.contains))
    let narrowest =
      points.map { start in
        points.map { ($0.longitude - start.longitude + 360).truncatingRemainder(dividingBy: 360) }
          .max() ?? 0
      }.min() ?? 0
    #expect(abs(box.width - narrowest) < 1e-9)
  }
}
