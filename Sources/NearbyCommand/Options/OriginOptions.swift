#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy

  /// Where distances are measured from.
  struct OriginOptions: ParsableArguments {
    @Option(
      name: .customLong("lat"),
      help: ArgumentHelp(
        "Latitude in degrees, north positive. Or write the position as you copied it: 37.57,126.97.",
        valueName: "deg"))
    var latitude: String?

    @Option(
      name: .customLong("lon"),
      help: ArgumentHelp("Longitude in degrees, east positive.", valueName: "deg"))
    var longitude: String?

    /// The position to measure from; nil when none was given.
    ///
    /// - Parameter input: Its operands may hold the position, which is taken out of them.
    func origin(_ input: inout InputOptions) throws(ReportedError) -> Coordinate? {
      let operand = try PositionOperand.take(from: &input.sources)
      let position = try OriginOptions.position(latitude, longitude)
      guard let origin = position ?? operand else { return nil }
      if let operand, latitude != nil {
        throw ReportedError(
          "position-twice",
          "the operand \(operand) is a position, and --lat and --lon are given too; give only one",
          fault: .usage)
      }
      try input.reading.check(origin: origin)
      return origin
    }

    /// What --lat and --lon say; nil where neither is given.
    static func position(
      _ latitude: String?, _ longitude: String?
    ) throws(ReportedError) -> Coordinate? {
      switch (latitude, longitude) {
      case (nil, nil): return nil
      case (let latitude?, let longitude?):
        return try parsePosition(latitude: latitude, longitude: longitude)
      case (nil, _):
        throw ReportedError(
          "missing-position", "--lon is given but --lat is not; give both", fault: .usage)
      case (_, nil):
        throw ReportedError(
          "missing-position", "--lat is given but --lon is not; give both", fault: .usage)
      }
    }
  }
#endif
