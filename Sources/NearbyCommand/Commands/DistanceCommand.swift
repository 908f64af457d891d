#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy

  /// `nearby distance`: geodesics between pairs of positions.
  struct DistanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "distance",
      abstract:
        "Measure the geodesic between two positions: meters, and the azimuths at both ends.",
      discussion: """
        Takes lat1,lon1,lat2,lon2 as arguments, or one pair per line on standard input. Prints one \
        line per pair: meters,azimuth1,azimuth2, with azimuths in degrees, -180…180. Longitudes \
        beyond 180 are accepted, as in geodesic solvers.
        """)

    @Option(help: .usual("How many decimals, 0 to 10.", valueName: "n"))
    var digits = 4

    @Argument(help: .usual("A pair of positions.", valueName: "lat1,lon1,lat2,lon2"))
    var pairs: [String] = []

    func run() throws {
      try requireNumber(digits, in: 0...10, option: "--digits", code: "bad-digits")
      try Pipes.run(pairs, of: "lat1,lon1,lat2,lon2") { cells throws(ReportedError) in
        let line = Geodesic.inverse(
          from: try DistanceCommand.position(cells[0], cells[1]),
          to: try DistanceCommand.position(cells[2], cells[3]))
        return [
          fixedDecimal(line.distance.meters, decimals: digits),
          fixedDecimal(line.azimuth1, decimals: digits),
          fixedDecimal(line.azimuth2, decimals: digits),
        ].joined(separator: ",")
      }
    }

    private static func position(
      _ latitude: String, _ longitude: String
    ) throws(ReportedError) -> Coordinate {
      let degrees = (try parseNumber(latitude), try parseNumber(longitude))
      return try ReportedError.wrapping(.badData) { () throws(CoordinateError) in
        try Coordinate(latitude: degrees.0, wrappingLongitude: degrees.1)
      }
    }
  }
#endif
