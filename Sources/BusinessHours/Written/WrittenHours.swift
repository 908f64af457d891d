/// Opening hours and closing days as people write them, converted to an `opening_hours` value.
///
///     let mart = WrittenHours("10:00~23:00", closingDays: "매월 둘째·넷째 일요일")
///     print(mart.hours)  // 10:00-23:00; Su[2,4] off
///     WrittenHours("９：００〜１８：００ 定休日：月曜（祝日の場合は翌日）").hours
///
/// Texts in the `opening_hours` language are read as such; all others as Korean, Japanese and
/// English. Every result is certain, or *unknown* with the words that were not understood as its
/// comment and among ``doubts``; no text causes an error. <doc:WrittenTexts> says what is read,
/// what is left undecided, and how often that happens with real texts.
public struct WrittenHours: Hashable, Sendable {
  /// How much of a text was understood.
  public enum Extent: Hashable, Sendable {
    /// Every word was understood; days that the words themselves leave undecided are among the doubts.
    case whole
    /// A part was understood: the closing days, or some of them.
    case part
    /// Nothing was understood with certainty.
    case none
  }

  /// The maximum length of a text, in bytes.
  public static let maximumLength = 4096

  /// The value; *unknown* where it is uncertain.
  ///
  /// Times that are not stated are *unknown* with the comment `hours not stated`. So a text with
  /// only closing days closes those days and leaves the others unknown.
  public let hours: OpeningHours
  /// The undecided parts, in order.
  public let doubts: [WrittenDoubt]
  /// How much of the text was understood.
  public let extent: Extent

  /// Reads a text of hours, and a text of closing days if the source has a separate one.
  ///
  /// - Parameters:
  ///   - text: Hours, closing days or both, in the `opening_hours` language, Korean, Japanese or
  ///     English.
  ///   - closingDays: A text whose days are closing days.
  /// - Complexity: O(length); a text longer than ``maximumLength`` is *unknown* unread.
  public init(_ text: String, closingDays: String = "") {
    let hasClosings = !WrittenHours.isBlank(closingDays)
    var value = try? OpeningHours(text)
    if value?.mayBeEnglish(saysAlways: text.contains("24/7")) == true { value = nil }
    if let value, !hasClosings {
      self.init(hours: value, doubts: [], extent: .whole)
      return
    }
    if let tooLong = [text, closingDays].first(where: { $0.utf8.count > Self.maximumLength }) {
      let words = HoursComment.cleaned(tooLong)
      let doubt = WrittenDoubt(text: words, kind: .notUnderstood)
      self.init(hours: .unknown(words), doubts: [doubt], extent: .none)
      return
    }
    if !hasClosings, let market = Self.market(text) {
      self = market
      return
    }
    if hasClosings, let days = Self.closedDays(closingDays) {
      let own = WrittenHours(text)
      self.init(
        hours: OpeningHours(rules: own.hours.rules + days), doubts: own.doubts,
        extent: own.extent == .whole ? .whole : .part)
      return
    }
    var base = value?.rules
    var facts = WrittenFacts()
    // The hours may be in the `opening_hours` language and the closing days in words.
    if value == nil, !WrittenHours.isBlank(text) {
      facts = WrittenReader.facts(of: text, isOfClosingDays: false)
    }
    if hasClosings {
      var closings = WrittenReader.facts(of: closingDays, isOfClosingDays: true)
      let own = WrittenHours(facts, base: base)
      if own.extent == .none, !own.doubts.isEmpty, !facts.mayOpenDays, closings.saysSomething {
        // These days are closed, whatever the times are.
        base = own.hours.rules
        closings.doubts = own.doubts + closings.doubts
        facts = closings
      } else {
        facts.add(closings)
      }
    }
    self.init(facts, base: base, isInLanguage: value != nil)
  }

  init(hours: OpeningHours, doubts: [WrittenDoubt], extent: Extent) {
    self.hours = hours
    self.doubts = doubts
    self.extent = extent
  }

  /// Makes the value from the facts of a text, and from the rules of times if it does not state them.
  init(_ facts: WrittenFacts, base: [HoursRule]?, isInLanguage: Bool = false) {
    var rules = WrittenRules(facts)
    let hours = rules.hours(base: base, isInLanguage: isInLanguage)
    let isPartial = rules.doubts.contains {
      $0.kind == .notUnderstood || $0.kind == .contradiction || $0.kind == .otherWeekday
    }
    let saysNothing =
      facts.mayBeOtherwise || rules.hasContradiction || !facts.saysSomething && base == nil
    self.init(
      hours: hours, doubts: rules.doubts,
      extent: saysNothing ? .none : isPartial ? .part : .whole)
  }

