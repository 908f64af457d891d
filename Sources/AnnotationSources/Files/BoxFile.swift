import AnnotationImport
import Geodesy

/// The boxes of a CSV file with the columns west, south, east, north.
package enum BoxFile {
  package static func boxes(of file: FileName) throws(ReportedError) -> [BoundingBox] {
    let bytes = try Files.unpacked(try Files.bytes(of: file), of: file)
    let records = DelimitedRow.rows(of: bytes)
    guard let header = records.first?.cells else {
      throw ReportedError(
        "empty-input", "\(file.text): there is nothing in it; give west,south,east,north and rows",
        fault: .badData)
    }
    var places: [Int] = []
    for edge in ["west", "south", "east", "north"] {
      guard let place = header.firstIndex(where: { $0.lowercased() == edge }) else {
        throw ReportedError(
          "no-bbox-fields",
          "\(file.text): columns are \(header.joined(separator: ",")); name them west,south,east,north",
          fault: .badData)
      }
      places.append(place)
    }
    var boxes: [BoundingBox] = []
    for row in records.dropFirst() {
      let edges = places.map { $0 < row.cells.count ? row.cells[$0] : "" }
      let box = try ReportedError.reporting(.badData, at: "\(file.text):\(row.line)") {
        () throws(CoordinateError) in try BoundingBox(text: edges.joined(separator: ","))
      }
      boxes.append(box)
    }
    return boxes
  }
}
