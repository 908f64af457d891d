import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import WebMaps

extension WebPage {
  /// Writes points into tiles, far out no more of them than a page can draw, and their texts into a file to search.
  ///
  /// Sets the page's kinds, and leaves it the hours of what stands in the page itself.
  ///
  /// - Parameters:
  ///   - annotations: What the page shows, in the order of its hours.
  ///   - fields: The source's own columns that are wanted; nil for all.
  ///   - remark: Takes what a person should know.
  /// - Returns: As GeoJSON what tiles have no place for, or would cut: everything but points with a position.
  package mutating func moveToTiles(
    _ annotations: ImportedAnnotations, keeping fields: [String]?, in file: FileName,
    searchedIn searchFile: FileName, _ progress: ProgressReport, remark: (String) -> Void
  ) throws -> [UInt8] {
    kinds = annotations.kindCounts
    // Both are opened before anything is written, so that one that may not be replaced leaves the other as it was.
    let archive = try TileArchive(file)
    let searchSink = try OutputSink(searchFile)
    let (points, rest) = try separatePoints(
      of: annotations, keeping: fields, to: searchSink, remark)
    let pyramid = TilePyramid(
      points, rules: TileRules(layer: "places", featureLimit: WebPage.pointsOfTile))
    _ = try archive.write(pyramid, progress)
    try searchSink.finish()
    return rest
  }

  /// A screen shows some twelve tiles.
  private static let pointsOfTile = 4_000

  /// Parts points, whose texts it writes, from all others, which it gives back as GeoJSON.
  private mutating func separatePoints(
    of annotations: ImportedAnnotations, keeping fields: [String]?, to searchSink: OutputSink,
    _ remark: (String) -> Void
  ) throws(ReportedError) -> (points: TileFeatures, rest: [UInt8]) {
    let numbers = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1.name, $0) })
    let courses = hours?.courseOfFeature
    hours?.courseOfFeature = []
    var points = TileFeatures(keeping: fields)
    points.reserve(annotations.count)
    var search = PageSearchFile(placeCount: annotations.count)
    var rest = GeoJSONWriter(.featureCollection)
    rest.begin()
    var number = 0
    try annotations.forEachWithRow { (annotation, row) throws(ReportedError) in
      let course = courses?[number] ?? -1
      number += 1
      guard let position = annotation.coordinate, annotation.shape == nil else {
        rest.write(annotation.drawnFeature(keeping: fields))
        hours?.courseOfFeature.append(course)
        return
      }
      // Those without hours say so, lest a column of the same name is taken for them.
      points.append(
        annotation, row: row, adding: hours == nil ? nil : (HoursTable.tileProperty, course))
      search.append(
        annotation.drawnFeature(keeping: fields, isStyled: false), id: annotation.id,
        at: position, kind: numbers[annotation.kind?.rawValue ?? ""] ?? 0, course: course)
      try searchSink.write(search.takeBytes(isLast: false))
    }
    rest.end()
    try searchSink.write(search.takeBytes(isLast: true))
    if search.cutCount > 0 {
      remark(
        "note: \(grouped(search.cutCount)) of \(grouped(annotations.count)) \(search.cutCount == 1 ? "has" : "have") "
          + "more text than the page can search; list fewer columns in `fields` to make room")
    }
    return (points, rest.takeBytes())
  }
}
