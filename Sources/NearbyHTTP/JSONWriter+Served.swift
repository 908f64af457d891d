import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations

extension JSONWriter {
  /// Writes the feature of an annotation.
  mutating func served(_ annotation: ImportedAnnotation) { served([annotation]) }

  /// Writes the features of annotations.
  mutating func served(_ annotations: [ImportedAnnotation]) {
    annotations.forEachWithRow { annotation, row in
      served(annotation, row, distance: nil, bearing: nil, others: Properties())
    }
  }

  /// Writes two members: the features that clients insert or replace by id, and the ids that they remove.
  mutating func changes(upsert: [ImportedAnnotation], remove: [AnnotationID]) {
    name("upsert")
    beginArray()
    served(upsert)
    endArray()
    member("remove", .array(remove.map { .string($0.text) }))
  }

  /// Writes the feature of an annotation; a table row is written straight from its cells, which takes a fifth of the
  /// time and gives the same result.
  mutating func served(
    _ annotation: ImportedAnnotation, _ row: TextRow?, distance: Distance?, bearing: Double?,
    others: Properties
  ) {
    if let row, served(row, at: annotation.coordinate, distance, bearing, others) { return }
    var feature = annotation.servedFeature(distance: distance, bearing: bearing)
    for entry in others.entries { feature.properties?[entry.name] = entry.value }
    self.feature(feature)
  }

  /// Writes the feature of a row; false, and nothing written, where a column has the name of an added member.
  private mutating func served(
    _ row: TextRow, at coordinate: Coordinate?, _ distance: Distance?, _ bearing: Double?,
    _ others: Properties
  ) -> Bool {
    let columns = row.columns
    let isClashing =
      distance != nil && columns.hasWay
      || !others.isEmpty && others.entries.contains { columns.names.contains($0.name) }
    guard !isClashing else { return false }
    beginObject()
    name(written: "\"type\":\"Feature\",\"id\":")
    if let id = columns.id { string(utf8: row.cells[id]) } else { string(String(row.number)) }
    name(written: "\"geometry\":")
    if let coordinate { point(coordinate) } else { null() }
    name(written: "\"properties\":")
    beginObject()
    columns.forEachMember { column, written in
      if let written {
        name(written: written)
      } else if let name = columns.names[column] {
        self.name(name)
      }
      string(utf8: row.cells[column])
    }
    if let column = columns.name, !columns.hasName, !row.isNull(column) {
      name("name")
      string(utf8: row.cells[column])
    }
    if !columns.hasKind {
      if let column = columns.kind, !row.isNull(column) {
        name("kind")
        string(utf8: row.cells[column])
      } else if let kind = columns.defaultKind {
        member("kind", .string(kind.rawValue))
      }
    }
    if let distance {
      name(written: "\"distance\":")
      number(distance.meters, decimals: ResultNumber.decimals)
      name(written: "\"bearing\":")
      if let bearing {
        number(ResultNumber.shown(bearing: bearing), decimals: ResultNumber.decimals)
      } else {
        null()
      }
    }
    for entry in others.entries { member(entry.name, entry.value) }
    endObject()
    endObject()
    return true
  }
}
