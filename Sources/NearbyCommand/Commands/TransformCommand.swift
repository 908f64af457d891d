#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapProjections
  import PROJTransforms

  /// `nearby transform`: positions from one CRS to another.
  struct TransformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "transform",
      abstract:
        "Convert positions between coordinate reference systems: x,y to x,y, always east first.",
      usage: "nearby transform --from <EPSG:n> --to <EPSG:n> [<options>] [<x,y> ...]",
      discussion: """
        Takes x,y (easting,northing or longitude,latitude) as arguments, or one position per line \
        on standard input. Prints one line per position. The grids of Korea and Japan, UTM and Web \
        Mercator are built in; all others need the PROJ library. --explain prints the operation \
        and its accuracy.

          nearby transform --from EPSG:5174 --to EPSG:4326 198242,451580
        """)

    @Option(help: .usual("The CRS to convert from.", valueName: "EPSG:n"))
    var from: String

    @Option(help: .usual("The CRS to convert to.", valueName: "EPSG:n"))
    var to: String

    @Option(
      help: .usual(
        "How many decimals, 0 to 10 (default: 10 for degrees, 4 for meters).", valueName: "n"))
    var digits: Int?

    @Flag(help: "Explain on standard error which operation is used, and how accurate it is.")
    var explain = false

    @Argument(help: .usual("A position.", valueName: "x,y"))
    var positions: [String] = []

    func run() throws {
      if let digits {
        try requireNumber(digits, in: 0...10, option: "--digits", code: "bad-digits")
      }
      let transform = try ReportedError.wrapping(.usage) { () throws(CRSError) in
        try CRSCatalog.transform(from: from, to: to)
      }
      if explain { Console.remark("explain: \(transform.operation)") }
      if transform.operation.isBallpark {
        Console.remark(
          """
          warning: crs-ballpark: no operation between the datums of \(from) and \(to) is known; \
          answers may be hundreds of meters off
          """)
      }
      let digits = digits ?? (transform.endsInDegrees ? 10 : 4)
      var hasWarned = false
      let remedy = transform.startsFromDegrees ? nil : "write a number, such as 198242.5"
      try Pipes.run(positions, of: "x,y") { cells throws(ReportedError) in
        let position = PlanePosition(
          x: try parseNumber(cells[0], remedy: remedy), y: try parseNumber(cells[1], remedy: remedy)
        )
        let answer = try ReportedError.wrapping(.badData) { () throws(CRSError) in
          try transform.forward(position)
        }
        if !hasWarned, transform.endsInDegrees, !transform.startsFromDegrees,
          let place = try? Coordinate(latitude: answer.y, wrappingLongitude: answer.x),
          transform.isFarOutside(place)
        {
          hasWarned = true
          Console.remark(
            "warning: crs-area: \(cells.joined(separator: ",")) is more than 100 km from where "
              + "\(from) is used; check --from, and the order: easting first")
        }
        return [answer.x, answer.y].map { fixedDecimal($0, decimals: digits) }
          .joined(separator: ",")
      }
    }
  }
#endif
