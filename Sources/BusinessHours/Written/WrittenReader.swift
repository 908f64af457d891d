/// Reads the tokens of a text and collects its facts.
struct WrittenReader {
  enum Mode {
    /// Reading days and times when the place opens.
    case hours
    /// Reading the only days on which the place opens.
    case openDays
    /// Reading closing days.
    case closings
    /// Reading dates on which the place opens although they may be closing days.
    case asUsual
  }

  let text: WrittenText
  let tokens: [WrittenLexer.Token]
  /// Whether the text is from a column of closing days, where every word counts.
  let isOfClosingDays: Bool
  var index = 0
  var mode: Mode
  var facts = WrittenFacts()
  /// Days that wait for their times or for the word that closes them.
  var pending: [WrittenFacts.Item] = [] {
    didSet { if pending.isEmpty { limit = nil } }
  }
  /// The place of unknown words before the pending days, which may limit them or name something else.
  var limit: Range<Int>?
  var nths: UInt16 = 0
  var saysEveryWeek = false
  /// The nths of the previous weekday, unless a sign separates the next one from it.
  var recentNths: UInt16 = 0
  var current: WrittenFacts.Hours?
  var isPartOfDay = false
  /// The part of the day whose times follow after their days: `夜　平日：5:30〜`.
  var partBefore: DayPart?
  /// Whether the current hours are those of a part of the day, which names their days: `ランチ（平日）11:30〜14:00`.
  var hasDaysOfPart = false
  /// Whether times have their days behind them: `10:00~18:00(월~토)`.
  var hasDaysBehindTimes = false
  /// The previous date, and the index of the token after it.
  var lastDate: (date: NamedDate, end: Int)?
  /// Whether a label that closes or opens days came before them.
  var hasLabel = false
  /// The index of a label for closed that has no days yet.
  var openLabel: Int?
  /// The position of the last `;` or bracket, which separates dates from those before it.
  var setOff = 0

  /// The facts of a text.
  static func facts(of text: String, isOfClosingDays: Bool) -> WrittenFacts {
    var reader = WrittenReader(text, isOfClosingDays: isOfClosingDays)
    return reader.read()
  }

  private init(_ written: String, isOfClosingDays: Bool) {
    text = WrittenText(written)
    self.isOfClosingDays = isOfClosingDays
    mode = isOfClosingDays ? .closings : .hours
    tokens = WrittenReader.joined(WrittenLexer(text).tokens, text, isOfClosingDays)
  }

  func word(_ place: Int) -> WrittenWord? { place < tokens.count ? tokens[place].word : nil }

  /// The index of the next meaningful token, from an index on.
  func skippingFillers(_ place: Int) -> Int {
    var place = place
    while let word = word(place), word == .filler { place += 1 }
    return place
  }

  // MARK: Doubts

  /// Records words that were not understood.
  mutating func doubt(
    _ places: Range<Int>, _ kind: WrittenDoubt.Kind = .notUnderstood
  ) {
    guard !places.isEmpty, let last = tokens[places].last else { return }
    doubt(at: tokens[places.lowerBound].place.lowerBound..<last.place.upperBound, kind)
  }

  /// Records the words at a place of the text.
  mutating func doubt(at place: Range<Int>, _ kind: WrittenDoubt.Kind) {
    facts.doubts.append(
      WrittenDoubt(
        text: HoursComment.cleaned(text.text(place)), column: place.lowerBound + 1, kind: kind))
  }

  /// Gives up on the whole text.
  mutating func giveUp(_ places: Range<Int>) {
    doubt(places)
    facts.mayBeOtherwise = true
  }

  /// Gives up because of the next word, and passes it.
  mutating func giveUpOnWord() {
    giveUp(index..<index + 1)
    index += 1
  }

  /// Takes words if they are next.
  mutating func take(_ words: WrittenWord...) -> Bool {
    for (offset, expected) in words.enumerated() where word(index + offset) != expected {
      return false
    }
    index += words.count
    return true
  }

  // MARK: Main loop

  private mutating func read() -> WrittenFacts {
    while index < tokens.count {
      let start = index
      step()
      // Every step must consume a token.
      if index == start { giveUpOnWord() }
    }
    finish()
    facts.mayOpenDays = namesMoreThanTimes
    return facts
  }

