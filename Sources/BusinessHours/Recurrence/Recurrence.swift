import Geodesy

/// A recurring event: a start, rules, additional dates and exceptions.
///
///     let market = try Recurrence(
///       """
///       DTSTART:20260103T090000
///       RRULE:FREQ=WEEKLY;BYDAY=SA
///       EXDATE:20260214T090000
///       """)
///     market.occurs(on: LocalTime(year: 2026, month: 2, day: 7).day)   // true
///     market.occurs(on: LocalTime(year: 2026, month: 2, day: 14).day)  // false
///
/// Source: RFC 5545, sections 3.8.2.4 (DTSTART), 3.8.5.1 (EXDATE), 3.8.5.2 (RDATE) and 3.8.5.3 (RRULE).
public struct Recurrence: Hashable, Sendable {
  /// The local time from which the rules count; it sets their time of day.
  public var start: LocalTime { didSet { settle() } }
  /// The rules; the event occurs whenever any of them matches.
  public var rules: [RecurrenceRule] { didSet { settle() } }
  /// Additional local times at which the event occurs.
  public var additions: [LocalTime]
  /// Local times at which the event does not occur, whatever the rules say.
  public var exceptions: [LocalTime]
  /// Whole days without the event: `EXDATE` with a date.
  public var exceptedDays: Set<Int>
  /// How many days each occurrence covers, counted from the day on which it starts; at least 1.
  public var days = 1 {
    didSet { precondition(days >= 1, "an occurrence of \(days) days; at least 1") }
  }
  /// The rules with the last occurrence instead of a count, so that answers need no counting.
  private var settled: [RecurrenceRule] = []

  /// How many days and occurrences are examined to find the last occurrence allowed by `COUNT`,
  /// over all rules of a recurrence: 68 years of daily events.
  public static let maximumSteps = 50_000
  /// The most days that an occurrence in a text may cover.
  public static let maximumDays = 366
  /// The maximum number of rules in a text; RFC 5545 recommends one.
  public static let maximumRules = 16

  /// Makes a recurrence from its parts.
  public init(
    start: LocalTime, rules: [RecurrenceRule] = [], additions: [LocalTime] = [],
    exceptions: [LocalTime] = [], exceptedDays: Set<Int> = []
  ) {
    self.start = start
    self.rules = rules
    self.additions = additions
    self.exceptions = exceptions
    self.exceptedDays = exceptedDays
    settle()
  }

  /// Replaces the count of each rule by its last occurrence, unless that is beyond ``maximumSteps``.
  private mutating func settle() {
    var steps = 0
    settled = rules.map { rule in
      guard rule.count != nil else { return rule }
      var all = RecurrenceOccurrences(
        rule, startingAt: start, maximumSteps: max(0, Self.maximumSteps - steps))
      var last = LocalTime(seconds: start.seconds - 1)
      while let time = all.next() { last = time }
      steps += all.steps
      var settled = rule
      guard !all.isGivenUp else {
        // A rule that has found nothing in all these steps never occurs; its count does not matter.
        if steps == all.steps, last < start { settled.count = nil }
        return settled
      }
      settled.count = nil
      settled.until = last
      return settled
    }
  }

  /// Parses lines of iCalendar, or a single rule that starts at `start`.
  ///
  /// All times are local to the place: other parameters of a line (`;TZID=…`, `;VALUE=DATE`) and lines `X-…` are
  /// ignored. A time in UTC, which ends in `Z`, is converted if the start is in a zone of Korea or Japan. Otherwise it
  /// is refused, except in `UNTIL`: there it counts as local or, if it is midnight and the start is a date, as a date.
  /// `DTEND` or `DURATION` sets ``days`` if an occurrence is longer than a day; an end before the start is refused.
  ///
  /// - Parameters:
  ///   - text: The lines, or the rule.
  ///   - start: For texts without `DTSTART`; if nil, such texts are refused.
  /// - Throws: ``RecurrenceError``.
  public init(_ text: String, start: LocalTime? = nil) throws(RecurrenceError) {
    let length = text.utf8.count
    guard length <= RecurrenceRule.maximumLength else {
      throw RecurrenceError(reason: .tooLong(bytes: length))
    }
    self = try RecurrenceLines(text, start: start).recurrence()
    if let count = settled.lazy.compactMap(\.count).first {
      throw RecurrenceError(reason: .countTooFar(count))
    }
  }

  /// The recurrence whose ends in UTC are as clocks read them that are some seconds ahead of UTC.
  package func ending(withClocksAhead seconds: Int) -> Recurrence {
    var local = self
    local.rules = rules.map { $0.withLocalEnd(clocksAhead: seconds) }
    return local
  }

