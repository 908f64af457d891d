#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import MapAnnotations
  import SQLiteStore

  /// Which store a command works on.
  struct StoreOptions: ParsableArguments {
    @Option(
      help: .usual(
        "The store (default: $NEARBY_STORE, or the one in the XDG data folder).", valueName: "file"),
      completion: .file())
    var store: String?

    /// Where the layers are stored.
    func place() throws(ReportedError) -> StorePlace {
      if let file = store.map({ FileName(argument: $0) }) ?? Console.file(variable: "NEARBY_STORE")
      {
        return file.isServerAddress
          ? .server(file.address) : .file(file, makesFolder: store == nil)
      }
      guard let file = Source.dataFile("/nearby/store.gpkg") else {
        throw ReportedError(
          "missing-store", "neither NEARBY_STORE nor HOME is set; say --store FILE",
          fault: .usage)
      }
      return .file(file, makesFolder: true)
    }

    /// The store's file, which need not exist yet.
    func file() throws(ReportedError) -> FileName { try place().file() }

    /// Opens the store for the duration of a call.
    func withStore<Result>(
      _ access: AnnotationStore.Access, _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result { try place().withStore(access, body) }
  }

  /// What is said of a layer that is brought up to date, from a file or the web.
  struct LayerOptions: ParsableArguments {
    @Option(
      help: .usual(
        "How to merge a property: keep-non-blank, replace or keep-first; repeatable.",
        valueName: "name=rule"))
    var rule: [String] = []

    @Option(help: .usual("The source's licence, kept with the layer.", valueName: "text"))
    var licence: String?

    @Option(
      help: .usual(
        "Leave this id out of the layer, and remove it if it is there; give it with each import; repeatable.",
        valueName: "id"))
    var deny: [String] = []

    var denied: Set<AnnotationID> { Set(deny.map { AnnotationID($0.asTyped) }) }

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
        let parts = text.asTyped.split(separator: "=", maxSplits: 1).map(String.init)
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
