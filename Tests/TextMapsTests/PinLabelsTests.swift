import NearbyTestSupport
import Testing

@testable import TextMaps

@Suite struct `Labels of pins` {
  private func labels(
    _ pins: [(text: String, column: Int)], columns: Int = 20, origin: Int? = nil
  ) -> String {
    var labels = PinLabels(columns: columns, origin: origin.map { ($0, 0) })
    for pin in pins {
      labels.add(
        .init(text: pin.text, isNumber: pin.text != "o", ink: .plain), column: pin.column, row: 0)
    }
    var line = Array(repeating: Character("."), count: columns)
    if let origin { line[origin] = "@" }
    for label in labels.placed() {
      for (offset, character) in label.text.enumerated() {
        line[label.column + offset] = character
      }
    }
    return String(line)
  }

  @Test func `stand where the pin is`() {
    #expect(labels([("1", 3), ("12", 10), ("100", 15)]) == "...1......12..100...")
  }

  @Test func `keep a blank between numbers, and move aside for it`() {
    #expect(labels([("1", 3), ("2", 4)]) == "...1.2..............")
    #expect(labels([("1", 3), ("2", 4), ("3", 5)]) == "...1.2.3............")
  }

  @Test func `become a count when they share a cell`() {
    #expect(labels([("1", 5), ("2", 5), ("3", 5)]) == "....(3).............")
  }

  @Test func `become a count when two columns aside do not suffice`() {
    #expect(labels([("10", 3), ("11", 4), ("12", 5)]) == "..(3)...............")
  }

  @Test func `stand close when they are signs`() {
    #expect(labels([("o", 3), ("o", 4), ("o", 5)]) == "...ooo..............")
  }

  @Test func `leave the origin its cell`() {
    #expect(labels([("1", 6)], origin: 6) == "......@1............")
    #expect(labels([("1", 6), ("2", 7)], origin: 6) == "......@1.2..........")
    #expect(labels([("12", 5)], origin: 6) == "....12@.............")
    #expect(labels([("1", 19)], origin: 19) == "..................1@")
  }

  @Test func `stay on the map`() {
    #expect(labels([("123", 0), ("456", 19)]) == "123..............456")
    #expect(labels([("1", 1), ("2", 2)], columns: 3) == "(2)")
  }

  @Test(arguments: UInt64(0)..<100)
  func `never touch, and lose no pin`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let columns = 30, rows = 6
    let origin = (column: 12, row: 3)
    var labels = PinLabels(columns: columns, origin: origin)
    let count = Int.random(in: 0...120, using: &generator)
    for number in 0..<count {
      labels.add(
        .init(text: String(number + 1), isNumber: true, ink: .plain),
        column: Int.random(in: 0..<columns, using: &generator),
        row: Int.random(in: 0..<rows, using: &generator))
    }
    let placed = labels.placed()
    #expect(placed.reduce(0) { $0 + $1.count } == count)
    for label in placed { #expect(label.column >= 0 && label.end <= columns) }
    for (left, right) in zip(placed, placed.dropFirst()) where left.row == right.row {
      #expect(left.end < right.column, "seed \(seed)")
    }
  }
}
