import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Finds the position in a JSON object, in its own members or in those of an object inside it.
struct PositionFinder {
  /// The result for an object.
  struct Finding {
    /// A point; nil if there is none, or a problem.
    var geometry: Geometry?
    /// The members other than the position.
    var others: Properties
    /// The problem with the position.
    var problem: RowProblem?
    /// Whether a member is named for a coordinate, whatever it holds.
    var hasNames = false
    /// Whether a number was written as a text.
    var isText = false
  }

  /// Members that contain an object with the coordinates.
  private static let containers: Set<String> = [
    "location", "position", "coordinate", "coordinates", "center", "geo", "gps", "latlng", "point",
    "좌표", "위치", "位置", "座標",
  ]

  private let latitudeField: String?
  private let longitudeField: String?
  /// Whether the numbers belong to a named CRS and are not degrees yet.
  private let isPlanar: Bool

  init(_ options: ImportOptions) {
    isPlanar = if case .transformed = options.crs { true } else { false }
    latitudeField = options.latitudeField
    longitudeField = options.longitudeField
  }

  /// - Complexity: O(*n*) for *n* members.
  func position(in properties: Properties) -> Finding {
    var finding = Finding(others: properties)
    let latitude: (path: [Int], value: PropertyValue)?
    let longitude: (path: [Int], value: PropertyValue)?
    switch (member(.latitude, of: properties), member(.longitude, of: properties)) {
    case (.ambiguous(let names), _), (_, .ambiguous(let names)):
      finding.hasNames = true
      finding.problem = .feature(
        code: "ambiguous-coordinate-fields",
        message: "\(names.joined(separator: ",")) may each be a coordinate; say which with "
          + "`latitudeField` and `longitudeField`")
      return finding
    case (let north, let east):
      latitude = north.found
      longitude = east.found
    }
    finding.hasNames = latitude != nil || longitude != nil
    if let latitude, latitude.path == longitude?.path, let text = latitude.value.text {
      finding.problem = .position(.notAPosition(text))
      return finding
    }
    let north = latitude.map { PositionFinder.cell($0.value, .latitude) } ?? .empty
    let east = longitude.map { PositionFinder.cell($0.value, .longitude) } ?? .empty
    finding.others = properties.removing([latitude?.path, longitude?.path].compactMap(\.self))
    switch (north, east) {
    case (.empty, .empty): break
    case (.empty, .number(_, let text, _)), (.empty, .wrong(let text)):
      finding.problem = .halfCoordinate(empty: .latitude, other: text)
    case (.number(_, let text, _), .empty), (.wrong(let text), .empty):
      finding.problem = .halfCoordinate(empty: .longitude, other: text)
    case (.wrong(let text), _), (_, .wrong(let text)):
      finding.problem = .position(.notANumber(text))
    case (.number(let north, _, let isNorthText), .number(let east, _, let isEastText)):
      finding.isText = isNorthText || isEastText
      let point = Geometry.point(Position(longitude: east, latitude: north))
      guard !isPlanar else {
        finding.geometry = point
        break
      }
      do throws(CoordinateError) {
        _ = try Coordinate(latitude: north, longitude: east)
        finding.geometry = point
      } catch {
        finding.problem = RowChecks.problem(with: error, of: point)
      }
    }
    return finding
  }

  /// Whether a text is one object with members for both coordinates, and not GeoJSON.
  static func findsPosition(inRow bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let members = JSONRowReader.membersWithoutArrays(ofRow: bytes) else { return false }
    let finder = PositionFinder(ImportOptions())
    return [CoordinateAxis.latitude, .longitude].allSatisfy { axis in
      if case .none = finder.member(axis, of: members) { false } else { true }
    }
  }

  /// Throws if an option names a coordinate's field that no row has.
  func check(_ census: FieldCensus, _ source: String) throws(ImportError) {
    for (field, option) in [(latitudeField, "latitudeField"), (longitudeField, "longitudeField")] {
      guard let field, census.rows > 0 else { continue }
      let first = field.split(separator: ".").first.map(String.init) ?? field
      guard census.counts[field] == nil, census.counts[first] == nil else { continue }
      throw ImportError(
        source, .unknownField(field, option: option, columns: census.counts.keys.sorted()))
    }
  }

