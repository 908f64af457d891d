#if CommandLine
  import Geodesy
  import NearbySearch

  /// What `find` asks: the nearest annotations to a position, and where the answer goes.
  struct FindQuestion {
    let origin: Coordinate
    var limit = 10
    var ring = Ring()
    var kinds: [String] = []
    var isGrouped = false
    var sources: [FileName] = []
    var asksForSample = false
    var reading = SourceReading()
    var output = OutputPlan(map: .standard(onTerminal: Console.outputIsTerminal))

    /// Understands the options, before any source is read.
    init(
      _ query: QueryOptions, _ input: InputOptions, _ output: OutputOptions
    ) throws(CommandError) {
      self.output = try output.plan()
      origin = try query.requiredOrigin(input)
      ring = try query.match.ring()
      limit = try query.limit(default: query.match.within == nil ? 10 : .max)
      kinds = query.match.kinds
      isGrouped = query.perKind
      sources = input.files
      asksForSample = input.sample
      reading = try input.reading.reading()
    }

    /// The commonest arguments, `--lat DEG --lon DEG` and perhaps `-k N`, understood without the
    /// parser, which takes twice as long to set up its options as the answer takes.
    ///
    /// - Returns: nil for whatever else was said, `--lat=DEG` among it; the parser then takes it.
    init?(plain arguments: [String]) throws(CommandError) {
      var values: [String: String] = [:]
      var rest = arguments[...]
      while let option = rest.popFirst() {
        guard ["--lat", "--lon", "-k"].contains(option), let value = rest.popFirst(),
          !value.hasPrefix("-"), values.updateValue(value, forKey: option) == nil
        else { return nil }
      }
      guard let latitude = values["--lat"], let longitude = values["--lon"] else { return nil }
      origin = try parsePosition(latitude: latitude, longitude: longitude)
      try OriginCheck().check(origin)
      if let limit = values["-k"] { self.limit = try parseLimit(limit) }
    }

    func answer() throws {
      let kindSet = Nearby.kindSet(kinds)
      // Each kind is a question of its own.
      let opened = try Source.index(
        of: sources, reading, asksForSample: asksForSample, isAskedOnce: !isGrouped)
      let index = opened.index
      let answer =
        isGrouped
        ? index.nearestOfEachKind(
          limit, to: origin, within: ring.outer, beyond: ring.inner, kinds: kindSet)
        : index.nearest(limit, to: origin, within: ring.outer, beyond: ring.inner, kinds: kindSet)
      try opened.check()

      try Listing(
        query: Listing.Query(origin: origin, limit: limit, ring: ring, kinds: kinds),
        rows: answer.results.map(Listing.Row.init), validRadius: answer.validRadius,
        isGrouped: isGrouped, columns: index.annotations.columns
      ).write(output)
      if output.explains { Explanation.say(answer.statistics, of: index.placedCount) }
      output.finish(isEmpty: answer.isEmpty)
    }
  }
#endif
