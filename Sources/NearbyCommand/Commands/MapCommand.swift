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

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Map") var map: MapOptions

    @Option(
      name: [.short, .long], help: ArgumentHelp("Write there.", valueName: "file"))
    var output: String?

    func run() throws {
      let origin = try query.origin(input)
      let ring = try query.ring()
      let box = try bbox.map(parseBox)
      let limit = try query.limit(default: .max)
      if origin == nil, query.within != nil || query.beyond != nil {
        throw CommandError(
          "missing-position", "--within and --beyond measure from --lat and --lon; give them",
          status: .usage)
      }
      let index = AnnotationIndex(forOneQuestion: try Source.annotations(input))
      var rows: [Listing.Row]
      if let origin {
        rows = index.nearest(
          limit, to: origin, within: ring.outer, beyond: ring.inner, kinds: query.kindSet
        ).results.map(Listing.Row.init)
        if let box { rows = rows.filter { box.contains($0.coordinate) } }
      } else {
        rows = index.annotations(in: box ?? .world, kinds: query.kindSet)
          .compactMap { Listing.Row($0, from: nil) }
        rows = Array(rows.prefix(limit))
      }
      // Numbers would name no list here, so annotations are drawn by kind.
      let picture = try MapPicture(
        options: map, origin: origin, radius: ring.outer < .infinity ? ring.outer : nil,
        viewport: box, isNumbered: false
      ).draw(rows)
      if let output {
        try Files.write(Array(picture.utf8), to: FileName(argument: output))
      } else {
        try Console.write(picture)
      }
    }
  }
#endif
