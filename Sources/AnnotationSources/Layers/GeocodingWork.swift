#if Store
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import SQLiteStore
  import SourceFetching

  /// What came of the runs over the layers of a store.
  package struct GeocodingTotal: Sendable {
    package var placed = 0
    package var failed = 0
    package var pending = 0
    /// How the first run ended that did not finish, or else the last one; nil when there was nothing to ask.
    package var end: GeocodingEnd?

    /// As `12 placed, 3 without an answer, 5 pending`.
    package var sentence: String {
      placed + failed + pending == 0
        ? "every annotation has a position"
        : "\(grouped(placed)) placed, \(grouped(failed)) without an answer, "
          + "\(grouped(pending)) pending"
    }
  }

  /// Asks for the unplaced annotations of a store, layer by layer, and places them as answers come.
  package enum GeocodingWork {
    /// - Parameters:
    ///   - layer: nil for all layers.
    ///   - now: Reads the clock.
    ///   - remark: Takes what a person should know.
    package static func run(
      file: String, layer: String?, service: NominatimGeocoder, policy: GeocodingPolicy,
      questions: UnplacedQuestions, now: @escaping @Sendable () -> Instant,
      remark: @escaping @Sendable (String) -> Void
    ) async throws -> GeocodingTotal {
      let store = try AnnotationStore(file, .readWrite)
      var journal = store.geocodingJournal
      var random = SystemRandomNumberGenerator()
      var total = GeocodingTotal()
      var policy = policy
      let clock = GeocodingClock(
        now: now,
        sleep: { until in
          try await Task.sleep(for: max(.zero, now().duration(to: until)))
        })
      let layers = try store.layerNames(only: layer)
      try questions.checkFields(in: layers, of: store)
      for layer in layers {
        // Annotations of one id are one item, and placed together.
        var seen: Set<AnnotationID> = []
        let items = try store.unplacedAnnotations(in: layer).map { questions.item($0) }
          .filter { seen.insert($0.id).inserted }
        guard !items.isEmpty else { continue }
        let hasStopped = total.end.map { $0 != .finished } ?? false
        // What is known already is placed in the other layers, too, and the rest is counted.
        if hasStopped { policy.questionLimit = 0 }
        let outcome = try await GeocodingRun(asking: service, policy: policy, clock: clock).run(
          items, journal: &journal, using: &random
        ) { event in
          try heed(event, in: store, layer, now(), remark)
        }
        let counts = outcome.queue.counts
        total.placed += counts.placed
        total.failed += counts.failed
        total.pending += counts.pending
        if !hasStopped { total.end = outcome.end }
        policy.questionLimit? -= outcome.queue.askedCount
      }
      return total
    }

    private static func heed(
      _ event: GeocodingEvent, in store: AnnotationStore, _ layer: String, _ now: Instant,
      _ remark: (String) -> Void
    ) throws {
      switch event {
      case .asking: break
      case .settled(let item, .placed(let coordinate, _, _)):
        try store.place(item.id, in: layer, at: coordinate, now)
      case .settled(let item, .failed(let reason)):
        remark("\(layer) \(item.id): \(reason)")
      case .settled(_, .pending): break
      case .willRetry(let question, let reason, let next):
        let wait = now.duration(to: next).roughText
        remark("\"\(question)\": \(reason); asking again in \(wait) or later")
      case .waiting(let until, let reason):
        let wait = now.duration(to: until).roughText
        switch reason {
        case .rate: break
        case .hold(let why): remark("waiting \(wait) for the geocoder: \(why)")
        case .retry(let why): remark("waiting \(wait) to ask the rest again: \(why)")
        }
      }
    }
  }

  /// Makes questions of what an annotation says.
  package struct UnplacedQuestions: Sendable {
    private let templates: [NameTemplate]
    /// The fields that were asked for; empty without templates.
    private let fields: [String]
    /// What errors call a template.
    private let name: String

    /// - Parameters:
    ///   - templates: Texts with fields in braces, at least one in each; none asks for addresses, then the name.
    ///   - name: What errors call a template.
    package init(templates: [String], named name: String) throws(ReportedError) {
      self.name = name
      let asked = try templates.map { (template) throws(ReportedError) -> NameTemplate in
        guard template.last(where: { $0 == "{" || $0 == "}" }) != "{" else {
          throw ReportedError(
            "bad-question", "\(name) \(template): a brace is not closed; write \"{address}\"",
            fault: .usage)
        }
        guard let asked = NameTemplate(template), !asked.fields.contains("") else {
          throw ReportedError(
            "bad-question",
            "\(name) \"\(template)\" names no field, or an empty one; write "
              + "\"{address}\"", fault: .usage)
        }
        return asked
      }
      fields = asked.flatMap(\.fields)
      self.templates =
        asked.isEmpty
        ? (KnownNames.address + ["name"]).compactMap { NameTemplate("{\($0)}") }
        : asked
    }

    /// Throws if a field that was asked for is in none of the layers.
    package func checkFields(in layers: [String], of store: AnnotationStore) throws {
      let known = (try layers.flatMap { try store.propertyNames(of: $0) } + ["name"]).withoutRepeats
      guard !layers.isEmpty, let field = fields.first(where: { !known.contains($0) }) else {
        return
      }
      throw ReportedError(
        "unknown-field",
        "\(name): no field is named \"\(field)\"; fields are \(known.prefix(40).joined(separator: ","))",
        fault: .usage)
    }

    /// An annotation and its questions; a question of which a field is blank is left out.
    package func item(_ annotation: some Annotation) -> UnplacedItem {
      let questions = templates.compactMap { template -> String? in
        let values = template.fields.map { name in
          annotation.properties[name]?.text ?? (name == "name" ? annotation.name : nil)
        }
        let isWhole = values.allSatisfy { $0?.allSatisfy(\.isWhitespace) == false }
        return isWhole ? template.text { values[$0] } : nil
      }
      return UnplacedItem(id: annotation.id, questions: questions)
    }
  }
#endif
