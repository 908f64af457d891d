import Geodesy
import SpatialIndexing

/// A table with rows of a layer: all of them, or those of a partition, possibly on another server.
struct LayerPart: Hashable {
  /// The table's name, quoted.
  let table: String
  /// The server of the table; nil for the connected one.
  let server: String?
  /// The boxes of its rows' positions; nil if they may lie anywhere.
  let boxes: [BoundingBox]?

  /// Makes a part; by default the whole table, which may have any rows.
  ///
  /// - Parameter bound: PostgreSQL's text for a partition's bound, such as `FOR VALUES FROM ('w') TO ('x')`.
  init(table: String, server: String? = nil, bound: String = "") {
    self.table = table
    self.server = server
    boxes = LayerPart.codes(in: bound).map(LayerPart.boxes)
  }

  /// A lower bound of the distance from a position to its rows, in meters.
  func leastDistance(from position: Coordinate) -> Double {
    guard let boxes else { return 0 }
    return boxes.lazy.map { $0.leastDistance(from: position).meters }.min() ?? .infinity
  }

  /// Whether any of its positions may lie in one of some spans.
  func meets(_ spans: [PlaneSpan]) -> Bool {
    guard let boxes else { return true }
    return boxes.contains { box in
      // ±180° is one meridian: positions write it as −180, and a span may end at either.
      spans.contains { span in
        box.south <= span.north && span.south <= box.north
          && (box.west <= span.east && span.west <= box.east
            || box.west == -180 && span.east == 180)
      }
    }
  }

  // MARK: Bounds

  private static let codeBits = 60

  /// The 60-bit cells between the two texts of a bound; nil for the default partition.
  private static func codes(in bound: String) -> Range<UInt64>? {
    let words = bound.split(separator: ") TO (", maxSplits: 1)
    guard words.count == 2, let first = words[0].split(separator: "FROM (", maxSplits: 1).last
    else { return nil }
    // Widened, so that there are few cells: a bound that is not a short prefix has about forty.
    let step = UInt64(1) << UInt64(codeBits - 20)
    let low = (code(notBelow: first) ?? 0) / step * step
    let high = code(notBelow: words[1].dropLast()) ?? 1 << UInt64(codeBits)
    return low..<max(low, (high + step - 1) / step * step)
  }

  /// The lowest code of twelve characters whose text is not below a literal such as `'w'`; nil for
  /// `MINVALUE` and `MAXVALUE`, which are not literals.
  private static func code(notBelow literal: Substring) -> UInt64? {
    guard literal.hasPrefix("'"), literal.hasSuffix("'"), literal.count >= 2 else { return nil }
    let text = literal.dropFirst().dropLast().replacing("''", with: "'").utf8
    var code: UInt64 = 0
    var bits = codeBits
    for byte in text.prefix(12) {
      guard let digit = Geohash.alphabet.firstIndex(where: { $0 >= byte }) else {
        return (code + 1) << UInt64(bits)
      }
      bits -= 5
      code = code << 5 | UInt64(digit)
      if Geohash.alphabet[digit] != byte { return code << UInt64(bits) }
    }
    return (code << UInt64(bits)) + (text.count > 12 ? 1 : 0)
  }

  private static func boxes(of codes: Range<UInt64>) -> [BoundingBox] {
    var boxes: [BoundingBox] = []
    var code = codes.lowerBound
    while code < codes.upperBound {
      // The largest cell that begins here and does not exceed the range.
      var bits = min(code == 0 ? codeBits : code.trailingZeroBitCount, codeBits - 1)
      while code + (1 << UInt64(bits)) > codes.upperBound { bits -= 1 }
      if let cell = try? BinaryGeohash(bits: code >> UInt64(bits), bitCount: codeBits - bits) {
        boxes.append(cell.box)
      }
      code += 1 << UInt64(bits)
    }
    return boxes
  }
}
