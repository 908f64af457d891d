import NearbyKit
import Testing

@Suite struct `Examples of NearbyKit` {
  private func sixLines() throws {
    let cafe = try Coordinate(latitude: 37.5721, longitude: 126.9690)
    let mart = try Coordinate(latitude: 37.5613, longitude: 126.9470)
    let index = AnnotationIndex([
      BasicAnnotation(id: 1, coordinate: cafe), BasicAnnotation(id: 2, coordinate: mart),
    ])
    let here = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    print(index.nearest(1, to: here)[0].annotation.id)  // 1
  }

  @Test func `fit six lines`() throws {
    #expect(try PrintedLines.of(sixLines) == ["1"])
  }

  private func polygons() throws {
    let lawn = try Polygon(outer: [
      Coordinate(latitude: 37.570, longitude: 126.970),
      Coordinate(latitude: 37.570, longitude: 126.980),
      Coordinate(latitude: 37.578, longitude: 126.980),
      Coordinate(latitude: 37.578, longitude: 126.970),
    ])
    let stops = try [
      Coordinate(latitude: 37.560, longitude: 126.970),
      Coordinate(latitude: 37.560, longitude: 126.990),
    ]
    let shapes = ShapeIndex([
      GroundShape(area: MultiPolygon([lawn])), GroundShape(lines: [Polyline(stops)]),
    ])
    let here = try Coordinate(latitude: 37.575, longitude: 126.975)
    print(shapes.containing(here))
    let line = shapes.nearest(2, to: here)[1]
    print(line.shape, line.distance.meters.rounded(), line.nearestPoint.latitude)
    // [0]
    // 1 1665.0 37.56
  }

  private func parks() throws {
    struct Park: Annotation {
      var id: AnnotationID
      var coordinate: Coordinate?
      var shape: GroundShape?
    }
    let parks = AnnotationIndex([
      Park(
        id: 1, coordinate: try Coordinate(latitude: 37.574, longitude: 126.975),
        shape: GroundShape(
          area: MultiPolygon([
            try Polygon(outer: [
              Coordinate(latitude: 37.570, longitude: 126.970),
              Coordinate(latitude: 37.570, longitude: 126.980),
              Coordinate(latitude: 37.578, longitude: 126.975),
            ])
          ])))
    ])
    let result = parks.nearest(1, to: try Coordinate(latitude: 37.565, longitude: 126.975))[0]
    print(result.distance.meters.rounded(), result.nearestPoint?.latitude ?? 0)
    // 555.0 37.57
  }

  @Test func `tell which polygon one is in`() throws {
    #expect(try PrintedLines.of(polygons) == ["[0]", "1 1665.0 37.56"])
    #expect(try PrintedLines.of(parks) == ["555.0 37.57"])
  }
}
