import AnnotationImport
import Complaints
import Foundation
import NearbyKit
import SeededNumbers

/// Makes data sets, so that the suite needs nothing from outside: modelled ones by name, and ones
/// of real places from a file.
struct DataSetWriter {
  /// `w1e6`, `kj1e6` and other sizes, or a file that the importer reads.
  let source: String
  let report: (String) -> Void

  private static let queryCount = 10_000, largeBoxCount = 1_000

  /// Writes one folder.
  func write(_ folder: String) throws {
    do {
      // What takes long comes after what may fail at once.
      try FileManager.default.createDirectory(
        at: URL(filePath: folder), withIntermediateDirectories: true)
      guard access(folder, W_OK) == 0 else { throw CocoaError(.fileWriteNoPermission) }
      try writeFiles(folder)
    } catch let error as CocoaError {
      let system = error.underlying as? POSIXError
      let reason = system.map { String(cString: strerror($0.code.rawValue)).lowercased() }
      throw Complaint(
        "cannot write to \(folder): \(reason ?? "it is no folder to write to"); choose another",
        .cannotWrite)
    }
  }

  private func writeFiles(_ folder: String) throws {
    var generator = SplitMix64(seed: 20_240_607)
    report("\(source): points")
    let (degrees, land) = try makePoints(using: &generator)
    let points = try stride(from: 0, to: degrees.count, by: 2).map {
      try Coordinate(latitude: degrees[$0 + 1], longitude: degrees[$0])
    }
    let categories = points.map { _ in category(using: &generator) }
    report("\(source): questions")
    let queries = makeQueries(near: points, land: land, using: &generator)
    let index = KDTreeIndex(points)
    func save<Element: BitwiseCopyable>(_ array: [Element], _ file: String) throws {
      let bytes = array.withUnsafeBytes { Data($0) }
      try bytes.write(to: URL(filePath: "\(folder)/\(file)"))
    }
    try save(degrees, "points.f64")
    try save(categories, "cat.u32")
    try save(canonical(points), "canon.u32")
    try save(queries.flatMap { [$0.longitude, $0.latitude] }, "q.f64")
    for size in DataSet.boxSizes {
      let asked = queries.prefix(size == 10_000 ? DataSetWriter.largeBoxCount : queries.count)
      try save(asked.flatMap { box(of: size, around: $0, in: index) }, "bbox\(size).f64")
    }
    let meta = """
      {
       "name": "\(URL(filePath: folder).lastPathComponent)",
       "source": "\(URL(filePath: source).lastPathComponent)",
       "n": \(points.count),
       "queries": \(queries.count),
       "sha256": "\(try DataSet.hash(of: folder))"
      }
      """
    try meta.write(to: URL(filePath: "\(folder)/meta.json"), atomically: true, encoding: .utf8)
    report("\(folder): \(points.count) points")
  }

  // MARK: Points

  /// Longitudes and latitudes in turns, 180 and −180 as the model wrote them.
  private func makePoints(
    using generator: inout SplitMix64
  ) throws -> (degrees: [Double], land: [SphereBox]) {
    guard let size = try modelledSize else {
      let points = try readPlaces()
      return (points.flatMap { [$0.longitude, $0.latitude] }, [bounds(of: points)])
    }
    let model = PointOfInterestModel(
      count: size.count, isWorld: size.isWorld, using: &generator)
    return (zip(model.longitudes, model.latitudes).flatMap { [$0, $1] }, model.land)
  }

  /// What a name like `w1e6` says; nil for a file.
  private var modelledSize: (count: Int, isWorld: Bool)? {
    get throws {
      for (prefix, isWorld) in [("kj", false), ("w", true)] where source.hasPrefix(prefix) {
        guard let count = Double(source.dropFirst(prefix.count)) else { continue }
        guard (100...1e8).contains(count) else {
          throw Complaint(
            "--generate \(source) is no size; from \(prefix)100 to \(prefix)1e8 can be made", .usage
          )
        }
        return (Int(count), isWorld)
      }
      return nil
    }
  }

  private func readPlaces() throws -> [Coordinate] {
    let bytes = [UInt8](
      try contents(of: source, remedy: "name one, or a size as w1e6 or kj1e5"))
    let points: [Coordinate]
    do {
      points = try AnnotationImporter().read(bytes, named: source).annotations
        .compactMap(\.coordinate)
    } catch {
      throw Complaint("\(error)", .badData)
    }
    guard points.count >= 100 else {
      throw Complaint(
        "\(source) has \(points.count) places; name a file with 100 or more", .badData)
    }
    return points
  }

  private func bounds(of points: [Coordinate]) -> SphereBox {
    SphereBox(
      points.map(\.longitude).min() ?? -180, points.map(\.latitude).min() ?? -90,
      points.map(\.longitude).max() ?? 180, points.map(\.latitude).max() ?? 90)
  }

  /// 50 %, 30 %, 20 %, and one in a thousand.
  private func category(using generator: inout SplitMix64) -> UInt32 {
    let value = generator.unit()
    return value < 0.5 ? 0 : value < 0.8 ? 1 : value < 0.999 ? 2 : 3
  }

  /// The lowest id at each point's place; a pole is one place.
  private func canonical(_ points: [Coordinate]) -> [UInt32] {
    var first: [Coordinate: UInt32] = [:]
    first.reserveCapacity(points.count)
    return points.enumerated().map { id, point in
      var place = point
      if point.isPole, let pole = try? Coordinate(latitude: point.latitude, longitude: 0) {
        place = pole
      }
      if let known = first[place] { return known }
      first[place] = UInt32(id)
      return UInt32(id)
    }
  }

  // MARK: Questions

  /// 80 % some 500 m off a point, 20 % anywhere on land.
  private func makeQueries(
    near points: [Coordinate], land: [SphereBox], using generator: inout SplitMix64
  ) -> [Coordinate] {
    let areas = WeightedChoice(land.map(\.weight))
    let degree = PointOfInterestModel.metersPerDegree
    return (0..<DataSetWriter.queryCount).map { _ in
      guard generator.unit() < 0.8 else {
        return land[areas.draw(using: &generator)].position(using: &generator)
      }
      let point = points[generator.below(points.count)]
      let latitude = min(90, max(-90, point.latitude + generator.normal() * 350 / degree))
      let width = degree * max(1e-3, cos(latitude * .pi / 180))
      let longitude = Coordinate.wrappedLongitude(
        point.longitude + generator.normal() * 350 / width)
      guard let query = try? Coordinate(latitude: latitude, longitude: longitude) else {
        preconditionFailure("\(latitude), \(longitude) is no position")
      }
      return query
    }
  }

  /// West, south, east, north of a box as large as the circle that reaches the neighbor of a rank,
  /// cut at the antimeridian and the poles.
  private func box(of rank: Int, around query: Coordinate, in index: KDTreeIndex) -> [Double] {
    let reach = index.nearest(rank, to: query).neighbors.last?.distance.meters ?? 0
    let half = reach * sqrt(.pi) / 2, degree = PointOfInterestModel.metersPerDegree
    let latitudes = half / degree
    let longitudes = min(
      180, half / (degree * max(1e-4, cos(query.latitude * .pi / 180))))
    return [
      max(-180, query.longitude - longitudes), max(-90, query.latitude - latitudes),
      min(180, query.longitude + longitudes), min(90, query.latitude + latitudes),
    ]
  }
}
