import BusinessHours
import Geodesy

/// A source's information on whether a place is in business, and when it is not.
///
///     let record = mart.business
///     record.status(on: CalendarDate("2026-11-23")!)  // .closedDown(since: 2015-08-27)
///
/// It does not depend on today's date: ask it about any day.
public struct BusinessRecord: Hashable, Sendable {
  /// How a place is out of business.
  public enum Absence: Hashable, Sendable {
    /// Temporarily.
    case suspended
    /// Permanently.
    case closedDown
  }

  /// How the place is out of business on some days; nil if the source says nothing about that.
  public var absence: Absence?
  /// The days of the absence, with open ends if none is given; unused without an absence.
  public var days: DateSpan
  /// Whether the source gives the first of these days or the one before, not only its month or year.
  public var namesFirstDay: Bool
  /// Whether the source says that the place is in business on other days.
  public var saysInBusiness: Bool

  /// Makes a record; without arguments it says nothing.
  public init(
    absence: Absence? = nil, days: DateSpan = DateSpan(first: nil, last: nil),
    namesFirstDay: Bool = true, saysInBusiness: Bool = false
  ) {
    self.absence = absence
    self.days = days
    self.namesFirstDay = namesFirstDay
    self.saysInBusiness = saysInBusiness
  }

  /// Whether the place is in business on a day.
  public func status(on day: CalendarDate) -> BusinessStatus {
    switch absence {
    case .suspended? where days.contains(day): .suspended
    case .closedDown? where days.contains(day):
      .closedDown(since: namesFirstDay ? days.first : nil)
    default:
      // A place that closes later is still in business.
      saysInBusiness || absence != nil && days.first.map({ day < $0 }) ?? false
        ? .inBusiness : .unknown
    }
  }

  /// Whether the place is in business at an instant, in its own time zone.
  public func status(at instant: Instant, setting: HoursSetting) -> BusinessStatus {
    guard absence != nil else { return saysInBusiness ? .inBusiness : .unknown }
    return CalendarDate(dayNumber: setting.localTime(at: instant).day).map(status(on:)) ?? .unknown
  }

  /// The opening hours with this record applied: closed on the days when the place is out of business.
  ///
  /// - Parameter hours: The hours on other days; nil if unknown.
  /// - Returns: The same hours if the record has no absence.
  public func applied(to hours: OpeningHours?) -> OpeningHours? {
    guard absence != nil else { return hours }
    return .closing(hours, from: days.first?.dayNumber, to: days.last?.dayNumber)
  }
}

/// Whether a place is in business on a day: not whether it is open at an hour, but whether it still
/// exists as its record says.
public enum BusinessStatus: Hashable, Sendable {
  /// The source says so, or says that the place closes later.
  case inBusiness
  /// Closed temporarily: 휴업, 休業.
  case suspended
  /// Closed permanently, with the day if the source gives one.
  case closedDown(since: CalendarDate?)
  /// The source does not say.
  case unknown

  /// Whether the place is known to be out of business.
  public var isOutOfBusiness: Bool {
    switch self {
    case .suspended, .closedDown: true
    case .inBusiness, .unknown: false
    }
  }

  /// The text for lists: `closed down 2015-08-27`, `suspended`; nil if there is nothing to show.
  public var words: String? {
    switch self {
    case .suspended: "suspended"
    case .closedDown(let day?): "closed down \(day)"
    case .closedDown(nil): "closed down"
    case .inBusiness, .unknown: nil
    }
  }

  /// The members for programs: `business`, either `suspended` or `closedDown`, and the day as
  /// `closedDownSince`; empty if there is nothing to say.
  public var members: Properties {
    switch self {
    case .suspended: ["business": "suspended"]
    case .closedDown(let day?):
      ["business": "closedDown", "closedDownSince": .string("\(day)")]
    case .closedDown(nil): ["business": "closedDown"]
    case .inBusiness, .unknown: [:]
    }
  }
}

