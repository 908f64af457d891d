/// The minimum of a function that falls and then rises, and where it is.
///
/// By golden-section search: 40 steps narrow the range to 4·10⁻⁹ of itself. For a range of one degree that is less than
/// a millimeter on the ground, and far less in distance, which is flat at its minimum. The ends are not evaluated.
///
/// - Complexity: 42 calls of the function.
///
/// Source: J. Kiefer, "Sequential Minimax Search for a Maximum", Proceedings of the AMS 4, 1953, doi:10.2307/2032161.
package func leastPlace(
  in range: ClosedRange<Double>, of function: (Double) -> Double
) -> (place: Double, value: Double) {
  let ratio = (5.0.squareRoot() - 1) / 2
  var low = range.lowerBound, high = range.upperBound
  var left = high - ratio * (high - low), right = low + ratio * (high - low)
  var atLeft = function(left), atRight = function(right)
  for _ in 0..<40 {
    if atLeft < atRight {
      (high, right, atRight) = (right, left, atLeft)
      left = high - ratio * (high - low)
      atLeft = function(left)
    } else {
      (low, left, atLeft) = (left, right, atRight)
      right = low + ratio * (high - low)
      atRight = function(right)
    }
  }
  return atLeft < atRight ? (left, atLeft) : (right, atRight)
}
