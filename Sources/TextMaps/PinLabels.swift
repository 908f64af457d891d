/// The label of one annotation, or of several that share a cell.
struct PinLabel: Hashable, Sendable {
  /// A text with one column for each scalar.
  var text: String
  var ink: Ink
  /// The column of its first character.
  var column: Int
  var row: Int
  /// The number of annotations.
  var count: Int
  /// Words to write beside the label; nil for none, and for a count.
  var words: String?

  /// The column after its last character.
  var end: Int { column + text.unicodeScalars.count }
}

/// Places pins so that every number can be read.
struct PinLabels {
  /// The data of one annotation that its label needs.
  struct Pin {
    var text: String
    /// Whether a space is needed between it and another number.
    var isNumber: Bool
    var ink: Ink
    /// Words to write beside it, if it stands alone.
    var words: String?
  }

  /// The pins of one cell, or of cells whose labels did not fit side by side.
  private struct Group {
    var column: Int
    var row: Int
    var pins: [Pin]

    var isNumber: Bool { pins.count > 1 || pins[0].isNumber }
    var text: String { pins.count > 1 ? "(\(pins.count))" : pins[0].text }
    var ink: Ink { pins.allSatisfy { $0.ink == pins[0].ink } ? pins[0].ink : .strong }
  }

  /// The maximum distance of a label from its cell, in columns.
  private static let farthestMove = 2

  private let columns: Int
  private let origin: (column: Int, row: Int)?
  private var groups: [Int: Group] = [:]

  /// - Parameters:
  ///   - columns: The columns of the map.
  ///   - origin: A cell to leave free.
  init(columns: Int, origin: (column: Int, row: Int)?) {
    self.columns = columns
    self.origin = origin
  }

  mutating func add(_ pin: Pin, column: Int, row: Int) {
    groups[row * columns + column, default: Group(column: column, row: row, pins: [])]
      .pins.append(pin)
  }

  /// The labels, row by row and from left to right.
  ///
  /// A label takes one row, so rows are handled one by one, from the left. Two labels that do not
  /// fit side by side become one count, which may in turn touch the one before it.
  ///
  /// - Complexity: O(*n* log *n*) in the number of cells with pins.
  func placed() -> [PinLabel] {
    var settled: [(group: Group, label: PinLabel)] = []
    for var group in groups.values.sorted(by: { ($0.row, $0.column) < ($1.row, $1.column) }) {
      while let last = settled.last, last.label.row == group.row {
        let gap = last.group.isNumber && group.isNumber ? 1 : 0
        if let column = column(for: group, from: last.label.end + gap) {
          settled.append((group, label(for: group, at: column)))
          break
        }
        settled.removeLast()
        group = Group(
          column: last.group.column, row: group.row, pins: last.group.pins + group.pins)
      }
      if settled.last?.label.row != group.row {
        // The first label of its row always has a place, even on the origin if needed.
        let column = column(for: group, from: 0) ?? desiredColumn(for: group)
        settled.append((group, label(for: group, at: column)))
      }
    }
    return settled.map(\.label)
  }

  private func label(for group: Group, at column: Int) -> PinLabel {
    PinLabel(
      text: group.text, ink: group.ink, column: column, row: group.row, count: group.pins.count,
      words: group.pins.count == 1 ? group.pins[0].words : nil)
  }

  /// The preferred column of a label: centered on its cell.
  private func desiredColumn(for group: Group) -> Int {
    let width = group.text.unicodeScalars.count
    return min(max(group.column - (width - 1) / 2, 0), max(columns - width, 0))
  }

  /// The free column nearest to the preferred one; nil if all nearby columns are taken.
  private func column(for group: Group, from earliest: Int) -> Int? {
    let width = group.text.unicodeScalars.count
    let desired = desiredColumn(for: group)
    var candidates = [max(desired, earliest)]
    if let origin, origin.row == group.row {
      candidates.removeAll { $0 <= origin.column && origin.column < $0 + width }
      // Directly beside the origin: `@1` cannot be read as one number.
      candidates += [origin.column + 1, origin.column - width]
    }
    return
      candidates
      .filter { $0 >= earliest && $0 + width <= columns }
      .filter { abs($0 - desired) <= PinLabels.farthestMove }
      .min { abs($0 - desired) < abs($1 - desired) }
  }
}
