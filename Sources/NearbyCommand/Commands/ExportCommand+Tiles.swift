#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import TextMaps
  import WebMaps

  extension ExportCommand {
    /// Writes points into tiles, far out not more than a page can draw, and what they say into a file to search.
    ///
    /// - Parameter page: Gets the kinds, and keeps the hours of what stands in it.
    /// - Returns: What is no point with a position, for the page itself: tiles have no place for it, or cut it.
    func writeTiles(
      of annotations: ImportedAnnotations, keeping fields: [String]?, to file: FileName,
      searchedIn searchFile: FileName, for page: inout WebPage, mode: ProgressReport.Mode
    ) throws -> [UInt8] {
      page.kinds = annotations.kindCounts
      let numbers = Dictionary(
        uniqueKeysWithValues: page.kinds.enumerated().map { ($1.name, $0) })
      let courses = page.hours?.courseOfFeature
      page.hours?.courseOfFeature = []
      // Both are opened before anything is written, so that one that may not be replaced leaves the other as it was.
      let archive = try TileArchive(file)
      let searchSink = try OutputSink(searchFile)
      var features = TileFeatures(keeping: fields)
      features.reserve(annotations.count)
      var search = PageSearchFile(placeCount: annotations.count)
      var rest = GeoJSONWriter(.featureCollection)
      rest.begin()
      var number = 0
      try annotations.forEachWithRow { annotation, row in
        let course = courses?[number] ?? -1
        number += 1
        guard let position = annotation.coordinate, annotation.shape == nil else {
          rest.write(annotation.drawnFeature(keeping: fields))
          page.hours?.courseOfFeature.append(course)
          return
        }
        // Those without hours say so, lest a column of the same name is taken for them.
        features.append(
          annotation, row: row,
          adding: page.hours == nil ? nil : (HoursTable.tileProperty, course))
        search.append(
          annotation.drawnFeature(keeping: fields, isStyled: false), id: annotation.id,
          at: position, kind: numbers[annotation.kind?.rawValue ?? ""] ?? 0, course: course)
        try searchSink.write(search.takeBytes(isLast: false))
      }
      rest.end()
      try searchSink.write(search.takeBytes(isLast: true))
      if search.cutCount > 0 {
        Console.remark(
          "note: \(grouped(search.cutCount)) of \(grouped(annotations.count)) \(search.cutCount == 1 ? "has" : "have") more text than the page can search; "
            + "list fewer columns in --fields to make room")
      }
      let pyramid = TilePyramid(
        features, rules: TileRules(layer: "places", featureLimit: ExportCommand.pointsOfTile))
      let work = TileWork(
        output: archive,
        progress: ProgressReport(mode: mode, name: file.lastComponent.text))
      _ = try AwaitedWork.result { try await work.write(pyramid) }
      try searchSink.finish()
      return rest.takeBytes()
    }

    /// A screen shows some twelve tiles.
    private static let pointsOfTile = 4_000
  }
#endif
