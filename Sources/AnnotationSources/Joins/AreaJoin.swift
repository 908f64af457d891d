import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import SpatialIndexing

/// Finds the areas of RIGHT that hold left annotations.
///
/// On one core: two took five times as long, when asking an area still counted references. Not measured since
/// it counts none.
package struct AreaJoin: JoinAnswering {
  /// The offsets of the annotations that are areas, in the order of their ids, and these areas by the same numbers.
  package let offsets: [Int]
  package let index: AreaIndex
  /// Whether of several areas the smallest alone counts.
  package let isSmallest: Bool

  /// - Parameters:
  ///   - rights: Their polygons are the areas.
  ///   - kinds: Only areas of these kinds; nil for all.
  ///   - isStrict: Whether a polygon that cannot be one ends the program, and not only the area's part.
  ///   - file: Where they come from, for messages.
  ///   - remark: Takes what a person should know.
  /// - Throws: Where there is no area at all.
  package init(
    _ rights: ImportedAnnotations, kinds: Set<AnnotationKind>?, isSmallest: Bool,
    isStrict: Bool, file: FileName, remark: (String) -> Void
  ) throws(ReportedError) {
    var found: [(id: AnnotationID, offset: Int, area: MultiPolygon)] = []
    var others = 0
    var hasAreas = false
    for (offset, annotation) in rights.enumerated() {
      guard let parts = annotation.geometry?.wrapped.areas, !parts.isEmpty else {
        others += 1
        continue
      }
      hasAreas = true
      if let kinds, !(annotation.kind.map(kinds.contains) ?? false) { continue }
      var polygons: [Polygon] = []
      let place = "\(file.text): area \(annotation.id.text)"
      for rings in parts {
        do throws(ReportedError) {
          if let polygon = try AreaFile.polygon(rings, of: place) { polygons.append(polygon) }
        } catch {
          guard !isStrict else { throw error }
          remark("warning: \(error.code): \(error.description); left out")
        }
      }
      found.append((annotation.id, offset, MultiPolygon(polygons)))
    }
    guard hasAreas else {
      throw ReportedError(
        "area-empty",
        "\(file.text) holds no polygon, so nothing can be inside; give the areas second, as GeoJSON, or leave out `inside` to find the nearest",
        fault: .badData)
    }
    if others > 0 {
      remark(
        "note: \(grouped(others)) of \(grouped(rights.count, "record")) of \(file.text) "
          + (others == 1
            ? "is not a polygon, and contains nothing" : "are not polygons, and contain nothing"))
    }
    // By id, as equally near results are ordered; a database does not know the order of the source.
    found.sort { ($0.id, $0.offset) < ($1.id, $1.offset) }
    offsets = found.map(\.offset)
    self.isSmallest = isSmallest
    index = AreaIndex(found.map(\.area))
  }

  package func texts(
    of lefts: Slice<ImportedAnnotations>, _ writer: JoinWriter?
  ) async -> (texts: [[UInt8]], matches: Int) {
    var text = writer
    var matches = 0
    forEachMatch(of: lefts) { row, areas in
      matches += areas.count
      guard text != nil else { return }
      for area in areas { text?.append(JoinRow(left: row, right: offsets[area])) }
      if areas.isEmpty, text?.table.keepsUnmatched == true { text?.append(JoinRow(left: row)) }
    }
    return ([text?.bytes ?? []], matches)
  }

  /// How many of some left annotations lie in each area.
  package func counts(of lefts: Slice<ImportedAnnotations>) -> [Int] {
    var counts = [Int](repeating: 0, count: offsets.count)
    forEachMatch(of: lefts) { for area in $1 { counts[area] += 1 } }
    return counts
  }

  /// Calls `body` with each left annotation that has a position, by its offset, and the areas that hold
  /// it.
  private func forEachMatch(
    of lefts: Slice<ImportedAnnotations>, _ body: (_ row: Int, _ areas: [Int]) -> Void
  ) {
    var areas: [Int] = []
    for row in lefts.indices {
      guard let position = lefts.base.coordinate(at: row) else { continue }
      areas.removeAll(keepingCapacity: true)
      if isSmallest {
        if let area = index.smallestArea(containing: position) { areas.append(area) }
      } else {
        index.appendAreas(containing: position, to: &areas)
      }
      body(row, areas)
    }
  }
}
