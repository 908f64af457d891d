/// Splits a written text into words, longest match first; spaces inside a word are ignored.
struct WrittenLexer {
  struct Token {
    var word: WrittenWord
    var place: Range<Int>
  }

  let text: WrittenText
  var index = 0
  var tokens: [Token] = []

  init(_ text: WrittenText) {
    self.text = text
    let scalars = text.scalars
    while index < scalars.count {
      if scalars[index] == " " {
        index += 1
        continue
      }
      let isASCII = scalars[index].value < 0x80
      if readAside() || readMonths() { continue }
      if isASCII, readCompactTimes() || readDates() || readBareRange() { continue }
      let start = index
      if let word = numeral() ?? (isASCII ? englishWord() : nil) ?? lexeme() {
        tokens.append(Token(word: word, place: start..<index))
        continue
      }
      index = max(index + 1, number(index)?.end ?? 0)
      tokens.add(Token(word: .unknown, place: start..<index))
    }
  }

  /// Takes the text up to a place as one word.
  mutating func take(_ word: WrittenWord, until end: Int) {
    tokens.append(Token(word: word, place: index..<end))
    index = end
  }

  /// The word at a place ahead, and where it ends.
  ///
  /// - Parameter isAhead: As in ``lexeme(isAhead:)``.
  func word(at place: Int, isAhead: Bool = false) -> (word: WrittenWord, end: Int)? {
    guard place < text.scalars.count else { return nil }
    var reading = self
    reading.index = place
    return reading.lexeme(isAhead: isAhead).map { ($0, reading.index) }
  }

  /// The longest word that begins here.
  ///
  /// - Parameter isAhead: Whether only to look at what follows another word.
  mutating func lexeme(isAhead: Bool = false) -> WrittenWord? {
    guard let candidates = WrittenWord.lexicon[text.scalars[index]] else { return nil }
    for candidate in candidates {
      guard let end = end(of: candidate.spelling), mayStand(candidate.word, until: end) else {
        continue
      }
      switch isAhead ? .part : unit(of: candidate.spelling, end) {
      case .part:
        index = end
        return candidate.word
      case .either:
        index = end
        return .unknown
      case .weekday: continue
      }
    }
    return nil
  }

  /// Whether a word is not only a part of others: `알밤`, `밤나무`, `굿모닝`, `저녁식사`, `지정 오후`, `운전자정보`.
  private func mayStand(_ word: WrittenWord, until end: Int) -> Bool {
    let first = text.scalars[index]
    switch word {
    case .nths where end - index == 1: return isNthAhead(end)
    case .from where first == "에":
      // `11시에서 9시까지`, but not `매장에서`.
      return tokens.last?.word.isClock == true
    case .filler where first == "만":
      // `주말만`, but not `만두`.
      guard let last = tokens.last, last.place.upperBound == index else { return false }
      return last.word.isWeekdays && scalar(end).map(\.properties.isAlphabetic) != true
    case .clock: break
    case .half where first == "아" || first == "모": break
    case .partOfDay where Self.isLatin(first): if text.isForeign, !servesMeals { return false }
    case .partOfDay where (0xAC00...0xD7A3).contains(first.value) || first == "晩" || first == "宵":
      break
    default: return true
    }
    if text.scalars[index..<end].contains(" ") { return false }
    if let last = tokens.last, last.place.upperBound == index {
      if last.word == .unknown { return false }
      if word.isClock, last.word.singleWeekday != nil || last.word == .openDays { return false }
    }
    if word.isClock { return true }
    // A time or its days follow a part of the day, perhaps after a particle.
    let particle = self.end(ofAnyOf: ["에는", "에", "은", "는", "は", "に", "の"], from: end)
    guard let next = scalar(skippingSpaces(particle ?? end)) else { return false }
    return next.isASCIIDigit || Self.beginnings.contains(next)
  }

