import NearbyKit

struct Cafe: Annotation {
  let id: AnnotationID
  let coordinate: Coordinate?
}

@main
struct Consumer {
  static func main() throws {
    let index = AnnotationIndex([
      Cafe(id: 1, coordinate: try Coordinate(latitude: 37.5721, longitude: 126.9690)),
      Cafe(id: 2, coordinate: try Coordinate(latitude: 37.5613, longitude: 126.9470)),
    ])
    let here = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    print(index.nearest(1, to: here)[0].annotation.id)
  }
}
