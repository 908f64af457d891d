import Geodesy

@testable import TextMaps

/// Positions of independent cinemas in Seoul, as their operators publish them.
enum Seoul {
  static let cityHall = Coordinate(unchecked: 37.5666, 126.9784)

  /// 씨네큐브광화문, 에무시네마 and 아트하우스모모: the three nearest to the city hall.
  static let cinemas: [TextMap.Marker] = [
    .init(at: Coordinate(unchecked: 37.569706, 126.972269), number: 1, kind: .cinema),
    .init(at: Coordinate(unchecked: 37.572129, 126.969033), number: 2, kind: .cinema),
    .init(at: Coordinate(unchecked: 37.561342, 126.947042), number: 3, kind: .cinema),
  ]
}

func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(unchecked: latitude, longitude)
}
