import Geodesy
import MapAnnotations
import Synchronization
import NearbyTestSupport

/// A geocoding service on a clock of its own: it fails as it is told to, remembers when it was asked
/// what, and what it answered.
final class ModelService: Geocoder {
  struct Contents {
    var now = Instant(seconds: 1_800_000_000)
    var asked: [(question: String, at: Instant)] = []
    /// Questions that were answered with a position or none, as often as that was.
    var answered: [String: Int] = [:]
    var generator: SeededGenerator
    /// How many more questions are taken before the program is cut off; nil for no end.
    var crashesAfter: Int?
    var sleepsForward = 0
  }

  let identity = "model"
  let contents: Mutex<Contents>
  /// Of 100 questions, so many fail for a while.
  private let failing: Int

  init(seed: UInt64, failing: Int = 0) {
    contents = Mutex(Contents(generator: SeededGenerator(seed: seed)))
    self.failing = failing
  }

  var clock: GeocodingClock {
    GeocodingClock(
      now: { self.contents.withLock { $0.now } },
      sleep: { until in
        self.contents.withLock {
          // A sleep may take longer than it was asked to.
          let late = Int64.random(in: 0...3, using: &$0.generator)
          $0.now = max($0.now, until).advanced(by: .milliseconds(late))
          $0.sleepsForward += 1
        }
      })
  }

  var asked: [(question: String, at: Instant)] { contents.withLock { $0.asked } }

  func locate(_ question: String) async -> GeocodingAnswer {
    contents.withLock { contents in
      contents.asked.append((question, contents.now))
      let pause = Int64.random(in: 0...400, using: &contents.generator)
      contents.now = contents.now.advanced(by: .milliseconds(pause))
      if Int.random(in: 0..<100, using: &contents.generator) < failing {
        let asksForTime = Bool.random(using: &contents.generator)
        return .unavailable(reason: "busy", after: asksForTime ? .seconds(5) : nil)
      }
      let answer = ModelService.answer(question)
      switch answer {
      case .found, .notFound: contents.answered[question, default: 0] += 1
      case .refused, .unavailable: break
      }
      return answer
    }
  }

  /// What the service says to a question when it is well: `x` is unknown, `!` is refused.
  static func answer(_ question: String) -> GeocodingAnswer {
    if question.contains("x") { return .notFound }
    if question.contains("!") { return .refused(reason: "bad question") }
    let place = Double(question.utf8.reduce(0) { ($0 * 31 + Int($1)) % 8000 }) / 100
    guard let coordinate = try? Coordinate(latitude: place, longitude: -place) else {
      return .notFound
    }
    return .found(coordinate, label: question)
  }

  /// What an item comes to, by going through its questions one by one.
  static func expected(_ item: UnplacedItem) -> Coordinate? {
    for question in item.questions {
      if case .found(let coordinate, _) = answer(question) { return coordinate }
    }
    return nil
  }
}

/// Thrown where a program would end without warning.
struct Crash: Error {}

/// A journal that ends the program at a given write, before or after it is done.
final class CrashingJournal: GeocodingJournal {
  private(set) var rows = MemoryJournal()
  private(set) var writes = 0
  var crash: (write: Int, isDone: Bool)?

  func records(of geocoder: String) throws -> [GeocodingRecord] { rows.records(of: geocoder) }

  func save(_ record: GeocodingRecord, of geocoder: String) throws {
    let write = writes
    writes += 1
    if let crash, crash.write == write {
      if crash.isDone { rows.save(record, of: geocoder) }
      throw Crash()
    }
    rows.save(record, of: geocoder)
  }
}

/// Items with shared questions, several questions, and none.
enum ModelItems {
  static func make(_ count: Int, seed: UInt64) -> [UnplacedItem] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let questions = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        let word = String(Int.random(in: 0..<count, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: return "x" + word
        case 3: return "!" + word
        default: return "street " + word
        }
      }
      return UnplacedItem(id: AnnotationID(number), questions: questions)
    }
  }
}