  /// Whether there are words about days other than weekdays with their times: `공휴일은 영업`, `일요일도 영업`, `12/13`.
  private var namesMoreThanTimes: Bool {
    var hasUntimedDay = false
    for place in tokens.indices {
      switch tokens[place].word {
      case .weekdays: hasUntimedDay = hasUntimedDay || !isEndOfWord(place)
      case .clock, .allDay: hasUntimedDay = false
      case .dash, .from, .until, .separator, .colon, .open, .close, .filler, .everyWeek, .half,
        .partOfDay, .nextDay:
        continue
      case .unknown, .openHours, .pause, .lastOrders: if hasUntimedDay { return true }
      default: return true
      }
    }
    return hasUntimedDay
  }

  mutating func step() {
    switch tokens[index].word {
    case .weekdays, .nths, .publicHolidays, .nationalDays, .substitutes, .feast, .date, .dayOfMonth,
      .newYear,
      .bon, .everyOtherWeek, .occasion:
      facts.saysSomething = true
      readItem()
    case .everyWeek:
      // `둘째, 매주 월요일`: the second of what?
      if nths != 0, !tokens[index].place.isEmpty {
        giveUp(index..<index + 1)
        nths = 0
      }
      saysEveryWeek = true
      recentNths = 0
      index += 1
    case .separator:
      let sign = text.scalars[tokens[index].place.lowerBound]
      if sign == "+" || sign == ";" || sign == "/" { recentNths = 0 }
      if mode == .asUsual || sign == ";" { setOffDates(sign) }
      endClosedDays()
      index += 1
    case .but:
      setOff = tokens[index].place.lowerBound
      index += 1
    case .filler, .colon:
      if tokens[index].isFullStop(of: text) { endClosedDays() }
      index += 1
    case .other where isOfClosingDays: index += 1
    case .clock, .allDay, .half, .partOfDay: readTimes()
    case .noClosingDays: readNoClosingDays()
    case .announced:
      facts.saysSomething = true
      if isOfClosingDays, tokens.count == 1, ["임시휴관", "임시 휴관"].contains(text.text(tokens[0].place))
      {
        facts.shut = text.text(tokens[0].place)
      }
      facts.announced = HoursComment.cleaned(text.text(tokens[index].place))
      openLabel = nil
      index += 1
    case .irregular:
      facts.saysSomething = true
      doubt(index..<index + 1, .notDated)
      facts.mayCloseMore = true
      index += 1
    case .shut:
      facts.saysSomething = true
      facts.shut = HoursComment.cleaned(text.text(tokens[index].place))
      index += 1
    case .closed: readClosed()
    case .openHours, .openDays: readOpen()
    case .asUsual: readAsUsual()
    case .open: readBracket()
    case .close:
      if mode == .asUsual { endAsUsual() }
      index += 1
    case .unknown: readUnknown()
    case .lastOrders: readLastOrders()
    case .feastDays, .theDay, .pause, .dash, .from, .until, .except, .including, .inCase,
      .coinciding, .other, .nextDay, .nextWorkday, .notClosed:
      giveUpOnWord()
    }
  }

  private mutating func finish() {
    flushHours()
    if hasDaysBehindTimes { joinShifts() }
    endLabel()
    defer { if hasTimesWithoutDays { giveUp(0..<tokens.count) } }
    if nths != 0 { giveUp(max(0, tokens.count - 1)..<tokens.count) }
    guard !pending.isEmpty else { return }
    switch mode {
    case .closings: closePending()
    case .openDays: facts.openDays += pending
    case .asUsual: takeAsUsual(0)
    case .hours:
      if pending.allSatisfy({ $0.days == .weekdays(0x7F, nths: 0) }) {
        // `매일`: open every day, at unstated times.
        facts.openDays += pending
      } else {
        // Days with neither times nor a word for closing.
        giveUp(0..<tokens.count)
      }
    }
    pending = []
  }

  /// Finishes the times collected so far.
  mutating func flushHours() {
    if let current { facts.hours.append(current) }
    current = nil
  }

  // MARK: Labels

