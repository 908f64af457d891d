import MapAnnotations
import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// `Tests/Vectors`: tables as Python's `csv` reads them, and encodings as Python's codecs write them.
@Suite struct TableVectorTests {
  private struct Table: Decodable {
    var text: String
    var rows: [[String]]
  }

  @Test func `cells are those that Python's csv reads`() throws {
    let tables: [Table] = try Vectors.values("tables.jsonl")
    #expect(tables.count == 15)
    for table in tables {
      let rows = Array(table.text.utf8).withUnsafeBufferPointer { bytes -> [[String]] in
        var reader = DelimitedReader(bytes, dialect: DelimitedDialect().withLineEnds(of: bytes))
        var rows: [[String]] = []
        while reader.next() != nil { rows.append(reader.cells.map { reader.text($0) }) }
        return rows
      }
      #expect(rows == table.rows, "\(table.text)")
    }
  }

  private struct Encoded: Decodable {
    var encoding: String
    var hex: String
    var text: String
  }

  @Test func `a table in any encoding has the cells of its text`() throws {
    let files: [Encoded] = try Vectors.values("encodings.jsonl")
    #expect(files.count == 5)
    for file in files {
      let digits = file.hex.compactMap(\.hexDigitValue)
      let bytes = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] * 16 + digits[$0 + 1])
      }
      let rows = file.text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
      let result = try importing(bytes)
      #expect(result.annotations.count == rows.count - 1, "\(file.encoding)")
      for (annotation, row) in zip(result.annotations, rows.dropFirst()) {
        #expect(annotation.name == row[0], "\(file.encoding)")
        let coordinate = try #require(annotation.coordinate)
        #expect("\(coordinate.latitude)" == row[1] && "\(coordinate.longitude)" == row[2])
        for column in row.indices where column != 1 && column != 2 {
          #expect(
            annotation.properties[rows[0][column]]?.text == row[column], "\(file.encoding)")
        }
      }
    }
  }
}
