import Geodesy
import MapProjections
import Testing

@Suite struct CRSCandidateTests {
  @Test func `metres of Seoul's belt name its CRSs, and how far apart they land`() throws {
    let candidates = CRSCandidates(x: 198_622.89, y: 446_114.16)
    let belts = try #require(candidates.families.first)
    #expect(belts.name == "Korean TM")
    #expect(belts.candidates.map(\.crs.code).starts(with: [5174, 5181, 5186, 2097]))
    let seoul = try Coordinate(latitude: 37.5173, longitude: 126.9852)
    #expect(belts.candidates[0].coordinate.distance(to: seoul).meters < 20)
    // The old meridian is the classic mistake, 255 m; the northings of 2010 are 100 km more.
    let gaps = belts.candidates.map { $0.coordinate.distance(to: belts.candidates[0].coordinate) }
    #expect((250...260).contains(gaps[3].meters))
    #expect((99_000...101_000).contains(gaps[2].meters))
    #expect(candidates.description.contains("Korean TM EPSG:5174, 5181, 5186, 2097"))
  }

  @Test(
    arguments: [
      (953_901.0, 1_952_032.0, 5179), (-6_837.3, -33_369.3, 6677), (322_000, 4_160_000, 32652),
      (14_135_000, 4_518_000, 3857), (387_000, 3_950_000, 32654),
    ])
  func `a pair of a grid has that grid among its candidates`(x: Double, y: Double, code: Int) {
    let codes = CRSCandidates(x: x, y: y).families.flatMap { $0.candidates.map(\.crs.code) }
    #expect(codes.contains(code), "\(codes)")
  }

  @Test func `a northing in the column of eastings is told`() throws {
    let family = try #require(CRSCandidates(x: 1_952_032, y: 953_901).families.first)
    #expect(family.name == "Korean unified")
    #expect(family.candidates[0].isNorthingFirst)
  }

  @Test func `a surveyor's northing first is no place in another belt`() throws {
    let candidates = CRSCandidates(x: 451_580, y: 198_242)
    let family = try #require(candidates.families.first)
    #expect(family.candidates[0].isNorthingFirst)
    let codes = family.candidates.map(\.crs.code)
    #expect(codes.starts(with: [5174, 5181, 5186]) && !codes.contains(5173), "\(codes)")
  }

  @Test func `if both orders are possible both are listed`() {
    // Daejeon, in EPSG:5174.
    let families = CRSCandidates(x: 234_038.8, y: 316_641.7).families
      .filter { $0.name == "Korean TM" }
    #expect(families.map { $0.candidates[0].isNorthingFirst } == [false, true])
  }

  @Test func `a negative easting may be Korean`() {
    // Baengnyeongdo, in EPSG:5186.
    let codes = CRSCandidates(x: -1_107.581, y: 597_742.317).families
      .flatMap { $0.candidates.map(\.crs.code) }
    #expect(codes.contains(5186), "\(codes)")
  }

  @Test func `a pair that fits Korea or Japan may still belong elsewhere`() {
    // New York, in UTM zone 18N.
    let candidates = CRSCandidates(x: 583_960, y: 4_507_523)
    #expect(!candidates.families.isEmpty)
    #expect(candidates.description.hasSuffix("(EPSG:326zz) or the grid of another country"))
  }

  @Test func `elsewhere only the kinds are named`() {
    let candidates = CRSCandidates(x: 691_607, y: 5_334_760)
    #expect(candidates.families.isEmpty)
    #expect(candidates.description.hasPrefix("UTM EPSG:326zz"))
    #expect(CRSCandidates(x: 1e9, y: 1e9).description.isEmpty)
    #expect(CRSCandidates(x: .nan, y: 1).description.isEmpty)
  }
}

@Suite struct CRSNameTests {
  @Test(
    arguments: [
      ("EPSG:5174", 5174), ("epsg:5174", 5174), ("5174", 5174),
      ("urn:ogc:def:crs:EPSG::5179", 5179), ("urn:ogc:def:crs:EPSG:9.9.1:5179", 5179),
      ("http://www.opengis.net/def/crs/EPSG/0/6677", 6677), ("OGC:CRS84", 4326),
      ("urn:ogc:def:crs:OGC:1.3:CRS84", 4326),
    ])
  func `names of all kinds give the code`(name: String, code: Int) {
    #expect(CRSName.epsgCode(in: name) == code)
  }

  @Test(
    arguments: [
      ("epsg5179", 5179), ("EPSG_5179", 5179), ("UTM-K", 5179), ("utmk", 5179), ("UTM 52N", 32652),
      ("UTM zone 5N", 32605),
    ])
  func `an unsupported name says which code it may mean`(name: String, code: Int) {
    #expect(CRSName.epsgCode(in: name) == nil)
    let error = CRSError.unsupported(name, because: "x")
    #expect(
      error.description == "\(name) is not supported: x; if you mean EPSG:\(code), write that")
  }

  @Test(arguments: ["UTM 52S", "UTM 61N", "EPSG:51x4", "ESRI:102080", ""])
  func `a name that may mean anything gets no code`(name: String) {
    let error = CRSError.unsupported(name, because: "x")
    #expect(error.description.hasSuffix(" is not supported: x"))
  }

  @Test(arguments: ["", "EPSG:", "ESRI:102080", "+proj=tmerc", "EPSG:51x4", "EPSG:-5"])
  func `what names no code gives none`(name: String) {
    #expect(CRSName.epsgCode(in: name) == nil)
  }
}
