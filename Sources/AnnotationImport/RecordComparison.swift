import Geodesy
import MapAnnotations

/// Compares the placed records of a source with each other, for positions that are valid but
/// unlikely; the results are warnings, since it is unknown which record is wrong.
///
/// - Complexity: O(*n*) expected, and the names and addresses of the records in memory.
struct RecordComparison {
  /// One warning: its code, its rows, and the message for the first of them.
  struct Finding {
    let code: String
    private(set) var rows = 0
    private(set) var row = Int.max
    private(set) var message = ""

    init(_ code: String) { self.code = code }

    /// Counts rows, and keeps the message of the first in the source.
    mutating func take(_ count: Int, _ row: Int, _ message: () -> String) {
      rows += count
      if row < self.row { (self.row, self.message) = (row, message()) }
    }
  }

  private let annotations: ImportedAnnotations
  /// The placed rows, in the order of the source.
  private let rows: [Int]
  private let positions: [Coordinate]
  private let progress: ComparisonProgress

  init(_ annotations: ImportedAnnotations, onProgress: ((Int, Int) -> Void)?) {
    self.annotations = annotations
    var positions: [Coordinate] = []
    positions.reserveCapacity(annotations.count)
    var rows: [Int] = []
    let nowhere = Coordinate(unchecked: 0, 0)
    for row in annotations.indices {
      let coordinate = annotations.coordinate(at: row)
      positions.append(coordinate ?? nowhere)
      if coordinate != nil { rows.append(row) }
    }
    self.positions = positions
    self.rows = rows
    progress = ComparisonProgress(rows: rows.count, tell: onProgress)
  }

  /// All findings, unordered.
  func findings() -> [Finding] {
    sharedPositions() + filledDown()
      + AddressComparison(rows: placed(), positions: positions, progress: progress).findings()
  }

  private func placed() -> [(row: Int, address: AddressText)] {
    rows.compactMap { row in
      progress.advance()
      return address(row).map { (row, $0) }
    }
  }

  private func address(_ row: Int) -> AddressText? {
    annotations[row].address.flatMap(AddressText.init)
  }

  // MARK: One position

  /// The same record twice, and one position for many addresses.
  private func sharedPositions() -> [Finding] {
    var duplicates = Finding("duplicate-record")
    var placeholders = Finding("placeholder-position")
    let keys = rows.map { row in
      progress.advance()
      // Zero has two bit patterns; adding 0 makes them equal.
      return EqualKeys.Key(
        (positions[row].latitude + 0).bitPattern, (positions[row].longitude + 0).bitPattern)
    }
    EqualKeys.forEachGroup(of: keys) { places in
      let group = places.map { rows[$0] }
      count(duplicatesIn: group, into: &duplicates)
      count(placeholdersIn: group, into: &placeholders)
    }
    return [duplicates, placeholders].filter { $0.rows > 0 }
  }

  private func count(duplicatesIn group: [Int], into finding: inout Finding) {
    var names: Set<String> = []
    for row in group {
      guard let name = annotations[row].name, !names.insert(name).inserted else { continue }
      finding.take(1, row) { "\(name) at \(positions[row]) was there before; both are kept" }
    }
  }

  /// Counts rows that share a position although they are in three streets or two districts.
  private func count(placeholdersIn group: [Int], into finding: inout Finding) {
    let addresses = group.compactMap(address)
    guard addresses.count > 1 else { return }
    let streets = [true, false].map { isRoad in
      Set(addresses.filter { $0.isRoad == isRoad }.map(\.street))
    }
    let districts = Set(addresses.compactMap(\.district))
    guard streets.contains(where: { $0.count >= 3 }) || districts.count >= 2 else { return }
    finding.take(group.count, group[0]) {
      "\(positions[group[0]]) is the position of \(grouped(group.count)) rows with "
        + "\(grouped(streets.map(\.count).reduce(0, +))) addresses; it stands for an unknown one"
    }
  }

  // MARK: Filled down

  /// Positions that share at least six decimals in both numbers but differ in whole degrees: the
  /// result of filling down a spreadsheet cell.
  private func filledDown() -> [Finding] {
    let perDegree = 100_000_000.0
    /// Whether a fraction has six significant decimals and is not a whole number of seconds: others
    /// coincide by chance among a million.
    func isPrecise(_ fraction: Int) -> Bool {
      let seconds = Double(fraction) * 3_600 / perDegree
      return fraction % 1_000 != 0 && abs(seconds - seconds.rounded()) > 0.003
    }
    func fraction(_ degrees: Double) -> Int {
      Int((abs(degrees) * perDegree).rounded()) % Int(perDegree)
    }
    let keys = rows.map { row in
      progress.advance()
      return EqualKeys.Key(
        UInt64(fraction(positions[row].latitude)), UInt64(fraction(positions[row].longitude)))
    }
    var finding = Finding("fill-down")
    EqualKeys.forEachGroup(of: keys) { places in
      let key = keys[places[0]]
      guard isPrecise(Int(key.first)), isPrecise(Int(key.second)) else { return }
      let group = places.map { rows[$0] }
      guard Set(group.map { positions[$0] }).count > 1 else { return }
      finding.take(group.count, group[0]) {
        "\(positions[group[0]]) and \(grouped(group.count - 1)) more differ by whole degrees, as "
          + "when a spreadsheet fills a column down; look the positions up"
      }
    }
    return finding.rows > 0 ? [finding] : []
  }
}

/// The progress of comparing the records of a source.
///
/// Comparing takes several passes over the rows; progress is the share of all passes, in rows.
final class ComparisonProgress {
  /// Two passes over positions, one that reads addresses and five that compare them.
  private static let passes = 8
  /// Rows are reported in steps of this many.
  private static let step = 1_024

  private let rows: Int
  private let tell: ((Int, Int) -> Void)?
  private var steps = 0

  /// - Parameter tell: Called with the number of rows done, a multiple of 1,024, and the total.
  init(rows: Int, tell: ((Int, Int) -> Void)?) {
    self.rows = rows
    self.tell = tell
  }

  /// Counts one row of one pass.
  func advance() {
    guard let tell else { return }
    steps += 1
    if steps % (Self.passes * Self.step) == 0 { tell(steps / Self.passes, rows) }
  }
}