extension Annotation {
  /// The default: read from the properties by ``BusinessRecord/init(reading:isOffer:)``.
  ///
  /// - Complexity: O(its properties), read on each call.
  public var business: BusinessRecord {
    BusinessRecord(reading: properties, isOffer: kind == .deal)
  }

  /// The default: read from the properties by ``ClosingDayColumns/text(of:)``.
  ///
  /// - Complexity: O(its properties), read on each call.
  public var closingDays: String? { ClosingDayColumns.text(of: properties) }
}

extension BusinessRecord {
  /// Reads whether a place is in business from a source's columns.
  ///
  /// It reads columns of Korean registers (`영업상태명`, `상세영업상태명`, their codes, `폐업일자`, `휴업시작일자`, …) and Japanese ones
  /// (`廃業年月日`, `廃止日`, `営業状況`, …), OpenStreetMap's keys (`disused:shop`, `abandoned:amenity`, `was:shop`, `end_date`,
  /// …), and `closed`, `closed_date` and `business_status`. <doc:ClosedPlaces> lists them and says how they combine.
  ///
  /// - Parameters:
  ///   - properties: The record's columns.
  ///   - isOffer: Whether the record is a deal, whose `end_date` is the end of the deal, not of the place.
  public init(reading properties: Properties, isOffer: Bool = false) {
    var columns = BusinessColumns()
    for entry in properties.entries {
      guard let text = entry.value.text, !text.isEmpty else { continue }
      columns.add(entry.name, text)
    }
    self = columns.record(isOffer: isOffer)
  }

  /// Whether a column with this name is read.
  package static func isColumn(_ name: String) -> Bool { BusinessColumns.reads(name) }
}

// MARK: Columns about being in business

/// Collects what a record's columns say about being in business.
private struct BusinessColumns {
  private enum Said {
    case closedDown, suspended, inBusiness
    /// A known word with another meaning, such as 영업개시전: not opened yet.
    case neither
  }

  /// The role of a column; if several have the same role, the first that is understood counts.
  private enum Role {
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

  static func reads(_ name: String) -> Bool { role(of: name) != nil }

  private static func role(of name: String) -> Role? {
    if let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) {
      // `disused:shop=bakery`: a former shop.
      let isPast =
        lifeCycle.contains(String(name[..<colon]))
        && features.contains(String(name[name.index(after: colon)...]))
      return isPast ? .pastFeature : nil
    }
    let isPlain = !name.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
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
      휴무일 휴무일자 휴무일정 휴무 정기휴무일 정기휴무 정기휴일 정기휴점일 휴관일 정기휴관일 휴업일 정기휴업일 의무휴업일 의무휴업 휴점일 \
      휴진일 휴원일 쉬는날 定休日 定休 休業日 休館日 休店日 店休日 休診日 休園日 休日 臨時休業日 休み
      """)
    add(false, "holidays holiday closed closures days_off 휴일 休業 休館")
    return names
  }()
}

extension BusinessStatus: Codable {
  private enum Key: String, CodingKey { case status, since }

  /// Encodes `{"status": "closedDown", "since": "2015-08-27"}`; the status is `inBusiness`,
  /// `suspended`, `closedDown` or `unknown`, and `since` is omitted if unknown.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let word =
      switch self {
      case .inBusiness: "inBusiness"
      case .suspended: "suspended"
      case .closedDown: "closedDown"
      case .unknown: "unknown"
      }
    try container.encode(word, forKey: .status)
    if case .closedDown(let since?) = self { try container.encode(since, forKey: .since) }
  }

  /// - Throws: `DecodingError` for any other status.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let word = try container.decode(String.self, forKey: .status)
    switch word {
    case "inBusiness": self = .inBusiness
    case "suspended": self = .suspended
    case "unknown": self = .unknown
    case "closedDown":
      self = .closedDown(since: try container.decodeIfPresent(CalendarDate.self, forKey: .since))
    default:
      throw decoder.refusal(
        "\"\(word)\" is not a status; write inBusiness, suspended, closedDown or unknown")
    }
  }
}
