import Geodesy

/// The distances between which results lie.
struct Ring {
  var outer = Distance.infinity
  var inner: Distance?

  init() {}

  /// Reads `--within` and `--beyond`; the second must leave room below the first.
  init(within: String?, beyond: String?) throws(CommandError) {
    if let within { outer = try parseDistance(within, option: "--within") }
    if let beyond { inner = try parseDistance(beyond, option: "--beyond") }
    if let inner, inner >= outer {
      throw CommandError(
        "empty-ring",
        "--beyond \(beyond ?? "") must be smaller than --within \(within ?? ""); exchange them",
        status: .usage)
    }
  }

  func contains(_ distance: Distance) -> Bool {
    distance <= outer && inner.map { distance > $0 } ?? true
  }
}
