import Geodesy
import NearbyTestSupport
import Testing

/// How much ground polygons cover.
@Suite struct PolygonSizeTests {
  /// The surface of WGS 84 in square meters: 2π a² + π (b² / e) ln((1 + e) / (1 − e)).
  private static let earth = 510_065_621_724_088.4

  private func box(
    _ south: Double, _ west: Double, _ north: Double, _ east: Double
  ) throws -> [PolygonVertex] {
    try [(south, west), (south, east), (north, east), (north, west)].map {
      try PolygonVertex(latitude: $0.0, longitude: $0.1)
    }
  }

  private func expect(_ found: Double, _ expected: Double, within share: Double = 1e-6) {
    #expect(abs(found / expected - 1) < share, "\(found) m², not \(expected)")
  }

  /// The ground of a box by ten thousand strips, each a frustum of a cone by the length of its meridian arc
  /// and of its parallel.
  private func stripes(
    _ south: Double, _ north: Double, width: (_ latitude: Double) -> Double
  ) -> Double {
    let count = 10_000
    let height = (north - south) / Double(count)
    var sum = 0.0
    for strip in 0..<count {
      let latitude = south + (Double(strip) + 0.5) * height
      let s = sine(radians(latitude))
      let w = (1 - WGS84.eccentricitySquared * s * s).squareRoot()
      let meridian =
        WGS84.equatorialRadius * (1 - WGS84.eccentricitySquared) / (w * w * w) * radians(height)
      sum +=
        meridian * WGS84.equatorialRadius / w * cosine(radians(latitude))
        * radians(width(latitude))
    }
    return sum
  }

  @Test func `the whole Earth and its eighth are what the ellipsoid has`() throws {
    expect(try Polygon(outer: box(-90, -180, 90, 180)).squareMeters, Self.earth)
    expect(try Polygon(outer: box(0, 0, 90, 90)).squareMeters, Self.earth / 8)
  }

  @Test(arguments: [
    (-45.0, 10.0, -44.0, 30.0), (0, 0, 1, 1), (60, 100, 89, 160), (-90, -180, -60, 180),
    (51.5, -0.001, 51.501, 0), (37.566, 126.978, 37.56609, 126.97811),
  ])
  func `boxes are what strips of them add up to`(box: (Double, Double, Double, Double)) throws {
    let polygon = try Polygon(outer: self.box(box.0, box.1, box.2, box.3))
    expect(polygon.squareMeters, stripes(box.0, box.2) { _ in box.3 - box.1 })
  }

  @Test func `a triangle is what strips of it add up to, whichever way it runs`() throws {
    let corners = try [(10.0, 20.0), (10, 60), (70, 20)].map {
      try PolygonVertex(latitude: $0.0, longitude: $0.1)
    }
    let expected = stripes(10, 70) { 40 * (70 - $0) / 60 }
    expect(try Polygon(outer: corners).squareMeters, expected)
    expect(try Polygon(outer: corners.reversed()).squareMeters, expected)
  }

  @Test func `holes are left out, parts are added, and ±180 is an ordinary meridian`() throws {
    let hole = try box(2, 2, 3, 4)
    let whole = try Polygon(outer: box(0, 0, 10, 10)).squareMeters
    let holeSize = try Polygon(outer: hole).squareMeters
    let polygon = try Polygon(outer: box(0, 0, 10, 10), holes: [hole])
    expect(polygon.squareMeters, whole - holeSize)
    expect(MultiPolygon([polygon, polygon]).squareMeters, 2 * (whole - holeSize))
    let crossing = try Polygon(outer: box(0, 175, 10, -175)).squareMeters
    expect(crossing, whole)
    #expect(MultiPolygon([]).squareMeters == 0)
  }
}
