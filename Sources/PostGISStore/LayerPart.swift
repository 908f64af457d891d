import Geodesy
import SpatialIndexing

/// A table with rows of a layer: all of them, or those of a partition, which may be another server's.
struct LayerPart: Hashable {
  /// The table's name, quoted.
  let table: String
  /// The server whose table it is; nil for this one.
  let server: String?
  /// What the places of its rows lie in; nil where they may lie anywhere.
  let boxes: [BoundingBox]?

  /// A table that may hold anything.
  init(table: String) {
    self.table = table
    server = nil
    boxes = nil
  }

  /// - Parameter bound: PostgreSQL's words for the bound of a partition, as `FOR VALUES FROM ('w') TO ('x')`.
  init(table: String, server: String?, bound: String) {
    self.table = table
    self.server = server
    boxes = LayerPart.codes(in: bound).map(LayerPart.boxes)
  }

  /// How far from a position each of its places is at least, in meters.
  func leastDistance(from position: Coordinate) -> Double {
    guard let boxes else { return 0 }
    return boxes.lazy.map { $0.leastDistance(from: position).meters }.min() ?? .infinity
  }

  /// Whether a place of it may lie in one of some spans.
  func meets(_ spans: [PlaneSpan]) -> Bool {
    guard let boxes else { return true }
    return boxes.contains { box in
      // ±180° is one meridian: a place there is written as −180, and a span may end at either.
      spans.contains { span in
        box.south <= span.north && span.south <= box.north
          && (box.west <= span.east && span.west <= box.east
            || box.west == -180 && span.east == 180)
      }
    }
  }

  // MARK: Bounds

  private static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)
  private static let codeBits = 60

  /// The cells of 60 bits between the two texts of a bound; nil for the partition of all that is in no other.
  private static func codes(in bound: String) -> Range<UInt64>? {
    let words = bound.split(separator: ") TO (", maxSplits: 1)
    guard words.count == 2, let first = words[0].split(separator: "FROM (", maxSplits: 1).last
    else { return nil }
    // Wider, so that there are few cells: a bound that is no prefix of few characters has some forty.
    let step = UInt64(1) << UInt64(codeBits - 20)
    let low = (code(notBelow: first) ?? 0) / step * step
    let high = code(notBelow: words[1].dropLast()) ?? 1 << UInt64(codeBits)
    return low..<max(low, (high + step - 1) / step * step)
  }

  /// The least code of twelve characters whose text is not below a literal, as `'w'`; nil for no literal: `MINVALUE`
  /// and `MAXVALUE`.
  private static func code(notBelow literal: Substring) -> UInt64? {
    guard literal.hasPrefix("'"), literal.hasSuffix("'"), literal.count >= 2 else { return nil }
    let text = literal.dropFirst().dropLast().replacing("''", with: "'").utf8
    var code: UInt64 = 0
    var bits = codeBits
    for byte in text.prefix(12) {
      guard let digit = alphabet.firstIndex(where: { $0 >= byte }) else {
        return (code + 1) << UInt64(bits)
      }
      bits -= 5
      code = code << 5 | UInt64(digit)
      if alphabet[digit] != byte { return code << UInt64(bits) }
    }
    return (code << UInt64(bits)) + (text.count > 12 ? 1 : 0)
  }

  private static func boxes(of codes: Range<UInt64>) -> [BoundingBox] {
    var boxes: [BoundingBox] = []
    var code = codes.lowerBound
    while code < codes.upperBound {
      // The largest cell that begins here and does not reach beyond.
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
