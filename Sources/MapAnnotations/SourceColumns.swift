import BusinessHours
import Geodesy

// The columns of sources that say whether a place is in business, on which days it is closed, and when there is something
// on: each annotation reads them, and a table's names are asked once which of its columns they are.

extension BusinessRecord {
  /// Whether a column with this name says whether a place is in business.
  package static func isColumn(_ name: String) -> Bool { BusinessColumns.role(of: name) != nil }
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
    /// A known word with another meaning, such as 영업개시전: not opened yet.
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
  private var endDate: WrittenDay?
  private var hasStartDate = false
  private var isMarkedClosed = false
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
    let isPlain = name.utf8.allSatisfy { $0 == $0.lowercasedASCII }
    return roles[isPlain ? name : name.lowercased()]
  }

  /// Adds one column's nonempty text.
  mutating func add(_ name: String, _ text: String) {
    switch Self.role(of: name) {
    case nil: return
    case .state(let rank)?:
      guard let said = Self.word(text), state.map({ rank < $0.rank }) ?? true else { return }
      state = (rank, said)
    case .code?: code = code ?? Self.codes[text]
    case .closingDay?: closingDay = closingDay ?? WrittenDay(text)
    case .endDate?: endDate = WrittenDay(text)
    case .startDate?: hasStartDate = true
    case .closedMark?:
      closingDay = closingDay ?? WrittenDay(text)
      if Self.marks.contains(text.lowercased()) || Self.word(text) == .closedDown {
        isMarkedClosed = true
      }
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
    let isClosed = isMarkedClosed || said == .closedDown || wasFeature && !isFeature
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
    if said == .suspended || isStated {
      let first = suspensionStart?.first
      let last = suspensionEnd?.last
      if let first, let last, first > last { return BusinessRecord() }
      return BusinessRecord(
        absence: .suspended, days: DateSpan(first: first, last: last),
        saysInBusiness: said == .inBusiness)
    }
    return BusinessRecord(saysInBusiness: said == .inBusiness)
  }

  // MARK: Names

  private static let roles: [String: Role] = {
    var roles: [String: Role] = [:]
    func add(_ role: Role, _ names: String) {
      for name in names.split(separator: " ") { roles[String(name)] = role }
    }
    // Korean registers (LOCALDATA), with column names in Korean and in their API.
    add(.state(rank: 0), "상세영업상태명 dtlstatenm")
    add(
      .state(rank: 1),
      "영업상태명 영업상태 운영상태 영업상태구분 trdstatenm 営業状況 営業状態 営業区分 廃業区分 business_status businessstatus")
    add(.code, "영업상태구분코드 영업상태코드 trdstategbn")
    add(
      .closingDay,
      """
      폐업일자 폐업일 폐점일자 폐점일 폐관일자 폐쇄일자 dcbymd 인허가취소일자 apvcancelymd \
      廃業年月日 廃業日 廃業等年月日 廃止年月日 廃止日 閉店年月日 閉店日 閉業年月日 閉業日 閉鎖年月日 閉院年月日 閉館年月日 \
      closed_date date_closed dateclosed closing_date closed_on closed_since
      """)
    add(.endDate, "end_date")
    add(.startDate, "start_date")
    add(
      .closedMark,
      "廃業 閉店 閉業 폐업 폐업여부 closed is_closed permanently_closed disused abandoned demolished")
    add(.suspensionStart, "휴업시작일자 clgstdt 休業開始年月日 休業開始日")
    add(.suspensionEnd, "휴업종료일자 clgenddt 休業終了年月日 休業終了日")
    add(.reopening, "재개업일자 ropnymd")
    for feature in features { roles[feature] = .feature }
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

  /// The meaning of a word in a state column; nil for an unknown word.
  private static func word(_ text: String) -> Said? {
    words[text.lowercased().filter { !$0.isWhitespace }]
  }

  private static let words: [String: Said] = {
    var words: [String: Said] = [:]
    func add(_ said: Said, _ list: String) {
      for word in list.split(separator: " ") { words[String(word)] = said }
    }
    add(
      .inBusiness,
      "영업/정상 정상 영업 영업중 정상영업 정상영업중 운영 운영중 정상운영 재개업 営業 営業中 通常営業 営業継続 operational open active")
    add(
      .suspended,
      """
      휴업 휴업처리 휴업중 휴점 휴관 휴관중 휴원 영업정지 업무정지 운영중단 운영정지 일시정지 \
      休業 休業中 一時休業 臨時休業 臨時休業中 休止 休止中 休館中 休園中 closed_temporarily temporarily_closed suspended
      """)
    add(
      .closedDown,
      """
      폐업 폐업처리 직권폐업 폐업신고 폐점 폐관 폐원 폐쇄 폐쇄명령 취소 허가취소 등록취소 지정취소 직권취소 말소 직권말소 등록말소 만료 \
      취소/말소/만료/정지/중지 제외/삭제/전출 전출 타시군구이관 \
      廃業 廃業済 閉店 閉店済 閉業 閉業済 閉館 閉園 閉院 閉鎖 廃止 廃止済 closed_permanently permanently_closed closed \
      out_of_business
      """)
    add(.neither, "영업개시전 개업준비중 기타 開業準備中 開店準備中 開業前 opening_soon")
    return words
  }()
}

// MARK: Columns of closing days

/// The columns in which sources list the closing days of a place.
///
///     let mart = BasicAnnotation(id: 1, properties: ["holidays": .array(["2018-10-28 (일)"])])
///     ClosingDayColumns.text(of: mart.properties)  // 2018-10-28 (일)
///
/// `closing_days`, `휴무일`, `定休日` and similar ones; also `holidays` and `휴일` if they name days. Several columns of one
/// place are combined, such as `정기휴무` with its Sundays and `holidays` with its dates.
public enum ClosingDayColumns {
  /// The closing days in a place's properties, as text for `WrittenHours`; nil if there are none.
  ///
  /// - Returns: The texts of the columns in order, joined by `; `; the values of a list are joined
  ///   by commas.
  /// - Complexity: O(properties), and O(length) for a column that may have another meaning.
  public static func text(of properties: Properties) -> String? {
    var texts: [String] = []
    for entry in properties.entries {
      guard let isPlain = names[entry.name], let text = text(of: entry.value),
        !texts.contains(text), isPlain || WrittenHours.namesClosingDays(text)
      else { continue }
      texts.append(text)
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Whether a column with this name is read.
  package static func isColumn(_ name: String) -> Bool { names[name] != nil }

  private static func text(of value: PropertyValue) -> String? {
    switch value {
    case .string(""): return nil
    case .string(let text), .number(let text): return text
    case .array(let values):
      let texts = values.listedTexts.filter { !$0.isEmpty }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    case .null, .bool, .object: return nil
    }
  }

  /// The names, and whether each always means closing days: `휴일` may be a column of hours.
  private static let names: [String: Bool] = {
    var names: [String: Bool] = [:]
    func add(_ isPlain: Bool, _ list: String) {
      for name in list.split(separator: " ") {
        let words = name.split(separator: "_")
        let capitals = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        // All spellings are listed here, so that a lookup is cheap: `closing_days`, `closing days`, `closing-days`,
        // `closingdays`, `CLOSING_DAYS`, `closingDays`, `ClosingDays`, `Closing Days`, `Closing days`.
        for joint in ["_", " ", "-", ""] {
          let joined = words.joined(separator: joint)
          names[joined] = isPlain
          names[joined.uppercased()] = isPlain
          names[capitals.joined(separator: joint)] = isPlain
          names[([capitals[0]] + words.dropFirst().map(String.init)).joined(separator: joint)] =
            isPlain
        }
        names[([String(words[0])] + capitals.dropFirst()).joined()] = isPlain
      }
    }
    add(
      true,
      """
      closing_days closed_days closing_dates closed_dates closing_day closed_day regular_holiday regular_holidays \
      휴무일 휴무일자 휴무일정 휴무 정기휴무일 정기휴무 정기_휴무 정기_휴무일 정기휴일 정기휴점일 휴관일 정기휴관일 휴관정보 휴업일 정기휴업일 의무휴업일 의무휴업 휴점일 \
      휴진일 휴원일 쉬는날 定休日 定休 休業日 休館日 休店日 店休日 休診日 休園日 休日 臨時休業日 休み
      """)
    add(false, "holidays holiday closed closures days_off 휴일 休業 休館")
    return names
  }()
}

// MARK: Columns of days and sessions

/// The properties in which sources write days and sessions.
enum DateColumn {
  case dates, sessions, firstDay, lastDay, starts, ends
  /// Those of `Annotation.validDates`.
  case validFrom, validUntil

  /// What a name means, in any case, with or without `_`, `-` and blanks; nil for other names.
  init?(_ name: String) {
    // Searches ask this of each property of each annotation: most names differ already in their hash.
    guard Self.hashes.contains(Self.hash(name)), let column = Self.names[Self.folded(name)] else {
      return nil
    }
    self = column
  }

  /// What is left out of a name.
  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "_", "-", " ", "\t", "\u{FEFF}", "\u{3000}": true
    default: false
    }
  }

  private static func folded(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.filter { !isSign($0) })).lowercased()
  }

  /// A hash that names which fold to the same have in common; no name here has large letters beyond ASCII.
  private static func hash(_ name: String) -> UInt64 {
    name.unicodeScalars.lazy.filter { !isSign($0) }
      .map { ("A"..."Z").contains($0) ? $0.value | 0x20 : $0.value }.fnvHash
  }

  private static let hashes = Set(names.keys.map(hash))

  private static let names: [String: DateColumn] = {
    var names: [String: DateColumn] = [:]
    func add(_ column: DateColumn, _ list: String) {
      for name in list.split(separator: " ") { names[folded(String(name))] = column }
    }
    add(.dates, "dates enabled_dates valid_dates rrule")
    add(.sessions, "sessions showings")
    add(
      .firstDay,
      """
      행사시작일자 행사시작일 축제시작일자 축제시작일 공연시작일자 공연시작일 시작일자 시작일 開始日 利用開始日 掲載開始日 開催開始日 \
      start_date event_start_date
      """)
    add(
      .lastDay,
      """
      행사종료일자 행사종료일 축제종료일자 축제종료일 공연종료일자 공연종료일 종료일자 종료일 유효기간 유효기한 만료일자 만료일 \
      終了日 利用終了日 掲載終了日 開催終了日 有効期限 利用期限 end_date event_end_date valid_to valid_thru expires expiry
      """)
    add(.starts, "행사시작시각 開始時間 start_time")
    add(.ends, "행사종료시각 終了時間 end_time")
    add(.validFrom, "valid_from")
    add(.validUntil, "valid_until valid_through")
    return names
  }()
}