  /// Whether a text names days on which a place is closed, or open as usual, certain or not.
  ///
  /// - Complexity: O(length).
  package static func namesClosingDays(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return true }
    let facts = WrittenReader.facts(of: text, isOfClosingDays: true)
    return !facts.closings.isEmpty || !facts.asUsual.isEmpty || closedDays(text) != nil
  }

  /// Closing days in the words of the `opening_hours` language, `Mo,Su[2]`, as rules; nil for anything else.
  private static func closedDays(_ text: String) -> [HoursRule]? {
    guard text.utf8.contains(where: \.isASCIILetter),
      let value = try? OpeningHours(text.replacing(";", with: " off;") + " off"),
      value.warnings.isEmpty,
      value.rules.allSatisfy({ $0.state == .closed && $0.times.isEmpty && !$0.days.isEmpty })
    else { return nil }
    return value.rules
  }

  package static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == " " || ($0.value >= 9 && $0.value <= 13) }
  }
}

extension WrittenFacts {
  /// Adds the facts of another text about the same place.
  mutating func add(_ other: WrittenFacts) {
    hours += other.hours
    otherMonths |= other.otherMonths
    openDays += other.openDays
    closings += other.closings
    asUsual += other.asUsual
    doubts += other.doubts
    mayCloseMore = mayCloseMore || other.mayCloseMore
    mayBeOtherwise = mayBeOtherwise || other.mayBeOtherwise
    announced = announced ?? other.announced
    shut = shut ?? other.shut
    saysSomething = saysSomething || other.saysSomething
  }
}

extension OpeningHours {
  /// Whether the text has its parts as English has them, which the `opening_hours` language would read differently.
  ///
  /// Read as a value, `closed Sun, Dec 13` is open on its last day and `Closed Mon, 10-18` on Mondays,
  /// `10:00-22:00 closed Mon` and `Closed Sunday` are never open, `Mon-Fri` is open all night, `Mon 11:00-10:00` until
  /// the next morning, and `10am-10pm, Sun 11am-6pm` closes at 22:00 on Sundays, too. A value that is written as
  /// specified means what it says.
  ///
  /// - Parameter saysAlways: Whether days without times may be open all day, by `24/7`.
  fileprivate func mayBeEnglish(saysAlways: Bool) -> Bool {
    guard warnings.contains(where: \.kind.isOfSpelling) else { return false }
    let hasOrder = warnings.contains { $0.kind == .order }
    let hasOwnWords = warnings.contains { $0.kind == .wordForm }
    let hasShortHours = warnings.contains { $0.kind == .hourOfOneDigit }
    let hasDays = rules.contains { !$0.days.isEmpty }
    if rules.allSatisfy({ $0.state == .closed && !$0.days.isEmpty }) { return true }
    return rules.indices.contains { place in
      let (rule, before) = (rules[place], rules[..<place])
      if hasOwnWords || !hasDays || hasShortHours && rule.hasEarlierTimesBehind,
        rule.times.contains(where: { $0.mayBeOfTwelveHours(hasShortHours) })
      {
        return true
      }
      switch rule.state {
      case .unknown: return false
      case .closed:
        return hasOrder && !rule.times.isEmpty
          && !before.contains { $0.state == .open && $0.mayShareTimes(with: rule) }
      case .open where rule.times.isEmpty && rule.operator == .additional && hasOrder:
        return rule.comment == nil
      case .open
      where hasOwnWords && !saysAlways && rule.times.isEmpty && rule.weekdayMask != 0
        && rule.comment == nil:
        return true
      case .open:
        if rule.days.isEmpty, before.contains(where: { $0.state == .closed && $0.times.isEmpty }) {
          return true
        }
        // Only rules of its group: those behind the last `;` have other days or months.
        let group = before.lastIndex { $0.operator != .additional } ?? 0
        return rule.operator == .additional
          && before[group...].contains { $0.state == .open && $0.mayCover(rule) }
          || hasOrder && rule.hasTimesWithinOthers
      }
    }
  }
}

extension HoursRule {
  /// Whether two rules may apply to one day.
  private func mayShareDays(with other: HoursRule) -> Bool {
    weekdayMask == 0 || other.weekdayMask == 0 || weekdayMask & other.weekdayMask != 0
  }

  fileprivate func mayShareTimes(with other: HoursRule) -> Bool {
    mayShareDays(with: other)
      && (times.isEmpty || times.contains { span in other.times.contains { $0.overlaps(span) } })
  }

  /// Whether another rule may add nothing to this one.
  fileprivate func mayCover(_ other: HoursRule) -> Bool {
    mayShareDays(with: other) && !other.times.isEmpty
      && (times.isEmpty || other.times.allSatisfy { span in times.contains { span.lies(in: $0) } })
  }

