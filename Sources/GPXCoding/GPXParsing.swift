import CNearbyExpat
import Geodesy

/// One pass over a GPX file: turns Expat's element events into points.
///
/// Only this file uses Expat's names.
final class GPXParsing {
  private enum Element {
    case root, track, segment, route, point, groupName, extensions, field, other
  }

  private let receive: (GPXPoint) -> Void
  /// The counts so far.
  private(set) var document = GPXDocument()
  private var parser: XML_Parser?
  private var open: [(element: Element, tag: String)] = []
  private var failure: GPXError?

  // The open point.
  private var role = GPXPoint.Role.waypoint
  /// The number of the open segment in its track.
  private var segment = 0
  private var latitude: String?
  private var longitude: String?
  private var fields: [GPXPoint.Field] = []
  /// The prefix of its name, with the colon.
  private var pointPrefix: Substring = ""
  private var line = 1
  private var start = 0

  // The state around track points.
  private var isInTrackPoint = false
  private var isInCDATA = false
  /// The offset of white space in a segment that nothing has followed yet.
  private var blankStart: Int?
  /// The offset of the white space before the open point.
  private var elementStart = 0
  /// All track points before this byte have been read completely.
  private(set) var settledCount = 0
  /// How many elements are open at that byte.
  private var settledDepth = 0

  // The name of the open track or route, and the innermost open field.
  private var groupName: String?
  private var text: [UInt8] = []
  private var fieldName = ""
  private var isInnermost = false
  /// The prefixes of the namespace of `GPXWriter`, with their colons.
  private var writerPrefixes: Set<Substring> = []
  /// Those of the namespaces of GPX.
  private var gpxPrefixes: Set<Substring> = []

  /// The number of bytes received.
  private var received = 0
  /// Whether the text is in UTF-16.
  private(set) var isWide = false

  init(_ receive: @escaping (GPXPoint) -> Void) { self.receive = receive }

  deinit { if let parser { XML_ParserFree(parser) } }

  /// Reads the next piece of a text.
  ///
  /// - Parameter isLast: Whether this is the last piece.
  func feed(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) throws(GPXError) {
    if received == 0 { isWide = bytes.prefix(2).contains { $0 == 0 || $0 >= 0xFE } }
    received += bytes.count
    guard received > 0 || !isLast else {
      throw GPXError(
        reason: .emptyInput, message: "there is no text here; give a file with content", line: 1,
        column: 1, byteOffset: 0)
    }
    if let failure { throw failure }
    let parser = self.parser ?? makeParser()
    try parse(bytes, parser, isLast: isLast)
  }

