extension JSONScanner {
  /// Reads a `bbox`: four or six numbers.
  mutating func box() throws(GeoJSONError) -> [Double] {
    let start = position
    guard next == UInt8(ascii: "[") else {
      throw error(.box, "a bbox is an array; write four or six numbers", at: start)
    }
    var edges: [Double] = []
    try forEachElement { (scanner) throws(GeoJSONError) in
      edges.append(try scanner.finiteNumber(.box, "bbox"))
    }
    guard edges.count == 4 || edges.count == 6 else {
      throw error(.box, "this bbox has \(edges.count) numbers; write four or six", at: start)
    }
    return edges
  }

  /// Reads a number within the range of `Double`.
  @inline(__always)
  mutating func finiteNumber(
    _ reason: GeoJSONError.Reason, _ place: StaticString
  ) throws(GeoJSONError) -> Double {
    let start = position
    guard let byte = next, startsNumber(byte) else {
      throw error(
        reason, "\(excerpt) in a \(place) is not a number; write degrees without quotes", at: start)
    }
    let value = try double()
    guard value.isFinite else {
      position = start
      throw error(reason, "\(excerpt) in a \(place) is too large; write degrees", at: start)
    }
    return value
  }
}
