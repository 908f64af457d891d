/// A time of day as it is written, perhaps on the clock of twelve hours.
struct WrittenTime {
  /// The written hours and minutes, in minutes.
  let minute: Int
  /// The part of the day that the words before it name.
  private(set) var part: DayPart?
  /// Whether the hour is 1 to 9 without a 0 before it, which may be on either clock.
  private(set) var isOfOneDigit = false
  /// Whether the hour is 1 to 12 without a 0 before it.
  private(set) var mayBeOfTwelve = false
  /// Whether `am` or `pm` follows it; the minute takes account of it.
  private(set) var hasSuffix = false

  /// A time on the clock of 24 hours.
  init(_ minute: Int) { self.minute = minute }

  init(_ minute: Int, _ part: DayPart?, in text: WrittenText, at place: Range<Int>) {
    self.minute = minute
    let digits = text.scalars[place].prefix(while: \.isASCIIDigit)
    // Noon and midnight as words have only one meaning.
    self.part = digits.isEmpty ? nil : part
    hasSuffix = text.scalars[place].contains(where: WrittenLexer.isLatin)
    mayBeOfTwelve = !digits.isEmpty && digits.first != "0" && !hasSuffix && minute < 780
    isOfOneDigit = mayBeOfTwelve && digits.count == 1
  }

  /// The time in the half of the day that follows the end of its span: `5:00 – 9:00 PM`; nil if it may be in the other.
  func inHalf(of end: WrittenTime) -> WrittenTime? {
    guard part == nil, mayBeOfTwelve, end.hasSuffix else { return nil }
    var time = WrittenTime(minute % 720 + (end.minute >= 720 ? 720 : 0))
    time.hasSuffix = true
    return time.minute < end.minute ? time : nil
  }

  /// The minute of the day if a place opens then; nil if it is uncertain.
  var start: Int? { minute(isEnd: false) }

  private func minute(isEnd: Bool) -> Int? {
    let noon = 720
    switch part {
    case nil: return minute
    // `Lunch 11:30am-2:30pm`; in `오전 10AM` one half is too many.
    case _? where hasSuffix:
      return part == .midday || part == .evening && minute >= 900 ? minute : nil
    case .morning: return minute >= 780 ? nil : minute >= noon ? minute - noon : minute
    case .afternoon: return minute >= noon ? minute : minute + noon
    case .midday:
      if minute < 60 { return nil }
      return minute < 360 ? minute + noon : minute
    case .evening where minute >= 780: return minute
    // `밤 12시` is midnight, and `밤 1시` an hour later.
    case .evening where minute >= noon || minute < 240:
      return isEnd ? (minute >= noon ? minute + noon : minute) : nil
    // A place that closes at `夜4時` may do so before dawn.
    case .evening where isEnd && minute < 300: return nil
    case .evening: return minute + noon
    case .lateNight where minute >= 780 || minute < 420: return minute
    case .lateNight where minute >= noon: return isEnd ? minute + noon : minute - noon
    // `深夜11時`.
    case .lateNight: return minute >= 660 ? minute + noon : nil
    }
  }

  /// The minute at which a place closes, from the midnight before it opens; nil if it is uncertain.
  ///
  /// - Parameters:
  ///   - opens: The time at which it opens.
  ///   - start: The minute of that time.
  ///   - isNextDay: Whether words say that this time is on the next day.
  func end(after opens: WrittenTime, start: Int, isNextDay: Bool) -> Int? {
    guard let end = minute(isEnd: true) else { return nil }
    if isNextDay {
      return part != .afternoon && part != .midday && end < min(start, 1440) ? end : nil
    }
    if opens.hasSuffix != hasSuffix {
      // `1-5pm`: the other time may be on either clock.
      let other = opens.hasSuffix ? self : opens
      if other.part == nil, other.minute < 780 { return nil }
    }
    if end > start { return end }
    if end == start { return nil }
    let night = end == 0 ? 1440 : end
    switch part {
    case .morning?, .lateNight?: return start >= 720 && end <= 360 || end <= 180 ? night : nil
    case .evening?: return end < 240 ? night : nil
    case .midday?, .afternoon?: return nil
    case nil: break
    }
    let isEvening = end + 720 > start && end <= 720
    switch opens.part {
    case .midday? where end > 0:
      // `昼11:30〜2:00`; `昼12:00〜02:00` may end at night.
      return isEvening && (isOfOneDigit || end == 720 || opens.minute < 360) ? end + 720 : nil
    // `오후 6시~12시` ends at midnight.
    case .afternoon?, .evening?:
      if isEvening, opens.minute < 780 { return end + 720 }
    default: break
    }
    // `11:30〜2:30`, `9:00-6:00` and `12:00~10:00` may end in the morning or the evening.
    if mayBeOfTwelve, isEvening, start < 17 * 60 || opens.part != nil { return nil }
    return end <= 180 || start >= 720 ? night : nil
  }
}
