// Closing words without known days, `한글날 휴무`, `GW休み`, and words for something else, `배달은 일요일 휴무`.

extension WrittenReader {
  // MARK: Days that are not known

  /// Reads a word for closed behind unknown words, or the unknown beginning of a list of closed days: they name days on
  /// which the place closes as well.
  ///
  /// - Parameter start: The index of the first of the words; ``index`` is behind them.
  mutating func closesUnknownDays(_ start: Int) -> Bool {
    let words = text.scalars[place(start)]
    guard pending.isEmpty, !words.contains(where: \.isASCIIDigit) else { return false }
    guard word(index) == .closed else {
      guard beginsClosedList(start, words) else { return false }
      doubt(start..<index)
      facts.mayCloseMore = true
      return true
    }
    // In `은하마트 휴무일: 월요일` the days follow.
    guard word(index + 1) != .colon, !isDaysAhead(index + 1) else { return false }
    index += 1
    facts.saysSomething = true
    guard !isDenied(index - 1) else {
      giveUp(start..<index)
      return true
    }
    doubt(start..<index)
    facts.mayCloseMore = true
    if mode == .closings { mode = .hours }
    hasLabel = false
    openLabel = nil
    return true
  }

  /// Whether words about days follow, perhaps in a bracket.
  private func isDaysAhead(_ place: Int) -> Bool {
    let next = word(skipping(.filler, .colon, .openBracket, from: place))
    return isDay(next)
      || [.noClosingDays, .announced, .irregular, .occasion, .substitutes].contains(next)
  }

  /// Signs between the days of a list and hardly anything else; a comma may separate sentences.
  private static let joints: Set<String> = [
    "·", "・", "･", "ㆍ", "と", "및", "及び", "および", "과", "와", "や",
  ]

  /// Whether unknown words are the first of a list of closed days: `GW・年末年始休み`, `한글날, 월요일 휴무`.
  private func beginsClosedList(_ start: Int, _ words: ArraySlice<Unicode.Scalar>) -> Bool {
    let isBehindSign = word(index) == .separator
    let sign = written(isBehindSign ? index : index - 1)
    let isJoined = Self.joints.contains(sign) || words.last == "や"
    guard isJoined || isBehindSign && [",", "，", "、"].contains(sign) else { return false }
    if !isJoined, let last = words.last, !["날", "日", "일", "盆", "w"].contains(last) { return false }
    let next = isBehindSign ? index + 1 : index
    // Behind a label that has no days yet.
    return isClosedList(next) || openLabel != nil && isDay(word(next))
  }

  /// Words between days, and of days that say more behind others.
  private static let ofClosedLists: [WrittenWord] = [
    .separator, .filler, .dash, .feastDays, .theDay, .substitutes, .occasion,
  ]

  /// Whether days follow, and then a word for closed.
  func isClosedList(_ place: Int) -> Bool {
    var place = place
    while let word = word(place), isDay(word) || Self.ofClosedLists.contains(word) { place += 1 }
    return word(place) == .closed
  }

  /// Whether a slash stands for the colon of a label: `休み／月曜`.
  func isSlashOfLabel(_ place: Int) -> Bool {
    isDay(word(place + 1)) && text.scalars[tokens[place].place] == ["/"] && touches(place)
      && touches(place + 1)
  }

  /// Ends the days behind a label at a sign, if times follow it: `정기휴무 월요일, 10:00~18:00`.
  ///
  /// Behind a line break, `;` or a full stop the times may have days: `정기휴무 월요일; 화~일 10:00~18:00`.
  mutating func endClosedDays() {
    guard mode == .closings, !isOfClosingDays, !pending.isEmpty,
      pending.allSatisfy({ $0.isOfWeekdays || $0.days == .publicHolidays })
    else { return }
    let sign = sign(index)
    var next = index + 1
    if sign == ";" || sign == "。" || tokens[index].word == .filler {
      next = endOfDays(next)
      // In `휴무일: 월요일; 화요일; 10:00~18:00` both days may be closed.
      guard !(index + 1..<next).contains(where: { self.sign($0) == ";" }) else { return }
    } else if sign != ",", sign != "/" {
      return
    }
    guard isTimesAhead(next) else { return }
    closePending()
    mode = .hours
    hasLabel = false
  }

