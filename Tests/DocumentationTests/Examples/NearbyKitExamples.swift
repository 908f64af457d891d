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
}
