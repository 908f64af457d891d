#if CommandLine
  import ArgumentParser
  import Geodesy
  import MapProjections
  import PROJTransforms

  /// `nearby transform`: positions from one CRS to another.
  struct TransformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "transform",
      abstract: "Positions from one CRS to another: x,y to x,y, east first, always.",
      discussion: """
        Operands x,y (easting,northing or longitude,latitude) as arguments, or one a line on \
        standard input; one answer a line. The grids of Korea and Japan, UTM and Web Mercator are \
        built in; the library PROJ has all others, if it is installed. --explain names the \
        operation and its accuracy.

          nearby transform --from EPSG:5174 --to EPSG:4326 198242,451580
        """)

    @Option(help: ArgumentHelp("The CRS of the operands.", valueName: "EPSG:n"))
    var from: String

    @Option(help: ArgumentHelp("The CRS of the answers.", valueName: "EPSG:n"))
    var to: String

    @Option(
      help: ArgumentHelp(
        "How many decimals, 0 to 10; otherwise 10 of degrees, 4 of metres.", valueName: "n"))
    var digits: Int?

    @Flag(help: "Say on standard error what is done, and how accurate it is.")
    var explain = false

    @Argument(help: ArgumentHelp("A position.", valueName: "x,y"))
    var positions: [String] = []

    func run() throws {
      if let digits, !(0...10).contains(digits) {
        throw CommandError(
          "bad-digits", "--digits \(digits) is outside 0…10; write a number in it", status: .usage)
      }
      let transform: any CoordinateTransform
      do throws(CRSError) {
        transform = try CRSCatalog.transform(from: from, to: to)
      } catch {
        throw CommandError(error, status: .usage)
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
      try Pipes.run(positions, of: "x,y") { cells throws(CommandError) in
        let cells = try Pipes.cells(cells, are: "x,y")
        let position = PlanePosition(x: try parseNumber(cells[0]), y: try parseNumber(cells[1]))
        do throws(CRSError) {
          let answer = try transform.forward(position)
          return
            "\(TransformCommand.text(answer.x, digits)),\(TransformCommand.text(answer.y, digits))"
        } catch {
          throw CommandError(error, status: .badData)
        }
      }
    }

    /// A number that is too large for so many decimals has none that mean anything.
    private static func text(_ value: Double, _ digits: Int) -> String {
      abs(value) < 1e8 ? fixedDecimal(value, decimals: digits) : plainDecimal(value)
    }
  }
#endif
