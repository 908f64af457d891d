import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

@testable import PROJTransforms

/// The pure path against PROJ's, with the same operation, wherever both apply.
@Suite struct AgreementTests {
  /// What differs on the ground: PROJ rounds thirds of a degree to twelve decimals, 40 nm.
  private static let meters = 1e-7
  private static let metersPerDegree = 111_320.0

  @Test(arguments: [21, 22, 23] as [UInt64])
  func `every built-in CRS agrees with PROJ over its area, edges and corners`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var largest = 0.0
    #expect(CRS.builtInCodes.count > 1)
    for code in CRS.builtInCodes where code != 4326 {
      let crs = try CRS(epsg: code)
      let pure = crs.toWGS84
      let judge = try PROJTransform(from: "EPSG:\(code)")
      #expect(pure.startsFromDegrees == judge.startsFromDegrees)
      #expect(judge.endsInDegrees)
      #expect(pure.operation.accuracy == judge.operation.accuracy, "EPSG:\(code)")
      let places = places(in: try #require(pure.areaOfUse), &random)
      #expect(!places.isEmpty, "EPSG:\(code)")
      for place in places {
        let (ours, theirs) = (try pure.inverse(place), try judge.inverse(place))
        let forward = ours.gap(to: theirs) * (crs.isGeographic ? Self.metersPerDegree : 1)
        let (back, theirBack) = (try pure.forward(ours), try judge.forward(ours))
        let gap = max(forward, back.gap(to: theirBack) * Self.metersPerDegree)
        largest = max(largest, gap)
        #expect(gap < Self.meters, "EPSG:\(code) at \(place)")
      }
    }
    print("\(CRS.builtInCodes.count) codes: largest difference from PROJ \(largest) m")
  }

  /// Random places, corners and middles of edges; for a projection that is far enough to see its
  /// worst.
  private func places(in region: Region, _ random: inout SeededGenerator) -> [PlanePosition] {
    region.boxes.flatMap { box -> [PlanePosition] in
      // Web Mercator ends at the poles.
      let (south, north) = (max(box.south, -89.99), min(box.north, 89.99))
      let corners = [south, north, (south + north) / 2].flatMap { y in
        [box.west, box.east, (box.west + box.east) / 2].map { PlanePosition(x: $0, y: y) }
      }
      return corners
        + (0..<20).map { _ in
          PlanePosition(
            x: .random(in: box.west...box.east, using: &random),
            y: .random(in: south...north, using: &random))
        }
    }
    // 180° and −180° are one meridian, which each path may call by either name.
    .filter { abs($0.x) < 180 }
  }

  @Test(arguments: [31, 32] as [UInt64])
  func `transverse Mercator agrees with PROJ far from its meridian, and at the poles`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let pure = TransverseMercator(.grs80, centralMeridian: 127, scale: 0.9996)
    let judge = try PROJTransform(
      pipeline: "+proj=tmerc +lon_0=127 +k=0.9996 +ellps=GRS80")
    let degree = Double.pi / 180
    var largest = 0.0
    var places = (0..<3_000).map { _ in
      GeodeticPosition(
        latitude: .random(in: -90...90, using: &random),
        longitude: 127 + .random(in: -60...60, using: &random))
    }
    for longitude in [67, 100, 127, 150, 187] as [Double] {
      places += [90, -90, 89.999999, -89.999999, 0].map {
        GeodeticPosition(latitude: $0, longitude: longitude)
      }
    }
    for place in places {
      let ours = try pure.forward(place)
      let theirs = try judge.forward(
        PlanePosition(x: place.longitude * degree, y: place.latitude * degree))
      largest = max(largest, ours.gap(to: theirs))
      let back = try pure.inverse(theirs)
      let theirBack = try judge.inverse(theirs)
      #expect(abs(back.latitude - theirBack.y / degree) * Self.metersPerDegree < 1e-7, "\(place)")
    }
    // Both leave out what comes after n⁶.
    #expect(largest < 1e-7)
    print("tmerc up to 60° from its meridian: largest difference from PROJ \(largest) m")
  }

  @Test func `grid to grid agrees with PROJ`() throws {
    for (from, to) in [(5174, 5186), (5186, 5174), (5174, 4162), (30169, 2451), (3857, 32652)] {
      let pure = CRSTransform(from: try CRS(epsg: from), to: try CRS(epsg: to))
      let judge = try PROJTransform(from: "EPSG:\(from)", to: "EPSG:\(to)")
      let start = try CRS(epsg: from).toWGS84.inverse(
        from == 30169 ? PlanePosition(x: 139.7, y: 35.6) : PlanePosition(x: 127.1, y: 37.4))
      let (ours, theirs) = (try pure.forward(start), try judge.forward(start))
      #expect(ours.gap(to: theirs) < 1e-3, "\(from) to \(to): \(judge.operation)")
    }
  }
}

extension PlanePosition {
  /// The larger of the two differences.
  func gap(to other: PlanePosition) -> Double { max(abs(x - other.x), abs(y - other.y)) }
}
