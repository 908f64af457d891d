/// A round length and the columns it fills, exactly.
struct ScaleBar: Hashable, Sendable {
  /// The length, 1, 2 or 5 times a power of ten.
  let meters: Double
  /// Columns from the middle of one end to the middle of the other.
  let columns: Int

  /// What a column is worth.
  var metersPerColumn: Double { meters / Double(columns) }

  /// The longest round length within a third of a map.
  ///
  /// It is to fill whole columns, for which the map grows coarser by a share of one over the
  /// bar's columns at most.
  init(metersPerColumn least: Double, columns mapColumns: Int) {
    // Half round the Earth is as far as anything is.
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
