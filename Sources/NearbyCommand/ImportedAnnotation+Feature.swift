import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

extension ImportedAnnotation {
  /// The annotation as a GeoJSON feature, its id as the source wrote it.
  func feature(
    keeping fields: [String]?, distance: Distance? = nil, bearing: Double? = nil
  ) -> Feature {
    var kept = BasicAnnotation(copying: self)
    kept.properties = kept.properties.keeping(fields)
    var feature = Feature(kept, id: featureID, distance: distance, bearing: bearing)
    if let distance {
      feature.properties?["distance"] = .number(ResultNumber.meters(distance))
      feature.properties?["bearing"] = bearing.map { .number(ResultNumber.bearing($0)) } ?? .null
    }
    return feature
  }

  /// The annotation as its GeoJSON source has it, shape and foreign members included, or as the
  /// feature that stands for a row; not made up for a map, so that nothing is added to the data.
  ///
  /// An id is written where the source has none only if it would be another one when read again: a
  /// record number does not stay when records before it are left out.
  ///
  /// - Parameter record: The number it will be read again under, from 1.
  func wholeFeature(keeping fields: [String]?, asRecord record: Int) -> Feature {
    guard var feature else {
      var kept = BasicAnnotation(copying: self)
      kept.properties = kept.properties.keeping(fields)
      return Feature(kept, isStyled: false)
    }
    feature.properties = feature.properties?.keeping(fields)
    let property = feature.properties?.entries.first { $0.name.lowercased() == "id" }?.value.text
    let readAgain = feature.id?.text ?? property ?? String(record)
    if readAgain != id.text { feature.id = .string(id.text) }
    return feature
  }
}

extension ImportedAnnotations {
  /// The sources' own columns, in the order in which they first appear.
  ///
  /// - Complexity: O(1) for tables; GeoJSON names its columns feature by feature, so all are read.
  var allColumns: [String] {
    var names = columns
    var seen = Set(names.map(ExactText.init))
    // Every row of a table has all of its columns; without a header, which numbers them, a later
    // row may have more.
    let isTable =
      !columns.isEmpty && sources.count == 1 && !columns.allSatisfy { Int($0) != nil }
    for annotation in prefix(isTable ? 1 : count) {
      for entry in annotation.properties.withDistinctNames.entries
      where seen.insert(ExactText(entry.name)).inserted {
        names.append(entry.name)
      }
    }
    return names
  }
}

extension Properties {
  /// Only the entries of some names; all of them for nil.
  func keeping(_ names: [String]?) -> Properties {
    guard let names else { return self }
    return Properties(entries.filter { names.contains($0.name) })
  }
}
