import CNearbyPROJ
import Foundation
import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

@testable import PROJTransforms

@Suite struct PROJTransformTests {
  @Test func `a Swiss point lands in Bern, east first`() throws {
    // The origin of the Swiss grid is the old observatory of Bern, 46°57′03.9″ N, 7°26′19.1″ E.
    let transform = try PROJTransform(from: "EPSG:2056")
    let bern = try transform.coordinate(of: PlanePosition(x: 2_600_000, y: 1_200_000))
    #expect(abs(bern.latitude - 46.951083) < 1e-5)
    #expect(abs(bern.longitude - 7.438632) < 1e-5)
    #expect(transform.operation.name.contains("CH1903+ to WGS 84 (1)"))
    #expect(transform.operation.accuracy == 1)
    #expect(try #require(transform.areaOfUse).contains(bern))
  }

  @Test func `east comes first for CRSs defined northing first`() throws {
    for code in [6677, 5174, 4326, 4301, 2180, 31467] {
      let transform = try PROJTransform(from: "EPSG:4326", to: "EPSG:\(code)")
      let place = PlanePosition(
        x: code == 2180 ? 19 : code == 31467 ? 9 : 139, y: code == 2180 ? 52 : 36)
      let answer = try transform.forward(place)
      let further = try transform.forward(PlanePosition(x: place.x + 0.1, y: place.y))
      #expect(abs(further.x - answer.x) > 5 * abs(further.y - answer.y), "EPSG:\(code)")
    }
  }

  @Test(arguments: ["EPSG:99999", "EPSG:abc", "nonsense", "", "+proj=nothing"])
  func `what PROJ does not know is refused`(name: String) {
    #expect(code { () throws(CRSError) in _ = try PROJTransform(from: name) } == "crs-unsupported")
  }

  @Test(arguments: [
    ("merc", "Merchich, write EPSG:4261"), ("north", "Herat North, write EPSG:4255"),
    ("tree", "One Tree Point 1964 height, write EPSG:5767"),
    ("foo", "Amersfoort, write EPSG:4289"), ("Bessel", "Amersfoort, write EPSG:4289"),
  ]) func `a name that is merely similar to one is refused, and says to which`(
    name: String, remedy: String
  ) {
    let error = #expect(throws: CRSError.self) { try PROJTransform(from: name) }
    #expect(error?.description.hasSuffix("no CRS of that name; if you mean \(remedy)") == true)
  }

  @Test(arguments: ["WGS 84", "wgs84", "CRS84", "korea 2000 / central belt 2010"])
  func `a whole name is known, whatever its case and signs`(name: String) throws {
    _ = try PROJTransform(from: name)
  }

  @Test(arguments: [
    // Former names and short ones of EPSG, and those of ESRI.
    ("RGF93 / Lambert-93", 2154), ("osgb 1936 / british national grid", 27700),
    ("British National Grid", 27700), ("Web Mercator", 3857), ("LV95", 2056), ("OSGB 1936", 4277),
    ("RGF_1993_Lambert_93", 2154), ("Korean_1985_Korea_Central_Belt", 2097),
    ("GCS_WGS_1984", 4326), ("WGS_1984_UTM_Zone_52N", 32652),
  ]) func `a whole alias is the CRS that it is one of`(alias: String, code: Int) throws {
    let (named, coded) = (try PROJTransform(from: alias), try PROJTransform(from: "EPSG:\(code)"))
    #expect(named.operation == coded.operation)
    #expect(named.areaOfUse?.boxes == coded.areaOfUse?.boxes)
  }

  @Test(arguments: ["EPSG:5773", "EPSG:4978", "EPSG:7030"])
  func `what has no positions on the map is refused`(name: String) {
    // A height, the Earth's center, an ellipsoid.
    #expect(code { () throws(CRSError) in _ = try PROJTransform(from: name) } == "crs-unsupported")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite is refused`(number: Double) throws {
    let transform = try PROJTransform(from: "EPSG:2056")
    for position in [PlanePosition(x: number, y: 1), PlanePosition(x: 1, y: number)] {
      #expect(code { () throws(CRSError) in _ = try transform.forward(position) } == "not-a-number")
    }
    var many = [
      PlanePosition(x: number, y: 1), PlanePosition(x: 2_600_000, y: 1_200_000),
    ]
    try transform.forward(&many)
    #expect(many[0].x.isNaN)
    #expect(many[1] == (try transform.forward(PlanePosition(x: 2_600_000, y: 1_200_000))))
  }

