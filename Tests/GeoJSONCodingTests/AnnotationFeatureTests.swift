import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

@Suite struct AnnotationFeatureTests {
  private let place = PointSet.legal(37.5, 127)

  @Test func `an answer carries the source's properties, then its own`() {
    let cinema = Cinema(
      BasicAnnotation(
        id: 12, name: "Seoul Cinema", coordinate: place, properties: ["screens": 8, "name": "서울"]))
    let feature = Feature(cinema, id: 12, distance: .meters(639.337), bearing: 12.5)
    #expect(feature.id == 12)
    #expect(feature.geometry == .point(Position(longitude: 127, latitude: 37.5)))
    #expect(
      feature.properties == [
        "screens": 8, "name": "서울", "kind": "cinema", "distance": .number("639.337"),
        "bearing": .number("12.5"), "marker-color": "#0072b2", "marker-symbol": "cinema",
      ])
  }

  @Test func `what the source says of its marker stays, and the answer replaces its distance`() {
    let mart = Mart(
      BasicAnnotation(
        id: "m", coordinate: place,
        properties: ["distance": "far", "marker-color": "#123456", "kind": "shop"]))
    #expect(
      Feature(mart, distance: .zero).properties == [
        "marker-color": "#123456", "kind": "shop", "distance": 0, "bearing": nil,
        "marker-symbol": "grocery",
      ])
    #expect(Feature(mart).properties?["distance"] == "far")
    #expect(Feature(mart).id == "m")
  }

  @Test func `a feature that is data and no marker has no style`() {
    let mart = Mart(BasicAnnotation(id: "m", coordinate: place, properties: ["floors": 2]))
    #expect(Feature(mart, isStyled: false).properties == ["floors": 2, "kind": "mart"])
  }

  @Test func `an unplaced annotation has no geometry and no marker`() {
    let deal = Deal(BasicAnnotation(id: 3, name: "Half price"))
    #expect(
      Feature(deal)
        == Feature(id: "3", geometry: nil, properties: ["name": "Half price", "kind": "deal"]))
  }

  @Test func `kinds are told apart by color, and an unknown one is plain`() {
    let kinds: [AnnotationKind?] = [.cinema, .mart, .deal, "cafe"]
    #expect(Set(kinds.map { MarkerStyle(for: $0).color }).count == 4)
    #expect(MarkerStyle(for: nil) == MarkerStyle(for: "cafe"))
    #expect(MarkerStyle(for: nil).symbol == nil)
  }

  @Test func `a column name that repeats becomes two`() throws {
    let row = BasicAnnotation(id: 1, properties: ["tel": "1", "tel": "2"])
    let feature = Feature(row)
    #expect(feature.properties == ["tel": "1", "tel_2": "2"])
    let bytes = GeoJSONWriter.bytes(of: [feature])
    #expect(try GeoJSONReader().features(in: bytes) == [feature])
  }
}
