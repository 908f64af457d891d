import Geodesy

/// How the records of a source fared.
///
/// Every record is placed, unplaced or rejected, so `records` is the sum of the three. A rejected
/// record counts under the first thing found wrong with it; warnings concern records that were
/// kept, and one record may have several.
public struct ImportReport: Hashable, Sendable {
  /// How many records the source holds; headers and blank lines are none.
  public internal(set) var records = 0
  /// How many have a position.
  public internal(set) var placed = 0
  /// How many were kept without one.
  public internal(set) var unplaced = 0
  /// How many were left out, by code.
  public internal(set) var rejected: [String: Int] = [:]
  /// How many remarks on kept records there are, by code.
  public internal(set) var warnings: [String: Int] = [:]
  /// The first sentence for each code, of `rejected` and of `warnings`.
  public internal(set) var examples: [String: String] = [:]
  /// What the importer decided for itself, in sentences: a delimiter it guessed.
  public internal(set) var remarks: [String] = []

  /// The report of a source without records.
  public init() {}

  /// How many records were left out.
  public var rejectedCount: Int { rejected.values.reduce(0, +) }

  /// The codes of rejected records, the most frequent first, equal ones by name.
  public var rankedReasons: [(code: String, count: Int)] { ImportReport.ranked(rejected) }

  /// The codes of warnings, the most frequent first, equal ones by name.
  public var rankedWarnings: [(code: String, count: Int)] { ImportReport.ranked(warnings) }

  /// The report of several sources together.
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

  /// As `1,204 of 1,500 rows rejected: 1,190 lat-lon-swapped, 14 row-fields`.
  package var rejectionSummary: String {
    let reasons = rankedReasons.map { "\(grouped($0.count)) \($0.code)" }.joined(separator: ", ")
    let rows = records == 1 ? "row" : "rows"
    return "\(grouped(rejectedCount)) of \(grouped(records)) \(rows) rejected: \(reasons)"
  }
}
