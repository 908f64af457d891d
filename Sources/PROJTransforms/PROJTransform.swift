import Geodesy
import MapProjections

/// The transform between any two CRSs known to the PROJ library.
///
///     let transform = try PROJTransform(from: "EPSG:2056")     // Switzerland
///     try transform.coordinate(of: PlanePosition(x: 2_600_000, y: 1_200_000))
///
/// The library is loaded when the first transform is made, which takes about 10 ms; `isAvailable`
/// says whether it is installed. A transform may be used from many threads at once; each running
/// call has its own PROJ context.
///
/// East, or longitude, always comes first, whatever the axis order of a CRS. One operation is used
/// for a pair of CRSs everywhere: the first in PROJ's order that needs no grid file.
public struct PROJTransform: CoordinateTransform {
  /// Whether the library is installed.
  public static var isAvailable: Bool { PROJLibrary.shared != nil }

  private let pool: PROJPool
  private let choice: PROJWorker.Choice

  /// - Parameters:
  ///   - source: An EPSG code such as `EPSG:2056`, or any other CRS that PROJ accepts; a name or
  ///     alias must be whole.
  ///   - target: The same.
  /// - Throws: `CRSError` with code `crs-unsupported` if the library is not installed, a CRS is
  ///   unknown to it or has no positions on a map, or it has no operation between them.
  public init(from source: String, to target: String = "EPSG:4326") throws(CRSError) {
    try self.init(named: source) { (library) throws(CRSError) in
      try PROJWorker(library, from: source, to: target)
    }
  }

  /// Makes a transform of a single operation, a PROJ string; angles in radians.
  package init(pipeline: String) throws(CRSError) {
    try self.init(named: pipeline) { (library) throws(CRSError) in
      try PROJWorker(library, pipeline: pipeline)
    }
  }

  private init(
    named name: String,
    _ make: @escaping @Sendable (PROJLibrary) throws(CRSError) -> PROJWorker
  ) throws(CRSError) {
    guard let library = PROJLibrary.shared else {
      throw .unsupported(name, because: PROJLibrary.absence)
    }
    let first = try make(library)
    choice = first.choice
    pool = PROJPool(first) { () throws(CRSError) in try make(library) }
  }

  /// The operation, and its accuracy.
  public var operation: CoordinateOperation { choice.operation }
  /// Whether positions of the source CRS are degrees.
  public var startsFromDegrees: Bool { choice.startsFromDegrees }
  /// Whether positions of the target CRS are degrees.
  public var endsInDegrees: Bool { choice.endsInDegrees }
  /// The area of use of the source CRS.
  public var areaOfUse: Region? { choice.areaOfUse }

  /// Transforms a position of the source CRS to the target CRS.
  public func forward(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    try transformed(position, .forward)
  }

  /// Transforms a position of the target CRS to the source CRS.
  public func inverse(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    try transformed(position, .inverse)
  }

  /// Transforms many positions at once; one that cannot be transformed becomes NaN.
  ///
  /// - Throws: `CRSError` if PROJ cannot be set up for another thread.
  public func forward(_ positions: inout [PlanePosition]) throws(CRSError) {
    let worker = try pool.take()
    defer { pool.giveBack(worker) }
    if choice.degrees.contains(.forward) {
      for place in positions.indices where (try? positions[place].checkDegrees()) == nil {
        positions[place] = PlanePosition(x: .nan, y: .nan)
      }
    }
    worker.transform(&positions, .forward)
  }

  private func transformed(
    _ position: PlanePosition, _ direction: PROJWorker.Direction
  ) throws(CRSError) -> PlanePosition {
    guard position.x.isFinite, position.y.isFinite else { throw .notFinite(position) }
    // PROJ itself passes longitudes of any number of turns on, or wraps them, as the operation happens to be.
    if choice.degrees.contains(direction) { try position.checkDegrees() }
    let worker = try pool.take()
    defer { pool.giveBack(worker) }
    let answer = worker.transform(position, direction)
    guard answer.x.isFinite, answer.y.isFinite else {
      throw .outsideDomain(position, of: choice.operation.name)
    }
    return answer
  }
}

/// The idle contexts of a transform; there are as many contexts as threads that work at once.
final class PROJPool: Sendable {
  private let idle: SharedValue<[PROJWorker]>
  private let make: @Sendable () throws(CRSError) -> PROJWorker

  init(_ first: PROJWorker, _ make: @escaping @Sendable () throws(CRSError) -> PROJWorker) {
    idle = SharedValue([first])
    self.make = make
  }

  func take() throws(CRSError) -> PROJWorker {
    if let worker = idle.withLock({ $0.popLast() }) { return worker }
    return try make()
  }

  func giveBack(_ worker: PROJWorker) {
    idle.withLock { $0.append(worker) }
  }
}
