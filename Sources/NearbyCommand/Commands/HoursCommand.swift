#if CommandLine
  import ArgumentParser

  /// `nearby hours`: what opening hours mean.
  struct HoursCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hours",
      abstract:
        "Explain opening hours: what a text means, what is open when, what is closed tomorrow.",
      discussion: """
        A text is read as OpenStreetMap's opening_hours, or as people write hours in Korean, \
        Japanese and English, and explained for the next days. Of a file, lists what is open now; \
        with --closed, --next-closing or --days, what is closed on these days.

          nearby hours "Mo-Fr 09:00-18:00; Su[2,4] off"
          nearby hours --closed tomorrow marts.csv
          nearby hours marts.csv --id 1023 --days 60 --format ics -o marts.ics
        """,
      subcommands: [HoursShowCommand.self, HoursEvalCommand.self],
      defaultSubcommand: HoursShowCommand.self)
  }
#endif
