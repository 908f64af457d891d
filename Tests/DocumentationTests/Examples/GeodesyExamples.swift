import NearbyKit
import Testing

@Suite struct `Examples of Geodesy` {
  private func measuring() throws {
    let seoul = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    let busan = try Coordinate(latitude: 35.1796, longitude: 129.0756)
    print(seoul.distance(to: busan).kilometers.rounded())  // 325.0
    print(seoul.initialBearing(to: busan)?.rounded() ?? "-")  // 144.0
    print(seoul.midpoint(to: busan).latitude < 36.5)  // true
  }

  @Test func `measure`() throws {
    #expect(try PrintedLines.of(measuring) == ["325.0", "144.0", "true"])
  }

  private func antimeridian() throws {
    let fiji = try BoundingBox(south: -21, west: 177, north: -12, east: -178)
    print(fiji.contains(try Coordinate(latitude: -16, longitude: 180)))  // true
    print(fiji.contains(try Coordinate(latitude: -16, longitude: -179)))  // true
    print(fiji.contains(try Coordinate(latitude: -16, longitude: 0)))  // false
    print(try Coordinate(latitude: 0, longitude: 180).longitude)  // -180.0
  }

  @Test func `cross the antimeridian`() throws {
    #expect(try PrintedLines.of(antimeridian) == ["true", "true", "false", "-180.0"])
  }

  private func mistakes() throws {
    do {
      print(try Coordinate(latitude: 127.03, longitude: 37.5))
    } catch {
      print(error.code)  // lat-lon-swapped
    }
  }

  @Test func `name mistakes`() throws {
    #expect(try PrintedLines.of(mistakes) == ["lat-lon-swapped"])
  }

  private func straightEdges() throws {
    let wyoming = try Polygon(outer: [
      Coordinate(latitude: 41, longitude: -111), Coordinate(latitude: 41, longitude: -104),
      Coordinate(latitude: 45, longitude: -104), Coordinate(latitude: 45, longitude: -111),
    ])
    let ends = try (
      Coordinate(latitude: 45, longitude: -111), Coordinate(latitude: 45, longitude: -104)
    )
    print(wyoming.contains(try Coordinate(latitude: 45, longitude: -107.5)))  // true
    print(wyoming.contains(ends.0.midpoint(to: ends.1)))  // false
  }

  @Test func `keep edges on their parallel`() throws {
    #expect(try PrintedLines.of(straightEdges) == ["true", "false"])
  }
}
