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

  @Test func `lines and areas are written whole, and read back as they were`() throws {
    let corners = [(0.0, 0.0), (0, 1), (1, 1)].map { PointSet.legal(37 + $0.0, 127 + $0.1) }
    let across = [179.0, -179].map { PointSet.legal(0, $0) }
    let area = try Polygon(
      outer: [(0, 170), (0, 180), (20, 180), (20, 170)].map(Self.vertex),
      holes: [[(5, 175), (5, 178), (8, 178)].map(Self.vertex)])
    for (shape, type) in [
      (GroundShape(points: corners), "MultiPoint"),
      (GroundShape(lines: [Polyline(across)]), "LineString"),
      (GroundShape(lines: [Polyline(across), Polyline(corners)]), "MultiLineString"),
      (GroundShape(area: MultiPolygon([area])), "Polygon"),
      (GroundShape(area: MultiPolygon([area, try Polygon(outer: corners)])), "MultiPolygon"),
      (
        GroundShape(points: [place], lines: [Polyline(corners)], area: MultiPolygon([area])),
        "GeometryCollection"
      ),
    ] {
      let geometry = Geometry(shape)
      #expect(geometry.type == type)
      #expect(try geometry.groundShape().shape == shape)
      var park = BasicAnnotation(id: 7, coordinate: place, shape: shape)
      #expect(Feature(park).geometry == geometry)
      let bytes = GeoJSONWriter.bytes(of: [Feature(park, isStyled: false)])
      let read = try BasicAnnotation(try GeoJSONReader().features(in: bytes)[0], number: 1)
      park.coordinate = try geometry.representativePoint()
      park.properties = read.properties
      #expect(read == park)
    }
    #expect(Geometry(GroundShape(points: [place])) == .point(Position(place)))
    #expect(
      Feature(BasicAnnotation(id: 7, coordinate: place, shape: GroundShape())).geometry
        == .point(Position(place)))
  }

  private static func vertex(_ latitude: Double, _ longitude: Double) throws -> PolygonVertex {
    try PolygonVertex(latitude: latitude, longitude: longitude)
  }

  @Test func `hours, place and days are in the feature, and read back`() throws {
    let day = try #require(CalendarDate("2026-11-23"))
    var shop = BasicAnnotation(
      id: "a", placeID: "p", name: "n", kind: "cafe", coordinate: place, openingHours: "24/7",
      validDates: [DateSpan(first: day, last: nil)])
    let feature = Feature(shop, isStyled: false)
    #expect(
      feature.properties == [
        "name": "n", "kind": "cafe", "place_id": "p", "opening_hours": "24/7",
        "valid_from": "2026-11-23",
      ])
    let read = try BasicAnnotation(feature, number: 1)
    shop.properties = read.properties
    #expect(read == shop)
    let later = try #require(day.adding(days: 2))
    shop.validDates = [DateSpan(first: nil, last: day), DateSpan(first: later, last: later)]
    let gap = try BasicAnnotation(
      Feature(BasicAnnotation(id: 1, validDates: shop.validDates)), number: 1)
    for offset in -1...3 {
      let day = try #require(day.adding(days: offset))
      #expect(gap.holds(on: day) == shop.holds(on: day))
      // The source's own rule stays in force.
      shop.properties = ["rrule": .string("FREQ=WEEKLY;BYDAY=\(offset == 0 ? "TU" : "MO")")]
      let weekly = try BasicAnnotation(Feature(shop), number: 1)
      #expect(weekly.holds(on: day) == shop.holds(on: day))
      shop.properties = ["sessions": ""]
      #expect(try BasicAnnotation(Feature(shop), number: 1).holds(on: day) == false)
      shop.properties = [:]
    }
    #expect(
      try BasicAnnotation(Feature(geometry: nil, properties: ["id": "x"]), number: 3).id == "x")
    #expect(try BasicAnnotation(Feature(geometry: nil, properties: nil), number: 3).id == 3)
    #expect(throws: CoordinateError.self) {
      try BasicAnnotation(
        Feature(geometry: .point(Position(longitude: 0, latitude: 91)), properties: nil), number: 1)
    }
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
