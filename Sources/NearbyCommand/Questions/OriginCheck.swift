import AnnotationImport
import AnnotationSources
import Geodesy
import NearbySearch

/// Whether a position to ask from can be meant.
struct OriginCheck {
  var allowsNullIsland = false
  var region: Region?

  /// Refuses the position of devices without a fix, and remarks on one outside the region.
  func check(_ origin: Coordinate) throws(ReportedError) {
    let place = OriginCheck.text(origin)
    if origin.isNullIsland {
      let sentence = "\(place) is what devices send when they have no fix"
      guard allowsNullIsland else {
        throw ReportedError(
          "null-island", sentence + "; if you mean it, say --allow-null-island", fault: .usage)
      }
      Console.remark("warning: null-island: \(sentence)")
    }
    guard let region, !region.contains(origin) else { return }
    Console.remark(
      """
      warning: outside-region: \(place) is \(roughLength(region.distance(to: origin))) \
      outside \(region.name)
      """)
  }

  /// Says that latitude and longitude may be exchanged, where the position is legal but far from everything,
  /// and with the two exchanged would lie among the data.
  ///
  /// - Parameter nearest: The distance of the nearest result, which asks nothing more where it is near; nil
  ///   where there is none.
  /// - Complexity: O(1) where something is near; otherwise O(*n*).
  static func remarkOnExchange(
    _ origin: Coordinate, in index: AnnotationIndex<ImportedAnnotations>, nearest: Distance?
  ) {
    if let nearest, nearest < far { return }
    guard
      let exchanged = try? Coordinate(latitude: origin.longitude, longitude: origin.latitude),
      exchanged != origin, let distance = index.nearest(1, to: origin).first?.distance,
      distance >= far,
      let extent = BoundingBox(around: index.annotations.lazy.compactMap(\.coordinate)),
      extent.contains(exchanged), !extent.contains(origin)
    else { return }
    Console.remark(
      """
      warning: lat-lon-swapped: nothing lies within \(roughLength(distance)) of \
      \(OriginCheck.text(origin)), but --lat \(plainDecimal(exchanged.latitude)) \
      --lon \(plainDecimal(exchanged.longitude)) is among the data
      """)
  }

  private static func text(_ position: Coordinate) -> String {
    "\(plainDecimal(position.latitude)),\(plainDecimal(position.longitude))"
  }

  /// What is nearer than this is no sign of a slip.
  private static let far = Distance.kilometers(300)
}