  private func makeParser() -> XML_Parser {
    guard let parser = XML_ParserCreate(nil) else {
      preconditionFailure("there is no memory for an XML parser")
    }
    self.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        if let name { GPXParsing.of(context)?.begin(name, Attributes(rest: attributes)) }
      },
      { context, _ in GPXParsing.of(context)?.end() })
    XML_SetCharacterDataHandler(parser) { context, text, count in
      if let text { GPXParsing.of(context)?.append(text, Int(count)) }
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      GPXParsing.of(context)?.fail(
        .documentType, "it declares a document type, which GPX does not have; take the DOCTYPE out")
    }
    // Comments and processing instructions are ignored, but separate a point from the white space before.
    XML_SetCommentHandler(parser) { context, _ in GPXParsing.of(context)?.blankStart = nil }
    XML_SetProcessingInstructionHandler(parser) { context, _, _ in
      GPXParsing.of(context)?.blankStart = nil
    }
    XML_SetCdataSectionHandler(
      parser, { context in GPXParsing.of(context)?.passCDATA(begins: true) },
      { context in GPXParsing.of(context)?.passCDATA(begins: false) })
    return parser
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> GPXParsing? {
    context.map { Unmanaged<GPXParsing>.fromOpaque($0).takeUnretainedValue() }
  }

  private func passCDATA(begins: Bool) {
    blankStart = nil
    isInCDATA = begins
  }

  /// Passes the bytes to Expat in pieces, because its lengths are 32 bits.
  private func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ parser: XML_Parser, isLast: Bool
  ) throws(GPXError) {
    let chunk = 1 << 24
    var start = 0
    repeat {
      let end = min(start + chunk, bytes.count)
      let status = UnsafeBufferPointer(rebasing: bytes[start..<end]).withMemoryRebound(
        to: CChar.self
      ) {
        XML_Parse(
          parser, $0.baseAddress, Int32($0.count), isLast && end == bytes.count ? 1 : 0)
      }
      if failure == nil, status != XML_STATUS_OK { failure = syntaxError(parser) }
      if let failure { throw failure }
      start = end
    } while start < bytes.count
  }

  private func syntaxError(_ parser: XML_Parser) -> GPXError {
    let code = XML_GetErrorCode(parser)
    let words = XML_ErrorString(code).map { String(cString: $0) } ?? "unknown error"
    switch code {
    case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING:
      return error(.encoding, "\(words); save it as UTF-8 and say so in its first line")
    case XML_ERROR_NO_ELEMENTS where open.isEmpty:
      return error(.syntax, "there is no element here; give a GPX file")
    default: break
    }
    let isCutOff = [
      XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
      XML_ERROR_UNCLOSED_CDATA_SECTION,
    ].contains(code)
    guard isCutOff, settledDepth > 0 else {
      return error(.syntax, "\(words); correct the XML there, or write the file again")
    }
    return error(
      .cutOff,
      "it was cut off here; write the file again, or put \(closingTags) after byte \(settledCount)")
  }

  private func error(_ reason: GPXError.Reason, _ message: String) -> GPXError {
    GPXError(
      reason: reason, message: message, line: Int(XML_GetCurrentLineNumber(parser)),
      column: Int(XML_GetCurrentColumnNumber(parser)) + 1, byteOffset: position)
  }

  /// Ends the pass; only the first error counts.
  private func fail(_ reason: GPXError.Reason, _ message: String) {
    guard failure == nil else { return }
    failure = error(reason, message)
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  // MARK: Elements

  private func begin(_ name: UnsafePointer<CChar>, _ attributes: Attributes) {
    guard failure == nil else { return }
    let tag = String(cString: name)
    let name = GPXParsing.localName(tag)
    let element = element(named: name)
    if !isInTrackPoint { settle(at: position) }
    open.append((element, tag))
    notePrefixes(attributes)
    defer { blankStart = nil }
    switch element {
    case .root: document.version = attributes["version"]
    case .track:
      document.tracks += 1
      groupName = nil
      // Segments are numbered within their track; the file's count is separate.
      segment = 0
    case .segment:
      document.segments += 1
      segment += 1
    case .route:
      document.routes += 1
      groupName = nil
    case .point:
      pointPrefix = tag.dropLast(name.count)
      beginPoint(attributes)
    case .groupName: beginText("name")
    case .other where name == "link" && open.dropLast().last?.element == .point:
      // The address is an attribute; the link's text does not describe the point.
      if let address = attributes["href"], !address.isEmpty {
        fields.append(GPXPoint.Field(name: "link", text: address))
      }
    case .field, .extensions:
      // A field that contains elements, such as extensions, is not the innermost one.
      let named = name == "property" ? attributes["name"] : nil
      beginText(fieldName(named ?? name, prefix: tag.dropLast(name.count), attributes))
    case .other: break
    }
  }

  private func element(named name: String) -> Element {
    guard let parent = open.last?.element else {
      if name != "gpx" {
        fail(.root, "the outermost element is <\(name)>, not <gpx>; give a GPX file")
      }
      return .root
    }
    switch (parent, name) {
    case (.root, "wpt"), (.route, "rtept"), (.segment, "trkpt"): return .point
    case (.root, "rte"): return .route
    case (.root, "trk"): return .track
    case (.track, "trkseg"): return .segment
    case (.track, "name"), (.route, "name"): return .groupName
    case (.point, "extensions"): return .extensions
    case (.point, "link"): return .other
    case (.point, _), (.extensions, _), (.field, _): return .field
    default: return .other
    }
  }

  /// The name of a field: with its prefix, if it is one of the point's own elements, but in another place or namespace.
  ///
  /// The `gh:time` in extensions of GraphHopper is not when the point was recorded.
  private func fieldName(
    _ name: String, prefix: Substring, _ attributes: Attributes
  ) -> String {
    guard ["time", "ele", "name"].contains(name) else { return name }
    let isOfGPX = prefix.isEmpty || prefix == pointPrefix || gpxPrefixes.contains(prefix)
    if isOfGPX && open.dropLast().last?.element == .point || writerPrefixes.contains(prefix)
      || attributes["xmlns"] == GPXWriter.namespace
    {
      return name
    }
    return (prefix.isEmpty ? "extensions:" : prefix) + name
  }

  /// Notes the prefixes of the namespaces of GPX and `GPXWriter`, which other programs may have changed.
  private func notePrefixes(_ attributes: Attributes) {
    for (key, value) in attributes where key[0] == CChar(UInt8(ascii: "x")) {
      let name = String(cString: key)
      guard name.hasPrefix("xmlns:") else { continue }
      let prefix = Substring(name.dropFirst(6) + ":")
      let namespace = String(cString: value)
      writerPrefixes.remove(prefix)
      gpxPrefixes.remove(prefix)
      if namespace == GPXWriter.namespace {
        writerPrefixes.insert(prefix)
      } else if namespace.hasPrefix("http://www.topografix.com/GPX/1/") {
        gpxPrefixes.insert(prefix)
      }
    }
  }

  private func beginPoint(_ attributes: Attributes) {
    switch open.dropLast().last?.element {
    case .route:
      document.routePoints += 1
      role = .routePoint(route: document.routes)
    case .segment:
      document.trackPoints += 1
      role = .trackPoint(track: document.tracks, segment: segment)
    default:
      document.waypoints += 1
      role = .waypoint
    }
    latitude = attributes["lat"].map { GPXParsing.trimmed($0.utf8) }
    longitude = attributes["lon"].map { GPXParsing.trimmed($0.utf8) }
    fields = []
    line = Int(XML_GetCurrentLineNumber(parser))
    start = position
    elementStart = blankStart ?? start
    if case .trackPoint = role {
      isInTrackPoint = true
      settledCount = elementStart
    }
  }

  private func settle(at position: Int) {
    settledCount = position
    settledDepth = open.count
  }

  /// What ends the elements that are open at `settledCount`.
  var closingTags: String {
    open.prefix(settledDepth).reversed().map { "</\($0.tag)>" }.joined()
  }

  /// The byte offset of the current event.
  private var position: Int { max(0, Int(XML_GetCurrentByteIndex(parser))) }

  private func beginText(_ name: String) {
    fieldName = name
    text.removeAll(keepingCapacity: true)
    isInnermost = true
  }

  private func append(_ bytes: UnsafePointer<CChar>, _ count: Int) {
    if open.last?.element == .segment, !isInCDATA {
      let isBlank = UnsafeBufferPointer(start: bytes, count: count).allSatisfy {
        UInt8(truncatingIfNeeded: $0).isASCIIWhitespace
      }
      blankStart = isBlank ? blankStart ?? position : nil
    }
    guard isInnermost else { return }
    bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
      text.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
    }
  }

  private func end() {
    guard failure == nil, let element = open.popLast()?.element else { return }
    blankStart = nil
    let end = position + Int(XML_GetCurrentByteCount(parser))
    if element == .point { isInTrackPoint = false }
    if !isInTrackPoint { settle(at: end) }
    switch element {
    case .groupName:
      if isInnermost { groupName = takenText() }
    case .field:
      if isInnermost, let text = takenText() {
        fields.append(GPXPoint.Field(name: fieldName, text: text))
      }
    case .extensions:
      isInnermost = false
    case .point:
      receive(
        GPXPoint(
          role: role, groupName: role == .waypoint ? nil : groupName, latitudeText: latitude,
          longitudeText: longitude, fields: fields, line: line,
          element: GPXElementRange(blankStart: elementStart, start: start, end: end)))
    case .root, .track, .segment, .route, .other: break
    }
  }

  /// Takes the text of the ending element; nil if it is empty.
  private func takenText() -> String? {
    isInnermost = false
    let trimmed = GPXParsing.trimmed(text)
    return trimmed.isEmpty ? nil : trimmed
  }

  // MARK: Texts

  private static func localName(_ name: String) -> String {
    guard let colon = name.lastIndex(of: ":") else { return name }
    return String(name[name.index(after: colon)...])
  }

  private static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> String {
    let rest = text.drop(while: \.isASCIIWhitespace)
    let end = rest.lastIndex { !$0.isASCIIWhitespace }
    return end.map { String(decoding: rest[...$0], as: UTF8.self) } ?? ""
  }
}

/// The attributes of a start tag as Expat gives them: name and value by turns, up to a nil.
private struct Attributes: Sequence, IteratorProtocol {
  var rest: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  mutating func next() -> (key: UnsafePointer<CChar>, value: UnsafePointer<CChar>)? {
    guard let pair = rest, let key = pair[0], let value = pair[1] else { return nil }
    rest = pair + 2
    return (key, value)
  }

  subscript(name: String) -> String? {
    first { String(cString: $0.key) == name }.map { String(cString: $0.value) }
  }
}
