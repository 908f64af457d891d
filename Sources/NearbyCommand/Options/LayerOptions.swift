#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import MapAnnotations
  import SQLiteStore

  /// What is said of a layer that is brought up to date, from a file or the web.
  struct LayerOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "How to merge a property: keep-non-blank, replace or keep-first; repeatable.",
        valueName: "name=rule"))
    var rule: [String] = []

    @Option(help: ArgumentHelp("The source's licence, kept with the layer.", valueName: "text"))
    var licence: String?

    @Option(
      help: ArgumentHelp(
        "Leave this id out of the layer, and remove it if it is there; give it with each import; repeatable.",
        valueName: "id"))
    var deny: [String] = []

    var denied: Set<AnnotationID> {
      Set(deny.map { AnnotationID(ArgumentPreparation.restored($0)) })
    }

    /// The rules for a merge.
    ///
    /// - Parameters:
    ///   - merges: Whether there is one.
    ///   - option: What asks for one, for the message.
    func rules(
      merges: Bool, by option: String
    ) throws(ReportedError) -> [String: MergePolicy.FieldRule] {
      guard merges || rule.isEmpty else {
        throw ReportedError(
          "bad-policy", "--rule is for \(option); say both, or neither", fault: .usage)
      }
      var rules: [String: MergePolicy.FieldRule] = [:]
      for text in rule {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let known = MergePolicy.FieldRule(rawValue: parts[1]) else {
          throw ReportedError(
            "bad-rule",
            "--rule \(text) is not a rule; write a property and keep-non-blank, replace or keep-first, "
              + "as phone=replace", fault: .usage)
        }
        rules[parts[0]] = known
      }
      return rules
    }
  }
#endif
