import MapProjections
import PROJTransforms
import Testing

@Suite struct CRSCatalogTests {
  @Test func `between built-in CRSs PROJ is not asked`() throws {
    #expect(try CRSCatalog.toWGS84("EPSG:5174") is CRSTransform)
    #expect(
      try CRSCatalog.transform(from: "5186", to: "urn:ogc:def:crs:EPSG::3857") is CRSTransform)
    #expect(try CRSCatalog.toWGS84("EPSG:2056") is PROJTransform)
  }

  @Test func `two datums that PROJ cannot join meet on WGS 84`() throws {
    let transform = try CRSCatalog.transform(from: "EPSG:30169", to: "EPSG:2056")
    #expect(!transform.operation.isBallpark)
    #expect(transform.operation.accuracy == 10)
    // From the Swiss plane to Tokyo and back are two legs, each known by itself.
    let tower = PlanePosition(x: -6_837, y: -33_369)
    let leg = try CRSCatalog.toWGS84("EPSG:30169").forward(tower)
    let other = try CRSCatalog.toWGS84("EPSG:2056").inverse(leg)
    #expect(try transform.forward(tower) == other)
  }

  @Test func `an unknown code is refused with the nearest match`() {
    do throws(CRSError) {
      _ = try CRSCatalog.toWGS84("EPSG:5999")
      Issue.record("EPSG:5999 was found")
    } catch {
      #expect(error.code == "crs-unsupported")
      #expect(error.description.contains("EPSG:5999"))
      #expect(error.description.hasSuffix("the nearest match is EPSG:5179"))
    }
  }
}
