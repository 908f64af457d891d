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
  private let context: PROJContext
  private let operation: PROJLibrary.Object

  /// - Parameters:
  ///   - source: Any CRS that PROJ accepts: `EPSG:2056`, a URN, WKT, a PROJ string, a whole name
  ///     or alias.
  ///   - target: The same.
  init(_ library: PROJLibrary, from source: String, to target: String) throws(CRSError) {
    let context = try PROJContext(library)
    let from = try context.crs(source)
    defer { context.destroy(from) }
    let to = try context.crs(target)
    defer { context.destroy(to) }
    let chosen = try context.operation(from: (source, from), to: (target, to))
    self.context = context
    operation = chosen.operation
    var degrees: Set<Direction> = []
    if context.isInDegrees(from) { degrees.insert(.forward) }
    if context.isInDegrees(to) { degrees.insert(.inverse) }
    choice = Choice(
      operation: chosen.description, startsFromDegrees: context.isGeographic(from),
      endsInDegrees: context.isGeographic(to), degrees: degrees,
      areaOfUse: context.area(of: from, source))
  }

  /// - Parameter pipeline: A single operation as a PROJ string, as in PROJ's own tests; angles in
  ///   radians.
  init(_ library: PROJLibrary, pipeline: String) throws(CRSError) {
    let context = try PROJContext(library)
    guard let operation = library.create(context.handle, pipeline) else {
      throw .unsupported(pipeline, because: "PROJ does not know it; check the code")
    }
    self.context = context
    self.operation = operation
    choice = Choice(
      operation: CoordinateOperation(name: pipeline, accuracy: nil), startsFromDegrees: false,
      endsInDegrees: false, areaOfUse: nil)
  }

  deinit { context.destroy(operation) }

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
      _ = context.library.transform(
        operation, direction.rawValue, positions.count, buffer.baseAddress)
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
      _ = context.library.transform(operation, direction.rawValue, 1, numbers.baseAddress)
      return PlanePosition(x: numbers[0], y: numbers[1])
    }
  }
}

/// A context of PROJ's, in which its objects are made and asked; for one thread at a time.
private final class PROJContext {
  let library: PROJLibrary
  let handle: PROJLibrary.Object

  init(_ library: PROJLibrary) throws(CRSError) {
    guard let handle = library.createContext() else {
      throw .unsupported("PROJ", because: "it has no memory left; close something")
    }
    self.library = library
    self.handle = handle
    // Otherwise it writes to standard error what it cannot find.
    library.log(handle, nil) { _, _, _ in }
    // Results must not depend on a server.
    _ = library.enableNetwork(handle, 0)
  }

  deinit { _ = library.destroyContext(handle) }

  func destroy(_ object: PROJLibrary.Object) { _ = library.destroy(object) }

  /// The CRS of a name, to be destroyed.
  func crs(_ name: String) throws(CRSError) -> PROJLibrary.Object {
    // A PROJ string is a CRS only if it says so.
    let text = name.contains("+proj=") && !name.contains("+type=crs") ? name + " +type=crs" : name
    guard let crs = library.create(handle, text) else {
      throw .unsupported(name, because: "PROJ does not know it either; check the code")
    }
    if let remedy = remedy(against: crs, foundFor: name) {
      destroy(crs)
      throw .unsupported(name, because: "PROJ knows no CRS of that name; \(remedy)")
    }
    let type = library.type(crs)
    guard PROJType.onTheMap.contains(type) else {
      destroy(crs)
      throw .unsupported(name, because: "it has no positions on the map; give a horizontal CRS")
    }
    return crs
  }

  /// What to write instead of a name that PROJ found only a similar one for; nil if it found this one.
  ///
  /// PROJ searches for whatever is not a code, WKT or a PROJ string, and takes `merc` for Merchich.
  private func remedy(
    against crs: PROJLibrary.Object, foundFor name: String
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
    let list = library.createFromName(handle, nil, name, nil, 0, 0, 0, nil)
    defer { library.destroyList(list) }
    let isAlias = (0..<(list == nil ? 0 : library.listCount(list))).contains { place in
      guard let named = library.listItem(handle, list, place) else { return false }
      defer { destroy(named) }
      return text(library.authority(named, 0)) == authority && text(library.code(named, 0)) == code
    }
    if isAlias { return nil }
    return "if you mean \(found), write \(code.isEmpty ? "that" : "\(authority):\(code)")"
  }

