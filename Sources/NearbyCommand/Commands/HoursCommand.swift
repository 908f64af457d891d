#if CommandLine
  import ArgumentParser

  /// `nearby hours`: what opening hours mean.
  struct HoursCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hours",
      abstract:
        "Explain opening hours: what a text means, what is open when, what is closed tomorrow.",
      discussion: """
        Explains a text for the next days. It may be OpenStreetMap's opening_hours, or hours as \
        people write them in Korean, Japanese or English. For a file, lists what is open now, or \
        with --closed, --next-closing or --days what is closed on those days.

          nearby hours "Mo-Fr 09:00-18:00; Su[2,4] off"
          nearby hours --closed tomorrow marts.csv
          nearby hours marts.csv --id 1023 --days 60 --format ics -o marts.ics
        """,
      subcommands: [HoursShowCommand.self, HoursEvalCommand.self],
      defaultSubcommand: HoursShowCommand.self)
  }
#endif
