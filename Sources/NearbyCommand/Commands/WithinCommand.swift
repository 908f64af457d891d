#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import NearbySearch

  /// `nearby within AREA.geojson`: the annotations in an area.
  struct WithinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "within",
      abstract: "List what is in the polygons of a GeoJSON file, borders included, by id.")

    @Argument(
      help: .usual("A GeoJSON file with polygons.", valueName: "area.geojson"), completion: .file())
    var area: String

    @Flag(help: "Print only how many there are.")
    var count = false

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      let output = try output.plan()
      var input = input
      var question = try Question(query, &input)
      let file = FileName(argument: area)
      if file.isStandardInput, input.files.contains(where: \.isStandardInput) {
        throw ReportedError(
          "one-standard-input", "AREA and SOURCE cannot both be -; name a file for one",
          fault: .usage)
      }
      let polygons = try AreaFile.polygons(of: file, remark: Console.remark)
      question.look(in: .polygons(MultiPolygon(polygons)))
      question.area = file
      var opened = try Source.index(
        input, by: try query.indexKind(), isAskedOnce: true, for: question)
      let listing = try question.listing(
        of: &opened, .byTheMachine, tellsNext: output.format == .json)
      try listing.answer(output, countOnly: count, of: opened.index.placedCount)
    }
  }
#endif
