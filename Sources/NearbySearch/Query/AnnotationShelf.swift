import Geodesy
import MapAnnotations
import SpatialIndexing

/// Where answers fetch their annotations from when these are read.
///
/// An answer holds one reference to a shelf, whatever index it comes from, and the places of its results. A result that
/// is never read is never copied: copying an annotation with many texts takes as long as finding it.
///
/// A class, so that an answer's layout depends on nothing that its caller does not know; with a closure, which is
/// specialized for the collection where that is known, as a method of a generic class is not.
@usableFromInline
final class AnnotationShelf<Item: Annotation>: Sendable {
  /// The annotation at a place that the shelf's own index has returned.
  @usableFromInline let fetch: @Sendable (Int) -> Item
  /// The columns for testing conditions on many annotations at once; nil where each must be tested.
  @usableFromInline let columns: ConditionColumns?
  /// By place, the row in the columns; nil where they are the same.
  @usableFromInline let offsets: [UInt32]?
  /// The annotations by row, where they are an array: reading it takes half the time of calling a closure.
  @usableFromInline let array: [Item]?
  /// The annotation of a row of the columns; nil where rows are places.
  private let fetchRow: (@Sendable (Int) -> Item)?
  /// Where annotations lie in memory, used only to prefetch them.
  private let memory: AnnotationMemory

  @usableFromInline
  init(
    _ fetch: @escaping @Sendable (Int) -> Item, columns: ConditionColumns? = nil,
    rows: (offsets: [UInt32], fetch: @Sendable (Int) -> Item)? = nil,
    array: [Item]? = nil, memory: AnnotationMemory = .unknown
  ) {
    self.memory = memory
    self.array = array
    self.fetch = fetch
    self.columns = columns
    offsets = rows?.offsets
    fetchRow = rows?.fetch
  }

  /// How many annotations ahead of the one being read are prefetched.
  ///
  /// Among a million, each lies somewhere else in memory, and many prefetched together take about the time of one.
  @inlinable static var readAhead: Int { 64 }

  /// Prefetches the annotation at a place, which will be read before long.
  @usableFromInline
  func prefetch(_ place: Int) { memory.prefetch(CollectionOfOne(place)) }

  /// Prefetches the annotations that are read next at an offset of some places: many at once, which costs a call for
  /// many.
  @usableFromInline
  func prefetch(_ places: [Int], from offset: Int) {
    let start = offset == 0 ? 0 : min(offset + AnnotationShelf.readAhead, places.count)
    memory.prefetch(places[start..<min(offset + 2 * AnnotationShelf.readAhead, places.count)])
  }

  /// Prefetches the first annotations of an answer.
  @usableFromInline
  func prefetch(_ neighbors: [Neighbor]) {
    memory.prefetch(
      neighbors.prefix(AnnotationShelf.readAhead).lazy.map(\.offset), areNext: true)
  }

  /// The row of the columns for the annotation at a place.
  func row(of place: Int) -> Int { offsets.map { Int($0[place]) } ?? place }

  /// The places whose rows are in a set, in the given order.
  func places(_ places: [Int], in rows: RowSet) -> [Int] {
    guard let offsets else { return places.filter(rows.contains) }
    return places.filter { rows.contains(Int(offsets[$0])) }
  }

  /// The annotation of a row of the columns.
  func item(ofRow row: Int) -> Item { (fetchRow ?? fetch)(row) }

  @inlinable
  subscript(place: Int) -> Item {
    guard let array else { return fetch(place) }
    guard let offsets else { return array[place] }
    return array[Int(offsets[place])]
  }

  /// A shelf of annotations that are stored in a collection.
  ///
  /// - Parameters:
  ///   - offsets: By place, the offset of the annotation; nil where places are offsets.
  ///   - columns: The columns of the annotations, where another shelf has them already.
  @inlinable
  convenience init<Annotations: RandomAccessCollection & Sendable>(
    _ annotations: Annotations, offsets: [UInt32]? = nil, columns: ConditionColumns? = nil
  ) where Annotations.Element == Item, Annotations.Index == Int {
    let columns = columns ?? ConditionColumns(annotations)
    let start = annotations.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
    let stride = MemoryLayout<Item>.stride
    let array = Annotations.self == [Item].self ? annotations as? [Item] : nil
    guard let offsets else {
      self.init(
        { annotations[annotations.startIndex + $0] }, columns: columns, array: array,
        memory: start.map { .rows(start: $0, stride: stride) } ?? .unknown)
      return
    }
    self.init(
      { annotations[annotations.startIndex + Int(offsets[$0])] }, columns: columns,
      rows: (offsets, { annotations[annotations.startIndex + $0] }), array: array,
      memory: start.map { start in
        .addresses { start &+ UInt(Int(offsets[$0]) &* stride) }
      } ?? .unknown)
  }
}

/// Where annotations lie in memory, by place.
@usableFromInline
enum AnnotationMemory: Sendable {
  /// Unknown, or not in memory.
  case unknown
  /// One after another.
  case rows(start: UInt, stride: Int)
  /// At addresses that a closure returns.
  case addresses(@Sendable (Int) -> UInt)

  /// Prefetches the annotations at some places.
  ///
  /// - Parameter areNext: Whether they are read at once, and not behind many others, which their second cache lines would
  ///   push out.
  @inline(__always)
  func prefetch(_ places: some Sequence<Int>, areNext: Bool = false) {
    switch self {
    case .unknown: break
    case .rows(let start, let stride):
      for place in places {
        let address = start &+ UInt(place &* stride)
        if areNext {
          Memory.prefetch(address, byteCount: stride)
        } else {
          Memory.prefetch(address)
        }
      }
    case .addresses(let address):
      for place in places { Memory.prefetch(address(place)) }
    }
  }
}

/// The columns of a collection that reads them quickly.
///
/// Each is read when a condition first needs it, and cached for later conditions.
///
/// - Complexity: A column takes the bytes of its cells and 5 more for each, 6 where they are more than texts; one that
///   is both searched and compared, twice that.
@usableFromInline
final class ConditionColumns: Sendable {
  private let source: any TextColumnReading
  let rowCount: Int
  private let kept = SharedValue<[ColumnName: TextColumn]>([:])

  /// With fewer rows, testing each one is faster than anything else.
  private static let fewestRows = 128

  /// nil for a collection whose annotations are better tested one by one.
  @usableFromInline
  init?(_ annotations: some Collection) {
    guard annotations.count >= ConditionColumns.fewestRows,
      let source = annotations as? any TextColumnReading
    else { return nil }
    self.source = source
    rowCount = annotations.count
  }

  /// How many annotations must need testing before columns are faster: an eighth of all where columns must be read
  /// first, otherwise one in sixty-four.
  func worthwhileCount(_ names: Set<ColumnName>) -> Int {
    let areThere = kept.withLock { kept in names.allSatisfy { kept[$0] != nil } }
    return rowCount / (areThere ? 64 : 8)
  }

  /// Columns, read where they are not cached yet; nil where one has too much text (`isOverfull`).
  func columns(_ names: Set<ColumnName>) -> [ColumnName: TextColumn]? {
    let source = source
    let columns = kept.withLock { kept in
      let missing = names.filter { kept[$0] == nil }
      if !missing.isEmpty {
        let read = source.textColumns(missing.map { ($0.field, $0.form) })
        for (name, column) in zip(missing, read) { kept[name] = column }
      }
      return kept.filter { names.contains($0.key) }
    }
    return columns.values.contains(where: \.isOverfull) ? nil : columns
  }
}
