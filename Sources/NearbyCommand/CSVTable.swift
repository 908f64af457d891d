import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Annotations as CSV: id, name, kind and position, then the source's own columns.
struct CSVTable {
  struct Row {
    let annotation: ImportedAnnotation
    let distance: Distance?
    let bearing: Double?
    /// The source's own values; of a name that repeats, the later ones under names with a number.
    let properties: Properties

    init(_ annotation: ImportedAnnotation, distance: Distance? = nil, bearing: Double? = nil) {
      self.annotation = annotation
      self.distance = distance
      self.bearing = bearing
      properties = annotation.properties.withDistinctNames
    }
  }

  private let hasDistances: Bool
  /// The source's own columns, each once.
  private let columns: [String]
  /// Where each of them stands among them.
  private let places: [ExactText: Int]

  /// - Parameter columns: The source's own, in their order; those that repeat one another or a
  ///   fixed column are left out, because a file that is read again must not have two of a name.
  init(columns: some Sequence<String>, hasDistances: Bool) {
    self.hasDistances = hasDistances
    let fixed =
      ["id", "name", "kind", "latitude", "longitude"]
      + (hasDistances ? ["distance", "bearing"] : [])
    let columns = columns.withoutRepeats.filter { !fixed.contains($0) }
    self.columns = columns
    places = Dictionary(uniqueKeysWithValues: zip(columns.map(ExactText.init), columns.indices))
  }

  /// The first line.
  var header: [UInt8] {
    var bytes: [UInt8] = []
    CSVText.append(
      ["id", "name", "kind", "latitude", "longitude"]
        + (hasDistances ? ["distance", "bearing"] : []) + columns, to: &bytes)
    return bytes
  }

  func append(_ row: Row, to bytes: inout [UInt8]) {
    let coordinate = row.annotation.coordinate
    var cells = [
      row.annotation.id.text, row.annotation.name ?? "", row.annotation.kind?.rawValue ?? "",
      coordinate.map { plainDecimal($0.latitude) } ?? "",
      coordinate.map { plainDecimal($0.longitude) } ?? "",
    ]
    if hasDistances {
      cells.append(row.distance.map(ResultNumber.meters) ?? "")
      cells.append(row.bearing.map(ResultNumber.bearing) ?? "")
    }
    let start = cells.count
    cells += repeatElement("", count: columns.count)
    for entry in row.properties.entries {
      if let place = places[ExactText(entry.name)] {
        cells[start + place] = CSVTable.cell(entry.value)
      }
    }
    CSVText.append(cells, to: &bytes)
  }

  /// A value as a cell: plain text where it has one, JSON where it is nested, nothing for null.
  private static func cell(_ value: PropertyValue) -> String {
    switch value {
    case .null: return ""
    case .array, .object:
      var writer = JSONWriter()
      writer.value(value)
      return writer.text
    default: return value.text ?? ""
    }
  }
}
