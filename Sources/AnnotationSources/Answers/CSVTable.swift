import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Annotations as CSV: id, name, kind and position, hours where options chose them, then the source's own columns.
package struct CSVTable {
  private static let answers = ["distance", "bearing"]
  private static let hours = "opening_hours"

  /// What the first columns are called, which do not depend on the source.
  private let fixed: [String]
  private let hasDistances: Bool
  /// Whether the hours have a column of their own, because no column with a known name says them.
  private let hasHours: Bool
  /// What the source's own columns are called here.
  private let columns: [String]
  /// Where each of them stands among them, by its name in the source.
  private let places: [ExactText: Int]

  /// - Parameters:
  ///   - columns: The source's own, in their order. Of those that repeat one another only one is
  ///     there, because a file that is read again must not have two of a name; one that is called as
  ///     a fixed column is left out where it says the same, and otherwise gets a number after it.
  ///   - annotations: What will be written.
  ///   - ways: How far each is and in which direction; nil where these are not columns.
  package init(
    columns: some Sequence<String>, of annotations: some Sequence<ImportedAnnotation>,
    ways: [(distance: Distance?, bearing: Double?)]? = nil, roles: Set<String> = []
  ) {
    hasDistances = ways != nil
    // An answer has its fixed columns; what is converted is read again.
    hasHours = !hasDistances && annotations.contains { !$0.hasKnownHours }
    let columns = columns.withoutRepeats
    let fixed =
      KnownProperties.firstColumns + (hasDistances ? CSVTable.answers : [])
      + (hasHours ? [CSVTable.hours] : [])
    self.fixed = fixed
    let doubtful = fixed.filter { columns.contains($0) && !roles.contains($0) }
    // Without rows to compare, what the source says of distances differs, as it nearly always does.
    let differing =
      annotations.contains { _ in true }
      ? CSVTable.differing(doubtful, in: annotations, ways)
      : Set(doubtful).intersection(CSVTable.answers)
    let kept = columns.filter { !fixed.contains($0) || differing.contains($0) }
    places = Dictionary(uniqueKeysWithValues: zip(kept.map(ExactText.init), kept.indices))
    self.columns = kept.map { column in
      fixed.contains(column) ? column.firstFree { !kept.contains($0) } : column
    }
  }

  /// Which of some columns say something else anywhere than the fixed column of that name.
  private static func differing(
    _ columns: [String], in annotations: some Sequence<ImportedAnnotation>,
    _ ways: [(distance: Distance?, bearing: Double?)]?
  ) -> Set<String> {
    var same = columns
    for (place, annotation) in annotations.enumerated() {
      if same.isEmpty { break }
      same.removeAll { column in
        guard let cell = annotation.property(column)?.cellText, !cell.isEmpty else { return false }
        switch column {
        case "id": return cell != annotation.id.text
        case "name": return cell != annotation.name && !NullText.isNull(cell)
        case "kind": return cell != annotation.kind?.rawValue && !NullText.isNull(cell)
        case hours: return cell != annotation.openingHours && !NullText.isNull(cell)
        case "distance": return differs(cell, from: ways?[place].distance.map(ResultNumber.meters))
        case "bearing": return differs(cell, from: ways?[place].bearing.map(ResultNumber.bearing))
        default:
          let coordinate = annotation.coordinate
          let degrees = column == "latitude" ? coordinate?.latitude : coordinate?.longitude
          return Double(cell) != degrees
        }
      }
    }
    return Set(columns).subtracting(same)
  }

  /// Whether a cell says something else than a number of the answer, or anything where there is none.
  private static func differs(_ cell: String, from answer: String?) -> Bool {
    !NullText.isNull(cell) && (answer.map { Double($0) != Double(cell) } ?? true)
  }

  package var header: [UInt8] { CSVText.line(fixed + columns) }

  /// - Parameter annotation: All that its source says of it (`ImportedAnnotation.whole`).
  package func append(
    _ annotation: BasicAnnotation, distance: Distance? = nil, bearing: Double? = nil,
    to bytes: inout [UInt8]
  ) {
    let coordinate = annotation.coordinate
    var cells = [
      annotation.id.text, annotation.name ?? "", annotation.kind?.rawValue ?? "",
      coordinate.map { plainDecimal($0.latitude) } ?? "",
      coordinate.map { plainDecimal($0.longitude) } ?? "",
    ]
    if hasDistances {
      cells.append(distance.map(ResultNumber.meters) ?? "")
      cells.append(bearing.map(ResultNumber.bearing) ?? "")
    }
    if hasHours { cells.append(annotation.openingHours ?? "") }
    let start = cells.count
    cells += repeatElement("", count: columns.count)
    // Of a name that repeats, the later ones have a number after it.
    for entry in annotation.properties.withDistinctNames.entries {
      if let place = places[ExactText(entry.name)] {
        cells[start + place] = entry.value.cellText ?? ""
      }
    }
    CSVText.append(cells, to: &bytes)
  }
}

/// CSV as RFC 4180 has it, with line feeds: cells with a comma, a quote or a line end are quoted.
package enum CSVText {
  package static func append(_ cells: [String], to bytes: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(cell: cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  package static func line(_ cells: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(cells, to: &bytes)
    return bytes
  }

  package static func append(cell: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: cell.utf8)
    bytes.quoteCell(from: start)
  }
}