  // MARK: Members

  private enum Member {
    case none
    case one(path: [Int], value: PropertyValue)
    case ambiguous([String])

    var found: (path: [Int], value: PropertyValue)? {
      if case .one(let path, let value) = self { (path, value) } else { nil }
    }
  }

  private func member(_ axis: CoordinateAxis, of properties: Properties) -> Member {
    if let field = axis == .latitude ? latitudeField : longitudeField {
      return properties.member(at: field[...]).map { .one(path: $0.path, value: $0.value) } ?? .none
    }
    let own = known(axis, in: properties, path: [])
    if case .none = own {
      for (place, entry) in properties.entries.enumerated() {
        guard case .object(let inner) = entry.value,
          PositionFinder.containers.contains(KnownNames.normalized(entry.name))
        else { continue }
        let found = known(axis, in: inner, path: [place])
        if case .none = found { continue }
        return found
      }
    }
    return own
  }

  private func known(
    _ axis: CoordinateAxis, in properties: Properties, path: [Int]
  ) -> Member {
    let names = axis == .latitude ? KnownNames.latitude : KnownNames.longitude
    let places = properties.entries.indices.filter {
      names.contains(KnownNames.normalized(properties.entries[$0].name))
    }
    guard let first = places.first else { return .none }
    guard places.count == 1 else { return .ambiguous(places.map { properties.entries[$0].name }) }
    return .one(path: path + [first], value: properties.entries[first].value)
  }

  // MARK: Values

  private enum Cell {
    case empty
    case number(Double, text: String, isText: Bool)
    case wrong(String)
  }

  private static func cell(_ value: PropertyValue, _ axis: CoordinateAxis) -> Cell {
    switch value {
    case .null: return .empty
    case .number(let text):
      return value.number.map { .number($0, text: text, isText: false) }
        ?? .wrong(text)
    case .string(let text):
      let words = text.split(whereSeparator: \.isWhitespace)
      if words.isEmpty || RowChecks.isNull(text) { return .empty }
      guard words.count == 1, let number = PropertyValue.string(String(words[0])).number else {
        // An angle that names the other coordinate is reported as wrong.
        guard let angle = AngleText(text.utf8), angle.axis == nil || angle.axis == axis else {
          return .wrong(text)
        }
        return .number(angle.degrees, text: text, isText: true)
      }
      return .number(number, text: text, isText: true)
    case .bool(let truth): return .wrong(String(truth))
    case .array: return .wrong("[…]")
    case .object: return .wrong("{…}")
    }
  }
}

extension Properties {
  /// The member with a name, or with a path into inner objects: `location.lat`; nil if there is none.
  ///
  /// - Returns: Its place, behind those of the objects around it, and its value.
  func member(at name: Substring) -> (path: [Int], value: PropertyValue)? {
    if let place = entries.firstIndex(where: { $0.name == name }) {
      return ([place], entries[place].value)
    }
    guard let point = name.firstIndex(of: "."),
      let place = entries.firstIndex(where: { $0.name == name[..<point] }),
      case .object(let inner) = entries[place].value,
      let found = inner.member(at: name[name.index(after: point)...])
    else { return nil }
    return ([place] + found.path, found.value)
  }

  /// A copy without the members at some paths; an inner object that becomes empty is removed, too.
  fileprivate func removing(_ paths: [[Int]]) -> Properties {
    var kept = Properties()
    for (place, entry) in entries.enumerated() {
      let inside = paths.filter { $0.first == place }.map { Array($0.dropFirst()) }
      if inside.isEmpty {
        kept.entries.append(entry)
      } else if case .object(let members) = entry.value, !inside.contains([]) {
        let rest = members.removing(inside)
        if !rest.isEmpty { kept.append(entry.name, .object(rest)) }
      }
    }
    return kept
  }
}
