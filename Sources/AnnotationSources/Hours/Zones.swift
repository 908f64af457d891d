import BusinessHours
import Geodesy
import MapAnnotations

/// Zones by their names, from the system's copy of the IANA database.
package struct Zones {
  /// The value of the variable `TZDIR`, a folder; nil without one.
  private let folder: FileName?
  /// The value of the variable `TZ`; nil without one.
  private let variable: String?

  package init(folder: FileName?, variable: String?) {
    (self.folder, self.variable) = (folder, variable)
  }

  /// The zones whose holidays are known.
  private static let countries = [
    "asia/seoul": "KR", "rok": "KR", "asia/tokyo": "JP", "japan": "JP", "europe/berlin": "DE",
    "europe/busingen": "DE",
  ]

  /// The zone of a name: `Asia/Seoul`, `UTC`, `+09:00`.
  package func named(_ name: String) throws(ReportedError) -> NamedZone {
    if let seconds = ISOTime.offset(name) {
      return NamedZone(name: name, rules: ZoneRules(fixed: seconds))
    }
    if ["utc", "gmt", "z"].contains(name.lowercased()) {
      return NamedZone(name: "UTC", rules: ZoneRules(fixed: 0))
    }
    let isPlain =
      !name.isEmpty && name.utf8.count < 64 && !name.hasPrefix("/")
      && name.utf8.allSatisfy { byte in
        byte.isASCIIDigit || byte.isASCIILetter || "/_+-".utf8.contains(byte)
      }
    guard isPlain else { throw unknown(name, "") }
    let folders = self.folders
    for folder in folders {
      let file = folder.appending(name)
      guard Files.isRegular(file) else { continue }
      return NamedZone(
        name: name, rules: try rules(of: file), country: Zones.countries[name.lowercased()])
    }
    if let zone = [NamedZone.korea, .japan].first(where: {
      $0.name.lowercased() == name.lowercased()
    }) {
      return zone
    }
    guard let folder = folders.first else {
      throw unknown(name, "; install the time zone database (Debian's tzdata), or write +09:00")
    }
    // Folders of the database are no zones, and abbreviations all resemble each other.
    let similar = SimilarNames.names(like: folder.appending(name))
      .filter { Files.isRegular(FileName($0)) }
      .map { $0.hasPrefix(folder.text + "/") ? String($0.dropFirst(folder.text.count + 1)) : $0 }
      .filter { $0.utf8.count > 3 && !$0.hasPrefix("GMT") }
    throw unknown(
      name, similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: " or "))?")
  }

  /// What to write for an abbreviation of one country, and for `UTC+9`; nil for other names.
  private static func meant(by name: String) -> String? {
    let name = name.lowercased()
    guard let offset = ISOTime.offset(trimmed(name.dropFirst(3))),
      name.hasPrefix("utc") || name.hasPrefix("gmt")
    else { return ["kst": "Asia/Seoul", "jst": "Asia/Tokyo"][name] }
    return (offset < 0 ? "-" : "+") + ClockText.clock(minutes: abs(offset) / 60)
  }

  private func unknown(_ name: String, _ hint: String) -> ReportedError {
    let hint = Zones.meant(by: name).map { "; write \($0)" } ?? hint
    return ReportedError(
      "zone-unknown",
      "there is no time zone \"\(name)\""
        + (hint.isEmpty ? "; write one such as Asia/Seoul, Europe/Berlin, UTC or +09:00" : hint),
      fault: .usage)
  }

  /// Where the database is, as far as it is.
  private var folders: [FileName] {
    let usual = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]
    return ([folder].compactMap(\.self) + usual.map { FileName($0) }).filter { Files.exists($0) }
  }

  private func rules(of file: FileName) throws(ReportedError) -> ZoneRules {
    let bytes = try Files.bytes(of: file)
    do throws(ZoneError) {
      return try ZoneRules(tzif: bytes)
    } catch {
      throw ReportedError("zone-data", "\(file.text): \(error.description)", fault: .badData)
    }
  }

  /// The machine's own zone: that of the variable `TZ`, else of `/etc/localtime`, else UTC.
  package func system() throws(ReportedError) -> NamedZone {
    if let variable, !variable.isEmpty {
      let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
      if !name.hasPrefix("/"), let rules = try? ZoneRules(posix: name) {
        return NamedZone(name: name, rules: rules)
      }
      do throws(ReportedError) {
        guard name.hasPrefix("/") else { return try named(name) }
        return NamedZone(name: "TZ", rules: try rules(of: FileName(name)))
      } catch {
        throw ReportedError(
          error.code, "TZ names \(name), but \(error.description)", fault: error.fault)
      }
    }
    let file = FileName("/etc/localtime")
    guard Files.isRegular(file) else { return NamedZone(name: "UTC", rules: ZoneRules(fixed: 0)) }
    return NamedZone(name: "local time", rules: try rules(of: file))
  }
}

/// Clocks with the name they go by.
package struct NamedZone: Sendable {
  package let name: String
  package let rules: ZoneRules
  /// The country of the zone, as far as the program knows its holidays.
  package var country: String?

  /// What hours there refer to beside themselves.
  package func setting(adding holidays: [HolidayCalendar.Holiday] = []) -> HoursSetting {
    var calendar = country.flatMap { HolidayCalendar.country($0) }
    if let first = holidays.first {
      // Where the program has no calendar, it knows of no other day whether it is a holiday.
      calendar =
        calendar?.adding(holidays) ?? HolidayCalendar(holidays, known: first.day...first.day)
    }
    return HoursSetting(publicHolidays: calendar, utcOffset: rules.utcOffset)
  }

  package init(name: String, rules: ZoneRules, country: String? = nil) {
    self.name = name
    self.rules = rules
    self.country = country
  }

  package static let korea = fixed("Asia/Seoul", country: "KR")
  package static let japan = fixed("Asia/Tokyo", country: "JP")

  /// Both have been nine hours ahead since 1988, so that no file is needed for them.
  private static func fixed(_ name: String, country: String) -> NamedZone {
    NamedZone(name: name, rules: ZoneRules(fixed: 9 * 3600), country: country)
  }

  /// The zone of a country whose places are known by their positions; nil elsewhere.
  package static func zone(at position: Coordinate) -> NamedZone? {
    if Region.southKorea.contains(position) { return korea }
    return Region.japan.contains(position) ? japan : nil
  }

  /// The zone of the country in whose language hours are written; nil for any other.
  package static func zone(ofHours text: String) -> NamedZone? {
    switch WrittenLanguage(of: text) {
    case .korean?: korea
    case .japanese?: japan
    case nil: nil
    }
  }
}
