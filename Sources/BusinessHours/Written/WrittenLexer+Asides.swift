// What stands beside hours and is none: `☎ 02-123-4567`, `5,000원`, `20台`; and times without a colon: `0830~1730`.

extension WrittenLexer {
  /// Words before a telephone number; without hours before them they may label hours of the telephone.
  private static let callers = [
    "☎", "℡", "tel.", "tel", "t.", "전화번호", "전화문의", "문의전화", "전화", "문의", "電話番号", "電話", "お問い合わせ",
    "お問合せ", "問い合わせ", "問合せ",
  ]
  private static let firstOfCallers = Set(callers.compactMap(\.unicodeScalars.first))

  /// Takes a telephone number, a price or a number of things.
  mutating func readAside() -> Bool {
    guard let first = scalar(index) else { return false }
    if first.isASCIIDigit {
      guard !isBehindNumber, let end = phone(index, isCalled: false) ?? amount(index) else {
        return false
      }
      take(.aside, until: end)
      return true
    }
    guard Self.firstOfCallers.contains(first),
      let word = end(ofAnyOf: Self.callers, from: index), !isBehindUnknown,
      tokens.contains(where: \.word.isClock)
    else { return false }
    var place = word
    while let sign = scalar(place), [" ", ".", ":", "\u{FE0F}"].contains(sign) { place += 1 }
    guard let end = phone(place, isCalled: true) else { return false }
    take(.aside, until: end)
    return true
  }

  private var isBehindNumber: Bool {
    guard index > 0 else { return false }
    let before = text.scalars[index - 1]
    return before.isASCIIDigit || ["-", ".", ":", "/", ","].contains(before)
  }

  private var isBehindUnknown: Bool {
    tokens.last.map { $0.word == .unknown && $0.place.upperBound == index } ?? false
  }

  /// The end of a telephone number: `02-123-4567`, `(02)123-4567`; with a word for it before, also `1588-1234`.
  private func phone(_ start: Int, isCalled: Bool) -> Int? {
    var groups: [Int] = []
    var place = start
    let hasBracket = isCalled && scalar(place) == "("
    if hasBracket { place += 1 }
    let first = scalar(place)
    while let group = number(place) {
      groups.append(group.end - place)
      place = group.end
      if hasBracket, groups.count == 1 {
        guard scalar(place) == ")" else { return nil }
        place = skippingSpaces(place + 1)
      } else if scalar(place) == "-" {
        place += 1
      } else {
        break
      }
    }
    guard !groups.isEmpty, groups.allSatisfy({ $0 >= 2 }),
      isDigit(place - 1), scalar(place) != ":", scalar(place) != "."
    else { return nil }
    let digits = groups.reduce(0, +)
    if first == "0" { return groups.count == 3 && 9...12 ~= digits ? place : nil }
    return isCalled && groups.count == 2 && 7...8 ~= digits && groups[1] == 4 ? place : nil
  }

  /// The end of a price or a number of things: `5,000원`, `10만원`, `500円`, `20台`, `30席`.
  private func amount(_ start: Int) -> Int? {
    guard var (_, place) = number(start, maximumDigits: 6) else { return nil }
    while scalar(place) == ",", let more = number(place + 1), more.end == place + 4 {
      place = more.end
    }
    place = skippingSpaces(place)
    guard let end = end(ofAnyOf: ["원", "만원", "円", "万円", "台", "席", "名", "대", "석", "명"], from: place)
    else { return nil }
    // Not `20대학`.
    return scalar(end).map(\.properties.isAlphabetic) == true ? nil : end
  }

  // MARK: Times without a colon

  /// Takes `08.30~17.30` and `0830~1730`, unless they may be dates or a telephone number.
  mutating func readCompactTimes() -> Bool {
    guard let first = scalar(index), first.isASCIIDigit, !isBehindNumber,
      let opens = compactTime(index), scalar(skippingSpaces(opens.end)) == "-"
    else { return false }
    let sign = skippingSpaces(opens.end)
    let start = skippingSpaces(sign + 1)
    guard let closes = compactTime(start), closes.isDotted == opens.isDotted else { return false }
    let next = scalar(closes.end)
    guard !isDigit(closes.end), next != "-", next != ":", next != "/" else { return false }
    // `10.15~11.30` and `0315~1030` may be dates.
    guard !opens.mayBeDate || !closes.mayBeDate else { return false }
    if opens.isDotted {
      guard next != "." else { return false }
    } else {
      guard first == "0", tokens.last?.word != .unknown, opens.minute % 5 == 0,
        closes.minute % 5 == 0
      else { return false }
    }
    tokens.append(Token(word: .clock(opens.minute), place: index..<opens.end))
    tokens.append(Token(word: .dash, place: sign..<sign + 1))
    tokens.append(Token(word: .clock(closes.minute), place: start..<closes.end))
    index = closes.end
    return true
  }

