import BusinessHours
import Geodesy

// The columns of sources that say whether a place is in business, on which days it is closed, and when there is something
// on: each annotation reads them, and a table's names are asked once which of its columns they are.

extension BusinessRecord {
  /// Whether a column with this name says whether a place is in business.
  package static func isColumn(_ name: String) -> Bool { BusinessColumns.role(of: name) != nil }

  /// The first day of closing down that is none, such as `2020-13-45`.
  package static func unreadClosingDay(in properties: Properties) -> String? {
    properties.entries.lazy.compactMap { entry in
      guard case .closingDay? = BusinessColumns.role(of: entry.name), let text = entry.value.text
      else { return nil }
      return BusinessColumns.day(text) == nil && BusinessColumns.mayBeDay(text) ? text : nil
    }.first
  }
}

extension AnnotationCalendar {
  /// Whether a column with this name has days or sessions.
  package static func isColumn(_ name: String) -> Bool { DateColumn(name) != nil }
}

// MARK: Columns about being in business

/// Collects what a record's columns say about being in business.
struct BusinessColumns {
  private enum Said {
    case closedDown, suspended, inBusiness
    /// Not opened yet.
    case expected
    /// A known word with another meaning.
    case neither
  }

  /// The role of a column; if several have the same role, the first that is understood counts.
  fileprivate enum Role {
    /// A word for the state; finer ones have lower ranks: details before names before codes.
    case state(rank: Int)
    case code
    case closingDay
    /// OpenStreetMap's `end_date`, and the `start_date` that marks it as the end of an event.
    case endDate, startDate
    /// A yes/no mark, or a day.
    case closedMark
    /// A yes/no mark for one that is closed for a while, or for one that is in business.
    case suspendedMark, inBusinessMark
    /// Yelp's `is_open`: 0 for one that has closed down. A mark in words is more likely about the moment.
    case openNumber
    case suspensionStart, suspensionEnd
    case reopening
    /// A map feature that is in use.
    case feature
    /// A former map feature.
    case pastFeature
  }

  private var state: (rank: Int, said: Said)?
  private var code: Said?
  private var closingDay: WrittenDay?
  /// Whether a closing day was not understood.
  private var hasUnreadDay = false
  private var endDate: WrittenDay?
  private var hasStartDate = false
  private var isMarkedClosed = false, isMarkedSuspended = false
  private var suspensionStart: WrittenDay?
  private var suspensionEnd: WrittenDay?
  private var reopening: WrittenDay?
  private var isFeature = false
  private var wasFeature = false

