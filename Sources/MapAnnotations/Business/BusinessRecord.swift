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
  /// Whether the source says that the place has not opened yet, without a day: nobody knows when its hours begin.
  public var isExpected: Bool

  /// Makes a record; without arguments it says nothing.
  public init(
    absence: Absence? = nil, days: DateSpan = DateSpan(first: nil, last: nil),
    namesFirstDay: Bool = true, saysInBusiness: Bool = false, isExpected: Bool = false
  ) {
    self.absence = absence
    self.days = days
    self.namesFirstDay = namesFirstDay
    self.saysInBusiness = saysInBusiness
    self.isExpected = isExpected
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
  /// - Returns: The same hours if the record has no absence; *unknown* for a place that has not opened yet.
  public func applied(to hours: OpeningHours?) -> OpeningHours? {
    guard absence != nil else { return isExpected ? .unknown("not opened yet") : hours }
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
