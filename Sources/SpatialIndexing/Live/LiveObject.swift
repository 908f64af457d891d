import Geodesy

/// Something that moves, as a `LiveIndex` keeps it: a name, a place and, where wanted, categories
/// and an end.
public struct LiveObject: Hashable, Sendable, Identifiable {
  /// The caller's name for it.
  ///
  /// An index holds one object of each, and orders equal distances by it.
  public let id: UInt64
  /// Where it is.
  public let coordinate: Coordinate
  /// The categories it belongs to, none by default.
  public let categories: CategorySet
  /// The instant from which on it does not count any more, in whatever unit and from whatever
  /// origin the caller's clock has; infinite where it never ends.
  public let expiry: Double

  /// Describes an object.
  ///
  /// - Precondition: `expiry` is a number.
  public init(
    id: UInt64, at coordinate: Coordinate, categories: CategorySet = [],
    expiry: Double = .infinity
  ) {
    precondition(!expiry.isNaN, "object \(id) expires at an instant that is not a number")
    self.id = id
    self.coordinate = coordinate
    self.categories = categories
    self.expiry = expiry
  }
}

/// One change of a batch.
public enum LiveChange: Hashable, Sendable {
  /// Inserts an object, or replaces all that is known of the one with its id: a move.
  case put(LiveObject)
  /// Removes the object with an id; nothing happens where there is none.
  case remove(UInt64)
  /// Removes the object with an id and inserts one that has another: both changes in the time of one move.
  case replace(UInt64, with: LiveObject)
}

/// One answer of a live search: an object, and how far it is.
public struct LiveNeighbor: Hashable, Sendable {
  /// The object as it was when the snapshot was taken.
  public let object: LiveObject
  /// The geodesic distance on WGS 84.
  public let distance: Distance

  /// Pairs an object with its distance.
  public init(object: LiveObject, distance: Distance) {
    self.object = object
    self.distance = distance
  }
}