  /// Whether a weekday follows, or a sign and another nth: `첫 월요일`, `둘·넷째 일요일`.
  private func isNthAhead(_ end: Int) -> Bool {
    let start = skippingSpaces(end)
    if isListSign(start) { return word(at: skippingSpaces(start + 1))?.word.namedNths != nil }
    guard let next = word(at: start) else { return false }
    return next.word.namedNths != nil
      || next.word.singleWeekday != nil && scalar(next.end - 1) == "일"
  }

  /// What may begin a time or a day, except for digits.
  private static let beginnings = Set<Unicode.Scalar>(
    ":()정자오正午翌월화수목금토일평月火水木金土日平".unicodeScalars)

  /// The end of a spelling that begins here, ignoring spaces; nil if the text differs.
  private func end(of spelling: some Sequence<Unicode.Scalar>, from start: Int? = nil) -> Int? {
    let scalars = text.scalars
    var place = start ?? index
    var isFirst = start == nil
    for scalar in spelling {
      if !isFirst {
        while place < scalars.count, scalars[place] == " " { place += 1 }
      }
      isFirst = false
      guard place < scalars.count, scalars[place] == scalar else { return nil }
      place += 1
    }
    return place
  }

  func end(ofAnyOf spellings: [String], from start: Int) -> Int? {
    for spelling in spellings {
      if let end = end(of: spelling.unicodeScalars, from: start) { return end }
    }
    return nil
  }

  // MARK: Numbers

  /// A number at an index; nil if it has more digits than allowed.
  func number(_ place: Int, maximumDigits: Int = 4) -> (value: Int, end: Int)? {
    var end = place
    var value = 0
    while end < text.scalars.count, text.scalars[end].isASCIIDigit,
      end - place <= maximumDigits
    {
      value = value * 10 + Int(text.scalars[end].value & 15)
      end += 1
    }
    return end > place && end - place <= maximumDigits ? (value, end) : nil
  }

  func skippingSpaces(_ place: Int) -> Int {
    var place = place
    while place < text.scalars.count, text.scalars[place] == " " { place += 1 }
    return place
  }

  func scalar(_ place: Int) -> Unicode.Scalar? {
    place < text.scalars.count ? text.scalars[place] : nil
  }

  func isDigit(_ place: Int) -> Bool { scalar(place)?.isASCIIDigit == true }

  func isLatin(_ place: Int) -> Bool { scalar(place).map(Self.isLatin) == true }

  /// Whether the unit of a day is at a place.
  func isDayUnit(_ place: Int) -> Bool { scalar(place) == "일" || scalar(place) == "日" }

  /// Whether the unit of a month is at a place.
  func isMonthUnit(_ place: Int) -> Bool { scalar(place) == "월" || scalar(place) == "月" }

  /// Whether the unit of an hour is at a place.
  func isHourUnit(_ place: Int) -> Bool { scalar(place) == "시" || scalar(place) == "時" }

  /// Reads a word that begins with a digit, or with `第` and digits.
  mutating func numeral() -> WrittenWord? {
    if let first = scalar(index), first == "第" || Self.circled.contains(first) {
      return japaneseNths()
    }
    if scalar(index) == "제" { return koreanNths() }
    guard let first = number(index) else { return nil }
    // Compare only what is possible: every number passes here.
    if first.value == 24 || first.value == 2,
      let end = end(ofAnyOf: ["24시간", "24時間", "24hours", "24hrs", "24h"], from: index),
      !isLatin(end)
    {
      index = end
      return .allDay
    }
    if first.value <= 3, scalar(skippingSpaces(first.end)) == ")",
      let end = end(ofAnyOf: ["1)", "2)", "3)"], from: index)
    {
      index = end
      return .separator
    }
    if first.value == 365 { return lexeme() }
    if first.value == 7, text.isForeign,
      let end = end(ofAnyOf: ["7daysaweek", "7days"], from: index)
    {
      index = end
      return .weekdays(0x7F, excludesHolidays: false)
    }
    if let nths = koreanNths() { return nths }
    if let day = dayOfMonth(first) { return day }
    if let clock = clock(first) {
      index = clock.end
      return .clock(clock.minute)
    }
    // Any other run of digits is one unknown word.
    return englishOrdinal(first)
  }