  fileprivate static func role(of name: String) -> Role? {
    if let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) {
      // `disused:shop=bakery`: a former shop.
      let isPast =
        lifeCycle.contains(String(name[..<colon]))
        && features.contains(String(name[name.index(after: colon)...]))
      return isPast ? .pastFeature : nil
    }
    return roles[name]
  }

  /// Adds one column's nonempty text.
  mutating func add(_ name: String, _ text: String) {
    switch Self.role(of: name) {
    case nil: return
    case .state(let rank)?:
      guard let said = Self.word(text), state.map({ rank < $0.rank }) ?? true else { return }
      state = (rank, said)
    case .code?: code = code ?? Self.codes[text]
    case .closingDay?:
      closingDay = closingDay ?? Self.day(text)
      if closingDay == nil {
        if Self.word(text) == .closedDown { isMarkedClosed = true }
        if Self.mayBeDay(text) { hasUnreadDay = true }
      }
    case .endDate?: endDate = WrittenDay(text)
    case .startDate?: hasStartDate = true
    case .closedMark?:
      closingDay = closingDay ?? WrittenDay(text)
      if Self.isMark(text) || Self.word(text) == .closedDown {
        isMarkedClosed = true
      }
    case .suspendedMark?:
      if Self.isMark(text) { isMarkedSuspended = true }
    case .inBusinessMark?:
      if Self.negations.contains(text.lowercased()) { isMarkedSuspended = true }
    case .openNumber?: if text == "0" { isMarkedClosed = true }
    case .suspensionStart?: suspensionStart = suspensionStart ?? WrittenDay(text)
    case .suspensionEnd?: suspensionEnd = suspensionEnd ?? WrittenDay(text)
    case .reopening?: reopening = reopening ?? WrittenDay(text)
    case .pastFeature?: wasFeature = wasFeature || text != "no"
    case .feature?:
      if text == "vacant" || text == "disused" {
        isMarkedClosed = true
      } else if text != "no" {
        isFeature = true
      }
    }
  }

  /// The record from all columns.
  ///
  /// - Parameter isOffer: Whether the record is a deal, whose `end_date` is the deal's own.
  func record(isOffer: Bool) -> BusinessRecord {
    let said = state?.said ?? code
    let isClosed =
      isMarkedClosed || said == .closedDown || wasFeature && !isFeature
      // A register fills in the day of those that closed.
      || hasUnreadDay && closingDay == nil && said != .inBusiness && reopening == nil
    var day = closingDay
    // An event ends without closing down.
    if day == nil, !isOffer, isFeature || wasFeature || !hasStartDate { day = endDate }
    if !isClosed, let closed = day, let reopening, reopening.first >= closed.last { day = nil }
    if let day {
      // A mark "closed" with a future day refers to that day; a closing month counts only when it is over.
      // `end_date` is the last day of business, and the last day on which an annotation is valid.
      let isFirst = day.isExact && closingDay != nil
      // No day is after 9999, which registers write for "never"; its last one is late enough.
      let first = isFirst ? day.first : day.last.adding(days: 1) ?? day.last
      return BusinessRecord(
        absence: .closedDown, days: DateSpan(first: first, last: nil),
        namesFirstDay: day.isExact, saysInBusiness: said == .inBusiness)
    }
    if isClosed { return BusinessRecord(absence: .closedDown) }
    let isStated = suspensionStart != nil && suspensionEnd != nil
    if said == .suspended || isMarkedSuspended || isStated {
      let first = suspensionStart?.first
      let last = suspensionEnd?.last
      if let first, let last, first > last { return BusinessRecord() }
      return BusinessRecord(
        absence: .suspended, days: DateSpan(first: first, last: last),
        saysInBusiness: said == .inBusiness)
    }
    return BusinessRecord(saysInBusiness: said == .inBusiness, isExpected: said == .expected)
  }

  // MARK: Names

  private static let roles: ColumnTerms<Role> = {
    var roles = ColumnTerms<Role>()
    // Korean registers (LOCALDATA), with column names in Korean and in their API.
    roles.add(.state(rank: 0), "상세영업상태명 dtlstatenm")
    roles.add(
      .state(rank: 1),
      "영업상태명 영업상태 운영상태 영업상태구분 trdstatenm 営業状況 営業状態 営業区分 廃業区分 business_status businessstatus")
    roles.add(.code, "영업상태구분코드 영업상태코드 trdstategbn")
    roles.add(
      .closingDay,
      """
      폐업일자 폐업일 폐점일자 폐점일 폐관일자 폐쇄일자 dcbymd 인허가취소일자 apvcancelymd \
      廃業年月日 廃業日 廃業等年月日 廃止年月日 廃止日 閉店年月日 閉店日 閉業年月日 閉業日 閉鎖年月日 閉院年月日 閉館年月日 \
      closed_date date_closed closing_date closed_on closed_since closure_date close_date
      """)
    roles.add(.endDate, "end_date")
    roles.add(.startDate, "start_date")
    roles.add(
      .closedMark,
      """
      廃業 閉店 閉業 폐업 폐업여부 closed is_closed permanently_closed closed_permanently disused abandoned demolished
      """)
    roles.add(.suspendedMark, "휴업여부 temporarily_closed closed_temporarily")
    roles.add(.inBusinessMark, "영업여부 운영여부")
    roles.add(.openNumber, "is_open")
    roles.add(.suspensionStart, "휴업시작일자 clgstdt 休業開始年月日 休業開始日")
    roles.add(.suspensionEnd, "휴업종료일자 clgenddt 休業終了年月日 休業終了日")
    roles.add(.reopening, "재개업일자 ropnymd")
    for feature in features { roles.add(.feature, feature) }
    return roles
  }()

  /// OpenStreetMap's keys of public services.
  private static let features: Set<String> = [
    "shop", "amenity", "office", "craft", "tourism", "leisure", "healthcare", "club", "railway",
    "public_transport", "aeroway", "historic", "sport", "emergency",
  ]
  /// Prefixes for former features.
  ///
  /// Source: https://wiki.openstreetmap.org/wiki/Lifecycle_prefix
  private static let lifeCycle: Set<String> = [
    "disused", "abandoned", "was", "demolished", "removed", "razed", "destroyed", "ruins", "closed",
  ]

  // MARK: Words

  private static let codes: [String: Said] = [
    "01": .inBusiness, "1": .inBusiness, "02": .suspended, "2": .suspended, "03": .closedDown,
    "3": .closedDown, "04": .closedDown, "4": .closedDown, "05": .closedDown, "5": .closedDown,
  ]
  private static let marks: Set<String> = [
    "1", "true", "yes", "y", "t", "○", "〇", "◯", "●", "有", "済",
  ]

  /// Whether a cell's text marks what its column says.
  static func isMark(_ text: String) -> Bool { marks.contains(text.lowercased()) }

  private static let negations: Set<String> = ["0", "false", "no", "n", "f", "x", "×", "무", "無"]

  /// Whether a text in the place of a day may be one that cannot be read: not `없음`, `영업중`, `0001-01-01`,
  /// `9999-99-99`, `1900-01-00`, which is a spreadsheet's 0, or the days of every week or year.
  fileprivate static func mayBeDay(_ text: String) -> Bool {
    let digits = Set(text.filter(\.isNumber))
    return !digits.isEmpty && !digits.isSubset(of: ["0", "1"]) && digits != ["9"]
      && !text.hasPrefix("1900-01-00") && !WrittenHours.namesClosingDays(text)
  }

  /// A closing day; year 1 is a program's zero.
  fileprivate static func day(_ text: String) -> WrittenDay? {
    WrittenDay(text).flatMap { $0.first.year > 1 ? $0 : nil }
  }

  /// The meaning of a word in a state column; nil for an unknown word.
  private static func word(_ text: String) -> Said? {
    words[folded(text)]
  }

  private static func folded(_ text: String) -> String {
    text.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }
  }

  private static let words: [String: Said] = {
    var words: [String: Said] = [:]
    func add(_ said: Said, _ list: String) {
      for word in list.split(separator: " ") { words[folded(String(word))] = said }
    }
    add(
      .inBusiness,
      "영업/정상 정상 영업 영업중 정상영업 정상영업중 운영 운영중 정상운영 재개업 営業 営業中 通常営業 営業継続 operational open active")
    add(
      .suspended,
      """
      휴업 휴업처리 휴업중 임시휴업 일시휴업 휴점 휴관 휴관중 임시휴관 휴원 영업정지 영업중지 영업중단 업무정지 운영중단 운영중지 운영정지 미운영 일시정지 \
      休業 休業中 一時休業 臨時休業 臨時休業中 長期休業 冬季休業 休止 休止中 休館 休館中 臨時休館 休園 休園中 closed_temporarily temporarily_closed suspended
      """)
    add(
      .closedDown,
      """
      폐업 폐업처리 직권폐업 폐업신고 폐점 폐관 폐원 폐쇄 폐쇄명령 취소 허가취소 등록취소 지정취소 직권취소 말소 직권말소 등록말소 만료 \
      취소/말소/만료/정지/중지 제외/삭제/전출 전출 타시군구이관 철거 \
      廃業 廃業済 閉店 閉店済 閉業 閉業済 閉館 閉園 閉院 閉鎖 廃止 廃止済 撤去 撤去済 closed_permanently permanently_closed closed \
      out_of_business
      """)
    add(.expected, "영업개시전 개업준비중 開業準備中 開店準備中 開業前 opening_soon future_opening")
    add(.neither, "기타")
    return words
  }()
}

