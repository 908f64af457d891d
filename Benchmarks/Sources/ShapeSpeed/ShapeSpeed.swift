import Complaints
import Foundation
import NearbyKit
import SeededNumbers
import Stopwatches

/// What asking lines and areas costs, of the shapes of a GeoJSON file: the nearest, what contains a position, and
/// building.
///
/// With a second file the answers are written there, for `shape_judge.py`, which asks shapely and GEOS.
///
///     swift run -c release --package-path Benchmarks shape-speed countries.geojson answers.csv
@main
struct ShapeSpeed {
  static func main() {
    Complaint.ending("usage: shape-speed FILE.geojson [ANSWERS.csv]") { arguments in
      let operands = try arguments.operands(1...2)
      try run(operands[0], answers: operands.count > 1 ? operands[1] : nil)
    }
  }

  private static func shapes(of file: String) throws -> [GroundShape] {
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw Complaint("there is no file \(file)", .noInput)
    }
    var shapes: [GroundShape] = []
    do {
      _ = try GeoJSONReader(framing: .document).read(Array(bytes)) { record in
        if case .success(let feature) = record.feature, let geometry = feature.geometry,
          let read = try? geometry.groundShape()
        {
          shapes.append(read.shape)
        }
        return .readOn
      }
    } catch {
      throw Complaint("\(file): \(error)", .badData)
    }
    guard !shapes.isEmpty else { throw Complaint("\(file) holds no shape", .badData) }
    return shapes
  }

  private static func run(_ file: String, answers: String?) throws {
    let shapes = try shapes(of: file)
    var index = ShapeIndex([])
    let building = best { index = ShapeIndex(shapes) }
    // What GEOS prepares when it is first asked what contains a position, a polygon makes with itself.
    let rings = shapes.flatMap { shape in
      shape.area.polygons.map { (outer: $0.outerVertices, holes: $0.holeVertices) }
    }
    var made: [Polygon] = []
    made.reserveCapacity(rings.count)
    let making = try best {
      made.removeAll(keepingCapacity: true)
      for ring in rings { made.append(try Polygon(outer: ring.outer, holes: ring.holes)) }
    }
    print(
      "\(shapes.count) shapes, built in \(rounded(building * 1e3)) ms, their \(rings.count) polygons from vertices in "
        + "\(rounded(making * 1e3)) ms")
    var random = SplitMix64(seed: 8)
    let world = try (0..<10_000).map { _ -> Coordinate in
      let latitude: Double = asin(2 * random.unit() - 1) * 180 / Double.pi
      return try Coordinate(latitude: latitude, longitude: 360 * random.unit() - 180)
    }
    // Places near the shapes, as people ask from: beside some vertex of some shape.
    var vertices: [PolygonVertex] = []
    for shape in shapes {
      for polygon in shape.area.polygons { vertices += polygon.outerVertices }
      for line in shape.lines { vertices += line.vertices }
    }
    guard !vertices.isEmpty else { throw Complaint("\(file) holds points alone", .badData) }
    let near = try (0..<10_000).map { _ -> Coordinate in
      let vertex = vertices[Int(random.next() % UInt64(vertices.count))]
      let latitude: Double = vertex.latitude + 2 * random.unit() - 1
      let longitude: Double = vertex.longitude + 2 * random.unit() - 1
      return try Coordinate(latitude: min(90, max(-90, latitude)), wrappingLongitude: longitude)
    }
    var found = 0
    for (name, origins) in [("anywhere", world), ("within a degree", near)] {
      for count in [1, 3] {
        let each = best {
          for origin in origins { found += index.nearest(count, to: origin).count }
        }
        print("nearest \(count) from \(name): \(rounded(each / 1e4 * 1e6)) µs")
      }
      let each = best { for origin in origins { found += index.containing(origin).count } }
      print("containing, from \(name): \(rounded(each / 1e4 * 1e6)) µs")
    }
    guard let answers else { return }
    var text = "lat,lon,shape,meters,near_lat,near_lon,containing\n"
    for origin in world.prefix(5_000) + near.prefix(5_000) {
      for nearest in index.nearest(1, to: origin) {
        let inside = index.containing(origin).map(String.init).joined(separator: " ")
        text +=
          "\(origin.latitude),\(origin.longitude),\(nearest.shape),"
          + "\(nearest.distance.meters),\(nearest.nearestPoint.latitude),"
          + "\(nearest.nearestPoint.longitude),\(inside)\n"
      }
    }
    guard FileManager.default.createFile(atPath: answers, contents: Data(text.utf8)) else {
      throw Complaint("cannot write \(answers)", .cannotWrite)
    }
  }

  /// The least of five, as in `shape_judge.py`, in seconds of the processor, of which others on the machine take none.
  private static func best(_ work: () throws -> Void) rethrows -> Double {
    try (0..<5).map { _ in
      let start = Stopwatch.processor.seconds
      try work()
      return Stopwatch.processor.seconds(since: start)
    }.min() ?? 0
  }

  private static func rounded(_ number: Double) -> String { String(format: "%.2f", number) }
}
