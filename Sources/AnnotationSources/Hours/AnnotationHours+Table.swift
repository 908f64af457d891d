import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch
import WebMaps

extension AnnotationHours {
  /// When annotations are open from yesterday on, for a page: a day back for readers whose clocks are
  /// behind.
  ///
  /// Hours that were not understood are unknown throughout; annotations that have none take no course.
  ///
  /// - Parameter days: For how many days from the instant, at least 1.
  /// - Returns: nil where no annotation has hours.
  /// - Complexity: O(*n*), and of each different hours the days and their times: some 5 µs a day.
  package func table(of items: some Sequence<ImportedAnnotation>, days: Int) -> HoursTable? {
    let now = Int((Double(instant.seconds) / 60).rounded(.down))
    let minutes = now - 1440..<now + days * 1440
    var courses: [HoursTable.Course] = []
    var numbers: [HoursTable.Course: Int] = [:]
    // Each is worked out once.
    var known: [ObjectIdentifier: Int] = [:]
    var courseOfFeature: [Int] = []
    for item in items {
      let entry = filter.entry(of: item)
      let texts = [HoursColumns.text(of: item), item.closingDays]
      guard texts.contains(where: { $0?.isEmpty == false }) || entry.business.absence != nil else {
        courseOfFeature.append(-1)
        continue
      }
      if let number = known[ObjectIdentifier(entry)] {
        courseOfFeature.append(number)
        continue
      }
      let course = course(entry, clock: clocks.number(of: item), minutes)
      let number = numbers[course] ?? courses.count
      if number == courses.count { courses.append(course) }
      numbers[course] = number
      known[ObjectIdentifier(entry)] = number
      courseOfFeature.append(number)
    }
    guard !courses.isEmpty else { return nil }
    return HoursTable(
      minutes: minutes,
      clocks: clocks.settings.map { HoursTable.Clock($0.utcOffset, in: minutes) },
      courses: courses, courseOfFeature: courseOfFeature)
  }

  private func course(
    _ entry: HoursEntry, clock: Int, _ minutes: Range<Int>
  ) -> HoursTable.Course {
    var course = HoursTable.Course(first: .unknown, changes: [], clock: clock)
    let (business, setting) = (entry.business, entry.setting)
    guard let hours = entry.hours else { return course }
    var last: HoursTable.State?
    let spans = hours.intervals(
      from: Instant(minutes: minutes.lowerBound), to: Instant(minutes: minutes.upperBound),
      setting: setting)
    // Nights before and after the last day are closed alike, but not in the same way.
    let cuts = [business.days.first?.dayNumber, business.days.last.map { $0.dayNumber + 1 }]
      .compactMap { $0.map { setting.instant(of: LocalTime(day: $0, secondOfDay: 0)) } }.sorted()
    for span in spans.flatMap({ $0.pieces(at: cuts) }) {
      let state: HoursTable.State =
        switch span.answer.state {
        case .open: .open
        case .closed: Self.closed(business.status(at: span.start, setting: setting))
        case .unknown: .unknown
        }
      guard state != last else { continue }  // Only the comment is another.
      // Hours change at whole minutes, and clocks differ from UTC by whole ones since 1972.
      let minute = Int((Double(span.start.seconds) / 60).rounded(.down))
      if last == nil {
        course.first = state
      } else if course.changes.last.map({ $0.minute < minute }) ?? true {
        course.changes.append(.init(at: minute, state))
      } else {
        course.changes[course.changes.count - 1].value = state
      }
      last = state
    }
    return course
  }

  /// How a place is closed at an instant.
  private static func closed(_ business: BusinessStatus) -> HoursTable.State {
    switch business {
    case .closedDown: .closedDown
    case .suspended: .suspended
    case .inBusiness, .unknown: .closed
    }
  }
}

extension HoursSpan {
  /// The span in pieces that end at some instants, ascending.
  fileprivate func pieces(at cuts: [Instant]) -> [HoursSpan] {
    var pieces: [HoursSpan] = []
    var rest = self
    for cut in cuts where rest.start < cut && cut < rest.end {
      pieces.append(rest)
      pieces[pieces.count - 1].end = cut
      rest.start = cut
    }
    return pieces + [rest]
  }
}

extension HoursTable.Clock {
  /// A clock that is so many seconds ahead of UTC at an instant.
  fileprivate init(_ utcOffset: (Instant) -> Int, in minutes: Range<Int>) {
    self.init(first: utcOffset(Instant(minutes: minutes.lowerBound)) / 60)
    var last = first
    // Every zone puts its clocks forward and back on a quarter of an hour of UTC.
    for minute in stride(
      from: minutes.lowerBound - minutes.lowerBound % 15 + 15, to: minutes.upperBound, by: 15)
    {
      let ahead = utcOffset(Instant(minutes: minute)) / 60
      if ahead != last { changes.append(.init(at: minute, ahead)) }
      last = ahead
    }
  }
}

extension Instant {
  /// A moment by its minutes since 1970-01-01T00:00Z.
  fileprivate init(minutes: Int) { self.init(seconds: Int64(minutes) * 60) }
}