// MARK: Columns of days and sessions

/// The properties in which sources write days and sessions.
enum DateColumn {
  case dates, sessions, firstDay, lastDay, starts, ends
  /// The time at which an event starts on its first day and that at which it ends on its last, as in calendars; or
  /// those of each day.
  case startTime, endTime
  /// Those of `Annotation.validDates`.
  case validFrom, validUntil
  /// A remark on the days between the first and the last.
  case remark

  /// What a name means; nil for other names.
  init?(_ name: String) {
    guard let column = Self.names[name] else { return nil }
    self = column
  }

  private static let names: ColumnTerms<DateColumn> = {
    var names = ColumnTerms<DateColumn>()
    names.add(
      .dates,
      """
      dates event_dates enabled_dates valid_dates rrule 행사기간 축제기간 공연기간 전시기간 개최기간 판매기간 행사일 행사일자 개최일 개최일자 \
      開催期間 会期 販売期間 開催日
      """)
    names.add(.sessions, "sessions showings")
    names.add(
      .firstDay,
      """
      행사시작일자 행사시작일 축제시작일자 축제시작일 공연시작일자 공연시작일 시작일자 시작일 開始日 利用開始日 掲載開始日 開催開始日 \
      start_date event_start_date
      """)
    names.add(
      .lastDay,
      """
      행사종료일자 행사종료일 축제종료일자 축제종료일 공연종료일자 공연종료일 종료일자 종료일 유효기간 유효기한 만료일자 만료일 \
      終了日 利用終了日 掲載終了日 開催終了日 有効期限 利用期限 end_date event_end_date valid_to valid_thru expires expiry
      """)
    names.add(.starts, "행사시작시각")
    names.add(.ends, "행사종료시각")
    names.add(.startTime, "開始時間 start_time")
    names.add(.endTime, "終了時間 end_time")
    names.add(.remark, "開始日時特記事項")
    names.add(.validFrom, "valid_from")
    names.add(.validUntil, "valid_until valid_through")
    return names
  }()
}

