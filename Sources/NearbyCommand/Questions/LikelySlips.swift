import AnnotationImport
import AnnotationSources
import Geodesy
import MapAnnotations
import NearbySearch

/// What is said on standard error of kinds that were asked for and no annotation is of: mostly
/// somebody mistyped one.
enum KindRemarks {
  /// Looks for the kinds among the results first, and through all annotations only for those that
  /// are not there.
  ///
  /// - Parameters:
  ///   - names: As `--kind` has them.
  ///   - known: Kinds of annotations that were not fetched.
  /// - Complexity: O(results), where each kind has one; O(*n*) for a kind that nothing is of.
  static func say(
    _ names: [String], shown: some Sequence<AnnotationKind?>,
    among annotations: some Sequence<ImportedAnnotation>, known: [AnnotationKind] = []
  ) {
    var missing = Set(names.map { AnnotationKind(rawValue: ArgumentPreparation.restored($0)) })
    missing.subtract(known)
    for case let kind? in shown {
      guard !missing.isEmpty else { break }
      missing.remove(kind)
    }
    guard !missing.isEmpty else { return }
    var kinds = Set(known)
    for annotation in annotations {
      guard let kind = annotation.kind, kinds.insert(kind).inserted else { continue }
      missing.remove(kind)
      if missing.isEmpty { return }
    }
    let names = kinds.map(\.rawValue).sorted()
    for name in missing.map(\.rawValue).sorted() {
      Console.remark(
        "warning: kind-unknown: no annotation is of kind \"\(name)\"; \(remedy(for: name, names))")
    }
  }

  /// The greatest number of kinds to list.
  private static var mostListed: Int { 8 }

  private static func remedy(for name: String, _ known: [String]) -> String {
    guard !known.isEmpty else { return "none has a kind" }
    let parts = name.split(separator: ",").map { trimmed($0) }
    if parts.count > 1, parts.contains(where: { known.contains($0) }) {
      return "repeat --kind for several"
    }
    let similar = SimilarNames.words(like: name, among: known)
    if !similar.isEmpty { return "did you mean \(similar.joined(separator: " or "))?" }
    let rest = known.count - mostListed
    return "known kinds: " + known.prefix(mostListed).joined(separator: ", ")
      + (rest > 0 ? " and \(grouped(rest)) more" : "")
  }
}

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
