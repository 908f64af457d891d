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
  /// The box around all annotations; nil where none has a position.
  let extent: BoundingBox?
  let fields: [ServedField]
  private let derived = SharedValue(Derived())

  /// What is computed when it is first needed, and cached.
  private struct Derived {
    var tiles: TileSource?
    var clusters: ClusterIndex<[ImportedAnnotation]>?
    var unplaced: [ImportedAnnotation]?
    var counts: [String: Int] = [:]
    var setting: HoursSetting?
    var latest: [String] = []
  }

  init(
    _ index: any ServedIndex, version: Int, epoch: Int64, extent: BoundingBox?,
    fields: [ServedField]
  ) {
    self.index = index
    self.version = version
    tag = String(epoch, radix: 36) + "." + String(version, radix: 36)
    self.extent = extent
    self.fields = fields
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
  func tiles() -> TileSource {
    cached(\.tiles) { TileSource(index.everything) }
  }

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
struct ServedField: Hashable, Sendable {
  /// The type of its values.
  enum Sort: String, Sendable {
    case string, number, boolean
    /// Of several types.
    case mixed

    /// The type as documents name it.
    var name: String { self == .mixed ? "string" : rawValue }
  }

  let name: String
  let sort: Sort

  /// The fields of annotations, in the order they first appear.
  ///
  /// - Parameter known: Fields that are there already; their types widen where values have another.
  static func fields(
    of annotations: some Sequence<ImportedAnnotation>, besides known: [ServedField] = []
  ) -> [ServedField] {
    var names = known.map(\.name)
    var sorts = Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0.sort) })
    for annotation in annotations {
      for entry in annotation.properties.withDistinctNames.entries {
        let sort: Sort? =
          switch entry.value {
          case .null: nil
          case .number: .number
          case .bool: .boolean
          default: .string
          }
        guard let old = sorts[entry.name] else {
          if let sort {
            names.append(entry.name)
            sorts[entry.name] = sort
          }
          continue
        }
        if let sort, old != sort { sorts[entry.name] = .mixed }
      }
    }
    return names.map { ServedField(name: $0, sort: sorts[$0] ?? .string) }
  }
}
