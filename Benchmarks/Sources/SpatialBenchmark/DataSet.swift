import Foundation
import NearbyKit

/// Points, questions and what is needed to compare answers: one folder, all arrays little-endian
/// without a header, as `Benchmarks/README.md` says.
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
  /// Longitude and latitude of each question.
  let queries: [Double]
  /// West, south, east, north of each box, by how many points a box was made to hold.
  let boxes: [Int: [Double]]
  /// Of all files but `canonical`, by which sums of answers are known.
  let sha256: String

  /// The questions as this package has them; peers take the bare numbers.
  let origins: [Coordinate]
  let boundingBoxes: [Int: [BoundingBox]]

  var count: Int { categories.count }
  var queryCount: Int { origins.count }

  static let boxSizes = [10, 100, 10_000]
  /// The files in the order in which they are hashed.
  static let hashedFiles =
    ["points.f64", "cat.u32", "q.f64"] + boxSizes.map { "bbox\($0).f64" }

  /// Reads a folder.
  init(folder: String) throws {
    func read<Element: BitwiseCopyable>(_ file: String) throws -> [Element] {
      try readArray(from: "\(folder)/\(file)")
    }
    name = URL(filePath: folder).lastPathComponent
    points = try readBuffer(from: "\(folder)/points.f64")
    categories = try readBuffer(from: "\(folder)/cat.u32")
    canonical = try read("canon.u32")
    let queries: [Double] = try read("q.f64")
    let boxes: [Int: [Double]] = try Dictionary(
      uniqueKeysWithValues: DataSet.boxSizes.map { ($0, try read("bbox\($0).f64")) })
    self.queries = queries
    self.boxes = boxes
    guard points.count == 2 * categories.count, canonical.count == categories.count else {
      throw DataSetError(folder: folder, problem: "its arrays do not fit together")
    }
    sha256 = try DataSet.hash(of: folder)
    origins = try stride(from: 0, to: queries.count, by: 2).map {
      try Coordinate(latitude: queries[$0 + 1], longitude: queries[$0])
    }
    boundingBoxes = try boxes.mapValues { sides in
      try stride(from: 0, to: sides.count, by: 4).map {
        try BoundingBox(
          south: sides[$0 + 1], west: sides[$0], north: sides[$0 + 3], east: sides[$0 + 2])
      }
    }
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
      let bytes: [UInt8] = try readArray(from: "\(folder)/\(file)")
      hash.update(bytes)
    }
    return hash.finalize()
  }
}

/// A folder that is no data set.
struct DataSetError: Error, CustomStringConvertible {
  let folder: String
  let problem: String

  var description: String {
    "\(folder): \(problem); make a data set with --generate w1e6 --data \(folder)"
  }
}

private func readArray<Element: BitwiseCopyable>(from path: String) throws -> [Element] {
  let buffer: UnsafeBufferPointer<Element> = try readBuffer(from: path)
  defer { buffer.deallocate() }
  return Array(buffer)
}

private func readBuffer<Element: BitwiseCopyable>(
  from path: String
) throws -> UnsafeBufferPointer<Element> {
  let data: Data
  do {
    data = try Data(contentsOf: URL(filePath: path))
  } catch {
    throw DataSetError(folder: path, problem: "cannot be read (\(error.localizedDescription))")
  }
  let buffer = UnsafeMutableBufferPointer<Element>.allocate(
    capacity: data.count / MemoryLayout<Element>.stride)
  data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
  return UnsafeBufferPointer(buffer)
}
