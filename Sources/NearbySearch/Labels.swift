import Geodesy
import MapAnnotations

/// A distance as apps write it beside a place: `203 m`, `1.1 km`, `12 km`.
///
///     DistanceText(.meters(203.4))?.description              // "203 m"
///     DistanceText(.meters(1_098), in: .korean)?.description  // "1.1km"
///
/// | length, in whole meters | text |
/// |---|---|
/// | 0…999 | meters: `999 m` |
/// | 1,000…9,999 | kilometers with one decimal: `1.0 km`, `10.0 km` |
/// | 10,000 and more | whole kilometers: `10 km`, `13152 km` |
///
/// Fractions of a meter are dropped first, so 999.99 m is `999 m`. Kilometers are then rounded like C's `printf`, which
/// the apps call: to the nearest, and ties to even as far as a binary number can be a tie. 10,500 m is `10 km`, 11,500
/// m is `12 km`. The decimal separator is a point in every language, and thousands are not separated.
///
/// Lists on a terminal use another text (`1.03 km`, in `TextMaps`): a column of their own has room for three digits,
/// more than a label under a name.
public struct DistanceText: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public let description: String

  /// The text of a distance.
  ///
  /// - Returns: nil for what is not a distance to a place: a negative or infinite length, or one of 10¹² m and more. A
  ///   list then omits the label rather than showing a number that nobody measured.
  public init?(_ distance: Distance, in language: LabelLanguage = .english) {
    self.init(meters: distance.meters, in: language)
  }

  /// The text of a length given as a bare number, as devices report it.
  ///
  /// - Parameters:
  ///   - meters: Any number, including NaN and the infinities.
  ///   - language: How it is written.
  /// - Returns: nil as above, and for NaN.
  public init?(meters: Double, in language: LabelLanguage = .english) {
    guard meters >= 0, meters < 1e12 else { return nil }
    let whole = Int(meters)
    let blank = language.blank
    switch whole {
    case ..<1_000: description = "\(whole)\(blank)m"
    case ..<10_000:
      let tenths = DistanceText.kilometers(whole, parts: 10)
      description = "\(tenths / 10).\(tenths % 10)\(blank)km"
    default: description = "\(DistanceText.kilometers(whole, parts: 1))\(blank)km"
    }
  }

  /// Whole meters as a count of kilometers or tenths of one, rounded as `printf` does.
  ///
  /// An app divides by 1,000 and prints. The quotient is often slightly off a tie (1.15 is really
  /// 1.149999999999999911), and the text follows the quotient.
  private static func kilometers(_ meters: Int, parts: Int) -> Int {
    let step = 1_000 / parts
    let (below, rest) = meters.quotientAndRemainder(dividingBy: step)
    guard 2 * rest == step else { return 2 * rest < step ? below : below + 1 }
    // Rounding quotient · 1,000 − meters only once preserves its sign.
    let error = (-Double(meters)).addingProduct(Double(meters) / 1_000, 1_000)
    if error != 0 { return error < 0 ? below : below + 1 }
    return below.isMultiple(of: 2) ? below : below + 1
  }
}

/// The walking time to a place within walking distance: `5 min walk`, `도보 5분`, `徒歩5분`.
///
///     if let walk = WalkingTime(of: result.distance) { print(walk.text(in: .korean)) }  // 도보 5분
///
/// It assumes 5 km/h along the straight line: an estimate for a label, not a route. To find whether
/// a place is still open on arrival, use ``Journey``, which includes a detour.
public struct WalkingTime: Hashable, Comparable, Sendable {
  /// Whole minutes, rounded to the nearest and halves up; 0 for less than half a minute.
  public let minutes: Int

  /// ``Journey/walkingSpeed`` in meters per hour, a whole number, so that half minutes are exact.
  private static let speed = 5_000.0

  /// From this distance on the label is left out, since people would not walk.
  public static let reach = Distance.meters(5_000)

  /// The time for a distance.
  ///
  /// - Returns: nil from ``reach`` on, and for a negative length: there is nothing to show then.
  public init?(of distance: Distance) {
    guard distance >= .zero, distance < WalkingTime.reach else { return nil }
    minutes = Int((distance.meters * 60 / WalkingTime.speed).rounded(.toNearestOrAwayFromZero))
  }

  /// The time as a label.
  public func text(in language: LabelLanguage = .english) -> String {
    switch language {
    case .english: "\(minutes) min walk"
    case .korean: "도보 \(minutes)분"
    case .japanese: "徒歩\(minutes)分"
    }
  }

  /// Whether the left time is shorter.
  public static func < (left: WalkingTime, right: WalkingTime) -> Bool {
    left.minutes < right.minutes
  }
}

/// A day as apps write it: `2026-12-13 (일)`, with `오늘` or `내일` instead of the weekday for today and
/// tomorrow.
///
///     DayText(closing, today: today, in: .korean).description    // "2026-12-13 (일)"
///     DayText(today, today: today, in: .japanese).description    // "2026-11-22 (今日)"
///     DayText(tomorrow, today: today).word                       // "tomorrow"
///
/// The date is written as in ISO 8601 in every language, so that a list of dates lines up. The caller passes the
/// current day at the place: nothing here reads a clock.
public struct DayText: Hashable, Sendable, CustomStringConvertible {
  /// The date alone: `2026-12-13`.
  public let date: String
  /// The weekday, or today or tomorrow: `일`, `오늘`; `日`, `明日`; `Sun`, `tomorrow`.
  public let word: String

  /// The date, and the word in parentheses after it.
  public var description: String { "\(date) (\(word))" }

  /// The text of a day.
  ///
  /// - Parameters:
  ///   - day: Any day.
  ///   - today: The current day; nil to use the weekday for every day.
  ///   - language: The language of the word.
  public init(_ day: CalendarDate, today: CalendarDate?, in language: LabelLanguage = .english) {
    date = day.description
    let (now, next, weekdays) = DayText.words(in: language)
    switch today.map({ day.dayNumber - $0.dayNumber }) {
    case 0?: word = now
    case 1?: word = next
    default: word = weekdays[day.weekday]
    }
  }

  /// Today, tomorrow, and the weekdays from Monday on.
  private static func words(
    in language: LabelLanguage
  ) -> (today: String, tomorrow: String, weekdays: [String]) {
    switch language {
    case .english: ("today", "tomorrow", ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    case .korean: ("오늘", "내일", ["월", "화", "수", "목", "금", "토", "일"])
    case .japanese: ("今日", "明日", ["月", "火", "水", "木", "金", "土", "日"])
    }
  }
}

/// The languages that labels are written in.
///
/// The app chooses one: no locale is read here, and a list in Korean stays Korean on a phone that is set to English.
public enum LabelLanguage: String, CaseIterable, Hashable, Sendable {
  /// `203 m`, `5 min walk`.
  case english = "en"
  /// `203m`, `도보 5분`.
  case korean = "ko"
  /// `203m`, `徒歩5分`.
  case japanese = "ja"

  /// The separator between a number and its unit.
  var blank: String { self == .english ? " " : "" }
}
