import Geodesy
import NearbyTestSupport
import Testing

@testable import TextMaps

@Suite struct `Canvas of dots` {
  private func picture(_ canvas: DotCanvas) -> [String] {
    (0..<canvas.rows).map { row in
      String(
        String.UnicodeScalarView(
          canvas.cells[row * canvas.columns..<(row + 1) * canvas.columns]
            .map { Unicode.Scalar(0x2800 + UInt32($0)) ?? " " }))
    }
  }

  @Test func `has the dots that braille has`() {
    // Dots 1 to 8 in Unicode's order, one to a cell.
    let places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
    for (number, place) in places.enumerated() {
      var canvas = DotCanvas(columns: 1, rows: 1)
      canvas.set(place.0, place.1)
      #expect(canvas.cells == [1 << UInt8(number)])
    }
  }

  @Test func `leaves out dots beyond its edges`() {
    var canvas = DotCanvas(columns: 2, rows: 1)
    for (x, y) in [(-1, 0), (0, -1), (4, 0), (0, 4)] { canvas.set(x, y) }
    #expect(canvas.cells == [0, 0])
  }

  @Test func `draws lines solid and dotted`() {
    var canvas = DotCanvas(columns: 4, rows: 2)
    canvas.line(from: DotPoint(x: 0.5, y: 7.5), to: DotPoint(x: 7.5, y: 0.5), pen: .solid)
    #expect(picture(canvas) == ["⠀⠀⡠⠊", "⡠⠊⠀⠀"])
    var dotted = DotCanvas(columns: 4, rows: 1)
    dotted.line(
      from: DotPoint(x: 0, y: 1.5), to: DotPoint(x: 7.5, y: 1.5), pen: .dotted(every: 4))
    #expect(picture(dotted) == ["⠀⠂⠀⠂"])
  }

  @Test(arguments: UInt64(0)..<50)
  func `clips a line to what the whole line would show`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func point() -> DotPoint {
      DotPoint(
        x: .random(in: -60...80, using: &generator), y: .random(in: -60...80, using: &generator))
    }
    let start = point(), end = point()
    var canvas = DotCanvas(columns: 10, rows: 5)
    canvas.line(from: start, to: end, pen: .solid)
    // The judge walks the whole line in steps far smaller than a dot. Where the line only grazes
    // a dot's corner the two may differ, hence the neighbors.
    var touched = Set<[Int]>()
    for step in 0...2_000 {
      let share = Double(step) / 2_000
      let x = Int((start.x + (end.x - start.x) * share).rounded(.down))
      let y = Int((start.y + (end.y - start.y) * share).rounded(.down))
      for dx in -1...1 { for dy in -1...1 { touched.insert([x + dx, y + dy]) } }
    }
    var drawn = 0
    for y in 0..<20 {
      for x in 0..<20 {
        var one = DotCanvas(columns: 10, rows: 5)
        one.set(x, y)
        if zip(one.cells, canvas.cells).contains(where: { $0 & $1 != 0 }) {
          drawn += 1
          #expect(touched.contains([x, y]), "seed \(seed): (\(x), \(y))")
        }
      }
    }
    let isWellInside = touched.contains { (2...17).contains($0[0]) && (2...17).contains($0[1]) }
    #expect(!isWellInside || drawn > 0, "seed \(seed)")
  }
}

@Suite struct `Step of a graticule` {
  @Test(arguments: [
    (0.00001, 0.00001), (0.0003, 0.0005), (0.07, 0.1), (0.5, 0.5), (0.6, 1), (3, 5), (11, 15),
    (16, 30), (31, 45), (46, 90), (200, 90),
  ])
  func `is the next round one`(least: Double, expected: Double) {
    #expect(DegreeStep.atLeast(least).degrees(of: 1) == expected)
  }

  @Test func `names its lines with the digits that tell them apart`() {
    let step = DegreeStep(units: 5, decimals: 3)
    #expect(step.latitudeLabel(of: 7513, style: .braille) == "37.565°N")
    #expect(step.latitudeLabel(of: -1, style: .ascii) == "0.005S")
    #expect(step.longitudeLabel(of: 25_400, style: .block) == "127.000°E")
    #expect(step.latitudeLabel(of: 0, style: .block) == "0.000°")
  }

  @Test func `names meridians within a half turn, wherever they are counted from`() {
    let step = DegreeStep(units: 5, decimals: 0)
    #expect(step.longitudeLabel(of: 36, style: .ascii) == "180")
    #expect(step.longitudeLabel(of: -36, style: .braille) == "180°")
    #expect(step.longitudeLabel(of: 37, style: .ascii) == "175W")
    #expect(step.longitudeLabel(of: -37, style: .ascii) == "175E")
    #expect(step.longitudeLabel(of: 72, style: .ascii) == "0")
  }

  @Test func `counts the lines in a range, both ends included`() {
    let step = DegreeStep(units: 5, decimals: 0)
    #expect(step.lines(in: -10...10) == -2..<3)
    #expect(step.lines(in: 1...4).isEmpty)
  }
}

@Suite struct `Legend of a map` {
  @Test(arguments: [
    ([], ""), ([3], "3"), ([1, 2], "1 2"), ([1, 2, 3], "1-3"), ([1, 3, 4, 5, 9], "1 3-5 9"),
    ([2, 2, 3, 4], "2-4"),
  ])
  func `joins runs of numbers`(numbers: [Int], expected: String) {
    #expect(Legend.runs(of: numbers, dash: "-") == expected)
  }

  @Test func `takes two lines at most`() {
    var legend = Legend(style: .ascii)
    for _ in 0..<20 { legend.add("a kind of thing") }
    let lines = legend.lines(width: 40)
    #expect(lines.map(\.count) == [2, 2])
    #expect(legend.lines(width: 7).map { $0.map(\.text) } == [["a kind~"], ["a kind~"]])
  }

  @Test func `counts the kinds that do not fit, and keeps what explains the signs`() {
    func lines(_ kinds: Int, width: Int, notes: [String] = []) -> [[String]] {
      var legend = Legend(style: .ascii)
      legend.add("@ origin")
      for kind in 0..<kinds { legend.add(kind: "kind number \(kind)") }
      for note in notes { legend.add(note) }
      return legend.lines(width: width).map { $0.map(\.text) }
    }
    #expect(lines(2, width: 38) == [["@ origin", "kind number 0"], ["kind number 1"]])
    #expect(lines(4, width: 38) == [["@ origin", "kind number 0"], ["kind number 1", "+2 more"]])
    let note = "(n) n in one spot"
    #expect(
      lines(9, width: 38, notes: [note]) == [["@ origin", "kind number 0", "+8 more"], [note]])
    #expect(lines(9_000, width: 38).last == ["kind number 1", "+8998 more"])
    // Where there is no room for a kind and the notes, the notes go first.
    #expect(lines(2, width: 10, notes: [note]) == [["@ origin"], ["kind numb~"]])
  }
}
