import Complaints
import Foundation
import NearbyKit

/// Points, questions and what is needed to compare answers: one folder, all arrays little-endian
/// without a header, as `gen.py` and `--generate` write them.
///
/// `points.f64` and `q.f64` hold longitudes and latitudes in turns, `cat.u32` the points' categories,
/// `canon.u32` the lowest id at each point's place, `bbox*.f64` west, south, east and north.
///
/// The arrays that peers keep reading lie at fixed addresses for as long as the data set lives;
/// nothing changes after it is read.
final class DataSet: @unchecked Sendable {
  let name: String
  /// Longitude and latitude of each point in degrees.
  let points: UnsafeBufferPointer<Double>
  let categories: UnsafeBufferPointer<UInt32>
  /// For each point the lowest id at the same place, through which answers are compared.
  let canonical: [UInt32]
  /// Longitude and latitude of each question: those of the file, and then the far ones.
  let queries: [Double]
  /// West, south, east, north of each box, by how many points a box was made to hold.
  let boxes: [Int: [Double]]
  /// Of all files but `canonical`, by which sums of answers are known.
  let sha256: String

  /// The questions as this package has them; peers take the bare numbers.
  let origins: [Coordinate]
  /// Questions from all over the Earth, the same for every data set.
  let farOrigins: [Coordinate]
  let boundingBoxes: [Int: [BoundingBox]]

  var count: Int { categories.count }
  var queryCount: Int { origins.count }

  static let boxSizes = [10, 100, 10_000]
  /// The files in the order in which they are hashed.
  static let hashedFiles =
    ["points.f64", "cat.u32", "q.f64"] + boxSizes.map { "bbox\($0).f64" }

  /// Reads a folder, and refuses what would end the suite later: engines take what they are given.
  init(folder: String) throws {
    func read<Element: BitwiseCopyable>(
      _ file: String, each count: Int = 1
    ) throws -> UnsafeBufferPointer<Element> {
      try readBuffer(from: file, of: folder, each: count)
    }
    name = URL(filePath: folder).lastPathComponent
    points = try read("points.f64", each: 2)
    categories = try read("cat.u32")
    let canonical: [UInt32] = try Array(read("canon.u32"))
    self.canonical = canonical
    let queries: [Double] = try Array(read("q.f64", each: 2))
    let boxes: [Int: [Double]] = try Dictionary(
      uniqueKeysWithValues: DataSet.boxSizes.map {
        ($0, try Array(read("bbox\($0).f64", each: 4)))
      })
    self.boxes = boxes
    guard points.count == 2 * categories.count, canonical.count == categories.count else {
      throw DataSet.complaint(
        of: folder,
        "points.f64 has \(points.count / 2) points, cat.u32 \(categories.count) and canon.u32 "
          + "\(canonical.count)")
    }
    if let id = categories.firstIndex(where: { $0 > DataSet.greatestCategory }) {
      throw DataSet.complaint(
        of: folder, "point \(id) of cat.u32 has category \(categories[id]), and there are 0 to 3")
    }
    if let id = canonical.indices.first(where: { canonical[$0] > $0 }) {
      throw DataSet.complaint(
        of: folder, "point \(id) of canon.u32 has \(canonical[id]), which is no point before it")
    }
    sha256 = try DataSet.hash(of: folder)
    origins = try DataSet.positions(queries, "q.f64", of: folder)
    let farQueries = DataSet.placesAllOver(1_000)
    farOrigins = try DataSet.positions(farQueries, "the far questions", of: folder)
    self.queries = queries + farQueries
    for id in 0..<categories.count {
      do { _ = try Coordinate(latitude: points[2 * id + 1], longitude: points[2 * id]) } catch {
        throw DataSet.complaint(of: folder, "point \(id) of points.f64: \(error)")
      }
    }
    boundingBoxes = try Dictionary(
      uniqueKeysWithValues: boxes.map { size, sides in
        (size, try DataSet.boxes(sides, "bbox\(size).f64", of: folder))
      })
    if let (size, sides) = boxes.first(where: { $1.count > 2 * queries.count }) {
      throw DataSet.complaint(
        of: folder, "bbox\(size).f64 has \(sides.count / 4) boxes, q.f64 \(queries.count / 2)")
    }
  }

