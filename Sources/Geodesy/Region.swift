/// A named area where positions are expected, so that positions outside can be reported as mistakes.
///
///     let korea = Region.southKorea
///     korea.contains(cityHall)       // true
///     korea.distance(to: paris)      // 8,830 km
///
/// It consists of boxes, polygons or both; edges are included.
public struct Region: Hashable, Sendable {
  /// The name used in messages.
  public let name: String
  /// The boxes of the region.
  public let boxes: [BoundingBox]
  /// The polygons of the region.
  public let polygons: [Polygon]

  /// - Parameters:
  ///   - name: The name used in messages.
  ///   - boxes: May overlap.
  ///   - polygons: May overlap each other and the boxes.
  public init(name: String, boxes: [BoundingBox] = [], polygons: [Polygon] = []) {
    self.name = name
    self.boxes = boxes
    self.polygons = polygons
  }
}

extension Region: Area {
  /// Whether a position lies in the region or on its border; an empty region contains nothing.
  public func contains(_ position: Coordinate) -> Bool {
    boxes.contains { $0.contains(position) } || polygons.contains { $0.contains(position) }
  }

  /// The relation of the region to a box; `covers` and `disjoint` are certain.
  public func relation(to box: BoundingBox) -> AreaRelation {
    let relations = [
      AreaRelation.union(boxes.lazy.map { $0.relation(to: box) }),
      AreaRelation.union(polygons.lazy.map { $0.relation(to: box) }),
    ]
    return AreaRelation.union(relations)
  }

  /// The boxes of the region and the bounding boxes of its polygons.
  public var boundingBoxes: [BoundingBox] { boxes + polygons.map(\.boundingBox) }
}
