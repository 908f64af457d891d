import Geodesy

/// A change to a ``GeohashIndex``.
///
/// A position keeps its number for life. Where it was, its change says: the list is sorted by place and
/// has no second order by number, which would take a third more memory.
public enum GeohashChange: Hashable, Sendable {
  /// A position that was not there. `number` names it from now on, as an offset in the input names
  /// the others.
  case insert(number: Int, at: Coordinate)
  /// A position that is somewhere else now.
  case move(number: Int, from: Coordinate, to: Coordinate)
  /// A position that is gone; its number is free.
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

/// Why changes could not be made.
public enum GeohashChangeError: CodedError, Hashable {
  /// No position of this number is where the change says.
  case notThere(number: Int, at: Coordinate)
  /// A number below 0 or above the most that there may be.
  case illegalNumber(Int)
}

extension GeohashChangeError {
  /// The mistake's name, for programs.
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
