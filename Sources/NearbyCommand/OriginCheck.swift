import Geodesy

/// Whether a position to ask from can be meant.
struct OriginCheck {
  var allowsNullIsland = false
  var region: Region?

  /// Refuses the position of devices without a fix, and remarks on one outside the region.
  func check(_ origin: Coordinate) throws(CommandError) {
    let place = "\(plainDecimal(origin.latitude)),\(plainDecimal(origin.longitude))"
    if abs(origin.latitude) < 0.0005, abs(origin.longitude) < 0.0005 {
      let sentence = "\(place) is what devices send when they have no fix"
      guard allowsNullIsland else {
        throw CommandError(
          "null-island", sentence + "; if you mean it, say --allow-null-island", status: .usage)
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
}