  private static let greatestCategory: UInt32 = 3

  /// Longitudes and latitudes of places that share the Earth evenly: a spiral from pole to pole by the
  /// golden angle.
  private static func placesAllOver(_ count: Int) -> [Double] {
    (0..<count).flatMap { place in
      let turn = (Double(place) * 137.507_764_050_037_85).truncatingRemainder(dividingBy: 360)
      let height = 1 - Double(2 * place + 1) / Double(count)
      return [turn < 180 ? turn : turn - 360, asin(height) * 180 / .pi]
    }
  }

  /// A question as this package has it, by its number among `queries`.
  func origin(_ query: Int) -> Coordinate {
    query < origins.count ? origins[query] : farOrigins[query - origins.count]
  }

  private static func positions(
    _ degrees: [Double], _ file: String, of folder: String
  ) throws -> [Coordinate] {
    try stride(from: 0, to: degrees.count, by: 2).map {
      do { return try Coordinate(latitude: degrees[$0 + 1], longitude: degrees[$0]) } catch {
        throw complaint(of: folder, "question \($0 / 2) of \(file): \(error)")
      }
    }
  }

  private static func boxes(
    _ sides: [Double], _ file: String, of folder: String
  ) throws -> [BoundingBox] {
    try stride(from: 0, to: sides.count, by: 4).map {
      do {
        return try BoundingBox(
          south: sides[$0 + 1], west: sides[$0], north: sides[$0 + 3], east: sides[$0 + 2])
      } catch { throw complaint(of: folder, "box \($0 / 4) of \(file): \(error)") }
    }
  }

  /// What is said of a folder that is no whole data set.
  fileprivate static func complaint(
    of folder: String, _ problem: String, _ status: Complaint.Status = .badData
  ) -> Complaint {
    Complaint(
      "\(folder): \(problem); make a data set with --generate w1e6 --data FOLDER", status)
  }

  /// A point as this package has it.
  func position(_ id: Int) -> Coordinate {
    guard
      let position = try? Coordinate(latitude: points[2 * id + 1], longitude: points[2 * id])
    else { preconditionFailure("point \(id) of \(name) is no position") }
    return position
  }

  deinit {
    points.deallocate()
    categories.deallocate()
  }

  /// The SHA-256 of a folder's files, one after the other.
  static func hash(of folder: String) throws -> String {
    var hash = SHA256()
    for file in hashedFiles {
      let bytes: UnsafeBufferPointer<UInt8> = try readBuffer(from: file, of: folder, each: 1)
      defer { bytes.deallocate() }
      hash.update(Array(bytes))
    }
    return hash.finalize()
  }
}

/// The elements of a file, which come so many at a time; at least once.
private func readBuffer<Element: BitwiseCopyable>(
  from file: String, of folder: String, each count: Int
) throws -> UnsafeBufferPointer<Element> {
  guard FileManager.default.fileExists(atPath: "\(folder)/\(file)") else {
    throw DataSet.complaint(of: folder, "there is no \(file)", .noInput)
  }
  let data = try contents(of: "\(folder)/\(file)")
  let size = count * MemoryLayout<Element>.stride
  guard !data.isEmpty, data.count.isMultiple(of: size) else {
    throw DataSet.complaint(
      of: folder, "\(file) has \(data.count) bytes and is cut off: \(size) belong together")
  }
  let buffer = UnsafeMutableBufferPointer<Element>.allocate(
    capacity: data.count / MemoryLayout<Element>.stride)
  data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
  return UnsafeBufferPointer(buffer)
}
