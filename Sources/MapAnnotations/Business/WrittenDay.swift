import BusinessHours
import Geodesy

/// A day in the notation of registers and maps, or a month or year that contains it.
package struct WrittenDay: Hashable {
  /// The first possible day.
  package private(set) var first: CalendarDate
  /// The last possible day.
  package private(set) var last: CalendarDate
  /// Whether an instant in UTC was written, which may be on the day before or after by the clocks of a place.
  package private(set) var isInUTC = false
  /// The minute of the day of the time that follows; nil if there is none.
  private(set) var minute: Int?
  /// The minute of the day that ends a span of hours, as in `2026-11-22 10:00-12:00`.
  private(set) var endMinute: Int?

  var isExact: Bool { first == last }

  /// Reads `2015-08-27`, `20150827`, `2015.8.27`, `2015/8/27`, `2015年8月27日`, `2015년 8월 27일`, with or without a time
  /// after it, and with its weekday in brackets; `令和5年3月31日`, `令5.3.31`, `R5.3.31`; `令和5年3月`, `2015-08` and `2015`.
  ///
  /// Digits and signs may be full-width.
  ///
  /// Behind a time, `Z` and `+00:00` leave two days possible, except behind midnight, which stands for the day itself.
  ///
  /// - Returns: nil for anything else, for a day with another weekday, and for 1111-11-11, which Korean registers write
  ///   for "no day".
  package init?(_ text: String) {
    var scalars = text.unicodeScalars.drop { $0 == " " || $0 == "　" }
    if !text.utf8.allSatisfy({ $0 < 0x80 }) {
      scalars = Substring(trimmed(text.plainSigns)).unicodeScalars
    }
    var era = 0
    var namesEra = false
    if let found = Self.eras.first(where: { scalars.starts(with: $0.name.unicodeScalars) }) {
      era = found.yearBefore
      namesEra = found.name.utf8.count > 1
      scalars = scalars.dropFirst(found.name.unicodeScalars.count)
      if namesEra { scalars = scalars.drop { $0 == " " } }
      if scalars.first == "元" {
        scalars = Substring("1" + String(scalars.dropFirst())).unicodeScalars
      }
    }
    var numbers: [(value: Int, digits: Int)] = []
    while numbers.count < 3 {
      let digits = scalars.prefix(while: \.isASCIIDigit)
      guard !digits.isEmpty else { break }
      guard digits.count <= 8, let value = Int(String(digits)) else { return nil }
      numbers.append((value, digits.count))
      scalars = scalars.dropFirst(digits.count)
      guard numbers.count < 3 else { break }
      let rest = scalars.drop { Self.separators.contains($0) }
      guard rest.first?.isASCIIDigit == true,
        rest.startIndex > scalars.startIndex, Self.separators.contains(scalars.first!),
        // A space alone ends the day; a time follows.
        scalars.first != " "
      else { break }
      scalars = rest
    }
    let weekday = Self.takeWeekday(from: &scalars)
    guard Self.mayFollow(scalars), let year = numbers.first else { return nil }
    if numbers.count == 1, year.digits == 8, era == 0 {
      let number = year.value
      self.init(number / 10_000, number / 100 % 100, number % 100)
    } else {
      guard era > 0 ? year.digits <= 2 : year.digits == 4,
        numbers.dropFirst().allSatisfy({ $0.digits <= 2 }),
        era == 0 || numbers.count == 3 || namesEra && numbers.count == 2
      else { return nil }
      self.init(
        year.value + era, numbers.count > 1 ? numbers[1].value : nil,
        numbers.count > 2 ? numbers[2].value : nil)
    }
    if let weekday, !isExact || first.weekday != weekday { return nil }
    if isExact { read(time: String(scalars)) }
  }

  /// Reads a last day, behind which `まで` or `까지` may stand: "until".
  init?(last text: String) {
    var scalars = Substring(text).unicodeScalars
    for word in ["まで", "까지"] where scalars.suffix(2).elementsEqual(word.unicodeScalars) {
      scalars.removeLast(2)
      while scalars.last == " " || scalars.last == "　" { scalars.removeLast() }
    }
    self.init(String(scalars))
  }

  /// Takes the weekday in brackets out of the text behind a day: `(토)`, `（土）10:00`; nil if there is none.
  private static func takeWeekday(from scalars: inout Substring.UnicodeScalarView) -> Int? {
    guard let opening = scalars.firstIndex(where: { "(（".unicodeScalars.contains($0) }),
      let closing = scalars[opening...].firstIndex(where: { ")）".unicodeScalars.contains($0) }),
      case let inside = scalars[scalars.index(after: opening)..<closing],
      let weekday = AnnotationDates.weekdays[String(inside).lowercased()]
    else { return nil }
    let rest = scalars[scalars.index(after: closing)...]
    scalars = Substring(String(scalars[..<opening]) + " " + String(rest)).unicodeScalars
    // Behind a time it leaves nothing.
    while scalars.last == " " { scalars.removeLast() }
    return weekday
  }

  /// Reads the time after a day.
  ///
  /// In UTC it makes the day before or after possible if it is that of some clocks, 12 hours behind UTC to 14 hours ahead.
  private mutating func read(time: String) {
    if time.isEmpty { return }
    var clock = String(time.unicodeScalars.drop { !$0.isASCIIDigit })
    // Without colons, as in iCalendar.
    let digits = clock.prefix { $0 != "+" && $0 != "-" && $0 != "Z" }
    if time.hasPrefix("T"), [4, 6].contains(digits.utf8.count), Int(digits) != nil {
      clock.insert(":", at: clock.index(clock.startIndex, offsetBy: 2))
      if digits.utf8.count == 6 {
        clock.insert(":", at: clock.index(clock.startIndex, offsetBy: 5))
      }
    }
    minute = (try? ISOTime(clock))?.secondOfDay.map { $0 / 60 }
    // Behind a `T` or seconds, `-12:00` is an offset.
    if !time.contains("T"), clock.utf8.count <= 11 {
      let ends = clock.split(separator: "-").map { (try? ISOTime(String($0)))?.secondOfDay }
      if ends.count == 2, let start = ends[0], let end = ends[1], start < end {
        (minute, endMinute) = (start / 60, end / 60)
      }
    }
    guard ["Z", "+00:00", "-00:00", "+0000", "+00"].contains(where: { time.hasSuffix($0) }) else {
      return
    }
    let written = time.utf8.filter(\.isASCIIDigit).map { Int($0 & 15) }
    guard written.count >= 2, written.contains(where: { $0 != 0 }) else { return }
    isInUTC = true
    let hour = written[0] * 10 + written[1]
    if hour < 12 { first = first.adding(days: -1) ?? first }
    if hour >= 10 { last = last.adding(days: 1) ?? last }
  }

  init(_ day: CalendarDate) { (first, last) = (day, day) }

  private init?(_ year: Int, _ month: Int?, _ day: Int?) {
    if year == 1111, month == 11, day == 11 { return nil }
    guard let first = CalendarDate(year: year, month: month ?? 1, day: day ?? 1) else { return nil }
    self.first = first
    last =
      day != nil
      ? first : (CalendarDate(year: year, month: month ?? 12, day: 1) ?? first).endOfMonth
  }

  /// Whether the text after a day is empty, its unit, or a time of day.
  private static func mayFollow(_ scalars: Substring.UnicodeScalarView) -> Bool {
    let rest = scalars.drop { "日일年년月월. ".unicodeScalars.contains($0) }
    guard let first = rest.first else { return true }
    let isTime = first == "T" || rest.startIndex > scalars.startIndex
    return isTime && rest.allSatisfy { "0123456789:.T+-Z".unicodeScalars.contains($0) }
  }

  private static let separators = Set<Unicode.Scalar>("-./年월月년 ".unicodeScalars)
  private static let eras: [(name: String, yearBefore: Int)] = [
    ("令和", 2018), ("平成", 1988), ("昭和", 1925), ("令", 2018), ("平", 1988), ("昭", 1925),
    ("R", 2018), ("H", 1988), ("S", 1925),
  ]
}
