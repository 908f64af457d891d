import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing

/// By which clock and holidays the hours of a place are read: by those of one zone, or for Korea and
/// Japan by their own and elsewhere by the machine's.
///
/// Hours without a position are meant where their language is spoken.
struct PlaceClocks {
  private let zones: [NamedZone]
  let settings: [HoursSetting]

  /// - Parameter zone: The zone of all places; nil to tell by where they are.
  init(zone: NamedZone?, holidays: [HolidayCalendar.Holiday]) throws(CommandError) {
    if let zone {
      zones = [zone]
    } else {
      zones = [try Zones.system(), Zones.korea, Zones.japan]
    }
    settings = zones.map { $0.setting(adding: holidays) }
  }

  /// Which of the settings an annotation has.
  func number(of item: ImportedAnnotation) -> Int {
    if let position = item.coordinate { return number(of: Zones.zone(at: position)) }
    return number(of: Zones.zone(ofHours: HoursColumns.allText(of: item)))
  }

  private func number(of zone: NamedZone?) -> Int {
    guard zones.count > 1, let zone else { return 0 }
    return zones.firstIndex { $0.name == zone.name && $0.country != nil } ?? 0
  }

  /// What hours at a position refer to; the machine's zone where there is none.
  func setting(at position: Coordinate?) -> HoursSetting {
    settings[number(of: position.flatMap(Zones.zone(at:)))]
  }

  /// What the hours of an annotation refer to.
  func setting(of item: ImportedAnnotation) -> HoursSetting { settings[number(of: item)] }

  /// What a text of hours refers to that stands alone.
  func setting(ofHours text: String) -> HoursSetting {
    settings[number(of: Zones.zone(ofHours: text))]
  }

  /// Reads the hours of annotations.
  var reader: HoursReader<ImportedAnnotation> {
    var reader = HoursReader<ImportedAnnotation>(
      settings: settings, text: HoursColumns.text, settingOf: number(of:))
    reader.closingDays = HoursColumns.closingDays
    reader.read = { HoursColumns.read($0, $1).hours }
    return reader
  }
}

/// What is asked of the hours, and how times are told.
struct OpenPlan {
  let condition: OpenCondition
  let clocks: PlaceClocks
  /// The clock of where the question stands.
  let own: HoursSetting

  func filter(from origin: Coordinate?) -> OpenFilter<ImportedAnnotation> {
    OpenFilter(condition, reader: clocks.reader, from: origin)
  }

  /// What is told of an annotation in a table: `open until 18:00`.
  func words(_ status: OpenStatus, of item: ImportedAnnotation) -> String {
    if let words = status.business.words { return words }
    let setting = clocks.setting(of: item)
    func time(_ instant: Instant) -> String {
      TimeText.brief(instant, seenFrom: condition.instant, setting)
    }
    let comment = status.comment.map { " (\($0))" } ?? ""
    switch status.state {
    case .open:
      if let opens = status.opens, let end = status.nextChange {
        return "closes \(time(end)), opens \(time(opens))\(comment)"
      }
      return (status.nextChange.map { "open until \(time($0))" } ?? "open") + comment
    case .closed:
      return (status.opens.map { "opens \(time($0))" } ?? "closed") + comment
    case .unknown: return "hours unknown" + comment
    }
  }
}

extension OpenPlan {
  /// The question, as JSON repeats it.
  var members: Properties {
    var members: Properties = ["at": .string(TimeText.iso(condition.instant, own))]
    if case .arrival(let journey) = condition.moment {
      members.append("arrival", true)
      members.append("speed", .double(journey.speed))
      members.append("detour", .double(journey.detour))
    }
    members.append("stay", .number(String(condition.stay)))
    members.append("unknown", condition.showsUnknown ? "show" : "hide")
    return members
  }

  /// What is told of an annotation, as JSON and GeoJSON have it.
  func members(of status: OpenStatus, of item: ImportedAnnotation) -> Properties {
    let setting = clocks.setting(of: item)
    func time(_ instant: Instant?) -> PropertyValue {
      instant.map { .string(TimeText.iso($0, setting)) } ?? .null
    }
    var members: Properties = [
      "openState": .string("\(status.state)"), "nextChange": time(status.nextChange),
    ]
    if let opens = status.opens { members.append("opensAt", time(opens)) }
    if case .arrival = condition.moment { members.append("arrival", time(status.instant)) }
    if let comment = status.comment { members.append("openComment", .string(comment)) }
    members.entries += status.business.members.entries
    return members
  }
}

/// Asks annotations, from any task, whether they are open.
final class OpenAdmission: Sendable {
  private let filter: SharedValue<OpenFilter<ImportedAnnotation>>

  init(_ plan: OpenPlan) {
    filter = SharedValue(
      OpenFilter(plan.condition, reader: plan.clocks.reader, from: nil))
  }

  func includes(_ item: ImportedAnnotation) -> Bool {
    filter.withLock { $0.includes(item) }
  }
}

/// A file of holidays: `yyyy-MM-dd,name` a line.
enum HolidayFile {
  static func holidays(of name: String?) throws(CommandError) -> [HolidayCalendar.Holiday] {
    guard let name else { return [] }
    let file = FileName(argument: name)
    var holidays: [HolidayCalendar.Holiday] = []
    for row in DelimitedRow.rows(of: try Files.unpacked(try Files.bytes(of: file), of: file)) {
      guard let first = row.cells.first, !trimmed(first).isEmpty else { continue }
      let parts = trimmed(first).split(separator: "-").compactMap { Int($0) }
      guard parts.count == 3, (1...9999).contains(parts[0]), (1...12).contains(parts[1]),
        LocalTime(year: parts[0], month: parts[1], day: parts[2]).date
          == (parts[0], parts[1], parts[2])
      else {
        if row.line == 1 { continue }  // A header.
        throw CommandError(
          "bad-holiday",
          "\(file.text):\(row.line): \"\(trimmed(first))\" is no day; write 2026-11-22,name",
          status: .badData)
      }
      holidays.append(
        HolidayCalendar.Holiday(
          year: parts[0], month: parts[1], day: parts[2],
          name: row.cells.count > 1 ? trimmed(row.cells[1]) : ""))
    }
    return holidays
  }
}
