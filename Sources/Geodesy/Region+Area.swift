/// A part of the Earth's surface that knows which positions lie in it: a box, a polygon, a region.
public protocol Area: Sendable {
  /// Whether a position lies in the area or on its border.
  func contains(_ position: Coordinate) -> Bool

  /// How the area lies to a box, for indexes: what `covers` a box needs no test of the positions in
  /// it, and what is `disjoint` from it has none of them.
  ///
  /// May answer `unknown` where the truth is one of the others; never the reverse.
  func relation(to box: BoundingBox) -> AreaRelation

  /// Boxes that together hold the area.
  var boundingBoxes: [BoundingBox] { get }
}

/// How an area lies to a box.
public enum AreaRelation: Hashable, Sendable {
  /// No position of the box lies in the area.
  case disjoint
  /// Every position of the box lies in the area.
  case covers
  /// Neither is certain: look at the positions.
  case unknown

  /// How the union of areas lies to a box, from how each of them does.
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
  /// How this box lies to another; `covers` and `disjoint` are certain.
  public func relation(to box: BoundingBox) -> AreaRelation {
    if contains(box) { return .covers }
    return overlaps(box) ? .unknown : .disjoint
  }

  /// The box itself.
  public var boundingBoxes: [BoundingBox] { [self] }

  /// Whether the two boxes have a position in common, edges included.
  private func overlaps(_ other: BoundingBox) -> Bool {
    guard south <= other.north, other.south <= north else { return false }
    let mine = longitudeSpans, theirs = other.longitudeSpans
    return [mine.first, mine.second].contains { span in
      guard let span else { return false }
      return span.overlaps(theirs.first) || theirs.second.map(span.overlaps) == true
    }
  }
}
