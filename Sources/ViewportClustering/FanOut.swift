import Geodesy

/// Where to draw the pins at one spot so that each can be seen and tapped: for display only, as
/// their coordinates do not change.
///
/// Up to eight are on a circle, the first in the north, the others clockwise. More are on an
/// Archimedean spiral from the inside out, each one spacing along the curve from the one before and
/// one spacing from the turn inside, so that fifty take a patch nine spacings wide.
///
///     let pins = FanOut(count: 5, spacing: 40)
///     draw(pin, at: point + pins[2])
public struct FanOut: Hashable, Sendable {
  /// How many are at the spot.
  public let count: Int
  /// The least distance of two neighbors in pixels.
  public let spacing: Double

  /// Spreads pins.
  ///
  /// - Precondition: `count >= 0`, `spacing > 0`.
  public init(count: Int, spacing: Double = 40) {
    precondition(count >= 0 && spacing > 0, "\(count) pins, \(spacing) pixels apart")
    self.count = count
    self.spacing = spacing
  }

  /// By how much a pin is drawn off its spot.
  public struct Offset: Hashable, Sendable {
    /// Pixels to the right.
    public let x: Double
    /// Pixels downward.
    public let y: Double
  }

  private static var mostOnCircle: Int { 8 }

  /// The offset of a pin; one that is alone stays on its spot.
  ///
  /// - Precondition: `slot` in 0..<`count`.
  public subscript(slot: Int) -> Offset {
    precondition((0..<count).contains(slot), "slot \(slot) of \(count)")
    guard count > 1 else { return Offset(x: 0, y: 0) }
    if count <= FanOut.mostOnCircle {
      // The chord between two neighbors is one spacing.
      let radius = spacing / (2 * sine(.pi / Double(count)))
      return offset(angle: 2 * .pi * Double(slot) / Double(count), radius: radius)
    }
    // r = s θ / 2π has turns one spacing apart, and an arc of about s θ² / 4π: the angle at which the
    // arc is as long as the pins before, from one turn out.
    let angle = (4 * .pi * (Double(slot) + .pi)).squareRoot()
    return offset(angle: angle, radius: spacing * angle / (2 * .pi))
  }

  /// - Parameter angle: Clockwise from the north.
  private func offset(angle: Double, radius: Double) -> Offset {
    Offset(x: radius * sine(angle), y: -radius * cosine(angle))
  }
}