  /// Reads `定休日` and similar words, before or after the days.
  private mutating func readClosed() {
    facts.saysSomething = true
    if text.text(tokens[index].place) == "休日", readHolidayWord() { return }
    let next = skippingFillers(index + 1)
    let after = word(next)
    if isOfClosingDays, pending.isEmpty, facts.closings.isEmpty, tokens.count == 1 {
      facts.shut = HoursComment.cleaned(text.text(tokens[index].place))
      index += 1
      return
    }
    if mode == .asUsual, !pending.isEmpty {
      // `정상영업 12/13, 12/25 휴무`: it is unclear which date is closed.
      if !isSetOff(index) { giveUp(index..<index + 1) }
      endAsUsual()
    }
    if case .closings = mode, !isOfClosingDays, !pending.isEmpty, hasLabel {
      // A label already closed these days: `休み 日曜休み`.
      giveUpOnWord()
      return
    }
    if !pending.isEmpty {
      // After its days, unless other days follow directly.
      // `월요일: 휴무, 화요일: 10:00~20:00` and `토일 휴무 매일 11:00~21:00` are clear.
      let isClear =
        index > 0 && tokens[index - 1].word == .colon
        || !hasLabel && after == .weekdays(0x7F, excludesHolidays: false)
      if !isOfClosingDays, after == .colon || isDay(after) && !isClear {
        giveUpOnWord()
        return
      }
      // In `일요일; 휴관일 없음`, two columns of closing days, the second has a label.
      if isDenied(index), !(isOfClosingDays && isSetOff(index)) {
        let end = min(next + 1, tokens.count)
        giveUp(index..<end)
        index = end
        return
      }
      closePending()
      index += 1
      if !isOfClosingDays { mode = .hours }
      return
    }
    if after == nil || after == .separator && !isSlashOfLabel(index + 1), index > 0,
      case .clock = tokens[index - 1].word
    {
      // `토 9-13 휴무`: it is unclear whether the place is open or closed then.
      giveUp(index..<index + 1)
    }
    flushHours()
    // `정기휴무 휴무일: 월요일` is one label.
    if let label = openLabel,
      tokens[label + 1..<index].allSatisfy({ [.filler, .colon].contains($0.word) })
    {
      openLabel = nil
    }
    endLabel()
    if !isOfClosingDays, tokens.count > 1, !isDenied(index) { openLabel = index }
    index += 1
    mode = .closings
    hasLabel = true
    recentNths = 0
  }

  mutating func readOpen() {
    let isDays = tokens[index].word == .openDays
    if isOfClosingDays {
      giveUpOnWord()
      return
    }
    facts.saysSomething = true
    if mode == .asUsual { endAsUsual() }
    endLabel()
    if mode == .closings, !pending.isEmpty, !isSetOff(index),
      [nil, .separator, .close].contains(word(skippingFillers(index + 1)))
    {
      // `휴관일: 주말만 운영`.
      giveUpOnWord()
      return
    }
    flushPendingClosings()
    if !pending.isEmpty, mode == .hours {
      // `日曜 営業`: open on Sundays, at unstated times.
      giveUp(index..<index + 1)
    }
    if mode == .openDays {
      facts.openDays += pending
      pending = []
    }
    flushHours()
    mode = isDays ? .openDays : .hours
    hasLabel = false
    index += 1
  }

  /// Finishes the days that a label closed.
  mutating func flushPendingClosings() {
    if mode == .closings { closePending() }
  }

  /// Makes the pending days closing days.
  mutating func closePending() {
    if partBefore != nil {
      // `夜は月曜休み`: only a part of the day is closed.
      doubtPending(.partOfDay)
      partBefore = nil
    }
    facts.closings += pending
    pending = []
  }

  /// Leaves undecided whether the pending days from an index on are meant.
  mutating func doubtPending(from first: Int = 0, _ kind: WrittenDoubt.Kind) {
    for place in pending.indices.dropFirst(first) where !pending[place].isUncertain {
      pending[place].isUncertain = true
      doubt(at: pending[place].place, kind)
    }
  }

  func isDay(_ word: WrittenWord?) -> Bool {
    switch word {
    case .weekdays?, .nths?, .publicHolidays?, .nationalDays?, .feast?, .date?, .dayOfMonth?,
      .newYear?, .bon?,
      .everyOtherWeek?, .everyWeek?:
      true
    default: false
    }
  }

  // MARK: Unknown words

