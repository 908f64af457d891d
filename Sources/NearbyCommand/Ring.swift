import Geodesy

/// The distances between which results lie.
struct Ring {
  var outer = Distance.infinity
  var inner: Distance?
  /// `--within` as it was given without a unit: meters, which not everybody expects.
  private var bareWithin: String?

  init() {}

  /// Reads `--within` and `--beyond`; the second must leave room below the first.
  init(within: String?, beyond: String?) throws(CommandError) {
    if let within {
      outer = try parseDistance(within, option: "--within")
      let text = trimmed(ArgumentPreparation.restored(within))
      if text.last?.isLetter != true { bareWithin = text }
    }
    if let beyond { inner = try parseDistance(beyond, option: "--beyond") }
    if let inner, inner >= outer {
      throw CommandError(
        "empty-ring",
        "--beyond \(beyond ?? "") must be smaller than --within \(within ?? ""); exchange them",
        status: .usage)
    }
  }

  /// Says which unit a bare number has, where nothing lies so near.
  func remarkOnUnit() {
    guard let bareWithin else { return }
    Console.remark(
      "note: looked within \(bareWithin) m; write \(bareWithin)km for kilometers")
  }

  func contains(_ distance: Distance) -> Bool {
    distance <= outer && inner.map { distance > $0 } ?? true
  }
}
