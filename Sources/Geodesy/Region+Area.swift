/// A part of the Earth's surface that can test whether it contains a position: a box, a polygon, a region.
public protocol Area: Sendable {
  /// Whether a position lies in the area or on its border.
  func contains(_ position: Coordinate) -> Bool

  /// The relation of the area to a box, for indexes: no position in a covered box needs a test, and
  /// a disjoint box has no position in the area.
  ///
  /// The answer may be `unknown` where `covers` or `disjoint` would be true; never the reverse.
  func relation(to box: BoundingBox) -> AreaRelation

  /// Boxes that together contain the area.
  var boundingBoxes: [BoundingBox] { get }
}

/// The relation of an area to a box.
public enum AreaRelation: Hashable, Sendable {
  /// No position of the box lies in the area.
  case disjoint
  /// Every position of the box lies in the area.
  case covers
  /// Undecided: test each position.
  case unknown

  /// The relation of a union of areas to a box, from the relation of each area.
  static func union(_ relations: some Sequence<AreaRelation>) -> AreaRelation {
    var union = AreaRelation.disjoint
    for relation in relations {
      switch relation {
      case .covers: return .covers
      case .unknown: union = .unknown
      case .disjoint: continue
      }
    }
    return union
  }
}

extension BoundingBox: Area {
  /// The relation of this box to another; `covers` and `disjoint` are certain.
  public func relation(to box: BoundingBox) -> AreaRelation {
    if contains(box) { return .covers }
    return overlaps(box) ? .unknown : .disjoint
  }

  /// The box itself.
  public var boundingBoxes: [BoundingBox] { [self] }

  /// Whether the two boxes intersect, edges included.
  private func overlaps(_ other: BoundingBox) -> Bool {
    guard south <= other.north, other.south <= north else { return false }
    let mine = longitudeSpans, theirs = other.longitudeSpans
    return [mine.first, mine.second].contains { span in
      guard let span else { return false }
      return span.overlaps(theirs.first) || theirs.second.map(span.overlaps) == true
    }
  }
}
