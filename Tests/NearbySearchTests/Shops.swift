import Geodesy
import MapAnnotations
import NearbyTestSupport

/// Annotations made from a seed, and brute force over them.
struct Shops {
  var annotations: [BasicAnnotation]
  let origin: Coordinate

  /// `count` annotations at positions of a point set: ids repeat, sources are three, every ninth
  /// has no kind and every thirteenth no coordinate.
  init(_ count: Int, of pointSet: PointSet, kinds: Int, seed: UInt64) {
    let (points, origin) = pointSet.sample(count, seed: seed)
    self.origin = origin
    var generator = SeededGenerator(seed: seed)
    annotations = points.enumerated().map { number, point in
      let id = AnnotationID(Int.random(in: 0..<max(1, count / 2), using: &generator))
      let kind = Int.random(in: 0..<kinds, using: &generator)
      return BasicAnnotation(
        id: id, name: "shop \(number)",
        kind: number % 9 == 8 ? nil : AnnotationKind(rawValue: "kind \(kind)"),
        coordinate: number % 13 == 12 ? nil : point,
        origin: RecordOrigin(source: "source \(number % 3)", record: number + 1))
    }
  }

  /// The placed annotations by (distance, id, source, record).
  func ranked(
    from origin: Coordinate, where isIncluded: (BasicAnnotation) -> Bool = { _ in true }
  ) -> [BasicAnnotation] {
    annotations.filter { $0.coordinate != nil && isIncluded($0) }
      .map { (annotation: $0, distance: distance(of: $0, from: origin)) }
      .sorted {
        $0.distance != $1.distance
          ? $0.distance < $1.distance : comesFirst($0.annotation, $1.annotation)
      }
      .map(\.annotation)
  }

  /// The placed annotations by (id, source, record).
  var inTieOrder: [BasicAnnotation] {
    annotations.filter { $0.coordinate != nil }.sorted(by: comesFirst)
  }

  func distance(of annotation: BasicAnnotation, from origin: Coordinate) -> Distance {
    annotation.coordinate.map { origin.distance(to: $0) } ?? .infinity
  }

  private func comesFirst(_ left: BasicAnnotation, _ right: BasicAnnotation) -> Bool {
    if left.id != right.id { return left.id < right.id }
    guard let a = left.origin, let b = right.origin else { return false }
    return (a.source, a.record) < (b.source, b.record)
  }
}
