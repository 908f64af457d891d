import Geodesy
import NearbySearch
import SpatialIndexing
import TextMaps

/// What a search did, in sentences for `--explain`.
enum Explanation {
  static func sentences(
    _ statistics: SearchStatistics, of count: Int, in kind: PositionIndexKind = .tree
  ) -> [String] {
    let leaves =
      kind == .tree
      ? number(statistics.leavesRead, "leaf", "leaves")
      : number(statistics.leavesRead, "run") + " of the sorted list of geohashes"
    return [
      """
      explain: of \(number(count, "position")), \(grouped(statistics.candidates)) came near enough \
      to be candidates, in \(leaves); \
      \(number(statistics.nodeGroupsTested, "group")) of nodes tested
      """,
      """
      explain: \(number(statistics.geodesics, "geodesic")) computed; the filter was asked \
      \(number(statistics.predicateCalls, "time")) and refused \
      \(grouped(statistics.predicateRejections))
      """,
    ]
  }

  private static func number(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
  }

  /// How the query was planned.
  static func say(_ plan: QueryPlan?) {
    guard let plan else { return }
    Console.remark("explain: plan: \(TerminalText.sanitized("\(plan)"))")
  }

  static func say(
    _ statistics: SearchStatistics, of count: Int, in kind: PositionIndexKind = .tree
  ) {
    for sentence in sentences(statistics, of: count, in: kind) { Console.remark(sentence) }
  }
}
