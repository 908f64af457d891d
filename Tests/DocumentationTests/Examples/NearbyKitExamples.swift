import NearbyKit
import Testing

@Suite struct `Examples of NearbyKit` {
  private func sixLines() throws {
    let index = AnnotationIndex([
      BasicAnnotation(id: 1, name: "A", coordinate: try Coordinate(latitude: 37.5721, longitude: 126.9690)),
      BasicAnnotation(id: 2, name: "B", coordinate: try Coordinate(latitude: 37.5613, longitude: 126.9470)),
    ])
    let here = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    for near in index.nearest(1, to: here) { print(near.annotation.name ?? "?", near.distance) }
  }

  @Test func `fit six lines`() throws {
    let lines = try PrintedLines.of(sixLines)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("A 1032.") || lines[0].hasPrefix("A 103"))
  }
}
