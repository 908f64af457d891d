#if CommandLine && Store
  import AnnotationSources
  import Geodesy
  import MapAnnotations
  import SQLiteStore
  import SourceFetching

  /// What came of the runs over the layers of a store.
  struct GeocodingTotal: Sendable {
    var placed = 0
    var failed = 0
    var pending = 0
    /// How the last run ended; nil when there was nothing to ask.
    var end: GeocodingEnd?

    /// As `12 placed, 3 without an answer, 5 pending`.
    var sentence: String {
      placed + failed + pending == 0
        ? "every annotation has a position"
        : "\(grouped(placed)) placed, \(grouped(failed)) without an answer, "
          + "\(grouped(pending)) pending"
    }
  }

  /// Asks for the unplaced annotations of a store, layer by layer, and places them as answers come.
  struct GeocodingWork: Sendable {
    let file: String
    /// nil for all layers.
    let layer: String?
    let service: NominatimGeocoder
    let policy: GeocodingPolicy
    let questions: UnplacedQuestions

    func run() async throws -> GeocodingTotal {
      let store = try AnnotationStore(file, .readWrite)
      var journal = store.geocodingJournal
      var random = SystemRandomNumberGenerator()
      var total = GeocodingTotal()
      var policy = policy
      let clock = GeocodingClock(
        now: { Console.now },
        sleep: { until in
          try await AwaitedWork.sleep(max(.zero, Console.now.duration(to: until)))
        })
      for layer in try layer.map({ [try store.layer($0).name] }) ?? store.layerNames() {
        // Annotations of one id are one item, and placed together.
        var seen: Set<AnnotationID> = []
        let items = try store.unplacedAnnotations(in: layer).map { questions.item($0) }
          .filter { seen.insert($0.id).inserted }
        guard !items.isEmpty else { continue }
        let outcome = try await GeocodingRun(asking: service, policy: policy, clock: clock).run(
          items, journal: &journal, using: &random
        ) { event in
          try heed(event, in: store, layer)
        }
        let counts = outcome.queue.counts
        total.placed += counts.placed
        total.failed += counts.failed
        total.pending += counts.pending
        total.end = outcome.end
        policy.questionLimit? -= outcome.queue.askedCount
        guard outcome.end == .finished else { break }
      }
      return total
    }

    private func heed(
      _ event: GeocodingEvent, in store: AnnotationStore, _ layer: String
    ) throws {
      switch event {
      case .asking: break
      case .settled(let item, .placed(let coordinate, _, _)):
        try store.place(
          item.id, in: layer, at: coordinate, Console.now)
      case .settled(let item, .failed(let reason)):
        Console.remark("\(layer) \(item.id): \(reason)")
      case .settled(_, .pending): break
      case .willRetry(let question, let reason, let next):
        let wait = RoughDuration.text(Console.now.duration(to: next))
        Console.remark("\"\(question)\": \(reason); asking again in \(wait) or later")
      case .waiting(let until, let reason):
        let wait = RoughDuration.text(Console.now.duration(to: until))
        switch reason {
        case .rate: break
        case .hold(let why): Console.remark("waiting \(wait) for the geocoder: \(why)")
        case .retry(let why): Console.remark("waiting \(wait) to ask the rest again: \(why)")
        }
      }
    }
  }
#endif
