import Geodesy
import MapProjections

/// A PROJ context with one operation, for one thread at a time.
///
/// Unchecked, because the pool gives it to only one thread.
final class PROJWorker: @unchecked Sendable {
  /// The chosen operation, the same in every worker of a transform.
  struct Choice: Sendable {
    let operation: CoordinateOperation
    let startsFromDegrees: Bool
    let endsInDegrees: Bool
    /// The directions whose positions are degrees, and not grads.
    var degrees: Set<Direction> = []
    let areaOfUse: Region?
  }

  let choice: Choice
  private let library: PROJLibrary
  private let context: PROJLibrary.Object
  private let operation: PROJLibrary.Object

  /// - Parameters:
  ///   - source: Any CRS that PROJ accepts: `EPSG:2056`, a URN, WKT, a PROJ string, a whole name
  ///     or alias.
  ///   - target: The same.
  init(_ library: PROJLibrary, from source: String, to target: String) throws(CRSError) {
    let context = try PROJWorker.context(library)
    do throws(CRSError) {
      let from = try PROJWorker.crs(source, library, context)
      defer { _ = library.destroy(from) }
      let to = try PROJWorker.crs(target, library, context)
      defer { _ = library.destroy(to) }
      let chosen = try PROJWorker.operation(
        from: (source, from), to: (target, to), library, context)
      var degrees: Set<Direction> = []
      if PROJWorker.isInDegrees(from, library, context) { degrees.insert(.forward) }
      if PROJWorker.isInDegrees(to, library, context) { degrees.insert(.inverse) }
      choice = Choice(
        operation: chosen.description, startsFromDegrees: PROJWorker.isGeographic(from, library),
        endsInDegrees: PROJWorker.isGeographic(to, library), degrees: degrees,
        areaOfUse: PROJWorker.area(of: from, source, library, context))
      operation = chosen.operation
    } catch {
      _ = library.destroyContext(context)
      throw error
    }
    self.library = library
    self.context = context
  }

  /// - Parameter pipeline: A single operation as a PROJ string, as in PROJ's own tests; angles in
  ///   radians.
  init(_ library: PROJLibrary, pipeline: String) throws(CRSError) {
    context = try PROJWorker.context(library)
    guard let operation = library.create(context, pipeline) else {
      _ = library.destroyContext(context)
      throw .unsupported(pipeline, because: "PROJ does not know it; check the code")
    }
    self.library = library
    self.operation = operation
    choice = Choice(
      operation: CoordinateOperation(name: pipeline, accuracy: nil), startsFromDegrees: false,
      endsInDegrees: false, areaOfUse: nil)
  }

  deinit {
    _ = library.destroy(operation)
    _ = library.destroyContext(context)
  }

  enum Direction: CInt {
    case forward = 1
    case inverse = -1
  }

  /// Transforms in place; a position that cannot be transformed becomes not finite.
  func transform(_ positions: inout [PlanePosition], _ direction: Direction) {
    // Four numbers for each position: x, y, height, and an unknown time.
    var numbers: [Double] = []
    numbers.reserveCapacity(positions.count * 4)
    for position in positions { numbers += [position.x, position.y, 0, .infinity] }
    numbers.withUnsafeMutableBufferPointer { buffer in
      // Failures show in the numbers.
      _ = library.transform(operation, direction.rawValue, positions.count, buffer.baseAddress)
    }
    for place in positions.indices {
      // PROJ turns NaN into infinity without an error.
      guard positions[place].x.isFinite, positions[place].y.isFinite else {
        positions[place] = PlanePosition(x: .nan, y: .nan)
        continue
      }
      positions[place] = PlanePosition(x: numbers[4 * place], y: numbers[4 * place + 1])
    }
  }

  /// Transforms one position.
  func transform(_ position: PlanePosition, _ direction: Direction) -> PlanePosition {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { numbers in
      numbers.initialize(repeating: 0)
      (numbers[0], numbers[1], numbers[3]) = (position.x, position.y, .infinity)
      _ = library.transform(operation, direction.rawValue, 1, numbers.baseAddress)
      return PlanePosition(x: numbers[0], y: numbers[1])
    }
  }

  private static func context(_ library: PROJLibrary) throws(CRSError) -> PROJLibrary.Object {
    guard let context = library.createContext() else {
      throw .unsupported("PROJ", because: "it has no memory left; close something")
    }
    // Otherwise it writes to standard error what it cannot find.
    library.log(context, nil) { _, _, _ in }
    // Results must not depend on a server.
    _ = library.enableNetwork(context, 0)
    return context
  }

  private static func crs(
    _ name: String, _ library: PROJLibrary, _ context: PROJLibrary.Object
  ) throws(CRSError) -> PROJLibrary.Object {
    // A PROJ string is a CRS only if it says so.
    let text = name.contains("+proj=") && !name.contains("+type=crs") ? name + " +type=crs" : name
    guard let crs = library.create(context, text) else {
      throw .unsupported(name, because: "PROJ does not know it either; check the code")
    }
    if let remedy = remedy(against: crs, foundFor: name, library, context) {
      _ = library.destroy(crs)
      throw .unsupported(name, because: "PROJ knows no CRS of that name; \(remedy)")
    }
    let type = library.type(crs)
    guard PROJType.onTheMap.contains(type) else {
      _ = library.destroy(crs)
      throw .unsupported(name, because: "it has no positions on the map; give a horizontal CRS")
    }
    return crs
  }

