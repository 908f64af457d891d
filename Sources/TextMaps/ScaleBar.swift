/// A round length and the exact number of columns it fills.
struct ScaleBar: Hashable, Sendable {
  /// The length, 1, 2 or 5 times a power of ten.
  let meters: Double
  /// Columns from the middle of one end to the middle of the other.
  let columns: Int

  /// The meters in a column.
  var metersPerColumn: Double { meters / Double(columns) }

  /// The longest round length within a third of a map.
  ///
  /// It fills whole columns; for that the map becomes coarser by at most one part in the bar's
  /// columns.
  init(metersPerColumn least: Double, columns mapColumns: Int) {
    // No distance exceeds half the Earth's circumference.
    let room = min(max(Double(mapColumns) / 3, 2) * least, 20_000_000)
    var decade = 1.0
    while decade * 10 <= room { decade *= 10 }
    let leading = [5.0, 2.0].first { $0 * decade <= room } ?? 1
    meters = leading * decade
    columns = max(1, Int(meters / least))
  }

  /// The length as text: `500 m`, `2 km`.
  var label: String {
    meters < 1_000 ? "\(Int(meters)) m" : "\(Int(meters / 1_000)) km"
  }
}
