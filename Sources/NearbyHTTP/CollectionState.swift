import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch
import ViewportClustering

/// What a collection can answer: queries, and the number of annotations in a box.
protocol ServedIndex: AnnotationSearching where Item == ImportedAnnotation {
  /// The number of annotations, placed or not.
  var count: Int { get }
  /// All annotations, placed or not.
  var everything: [ImportedAnnotation] { get }
  /// The number of annotations without a position.
  var unplacedCount: Int { get }
  /// The number of annotations in a box; nil where that takes a query.
  func fastCount(in box: BoundingBox) -> Int?
}

extension AnnotationIndex: ServedIndex where Annotations == ImportedAnnotations {
  var count: Int { annotations.count }
  var everything: [ImportedAnnotation] { Array(annotations) }
  func fastCount(in box: BoundingBox) -> Int? { count(in: box) }
}

extension LiveAnnotationSnapshot: ServedIndex where Item == ImportedAnnotation {
  var count: Int { placedCount + unplacedCount }
  var everything: [ImportedAnnotation] { annotations() }
  func fastCount(in box: BoundingBox) -> Int? { nil }
}

/// An immutable snapshot of a collection between two changes.
final class CollectionState: Sendable {
  let index: any ServedIndex
  /// Increases with each change.
  let version: Int
  /// Identifies the state for clients that cache it: different after each change, and after each start.
  let tag: String
  let fields: [ServedField]
  private let derived = SharedValue(Derived())

  /// What is computed when it is first needed, and cached.
  private struct Derived {
    var tiles: ServedTiles?
    var tileFields: Properties?
    var clusters: ClusterIndex<[ImportedAnnotation]>?
    var unplaced: [ImportedAnnotation]?
    var extent: BoundingBox??
    var counts: [String: Int] = [:]
    var setting: HoursSetting?
    var latest: [String] = []
  }

  /// A state.
  ///
  /// - Parameter extent: The box around all annotations; nil to find it when it is first needed.
  init(
    _ index: any ServedIndex, version: Int, epoch: Int64, extent: BoundingBox??,
    fields: [ServedField]
  ) {
    self.index = index
    self.version = version
    tag = String(epoch, radix: 36) + "." + String(version, radix: 36)
    self.fields = fields
    derived.withLock { $0.extent = extent }
  }

  /// The state in which annotations begin to be served.
  convenience init(
    _ index: any ServedIndex, of annotations: ImportedAnnotations, version: Int, epoch: Int64
  ) {
    // Where clients can write, only the last annotation of an id is served.
    let isWhole = index.count == annotations.count
    self.init(
      index, version: version, epoch: epoch, extent: isWhole ? .some(annotations.extent) : nil,
      fields: isWhole
        ? ServedField.fields(of: annotations) : ServedField.fields(of: index.everything))
  }

  /// The box around all annotations; nil where none has a position.
  var extent: BoundingBox? { cached(\.extent) { index.everything.extent } }

  /// The box around all annotations once some of them come and go; nil if that depends on the others.
  func extent(changing annotations: [ImportedAnnotation]) -> BoundingBox?? {
    // In a wider box, the widest gap between longitudes, which it leaves out, might become another.
    guard let box = derived.withLock({ $0.extent }) ?? nil, box.width < 180,
      abs(box.west) < 180, abs(box.east) < 180
    else { return nil }
    let areWithin = annotations.lazy.compactMap(\.box).allSatisfy {
      box.contains($0) && $0.south > box.south && $0.north < box.north && $0.west != box.west
        && $0.east != box.east
    }
    return areWithin ? .some(box) : nil
  }

  /// The names of properties, whether or not an annotation has a value there.
  var columns: [String] { fields.map(\.name) }

  /// What times refer to that a query without a position names.
  ///
  /// - Parameter clocks: The same for each call.
  func setting(by clocks: PlaceClocks) -> HoursSetting {
    cached(\.setting) { clocks.setting(at: nil, orAmong: index.everything) }
  }

  /// The source of the collection's tiles.
  func tiles() -> ServedTiles { cached(\.tiles) { ServedTiles(index.everything) } }

  /// The attributes of the collection's tiles, with their types.
  func tileFields() -> Properties { cached(\.tileFields) { tiles().fields(of: index.everything) } }

  /// The clusters that a map shows.
  func clusters() -> ClusterIndex<[ImportedAnnotation]> {
    cached(\.clusters) { ClusterIndex(index.everything) }
  }

