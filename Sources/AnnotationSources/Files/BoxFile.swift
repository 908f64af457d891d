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
      do throws(ReportedError) {
        let edges = places.map { $0 < row.cells.count ? row.cells[$0] : "" }
        boxes.append(try BoundingBox(text: edges.joined(separator: ",")))
      } catch {
        throw ReportedError(
          error.code, "\(file.text):\(row.line): \(error.description)", fault: .badData)
      }
    }
    return boxes
  }
}

extension BoundingBox {
  /// A box as `west,south,east,north`.
  package init(text: String) throws(ReportedError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 else {
      throw ReportedError(
        "bad-bbox",
        "\"\(text)\" is not a box; write west,south,east,north, for example 126.9,37.4,127.1,37.6",
        fault: .usage)
    }
    var edges: [Double] = []
    for part in parts {
      guard let edge = finiteNumber(trimmed(part)) else {
        throw ReportedError(CoordinateError.notANumber(trimmed(part)), fault: .usage)
      }
      edges.append(edge)
    }
    do throws(CoordinateError) {
      self = try BoundingBox(south: edges[1], west: edges[0], north: edges[3], east: edges[2])
    } catch {
      throw ReportedError(error, fault: .usage)
    }
  }
}
