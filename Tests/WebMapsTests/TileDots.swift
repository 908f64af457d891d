import Foundation
import Geodesy
import MapProjections

@testable import WebMaps

/// A point in a tile.
struct Dot: Hashable, Comparable {
  let id: Int, x: Int, y: Int

  /// Whether it is in the tile, and not in its buffer alone.
  var isOwn: Bool { (0..<4096).contains(x) && (0..<4096).contains(y) }

  static func < (left: Dot, right: Dot) -> Bool {
    (left.id, left.x, left.y) < (right.id, right.x, right.y)
  }
}

/// Looks at every point for every tile.
enum DotJudge {
  static func dots(_ points: [Coordinate], in tile: TileAddress, buffer: Int) -> [Dot] {
    let scale = Double(1 << tile.zoom)
    var dots: [Dot] = []
    for (number, point) in points.enumerated() {
      let sine = sin(point.latitude * .pi / 180)
      let y = min(max(0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi), 0), 1.0.nextDown)
      for turn in -1...1 {
        let x = point.longitude / 360 + 0.5 + Double(turn)
        let column = (x * scale - Double(tile.x)) * 4096
        let row = (y * scale - Double(tile.y)) * 4096
        // A point on a border is the eastern tile's own; a buffer's own edge is in it.
        let isOwn = (0..<4096).contains(column) && (0..<4096).contains(row)
        let near = Double(-buffer)...Double(4096 + buffer)
        guard isOwn || (buffer > 0 && near.contains(column) && near.contains(row)) else { continue }
        dots.append(Dot(id: number + 1, x: Int(column.rounded(.down)), y: Int(row.rounded(.down))))
      }
    }
    return dots
  }
}
