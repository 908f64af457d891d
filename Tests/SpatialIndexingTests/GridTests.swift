import Geodesy
import SpatialIndexing
import Testing
import NearbyTestSupport

@Suite struct GridTests {
  @Test(arguments: [1.0, 0.5, 0.1, 0.01, 0.001, 0.0001, 0.025, 1.0 / 60, 1.0 / 3, 7, 90])
  func `a cell holds the positions it is given for`(degrees: Double) {
    let grid = DegreeGrid(degrees: degrees)
    for pointSet in PointSet.allCases {
      for position in pointSet.sample(300, seed: 5).points {
        let box = grid.box(of: grid.cell(at: position))
        let isHeld =
          box.south <= position.latitude && (position.latitude < box.north || box.north == 90)
          && box.west <= position.longitude && position.longitude < box.east
        #expect(isHeld, "\(position) \(box)")
      }
    }
  }

  @Test func `decimal degrees on a border begin the cell they name`() throws {
    let grid = DegreeGrid(degrees: 0.01)
    #expect(grid.cell(at: PointSet.legal(37.52, 126.88)) == GridCell(row: 12_752, column: 30_688))
    #expect(grid.cell(at: PointSet.legal(37.5, 126.97)) == GridCell(row: 12_750, column: 30_697))
    #expect(grid.cell(at: PointSet.legal(9.99, -80.01)) == GridCell(row: 9_999, column: 9_999))
    // Every two-decimal latitude and longitude, read from its text.
    for hundredths in -9_000..<9_000 {
      let sign = hundredths < 0 ? "-" : ""
      let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
      let value = try #require(Double("\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"))
      let cell = grid.cell(at: PointSet.legal(value, value))
      #expect(cell == GridCell(row: hundredths + 9_000, column: hundredths + 18_000))
      #expect(grid.cell(at: PointSet.legal(value.nextDown, 0)).row == max(0, hundredths + 8_999))
    }
  }

  @Test func `the poles lie in the first and last rows, and 180 in the first column`() {
    let grid = DegreeGrid(degrees: 0.01)
    #expect(grid.rowCount == 18_000 && grid.columnCount == 36_000)
    #expect(grid.cell(at: PointSet.legal(90, 0)).row == 17_999)
    #expect(grid.cell(at: PointSet.legal(-90, 0)).row == 0)
    #expect(grid.cell(at: PointSet.legal(0, 180)).column == 0)
    #expect(grid.cell(at: PointSet.legal(0, 180 - 1e-9)).column == 35_999)
    #expect(
      grid.box(of: GridCell(row: 17_999, column: 35_999)).description == "179.99,89.99,180.0,90.0")
  }

  @Test func `where the size does not divide the Earth the last cells are narrower`() {
    let grid = DegreeGrid(degrees: 7)
    #expect(grid.rowCount == 26 && grid.columnCount == 52)
    let last = grid.box(of: GridCell(row: 25, column: 51))
    #expect(last.description == "177.0,85.0,180.0,90.0")
    #expect(grid.neighbor(.east, of: GridCell(row: 3, column: 51)) == GridCell(row: 3, column: 0))
  }

  @Test func `neighbors run round the Earth and stop at the poles`() {
    let grid = DegreeGrid(degrees: 0.01)
    let corner = GridCell(row: 0, column: 0)
    #expect(grid.neighbor(.west, of: corner) == GridCell(row: 0, column: 35_999))
    #expect(grid.neighbor(.south, of: corner) == nil)
    #expect(grid.neighbors(of: corner).count == 5)
    let inner = GridCell(row: 100, column: 35_999)
    #expect(Set(grid.neighbors(of: inner)).count == 8)
    for neighbor in grid.neighbors(of: inner) {
      #expect(grid.neighbors(of: neighbor).contains(inner))
    }
  }

  @Test func `a key reads back, and nothing else is a key`() {
    let cell = GridCell(row: 12_752, column: 30_688)
    #expect(cell.description == "12752,30688" && GridCell("12752,30688") == cell)
    for text in ["", "1", "1,", ",1", "1,2,3", "01,2", "+1,2", "-1,2", "1, 2", "a,b"] {
      #expect(GridCell(text) == nil, "\(text)")
    }
  }
}
