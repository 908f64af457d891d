import NearbyKit
import PROJTransforms
import Testing

@Suite struct `Examples of MapProjections and PROJTransforms` {
  private func korean() throws {
    let transform = try CRS(epsg: 5174).toWGS84
    let shop = try transform.coordinate(of: PlanePosition(x: 198_242, y: 451_580))
    print(shop)  // 37.566501840582944,126.98088923528455
    print(transform.operation.accuracy ?? .nan)  // 1.0
  }

  @Test func `a Korean grid needs no library`() throws {
    #expect(try PrintedLines.of(korean) == ["37.566501840582944,126.98088923528455", "1.0"])
  }

  private func swiss() throws {
    let swiss = try CRSCatalog.toWGS84("EPSG:2056")
    let bern = try swiss.coordinate(of: PlanePosition(x: 2_600_000, y: 1_200_000))
    print(bern.latitude, swiss.operation)
  }

  @Test func `any other asks PROJ`() throws {
    let lines = try PrintedLines.of(swiss)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("46.95108"))
    #expect(lines[0].hasSuffix("CH1903+ to WGS 84 (1), accurate to 1 m in its area of use"))
  }
}