  /// What to write instead of a name that PROJ found only a similar one for; nil if it found this one.
  ///
  /// PROJ searches for whatever is not a code, WKT or a PROJ string, and takes `merc` for Merchich.
  private static func remedy(
    against crs: PROJLibrary.Object, foundFor name: String, _ library: PROJLibrary,
    _ context: PROJLibrary.Object
  ) -> String? {
    func text(_ characters: UnsafePointer<CChar>?) -> String {
      characters.map { String(cString: $0) } ?? ""
    }
    func letters(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let (found, code) = (text(library.name(crs)), text(library.code(crs, 0)))
    guard !name.contains(where: { ":[{=".contains($0) }),
      ![found, code].contains(where: { letters($0) == letters(name) })
    else { return nil }
    let authority = text(library.authority(crs, 0))
    // Without approximate matches PROJ lists what has exactly this name or alias.
    let list = library.createFromName(context, nil, name, nil, 0, 0, 0, nil)
    defer { library.destroyList(list) }
    let isAlias = (0..<(list == nil ? 0 : library.listCount(list))).contains { place in
      guard let named = library.listItem(context, list, place) else { return false }
      defer { _ = library.destroy(named) }
      return text(library.authority(named, 0)) == authority && text(library.code(named, 0)) == code
    }
    if isAlias { return nil }
    return "if you mean \(found), write \(code.isEmpty ? "that" : "\(authority):\(code)")"
  }

  private static func isGeographic(_ crs: PROJLibrary.Object, _ library: PROJLibrary) -> Bool {
    PROJType.geographic.contains(library.type(crs))
  }

  /// Whether positions are degrees of longitude and latitude; those of some old CRSs of France are grads.
  private static func isInDegrees(
    _ crs: PROJLibrary.Object, _ library: PROJLibrary, _ context: PROJLibrary.Object
  ) -> Bool {
    guard isGeographic(crs, library), let system = library.coordinateSystem(context, crs) else {
      return false
    }
    defer { _ = library.destroy(system) }
    var radians = 0.0
    let isKnown =
      library.axis(context, system, 0, nil, nil, nil, &radians, nil, nil, nil) != 0
    return isKnown && abs(radians * 180 / .pi - 1) < 1e-9
  }

  /// Chooses one operation for all positions.
  ///
  /// It is the first in PROJ's own order that needs no grid file, so that every machine chooses the
  /// same; if all need one, the first whose file is installed. A ballpark operation, which ignores
  /// the datums, is the last resort.
  private static func operation(
    from source: (name: String, crs: PROJLibrary.Object),
    to target: (name: String, crs: PROJLibrary.Object), _ library: PROJLibrary,
    _ context: PROJLibrary.Object
  ) throws(CRSError) -> (operation: PROJLibrary.Object, description: CoordinateOperation) {
    let factory = library.createFactory(context, nil)
    defer { library.destroyFactory(factory) }
    library.setSpatialCriterion(context, factory, PROJConstant.partialIntersection)
    library.setGridUse(context, factory, PROJConstant.gridsDoNotSort)
    let list = library.createOperations(context, source.crs, target.crs, factory)
    defer { library.destroyList(list) }
    let candidates = (0..<(list == nil ? 0 : library.listCount(list))).compactMap {
      library.listItem(context, list, $0)
    }
    defer { for candidate in candidates { _ = library.destroy(candidate) } }

    let certain = candidates.filter { library.hasBallpark(context, $0) == 0 }
    let withoutGrids = certain.first { library.gridCount(context, $0) == 0 }
    let chosen =
      withoutGrids ?? certain.first { library.isInstantiable(context, $0) != 0 }
      ?? candidates.first { library.isInstantiable(context, $0) != 0 }
    guard let chosen, let normalized = library.normalized(context, chosen) else {
      throw .unsupported(
        "\(source.name) to \(target.name)",
        because: "PROJ has no operation between them; go through a third CRS")
    }
    let better = candidates.prefix { $0 != chosen }.count {
      library.gridCount(context, $0) > 0
    }
    let isBallpark = library.hasBallpark(context, chosen) != 0
    let name = library.name(chosen).map { String(cString: $0) } ?? "unnamed"
    return (
      normalized,
      CoordinateOperation(
        name: name, accuracy: isBallpark ? nil : accuracy(of: chosen, library, context),
        betterWithGrids: better, isBallpark: isBallpark)
    )
  }

  /// The accuracy in meters: 0 for pure formulas, for which PROJ states none.
  private static func accuracy(
    of operation: PROJLibrary.Object, _ library: PROJLibrary, _ context: PROJLibrary.Object
  ) -> Double? {
    let stated = library.accuracy(context, operation)
    if stated >= 0 { return stated }
    guard library.type(operation) == PROJType.concatenated else {
      return library.type(operation) == PROJType.conversion ? 0 : nil
    }
    let areConversions = (0..<library.stepCount(context, operation)).allSatisfy { place in
      guard let step = library.step(context, operation, place) else { return false }
      defer { _ = library.destroy(step) }
      return library.type(step) == PROJType.conversion
    }
    return areConversions ? 0 : nil
  }

  private static func area(
    of crs: PROJLibrary.Object, _ name: String, _ library: PROJLibrary,
    _ context: PROJLibrary.Object
  ) -> Region? {
    var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
    guard library.areaOfUse(context, crs, &west, &south, &east, &north, nil) != 0,
      // PROJ returns −1000 for unknown edges.
      let box = try? BoundingBox(south: south, west: west, north: north, east: east)
    else { return nil }
    return Region(name: name, boxes: [box])
  }
}

/// Values of PROJ's enumerations.
enum PROJConstant {
  static let partialIntersection: CInt = 1
  static let gridsDoNotSort: CInt = 2
}

/// Values of `PJ_TYPE`.
enum PROJType {
  static let geographic: Set<CInt> = [12, 13]
  private static let projected: CInt = 15
  private static let bound: CInt = 19
  static let conversion: CInt = 21
  static let concatenated: CInt = 23
  static let onTheMap = geographic.union([projected, bound])
}
