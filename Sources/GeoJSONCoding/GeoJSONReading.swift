import MapAnnotations

/// One pass of a `GeoJSONReader` over a text.
struct GeoJSONReading {
  var scanner: JSONScanner
  private(set) var recordCount = 0
  private(set) var isStopped = false
  private let receive: (GeoJSONRecord) -> GeoJSONReader.NextStep

  init(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ receive: @escaping (GeoJSONRecord) -> GeoJSONReader.NextStep
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
    return isSequence ? readSequence() : try readDocument()
  }

  private mutating func readDocument() throws(GeoJSONError) -> GeoJSONDocument {
    let root = try readRoot()
    let form: GeoJSONDocument.Form =
      switch root.type {
      case .featureCollection: .featureCollection
      case .feature: .feature
      default: .geometry
      }
    return document(form, root.bbox, root.foreignMembers)
  }

  func document(
    _ form: GeoJSONDocument.Form, _ bbox: [Double]?, _ foreignMembers: Properties
  ) -> GeoJSONDocument {
    GeoJSONDocument(
      form: form, recordCount: recordCount, bbox: bbox, foreignMembers: foreignMembers,
      isComplete: !isStopped)
  }

  // MARK: Records

  /// Reads the feature or geometry that comes next as one record.
  ///
  /// - Parameter isLast: Whether nothing may follow it.
  /// - Throws: `GeoJSONError` when it is not even JSON, so that nothing after it can be found.
  mutating func readRecord(
    of type: GeoJSONType = .feature, isLast: Bool = false
  ) throws(GeoJSONError) {
    let start = scanner.position
    let line = scanner.line(at: start)
    let result: Result<Feature, GeoJSONError>
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

  private mutating func feature(of type: GeoJSONType) throws(GeoJSONError) -> Feature {
    type.isGeometry
      ? Feature(geometry: try scanner.geometry(), properties: nil) : try scanner.feature()
  }

  mutating func deliver(
    _ feature: Result<Feature, GeoJSONError>, _ byteRange: Range<Int>, _ line: Int
  ) {
    recordCount += 1
    let record = GeoJSONRecord(
      number: recordCount, feature: feature, byteRange: byteRange, line: line)
    isStopped = receive(record) == .stop
  }
}
