import AnnotationImport
import Geodesy

/// The boxes of a CSV file with the columns west, south, east, north.
enum BoxFile {
  static func boxes(of file: FileName) throws(CommandError) -> [BoundingBox] {
    let bytes = try Files.unpacked(try Files.bytes(of: file), of: file)
    let records = DelimitedRow.rows(of: bytes)
    guard let header = records.first?.cells else {
      throw CommandError(
        "empty-input", "\(file.text): there is nothing in it; give west,south,east,north and rows",
        status: .badData)
    }
    var places: [Int] = []
    for edge in ["west", "south", "east", "north"] {
      guard let place = header.firstIndex(where: { $0.lowercased() == edge }) else {
        throw CommandError(
          "no-bbox-fields",
          "\(file.text): columns are \(header.joined(separator: ",")); name them west,south,east,north",
          status: .badData)
      }
      places.append(place)
    }
    var boxes: [BoundingBox] = []
    for row in records.dropFirst() {
      do throws(CommandError) {
        let edges = places.map { $0 < row.cells.count ? row.cells[$0] : "" }
        boxes.append(try parseBox(edges.joined(separator: ",")))
      } catch {
        throw CommandError(
          error.code, "\(file.text):\(row.line): \(error.description)", status: .badData)
      }
    }
    return boxes
  }
}
