import MapAnnotations

/// Where answers fetch their annotations from when they are looked at.
///
/// An answer holds one reference to a shelf, whatever index it comes from, and the places of what was
/// found. Nothing is copied for a result that nobody looks at: copying an annotation of many texts takes
/// as long as finding it.
///
/// A class, so that an answer's layout depends on nothing that its caller does not know; with a closure,
/// which is compiled for the collection at hand where that is known, as a method of a generic class is not.
@usableFromInline
final class AnnotationShelf<Item: Annotation>: Sendable {
  /// The annotation at a place that the shelf's own index has given.
  @usableFromInline let fetch: @Sendable (Int) -> Item

  @usableFromInline
  init(_ fetch: @escaping @Sendable (Int) -> Item) { self.fetch = fetch }

  @inlinable
  subscript(place: Int) -> Item { fetch(place) }
}

extension AnnotationShelf {
  /// Annotations that stand in a collection.
  ///
  /// - Parameter offsets: By place; nil where each annotation's place is its offset.
  @inlinable
  convenience init<Annotations: RandomAccessCollection & Sendable>(
    _ annotations: Annotations, offsets: [UInt32]? = nil
  ) where Annotations.Element == Item, Annotations.Index == Int {
    if let offsets {
      self.init { annotations[annotations.startIndex + Int(offsets[$0])] }
    } else {
      self.init { annotations[annotations.startIndex + $0] }
    }
  }
}

/// Annotations that were found, fetched when they are looked at.
///
///     let shown = index.annotations(in: viewport)
///     print(shown.count, shown.first?.name ?? "?")
///
/// - Complexity: O(1) to make and to copy; what is looked at is fetched each time.
public struct AnnotationList<Item: Annotation>: RandomAccessCollection, Sendable {
  @usableFromInline let shelf: AnnotationShelf<Item>
  @usableFromInline let places: [Int]

  init(_ places: [Int], on shelf: AnnotationShelf<Item>) {
    self.places = places
    self.shelf = shelf
  }

  /// 0.
  @inlinable public var startIndex: Int { 0 }
  /// How many annotations there are.
  @inlinable public var endIndex: Int { places.count }
  /// The annotation at an offset.
  ///
  /// - Precondition: `position` is in 0..<`count`.
  @inlinable public subscript(position: Int) -> Item { shelf[places[position]] }

  /// Those of which something is true, in the same order.
  func filtered(_ isIncluded: (Item) -> Bool) -> AnnotationList {
    AnnotationList(places.filter { isIncluded(shelf[$0]) }, on: shelf)
  }
}

extension AnnotationList: Equatable where Item: Equatable {
  /// Whether both hold the same annotations in the same order, wherever they come from.
  public static func == (left: AnnotationList, right: AnnotationList) -> Bool {
    left.elementsEqual(right)
  }
}
