/// An error in rings that should form a polygon.
public enum PolygonError: CodedError, Hashable {
  /// A ring has fewer than three different vertices; ring 0 is the outer one.
  case tooFewVertices(distinct: Int, ring: Int)
  /// A ring goes round a pole and does not close in longitude; ring 0 is the outer one.
  case windsRoundPole(ring: Int)

  /// The code of the error, for programs.
  public var code: String {
    switch self {
    case .tooFewVertices: "polygon-vertices"
    case .windsRoundPole: "polygon-pole"
    }
  }

  /// One sentence that names the value and says what to do.
  public var description: String {
    switch self {
    case .tooFewVertices(let distinct, let ring):
      """
      \(PolygonError.name(ofRing: ring)) has \(distinct) different \
      \(distinct == 1 ? "vertex" : "vertices"); give at least 3
      """
    case .windsRoundPole(let ring):
      """
      \(PolygonError.name(ofRing: ring)) goes round a pole; cut it at ±180 and take it along the \
      meridian to the pole and back
      """
    }
  }

  static func name(ofRing ring: Int) -> String {
    ring == 0 ? "the polygon's outer ring" : "the polygon's hole \(ring)"
  }
}
