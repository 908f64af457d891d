import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

@Suite struct CRSTests {
  @Test func `every built-in code is found, and has its own code`() throws {
    #expect(CRS.builtInCodes.count == 7 + 2 + 21 + 3 * 24 + 120)
    #expect(Set(CRS.builtInCodes).count == CRS.builtInCodes.count)
    for code in CRS.builtInCodes { #expect(try CRS(epsg: code).code == code) }
  }

  @Test(arguments: [(3875, 3857), (5147, 5167), (43260, 4326), (32661, 32660)])
  func `an unknown code is refused with the nearest match`(code: Int, nearest: Int) {
    do throws(CRSError) {
      _ = try CRS(epsg: code)
      Issue.record("\(code) was found")
    } catch {
      #expect(error.code == "crs-unsupported")
      #expect(error.description.hasPrefix("EPSG:\(code) is not supported: it is not built in"))
      #expect(error.description.hasSuffix("is EPSG:\(nearest)"))
    }
  }

  @Test(arguments: [1, 99_999])
  func `a code that is like none is refused without one`(code: Int) {
    let error = #expect(throws: CRSError.self) { try CRS(epsg: code) }
    #expect(error?.description.hasSuffix(", and their degrees") == true)
  }

  @Test(arguments: [11, 12] as [UInt64])
  func `every built-in CRS goes to WGS 84 and back within 25 millimeters`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    #expect(!CRS.builtInCodes.isEmpty)
    for code in CRS.builtInCodes {
      let transform = try CRS(epsg: code).toWGS84
      let boxes = try #require(transform.areaOfUse).boxes
      #expect(!boxes.isEmpty, "EPSG:\(code)")
      for box in boxes {
        for _ in 0..<20 {
          let start = try Coordinate(
            latitude: .random(in: max(box.south, -89)...min(box.north, 89), using: &random),
            longitude: .random(in: box.west...box.east, using: &random))
          let end = try transform.coordinate(of: try transform.position(of: start))
          #expect(start.distance(to: end).meters < 0.025, "EPSG:\(code) at \(start)")
        }
      }
    }
  }

  @Test func `between CRSs of one datum nothing is shifted`() throws {
    let transform = CRSTransform(from: try CRS(epsg: 5174), to: try CRS(epsg: 2097))
    #expect(transform.operation.accuracy == 0)
    #expect(!transform.operation.name.contains("WGS 84"))
    let start = PlanePosition(x: 198_242, y: 451_580)
    let end = try transform.inverse(try transform.forward(start))
    #expect(end.gap(to: start) < 1e-7)
    // The modified meridian is 10.405″ further east.
    #expect(abs(try transform.forward(start).x - start.x - 255.4) < 0.5)
  }

  @Test func `without the shift Korean 1985 is some 360 m off`() throws {
    let place = PlanePosition(x: 198_242, y: 451_580)
    let shifted = try CRS(epsg: 5174).toWGS84.coordinate(of: place)
    let own = try CRSTransform(from: try CRS(epsg: 5174), to: try CRS(epsg: 4162)).forward(place)
    let unshifted = try Coordinate(latitude: own.y, longitude: own.x)
    #expect((340...400).contains(shifted.distance(to: unshifted).meters))
  }

  @Test func `two shifted datums meet through WGS 84`() throws {
    let transform = CRSTransform(from: try CRS(epsg: 4162), to: try CRS(epsg: 4301))
    #expect(transform.operation.accuracy == 10)
    let direct = try transform.forward(PlanePosition(x: 129, y: 35))
    let through = try CRS(epsg: 4301).toWGS84.inverse(
      try CRS(epsg: 4162).toWGS84.forward(PlanePosition(x: 129, y: 35)))
    #expect(direct.gap(to: through) < 1e-12)
  }

  @Test func `degrees out of range are refused`() throws {
    for code in [4326, 4737, 4301] {
      let transform = try CRS(epsg: code).toWGS84
      for (position, code) in [
        (PlanePosition(x: 37, y: 127), "lat-lon-swapped"),
        (PlanePosition(x: 127, y: 97), "lat-range"),
        (PlanePosition(x: 180.5, y: 1), "lon-range"), (PlanePosition(x: -359, y: 1), "lon-range"),
        (PlanePosition(x: 541, y: 1), "lon-range"), (PlanePosition(x: .nan, y: 1), "not-a-number"),
      ] {
        do throws(CRSError) {
          _ = try transform.forward(position)
          Issue.record("\(position) was taken")
        } catch {
          #expect(error.code == code)
        }
      }
      for longitude in [180.0, -180] {
        #expect(throws: Never.self) { try transform.forward(PlanePosition(x: longitude, y: 1)) }
      }
    }
  }

  @Test(arguments: [Int.min, -.max, Int.min + 30_000, -4326, 0, .max])
  func `no code is too small or too large to be refused`(code: Int) {
    let error = #expect(throws: CRSError.self) { try CRS(epsg: code) }
    #expect(error?.code == "crs-unsupported")
    #expect(error?.description.hasPrefix("EPSG:\(code) is not supported") == true)
  }
}