  private mutating func readUnknown() {
    let start = index
    if isOfClosingDays {
      readUnknownClosing()
      return
    }
    while let word = word(index), word == .unknown || word == .filler || isEndOfWord(index) {
      index += 1
    }
    let place = tokens[start].place.lowerBound..<tokens[index - 1].place.upperBound
    let isInBrackets = start > 0 && tokens[start - 1].word == .open
    // In another language, any word may concern days: `lundi`, `weather permitting`.
    let isForeign = text.isForeign && text.scalars[place].contains(where: WrittenLexer.isLatin)
    if !isForeign, !isInBrackets, closesUnknownDays(start) { return }
    if text.scalars[place].contains(where: WrittenReader.isOfTime) || !pending.isEmpty
      || isInBrackets || isForeign || isUse(text.scalars[place], behind: start)
      || labelsOther(start)
    {
      giveUp(start..<index)
    } else {
      limitDays(behind: start)
    }
  }

  /// Whether the times are for using something, not for opening: `9:00〜17:00 利用可`.
  private func isUse(_ words: ArraySlice<Unicode.Scalar>, behind start: Int) -> Bool {
    guard start > 0, words.contains("用") else { return false }
    switch tokens[start - 1].word {
    case .clock, .until, .filler: return true
    default: return false
    }
  }

  /// Reads an unknown part of a list of closing days: it may close more days, or open some if its words allow that.
  private mutating func readUnknownClosing() {
    let start = index
    let isBehindItem = start > 0 && tokens[start - 1].word != .separator
    var depth = 0
    var mayOpen = false
    while let word = word(index) {
      if depth == 0, word == .separator { break }
      switch word {
      case .open: depth += 1
      case .close: depth -= 1
      case .except, .including, .inCase, .coinciding, .but, .openHours, .openDays, .closed,
        .asUsual, .notClosed:
        mayOpen = true
      case .weekdays(1 << 6, excludesHolidays: false) where index > start && isGlued(index):
        // The last syllable of a named day such as `정기청소일`.
        break
      case let word where isDay(word):
        // `짝수주 토`, `11～4月は土曜`: a condition on days, perhaps also on the days after it.
        mayOpen = true
      case .occasion:
        // The name of a day, with its date in brackets.
        if let date = bracketedDates(index + 1) {
          facts.closings.append(
            WrittenFacts.Item(days: .dates(date.ranges), place: tokens[start].place))
          index = date.end
          return
        }
      default: break
      }
      index += 1
      if depth < 0 { break }
    }
    let place = tokens[start].place.lowerBound..<tokens[index - 1].place.upperBound
    let words = text.text(place)
    for room in ["실", "방", "만", "층", "관 "] where words.contains(room) { mayOpen = true }
    if text.scalars[place].contains(where: WrittenText.isDigit) { mayOpen = true }
    if isBehindItem || mayOpen {
      giveUp(start..<index)
    } else {
      doubt(start..<index)
      facts.mayCloseMore = true
    }
  }

  /// Whether a character directly follows an unknown word.
  func isGlued(_ place: Int) -> Bool {
    place > 0 && tokens[place].place.count == 1 && tokens[place - 1].word == .unknown
      && tokens[place - 1].place.upperBound == tokens[place].place.lowerBound
  }

  /// Whether a weekday is only a syllable within an unknown word: `전화문의`, `周二至周日`.
  private func isEndOfWord(_ place: Int) -> Bool {
    word(place)?.singleWeekday != nil && (isGlued(place) || isDayOfName(place))
  }

  /// Whether `日` belongs to the name of a day: `敬老の日`, `三が日`.
  private func isDayOfName(_ place: Int) -> Bool {
    guard place > 1, text.text(tokens[place].place) == "日",
      ["の", "が"].contains(text.text(tokens[place - 1].place)), tokens[place - 2].word == .unknown
    else { return false }
    return tokens[place - 2].place.upperBound == tokens[place - 1].place.lowerBound
      && tokens[place - 1].place.upperBound == tokens[place].place.lowerBound
  }

  /// Whether a character may belong to words about times, days or seasons; an unknown word without
  /// such a character says nothing about hours.
  static func isOfTime(_ scalar: Unicode.Scalar) -> Bool {
    timeScalars.contains(scalar) || WrittenText.isDigit(scalar)
  }

  private static let timeScalars = Set<Unicode.Scalar>(
    """
    日月火水木金土曜祝祭休営業時分年週毎前後朝昼夜夕開閉終始予約受付限季期冬夏春秋変定平臨完切通内以外他頃迄から\
    ランチディナモグオープラスカフェ휴업영운개폐시분요주월화수목금토일공매당연전후야간계절동하변경예약접수마감
    """.unicodeScalars)
}