  /// `2,4째주`, `1+3+5주`, `2째`, `1+3주째`, `제2,4주`, `제2·제4 일요일`.
  private mutating func koreanNths() -> WrittenWord? {
    var nths: UInt16 = 0
    var place = index
    let isOrdinal = scalar(place) == "제"
    while true {
      if isOrdinal, scalar(place) == "제" { place = skippingSpaces(place + 1) }
      guard let next = number(place), next.end == place + 1, (1...5).contains(next.value) else {
        return nil
      }
      nths |= 1 << UInt16(next.value - 1)
      var end = next.end
      if let mark = scalar(skippingSpaces(end)), mark == "번" || mark == "째" || mark == "주",
        let marked = self.end(
          ofAnyOf: ["번째주", "번째", "째주", "주째", "주차", "째", "주"], from: end)
      {
        end = marked
        // The marker may follow every number.
        let after = skippingSpaces(end)
        // `2주에 한번`, `3주마다`.
        if self.end(ofAnyOf: ["에", "마다", "간격"], from: end) != nil { return nil }
        let following = skippingSpaces(after + 1)
        let isListGoingOn = isListSign(after) && number(following)?.end == following + 1
        if !isListGoingOn || isDateOrClock(following) {
          index = end
          return .nths(nths)
        }
      }
      place = skippingSpaces(end)
      if isOrdinal, scalar(place + 1) == "요", word(at: place)?.word.singleWeekday != nil {
        index = end
        return .nths(nths)
      }
      guard isListSign(place) else { return nil }
      place = skippingSpaces(place + 1)
    }
  }

  private func isDateOrClock(_ place: Int) -> Bool {
    guard let number = number(place) else { return false }
    let next = skippingSpaces(number.end)
    return scalar(next) == ":" || isMonthUnit(next) || isDayUnit(next) || isHourUnit(next)
  }

  /// Whether a sign may separate the numbers of a list.
  private func isListSign(_ place: Int) -> Bool {
    [",", "+", "·", "/", "&"].contains(scalar(place))
  }

  /// `第2・4`, `第２第３`, `第2.と第3`.
  private mutating func japaneseNths() -> WrittenWord? {
    var nths: UInt16 = 0
    var place = index
    var end: Int?
    while true {
      if scalar(place) == "第" { place = skippingSpaces(place + 1) }
      if let next = scalar(place), let found = Self.nthDigits.firstIndex(of: next) {
        nths |= 1 << UInt16(found % 5)
        place += 1
      } else if let next = number(place), next.end == place + 1, (1...5).contains(next.value) {
        nths |= 1 << UInt16(next.value - 1)
        place = next.end
      } else {
        break
      }
      end = place
      while let sign = scalar(place), [",", "·", ".", "と", " ", "&", "週"].contains(sign) {
        place += 1
      }
    }
    guard let end else { return nil }
    index = self.end(ofAnyOf: ["週目", "週", "째주", "째", "주"], from: end) ?? end
    return .nths(nths)
  }

  /// Digits for nths, as far as ``WrittenText`` leaves them: `第②④水曜`.
  private static let circled: [Unicode.Scalar] = ["①", "②", "③", "④", "⑤"]
  /// One to five, twice.
  private static let nthDigits: [Unicode.Scalar] = ["一", "二", "三", "四", "五"] + circled

  /// `10:00`, `9시 30분`, `17時半`.
  func clock(_ hour: (value: Int, end: Int)) -> (minute: Int, end: Int)? {
    guard hour.value <= 48 else { return nil }
    var place = skippingSpaces(hour.end)
    var minutes = 0
    if scalar(place) == ":" {
      place = skippingSpaces(place + 1)
      guard let minute = number(place), minute.end == place + 2, minute.value < 60 else {
        return nil
      }
      minutes = minute.value
      place = minute.end
    } else if isHourUnit(place) {
      place += 1
      if scalar(place) == "間" || scalar(place) == "간" { return nil }
      if let end = end(ofAnyOf: ["반", "半"], from: place) {
        minutes = 30
        place = end
      } else if let minute = number(skippingSpaces(place)), minute.value < 60,
        let end = end(ofAnyOf: ["분", "分"], from: minute.end)
      {
        minutes = minute.value
        place = end
      }
    } else if halfBehind(place) == nil {
      return nil
    }
    var hours = hour.value
    if let half = halfBehind(place), (1...12).contains(hours) {
      hours = hours % 12 + (half.isAfternoon ? 12 : 0)
      place = half.end
    }
    let minute = hours * 60 + minutes
    return minute <= 2880 ? (minute, place) : nil
  }

