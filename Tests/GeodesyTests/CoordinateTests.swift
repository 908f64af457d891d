import Geodesy
import Testing

@Suite struct `Coordinates` {
  @Test func `180 is kept as -180, so that one meridian has one name`() throws {
    let east = try Coordinate(latitude: 1, longitude: 180)
    let west = try Coordinate(latitude: 1, longitude: -180)
    #expect(east == west)
    #expect(east.hashValue == west.hashValue)
    #expect(east.longitude == -180)
  }

  @Test func `negative zero is kept as zero`() throws {
    let zero = try Coordinate(latitude: -0.0, longitude: -0.0)
    #expect(zero.latitude.sign == .plus)
    #expect(zero.longitude.sign == .plus)
    #expect(zero.description == "0.0,0.0")
  }

  @Test(arguments: [90, -90, 89.999999, 0] as [Double])
  func `the edges of the ranges are legal`(latitude: Double) throws {
    let position = try Coordinate(latitude: latitude, longitude: 179.5)
    #expect(position.latitude == latitude)
    #expect(position.isPole == (abs(latitude) == 90))
  }

  @Test func `a latitude out of range is rejected with its value`() {
    let error = #expect(throws: CoordinateError.self) {
      try Coordinate(latitude: 90.5, longitude: 100)
    }
    #expect(error == .latitudeOutOfRange(90.5))
    #expect(error?.code == "lat-range")
    #expect(
      error?.description
        == "latitude 90.5 is outside -90…90; give degrees north, negative in the south")
  }

  @Test func `a longitude out of range is rejected with its value`() {
    let error = #expect(throws: CoordinateError.self) {
      try Coordinate(latitude: 37.5, longitude: 180.25)
    }
    #expect(error == .longitudeOutOfRange(180.25))
    #expect(error?.code == "lon-range")
    #expect(
      error?.description == "longitude 180.25 is outside -180…180; write -179.75, which is the same"
    )
    #expect(
      CoordinateError.longitudeOutOfRange(181.1).description.hasSuffix(
        "write -178.9, which is the same"))
    #expect(
      CoordinateError.longitudeOutOfRange(361).description
        == "longitude 361 is outside -180…180; give degrees east, negative in the west")
  }

  @Test func `an exchanged position is rejected with the exchange as a hint`() {
    let error = #expect(throws: CoordinateError.self) {
      try Coordinate(latitude: 126.978, longitude: 37.5665)
    }
    #expect(error == .looksSwapped(latitude: 126.978, longitude: 37.5665))
    #expect(error?.code == "lat-lon-swapped")
    #expect(
      error?.description == """
        latitude 126.978 is outside -90…90; these look swapped: try latitude 37.5665, \
        longitude 126.978
        """)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `what is not finite is rejected on either axis and says which`(value: Double) {
    #expect(throws: CoordinateError.notANumber(String(value))) {
      try Coordinate(latitude: value, longitude: 0)
    }
    #expect(throws: CoordinateError.notANumber(String(value))) {
      try Coordinate(latitude: 0, longitude: value)
    }
    #expect(throws: CoordinateError.notANumber(String(value))) {
      try Coordinate(latitude: 0, wrappingLongitude: value)
    }
  }

  @Test func `a decimal comma is rejected with the advice to use a dot`() {
    let error = CoordinateError.notANumber("37,51")
    #expect(error.code == "not-a-number")
    #expect(error.description == "\"37,51\" is not a number; use a dot")
    #expect(
      CoordinateError.notANumber("451,580.1").description
        == "\"451,580.1\" is not a number; write it without commas between thousands")
    for (text, isNumber) in [
      ("-1,451,580.1", true), ("14,51,580.25", true), (",.", false), ("a,b.c", false),
      ("37,5.", false), ("37,500.x", false), ("37.5,1", false),
    ] {
      let error = CoordinateError.notANumber(text)
      #expect(error.description.contains("without commas") == isNumber, "\(text)")
      #expect(error.description.contains("use a dot") != isNumber, "\(text)")
    }
  }

  @Test func `wrapped longitudes are counted round the Earth, exactly`() throws {
    #expect(try Coordinate(latitude: 0, wrappingLongitude: 190).longitude == -170)
    #expect(try Coordinate(latitude: 0, wrappingLongitude: 539).longitude == 179)
    #expect(try Coordinate(latitude: 0, wrappingLongitude: -540).longitude == -180)
    #expect(try Coordinate(latitude: 0, wrappingLongitude: 720.25).longitude == 0.25)
    #expect(Coordinate.wrappedLongitude(180) == 180)
    #expect(Coordinate.wrappedLongitude(-180) == -180)
  }
}

@Suite struct `Distances as values` {
  @Test func `units are meters inside`() {
    #expect(Distance.kilometers(1.5).meters == 1_500)
    #expect(Distance.miles(2).meters == 3_218.688)
    #expect(Distance.meters(250).kilometers == 0.25)
    #expect(Distance.meters(639.337).description == "639.337 m")
  }

  @Test func `negative zero is kept as zero`() {
    for length in [Distance.meters(-0.0), .kilometers(-0.0), Distance.zero * -1] {
      #expect(length.meters.sign == .plus && length.description == "0.0 m")
    }
  }

  @Test func `they add, scale and compare as lengths do`() {
    let walk = Distance.meters(800)
    #expect(walk + .meters(200) == .kilometers(1))
    #expect(walk - .meters(1_000) == .meters(-200))
    #expect(walk * 2 == .meters(1_600))
    #expect(walk / 4 == .meters(200))
    #expect(walk < .kilometers(1))
    #expect(.zero < walk)
    #expect(walk < .infinity)
  }
}
