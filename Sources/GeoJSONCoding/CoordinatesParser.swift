/// Reads arrays of positions, with the checks of RFC 7946 §3.1.
extension JSONScanner {
  /// Reads a point's position; nil for an empty array.
  mutating func pointPosition() throws(GeoJSONError) -> Position? {
    let start = position
    guard skip(UInt8(ascii: "[")) else { throw tooShallow() }
    skipWhitespace()
    if skip(UInt8(ascii: "]")) { return nil }
    position = start
    return try onePosition()
  }

  /// Reads an array of at least two numbers; those after the third are skipped.
  mutating func onePosition() throws(GeoJSONError) -> Position {
    let start = position
    guard skip(UInt8(ascii: "[")) else { throw tooShallow() }
    try countPosition()
    skipWhitespace()
    guard next != UInt8(ascii: "]") else { throw tooFewNumbers(at: start) }
    let longitude = try positionNumber()
    guard try hasNextNumber() else { throw tooFewNumbers(at: start) }
    var result = Position(longitude: longitude, latitude: try positionNumber())
    guard try hasNextNumber() else { return result }
    result.altitude = try positionNumber()
    while try hasNextNumber() { _ = try positionNumber() }
    return result
  }

  @inline(__always)
  private mutating func positionNumber() throws(GeoJSONError) -> Double {
    if next == UInt8(ascii: "[") {
      throw error(
        .coordinates, "an array stands where a number should; nest these coordinates less deeply",
        at: position)
    }
    return try finiteNumber(.coordinates, "position")
  }

  /// Skips the comma before the next number, or the bracket that ends the position.
  @inline(__always)
  private mutating func hasNextNumber() throws(GeoJSONError) -> Bool {
    skipWhitespace()
    if skip(UInt8(ascii: ",")) {
      skipWhitespace()
      return true
    }
    guard skip(UInt8(ascii: "]")) else {
      throw unexpected("put a comma between numbers, or close the position with ]")
    }
    return false
  }

  /// Reads an array of coordinates, which may be empty.
  @inline(__always)
  private mutating func array<Element>(
    of element: (inout JSONScanner) throws(GeoJSONError) -> Element
  ) throws(GeoJSONError) -> [Element] {
    guard next == UInt8(ascii: "[") else { throw tooShallow() }
    var result: [Element] = []
    try forEachElement { (scanner) throws(GeoJSONError) in result.append(try element(&scanner)) }
    return result
  }

  /// Reads an array of positions, which may be empty.
  mutating func positions() throws(GeoJSONError) -> [Position] {
    try array { (scanner) throws(GeoJSONError) in try scanner.onePosition() }
  }

  /// Reads a line: no position, or at least two.
  mutating func line() throws(GeoJSONError) -> [Position] {
    let start = position
    let line = try positions()
    guard line.count != 1 else {
      throw error(.line, "this line has 1 position; give it two or more", at: start)
    }
    return line
  }

  mutating func lines() throws(GeoJSONError) -> [[Position]] {
    try array { (scanner) throws(GeoJSONError) in try scanner.line() }
  }

  /// Reads a ring: at least four positions, the last equal to the first including altitude.
  ///
  /// A ring of at least three positions that does not end where it starts is closed and counted.
  private mutating func ring() throws(GeoJSONError) -> [Position] {
    let start = position
    var ring = try positions()
    if ring.count >= 3, let first = ring.first, let last = ring.last, first != last {
      guard (first.longitude, first.latitude) != (last.longitude, last.latitude) else {
        throw error(
          .ring, "this ring ends at a different altitude than it starts; end it where it starts",
          at: start)
      }
      ring.append(first)
      closedRings += 1
    }
    guard ring.count >= 4 else {
      throw error(
        .ring,
        "this ring has \(ring.count) positions; give it four or more, the last equal to the first",
        at: start)
    }
    return ring
  }

  mutating func rings() throws(GeoJSONError) -> [[Position]] {
    try array { (scanner) throws(GeoJSONError) in try scanner.ring() }
  }

  mutating func polygons() throws(GeoJSONError) -> [[[Position]]] {
    try array { (scanner) throws(GeoJSONError) in try scanner.rings() }
  }

  /// Reads the members of a geometry collection; points without coordinates are omitted.
  mutating func geometries() throws(GeoJSONError) -> [Geometry] {
    guard next == UInt8(ascii: "[") else {
      throw error(.member, "\"geometries\" is not an array; write one", at: position)
    }
    var result: [Geometry] = []
    try forEachElement { (scanner) throws(GeoJSONError) in
      if let geometry = try scanner.geometry(isMember: true) { result.append(geometry) }
    }
    return result
  }

  // MARK: Errors

  private mutating func tooShallow() -> GeoJSONError {
    guard let byte = next, startsNumber(byte) else {
      return error(.coordinates, "coordinates are arrays of numbers; write them so", at: position)
    }
    return error(
      .coordinates, "a number stands where an array should; nest these coordinates more deeply",
      at: position)
  }

  private mutating func tooFewNumbers(at start: Int) -> GeoJSONError {
    error(
      .coordinates, "a position has two numbers or more; write longitude, then latitude", at: start)
  }

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
    guard let byte = next, startsNumber(byte) else { throw noNumber(reason, place) }
    let value = try double()
    guard value.isFinite else {
      position = start
      throw error(reason, "\(excerpt) in a \(place) is too large; write degrees", at: start)
    }
    return value
  }

  /// The error for something else where a number should stand.
  private mutating func noNumber(
    _ reason: GeoJSONError.Reason, _ place: StaticString
  ) -> GeoJSONError {
    switch next {
    // In a position, an array is refused before.
    case UInt8(ascii: "[")?:
      error(
        reason, "an array stands in a \(place) where a number should; write one flat array",
        at: position)
    case UInt8(ascii: "\"")?:
      error(
        reason, "\(excerpt) in a \(place) is not a number; write degrees without quotes",
        at: position)
    default:
      error(reason, "\(excerpt) in a \(place) is not a number; write degrees", at: position)
    }
  }
}
