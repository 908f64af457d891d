#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import SpatialIndexing

  /// `nearby geohash`: the cells of the geohash grid.
  struct GeohashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "geohash",
      abstract: "Work with geohash cells: encode, decode, neighbors, cover, count.",
      subcommands: [Encode.self, Decode.self, Neighbors.self, Cover.self, Count.self])

    struct Encode: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract:
          "Print the geohash of lat,lon,precision; longitude 180 is in the last cell, -180 in the first."
      )

      @Argument(help: .usual("A position and 1 to 12 characters.", valueName: "lat,lon,precision"))
      var operands: [String] = []

      func run() throws {
        try Pipes.run(operands, of: GeohashCommand.position) { cells throws(ReportedError) in
          let latitude = try parseNumber(cells[0])
          let longitude = try parseNumber(cells[1])
          let precision = try GeohashCommand.precision(cells[2])
          return try ReportedError.wrapping(.badData) { () throws(GeohashError) in
            try Geohash(latitude: latitude, longitude: longitude, precision: precision)
          }.text
        }
      }
    }

    struct Decode: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Print the box of a geohash: south,west,north,east.")

      @Argument(help: "Geohashes.")
      var geohashes: [String] = []

      func run() throws {
        try Pipes.run(geohashes, of: GeohashCommand.name) { cells throws(ReportedError) in
          let box = try GeohashCommand.geohash(cells).box
          return [box.south, box.west, box.north, box.east].map(plainDecimal)
            .joined(separator: ",")
        }
      }
    }

    struct Neighbors: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Print the neighbors of a geohash: n,ne,e,se,s,sw,w,nw; empty beyond a pole.")

      @Argument(help: "Geohashes.")
      var geohashes: [String] = []

      func run() throws {
        try Pipes.run(geohashes, of: GeohashCommand.name) { cells throws(ReportedError) in
          let geohash = try GeohashCommand.geohash(cells)
          return CompassDirection.allCases.map { geohash.neighbor($0)?.text ?? "" }
            .joined(separator: ",")
        }
      }
    }

    struct Cover: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "List the cells that cover a box, one per line.")

      @OptionGroup var cells: CellOptions

      func run() throws {
        let cover = GeohashCover(
          of: try cells.parsedBox(), precision: try cells.parsedPrecision())
        // A fine cover of a large box is written as it is found, not gathered first.
        try OutputSink(nil).write(each: cover) { cell, bytes in
          bytes += "\(cell.text)\n".utf8
        }
      }
    }

    struct Count: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Count the annotations in each geohash cell of a box: cell,count.",
        usage:
          "nearby geohash count --bbox <w,s,e,n> --precision <n> [<options>] [<source> ...]")

      @OptionGroup var cells: CellOptions
      @OptionGroup var input: InputOptions

      func run() throws {
        let box = try cells.parsedBox()
        let precision = try cells.parsedPrecision()
        let positions = try Source.annotations(input).compactMap(\.coordinate)
        let counts = GeohashIndex(positions).cells(in: box, precision: precision)
        try Console.write(counts.map { "\($0.cell.text),\($0.count)\n" }.joined())
      }
    }

    /// A box and the length of its cells' names.
    struct CellOptions: ParsableArguments {
      @Option(help: .usual("The box: west,south,east,north.", valueName: "w,s,e,n"))
      var bbox: String

      @Option(help: .usual("How many characters, 1 to 12.", valueName: "n"))
      var precision: String

      func parsedBox() throws(ReportedError) -> BoundingBox { try parseBox(bbox) }

      func parsedPrecision() throws(ReportedError) -> Int {
        let number = precision.asTyped
        guard let precision = Int(number), (1...Geohash.longestPrecision).contains(precision) else {
          throw ReportedError(
            "geohash-precision",
            "--precision \(number) is outside 1…12; write a number in that range",
            fault: .usage)
        }
        return precision
      }
    }

    fileprivate static let position = "lat,lon,precision", name = "a geohash"

    fileprivate static func geohash(_ cells: [String]) throws(ReportedError) -> Geohash {
      try ReportedError.wrapping(.badData) { () throws(GeohashError) in try Geohash(cells[0]) }
    }

    /// A precision from a row; whether it is in range, the geohash says.
    fileprivate static func precision(_ text: String) throws(ReportedError) -> Int {
      guard let precision = Int(text) else {
        throw ReportedError(
          "geohash-precision",
          "\"\(text)\" is not a number of characters; give a whole number from 1 to 12",
          fault: .badData)
      }
      return precision
    }
  }
#endif
