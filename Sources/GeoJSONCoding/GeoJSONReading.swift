import MapAnnotations

/// One pass of a `GeoJSONReader` over a text.
struct GeoJSONReading {
  var scanner: JSONScanner
  /// How many more values are allowed outside the features.
  var foreignValuesLeft = JSONScanner.valueLimit
  private(set) var recordCount = 0
  private(set) var isStopped = false
  private let receive: (ScannedRecord) -> GeoJSONReader.NextStep

  init(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ receive: @escaping (ScannedRecord) -> GeoJSONReader.NextStep
  ) {
    scanner = JSONScanner(bytes)
    self.receive = receive
  }

  mutating func read(_ framing: GeoJSONReader.Framing) throws(GeoJSONError) -> GeoJSONDocument {
    try scanner.expectContent()
    let isSequence =
      switch framing {
      case .automatic: scanner.looksLikeSequence
      case .document: false
      case .sequence: true
      }
    var document = isSequence ? readSequence() : try readRoot()
    document.recordCount = recordCount
    document.isComplete = !isStopped
    document.firstCRS = scanner.firstCRS
    return document
  }

  // MARK: Records

  /// Reads the next feature or geometry as one record.
  ///
  /// - Parameter isLast: Whether nothing may follow it.
  /// - Throws: `GeoJSONError` if it is not JSON, so that nothing after it can be found.
  mutating func readRecord(
    of type: GeoJSONType = .feature, isLast: Bool = false
  ) throws(GeoJSONError) {
    let start = scanner.position
    let line = scanner.line(at: start)
    let result: Result<ScannedFeature, GeoJSONError>
    do throws(GeoJSONError) {
      result = .success(try feature(of: type))
    } catch {
      scanner.position = start
      try scanner.skipValue()
      result = .failure(error)
    }
    let range = start..<scanner.position
    if isLast { try scanner.expectEnd() }
    deliver(result, range, line)
  }

  private mutating func feature(of type: GeoJSONType) throws(GeoJSONError) -> ScannedFeature {
    guard type.isGeometry else { return try scanner.feature() }
    scanner.positionsLeft = JSONScanner.positionLimit
    return ScannedFeature(
      geometry: try scanner.geometry(), bbox: nil, foreignMembers: Properties(), id: nil,
      properties: nil, names: scanner.names, bytes: scanner.bytes)
  }

  mutating func deliver(
    _ feature: Result<ScannedFeature, GeoJSONError>, _ byteRange: Range<Int>, _ line: Int
  ) {
    recordCount += 1
    let record = ScannedRecord(
      number: recordCount, feature: feature, byteRange: byteRange, line: line,
      closedRings: scanner.closedRings)
    scanner.closedRings = 0
    isStopped = receive(record) == .stop
  }
}
