#if CommandLine
  import ArgumentParser

  /// `nearby hours`: what opening hours mean.
  struct HoursCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hours",
      abstract: "Opening hours: what a text means, who is open when, who is closed tomorrow.",
      discussion: """
        A text is read as the opening_hours of OpenStreetMap or as people write hours in Korean and \
        Japanese. With --closed, --days or --id, or for a file, annotations are told about.

          nearby hours "Mo-Fr 09:00-18:00; Su[2,4] off"
          nearby hours --closed tomorrow marts.csv
          nearby hours marts.csv --id 1023 --days 60 --format ics -o marts.ics
        """,
      subcommands: [HoursShowCommand.self, HoursEvalCommand.self],
      defaultSubcommand: HoursShowCommand.self)
  }
#endif
