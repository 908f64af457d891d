import Geodesy

/// Positions for drawing the pins at one position so that each can be seen and tapped; their
/// coordinates do not change.
///
/// Up to eight are on a circle, the first in the north, the others clockwise. More are on an
/// Archimedean spiral from the inside out, each one spacing along the curve from the previous one
/// and one spacing from the inner turn, so that fifty take an area nine spacings wide.
///
///     let pins = FanOut(count: 5, spacing: 40)
///     draw(pin, at: point + pins[2])
public struct FanOut: Hashable, Sendable {
  /// The number of pins.
  public let count: Int
  /// The minimum distance of two neighbors in pixels.
  public let spacing: Double

  /// Spreads pins.
  ///
  /// - Precondition: `count >= 0`, `spacing > 0`.
  public init(count: Int, spacing: Double = 40) {
    precondition(count >= 0 && spacing > 0, "\(count) pins, \(spacing) pixels apart")
    self.count = count
    self.spacing = spacing
  }

  /// The offset of a pin from its position.
  public struct Offset: Hashable, Sendable {
    /// Pixels to the right.
    public let x: Double
    /// Pixels downward.
    public let y: Double
  }

  private static var mostOnCircle: Int { 8 }

  /// The offset of a pin; a single pin has none.
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
    // r = s θ / 2π has turns one spacing apart, and an arc of about s θ² / 4π: choose the angle at
    // which the arc has the length for all earlier pins, starting one turn out.
    let angle = (4 * .pi * (Double(slot) + .pi)).squareRoot()
    return offset(angle: angle, radius: spacing * angle / (2 * .pi))
  }

  /// - Parameter angle: Clockwise from the north.
  private func offset(angle: Double, radius: Double) -> Offset {
    Offset(x: radius * sine(angle), y: -radius * cosine(angle))
  }
}
