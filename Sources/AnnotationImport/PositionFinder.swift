import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// Finds the position in a JSON object: in members for its coordinates, its own or those of objects inside it, or else
/// in a member that holds both, such as a point of GeoJSON or in well-known text.
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
  /// By name what members are; rows mostly have the same names.
  private var roles: [String: Role] = [:]
  /// Whether a member so far was a detail.
  private var hasDetails = false

  /// What a member is by its name.
  private enum Role: Equatable {
    case coordinate(CoordinateAxis)
    case detail(CoordinateAxis, CoordinateDetail)
    case container
    /// Its name means a position, as that of other objects with coordinates or of two numbers does.
    case position
    case other

    init(ofMember member: String) {
      let name = KnownNames.normalized(member)
      if KnownNames.latitude.contains(name) {
        self = .coordinate(.latitude)
      } else if KnownNames.longitude.contains(name) {
        self = .coordinate(.longitude)
      } else {
        self =
          PositionFinder.containers.contains(name)
          ? .container
          : CoordinateDetail.of(member).map { .detail($0, $1) }
            ?? (CoordinateNames.meansPosition(member) ? .position : .other)
      }
    }
  }

  init(_ options: ImportOptions) {
    isPlanar = options.plane != nil
    latitudeField = options.latitudeField
    longitudeField = options.longitudeField
  }

  /// - Complexity: O(*n*) for *n* members.
  mutating func position(in properties: Properties) -> Finding {
    var finding = Finding(others: properties)
    let latitude: Member?
    let longitude: Member?
    do throws(RowProblem) {
      latitude = try member(.latitude, of: properties)
      longitude = try member(.longitude, of: properties)
    } catch {
      finding.hasNames = true
      finding.problem = error
      return finding
    }
    finding.hasNames = latitude != nil || longitude != nil
    if latitude?.path == longitude?.path {
      return findingOfPoint(in: properties, at: latitude, finding)
    }
    let north = detailed(
      latitude.map { PositionFinder.cell($0.value, .latitude) }, at: latitude, .latitude,
      in: properties)
    let east = detailed(
      longitude.map { PositionFinder.cell($0.value, .longitude) }, at: longitude, .longitude,
      in: properties)
    finding.others = properties.removing([latitude?.path, longitude?.path].compactMap(\.self))
    finding.isText = north?.isString == true || east?.isString == true
    if let place = latitude?.path.first,
      let problem = foreign(properties.entries[place].value.foreignWKID)
    {
      finding.problem = problem
      return finding
    }
    return judged(north, east, finding)
  }

  /// The finding with the position that two cells give, or their problem.
  private func judged(_ north: Cell?, _ east: Cell?, _ finding: Finding) -> Finding {
    var finding = finding
    guard let y = north?.number, let x = east?.number else {
      finding.problem = .unread(
        latitude: north?.text, longitude: east?.text, isNumber: north?.number != nil)
      return finding
    }
    let point = Geometry.point(Position(longitude: x, latitude: y))
    do throws(CoordinateError) {
      if !isPlanar { _ = try Coordinate(latitude: y, longitude: x) }
      finding.geometry = point
    } catch {
      finding.problem = RowChecks.problem(with: error, of: point)
    }
    return finding
  }

  /// Whether a text is one object with members for both coordinates, and not GeoJSON.
  static func findsPosition(inRow bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let members = JSONRowReader.membersWithoutArrays(ofRow: bytes) else { return false }
    var finder = PositionFinder(ImportOptions())
    return [CoordinateAxis.latitude, .longitude].allSatisfy { axis in
      do throws(RowProblem) { return try finder.member(axis, of: members) != nil } catch {
        return true
      }
    }
  }

  /// Whether a member has a known name of a coordinate.
  static func isCoordinate(_ name: String) -> Bool {
    if case .coordinate = Role(ofMember: name) { true } else { false }
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

  private typealias Member = (path: [Int], value: PropertyValue)

  /// - Throws: If several members may be the coordinate.
  private mutating func member(
    _ axis: CoordinateAxis, of properties: Properties
  ) throws(RowProblem) -> Member? {
    if let field = axis == .latitude ? latitudeField : longitudeField {
      return properties.member(at: field[...])
    }
    if let own = try known(axis, in: properties, path: []) { return own }
    for wanted in [Role.container, .position] {
      for (place, entry) in properties.entries.enumerated() {
        guard case .object(let inner) = entry.value, role(of: entry.name) == wanted else {
          continue
        }
        if let found = try known(axis, in: inner, path: [place]) { return found }
        // `geometry.location.lat`, as Google's places have it.
        for (deeper, entry) in inner.entries.enumerated() {
          guard case .object(let inner) = entry.value, role(of: entry.name) == .container,
            let found = try known(axis, in: inner, path: [place, deeper])
          else { continue }
          return found
        }
      }
    }
    return nil
  }

  // MARK: Points in one member

  /// The finding of a row without members for each coordinate: the position in its only member that holds a point, or
  /// in the one that options name for both coordinates.
  private mutating func findingOfPoint(
    in properties: Properties, at named: Member?, _ finding: Finding
  ) -> Finding {
    var finding = finding
    var points: [(path: [Int], point: Point)] = []
    if let named {
      let name = properties.entries[named.path[0]].name
      if let point = point(named.value, name, isNamed: true) { points = [(named.path, point)] }
    } else if latitudeField == nil, longitudeField == nil {
      for (place, entry) in properties.entries.enumerated() {
        let isNamed = [.container, .position].contains(role(of: entry.name))
        if let point = point(entry.value, entry.name, isNamed: isNamed) {
          points.append(([place], point))
        }
      }
    }
    guard let found = points.first else {
      if let text = named?.value.text { finding.problem = .position(.notAPosition(text)) }
      return finding
    }
    finding.hasNames = true
    guard points.count == 1 else {
      finding.problem = PositionFinder.ambiguous(
        points.map { properties.entries[$0.path[0]].name }, "a position",
        "`latitudeField` and `longitudeField`, both the same")
      return finding
    }
    switch found.point {
    case .failure(let problem): finding.problem = problem
    case .success(let (latitude, longitude)):
      finding.others = properties.removing([found.path])
      finding = judged(
        PositionFinder.cell(latitude, .latitude), PositionFinder.cell(longitude, .longitude),
        finding)
    }
    return finding
  }

  /// The values of both coordinates, or why they are none.
  private typealias Point = Result<(latitude: PropertyValue, longitude: PropertyValue), RowProblem>

  /// The position that one value holds; nil if it is none.
  ///
  /// - Parameters:
  ///   - name: That of its member, which may say the order of two numbers.
  ///   - isNamed: Whether the member is known to hold a position; otherwise only a point of GeoJSON or in well-known
  ///     text is one.
  private func point(_ value: PropertyValue, _ name: String, isNamed: Bool) -> Point? {
    switch value {
    case .object(let members): point(inGeoJSON: members)
    case .array(let numbers): isNamed ? point(inList: numbers, name) : nil
    case .string(let text):
      isNamed || PositionFinder.mayBeWellKnownText(text)
        ? point(inText: text, name, isNamed: isNamed) : nil
    default: nil
    }
  }

  private func point(inGeoJSON members: Properties) -> Point? {
    guard members["type"]?.text == "Point", case .array(let numbers)? = members["coordinates"],
      numbers.count > 1
    else { return nil }
    // PostGIS names the CRS in a point.
    let crs = members["crs"]?.crsName.flatMap { CRSName.epsgCode(in: $0) }
    return foreign(crs).map { .failure($0) } ?? .success((numbers[1], numbers[0]))
  }

  private func point(inList numbers: [PropertyValue], _ name: String) -> Point? {
    guard (2...3).contains(numbers.count), let first = numbers[0].number,
      let second = numbers[1].number
    else { return nil }
    // In lists the longitude is as often first as last.
    let isLongitudeFirst =
      CoordinateNames.saysOrder(name)
      ? CoordinateNames.isLongitudeFirst(name)
      : abs(first) > 90 ? true : abs(second) > 90 ? false : nil
    return switch isLongitudeFirst {
    case true?: .success((numbers[1], numbers[0]))
    case false?: .success((numbers[0], numbers[1]))
    case nil:
      .failure(
        .feature(
          code: "ambiguous-coordinate-fields",
          message: "the name \(name) does not say which of its two numbers is the longitude; "
            + "rename it to lonlat or latlon"))
    }
  }

  private func point(inText text: String, _ name: String, isNamed: Bool) -> Point? {
    let bytes = Array(text.utf8)
    let isLongitudeFirst = CoordinateNames.isLongitudeFirst(name)
    let cell = bytes.withUnsafeBufferPointer {
      PointCell(
        DelimitedCell(start: 0, end: $0.count), in: $0, isLongitudeFirst: isLongitudeFirst)
    }
    func part(_ cell: DelimitedCell) -> PropertyValue {
      .string(String(decoding: bytes[cell.range], as: UTF8.self))
    }
    let latitude = part(cell.latitude), longitude = part(cell.longitude)
    if let problem = foreign(cell.srid) { return .failure(problem) }
    guard cell.isPair else { return nil }
    if cell.isWellKnownText { return .success((latitude, longitude)) }
    // `Seoul, Korea` is a place, too.
    guard isNamed, let first = latitude.number, longitude.number != nil else { return nil }
    let isSwapped = abs(first) > 90 && !CoordinateNames.saysOrder(name)
    return .success(isSwapped ? (longitude, latitude) : (latitude, longitude))
  }

  /// Whether a text begins as a point in well-known text does, and has a bracket: rows without a position have many
  /// other texts.
  private static func mayBeWellKnownText(_ text: String) -> Bool {
    guard let first = text.utf8.first(where: { !DecimalParser.isBlank($0) }) else { return false }
    return "PpSs".utf8.contains(first) && text.utf8.contains(UInt8(ascii: "("))
  }

  /// The problem of a CRS other than degrees on WGS 84, unless options name the CRS.
  private func foreign(_ srid: Int?) -> RowProblem? {
    guard let srid, !isPlanar, !RowChecks.sridsInDegrees.contains(srid) else { return nil }
    return .foreignSRID(srid)
  }

  private static func ambiguous(_ names: [String], _ what: String, _ how: String) -> RowProblem {
    .feature(
      code: "ambiguous-coordinate-fields",
      message: "\(names.joined(separator: ",")) may each be \(what); say which with \(how)")
  }

  private mutating func known(
    _ axis: CoordinateAxis, in properties: Properties, path: [Int]
  ) throws(RowProblem) -> Member? {
    let places = properties.entries.indices.filter {
      role(of: properties.entries[$0].name) == .coordinate(axis)
    }
    guard let first = places.first else { return nil }
    guard places.count == 1 else {
      throw PositionFinder.ambiguous(
        places.map { properties.entries[$0].name }, "a coordinate",
        "`latitudeField` and `longitudeField`")
    }
    return (path + [first], properties.entries[first].value)
  }

  private mutating func role(of name: String) -> Role {
    if let known = roles[name] { return known }
    let role = Role(ofMember: name)
    if case .detail = role { hasDetails = true }
    roles[name] = role
    return role
  }

  /// A coordinate's cell with what the members beside it say: the sign, or that it is only the whole degrees.
  private mutating func detailed(
    _ cell: Cell?, at member: Member?, _ axis: CoordinateAxis, in properties: Properties
  ) -> Cell? {
    guard var cell, let number = cell.number, hasDetails, !isPlanar, let member else { return cell }
    var siblings = properties
    for place in member.path.dropLast() {
      guard case .object(let inner) = siblings.entries[place].value else { return cell }
      siblings = inner
    }
    func texts(_ detail: CoordinateDetail) -> [String] {
      siblings.entries.filter { role(of: $0.name) == .detail(axis, detail) }.compactMap(
        \.value.text)
    }
    if HemisphereColumns.isNegative(texts(.hemisphere).first) { cell.number = -abs(number) }
    let minutes = texts(.minutes)
    if !minutes.isEmpty, texts(.maximum).isEmpty, let degrees = cell.text,
      CoordinateDetail.isWhole(degrees)
    {
      cell = Cell(text: ([degrees] + minutes).joined(separator: " "))
    }
    return cell
  }

  // MARK: Values

  /// A value as a cell: its text, nil if it is empty; and its number, nil if that is none.
  private struct Cell {
    var text: String?
    var number: Double?
    var isString = false
  }

  private static func cell(_ value: PropertyValue, _ axis: CoordinateAxis) -> Cell {
    switch value {
    case .null: return Cell()
    case .number(let text): return Cell(text: text, number: value.number)
    case .string(let text):
      let words = text.plainSigns.split(separator: " ")
      if words.isEmpty || RowChecks.isNull(text) { return Cell() }
      if words.count == 1, let number = PropertyValue.string(String(words[0])).number {
        return Cell(text: text, number: number, isString: true)
      }
      // An angle that names the other coordinate is reported as wrong.
      let angle = AngleText(text.utf8).flatMap { $0.axis == nil || $0.axis == axis ? $0 : nil }
      return Cell(text: text, number: angle?.degrees, isString: true)
    case .bool(let truth): return Cell(text: String(truth))
    case .array: return Cell(text: "[…]")
    case .object: return Cell(text: "{…}")
    }
  }
}

