#if CommandLine
  import ArgumentParser
  import Geodesy
  import NearbySearch

  /// `nearby map`: the map alone.
  struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "map",
      abstract: "A map of the annotations around a position, in a box, or of all.")

    @OptionGroup(title: "Query") var query: QueryOptions

    @Option(help: ArgumentHelp("The window: west,south,east,north.", valueName: "w,s,e,n"))
    var bbox: String?

    @Option(help: ArgumentHelp("Write this column, or the name, beside each.", valueName: "column"))
    var label: String?

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Map") var map: MapOptions

    @Option(
      name: [.short, .long], help: ArgumentHelp("Write there.", valueName: "file"))
    var output: String?

    func run() throws {
      let file = output.map(FileName.init(argument:))
      let plan = try map.plan(onTerminal: Console.showsOnTerminal(file))
      let question = try AreaQuestion(query, input)
      let box = try bbox.map(parseBox)
      let opened = try Source.index(input, isAskedOnce: true)
      let index = opened.index
      let listing = try question.listing(
        of: index.annotations(in: box ?? .world, kinds: question.kindSet),
        from: index.annotations, viewport: box)
      try opened.check()
      // Numbers would name no list here, so annotations are drawn by kind.
      let picture = try MapPicture(of: listing, plan, isNumbered: false)
        .draw(listing.rows, label: label)
      let sink = try OutputSink(file)
      try sink.write(Array(picture.utf8))
      try sink.finish()
    }
  }
#endif
