#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import SQLiteStore
  import SourceFetching

  /// `nearby geocode --store FILE --geocoder URL`: positions for annotations that have none.
  struct GeocodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "geocode",
      abstract: "Look up positions for a store's unplaced annotations with a geocoder.",
      discussion: """
        The geocoder must have Nominatim's search interface. Its answers are kept in the store: an \
        interrupted run continues where it stopped, and nothing that was answered is asked again, \
        not even after a sync. --list asks nothing and prints the state of each annotation.

          nearby geocode --geocoder https://geocoder.example.org --store places.gpkg
        """)

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Web") var web: FetchingOptions

    @Option(help: .usual("Only this layer.", valueName: "name"))
    var layer: String?

    @Option(help: .usual("The service's address.", valueName: "url"))
    var geocoder: String?

    @Option(
      help: .usual(
        "What to ask, with fields in braces: \"{brand} {name}\". Repeatable; the next is asked if the one before finds nothing.",
        valueName: "question"))
    var ask: [String] = []

    @Option(help: .usual("Search only in these countries: kr,jp.", valueName: "codes"))
    var countries: String?

    @Option(help: .usual("The language of the answers: ko.", valueName: "code"))
    var language: String?

    @Option(
      help: .usual("The shortest time between two questions (default: 1).", valueName: "seconds"))
    var interval: String?

    @Option(
      help: .usual(
        "Ask at most this many questions; the next run continues from there.", valueName: "n"))
    var limit: Int?

    @Option(help: .usual("How often to ask one question (default: 5).", valueName: "n"))
    var attempts: Int?

    @Option(help: .usual("End the run after this many failures (default: 50).", valueName: "n"))
    var retryBudget: Int?

    @Option(
      help: .usual(
        "End the run if it would wait longer than this (default: 3600).", valueName: "seconds"))
    var longestWait: String?

    @Flag(help: "Ask again for what was given up or not found.")
    var again = false

    @Flag(help: "Ask nothing; print the state of each unplaced annotation, as CSV.")
    var list = false

    func run() throws {
      let service = try service()
      if list { return try printList(service) }
      guard let service else {
        throw ReportedError(
          "missing-geocoder", "say which geocoder to ask: --geocoder https://geocoder.example.org",
          fault: .usage)
      }
      let policy = try policy(for: service.service)
      let questions = try UnplacedQuestions(templates: ask.map(\.asTyped), named: "--ask")
      let place = try store.place()
      try place.checkIsMade()
      let file = try place.file().storeName()
      let layer = layer?.asTyped
      let total = try ReportedError.ofStore {
        try AwaitedWork.result {
          try await GeocodingWork.run(
            file: file, layer: layer, service: service, policy: policy, questions: questions,
            now: { Console.now }, remark: Console.remark)
        }
      }
      Console.remark(total.sentence)
      guard case .stopped(let reason)? = total.end else { return }
      // What was asked for is no failure.
      if case .questionLimit = reason, let limit {
        return Console.remark(
          "asked as many questions as --limit \(limit) allows; run again to continue")
      }
      throw ReportedError("geocoder-stopped", "\(reason)", fault: .unavailable)
    }

    private func service() throws(ReportedError) -> NominatimGeocoder? {
      guard let geocoder else { return nil }
      let options = try web.options()
      let language = try language.map { (text) throws(ReportedError) in
        try FetchingOptions.fieldValue(text, option: "--language", code: "bad-language")
      }
      do throws(FetchError) {
        return NominatimGeocoder(
          service: try WebAddress(geocoder),
          countries: countries?.split(separator: ",").map(String.init) ?? [], language: language,
          fetcher: SourceFetcher(
            options: options, surroundings: FetchingOptions.surroundings()))
      } catch {
        throw ReportedError(error)
      }
    }

    private func policy(for service: WebAddress) throws(ReportedError) -> GeocodingPolicy {
      var policy = GeocodingPolicy()
      if let interval { policy.interval = try FetchingOptions.seconds(interval, "--interval") }
      if let longestWait {
        policy.longestHold = try FetchingOptions.seconds(longestWait, "--longest-wait")
        policy.backOff.longest = min(policy.backOff.longest, policy.longestHold)
        policy.backOff.first = min(policy.backOff.first, policy.backOff.longest)
      }
      try requireCount(limit, option: "--limit")
      try requireCount(attempts, option: "--attempts")
      try requireCount(retryBudget, option: "--retry-budget")
      policy.attemptsPerQuestion = attempts ?? policy.attemptsPerQuestion
      policy.retryBudget = retryBudget ?? policy.retryBudget
      policy.questionLimit = limit
      policy.asksFailedAgain = again
      policy.notFoundLasts = again ? .zero : nil
      // https://operations.osmfoundation.org/policies/nominatim/
      if service.host == "nominatim.openstreetmap.org", policy.interval < .seconds(1) {
        throw ReportedError(
          "bad-duration", "the public Nominatim takes one question a second; leave --interval out",
          fault: .usage)
      }
      return policy
    }

    // MARK: The list

    private func printList(_ service: NominatimGeocoder?) throws {
      let questions = try UnplacedQuestions(templates: ask.map(\.asTyped), named: "--ask")
      var text = CSVText.line(["layer", "id", "name", "state", "detail"])
      try store.withStore(.readOnly) { store in
        let known = try service.map { try store.geocodingJournal.records(of: $0.identity) } ?? []
        let layers = try store.layerNames(only: layer?.asTyped)
        try questions.checkFields(in: layers, of: store)
        for layer in layers {
          let annotations = try store.unplacedAnnotations(in: layer)
          let items = annotations.map { questions.item($0) }
          let queue = GeocodingQueue(
            items, known: known, policy: GeocodingPolicy(), at: Console.now)
          for (place, annotation) in annotations.enumerated() {
            let (state, detail) = GeocodeCommand.words(queue.state(of: place), items[place])
            CSVText.append(
              [layer, annotation.id.text, annotation.name ?? "", state, detail], to: &text)
          }
        }
      }
      try Console.write(text)
    }

    private static func words(
      _ state: GeocodingQueue.State, _ item: UnplacedItem
    ) -> (state: String, detail: String) {
      switch state {
      case .placed(let coordinate, _, let question):
        ("answered", "\(coordinate) for \"\(question)\"")
      case .failed(let reason): ("failed", OptionNames.put(into: reason))
      case .pending: ("pending", item.questions.map { "\"\($0)\"" }.joined(separator: ", then "))
      }
    }
  }
#endif
