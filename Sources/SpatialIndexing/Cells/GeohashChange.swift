import Geodesy

/// A change to a ``GeohashIndex``.
///
/// A position keeps its number for life. A change also states where the position was: the list is
/// sorted by location and has no lookup by number, which would take a third more memory.
public enum GeohashChange: Hashable, Sendable {
  /// Adds a position.
  ///
  /// `number` names it from now on, as an offset in the input names the others.
  case insert(number: Int, at: Coordinate)
  /// Moves a position to another coordinate.
  case move(number: Int, from: Coordinate, to: Coordinate)
  /// Removes a position; its number becomes free.
  case remove(number: Int, at: Coordinate)

  /// Where a position was, and where it is now.
  var sides: (number: Int, old: Coordinate?, new: Coordinate?) {
    switch self {
    case .insert(let number, let place): (number, nil, place)
    case .move(let number, let old, let new): (number, old, new)
    case .remove(let number, let place): (number, place, nil)
    }
  }
}

/// Why changes could not be applied.
public enum GeohashChangeError: CodedError, Hashable {
  /// No position with this number is where the change says.
  case notThere(number: Int, at: Coordinate)
  /// A number below 0 or above the maximum.
  case illegalNumber(Int)
}

extension GeohashChangeError {
  /// The error's name, for programs.
  public var code: String {
    switch self {
    case .notThere: "geohash-change"
    case .illegalNumber: "geohash-number"
    }
  }

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notThere(let number, let place):
      "position \(number) is not at \(place.latitude),\(place.longitude); say where it was last put"
    case .illegalNumber(let number):
      "a position cannot have the number \(number); use 0…\(IndexFileFormat.mostPositions - 1)"
    }
  }
}
