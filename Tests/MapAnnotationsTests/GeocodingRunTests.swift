import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@Suite struct GeocodingRunTests {
  private typealias Result = (end: GeocodingEnd, queue: GeocodingQueue, events: [GeocodingEvent])

  private func run(
    _ items: [UnplacedItem], _ service: ModelService, _ journal: inout some GeocodingJournal,
    policy: GeocodingPolicy = GeocodingPolicy(), seed: UInt64 = 1
  ) async throws -> Result {
    var random = SeededGenerator(seed: seed)
    var events: [GeocodingEvent] = []
    let outcome = try await GeocodingRun(asking: service, policy: policy, clock: service.clock)
      .run(items, journal: &journal, using: &random) { events.append($0) }
    return (outcome.end, outcome.queue, events)
  }

  /// No two questions nearer to each other than the policy allows.
  private func expectRate(_ service: ModelService, _ interval: Duration, _ seed: UInt64) {
    for (earlier, later) in zip(service.asked, service.asked.dropFirst()) {
      #expect(earlier.at.duration(to: later.at) >= interval, "seed \(seed)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `every item ends as its questions say, at the rate, whatever fails`(seed: UInt64)
    async throws
  {
    let items = ModelItems.make(60, seed: seed)
    let service = ModelService(seed: seed, failing: seed % 4 == 0 ? 0 : 20)
    var journal = MemoryJournal()
    var policy = GeocodingPolicy()
    policy.attemptsPerQuestion = 50
    policy.retryBudget = 1000
    let result = try await run(items, service, &journal, policy: policy, seed: seed)
    #expect(result.end == .finished)
    for (place, item) in items.enumerated() {
      switch (result.queue.state(of: place), ModelService.expected(item)) {
      case (.placed(let coordinate, _, let question), let expected?):
        #expect(coordinate == expected)
        #expect(item.questions.contains(question))
      case (.failed(let reason), nil): #expect(!reason.isEmpty)
      case (let state, let expected):
        Issue.record("\(item): \(state), not \(String(describing: expected))")
      }
    }
    expectRate(service, policy.interval, seed)
    let answered = service.contents.withLock { $0.answered }
    #expect(answered.values.allSatisfy { $0 == 1 })
    // Each item is reported once.
    let settled = result.events.compactMap { event in
      if case .settled(let item, _) = event { item.id } else { nil }
    }
    #expect(settled.sorted() == items.map(\.id))
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a crash at any write loses nothing and asks nothing again that was answered`(
    seed: UInt64
  ) async throws {
    let items = ModelItems.make(12, seed: seed)
    var policy = GeocodingPolicy()
    policy.attemptsPerQuestion = 40
    // As many writes as a run has without a crash.
    let counting = CrashingJournal()
    var whole = counting
    _ = try await run(items, ModelService(seed: seed, failing: 10), &whole, policy: policy)
    for write in 0..<counting.writes {
      for isDone in [false, true] {
        let service = ModelService(seed: seed, failing: 10)
        var journal = CrashingJournal()
        journal.crash = (write, isDone)
        var placedBefore: [AnnotationID: Coordinate] = [:]
        do {
          _ = try await run(items, service, &journal, policy: policy)
        } catch is Crash {}
        var saved: Set<String> = []
        for record in try journal.records(of: service.identity) {
          switch record.outcome {
          case .found(let coordinate, _):
            placedBefore[AnnotationID(record.question)] = coordinate
            saved.insert(record.question)
          case .notFound: saved.insert(record.question)
          case .asked, .failed: break
          }
        }
        let askedBefore = service.asked.count
        journal.crash = nil
        let result = try await run(items, service, &journal, policy: policy)
        #expect(result.end == .finished)
        for (place, item) in items.enumerated() {
          let expected = ModelService.expected(item)
          if case .placed(let coordinate, _, _) = result.queue.state(of: place) {
            #expect(coordinate == expected)
          } else {
            #expect(expected == nil, "\(item)")
          }
        }
        let askedAfter = service.asked[askedBefore...].map(\.question)
        #expect(saved.isDisjoint(with: askedAfter), "seed \(seed), write \(write)")
        expectRate(service, policy.interval, seed)
      }
    }
    #expect(counting.writes > 0)
  }

  @Test func `a service that is down ends the run soon, says so, and leaves everything pending`()
    async throws
  {
    let items = ModelItems.make(100, seed: 3)
    let service = ModelService(seed: 3, failing: 100)
    var journal = MemoryJournal()
    let result = try await run(items, service, &journal)
    #expect(result.end == .stopped(.serviceFails(8, last: "busy")))
    #expect(service.asked.count == 8)
    #expect(result.queue.counts.placed == 0)
    for place in items.indices where !items[place].questions.isEmpty {
      guard case .pending(let next) = result.queue.state(of: place) else {
        Issue.record("item \(place) is not pending")
        continue
      }
      #expect(next > service.contents.withLock { $0.now })
    }
    // Each wait was announced, with its reason.
    let waits = result.events.filter { event in
      if case .waiting(_, .hold("busy")) = event { true } else { false }
    }
    #expect(waits.count == 7)
  }

  @Test func `runs of a few questions each come to what one run comes to`() async throws {
    let items = ModelItems.make(40, seed: 7)
    var policy = GeocodingPolicy()
    policy.attemptsPerQuestion = 40
    var whole = MemoryJournal()
    let expected = try await run(items, ModelService(seed: 7, failing: 20), &whole, policy: policy)
    #expect(expected.end == .finished)

    policy.questionLimit = 6
    let service = ModelService(seed: 7, failing: 20)
    var journal = MemoryJournal()
    var runs = 0
    while true {
      let asked = service.asked.count
      let result = try await run(items, service, &journal, policy: policy)
      runs += 1
      #expect(service.asked.count - asked == result.queue.askedCount)
      if result.end == .finished {
        #expect(result.queue.askedCount <= 6)
        for place in items.indices {
          #expect(result.queue.state(of: place) == expected.queue.state(of: place))
        }
        break
      }
      #expect(result.end == .stopped(.questionLimit(6)))
      #expect(result.queue.askedCount == 6)
      try #require(runs < 100)
    }
    #expect(runs > 3)
    expectRate(service, policy.interval, 7)
  }

  @Test func `a budget of retries ends the run when it is spent`() async throws {
    let items = ModelItems.make(100, seed: 4)
    let service = ModelService(seed: 4, failing: 50)
    var journal = MemoryJournal()
    var policy = GeocodingPolicy()
    policy.retryBudget = 5
    let result = try await run(items, service, &journal, policy: policy)
    #expect(result.end == .stopped(.retryBudget(5, last: "busy")))
    #expect(result.queue.counts.pending > 0)
  }

  @Test func `one question that always fails is given up and drops no other`() async throws {
    final class Picky: Geocoder {
      let identity = "picky"
      func locate(_ question: String) async -> GeocodingAnswer {
        question == "bad"
          ? .unavailable(reason: "500", after: nil) : ModelService.answer(question)
      }
    }
    let service = ModelService(seed: 1)
    let items = [
      UnplacedItem(id: 1, questions: ["bad"]), UnplacedItem(id: 2, questions: ["good"]),
      UnplacedItem(id: 3, questions: ["bad", "fine"]),
    ]
    var journal = MemoryJournal()
    var random = SeededGenerator(seed: 1)
    let outcome = try await GeocodingRun(
      asking: Picky(), policy: GeocodingPolicy(), clock: service.clock
    ).run(items, journal: &journal, using: &random) { _ in }
    #expect(outcome.end == .finished)
    #expect(
      outcome.queue.state(of: 0)
        == .failed("\"bad\": given up after 5 tries: 500; `asksFailedAgain` asks it again"))
    var once = GeocodingPolicy()
    once.attemptsPerQuestion = 1
    var anew = MemoryJournal()
    let single = try await GeocodingRun(
      asking: Picky(), policy: once, clock: ModelService(seed: 1).clock
    ).run(items, journal: &anew, using: &random) { _ in }
    #expect(
      single.queue.state(of: 0)
        == .failed("\"bad\": given up after 1 try: 500; `asksFailedAgain` asks it again"))
    guard case .placed = outcome.queue.state(of: 1) else {
      Issue.record("the other was dropped")
      return
    }
    // What "fine" finds may be another place.
    #expect(outcome.queue.state(of: 2) == outcome.queue.state(of: 0))
    #expect(journal.records(of: "picky").first { $0.question == "bad" }?.attempts == 5)
  }

  @Test func `failures of a service that answers nothing are of no question, however many runs`()
    async throws
  {
    let items = [
      UnplacedItem(id: 1, questions: ["street 1", "One"]),
      UnplacedItem(id: 2, questions: ["street 2"]),
    ]
    var journal = MemoryJournal()
    for seed in 1...3 as ClosedRange<UInt64> {
      let result = try await run(items, ModelService(seed: seed, failing: 100), &journal)
      #expect(result.end == .stopped(.serviceFails(8, last: "busy")))
      #expect(result.queue.counts == (0, 0, 2))
    }
    let result = try await run(items, ModelService(seed: 1), &journal)
    #expect(result.end == .finished)
    #expect(result.queue.counts == (2, 0, 0))
    guard case .placed(_, _, "street 1") = result.queue.state(of: 0) else {
      Issue.record("\(result.queue.state(of: 0))")
      return
    }
  }

  @Test(arguments: [(9, 1, 0), (40, 2, 0), (40, 2, 20), (40, 3, 5)])
  func `questions that always fail do not keep the others from being asked`(
    all: Int, bad: Int, first: Int
  ) async throws {
    final class Picky: Geocoder {
      let identity = "picky"
      func locate(_ question: String) async -> GeocodingAnswer {
        question.hasPrefix("bad")
          ? .unavailable(reason: "500", after: nil) : ModelService.answer(question)
      }
    }
    let items = (0..<all).map {
      let isBad = (first..<first + bad).contains($0)
      return UnplacedItem(id: AnnotationID($0), questions: ["\(isBad ? "bad" : "good") \($0)"])
    }
    for seed in 1...10 as ClosedRange<UInt64> {
      var journal = MemoryJournal()
      var random = SeededGenerator(seed: seed)
      let outcome = try await GeocodingRun(
        asking: Picky(), policy: GeocodingPolicy(), clock: ModelService(seed: seed).clock
      ).run(items, journal: &journal, using: &random) { _ in }
      #expect(outcome.end == .finished, "seed \(seed)")
      #expect(outcome.queue.counts == (all - bad, bad, 0), "seed \(seed)")
    }
  }

  @Test func `a service that asks for a long rest is left alone, also by the next run`()
    async throws
  {
    final class Resting: Geocoder {
      let identity = "model"
      func locate(_ question: String) async -> GeocodingAnswer {
        .unavailable(reason: "429", after: .seconds(7200))
      }
    }
    let service = ModelService(seed: 1)
    let start = service.contents.withLock { $0.now }
    let items = [UnplacedItem(id: 1, questions: ["a"]), UnplacedItem(id: 2, questions: ["b"])]
    var journal = MemoryJournal()
    var random = SeededGenerator(seed: 1)
    let outcome = try await GeocodingRun(
      asking: Resting(), policy: GeocodingPolicy(), clock: service.clock
    ).run(items, journal: &journal, using: &random) { _ in }
    guard case .stopped(.toldToStayAway(let until, "429")) = outcome.end else {
      Issue.record("\(outcome.end)")
      return
    }
    #expect(until >= start.advanced(by: .seconds(7200)))
    _ = try await run(items, service, &journal)
    // The next run waits for as long as a run waits at most.
    let first = try #require(service.asked.first)
    #expect(start.duration(to: first.at) >= .seconds(3600))
  }

  @Test func `a clock that is set back does not stall the queue`() throws {
    let now = Instant(seconds: 1_000)
    let record = GeocodingRecord(
      question: "a", outcome: .asked, attempts: 1, lastAsked: Instant(seconds: 9_000_000),
      nextTry: Instant(seconds: 9_000_100), lastFailure: "busy")
    let items = [UnplacedItem(id: 1, questions: ["a"]), UnplacedItem(id: 2, questions: ["b"])]
    var queue = GeocodingQueue(items, known: [record], policy: GeocodingPolicy(), at: now)
    guard case .wait(let until, _) = queue.next(at: now) else {
      Issue.record("asked at once")
      return
    }
    #expect(until <= now.advanced(by: .seconds(3600)))
    guard case .ask = queue.next(at: until) else {
      Issue.record("still waiting")
      return
    }
  }

  @Test func `answers of no such place last as long as is said, and failures until asked again`()
    throws
  {
    let then = Instant(seconds: 1_000), now = Instant(seconds: 100_000)
    let records = [
      GeocodingRecord(question: "none", outcome: .notFound, attempts: 1, lastAsked: then),
      GeocodingRecord(question: "lost", outcome: .failed("500"), attempts: 5, lastAsked: then),
    ]
    let items = [
      UnplacedItem(id: 1, questions: ["none"]), UnplacedItem(id: 2, questions: ["lost"]),
    ]
    var policy = GeocodingPolicy()
    var queue = GeocodingQueue(items, known: records, policy: policy, at: now)
    #expect(queue.next(at: now) == .finished)
    policy.notFoundLasts = .seconds(3600)
    policy.asksFailedAgain = true
    queue = GeocodingQueue(items, known: records, policy: policy, at: now)
    guard case .ask(let first) = queue.next(at: now) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(first.question == "none" && first.attempts == 1)
    #expect(queue.counts.pending == 2)
  }

  @Test func `a record that counts below zero waits as after a first failure`() throws {
    let now = Instant(seconds: 1_000)
    let record = GeocodingRecord(
      question: "a", outcome: .asked, attempts: -9, lastAsked: Instant(seconds: 1))
    var queue = GeocodingQueue(
      [UnplacedItem(id: 1, questions: ["a"])], known: [record], policy: GeocodingPolicy(), at: now)
    guard case .ask = queue.next(at: now) else {
      Issue.record("nothing is asked")
      return
    }
    var random = SeededGenerator(seed: 1)
    let next = queue.receive(.unavailable(reason: "busy", after: nil), at: now, using: &random)
      .record.nextTry
    // The first wait is 2 s, half of it by chance.
    let wait = now.duration(to: try #require(next))
    #expect((Duration.seconds(1)...Duration.seconds(2)).contains(wait))
  }
}
