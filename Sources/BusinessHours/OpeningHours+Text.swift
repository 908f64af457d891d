import Geodesy

extension OpeningHours: CustomStringConvertible {
  /// The value in its canonical spelling, which parses to an equal value.
  ///
  /// Parts are in the specification's order: years, dates, weeks, weekdays, times, state, comment.
  public var description: String {
    var text = ""
    for (index, rule) in rules.enumerated() {
      if index > 0 {
        switch rule.operator {
        case .normal: text += "; "
        case .additional: text += ", "
        case .fallback: text += " || "
        }
      }
      let next = index + 1 < rules.count ? rules[index + 1] : nil
      text += rule.text(mustEnd: next?.operator == .additional)
    }
    return text
  }
}

extension HoursRule: CustomStringConvertible {
  /// The rule in its canonical spelling, without the sign that joins it to the rule before.
  public var description: String { text(mustEnd: false) }

  /// - Parameter mustEnd: Whether a comma follows, which would continue a list of days or times.
  fileprivate func text(mustEnd: Bool) -> String {
    var words: [String] = []
    var isAfterYear = false
    for group in orderedDays {
      // Directly before a date, a year would be a part of it: `2026: Mar 10+` ends with 2026, `2026 Mar 10+` never.
      if isAfterYear, group.part == .dates, !group.allSatisfy(\.isMonths) {
        words[words.count - 1] += ":"
      }
      isAfterYear = group.onlyYear != nil
      words.append((group.part == .weeks ? "week " : "") + group.map(\.text).joined(separator: ","))
    }
    if !times.isEmpty { words.append(times.map(\.text).joined(separator: ",")) }
    switch state {
    case .closed: words.append("off")
    case .unknown:
      if comment == nil { words.append("unknown") }
    case .open:
      if comment != nil || mustEnd { words.append("open") }
      if comment == nil && !mustEnd && words.isEmpty { words.append("24/7") }
    }
    if let comment { words.append("\"\(comment)\"") }
    return words.joined(separator: " ")
  }
}

private func offsetText(_ days: Int) -> String {
  if days == 0 { return "" }
  return " \(days > 0 ? "+" : "-")\(abs(days)) day\(abs(days) == 1 ? "" : "s")"
}

private func stepText(_ step: Int) -> String { step == 1 ? "" : "/\(step)" }

extension DaySelector {
  fileprivate var text: String {
    switch self {
    case .years(let first, let last, let step):
      if step > 1 && last == 9999 { return "\(first)/\(step)" }
      if last == 9999 { return "\(first)+" }
      return (first == last ? "\(first)" : "\(first)-\(last)") + stepText(step)
    case .months(let first, let last):
      let names = HoursWord.monthNames
      return first == last ? names[first - 1] : "\(names[first - 1])-\(names[last - 1])"
    case .dates(let span): return span.text
    case .weeks(let first, let last, let step):
      let end = first == last ? "" : "-" + zeroPadded(last)
      return zeroPadded(first) + end + stepText(step)
    case .weekdays(let first, let last):
      let names = HoursWord.weekdayNames
      return first == last ? names[first] : "\(names[first])-\(names[last])"
    case .nthWeekdays(let weekday, let nths, let offset):
      var numbers: [String] = []
      for nth in 1...5 where nths >> UInt16(nth - 1) & 1 == 1 { numbers.append("\(nth)") }
      for nth in 1...5 where nths >> UInt16(nth + 4) & 1 == 1 { numbers.append("-\(nth)") }
      let list = numbers.joined(separator: ",")
      return "\(HoursWord.weekdayNames[weekday])[\(list)]\(offsetText(offset))"
    case .publicHolidays(let offset): return "PH" + offsetText(offset)
    case .schoolHolidays(let offset): return "SH" + offsetText(offset)
    }
  }
}

extension DateRange {
  fileprivate var text: String {
    switch end {
    case .single: start.text
    case .never: start.text + "+"
    case .date(let last): "\(start.text)-\(last.text)\(stepText(step))"
    }
  }
}

extension DatePoint {
  fileprivate var text: String {
    let year = year.map { "\($0) " } ?? ""
    let day =
      switch self.day {
      case .easter: "easter"
      case .day(let month, let day): "\(HoursWord.monthNames[month - 1]) \(zeroPadded(day))"
      case .nthWeekday(let month, let weekday, let nth):
        "\(HoursWord.monthNames[month - 1]) \(HoursWord.weekdayNames[weekday])[\(nth)]"
      }
    let step = weekday.map { " \($0.isAfter ? "+" : "-")\(HoursWord.weekdayNames[$0.weekday])" }
    return year + day + (step ?? "") + offsetText(offset)
  }
}

extension TimeSpan {
  fileprivate var text: String {
    switch end {
    case .time(let last): "\(start.text)-\(last.text)"
    case .open: "\(start.text)+"
    case .openAfter(let last): "\(start.text)-\(last.text)+"
    case .times(let last, let step): "\(start.text)-\(last.text)/\(ClockText.clock(minutes: step))"
    }
  }
}

extension TimePoint {
  fileprivate var text: String {
    switch self {
    case .clock(let minute): return ClockText.clock(minutes: minute)
    case .sun(let event, let offset):
      let name = HoursWord.sunNames[Int(event.rawValue)]
      if offset == 0 { return name }
      return "(\(name)\(offset < 0 ? "-" : "+")\(ClockText.clock(minutes: abs(offset))))"
    }
  }
}
