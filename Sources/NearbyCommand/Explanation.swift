import Geodesy
import SpatialIndexing

/// What a search did, in sentences for `--explain`.
enum Explanation {
  static func sentences(_ statistics: SearchStatistics, of count: Int) -> [String] {
    [
      """
      explain: of \(grouped(count)) positions, \(grouped(statistics.candidates)) came near enough \
      to be candidates, in \(grouped(statistics.leavesRead)) leaves; \
      \(grouped(statistics.nodeGroupsTested)) groups of nodes were tested
      """,
      """
      explain: \(grouped(statistics.geodesics)) geodesics were computed; the filter was asked \
      \(grouped(statistics.predicateCalls)) times and refused \
      \(grouped(statistics.predicateRejections))
      """,
    ]
  }

  static func say(_ statistics: SearchStatistics, of count: Int) {
    for sentence in sentences(statistics, of: count) { Console.remark(sentence) }
  }
}