  @Test func `a place outside the formulas is refused`() throws {
    let transform = try PROJTransform(from: "EPSG:3035")
    #expect(
      code { () throws(CRSError) in
        _ = try transform.forward(PlanePosition(x: 1e9, y: 1e9))
      } == "crs-domain")
  }

  @Test func `degrees are those of a coordinate, and grads may be more`() throws {
    let degrees = try PROJTransform(from: "EPSG:4269")
    for (x, y, expected) in [
      (541, 38, "lon-range"), (-181, 38, "lon-range"), (38, 127, "lat-lon-swapped"),
      (127, 98, "lat-range"),
    ] as [(Double, Double, String)] {
      let position = PlanePosition(x: x, y: y)
      #expect(code { () throws(CRSError) in _ = try degrees.forward(position) } == expected)
      #expect(code { () throws(CRSError) in _ = try degrees.inverse(position) } == expected)
    }
    var many = [PlanePosition(x: 541, y: 38), PlanePosition(x: -180, y: 38)]
    try degrees.forward(&many)
    #expect(many[0].x.isNaN && abs(many[1].x) == 180)
    // 60 of 100 grads to the pole, 190 of 200 round from Paris, which is at 2.337°.
    let paris = try PROJTransform(from: "EPSG:4807")
    let place = try paris.coordinate(of: PlanePosition(x: 190, y: 60))
    #expect(abs(place.latitude - 54) < 0.01 && abs(place.longitude - 173.337) < 0.01)
  }

  @Test func `threads that work at once agree with one alone`() async throws {
    let transform = try PROJTransform(from: "EPSG:27700")
    let places = (0..<2_000).map {
      PlanePosition(x: 400_000 + Double($0) * 50, y: 200_000 + Double($0) * 70)
    }
    let alone = try places.map { try transform.coordinate(of: $0) }
    let together = try await withThrowingTaskGroup(of: [Coordinate].self) { group in
      for _ in 0..<8 {
        group.addTask { try places.map { try transform.coordinate(of: $0) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(together.count == 8)
    for answers in together { #expect(answers == alone) }
  }

  @Test func `an operation without grids is chosen, and what it forgoes is counted`() throws {
    let british = try PROJTransform(from: "EPSG:27700")
    #expect(british.operation.name.contains("OSGB36 to WGS 84 (6)"))
    #expect(british.operation.accuracy == 2)
    #expect(british.operation.betterWithGrids == 1)
    #expect(british.operation.description.hasSuffix("1 that may be better needs grids"))
  }

  @Test func `formulas alone are exact`() throws {
    #expect(try PROJTransform(from: "EPSG:32652").operation.accuracy == 0)
    #expect(try PROJTransform(from: "EPSG:25832", to: "EPSG:25833").operation.accuracy == 0)
    #expect(try PROJTransform(from: "+proj=cass +ellps=GRS80").operation.accuracy == nil)
    #expect(try PROJTransform(from: "+proj=cass +ellps=GRS80").operation.isBallpark)
  }

  @Test func `a library that is missing, or is another one, is not taken`() {
    #expect(PROJLibrary.load(["libnothing-of-the-kind.so"]) == nil)
    #expect(PROJLibrary.load(["libz.so.1", "libm.so.6"]) == nil)
    #expect(PROJTransform.isAvailable)
  }

  @Test func `the numbers for PROJ's enumerations are those of its header`() {
    #expect(PROJType.geographic.contains(CInt(PJ_TYPE_GEOGRAPHIC_2D_CRS.rawValue)))
    #expect(PROJType.geographic.contains(CInt(PJ_TYPE_GEOGRAPHIC_3D_CRS.rawValue)))
    #expect(PROJType.onTheMap.contains(CInt(PJ_TYPE_PROJECTED_CRS.rawValue)))
    #expect(PROJType.onTheMap.contains(CInt(PJ_TYPE_BOUND_CRS.rawValue)))
    #expect(PROJType.onTheMap.count == 4)
    #expect(PROJType.conversion == CInt(PJ_TYPE_CONVERSION.rawValue))
    #expect(PROJType.concatenated == CInt(PJ_TYPE_CONCATENATED_OPERATION.rawValue))
    #expect(
      PROJConstant.partialIntersection == CInt(PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION.rawValue)
    )
    #expect(PROJConstant.gridsDoNotSort == CInt(PROJ_GRID_AVAILABILITY_IGNORED.rawValue))
    #expect(PROJWorker.Direction.forward.rawValue == PJ_FWD.rawValue)
    #expect(PROJWorker.Direction.inverse.rawValue == PJ_INV.rawValue)
    #expect(MemoryLayout<PJ_COORD>.size == 4 * MemoryLayout<Double>.size)
  }

  private func code(_ body: () throws(CRSError) -> Void) -> String? {
    do throws(CRSError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }
}
