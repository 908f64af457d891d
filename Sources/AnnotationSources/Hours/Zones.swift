import BusinessHours
import Geodesy

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
        byte.isASCIIDigit || (0x61...0x7A).contains(byte | 0x20) || "/_+-".utf8.contains(byte)
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