  /// `am` or `pm` behind a time, unless a half of the day stands before it.
  private func halfBehind(_ place: Int) -> (isAfternoon: Bool, end: Int)? {
    guard tokens.last?.word.isAfternoon == nil else { return nil }
    for (isAfternoon, spellings) in [(false, ["a.m.", "am"]), (true, ["p.m.", "pm"])] {
      guard let end = end(ofAnyOf: spellings, from: place) else { continue }
      // `AM9:00〜12:00 PM3:00〜7:00`: the half of the next time.
      if !isLatin(end), !isDigit(end) { return (isAfternoon, end) }
    }
    return nil
  }
}

extension [WrittenLexer.Token] {
  /// Appends a token; unknown words that touch are one.
  mutating func add(_ token: WrittenLexer.Token) {
    if token.word == .unknown, let last, last.word == .unknown,
      last.place.upperBound == token.place.lowerBound
    {
      self[count - 1].place = last.place.lowerBound..<token.place.upperBound
    } else {
      append(token)
    }
  }
}

// The last syllable of `휴무일` and `定休日` behind a space: `휴무 일` may mean closing days, or closed on Sundays.

extension WrittenLexer {
  /// What `일` or `日` is behind a space.
  enum Unit {
    /// The end of the word before it.
    case part
    /// A word of its own, or the beginning of one: Sunday.
    case weekday
    /// Nobody can say.
    case either
  }

  /// What the last character of a spelling is that ends at a place of the text.
  func unit(of spelling: [Unicode.Scalar], _ end: Int) -> Unit {
    let scalars = text.scalars
    guard spelling.count > 1, let last = spelling.last, last == "일" || last == "日",
      scalars[end - 2] == " "
    else { return .part }
    // `휴무 일요일`, `土 日曜`: it begins the next word.
    if let next = scalar(end), next == "曜" || next == "요" { return .weekday }
    let stem = spelling.dropLast()
    let known = WrittenWord.lexicon[spelling[0]]?.first { $0.spelling.elementsEqual(stem) }
    switch known?.word {
    case .closed?, .openHours?, .openDays?, .asUsual?, .announced?: break
    default: return .part
    }
    // `定  休  日` is spaced evenly.
    let stemEnd = (index..<end - 1).last { scalars[$0] != " " }! + 1
    if stem.count > 1, scalars[index..<stemEnd].count(where: { $0 == " " }) >= stem.count - 1 {
      return .part
    }
    // `휴무 일: 월요일`, `休業 日は月曜`: days follow the label.
    var start = skippingSpaces(end)
    guard let next = scalar(start), next != "." else { return .weekday }
    if isNthsAhead(start) { return .part }
    if next.isASCIIDigit { return .either }
    // `휴관 일 (월요일)`, but not `휴관 일 (공휴일 제외)`.
    if next == "(" { start = skippingSpaces(start + 1) }
    guard let found = word(at: start, isAhead: true) else { return .weekday }
    switch found.word {
    case .colon, .nths, .everyWeek, .filler, .noClosingDays, .feast: return .part
    case .weekdays: return found.end - start > 1 && start > end ? .part : .weekday
    default: return .weekday
    }
  }

  /// Whether numbers such as `2,4째` or `第3` begin at a place.
  private func isNthsAhead(_ place: Int) -> Bool {
    var reading = self
    reading.index = place
    return reading.numeral()?.namedNths != nil
  }
}
