import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch

/// By which clock and holidays the hours of a place are read: by those of one zone, or for Korea and
/// Japan by their own and elsewhere by the machine's.
///
/// Hours without a position are meant where their language is spoken.
package struct PlaceClocks: Sendable {
  private let zones: [NamedZone]
  package let settings: [HoursSetting]
  /// What is wrong with the machine's zone; nil where nothing is, and where none is asked for.
  private var mistake: ReportedError?

  /// Clocks of one zone for all places.
  package init(of zone: NamedZone, holidays: [HolidayCalendar.Holiday] = []) {
    self.init([zone], holidays)
  }

  /// Clocks of Korea and Japan for what lies there, and of another zone elsewhere.
  package init(elsewhere zone: NamedZone, holidays: [HolidayCalendar.Holiday] = []) {
    self.init([zone, .korea, .japan], holidays)
  }

  /// The clocks of Korea and Japan; a question that needs the time of another place fails with this error.
  package init(elsewhere mistake: ReportedError, holidays: [HolidayCalendar.Holiday] = []) {
    self.init(
      elsewhere: NamedZone(name: "UTC", rules: ZoneRules(fixed: 0)), holidays: holidays)
    self.mistake = mistake
  }

  private init(_ zones: [NamedZone], _ holidays: [HolidayCalendar.Holiday]) {
    self.zones = zones
    settings = zones.map { $0.setting(adding: holidays) }
  }

  /// Which of the settings an annotation has.
  package func number(of item: ImportedAnnotation) -> Int {
    if let position = item.coordinate { return number(of: NamedZone.zone(at: position)) }
    return number(of: NamedZone.zone(ofHours: HoursColumns.allText(of: item)))
  }

  private func number(of zone: NamedZone?) -> Int {
    guard zones.count > 1, let zone else { return 0 }
    return zones.firstIndex { $0.name == zone.name && $0.country != nil } ?? 0
  }

  /// What hours at a position refer to; the machine's zone where there is none.
  package func setting(at position: Coordinate?) -> HoursSetting {
    settings[number(of: position.flatMap(NamedZone.zone(at:)))]
  }

  /// What times refer to that a question names: those of where it is asked, or else of where most of its source is; the
  /// machine's zone where neither is known.
  ///
  /// - Complexity: O(1): of many annotations a thousand are looked at, spread over all.
  package func setting(
    at origin: Coordinate?,
    orAmong annotations: @autoclosure () -> some RandomAccessCollection<ImportedAnnotation>
  ) -> HoursSetting {
    settings[number(at: origin, orAmong: annotations())]
  }

  /// The date at a position, or else where most annotations are.
  package func today(
    at position: Coordinate?,
    orAmong annotations: @autoclosure () -> some RandomAccessCollection<ImportedAnnotation>,
    now: Instant
  ) -> CalendarDate {
    let day = setting(at: position, orAmong: annotations()).localTime(at: now).day
    // The clock of a machine may say anything; a calendar ends in 9999.
    return CalendarDate(dayNumber: day) ?? CalendarDate(dayNumber: 0)!
  }

  private func number(
    at origin: Coordinate?,
    orAmong annotations: @autoclosure () -> some RandomAccessCollection<ImportedAnnotation>
  ) -> Int {
    guard zones.count > 1 else { return 0 }
    if let origin { return number(of: NamedZone.zone(at: origin)) }
    let annotations = annotations()
    var counts = [Int](repeating: 0, count: zones.count)
    for offset in stride(from: 0, to: annotations.count, by: max(1, annotations.count / 1_000)) {
      let annotation = annotations[annotations.index(annotations.startIndex, offsetBy: offset)]
      guard let position = annotation.coordinate else { continue }
      counts[number(of: NamedZone.zone(at: position))] += 1
    }
    return counts.firstIndex(of: counts.max() ?? 0) ?? 0
  }

  /// Throws what is wrong with the machine's zone, if times at a position refer to it.
  package func check(at origin: Coordinate) throws(ReportedError) {
    if let mistake, number(of: NamedZone.zone(at: origin)) == 0 { throw mistake }
  }

  /// Throws what is wrong with the machine's zone, if times that a question names refer to it where most of its source is.
  package func check(
    among annotations: some RandomAccessCollection<ImportedAnnotation>
  ) throws(ReportedError) {
    if let mistake, number(at: nil, orAmong: annotations) == 0 { throw mistake }
  }

  /// Throws what is wrong with the machine's zone, if the hours of some annotation refer to it.
  ///
  /// - Complexity: O(1) if nothing is wrong, otherwise O(*n*).
  package func check(hoursOf annotations: some Sequence<ImportedAnnotation>) throws(ReportedError) {
    guard let mistake else { return }
    for annotation in annotations where number(of: annotation) == 0 {
      guard WrittenHours.isBlank(HoursColumns.allText(of: annotation)) else { throw mistake }
    }
  }

  /// Throws what is wrong with the machine's zone, if anything is.
  package func check() throws(ReportedError) {
    if let mistake { throw mistake }
  }

  /// What the hours of an annotation refer to.
  package func setting(of item: ImportedAnnotation) -> HoursSetting { settings[number(of: item)] }

  /// What a text of hours refers to that stands alone.
  package func setting(ofHours text: String) -> HoursSetting {
    settings[number(of: NamedZone.zone(ofHours: text))]
  }

  /// Reads the hours of annotations.
  package var reader: HoursReader<ImportedAnnotation> {
    var reader = HoursReader<ImportedAnnotation>(
      settings: settings, text: HoursColumns.text, settingOf: number(of:))
    reader.read = { text, closingDays in
      let read = HoursColumns.read(text, closingDays)
      // The words at which another reader stopped are no comment on hours of the language.
      guard read.extent == .none, HoursColumns.error(in: text, read) != nil else {
        return read.hours
      }
      return nil
    }
    return reader
  }
}
