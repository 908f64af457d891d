#if CommandLine
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// `nearby --lat DEG --lon DEG`: the nearest annotations.
  struct FindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "find",
      abstract: "The annotations nearest to a position (the default command).",
      discussion: """
        Ten results, or every one with --within; -k says otherwise. The answer also tells how far \
        the position may move before another set of annotations would be the answer.
        """)

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      try output.check()
      let origin = try query.requiredOrigin(input)
      let ring = try query.ring()
      let limit = try query.limit(default: query.within == nil ? 10 : .max)
      let annotations = try Source.annotations(input)
      // Each kind is a question of its own.
      let index =
        query.perKind
        ? AnnotationIndex(forManyQuestions: annotations)
        : AnnotationIndex(forOneQuestion: annotations)

      let answer =
        query.perKind
        ? index.nearestOfEachKind(
          limit, to: origin, within: ring.outer, beyond: ring.inner, kinds: query.kindSet)
        : index.nearest(
          limit, to: origin, within: ring.outer, beyond: ring.inner, kinds: query.kindSet)

      let listing = Listing(
        query: Listing.Query(
          origin: origin, limit: limit, ring: ring, kinds: query.kinds),
        rows: answer.results.map(Listing.Row.init), validRadius: answer.validRadius,
        isGrouped: query.perKind, columns: index.annotations.columns)
      try listing.write(output)
      if output.explain { Explanation.say(answer.statistics, of: index.placedCount) }
      try output.finish(isEmpty: answer.isEmpty)
    }
  }
#endif
