import Geodesy

/// A moving object in a `LiveIndex`: an id, a position, and optionally categories and an expiry.
public struct LiveObject: Hashable, Sendable, Identifiable {
  /// The caller's id for the object.
  ///
  /// An index holds one object per id, and orders equal distances by id.
  public let id: UInt64
  /// The position of the object.
  public let coordinate: Coordinate
  /// The categories of the object, none by default.
  public let categories: CategorySet
  /// The instant from which the object no longer counts; infinite if it never expires.
  ///
  /// The unit and the origin are those of the caller's clock.
  public let expiry: Double

  /// Describes an object.
  ///
  /// - Precondition: `expiry` is not NaN.
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

/// One change in a batch.
public enum LiveChange: Hashable, Sendable {
  /// Inserts an object, or replaces the one with its id: a move.
  case put(LiveObject)
  /// Removes the object with an id; does nothing if there is none.
  case remove(UInt64)
  /// Removes the object with an id and inserts one with another id, in the time of one move.
  case replace(UInt64, with: LiveObject)
}

/// One answer of a live search: an object and its distance.
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