extension PropertyValue {
  /// The number of the CRS in an ArcGIS object's `spatialReference`; nil for none, and for degrees that are those of
  /// WGS 84.
  var foreignWKID: Int? {
    guard case .object(let members) = self, case .object(let named)? = members["spatialReference"],
      let number = (named["latestWkid"] ?? named["wkid"])?.number, let wkid = Int(exactly: number)
    else { return nil }
    // Web Mercator had a number of Esri's own.
    return RowChecks.sridsInDegrees.contains(wkid) ? nil : wkid == 102_100 ? 3857 : wkid
  }
}

extension Properties {
  /// The member with a name, or with a path into inner objects: `location.lat`; nil if there is none.
  ///
  /// - Returns: Its place, behind those of the objects around it, and its value.
  func member(at name: Substring) -> (path: [Int], value: PropertyValue)? {
    if let place = place(of: String(name)) { return ([place], entries[place].value) }
    guard let point = name.firstIndex(of: "."), let place = place(of: String(name[..<point])),
      case .object(let inner) = entries[place].value,
      let found = inner.member(at: name[name.index(after: point)...])
    else { return nil }
    return ([place] + found.path, found.value)
  }

  /// The place of the member that the subscript gives.
  private func place(of name: String) -> Int? {
    entries.firstIndex { $0.name.isSameBytes(as: name) }
      ?? entries.firstIndex { $0.name == name }
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