  /// Doubts a label for closed that got no days.
  mutating func endLabel() {
    guard let label = openLabel else { return }
    openLabel = nil
    guard !facts.mayBeOtherwise, !facts.mayCloseMore else { return }
    doubt(label..<label + 1, .notDated)
    facts.mayCloseMore = true
  }

  // MARK: Something else

  /// Words that label times and days of something other than the place.
  private static let services = spelled(
    """
    배달 포장 테이크아웃 드라이브스루 별관 宅配 出前 テイクアウト デリバリー ドライブスルー 別館 매표 매점 티켓 고객센터 콜센터 상담 문의 입장 입실 퇴실 체크인 \
    체크아웃 할인 해피아워 무료 행사 이벤트 회의 대여 반납 駐車 売店 喫茶 券売 割引 チェックイン 入浴 電話 전화 問合せ 問い合わせ 問合わせ
    """)
  /// Those of them beside a telephone number, which somebody answers at the times behind it.
  private static let contacts = spelled("고객센터 콜센터 상담 문의 問合せ 問い合わせ 問合わせ")
  private static let besideContacts: [WrittenWord] = [
    .filler, .colon, .openBracket, .closeBracket, .separator, .dash, .everyWeek, .aside,
  ]
  /// Words for the place itself.
  private static let ownNames = spelled(
    """
    当店 当館 当院 当社 お店 店舗 本店 図書館 博物館 美術館 病院 医院 薬局 당점 당관 당사 저희 우리 가게 매장 본점 도서관 박물관 미술관 병원 의원 약국 시장 마트
    """)
  /// Meals add their times to those of other meals; `석식 5:30` is in the evening.
  private static let meals = spelled("조식 중식 석식 朝食 昼食 夕食 早餐 午餐 晚餐 디너 저녁 晩")
  /// Words for a season or for these days, and for what forbids or keeps people out at the times beside them.
  private static let limits = spelled("여름 겨울 가을 방학 학기 오늘 모레 임시 코로나 통제 금지 단속 소독 점검 방역 禁止 清掃 仕込 点検")
  private static let cleaning = spelled("청소")
  private static let youth = spelled("청소년")
  /// Words that leave the days behind them as they are.
  private static let harmless: Set<String> = [
    "정기", "정기적으로", "모든", "기본", "원칙", "全", "全店", "基本", "原則", "なお", "또한",
  ]

  private var hasHours: Bool { current != nil || !facts.hours.isEmpty }

  /// Whether unknown words limit what is said to a season, or label times of something else.
  func labelsOther(_ start: Int) -> Bool {
    let words = text.scalars[place(withFiller(start))]
    if Self.contains(words, anyOf: Self.limits) || words.elementsEqual(["봄"]) { return true }
    // `청소년수련관` is a place.
    if Self.contains(words, anyOf: Self.cleaning), !Self.contains(words, anyOf: Self.youth) {
      return true
    }
    let asides = tokens[start..<index].filter { $0.word == .aside }
    if asides.contains(where: isPhone), isTimesOfPhoneAhead(index) { return true }
    if Self.contains(words, anyOf: Self.contacts), isTimesOfContactAhead { return true }
    let next = skipping(.filler, .colon, .openBracket, from: index)
    guard word(next)?.beginsTimes == true else { return false }
    // `세트 5000원 11:00~14:00`.
    if !asides.allSatisfy(isPhone) { return true }
    guard hasHours else { return Self.contains(words, anyOf: Self.services) }
    guard case .clock(630...)? = word(next) else { return true }
    return !Self.contains(words, anyOf: Self.meals)
  }

  /// Whether times follow a word for a contact, perhaps on another line: `고객센터 02-123-4567\n평일 09:00~18:00`.
  ///
  /// Only behind `영업시간` or `営業時間` they are surely those of the place.
  private var isTimesOfContactAhead: Bool {
    var place = index
    while let word = word(place),
      word.isWeekdays || word.isPublicHolidays || Self.besideContacts.contains(word)
        || word == .openHours && !["영업", "営業"].contains(where: written(place).hasPrefix)
    { place += 1 }
    return word(place) == .pause || isTimesAhead(place)
  }