  /// The annotations without a position.
  func unplaced() -> [ImportedAnnotation] {
    guard index.unplacedCount > 0 else { return [] }
    return cached(\.unplaced) { index.everything.filter { $0.coordinate == nil } }
  }

  /// A value that is made when it is first needed, and cached.
  ///
  /// Made outside the lock: two first calls at once make two, which are the same.
  private func cached<Value: Sendable>(
    _ path: WritableKeyPath<Derived, Value?> & Sendable, _ make: () -> Value
  ) -> Value {
    if let known = derived.withLock({ $0[keyPath: path] }) { return known }
    let made = make()
    derived.withLock { $0[keyPath: path] = made }
    return made
  }

  /// The number of annotations that a query finds; counted once for all its pages.
  func count(
    _ query: NearbyQuery, in context: QueryContext<ImportedAnnotation>
  ) throws(QueryError) -> Int {
    var query = query
    query.after = nil
    query.limit = .max
    query.order = nil
    query.facets = []
    var plain = NearbyQuery()
    if query == plain { return index.count }
    plain.area = query.area
    if query == plain, case .box(let box) = query.area, let count = index.fastCount(in: box) {
      return count
    }
    // What depends on the time is counted each time.
    let key = query.open == nil ? query.text : nil
    if let key, let count = derived.withLock({ $0.counts[key] }) { return count }
    let count = try index.answer(query, in: context).count
    guard let key else { return count }
    derived.withLock { derived in
      if derived.counts.updateValue(count, forKey: key) == nil { derived.latest.append(key) }
      if derived.latest.count > CollectionState.countsKept {
        derived.counts[derived.latest.removeFirst()] = nil
      }
    }
    return count
  }

  /// The number of queries whose counts are cached.
  private static let countsKept = 64
}

/// A property of a collection's annotations.
struct ServedField: Sendable {
  /// The type of its values.
  enum Sort: String, Sendable {
    case string, number, boolean
    /// Of several types.
    case mixed

    /// The type as documents name it.
    var name: String { self == .mixed ? "string" : rawValue }
  }

  let name: String
  // How many annotations have a value of each type; lists and objects count as strings, too.
  private var strings = 0, numbers = 0, booleans = 0, nested = 0

  /// A field whose values have one type.
  init(name: String, sort: Sort) {
    self.name = name
    switch sort {
    case .string, .mixed: strings = 1
    case .number: numbers = 1
    case .boolean: booleans = 1
    }
  }

  private init(name: String) { self.name = name }

  var sort: Sort {
    switch (strings > 0, numbers > 0, booleans > 0) {
    case (true, false, false): .string
    case (false, true, false): .number
    case (false, false, true): .boolean
    default: .mixed
    }
  }

  /// Whether all values, except null, have one type in JSON.
  var hasOneType: Bool { sort != .mixed && nested == 0 }

  /// Whether values may be texts that conditions can also compare as numbers: what every annotation has as its name and
  /// kind is always a text.
  var mayHaveNumbersAsTexts: Bool {
    (sort == .string || sort == .mixed) && name != "name" && name != "kind"
  }

  private mutating func count(_ value: PropertyValue, by step: Int) {
    switch value {
    case .number: numbers += step
    case .bool: booleans += step
    case .array, .object:
      strings += step
      nested += step
    case .string: strings += step
    case .null: break
    }
  }

  /// The fields of annotations, in the order they first appear.
  ///
  /// - Parameters:
  ///   - gone: Annotations that were removed.
  ///   - known: The fields of all annotations before the change.
  static func fields(
    of annotations: some Sequence<ImportedAnnotation>, without gone: [ImportedAnnotation] = [],
    besides known: [ServedField] = []
  ) -> [ServedField] {
    var fields = known
    var places = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1.name, $0) })
    func count(_ annotation: ImportedAnnotation, by step: Int) {
      for entry in annotation.properties.withDistinctNames.entries where entry.value != .null {
        let place = places[entry.name] ?? fields.count
        if place == fields.count {
          places[entry.name] = place
          fields.append(ServedField(name: entry.name))
        }
        fields[place].count(entry.value, by: step)
      }
    }
    for annotation in annotations { count(annotation, by: 1) }
    for annotation in gone { count(annotation, by: -1) }
    return fields.filter { $0.strings + $0.numbers + $0.booleans > 0 }
  }
}
