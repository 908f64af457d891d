import Geodesy

/// The outcome of a source's records.
///
/// Every record is placed, unplaced or rejected, so `records` is the sum of the three. A rejected
/// record counts only under its first problem. Warnings concern kept records, and one record may
/// have several.
public struct ImportReport: Hashable, Sendable {
  /// The number of records in the source, without headers and blank lines.
  public internal(set) var records = 0
  /// The number of records with a position.
  public internal(set) var placed = 0
  /// The number of kept records without a position.
  public internal(set) var unplaced = 0
  /// The number of rejected records, by code.
  public internal(set) var rejected: [String: Int] = [:]
  /// The number of warnings about kept records, by code.
  public internal(set) var warnings: [String: Int] = [:]
  /// The first message for each code in `rejected` and `warnings`.
  public internal(set) var examples: [String: String] = [:]
  /// The importer's own decisions, in sentences, such as a guessed delimiter.
  public internal(set) var remarks: [String] = []

  /// Makes the report of a source without records.
  public init() {}

  /// The number of rejected records.
  public var rejectedCount: Int { rejected.values.reduce(0, +) }

  /// The codes of rejected records, most frequent first, equal ones by name.
  public var rankedReasons: [(code: String, count: Int)] { ImportReport.ranked(rejected) }

  /// The codes of warnings, most frequent first, equal ones by name.
  public var rankedWarnings: [(code: String, count: Int)] { ImportReport.ranked(warnings) }

  /// Joins the reports of several sources.
  public init(joining reports: some Sequence<ImportReport>) {
    for report in reports {
      records += report.records
      placed += report.placed
      unplaced += report.unplaced
      rejected.merge(report.rejected, uniquingKeysWith: +)
      warnings.merge(report.warnings, uniquingKeysWith: +)
      examples.merge(report.examples) { first, _ in first }
      remarks += report.remarks
    }
  }

  mutating func countRejected(_ code: String, example: @autoclosure () -> String) {
    rejected[code, default: 0] += 1
    if examples[code] == nil { examples[code] = example() }
  }

  mutating func countUnplaced(example: @autoclosure () -> String) {
    unplaced += 1
    if unplaced == 1 { examples[RowProblem.noCoordinate.code] = example() }
  }

  package mutating func countWarning(
    _ code: String, times: Int = 1, example: @autoclosure () -> String
  ) {
    warnings[code, default: 0] += times
    if examples[code] == nil { examples[code] = example() }
  }

  private static func ranked(_ counts: [String: Int]) -> [(code: String, count: Int)] {
    counts.map { (code: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// A summary such as `1,204 of 1,500 rows rejected: 1,190 lat-lon-swapped, 14 row-fields`.
  package var rejectionSummary: String {
    let reasons = rankedReasons.map { "\(grouped($0.count)) \($0.code)" }.joined(separator: ", ")
    let rows = records == 1 ? "row" : "rows"
    return "\(grouped(rejectedCount)) of \(grouped(records)) \(rows) rejected: \(reasons)"
  }
}