  /// Leaves undecided the days that directly follow unknown words: these may limit them (`たまに月曜休み`) or name something
  /// else (`주차장은 일요일 휴무`, `본관 월요일 휴관`).
  mutating func limitDays(behind start: Int) {
    var next = index
    while let word = word(next),
      [.filler, .colon, .openBracket, .closeBracket, .everyWeek].contains(word)
        // A name on a line of its own, behind the hours.
        || hasHours && sign(next) == ";"
    { next += 1 }
    let words = place(withFiller(start))
    let last = tokens[start..<index].last { $0.word == .unknown }
    guard isDay(word(next)), let last, !isHarmless(words, text.scalars[last.place]) else { return }
    let end = endOfDays(next)
    if isTimesAhead(end) || mode == .openDays {
      // `별빛상회 월~금 10:00~18:00` begins with the place.
      if hasHours || mode == .openDays { giveUp(start..<index) }
      return
    }
    doubt(at: words, .notUnderstood)
    limit = words
  }

  /// Whether days behind unknown words, the last of which is given, are those of the place.
  private func isHarmless(_ place: Range<Int>, _ last: ArraySlice<Unicode.Scalar>) -> Bool {
    let words = text.text(place)
    // `★`; `テイクアウト可 月曜定休` only says what there is.
    guard let end = last.last, last.contains(where: \.properties.isAlphabetic),
      !["可", "能", "능", "k"].contains(end), !Self.harmless.contains(words)
    else { return true }
    return !["一部", "일부"].contains(where: words.hasPrefix)
      && Self.contains(text.scalars[place], anyOf: Self.ownNames)
  }

  /// The index at which an unknown word begins: the first syllable of `매표소` may be a word of its own.
  private func withFiller(_ place: Int) -> Int {
    word(place - 1) == .filler && touches(place) ? place - 1 : place
  }

  /// Words as the characters to look for.
  static func spelled(_ words: String) -> [[Unicode.Scalar]] {
    words.split(separator: " ").map { Array($0.unicodeScalars) }
  }

  static func contains(
    _ words: ArraySlice<Unicode.Scalar>, anyOf markers: [[Unicode.Scalar]]
  ) -> Bool {
    words.indices.contains { place in markers.contains { words[place...].starts(with: $0) } }
  }

  // MARK: Words that say that days are not closed: `土曜休みなし`, `일요일 휴무 해제`, `공휴일 무휴`.

  /// Words behind a word for closed that say the opposite, without spaces.
  private static let denials = spelled(
    """
    なし なく ない 無し 無く まない しない じゃない ません しません 致しません いたしません ありません ございません 없 아님 아니 아닙 않 안함 안하 안합 안해 하지않 \
    하지아니 취소 해제
    """)
  /// Single characters that do the same at the end of a word.
  private static let denyingMarks: Set<Unicode.Scalar> = ["x", "X", "×", "無"]
  /// Particles that may stand before them: `休みではない`, `휴무일이 아님`.
  private static let particles = Set("はがもをでにと은는이가을를도".unicodeScalars)

  /// Whether the words behind a word for closed deny it.
  func isDenied(_ place: Int) -> Bool {
    let rest = text.scalars[tokens[place].place.upperBound...].prefix(24).filter { $0 != " " }
      .drop { Self.particles.contains($0) }
    guard let first = rest.first else { return false }
    if Self.denyingMarks.contains(first) {
      // Not the first letter of a word: `無料`.
      guard let second = rest.dropFirst().first else { return true }
      return first == "無" ? !second.properties.isIdeographic : !WrittenLexer.isLatin(second)
    }
    return Self.denials.contains { rest.starts(with: $0) }
  }

  /// Reads `없음`, `年中無休` and the like, which say nothing about days.
  ///
  /// Directly behind days they deny that these are closed, and do not say what applies instead.
  mutating func readNoClosingDays() {
    // `연중무휴 아님`.
    if isDenied(index) { return giveUpOnWord() }
    let isBehindDays =
      !pending.isEmpty && ![.separator, .but].contains(tokens[max(0, index - 1)].word)
    // `월~일 연중무휴 10:00~22:00` only says that no day is left out.
    let isOfAllDays = mode != .closings && weekdaysPending == 0x7F
    if isBehindDays, !isOfAllDays { return giveUpOnWord() }
    facts.saysSomething = true
    openLabel = nil
    index += 1
  }

  /// The pending weekdays, every one of each.
  private var weekdaysPending: UInt8 {
    pending.reduce(0) { days, item in
      if case .weekdays(let more, nths: 0) = item.days { days | more } else { days }
    }
  }
}
