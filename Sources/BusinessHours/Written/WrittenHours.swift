/// Opening hours and closing days as people write them, read into the value that the
/// `opening_hours` language has for them.
///
///     let mart = WrittenHours("10:00~23:00", closingDays: "매월 둘째·넷째 일요일")
///     print(mart.hours)  // 10:00-23:00; Su[2,4] off
///     WrittenHours("９：００〜１８：００ 定休日：月曜（祝日の場合は翌日）").hours
///
/// Texts in the language itself are read as such; then Korean, Japanese and English. Every reading is certain,
/// or *unknown* with the words that were not understood as its comment and among ``doubts``: no
/// text makes an error. <doc:WrittenTexts> says what is read, what is left open, and how
/// often that happens with real texts.
public struct WrittenHours: Hashable, Sendable {
  /// How much of a text was understood.
  public enum Extent: Hashable, Sendable {
    /// Every word; days that the words themselves leave open are among the doubts.
    case whole
    /// Some of it: the closing days, or a part of them.
    case part
    /// Nothing that the value could be certain of.
    case none
  }

  /// The longest text that is read, in bytes.
  public static let maximumLength = 4096

  /// The value, *unknown* where it is not certain.
  ///
  /// Times that nobody states are *unknown* with the comment `hours not stated`, so that closing days alone
  /// close their days and leave the others unknown.
  public let hours: OpeningHours
  /// The parts that leave something open, in their order.
  public let doubts: [WrittenDoubt]
  /// How much was understood.
  public let extent: Extent

  /// Whether every word was understood.
  public var isUnderstood: Bool { extent == .whole }

  /// Reads a text of hours, and a text of closing days where the source has one of its own.
  ///
  /// - Parameters:
  ///   - text: Hours, closing days or both, in the `opening_hours` language, Korean, Japanese or
  ///     English.
  ///   - closingDays: A text in which days stand for being closed on them.
  /// - Complexity: O(length); a text longer than ``maximumLength`` is *unknown* unread.
  public init(_ text: String, closingDays: String = "") {
    if WrittenHours.isBlank(closingDays), let value = try? OpeningHours(text),
      !value.mayBeEnglish
    {
      self.init(hours: value, doubts: [], extent: .whole)
      return
    }
    if let tooLong = [text, closingDays].first(where: { $0.utf8.count > Self.maximumLength }) {
      let words = HoursComment.cleaned(
        String(tooLong.unicodeScalars.prefix(HoursComment.maximumLength)))
      let doubt = WrittenDoubt(text: words, column: 1, kind: .notUnderstood)
      self.init(hours: .unknown(words), doubts: [doubt], extent: .none)
      return
    }
    if WrittenHours.isBlank(closingDays), let market = MarketDays(text) {
      self.init(hours: OpeningHours(rules: market.rules), doubts: market.doubts, extent: .whole)
      return
    }
    var facts = WrittenFacts()
    if let value = try? OpeningHours(text), !value.mayBeEnglish {
      // Hours in the language, closing days in words.
      var reader = WrittenReader(closingDays, isOfClosingDays: true)
      facts = reader.read()
      self.init(facts, base: value.rules)
      return
    }
    if !WrittenHours.isBlank(text) {
      var reader = WrittenReader(text, isOfClosingDays: false)
      facts = reader.read()
    }
    if !WrittenHours.isBlank(closingDays) {
      var reader = WrittenReader(closingDays, isOfClosingDays: true)
      facts.add(reader.read())
    }
    self.init(facts, base: nil)
  }

  init(hours: OpeningHours, doubts: [WrittenDoubt], extent: Extent) {
    self.hours = hours
    self.doubts = doubts
    self.extent = extent
  }

  /// The value of what was read.
  init(_ facts: WrittenFacts, base: [HoursRule]?) {
    var rules = WrittenRules(facts)
    let hours = rules.hours(base: base)
    let isPartial = rules.doubts.contains {
      $0.kind == .notUnderstood || $0.kind == .contradiction || $0.kind == .otherWeekday
    }
    let saysNothing =
      facts.mayBeOtherwise || rules.hasContradiction || !facts.saysSomething && base == nil
    self.init(
      hours: hours, doubts: rules.doubts,
      extent: saysNothing ? .none : isPartial ? .part : .whole)
  }

  /// Whether a text names days on which a place is closed, or open all the same, be they certain or not.
  ///
  /// - Complexity: O(length).
  package static func namesClosingDays(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return true }
    var reader = WrittenReader(text, isOfClosingDays: true)
    let facts = reader.read()
    return !facts.closings.isEmpty || !facts.asUsual.isEmpty
  }

  package static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == " " || ($0.value >= 9 && $0.value <= 13) }
  }
}

extension WrittenFacts {
  /// What another text of the same place says, too.
  mutating func add(_ other: WrittenFacts) {
    hours += other.hours
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
  /// The value of rules that the program made.
  init(rules: [HoursRule]) {
    self.rules = rules
    warnings = []
    compiled = CompiledHours(rules)
  }

  /// Whether the text has its parts in the order of English, and the language takes them otherwise.
  ///
  /// It opens on the last of `closed Sun, Dec 13`, and never with `10:00-22:00 closed Mon`.
  fileprivate var mayBeEnglish: Bool {
    guard warnings.contains(where: { $0.kind == .order }) else { return false }
    let opensOnDays = rules.contains {
      $0.operator == .additional && $0.state == .open && $0.times.isEmpty && $0.comment == nil
    }
    return opensOnDays
      || rules.allSatisfy { $0.state == .closed } && rules.contains { !$0.times.isEmpty }
  }

  /// *Unknown* throughout, with some words.
  static func unknown(_ words: String) -> OpeningHours {
    OpeningHours(rules: [
      HoursRule(operator: .normal, days: [], times: [], state: .unknown, comment: words)
    ])
  }
}
