#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import Geofencing

  /// When somebody counts as having entered or left, and how large fences are.
  struct FenceOptions: ParsableArguments {
    @Option(help: .usual("The radius of points that do not have one.", valueName: "dist"))
    var radius: String?

    @Option(help: .usual("The column or property with radii.", valueName: "column"))
    var radiusField: String?

    @Option(
      help: .usual(
        "plain (the default), or phone: leave after two fixes outside by more than 25 m plus their accuracy.",
        valueName: "plain|phone"), completion: .words(of: PolicyWord.self))
    var policy: String?

    @Option(
      help: .rare(
        "Report an exit only when the fix is farther outside than this.", valueName: "dist"))
    var exitBuffer: String?

    @Flag(
      help: .rare("Report an exit only when outside by more than the accuracy, plus the buffer."))
    var accurateExit = false

    @Option(
      help: .rare(
        "Report an entry after this many fixes inside in a row, or after this long: 2, 30s.",
        valueName: "n|time"))
    var confirmEnter: String?

    @Option(
      help: .rare(
        "Report an exit after this many fixes outside in a row, or after this long: 2, 30s.",
        valueName: "n|time"))
    var confirmExit: String?

    @Option(help: .usual("Report a dwell after this long inside: 5min.", valueName: "time"))
    var dwell: String?

    @Flag(help: "Do not report fences crossed between two fixes.")
    var noCross = false

    @Option(
      help: .rare(
        "Report no crossing between two fixes farther apart in time than this.", valueName: "time"))
    var maxGap: String?

    enum PolicyWord: String, CaseIterable { case plain, phone }

    /// Refuses these options where no fences are watched.
    func refuseWithoutFences() throws(ReportedError) {
      try refuse(
        [
          "--radius": radius != nil, "--radius-field": radiusField != nil,
          "--policy": policy != nil, "--exit-buffer": exitBuffer != nil,
          "--accurate-exit": accurateExit, "--confirm-enter": confirmEnter != nil,
          "--confirm-exit": confirmExit != nil, "--dwell": dwell != nil, "--no-cross": noCross,
          "--max-gap": maxGap != nil,
        ], without: "--fences")
    }

    /// The options understood.
    func rules() throws(ReportedError) -> FencePolicy {
      let word: PolicyWord = try parseWord(policy ?? "plain", option: "--policy")
      var rules = word == .phone ? FencePolicy.phone : FencePolicy()
      if let exitBuffer {
        rules.exitBuffer = try parseDistance(exitBuffer, option: "--exit-buffer")
      }
      if accurateExit { rules.exitNeedsAccuracy = true }
      if let confirmEnter {
        rules.entry = try FenceOptions.confirmation(confirmEnter, option: "--confirm-enter")
      }
      if let confirmExit {
        rules.exit = try FenceOptions.confirmation(confirmExit, option: "--confirm-exit")
      }
      if let dwell { rules.dwell = try parseSeconds(dwell, option: "--dwell") }
      if noCross { rules.reportsCrossing = false }
      if let maxGap { rules.greatestCrossingGap = try parseSeconds(maxGap, option: "--max-gap") }
      return rules
    }

    /// A bare number counts fixes, one with a unit time.
    private static func confirmation(
      _ text: String, option: String
    ) throws(ReportedError) -> FencePolicy.Confirmation {
      let shown = text.asTyped
      if let count = Int(shown) {
        guard count >= 1 else {
          throw ReportedError(
            "bad-count", "\(option) \(shown) is less than 1; write 2 for two fixes, or 30s",
            fault: .usage)
        }
        return .fixes(count)
      }
      return .seconds(try parseSeconds(text, option: option, needsUnit: true))
    }

    /// The fences of a file.
    func fences(
      of file: FileName, _ reading: SourceOptions<FenceSide>, unpacking limit: UnpackingLimit,
      allowsNullIsland: Bool
    ) throws(ReportedError) -> [Fence] {
      guard !file.isStandardInput else {
        throw ReportedError(
          "fence-standard-input", "fences cannot come from standard input; name a file",
          fault: .usage)
      }
      let fences = FenceFile(
        file,
        radius: try radius.map { (text) throws(ReportedError) in
          try parseDistance(text, option: "--radius")
        }, radiusField: radiusField?.asTyped)
      var reading = try reading.reading()
      reading.options.unpackingLimit = limit
      reading.options.allowsNullIsland = allowsNullIsland
      let annotations = try SourceOptions<FenceSide>.annotations(of: file, reading)
      if let radiusField {
        try annotations.requireColumn(radiusField.asTyped, of: "--radius-field")
      }
      return try fences.fences(of: annotations)
    }
  }
#endif
