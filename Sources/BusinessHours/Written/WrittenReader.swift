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
  /// The months of the times that follow, as in ``WrittenFacts/Hours/months``.
  var season: UInt16 = 0
  /// Breaks, as far as they are read.
  var breaks: [Break] = []
  /// Days that the only times do not include.
  var exceptions: [WrittenFacts.Item] = []
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
    tokens = WrittenReader.settled(WrittenLexer(text).tokens, text, isOfClosingDays)
  }

  // MARK: Tokens

  /// The word at an index; nil before the first and behind the last.
  func word(_ place: Int) -> WrittenWord? {
    tokens.indices.contains(place) ? tokens[place].word : nil
  }

  /// The original words of a token.
  func written(_ place: Int) -> String { text.text(tokens[place].place) }

  /// The first character of a token, which tells signs apart.
  func sign(_ place: Int) -> Unicode.Scalar { text.scalars[tokens[place].place.lowerBound] }

  /// Whether a token directly follows the one before it.
  func touches(_ place: Int) -> Bool {
    place > 0 && tokens[place - 1].place.upperBound == tokens[place].place.lowerBound
  }

  /// Whether a token without further meaning is one of some particles or signs.
  func isFiller(_ place: Int, _ spellings: String...) -> Bool {
    word(place) == .filler && spellings.contains(written(place))
  }

  func isFullStop(_ place: Int) -> Bool {
    word(place) == .filler && [".", "。"].contains(sign(place))
  }

  func isDash(_ place: Int) -> Bool { word(place) == .dash || word(place) == .from }

  /// The index of the next token that is none of these words.
  func skipping(_ words: WrittenWord..., from place: Int) -> Int {
    var place = place
    while let word = word(place), words.contains(word) { place += 1 }
    return place
  }

  /// The index of the last token up to an index that is none of these words; −1 if there is none.
  func skippingBack(_ words: WrittenWord..., from place: Int) -> Int {
    var place = place
    while let word = word(place), words.contains(word) { place -= 1 }
    return place
  }

  /// The index of the next meaningful token, from an index on.
  func skippingFillers(_ place: Int) -> Int { skipping(.filler, from: place) }

  // MARK: Doubts

  /// Records words that were not understood.
  mutating func doubt(_ places: Range<Int>, _ kind: WrittenDoubt.Kind = .notUnderstood) {
    guard !places.isEmpty, let last = tokens[places].last else { return }
    var place = tokens[places.lowerBound].place.lowerBound..<last.place.upperBound
    if kind == .notUnderstood {
      place = text.wholeWords(place)
      // The rest of a word of which the first part is doubted already.
      if let before = facts.doubts.last, before.kind == kind, before.column <= place.lowerBound + 1,
        before.column - 1 + before.text.unicodeScalars.count >= place.upperBound
      {
        return
      }
    }
    doubt(at: place, kind)
  }

  /// Records the words at a place of the text.
  mutating func doubt(at place: Range<Int>, _ kind: WrittenDoubt.Kind) {
    facts.doubts.append(
      WrittenDoubt(
        text: HoursComment.cleaned(text.text(place)), column: place.lowerBound + 1, kind: kind))
  }

  /// Gives up on the whole text.
  mutating func giveUp(_ places: Range<Int>, _ kind: WrittenDoubt.Kind = .notUnderstood) {
    doubt(places, kind)
    facts.mayBeOtherwise = true
  }

  /// Gives up because of the words at a place of the text.
  mutating func giveUp(at place: Range<Int>) {
    doubt(at: place, .notUnderstood)
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
      case .clock, .allDay, .daylight: hasUntimedDay = false
      case .dash, .from, .until, .separator, .colon, .openBracket, .closeBracket, .filler,
        .everyWeek, .half,
        .partOfDay, .nextDay, .aside:
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
      .newYear, .bon, .everyOtherWeek, .occasion:
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
      let sign = sign(index)
      if sign == "+" || sign == ";" || sign == "/" { recentNths = 0 }
      if mode == .asUsual || sign == ";" { setOffDates(sign) }
      endClosedDays()
      index += 1
    case .but:
      setOff = tokens[index].place.lowerBound
      index += 1
    case .filler, .colon:
      if isFullStop(index) { endClosedDays() }
      index += 1
    case .other where isOfClosingDays: index += 1
    case .clock, .allDay, .daylight, .half, .partOfDay: readTimes()
    case .months(let months): readMonths(months)
    case .pause: readBreak()
    case .aside: readAside()
    case .except where text.isEnglish && mode == .hours: readEnglishException()
    case .except where isBehindList: readListException()
    case .noClosingDays: readNoClosingDays()
    case .announced:
      facts.saysSomething = true
      if isOfClosingDays, tokens.count == 1, ["임시휴관", "임시 휴관"].contains(written(0)) {
        facts.shut = written(0)
      }
      facts.announced = HoursComment.cleaned(written(index))
      openLabel = nil
      index += 1
    case .irregular:
      facts.saysSomething = true
      doubt(index..<index + 1, .notDated)
      facts.mayCloseMore = true
      index += 1
    case .shut,
      .closed where isOfClosingDays && tokens.count == 1:
      facts.saysSomething = true
      facts.shut = HoursComment.cleaned(written(index))
      index += 1
    case .closed: readClosed()
    case .openHours where isOfClosingDays, .openDays where isOfClosingDays: giveUpOnWord()
    case .openHours, .openDays: readOpen()
    case .asUsual: readAsUsual()
    case .openBracket: readBracket()
    case .closeBracket:
      if mode == .asUsual { endAsUsual() }
      index += 1
    case .unknown: if isOfClosingDays { readUnknownClosing() } else { readUnknown() }
    case .lastOrders: readLastOrders()
    case .feastDays, .theDay, .opens, .closes, .dash, .from, .until, .except, .including, .inCase,
      .coinciding, .other, .nextDay, .nextWorkday, .notClosed:
      giveUpOnWord()
    }
  }

  private mutating func finish() {
    flushHours()
    if hasDaysBehindTimes { joinShifts() }
    checkMonths()
    takeExceptions()
    takeBreaks()
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
    if written(index) == "休日", readHolidayWord() { return }
    let next = skippingFillers(index + 1)
    let after = word(next)
    if mode == .asUsual, !pending.isEmpty {
      // `정상영업 12/13, 12/25 휴무`: it is unclear which date is closed.
      if !isSetOff(index) { giveUp(index..<index + 1) }
      endAsUsual()
    }
    if !pending.isEmpty { return readClosedBehindDays(next) }
    if after == nil || after == .separator && !isSlashOfLabel(index + 1),
      word(index - 1)?.isClock == true
    {
      // `토 9-13 휴무`: it is unclear whether the place is open or closed then.
      giveUp(index..<index + 1)
    }
    flushHours()
    // `정기휴무 휴무일: 월요일` is one label.
    if let label = openLabel, skipping(.filler, .colon, from: label + 1) == index {
      openLabel = nil
    }
    endLabel()
    if !isOfClosingDays, tokens.count > 1, !isDenied(index) { openLabel = index }
    index += 1
    mode = .closings
    hasLabel = true
    recentNths = 0
  }

  /// Reads a word for closed behind its days, unless other days follow directly.
  ///
  /// - Parameter next: The index of the next meaningful token.
  private mutating func readClosedBehindDays(_ next: Int) {
    // A label already closed these days: `休み 日曜休み`.
    if mode == .closings, !isOfClosingDays, hasLabel { return giveUpOnWord() }
    let after = word(next)
    // `월요일: 휴무, 화요일: 10:00~20:00` and `토일 휴무 매일 11:00~21:00` are clear.
    let isClear =
      word(index - 1) == .colon
      || !hasLabel && (after == .weekdays(0x7F, excludesHolidays: false) || isClosedList(next))
    if !isOfClosingDays, after == .colon || isDay(after) && !isClear { return giveUpOnWord() }
    // In `일요일; 휴관일 없음`, two columns of closing days, the second has a label.
    if isDenied(index), !(isOfClosingDays && isSetOff(index)) {
      let start = index
      index = min(next + 1, tokens.count)
      return giveUp(start..<index)
    }
    openRangeBeforeClosed()
    closePending()
    index += 1
    if !isOfClosingDays { mode = .hours }
  }

  private static let listCommas: Set<Unicode.Scalar> = [",", "，", "、"]

  /// In `Mon-Sat, Sunday closed` and `월~토, 일 휴무` only the last is closed, unless other days have times: a shop that is
  /// closed on all of them would give one range.
  private mutating func openRangeBeforeClosed() {
    let timed = facts.hours + [current].compactMap(\.self)
    guard !timed.contains(where: \.namesDays), let last = pending.last, last.certainWeekdays != 0,
      let range = pending.dropLast().last(where: {
        $0.certainWeekdays.nonzeroBitCount > 2 && !$0.excludesHolidays
      }),
      !Self.listCommas.isDisjoint(
        with: text.text(range.place.upperBound..<last.place.lowerBound).unicodeScalars)
    else { return }
    if pending.count == 2, timed.isEmpty, !isOfClosingDays {
      facts.openDays.append(pending.removeFirst())
    } else {
      doubtPending(.ambiguous)
    }
  }

  mutating func readOpen() {
    let isDays = tokens[index].word == .openDays
    facts.saysSomething = true
    if mode == .asUsual { endAsUsual() }
    endLabel()
    if mode == .closings, !pending.isEmpty, !isSetOff(index),
      [nil, .separator, .closeBracket].contains(word(skippingFillers(index + 1)))
    {
      // `휴관일: 주말만 운영`.
      return giveUpOnWord()
    }
    flushPendingClosings()
    if !pending.isEmpty, mode == .hours {
      if isLimiting(index) {
        // `주말만 영업 11:00~20:00`.
        index += 1
        return
      }
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

  /// Whether the place opens only on the days before a word for open, at the times behind it.
  private func isLimiting(_ place: Int) -> Bool {
    let next = word(place + 1) == .openBracket ? place + 2 : place + 1
    return isFiller(place - 1, "만", "のみ", "だけ") && isTimeAhead(next)
  }

  /// Finishes the days that a label closed.
  mutating func flushPendingClosings() { if mode == .closings { closePending() } }

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
      .newYear?, .bon?, .everyOtherWeek?, .everyWeek?:
      true
    default: false
    }
  }
}
