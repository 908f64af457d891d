import BusinessHours
import Geodesy
import MapAnnotations

/// Where annotations have their hours, and which time zones and holidays they are read with.
///
///     let seoul = HoursSetting(publicHolidays: .korea, utcOffset: { _ in 9 * 3600 })
///     let reader = HoursReader<BasicAnnotation>(setting: seoul)
public struct HoursReader<Item: Annotation>: Sendable {
  /// The text of an annotation's hours; nil where it has none.
  public var text: @Sendable (Item) -> String?
  /// The text of its closing days, if they are separate; its hours are unknown if it has neither.
  ///
  /// By default that of columns such as `holidays` and `定休日`; see `Annotation.closingDays`.
  public var closingDays: @Sendable (Item) -> String? = { $0.closingDays }
  /// Whether it is in business at all: one that has closed down or is suspended is closed, whatever its hours say.
  public var business: @Sendable (Item) -> BusinessRecord = { $0.business }
  /// The time zones and holidays that hours depend on; at least one.
  ///
  /// Rules that depend on the sun use the annotation's own position, unless a setting specifies other times.
  public var settings: [HoursSetting]
  /// The index of an annotation's setting; an invalid index means the first setting.
  public var settingOf: @Sendable (Item) -> Int
  /// Reads a text of hours and one of closing days, either of which may be empty; by default as `WrittenHours` does.
  ///
  /// nil means that nothing is known.
  public var read: @Sendable (_ text: String, _ closingDays: String) -> OpeningHours?

  /// A reader for places of one zone.
  public init(
    setting: HoursSetting, text: @escaping @Sendable (Item) -> String? = { $0.openingHours }
  ) {
    self.init(settings: [setting], text: text) { _ in 0 }
  }

  /// A reader for places of several zones.
  ///
  /// - Precondition: `settings` is not empty.
  public init(
    settings: [HoursSetting], text: @escaping @Sendable (Item) -> String? = { $0.openingHours },
    settingOf: @escaping @Sendable (Item) -> Int
  ) {
    precondition(!settings.isEmpty, "hours need a clock")
    self.settings = settings
    self.text = text
    self.settingOf = settingOf
    read = { WrittenHours($0, closingDays: $1).hours }
  }
}

/// Hours with their setting and business record.
///
/// A class, so that looking at one does not copy everything that it refers to.
package final class HoursEntry: Sendable {
  /// Closed while it is not in business; nil where nothing is known.
  package let hours: OpeningHours?
  package let setting: HoursSetting
  package let business: BusinessRecord
  /// Whether there is anything to report besides its state.
  let hasRemarks: Bool

  init(
    _ hours: OpeningHours?, _ setting: HoursSetting, _ business: BusinessRecord = BusinessRecord()
  ) {
    self.hours = business.applied(to: hours)
    self.setting = setting
    self.business = business
    hasRemarks =
      business != BusinessRecord() || hours?.rules.contains { $0.comment != nil } ?? false
  }

  /// The same hours with another setting.
  init(_ other: HoursEntry, _ setting: HoursSetting) {
    hours = other.hours
    self.setting = setting
    business = other.business
    hasRemarks = other.hasRemarks
  }
}

/// The different hours of annotations, each read once: by text, business record, setting and, for rules that depend on
/// the sun, position.
struct HoursBook<Item: Annotation>: Sendable {
  /// The first entry is for annotations without hours.
  private(set) var entries: [HoursEntry]
  private var numbers: [HoursKey: Int] = [:]
  private let reader: HoursReader<Item>

  init(_ reader: HoursReader<Item>) {
    self.reader = reader
    entries = [HoursEntry(nil, reader.settings[0])]
  }

  /// The index of an annotation's hours in `entries`, to which new ones are added.
  mutating func number(of item: Item) -> Int {
    let text = reader.text(item) ?? "", closingDays = reader.closingDays(item) ?? ""
    let business = reader.business(item)
    guard !text.isEmpty || !closingDays.isEmpty || business != BusinessRecord() else { return 0 }
    let chosen = reader.settingOf(item)
    let setting = reader.settings.indices.contains(chosen) ? chosen : 0
    var key = HoursKey(text: text, closingDays: closingDays, business: business, setting: setting)
    let number = numbers[key] ?? add(key)
    let entry = entries[number]
    guard entry.hours?.usesSun == true, entry.setting.sun == nil, let position = item.coordinate
    else { return number }
    key.position = position
    if let own = numbers[key] { return own }
    var sunny = entry.setting
    sunny.sun = .position(position)
    entries.append(HoursEntry(entry, sunny))
    numbers[key] = entries.count - 1
    return entries.count - 1
  }

  private mutating func add(_ key: HoursKey) -> Int {
    let saysHours = !key.text.isEmpty || !key.closingDays.isEmpty
    entries.append(
      HoursEntry(
        saysHours ? reader.read(key.text, key.closingDays) : nil, reader.settings[key.setting],
        key.business))
    numbers[key] = entries.count - 1
    return entries.count - 1
  }
}

/// What decides what an annotation's hours are.
///
/// Not within the generic type, whose types would be looked up for each annotation.
private struct HoursKey: Hashable {
  let text: String
  let closingDays: String
  let business: BusinessRecord
  let setting: Int
  var position: Coordinate?
}