  /// The occurrences from `first` up to but not including `end`, in order and without duplicates; at most `limit`.
  public func occurrences(
    from first: LocalTime, before end: LocalTime, limit: Int = 100_000
  ) -> [LocalTime] {
    var found = Set(additions.filter { $0 >= first && $0 < end })
    found.subtract(exceptions)
    let left = Set(exceptions)
    for rule in settled {
      var count = 0
      for time in RecurrenceOccurrences(rule, startingAt: start, from: first, before: end) {
        guard count < limit else { break }
        guard time >= first, !left.contains(time), !exceptedDays.contains(time.day) else {
          continue
        }
        count += 1
        found.insert(time)
      }
    }
    return Array(found.filter { !exceptedDays.contains($0.day) }.sorted().prefix(max(0, limit)))
  }

  /// Whether an occurrence covers a day, given in days since 1970-01-01.
  public func occurs(on day: Int) -> Bool {
    day < .max && firstDay(from: day, before: day + 1) != nil
  }

  /// The first day from `first` up to but not including `end` that an occurrence covers, in days since 1970-01-01.
  ///
  /// - Complexity: O(days of a period) for a rule that occurs in its next period; O(days in the range) for rules that
  ///   occur seldom or never.
  public func firstDay(from first: Int, before end: Int) -> Int? {
    // What covers a day may have started before it.
    firstStart(from: max(first, .min + days) - (days - 1), before: end).map { max($0, first) }
  }

  /// The first day of a range on which an occurrence starts.
  private func firstStart(from first: Int, before end: Int) -> Int? {
    let left = Set(exceptions)
    var best = end
    func take(_ time: LocalTime) {
      guard time.day >= first, time.day < best, !left.contains(time),
        !exceptedDays.contains(time.day)
      else { return }
      best = time.day
    }
    additions.forEach(take)
    for rule in settled {
      var day = first
      while day < best {
        // Skip an excepted day as a whole: it may have an occurrence every second.
        var all = RecurrenceOccurrences(
          rule, startingAt: start, from: LocalTime(day: day, secondOfDay: 0),
          before: LocalTime(day: best, secondOfDay: 0))
        var next: LocalTime?
        repeat { next = all.next() } while next.map { $0.day < day || left.contains($0) } ?? false
        guard let next else { break }
        take(next)
        day = next.day + 1
      }
    }
    return best < end ? best : nil
  }
}

/// An error in a recurrence: what is wrong, where, and what to write instead.
public struct RecurrenceError: CodedError, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The text is longer than ``RecurrenceRule/maximumLength`` bytes.
    case tooLong(bytes: Int)
    /// A part is missing.
    case missing(String)
    /// A part is not defined in RFC 5545, or occurs twice.
    case unexpected(String)
    /// A value is not allowed for its part.
    case outOfRange(part: String, value: String, range: String)
    /// Two parts exclude each other.
    case excluded(String, with: String)
    /// There are more rules than ``Recurrence/maximumRules``.
    case tooManyRules
    /// The last occurrence of a count is beyond ``Recurrence/maximumSteps``.
    case countTooFar(Int)
  }

  /// What is wrong.
  public var reason: Reason

  static func outOfRange(
    _ part: String, _ value: some StringProtocol, _ range: String
  ) -> RecurrenceError {
    RecurrenceError(reason: .outOfRange(part: part, value: String(value.prefix(40)), range: range))
  }

  /// The code: `recurrence-syntax`, or `recurrence-limit` for a valid text beyond a limit.
  public var code: String {
    switch reason {
    case .tooLong, .tooManyRules, .countTooFar: "recurrence-limit"
    default: "recurrence-syntax"
    }
  }

  /// One sentence whose last words say what to do.
  public var description: String {
    switch reason {
    case .tooLong(let bytes):
      "the recurrence has \(bytes) bytes; write at most \(RecurrenceRule.maximumLength)"
    case .missing("DTSTART"):
      "the recurrence has no DTSTART; begin with one, such as DTSTART:20261122T090000"
    case .missing(let part): "the recurrence has no \(part); begin with FREQ=WEEKLY or the like"
    case .unexpected(let part):
      "the recurrence has \"\(part)\", which is unknown or appears twice; leave it out"
    case .outOfRange(let part, let value, let range):
      "\(part) holds \"\(value)\"; write \(range)"
    case .tooManyRules:
      "the recurrence has more than \(Recurrence.maximumRules) rules; write them as separate recurrences"
    case .countTooFar(let count):
      "COUNT=\(count) takes more than \(Recurrence.maximumSteps) days and occurrences to reach; write a smaller COUNT or UNTIL"
    case .excluded(let part, let other): "\(part) does not go with \(other); leave one out"
    }
  }
}