  fileprivate var hasEarlierTimesBehind: Bool {
    zip(times, times.dropFirst()).contains { $1.start.nominal < $0.start.nominal }
  }

  /// Whether one of the times lies within another.
  var hasTimesWithinOthers: Bool {
    times.contains { span in times.contains { $0 != span && span.lies(in: $0) } }
  }
}

extension TimeSpan {
  /// Whether it may end in the evening on a clock of twelve hours, as `11:00-9:00`, but not `18:00-2:00` and
  /// `15:00-2:00`; or start in the afternoon, as `1:00-5:00`.
  ///
  /// - Parameter hasShortHours: Whether some hour has one digit; only then may those before 10 be of such a clock.
  fileprivate func mayBeOfTwelveHours(_ hasShortHours: Bool) -> Bool {
    guard case .clock(let start) = start, case .time(.clock(let end)) = end,
      (60..<780).contains(end), hasShortHours || end >= 600
    else { return false }
    return end > start
      ? hasShortHours && (60..<420).contains(start) : start < 1020 && end + 720 > start
  }

  fileprivate func lies(in other: TimeSpan) -> Bool {
    guard case .time = end, case .time = other.end else { return false }
    return other.start.nominal <= start.nominal && nominalEnd <= other.nominalEnd
  }
}

/// A part of a written text that leaves something undecided, in its own words.
public struct WrittenDoubt: Hashable, Sendable, CustomStringConvertible {
  /// What is undecided, as words about the text.
  public enum Kind: String, Hashable, Sendable {
    /// The words were not understood.
    case notUnderstood = "was not understood"
    /// The words have two meanings; days on which these differ are *unknown*.
    case ambiguous = "can be read in two ways"
    /// The words mention days without giving dates.
    case notDated = "does not say which days"
    /// A time may be on a clock of twelve hours: `5:00~9:00`.
    case halfOfDay = "may be in the morning or in the evening"
    /// The words close the place for a part of a day.
    case partOfDay = "closes a part of a day that it does not time"
    /// The words name holidays, some of which fall on a Sunday, and do not say what applies then.
    case sundays = "does not say what applies on Sundays"
    /// The words give empty times, such as `00:00~00:00`.
    case emptyTimes = "may mean all day or not at all"
    /// A date is given with a wrong weekday: `2026-12-13 (월)`.
    case otherWeekday = "has a date and a weekday that do not fit; correct one of the two"
    /// Two parts contradict each other.
    case contradiction = "contradicts the rest"
  }

  /// The original words.
  public var text: String
  /// The character position at which the words begin, from 1.
  public var column = 1
  /// What is undecided.
  public var kind: Kind

  /// One sentence.
  public var description: String { "column \(column): \"\(text)\" \(kind.rawValue)" }
}

/// Comments of rules; removes quotation marks, which would end the comment.
enum HoursComment {
  static let maximumLength = 80

  static func cleaned(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(maximumLength).map { scalar -> Unicode.Scalar in
      scalar == "\"" ? "'" : scalar.value < 0x20 ? " " : scalar
    }
    return String(String.UnicodeScalarView(plain))
  }
}

extension WrittenHours {
  /// The days of a Korean market that is held every five days, by the last digit of the day of the month: `2일+7일` names a
  /// digit and that digit plus five; nil if the text is something else.
  private static func market(_ text: String) -> WrittenHours? {
    guard text.utf8.count <= 64 else { return nil }
    let written = WrittenText(text)
    // Bit n is the digit n.
    var digits: UInt16 = 0
    for token in WrittenLexer(written).tokens {
      switch token.word {
      case .dayOfMonth(let day) where (1...10).contains(day): digits |= 1 << (day % 10)
      case .separator, .filler: continue
      default: return nil
      }
    }
    // Every digit needs its partner; a single date does not count.
    guard digits != 0, digits != 0b11111_11111, digits >> 5 == digits & 0b11111 else { return nil }
    let words = HoursComment.cleaned(text)
    var days: [DaySelector] = []
    days.reserveCapacity(12 * 3 * digits.nonzeroBitCount)
    for month in 1...12 {
      for day in 1...min(30, CivilDay.daysInMonth(2000, month))
      where digits >> (day % 10) & 1 == 1 {
        days.append(.dates(DateRange(month: month, day: day)))
      }
    }
    var rules = [HoursRule(days: [days], state: .unknown, comment: WrittenRules.notStated)]
    var doubts: [WrittenDoubt] = []
    if digits >> 1 & 1 == 1 {
      rules.append(HoursRule(days: [WrittenRules.everyMonth(31)], state: .unknown, comment: "31일"))
      doubts.append(WrittenDoubt(text: words, kind: .ambiguous))
    }
    return WrittenHours(hours: OpeningHours(rules: rules), doubts: doubts, extent: .whole)
  }
}
