import NearbyKit

struct Shop: Annotation {
  let id: AnnotationID
  let name: String?
  let coordinate: Coordinate?
}

func printNearestShops() throws {
  let shops = try [
    Shop(id: 1, name: "에무시네마", coordinate: Coordinate(latitude: 37.572129, longitude: 126.969033)),
    Shop(id: 2, name: "홈플러스", coordinate: Coordinate(latitude: 37.570488, longitude: 126.974753)),
    Shop(id: 3, name: "씨네큐브", coordinate: Coordinate(latitude: 37.569706, longitude: 126.972269)),
  ]
  let here = try Coordinate(latitude: 37.57, longitude: 126.97)
  for near in AnnotationIndex(shops).nearest(2, to: here) {
    print(near.annotation.name ?? "?", near.distance)
  }
}