  func isGeographic(_ crs: PROJLibrary.Object) -> Bool {
    PROJType.geographic.contains(library.type(crs))
  }

  /// Whether positions are degrees of longitude and latitude; those of some old CRSs of France are grads.
  func isInDegrees(_ crs: PROJLibrary.Object) -> Bool {
    guard isGeographic(crs), let system = library.coordinateSystem(handle, crs) else {
      return false
    }
    defer { destroy(system) }
    var radians = 0.0
    let isKnown =
      library.axis(handle, system, 0, nil, nil, nil, &radians, nil, nil, nil) != 0
    return isKnown && abs(radians * 180 / .pi - 1) < 1e-9
  }

  /// Chooses one operation for all positions.
  ///
  /// It is the first in PROJ's own order that needs no grid file, so that every machine chooses the
  /// same; if all need one, the first whose file is installed. A ballpark operation, which ignores
  /// the datums, is the last resort.
  func operation(
    from source: (name: String, crs: PROJLibrary.Object),
    to target: (name: String, crs: PROJLibrary.Object)
  ) throws(CRSError) -> (operation: PROJLibrary.Object, description: CoordinateOperation) {
    let factory = library.createFactory(handle, nil)
    defer { library.destroyFactory(factory) }
    library.setSpatialCriterion(handle, factory, PROJConstant.partialIntersection)
    library.setGridUse(handle, factory, PROJConstant.gridsDoNotSort)
    let list = library.createOperations(handle, source.crs, target.crs, factory)
    defer { library.destroyList(list) }
    let candidates = (0..<(list == nil ? 0 : library.listCount(list))).compactMap {
      library.listItem(handle, list, $0)
    }
    defer { candidates.forEach(destroy) }

    let certain = candidates.filter { library.hasBallpark(handle, $0) == 0 }
    let withoutGrids = certain.first { library.gridCount(handle, $0) == 0 }
    let chosen =
      withoutGrids ?? certain.first { library.isInstantiable(handle, $0) != 0 }
      ?? candidates.first { library.isInstantiable(handle, $0) != 0 }
    guard let chosen, let normalized = library.normalized(handle, chosen) else {
      throw .unsupported(
        "\(source.name) to \(target.name)",
        because: "PROJ has no operation between them; go through a third CRS")
    }
    let better = candidates.prefix { $0 != chosen }.count {
      library.gridCount(handle, $0) > 0
    }
    let isBallpark = library.hasBallpark(handle, chosen) != 0
    let name = library.name(chosen).map { String(cString: $0) } ?? "unnamed"
    return (
      normalized,
      CoordinateOperation(
        name: name, accuracy: isBallpark ? nil : accuracy(of: chosen),
        betterWithGrids: better, isBallpark: isBallpark)
    )
  }

  /// The accuracy in meters: 0 for pure formulas, for which PROJ states none.
  private func accuracy(of operation: PROJLibrary.Object) -> Double? {
    let stated = library.accuracy(handle, operation)
    if stated >= 0 { return stated }
    guard library.type(operation) == PROJType.concatenated else {
      return library.type(operation) == PROJType.conversion ? 0 : nil
    }
    let areConversions = (0..<library.stepCount(handle, operation)).allSatisfy { place in
      guard let step = library.step(handle, operation, place) else { return false }
      defer { destroy(step) }
      return library.type(step) == PROJType.conversion
    }
    return areConversions ? 0 : nil
  }

  /// The area of use of a CRS; nil if PROJ does not know it.
  func area(of crs: PROJLibrary.Object, _ name: String) -> Region? {
    var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
    guard library.areaOfUse(handle, crs, &west, &south, &east, &north, nil) != 0,
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
