/// The meaning of a map's signs, in one or two lines.
struct Legend {
  /// Words in one ink that stay on one line.
  struct Item {
    var text: String
    var ink: Ink
  }

  private var items: [Item] = []
  /// Where the kinds are among the items.
  private var kinds = 0..<0
  private let style: TextMap.Style
  private static let gap = 3

  init(style: TextMap.Style) { self.style = style }

  mutating func add(_ text: String, _ ink: Ink = .plain) {
    items.append(Item(text: text, ink: ink))
  }

  /// Adds a kind, next to the kinds before it.
  mutating func add(kind text: String, _ ink: Ink = .plain) {
    if kinds.isEmpty { kinds = items.count..<items.count }
    add(text, ink)
    kinds = kinds.lowerBound..<items.count
  }

  /// The items in at most two lines; an item too long for a line is cut.
  ///
  /// Kinds that do not fit are counted instead; only if that is not enough, the last items are omitted.
  ///
  /// - Complexity: O(width²), however many kinds there are.
  func lines(width: Int) -> [[Item]] {
    let (lines, isComplete) = filled(items, width)
    guard !isComplete else { return lines }
    // Each kind takes a column at least.
    for shown in stride(from: min(kinds.count - 1, 2 * width), through: 0, by: -1) {
      let rest = Item(text: "+\(kinds.count - shown) more", ink: .plain)
      let shorter =
        Array(items[..<(kinds.lowerBound + shown)]) + [rest] + items[kinds.upperBound...]
      let (lines, isComplete) = filled(shorter, width)
      if isComplete { return lines }
    }
    return lines
  }

  /// Two lines of the first items, and whether they are all.
  private func filled(_ items: [Item], _ width: Int) -> (lines: [[Item]], isComplete: Bool) {
    var lines: [[Item]] = []
    var used = 0
    for var item in items {
      let columns = DisplayWidth.columns(of: item.text)
      if let last = lines.indices.last, used + Legend.gap + columns <= width {
        lines[last].append(item)
        used += Legend.gap + columns
      } else if lines.count < 2 {
        item.text = TerminalText.truncated(
          item.text, to: width, mark: style == .ascii ? "~" : "…")
        lines.append([item])
        used = min(columns, width)
      } else {
        return (lines, false)
      }
    }
    return (lines, true)
  }

  /// Appends lines to a text.
  static func append(_ lines: [[Item]], to text: inout InkedText) {
    for line in lines {
      text.append(" ")
      for (place, item) in line.enumerated() {
        if place > 0 { text.append(String(repeating: " ", count: gap)) }
        text.append(item.text, item.ink)
      }
      text.endLine()
    }
  }

  /// Ascending numbers with consecutive ones joined: `1–3 5`.
  static func runs(of numbers: [Int], dash: String) -> String {
    var parts: [String] = []
    var rest = numbers[...]
    while let first = rest.popFirst() {
      var last = first
      while let next = rest.first, next <= last + 1 {
        last = next
        rest.removeFirst()
      }
      // Two numbers are not joined.
      parts.append(
        last - first > 1
          ? "\(first)\(dash)\(last)" : (first...last).map(String.init).joined(separator: " "))
    }
    return parts.joined(separator: " ")
  }
}
