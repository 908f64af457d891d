/// The meaning of a word in a written text.
enum WrittenWord: Equatable {
  /// Weekdays: bit 0 is Monday. `평일` and `平日` exclude public holidays.
  case weekdays(UInt8, excludesHolidays: Bool)
  /// The nth of a month: bits as in ``DaySelector/nthWeekdays(weekday:nths:offset:)``.
  case nths(UInt16)
  /// Public holidays; `isOfDecree` if the words are those of the Korean decree, which lists every
  /// Sunday first.
  case publicHolidays(isOfDecree: Bool)
  /// The five national days of Korea, not all of which are holidays; used loosely for any holiday.
  case nationalDays
  /// Substitute holidays.
  case substitutes
  /// Seollal, Chuseok or both.
  case feast(KoreanFeast)
  /// The holidays around a feast.
  case feastDays
  /// Only the day of the feast.
  case theDay
  /// Months in a row, perhaps past December: bit 1 is January.
  case months(UInt16)
  /// A date; 0 for no year. Small integers, because words are compared often.
  case date(year: Int16, month: Int8, day: Int8)
  /// A day of every month.
  case dayOfMonth(Int)
  /// The days around New Year, which differ from place to place.
  case newYear(isYearEnd: Bool)
  /// The days of Bon, which differ from place to place.
  case bon
  /// A day named for its occasion, with its date in brackets after it.
  case occasion
  /// A time of day in minutes.
  case clock(Int)
  /// The half of the day for the time that follows.
  case half(isAfternoon: Bool)
  /// A part of the day, such as lunch, that has its own times.
  case partOfDay(DayPart)
  /// The time that follows is on the next day.
  case nextDay
  /// The next day that is neither on a weekend nor a holiday.
  case nextWorkday
  /// Last orders or last entry: the time beside it says nothing about opening.
  case lastOrders
  /// A break: the times that follow are not opening hours.
  case pause
  /// Open around the clock.
  case allDay
  /// From sunrise to sunset.
  case daylight
  case noClosingDays
  /// Shut until further notice.
  case shut
  case everyOtherWeek
  /// Closed: a label before days, or a word after them.
  case closed
  /// The place opens or closes at the time beside the word, if both times are given.
  case opens, closes
  /// Open: a label before times.
  case openHours
  /// Open: a label before days.
  case openDays
  /// Open as on other days: after dates, or a label before them.
  case asUsual
  /// Not closed, without saying what applies instead.
  case notClosed
  /// Closing days to be announced, as any place has them.
  case announced
  /// Irregular closing days.
  case irregular
  case dash, from, until
  case separator, colon, openBracket, closeBracket
  case except, including, inCase, coinciding, but
  /// "Other", said of holidays.
  case other
  case everyWeek
  /// "Every month", "every year", or a particle, without further meaning.
  case filler
  /// A telephone number, a price or a number of things, which says nothing about hours.
  case aside
  /// A word that this program does not know.
  case unknown
}

extension WrittenWord {
  /// The only weekday of the word, as its bit.
  var singleWeekday: UInt8? {
    if case .weekdays(let days, false) = self, days.nonzeroBitCount == 1 { return days }
    return nil
  }

  /// The nths of the word.
  var namedNths: UInt16? { if case .nths(let nths) = self { nths } else { nil } }

  /// The part of the day that the word names.
  var dayPart: DayPart? {
    switch self {
    case .half(let isAfternoon): isAfternoon ? .afternoon : .morning
    case .partOfDay(let part): part
    default: nil
    }
  }

  /// The half of the day that the word names.
  var isAfternoon: Bool? { if case .half(let isAfternoon) = self { isAfternoon } else { nil } }

  var isClock: Bool { if case .clock = self { true } else { false } }
  /// Whether times begin with the word.
  var beginsTimes: Bool {
    switch self {
    case .clock, .half, .partOfDay, .allDay, .daylight: true
    default: false
    }
  }
  var isPartOfDay: Bool { if case .partOfDay = self { true } else { false } }
  var isPublicHolidays: Bool { if case .publicHolidays = self { true } else { false } }
  var isWeekdays: Bool { if case .weekdays = self { true } else { false } }
}

extension [WrittenWord] {
  /// Whether a word is one of these.
  @inline(never)  // Compiled once: the standard library's is inlined wherever a reader asks this.
  func contains(_ word: WrittenWord) -> Bool { contains { $0 == word } }
}

/// A part of the day, which says which half of it a time on the clock of twelve hours is in.
enum DayPart {
  case morning, midday, afternoon, evening
  /// Late at night and before dawn.
  case lateNight
}

/// The two feasts of the Korean lunar calendar.
enum KoreanFeast {
  case seollal, chuseok, both
}

