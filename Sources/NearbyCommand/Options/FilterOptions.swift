#if CommandLine
  import AnnotationSources
  import ArgumentParser

  /// Which annotations count, asked alike by every command that finds, draws or writes them.
  struct FilterOptions: ParsableArguments {
    @OptionGroup var origin: OriginOptions

    @OptionGroup var match: DistanceOptions

    @Option(
      help: ArgumentHelp(
        "Only what lies in this box: west,south,east,north.", valueName: "w,s,e,n"))
    var bbox: String?

    @OptionGroup var content: ContentOptions

    @OptionGroup var open: OpenOptions
  }

  /// What must be true of the annotations, and on which day they must hold.
  struct ContentOptions: ParsableArguments {
    @OptionGroup var condition: ConditionOptions

    @Option(
      help: ArgumentHelp(
        "Only what is valid on a date: 2026-11-22, 2026-12, 2026-11-22/2026-11-28, today, tomorrow, this-month (from today), all, or next (its next day).",
        valueName: "date"))
    var on: String?
  }

  /// Which kinds count, and what must be true of them, where nobody asks for more.
  struct ChoiceOptions: ParsableArguments {
    @Option(
      name: .customLong("kind"),
      help: ArgumentHelp("Only this kind; repeatable.", valueName: "kind"))
    var kinds: [String] = []

    @OptionGroup var condition: ConditionOptions
  }

  /// What must be true of the annotations.
  struct ConditionOptions: ParsableArguments {
    @Option(
      name: .customLong("where"),
      help: ArgumentHelp(
        "Only what matches this condition: \"kind = 'mart' and rating >= 4.5\".", valueName: "expr")
    )
    var condition: String?

    /// The condition, before any source is read; nil for none.
    func written() throws(ReportedError) -> WrittenCondition? {
      try condition.map { (text) throws(ReportedError) in
        try WrittenCondition(ArgumentPreparation.restored(text))
      }
    }
  }
#endif
