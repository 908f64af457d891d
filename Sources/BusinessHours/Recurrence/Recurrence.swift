/// Something that recurs: a start, rules, single dates more and dates less.
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
  /// The reading from which the rules count; its time of day is theirs.
  public var start: LocalTime
  /// The rules; what any of them gives occurs.
  public var rules: [RecurrenceRule]
  /// Readings at which it occurs beside the rules.
  public var additions: [LocalTime]
  /// Readings at which it does not occur, whatever the rules say.
  public var exceptions: [LocalTime]
  /// Days on which it does not occur at all: `EXDATE` by date.
  public var exceptedDays: Set<Int>

  /// A recurrence of its parts.
  public init(
    start: LocalTime, rules: [RecurrenceRule] = [], additions: [LocalTime] = [],
    exceptions: [LocalTime] = [], exceptedDays: Set<Int> = []
  ) {
    self.start = start
    self.rules = rules
    self.additions = additions
    self.exceptions = exceptions
    self.exceptedDays = exceptedDays
  }

  /// Reads lines of iCalendar, or one rule alone, which then starts at `start`.
  ///
  /// Parameters of a line (`;TZID=…`, `;VALUE=DATE`) are passed over: readings are of the place's clock.
  ///
  /// - Parameter start: For texts without `DTSTART`; nil refuses them.
  /// - Throws: ``RecurrenceError``.
  public init(_ text: String, start: LocalTime? = nil) throws(RecurrenceError) {
    let length = text.utf8.count
    guard length <= RecurrenceRule.maximumLength else {
      throw RecurrenceError(reason: .tooLong(bytes: length))
    }
    var own = start
    var rules: [RecurrenceRule] = []
    var additions: [LocalTime] = []
    var exceptions: [LocalTime] = []
    var exceptedDays = Set<Int>()
    for line in text.split(whereSeparator: { $0.isNewline }) {
      // Nothing but a rule begins with FREQ.
      let upper = line.uppercased()
      guard let colon = upper.firstIndex(of: ":"), !upper.hasPrefix("FREQ=") else {
        rules.append(try RecurrenceRule(upper))
        continue
      }
      let name = upper[..<colon].prefix { $0 != ";" }
      let value = upper[upper.index(after: colon)...]
      func times() throws(RecurrenceError) -> [(time: LocalTime, isDate: Bool)] {
        var list: [(time: LocalTime, isDate: Bool)] = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
          guard let time = RecurrenceText.time(item) else {
            throw RecurrenceError(
              reason: .outOfRange(
                part: String(name), value: String(item.prefix(40)),
                range: "a date that exists, as 20261122 or 20261122T090000"))
          }
          list.append(time)
        }
        return list
      }
      switch name {
      case "RRULE": rules.append(try RecurrenceRule(String(value)))
      case "DTSTART": own = try times().first?.time
      case "RDATE": additions += try times().map(\.time)
      case "EXDATE":
        for (time, isDate) in try times() {
          if isDate { exceptedDays.insert(time.day) } else { exceptions.append(time) }
        }
      default: throw RecurrenceError(reason: .unexpected(String(name.prefix(40))))
      }
    }
    guard let own else { throw RecurrenceError(reason: .missing("DTSTART")) }
    guard !rules.isEmpty || !additions.isEmpty else {
      throw RecurrenceError(reason: .missing("RRULE"))
    }
    self.init(
      start: own, rules: rules, additions: additions, exceptions: exceptions,
      exceptedDays: exceptedDays)
  }

  /// The occurrences from one reading to before another, in order, each once.
  public func occurrences(
    from first: LocalTime, before end: LocalTime, limit: Int = 100_000
  ) -> [LocalTime] {
    var found = Set(additions.filter { $0 >= first && $0 < end })
    for rule in rules {
      found.formUnion(
        rule.occurrences(startingAt: start, from: first, before: end, limit: limit))
    }
    found.subtract(exceptions)
    return Array(found.filter { !exceptedDays.contains($0.day) }.sorted().prefix(limit))
  }

  /// Whether it occurs on a day, which is counted from 1970-01-01.
  public func occurs(on day: Int) -> Bool {
    !occurrences(
      from: LocalTime(day: day, secondOfDay: 0), before: LocalTime(day: day + 1, secondOfDay: 0)
    ).isEmpty
  }
}