extension WrittenWord {
  /// The known words by their first character, longest first.
  static let lexicon: [Unicode.Scalar: [(spelling: [Unicode.Scalar], word: WrittenWord)]] = {
    var words: [Unicode.Scalar: [(spelling: [Unicode.Scalar], word: WrittenWord)]] = [:]
    func add(_ word: WrittenWord, _ spellings: String) {
      for spelling in spellings.split(separator: " ") {
        let scalars = Array(spelling.unicodeScalars)
        words[scalars[0], default: []].append((scalars, word))
      }
    }
    for (index, (korean, japanese)) in zip("월화수목금토일", "月火水木金土日").enumerated() {
      let day = WrittenWord.weekdays(1 << UInt8(index), excludesHolidays: false)
      add(day, "\(korean)요일 \(korean)욜 \(korean) \(japanese)曜日 \(japanese)曜 \(japanese)")
    }
    add(.weekdays(0b0011111, excludesHolidays: true), "평일 주중 平日")
    add(.weekdays(0b1100000, excludesHolidays: false), "주말 토일 土日 週末")
    add(.weekdays(0b1111111, excludesHolidays: false), "매일 毎日")
    for (nth, names) in [
      "첫째주 첫째 첫번째주 첫번째 첫주 第一", "둘째주 둘째 두째 두번째주 두번째 第二",
      "셋째주 셋째 세째주 세째 세번째주 세번째 第三", "넷째주 넷째 넷재주 네째주 네째 네번째주 네번째 第四",
      "다섯째주 다섯째 다섯번째주 다섯번째 第五",
    ].enumerated() { add(.nths(1 << UInt16(nth)), names) }
    for (nth, name) in ["첫", "둘", "셋", "넷"].enumerated() { add(.nths(1 << UInt16(nth)), name) }
    add(.nths(1 << 5), "마지막주 마지막 最終 最後の")
    add(
      .publicHolidays(isOfDecree: false),
      "공휴일 공휴 국공휴일 법정공휴일 법정휴일 국가지정공휴일 국가공휴일 国民の祝日 祝日 祝祭日 祭日 祝")
    add(
      .publicHolidays(isOfDecree: true),
      """
      관공서의공휴일 관공서공휴일 정부지정공휴일 관공서의공휴일에관한규정에따른공휴일 \
      관공서의공휴일에관한규정에정하는공휴일 :관공서의공휴일에관한규정:에서정한공휴일 공휴일에관한법률에따른공휴일
      """)
    add(.nationalDays, "국경일")
    add(.substitutes, "대체공휴일 대체휴일 :관공서의공휴일에관한규정:에따른대체공휴일 振替休日")
    add(.feast(.seollal), "설날 설 구정")
    add(.feast(.chuseok), "추석")
    add(.feast(.both), "명절")
    add(.feastDays, "연휴일 연휴")
    add(.theDay, "당일")
    add(.date(year: 0, month: 1, day: 1), "신정 새해첫날 元日 元旦")
    add(.date(year: 0, month: 5, day: 1), "근로자의날")
    add(.newYear(isYearEnd: true), "年末年始")
    add(.newYear(isYearEnd: false), "年始 正月 お正月")
    add(.bon, "お盆")
    add(.occasion, "개관기념일 창립기념일 개관일 대청소일")
    add(.half(isAfternoon: false), "오전 아침 모닝 午前 am 朝 早朝 モーニング")
    add(.half(isAfternoon: true), "오후 午後 pm 夕方")
    add(.partOfDay(.midday), "낮 런치 런치타임 昼 お昼 ランチ ランチタイム lunch")
    add(.partOfDay(.evening), "저녁 밤 디너 디너타임 夜 よる 晩 宵 ディナー ディナータイム dinner")
    add(.partOfDay(.lateNight), "새벽 심야 深夜 未明 明け方")
    // As an end, midnight is the end of the day.
    add(.clock(0), "자정")
    add(.clock(720), "정오 正午")
    add(.nextDay, "翌日 翌 次の日 익일 다음날 그다음날")
    add(.nextWorkday, "翌平日")
    add(
      .lastOrders,
      """
      ラストオーダー l.o l.o. lo lo. オーダーストップ 最終入場 最終入館 最終入園 最終入店 最終受付 入館は 入場は 入園は 라스트오더 라스트오더는 \
      입장마감 입장마감은 입장마감시간 매표마감 주문마감 마지막주문 마지막입장
      """)
    add(
      .pause,
      "브레이크타임 브레이크 점심시간 점심 휴게시간 휴식시간 휴게 준비시간 休憩時間 休憩 中休み 昼休み 昼休憩 ブレイクタイム ブレークタイム")
    add(.allDay, "24시간 24時間")
    add(
      .daylight,
      "일출-일몰 일출-일몰까지 일출부터일몰까지 일출시-일몰시 日の出-日没 日の出-日没まで 日の出から日没まで 日の出-日の入り 日の出-日の入 日の出から日の入りまで")
    add(.opens, "오픈 개점 개장 영업시작 開店 オープン")
    add(.closes, "마감 폐점 폐장 영업종료 閉店 クローズ")
    add(.noClosingDays, "365일 365日 연중무휴 무휴 年中無休 無休 없음 なし 휴무없음 毎日営業")
    add(.shut, "휴관중 운영중단 임시운영중단 미운영 운영준비중 임시휴관중")
    add(.everyOtherWeek, "격주 隔週 2주에한번 2주에1번 2주에1회 2주마다 2주간격")
    add(
      .closed,
      """
      휴무일 휴무 휴장일 휴장 휴원일 휴원 휴점일 휴점 휴진일 휴진 정기휴진일 정기휴진 휴관일 휴관 휴업일 휴업 의무휴업일 의무휴업 정기휴무일 정기휴무 정기휴점일 정기휴점 정기휴업일 정기휴업 정기휴일 쉬는날 쉽니다 쉬어요 쉼 定休日 定休 店休日 休業日 休館日 休診日 休日 休業 \
      休館 休診 休み お休み 休
      """)
    // These words begin like others, but mean something else.
    add(.unknown, "쉼터 쉼표 단속")
    // The whole day only if a text says nothing else, which is known at its end.
    add(.unknown, "終日 終日開放 終日営業")
    add(.openHours, "영업시간 운영시간 이용시간 진료시간 관람시간 개관시간 営業時間 診療時間 開館時間 営業 営業し 開館し 開館 영업 운영 영업함 개관")
    add(.openDays, "영업일 운영일 営業日 開館日")
    add(
      .asUsual,
      """
      정상영업일 정상영업합니다 정상영업예정 정상영업함 정상영업 정상운영일 정상운영합니다 정상운영함 정상운영 정상개관 정상진료 \
      통상영업 통상운영 휴무없이정상영업 휴무없이영업 휴무없이운영 \
      通常営業日 通常営業いたします 通常営業します 通常営業 通常通り営業いたします 通常通り営業します 通常通り営業 通常どおり営業いたします \
      通常どおり営業します 通常どおり営業 平常営業 平常通り営業 休まず営業いたします 休まず営業します 休まず営業 通常開館
      """)
    add(.notClosed, "휴무아님 휴무안함 휴무하지 휴업하지 휴무없이 休業しません 休みません 休業しない 休まず")
    add(
      .announced,
      """
      임시휴관일 임시휴관 임시휴원일 임시휴무 特別休館日 臨時休業 臨時休業あり 他臨時休業あり その他臨時休業あり \
      他施設点検臨時休業あり 특별한사유로관장이지정한날 특별한사유로도서관장이지정한날 특별한사유로도서관장이지정하는날 \
      특별한사유로관장이지정한날(임시휴관일) 득별한사유로관장이지정한날(임시휴관일) 기타관장이필요하다고인정하는날 기타관장이필요하다고지정한날 \
      기타도서관장이정한날 임시휴관일(특별한사유) 특별한사유로분원장이지정한날 휴관이필요한경우
      """)
    // And words for being closed at present, nobody knows how long.
    add(
      .irregular,
      """
      不定休 不定休あり 부정기휴무 비정기휴무 臨時休業中 休業中 臨時休館中 休館中 休診中 閉館中 改装中 工事中 準備中 雨天中止 荒天中止 임시휴업중 휴업중 공사중 \
      리모델링중
      """)
    add(.from, "부터 에서 から より")
    add(.until, "까지 まで 迄")
    add(.separator, ", + / · 및 그리고 & と 及び および 또는 他 その他 ; 。")
    add(.colon, ":")
    add(.openBracket, "(")
    add(.closeBracket, ")")
    add(.dash, "-")
    add(.except, "개관하되 以外 이외 제외 제외한 을제외한 를제외한 제외하고 이아닌 을제외 を除く 除く")
    add(.including, "포함 を含む 含む")
    add(.inCase, "의경우 인경우 인경우에는 경우 경우는 경우에는 の場合は の場合 場合は 場合")
    add(
      .coinciding,
      "겹치는 겹치는경우 겹치는경우는 겹치는경우에는 겹칠경우 겹친경우 と重なる と重なった")
    add(.but, "단 다만 但し ただし")
    add(.other, "다른 기타")
    add(.everyWeek, "매주 毎週 毎")
    add(
      .filler,
      """
      매월 매년 매 毎月 毎年 매달 한달에 관공서의 을 를 이 가 은 는 과 와 에 에는 의 도 함 は が の に も を です 입니다 だけ のみ 만 날 その \
      1) 2) 3) * ※ . ! 、
      """)
    return words.mapValues { list in
      list.sorted { $0.spelling.count > $1.spelling.count }
    }
  }()
}