// MARK: Names

/// Names of columns and what they mean: in any case, with or without `_`, `-` and blanks.
struct ColumnTerms<Meaning: Sendable>: Sendable {
  private var meanings: [String: Meaning] = [:]
  private var hashes: Set<UInt64> = []
  /// Whether digits and what is in brackets do not count either: `휴무일2`, `定休日（備考）`.
  private let isLoose: Bool

  init(isLoose: Bool = false) { self.isLoose = isLoose }

  /// Adds names, which are separated by blanks.
  mutating func add(_ meaning: Meaning, _ list: String) {
    for name in list.split(separator: " ") {
      meanings[folded(String(name))] = meaning
      hashes.insert(hash(String(name)))
    }
  }

  subscript(name: String) -> Meaning? {
    // Searches ask this of each property of each annotation: most names differ already in their hash. Hangul of macOS
    // is in its parts, whose first byte is E1; it equals what is put together, but not in its hash.
    hashes.contains(hash(name)) || name.utf8.contains(0xE1) ? meanings[folded(name)] : nil
  }

  private func scalars(
    of name: String
  ) -> LazyFilterSequence<LazyPrefixWhileSequence<String.UnicodeScalarView>> {
    let isLoose = isLoose
    return name.unicodeScalars.lazy.prefix { !isLoose || $0 != "(" && $0 != "（" }
      .filter { scalar in
        switch scalar {
        case "_", "-", " ", "\t", "\n", "\r", "\u{FEFF}", "\u{3000}": false
        case "0"..."9": !isLoose
        default: true
        }
      }
  }

  private func folded(_ name: String) -> String {
    var folded = ""
    folded.unicodeScalars.append(contentsOf: scalars(of: name))
    return folded.lowercased()
  }

  /// A hash that names which fold to the same have in common; no name here has large letters beyond ASCII.
  private func hash(_ name: String) -> UInt64 {
    scalars(of: name).map { ("A"..."Z").contains($0) ? $0.value | 0x20 : $0.value }.fnvHash
  }
}
