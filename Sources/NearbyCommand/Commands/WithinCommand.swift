#if CommandLine
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import NearbySearch

  /// `nearby within AREA.geojson`: the annotations in an area.
  struct WithinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "within",
      abstract: "The annotations in the polygons of a GeoJSON file, borders included, by id.")

    @Argument(help: ArgumentHelp("Polygons, as GeoJSON.", valueName: "area.geojson"))
    var area: String

    @Flag(help: "Print how many there are.")
    var count = false

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      let area = try AreaFile.area(of: FileName(argument: area))
      let index = AnnotationIndex(forOneQuestion: try Source.annotations(input))
      let items = index.annotations(in: area, kinds: query.kindSet)
      try AreaListing(query: query, input: input, output: output, viewport: nil)
        .write(items, countOnly: count)
    }
  }
#endif
