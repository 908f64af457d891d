/// A named area of validity: where positions are expected, so that others can be called mistakes.
///
///     let korea = Region.southKorea
///     korea.contains(cityHall)       // true
///     korea.distance(to: paris)      // 8,830 km
///
/// It is made of boxes, of polygons or of both; edges belong to it.
public struct Region: Hashable, Sendable {
  /// What messages call it.
  public let name: String
  /// The boxes it is made of.
  public let boxes: [BoundingBox]
  /// The polygons it is made of.
  public let polygons: [Polygon]

  /// - Parameters:
  ///   - name: What messages call the region.
  ///   - boxes: They may overlap.
  ///   - polygons: They may overlap, each other and the boxes.
  public init(name: String, boxes: [BoundingBox] = [], polygons: [Polygon] = []) {
    self.name = name
    self.boxes = boxes
    self.polygons = polygons
  }
}

extension Region: Area {
  /// Whether a position lies in the region or on its border; a region of nothing holds nothing.
  public func contains(_ position: Coordinate) -> Bool {
    boxes.contains { $0.contains(position) } || polygons.contains { $0.contains(position) }
  }

  /// How the region lies to a box; `covers` and `disjoint` are certain.
  public func relation(to box: BoundingBox) -> AreaRelation {
    let relations = [
      AreaRelation.union(boxes.lazy.map { $0.relation(to: box) }),
      AreaRelation.union(polygons.lazy.map { $0.relation(to: box) }),
    ]
    return AreaRelation.union(relations)
  }

  /// The boxes it is made of, and those of its polygons.
  public var boundingBoxes: [BoundingBox] { boxes + polygons.map(\.boundingBox) }
}
