import Geodesy
import NearbySearch
import SpatialIndexing
import TextMaps

/// What a search did, in sentences for `--explain`.
enum Explanation {
  /// What the index read, and what it computed.
  static func say(_ statistics: SearchStatistics, of count: Int, in kind: PositionIndexKind) {
    let leaves =
      kind == .tree
      ? grouped(statistics.leavesRead, "leaf", "leaves")
      : grouped(statistics.leavesRead, "run") + " of the sorted list of geohashes"
    Console.remark(
      """
      explain: of \(grouped(count, "position")), \(grouped(statistics.candidates)) came near enough \
      to be candidates, in \(leaves); \
      \(grouped(statistics.nodeGroupsTested, "group")) of nodes tested
      """)
    Console.remark(
      """
      explain: \(grouped(statistics.geodesics, "geodesic")) computed; the filter was called \
      \(grouped(statistics.predicateCalls, "time")) and refused \
      \(grouped(statistics.predicateRejections))
      """)
  }

  /// How the query was planned.
  static func say(_ plan: QueryPlan?) {
    guard let plan else { return }
    Console.remark("explain: plan: \(TerminalText.sanitized("\(plan)"))")
  }
}
