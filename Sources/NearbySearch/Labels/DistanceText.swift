import Geodesy

/// A distance as apps write it beside a place: `203 m`, `1.1 km`, `12 km`.
///
///     DistanceText(.meters(203.4))?.description              // "203 m"
///     DistanceText(.meters(1_098), in: .korean)?.description  // "1.1km"
///
/// | length, in whole meters | text |
/// |---|---|
/// | 0…999 | meters: `999 m` |
/// | 1,000…9,999 | kilometers with one decimal: `1.0 km`, `10.0 km` |
/// | 10,000 and more | whole kilometers: `10 km`, `13152 km` |
///
/// Fractions of a meter are dropped first, so 999.99 m is `999 m`. Kilometers are then rounded like C's `printf`, which
/// the apps call: to the nearest, and ties to even as far as a binary number can be a tie. 10,500 m is `10 km`, 11,500
/// m is `12 km`. The decimal separator is a point in every language, and thousands are not separated.
///
/// Lists on a terminal use another text (`1.03 km`, in `TextMaps`): a column of their own has room for three digits,
/// more than a label under a name.
public struct DistanceText: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public let description: String

  /// The text of a distance.
  ///
  /// - Returns: nil for what is not a distance to a place: a negative or infinite length, or one of 10¹² m and more. A
  ///   list then omits the label rather than showing a number that nobody measured.
  public init?(_ distance: Distance, in language: LabelLanguage = .english) {
    self.init(meters: distance.meters, in: language)
  }

  /// The text of a length given as a bare number, as devices report it.
  ///
  /// - Parameters:
  ///   - meters: Any number, including NaN and the infinities.
  ///   - language: How it is written.
  /// - Returns: nil as above, and for NaN.
  public init?(meters: Double, in language: LabelLanguage = .english) {
    guard meters >= 0, meters < 1e12 else { return nil }
    let whole = Int(meters)
    let blank = language.blank
    switch whole {
    case ..<1_000: description = "\(whole)\(blank)m"
    case ..<10_000:
      let tenths = DistanceText.kilometers(whole, parts: 10)
      description = "\(tenths / 10).\(tenths % 10)\(blank)km"
    default: description = "\(DistanceText.kilometers(whole, parts: 1))\(blank)km"
    }
  }

  /// Whole meters as a count of kilometers or tenths of one, rounded as `printf` does.
  ///
  /// An app divides by 1,000 and prints. The quotient is often slightly off a tie (1.15 is really
  /// 1.149999999999999911), and the text follows the quotient.
  private static func kilometers(_ meters: Int, parts: Int) -> Int {
    let step = 1_000 / parts
    let (below, rest) = meters.quotientAndRemainder(dividingBy: step)
    guard 2 * rest == step else { return 2 * rest < step ? below : below + 1 }
    // Rounding quotient · 1,000 − meters only once preserves its sign.
    let error = (-Double(meters)).addingProduct(Double(meters) / 1_000, 1_000)
    if error != 0 { return error < 0 ? below : below + 1 }
    return below.isMultiple(of: 2) ? below : below + 1
  }
}