  private func compactTime(
    _ place: Int
  ) -> (minute: Int, end: Int, isDotted: Bool, mayBeDate: Bool)? {
    guard let number = number(place) else { return nil }
    var (hour, minute, end) = (number.value / 100, number.value % 100, number.end)
    let isDotted = number.end - place <= 2
    if isDotted {
      guard scalar(number.end) == ".", let more = self.number(number.end + 1),
        more.end == number.end + 3
      else { return nil }
      (hour, minute, end) = (number.value, more.value, more.end)
    } else if number.end != place + 4 {
      return nil
    }
    guard hour < 24 && minute < 60 || hour == 24 && minute == 0 else { return nil }
    let mayBeDate = 1...12 ~= hour && CivilDay.exists(2000, hour, minute)
    return (hour * 60 + minute, end, isDotted, mayBeDate)
  }

  /// Whether a time of day is written at a place.
  func isTimeWritten(_ place: Int) -> Bool { number(place).flatMap { clock($0) } != nil }

  // MARK: Months

  private static let seasons = [
    "하절기", "동절기", "하계", "동계", "춘추절기", "여름", "겨울", "夏期", "冬期", "夏季", "冬季", "夏", "冬",
  ]
  private static let firstOfSeasons = Set(seasons.compactMap(\.unicodeScalars.first))
  /// What may follow months whose hours follow, except for times.
  private static let behindMonths = Set<Unicode.Scalar>(
    ":(/은는엔에は월화수목금토일평주매오月火水木金土日平毎午".unicodeScalars)

  /// Takes `3월~10월`, `4月〜9月` and `April-October`, perhaps with a word for the season: `하절기(3~10월)`.
  mutating func readMonths() -> Bool {
    guard let first = scalar(index) else { return false }
    var place = index
    var hasBracket = false
    if Self.firstOfSeasons.contains(first) {
      guard !isBehindUnknown, let end = end(ofAnyOf: Self.seasons, from: index),
        let sign = scalar(skippingSpaces(end)), sign == "(" || sign == ":"
      else { return false }
      hasBracket = true
      place = skippingSpaces(skippingSpaces(end) + 1)
    } else if Self.isLatin(first) {
      guard text.isForeign, index == 0 || !Self.isLatin(text.scalars[index - 1]) else {
        return false
      }
    } else if !first.isASCIIDigit || isBehindNumber && text.scalars[index - 1] != "," {
      return false
    }
    guard let from = monthAlone(place, isFirst: true),
      let dash = end(ofAnyOf: ["-", "부터", "から", "to ", "through "], from: from.end),
      let to = monthAlone(skippingSpaces(dash), isFirst: false)
    else { return false }
    var end = self.end(ofAnyOf: ["까지", "まで"], from: to.end) ?? to.end
    if hasBracket {
      end = skippingSpaces(end)
      guard let sign = scalar(end), sign == ")" || sign == ":" else { return false }
      end += 1
    }
    let next = skippingSpaces(end)
    guard let sign = scalar(next),
      isTimeWritten(next) || Self.behindMonths.contains(sign)
        || Self.isLatin(sign) && text.isForeign
    else { return false }
    take(.months(UInt16(CompiledHours.mask(from.month, to.month, of: 1...12))), until: end)
    return true
  }

  /// A month without a day; the first of two may lack its unit: `3~10월`.
  private func monthAlone(_ place: Int, isFirst: Bool) -> (month: Int, end: Int)? {
    if let found = month(place) { return text.isForeign ? found : nil }
    guard let number = number(place), 1...12 ~= number.value, number.end - place <= 2 else {
      return nil
    }
    let unit = skippingSpaces(number.end)
    if isMonthUnit(unit) { return (number.value, unit + 1) }
    return isFirst && scalar(number.end) == "-" ? (number.value, number.end) : nil
  }
}
