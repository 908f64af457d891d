import Geodesy
import MapAnnotations

/// One element of a JSON array of rows, and its location.
package struct JSONRow: Hashable, Sendable {
  /// The number of the element, from 1 through all arrays, whatever it is.
  package let number: Int
  /// The member that holds the array; nil if the whole text is the array.
  package let array: String?
  /// The element, or why it cannot be decoded; a row must be an object.
  package let value: Result<PropertyValue, GeoJSONError>
  /// The bytes of the element in the input, without white space around it.
  package let byteRange: Range<Int>
  /// The line where the element begins, from 1.
  package let line: Int
}

/// Reads a plain JSON feed: an array of objects, or an object with such an array beside a version
/// and other members, or inside objects: `response.body.items`.
///
/// The tree of the whole text is never built: memory holds one row besides the bytes.
package struct JSONRowReader: Sendable {
  /// The members that hold the rows, or paths to them, such as `body.items`; if empty, the only one
  /// that is an array of objects, or else the only such array inside objects, or the only empty one.
  package var members: [String]

  /// Makes a reader; it keeps no state between texts.
  package init(members: [String] = []) { self.members = members }

  /// Reads a text and passes its rows on in order, array by array; a row that cannot be decoded does
  /// not affect the others.
  ///
  /// - Returns: The other members of the object around the rows; empty if there is none.
  /// - Throws: `GeoJSONError` if the text is not complete JSON, has no rows, has several arrays of
  ///   rows and none was named, or lacks the one that was named.
  /// - Complexity: O(*n*) in bytes; an object around the rows is read twice.
  package func readRows(
    _ bytes: UnsafeBufferPointer<UInt8>, _ receive: (JSONRow) -> Void
  ) throws(GeoJSONError) -> Properties {
    var scanner = JSONScanner(bytes)
    try scanner.expectContent()
    let start = scanner.position
    var number = 0
    switch scanner.next {
    case UInt8(ascii: "["):
      try readArray(&scanner, named: nil, &number, receive)
      try scanner.expectEnd()
      return Properties()
    case UInt8(ascii: "{"):
      var feed = Feed()
      try feed.read(&scanner, arraysNamed: members)
      try scanner.expectEnd()
      let arrays = feed.takeRows(named: members)
      try feed.readMembers(notAround: arrays, &scanner)
      if let refusal = refusal(of: arrays, in: feed) {
        throw scanner.error(.member, refusal, at: start)
      }
      for array in arrays {
        scanner.position = array.position
        try readArray(&scanner, named: array.name, &number, receive)
      }
      return feed.others
    default:
      throw scanner.error(
        .type, "rows are an array of objects; write one, or an object that holds one", at: start)
    }
  }

  /// Why arrays cannot be taken for the rows; nil if they can.
  private func refusal(of arrays: [Place], in feed: Feed) -> String? {
    func list(_ arrays: [Place]) -> String {
      arrays.prefix(10).map { "\"\($0.name)\"" }.joined(separator: " and ")
    }
    let missing = members.first { member in !arrays.contains { $0.name == member } }
    if missing != nil || arrays.isEmpty {
      let what =
        missing.map { "no array is called \"\($0)\"" } ?? "no member is an array of objects"
      let found = list(feed.arrays + feed.inner)
      return "\(what); name the one with the rows\(found.isEmpty ? "" : ": \(found)")"
    }
    guard arrays.count > 1, members.isEmpty else { return nil }
    let more = arrays.count > 10 ? " and \(grouped(arrays.count - 10)) more" : ""
    return "\(list(arrays))\(more) are arrays of objects; say with `rowsFields` which has the rows"
  }

  /// Reads a text with one row on each line, in order; a damaged line does not affect the others.
  ///
  /// - Complexity: O(*n*) in bytes.
  package func readLines(
    _ bytes: UnsafeBufferPointer<UInt8>, _ receive: (JSONRow) -> Void
  ) {
    var scanner = JSONScanner(bytes)
    var number = 0
    var place = scanner.position
    while scanner.beginPiece(at: &place, before: 0x0A) {
      number += 1
      let start = scanner.position
      let line = scanner.line(at: start)
      scanner.valuesLeft = JSONScanner.valueLimit
      let value = Result { () throws(GeoJSONError) in
        let value = try scanner.value(duplicates: .kept)
        try scanner.expectEnd()
        return value
      }
      receive(
        JSONRow(
          number: number, array: nil, value: value, byteRange: start..<scanner.end, line: line))
    }
  }

  /// Whether the lines of a text are rows and not GeoJSON; the first complete object decides.
  ///
  /// - Complexity: O(*n*) in the bytes of at most twenty lines.
  package static func areRowLines(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = JSONScanner(bytes)
    var place = scanner.position
    for _ in 0..<20 {
      guard scanner.beginPiece(at: &place, before: 0x0A) else { break }
      if let isRow = isRow(&scanner) { return isRow }
    }
    return false
  }

  /// Whether a line is an object without a member that GeoJSON has; nil if it is not an object, or
  /// an empty one.
  private static func isRow(_ scanner: inout JSONScanner) -> Bool? {
    guard scanner.next == UInt8(ascii: "{") else { return nil }
    var isRow: Bool?
    do throws(GeoJSONError) {
      try scanner.forEachMember { (scanner, token) throws(GeoJSONError) in
        isRow = !isOfGeoJSON(token, scanner) && isRow ?? true
        try scanner.skipValue()
      }
    } catch {
      return nil
    }
    return isRow
  }

  /// The members of a text that is one object and not GeoJSON, apart from arrays; nil for any other
  /// text, and for a larger object than a row may be.
  ///
  /// - Complexity: O(*n*) in the bytes before the first member that GeoJSON has.
  package static func membersWithoutArrays(
    ofRow bytes: UnsafeBufferPointer<UInt8>
  ) -> Properties? {
    var scanner = JSONScanner(bytes)
    scanner.skipWhitespace()
    guard scanner.next == UInt8(ascii: "{") else { return nil }
    scanner.valuesLeft = JSONScanner.valueLimit
    var members = Properties()
    do throws(GeoJSONError) {
      try scanner.forEachMember { (scanner, token) throws(GeoJSONError) in
        // The text ends here, and so too early.
        if isOfGeoJSON(token, scanner) { scanner.end = scanner.position }
        guard scanner.next != UInt8(ascii: "[") else { return try scanner.skipValue() }
        let name = scanner.text(of: token)
        members.append(name, try scanner.value(duplicates: .kept))
      }
      try scanner.expectEnd()
    } catch {
      return nil
    }
    return members
  }

  /// Whether a member, whose value is next, is one that only GeoJSON has, or names one of its types;
  /// `Topology`, which looks alike, is not one of rows either.
  private static func isOfGeoJSON(_ token: JSONStringToken, _ scanner: JSONScanner) -> Bool {
    var scanner = scanner
    switch scanner.text(of: token) {
    case "features", "geometry", "geometries", "coordinates": return true
    case "type":
      guard scanner.next == UInt8(ascii: "\""), let value = try? scanner.stringToken() else {
        return false
      }
      return scanner.type(named: value) != nil || scanner.text(of: value) == "Topology"
    default: return false
    }
  }

  /// Whether a text is a feed of rows and not GeoJSON.
  ///
  /// - Parameter areNamed: Whether a member with the rows was named, so that an object is a feed unless it is GeoJSON.
  /// - Complexity: O(*n*) in the bytes before the first member that decides, for each of up to eight levels of objects.
  package static func areRows(
    _ bytes: UnsafeBufferPointer<UInt8>, areNamed: Bool = false
  ) -> Bool {
    var scanner = JSONScanner(bytes)
    scanner.skipWhitespace()
    if scanner.next == UInt8(ascii: "[") { return true }
    guard scanner.next == UInt8(ascii: "{") else { return false }
    var found: Bool?
    var mayBeRows = areNamed
    var emptyInside: [Place] = []
    do throws(GeoJSONError) {
      try scanner.forEachMember { (scanner, token) throws(GeoJSONError) in
        if isOfGeoJSON(token, scanner) {
          found = false
        } else {
          switch content(scanner) {
          case .rows: found = true
          case .nothing: mayBeRows = true
          case .values, .none: break
          }
          if !mayBeRows {
            mayBeRows = !arrays(
              inside: scanner, at: scanner.text(of: token), empty: &emptyInside
            ).isEmpty
          }
        }
        // Decided: the rest is not read.
        if found != nil { scanner.end = scanner.position }
        try scanner.skipValue()
      }
    } catch {
      return found ?? false
    }
    return found ?? (mayBeRows || emptyInside.count == 1)
  }

  /// A member: its name, or the path to it, and where its value begins.
  private struct Place {
    let name: String
    let position: Int
  }

  /// An object around rows: its arrays, of which some are the rows, and its other members.
  private struct Feed {
    /// The arrays with rows, in the object itself and inside its members.
    private(set) var arrays: [Place] = [], inner: [Place] = []
    private var empty: [Place] = [], emptyInside: [Place] = []
    /// The members with the inner arrays, which are read only if their rows are not.
    private var around: [Place] = []
    private(set) var others = Properties()

    /// Finds the arrays in the object that is next, and reads the members without any.
    mutating func read(
      _ scanner: inout JSONScanner, arraysNamed names: [String]
    ) throws(GeoJSONError) {
      scanner.valuesLeft = JSONScanner.valueLimit
      try scanner.forEachMember { (scanner, token) throws(GeoJSONError) in
        let place = Place(name: scanner.text(of: token), position: scanner.position)
        let content = JSONRowReader.content(scanner, isNamed: names.contains(place.name))
        if content == .rows {
          arrays.append(place)
          return try scanner.skipValue()
        }
        if content == .nothing { empty.append(place) }
        let arraysInside = JSONRowReader.arrays(
          inside: scanner, at: place.name, orNamed: names, empty: &emptyInside)
        if !arraysInside.isEmpty {
          inner += arraysInside
          around.append(place)
          return try scanner.skipValue()
        }
        others.append(place.name, try scanner.value(duplicates: .kept))
        try scanner.countValue()
      }
    }

    /// Chooses the arrays with the rows; an empty one is then none of the other members.
    mutating func takeRows(named names: [String]) -> [Place] {
      if !names.isEmpty {
        // In the order of the text, which is read forward only.
        return (arrays + inner).filter { names.contains($0.name) }
          .sorted { $0.position < $1.position }
      }
      if !arrays.isEmpty { return arrays }
      if let array = empty.first {
        // An empty feed, whatever lists its other members have.
        if empty.count == 1 { others[array.name] = nil }
        return empty
      }
      guard inner.isEmpty, let array = emptyInside.first, emptyInside.count == 1 else {
        return inner
      }
      // Such as an answer of a day without results.
      for entry in others.entries where array.name.hasPrefix(entry.name + ".") {
        others[entry.name] = nil
      }
      return [array]
    }

    /// Reads the members around inner arrays that are not the rows.
    mutating func readMembers(
      notAround rows: [Place], _ scanner: inout JSONScanner
    ) throws(GeoJSONError) {
      for member in around where !rows.contains(where: { $0.name.hasPrefix(member.name + ".") }) {
        scanner.position = member.position
        others.append(member.name, try scanner.value(duplicates: .kept))
        try scanner.countValue()
      }
    }
  }

  /// The arrays of objects inside the object that is next, with their paths; none for another value.
  ///
  /// - Parameters:
  ///   - names: Paths of arrays that count whatever they hold.
  ///   - empty: Gets the other arrays that are empty, except those about an error.
  /// - Complexity: O(*n*) in bytes for each level of objects, of which eight are searched.
  private static func arrays(
    inside scanner: JSONScanner, at path: String, orNamed names: [String] = [],
    empty: inout [Place], depth: Int = 8
  ) -> [Place] {
    guard depth > 0, scanner.next == UInt8(ascii: "{") else { return [] }
    var scanner = scanner
    var found: [Place] = []
    do throws(GeoJSONError) {
      try scanner.forEachMember { (scanner, token) throws(GeoJSONError) in
        let place = Place(
          name: "\(path).\(scanner.text(of: token))", position: scanner.position)
        switch content(scanner, isNamed: names.contains(place.name)) {
        case .rows: found.append(place)
        case .nothing:
          // An error is no feed: `{"error":{"code":400,"details":[]}}`, as ArcGIS answers.
          let isOfError = path.lowercased().split(separator: ".").contains { $0.hasPrefix("error") }
          if !isOfError { empty.append(place) }
        case .values, .none:
          found += arrays(
            inside: scanner, at: place.name, orNamed: names, empty: &empty, depth: depth - 1)
        }
        try scanner.skipValue()
      }
    } catch {
      // The reader finds the damage, too, and reports it.
      return []
    }
    return found
  }

  /// The content of an array, judged by its first element.
  private enum Content {
    /// Objects, or null instead of one.
    case rows
    case nothing
    case values
    /// Not an array.
    case none
  }

  /// - Parameter isNamed: Whether an array there has the rows, whatever it holds.
  private static func content(_ scanner: JSONScanner, isNamed: Bool = false) -> Content {
    var scanner = scanner
    guard scanner.skip(UInt8(ascii: "[")) else { return .none }
    if isNamed { return .rows }
    scanner.skipWhitespace()
    switch scanner.next {
    case UInt8(ascii: "{"), UInt8(ascii: "n"): return .rows
    case UInt8(ascii: "]"): return .nothing
    default: return .values
    }
  }

  private func readArray(
    _ scanner: inout JSONScanner, named name: String?, _ number: inout Int,
    _ receive: (JSONRow) -> Void
  ) throws(GeoJSONError) {
    try scanner.forEachElement { (scanner) throws(GeoJSONError) in
      number += 1
      let start = scanner.position
      let line = scanner.line(at: start)
      scanner.valuesLeft = JSONScanner.valueLimit
      let value = Result { () throws(GeoJSONError) in try scanner.value(duplicates: .kept) }
      if case .failure = value {
        scanner.position = start
        try scanner.skipValue()
      }
      receive(
        JSONRow(
          number: number, array: name, value: value, byteRange: start..<scanner.position, line: line
        ))
    }
  }
}
