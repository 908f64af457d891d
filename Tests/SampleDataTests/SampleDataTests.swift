import Foundation
import Geodesy
import NearbySampleData
import NearbyTestSupport
import Testing

/// One row, with the name of its file for what a failing test prints.
struct SampleRow: CustomStringConvertible {
  let file: String
  let cells: [String: String]

  subscript(column: String) -> String { cells[column, default: ""] }
  var description: String { "\(file) \(self["id"]) \(self["name"])" }

  func coordinate() throws -> Coordinate {
    try Coordinate(
      latitude: #require(Double(self["latitude"])), longitude: #require(Double(self["longitude"])))
  }

  static func all(of file: SampleData.File) -> [SampleRow] {
    DelimitedTable(file.bytes).rows.map { SampleRow(file: file.name, cells: $0) }
  }

  static let all = SampleData.files.flatMap { all(of: $0) }
}

@Suite struct `Sample data` {
  @Test func `the files are cinemas, deals and marts, byte for byte as in the Data folder`() throws
  {
    #expect(SampleData.files.map(\.name) == ["cinemas.csv", "deals.csv", "marts.csv"])
    for file in SampleData.files {
      let folder = SharedFiles.packageRoot.appending(path: "Data")
      let onDisk = try Data(contentsOf: folder.appending(path: file.name))
      #expect(file.bytes.elementsEqual(onDisk), "\(file.name)")
    }
  }

  @Test func `a header begins with the common columns and goes on as documented`() {
    let common = [
      "id", "place_id", "name", "kind", "latitude", "longitude", "opening_hours", "address",
    ]
    let own = [
      "cinemas.csv": [], "marts.csv": ["category", "brand", "phone"],
      "deals.csv": ["category", "terms", "note", "phone", "web"],
    ]
    #expect(SampleData.files.count == 3)
    for file in SampleData.files {
      #expect(DelimitedTable(file.bytes).header == common + own[file.name, default: []])
    }
  }

  @Test func `a file is UTF-8 with LF, and every row has as many cells as the header`() {
    #expect(SampleData.files.count == 3)
    for file in SampleData.files {
      #expect(String(validating: file.bytes, as: UTF8.self) != nil, "\(file.name)")
      #expect(!file.bytes.contains(UInt8(ascii: "\r")) && file.bytes.last == UInt8(ascii: "\n"))
      let table = DelimitedTable(file.bytes)
      #expect(!table.records.isEmpty, "\(file.name)")
      for record in table.records {
        #expect(record.count == table.header.count, "\(file.name) \(record)")
      }
    }
  }

  @Test func `25 cinemas, over 200 marts and over 200 deals are there, as the README counts them`()
    throws
  {
    let counts = SampleData.files.map { SampleRow.all(of: $0).count }
    #expect(counts[0] == 25 && counts[1] >= 200 && counts[2] >= 200)
    let readme = try String(
      contentsOf: SharedFiles.packageRoot.appending(path: "Data/README.md"), encoding: .utf8)
    for (file, count) in zip(SampleData.files, counts) {
      #expect(readme.contains("| `\(file.name)` | \(count) |"))
    }
  }

  @Test func `an id is used once in all files, and says what it names`() {
    let rows = SampleRow.all
    #expect(Set(rows.map { $0["id"] }).count == rows.count)
    for row in rows {
      switch row.file {
      case "cinemas.csv": #expect(row["id"].wholeMatch(of: /cinema-\d+/) != nil, "\(row)")
      case "marts.csv": #expect(row["id"].wholeMatch(of: /mart-\d{15,19}/) != nil, "\(row)")
      default: #expect(row["id"].wholeMatch(of: /deal-(coupon|voucher)-\d+/) != nil, "\(row)")
      }
    }
  }

  @Test func `ids ascend by their bytes through all files, so that nothing need be sorted`() {
    let ids = SampleRow.all.map { $0["id"] }
    #expect(
      zip(ids, ids.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test func `a kind is that of its file`() {
    let kinds = ["cinemas.csv": "cinema", "marts.csv": "mart", "deals.csv": "deal"]
    #expect(!SampleRow.all.isEmpty)
    for row in SampleRow.all { #expect(row["kind"] == kinds[row.file], "\(row)") }
  }

  @Test func `every position is legal, has seven decimals at most, and lies where its file says`()
    throws
  {
    let areas = [
      "cinemas.csv": try BoundingBox(south: 33, west: 126, north: 39, east: 130),
      "marts.csv": try BoundingBox(south: 37.42, west: 126.76, north: 37.71, east: 127.19),
      "deals.csv": try BoundingBox(south: 34.75, west: 138.24, north: 34.92, east: 138.36),
    ]
    #expect(!SampleRow.all.isEmpty)
    for row in SampleRow.all {
      let area = try #require(areas[row.file])
      #expect(area.contains(try row.coordinate()), "\(row)")
      for column in ["latitude", "longitude"] {
        #expect(row[column].wholeMatch(of: /\d+\.\d{1,7}/) != nil, "\(row)")
      }
    }
  }

  @Test
  func `names and addresses are never empty, and no cell has control characters or blank ends`() {
    #expect(!SampleRow.all.isEmpty)
    for row in SampleRow.all {
      #expect(!row["name"].isEmpty && !row["address"].isEmpty, "\(row)")
      for (column, text) in row.cells {
        let scalars = text.unicodeScalars
        let isPlain = scalars.allSatisfy {
          ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned]
            .contains($0.properties.generalCategory)
        }
        #expect(isPlain, "\(row), \(column)")
        let hasBlankEdge = [scalars.first, scalars.last].contains {
          $0?.properties.isWhitespace == true
        }
        #expect(!hasBlankEdge, "\(row), \(column)")
      }
    }
  }

  @Test func `rows at one point share a place, and rows that share a place lie within two meters`()
    throws
  {
    var placeAtPoint: [Coordinate: String] = [:]
    var pointOfPlace: [String: Coordinate] = [:]
    var sharing = 0
    for row in SampleRow.all {
      let place = row["place_id"]
      let point = try row.coordinate()
      #expect(placeAtPoint[point, default: place] == place, "\(row)")
      placeAtPoint[point] = place
      if let other = pointOfPlace[place] {
        sharing += 1
        #expect(other.greatCircleDistance(to: point) < .meters(2), "\(row)")
      }
      pointOfPlace[place] = point
    }
    #expect(sharing > 100, "many licences and many shops are in one building")
  }

  @Test func `a brand is one that the store's name tells, and 하이마트 is not 이마트`() {
    for row in SampleRow.all where row.file == "marts.csv" {
      if row["name"].contains("하이마트") { #expect(row["brand"].isEmpty, "\(row)") }
      if row["brand"] == "이마트" { #expect(!row["name"].contains("에브리데이"), "\(row)") }
    }
    let brands = Set(SampleRow.all.map { $0["brand"] }).subtracting([""])
    #expect(
      brands == [
        "이마트", "이마트 에브리데이", "노브랜드", "롯데마트", "롯데슈퍼", "홈플러스", "홈플러스 익스프레스",
        "코스트코", "하나로마트", "GS THE FRESH",
      ])
  }

  @Test func `a deal says what it gives`() {
    let deals = SampleRow.all.filter { $0.file == "deals.csv" }
    #expect(deals.count >= 200)
    for row in deals {
      #expect(!row["terms"].isEmpty && !row["category"].isEmpty, "\(row)")
    }
  }
}
