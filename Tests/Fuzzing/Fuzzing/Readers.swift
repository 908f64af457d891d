import AnnotationImport
import BusinessHours
import GPXCoding
import GeoJSONCoding
import Geodesy
import IndexFiles
import MapAnnotations
import MapProjections
import NearbySearch
import PROJTransforms
import SpatialIndexing
import TrackImport
import WebMaps

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if Store
  import SQLiteStore
#endif

/// What reads bytes or texts that others wrote, by name.
///
/// None may end the program, whatever it is given; what it says is not judged here.
enum Readers {
  static let all: [String: @Sendable ([UInt8]) -> Void] = {
    var readers: [String: @Sendable ([UInt8]) -> Void] = [
      "csv": { importing($0, "x.csv") },
      "json": { importing($0, "x.json") },
      "geojson": { importing($0, "x.geojson") },
      "geojsonseq": { importing($0, "x.geojsonseq") },
      "gpx": { importing($0, "x.gpx") },
      "guessed": { importing($0, "x") },
      "gzip": { importing($0, "x.csv.gz") },
      "track": { _ = try? TrackReader.points(in: $0) },
      "nbx": index,
      "pmtiles": archive,
      "mvt": { if let tile = try? VectorTile(decoding: $0) { _ = tile.encoded() } },
      "hours": { hours(text($0)) },
      "written": { written(text($0)) },
      "where": { condition(text($0)) },
      "rrule": { recurrence(text($0)) },
      "dates": {
        _ = AnnotationDates(text($0))
        _ = SessionTimetable(text($0))
      },
      "zones": {
        if let zone = try? ZoneRules(tzif: $0) { offsets(zone) }
        if let zone = try? ZoneRules(posix: text($0)) { offsets(zone) }
      },
      "cursor": cursor,
      "query": { if let query = try? NearbyQuery(parsing: text($0)) { _ = query.text } },
    ]
    #if Store
      readers["gpkg"] = database
    #endif
    return readers
  }()

  /// The cursor of a page, which only a query reads.
  private static func cursor(_ bytes: [UInt8]) {
    var query = NearbyQuery()
    query.after = text(bytes)
    _ = try? AnnotationScan([BasicAnnotation(id: 1)]).answer(query)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func importing(_ bytes: [UInt8], _ name: String) {
    guard let result = try? AnnotationImporter().read(bytes, named: name) else { return }
    for annotation in result.annotations.prefix(20) {
      _ = annotation.properties
      if let hours = annotation.properties["opening_hours"]?.text { Self.hours(hours) }
    }
  }

  private static func index(_ bytes: [UInt8]) {
    guard let file = try? IndexFile(contents: bytes, named: "x.nbx") else { return }
    if let here = try? Coordinate(latitude: 37.57, longitude: 126.97) {
      let answer = try? file.answer { $0.nearest(5, to: here) }
      for neighbor in answer?.neighbors ?? [] { _ = try? file.row(neighbor.offset) }
    }
    try? file.verify()
  }

  private static func archive(_ bytes: [UInt8]) {
    guard let archive = try? PMTilesArchive(bytes) else { return }
    _ = try? archive.metadata()
    for address in (UInt64(0)..<100).lazy.compactMap({ TileAddress(pmtilesID: $0) }) {
      if let bytes = try? archive.tile(at: address) { _ = try? VectorTile(decoding: bytes) }
    }
  }

  private static func hours(_ text: String) {
    guard let hours = try? OpeningHours(text) else { return }
    answers(hours)
    // What it writes, it reads again.
    _ = try? OpeningHours("\(hours)")
  }

  private static func answers(_ hours: OpeningHours) {
    let setting = HoursSetting(publicHolidays: .korea, sun: nil) { _ in 32_400 }
    let now = LocalTime(year: 2026, month: 11, day: 23, hour: 12)
    _ = hours.state(at: now, setting: setting)
    _ = hours.nextChange(after: now, setting: setting)
    _ = hours.intervals(
      from: now, to: LocalTime(year: 2026, month: 12, day: 7), setting: setting)
  }

  private static func written(_ text: String) {
    let parts = text.split(separator: "\u{1}", maxSplits: 1).map(String.init)
    let written = WrittenHours(parts.first ?? "", closingDays: parts.count > 1 ? parts[1] : "")
    answers(written.hours)
  }

  private static let places: [BasicAnnotation] = (0..<3).map { number in
    BasicAnnotation(
      id: AnnotationID(number), name: "가게 \(number)",
      coordinate: try? Coordinate(latitude: 37.5, longitude: 127 + Double(number)))
  }

  private static func condition(_ text: String) {
    guard let condition = try? Condition(parsing: text) else { return }
    _ = "\(condition)"
    guard let filter = try? ConditionFilter(condition, for: places, from: places[0].coordinate)
    else { return }
    for place in places { _ = filter.includes(place) }
  }

  private static func recurrence(_ text: String) {
    let start = LocalTime(year: 2026, month: 1, day: 1, hour: 9)
    if let rule = try? RecurrenceRule(text) {
      for _ in rule.occurrences(startingAt: start).prefix(20) {}
    }
    if let recurrence = try? Recurrence(text, start: start) {
      _ = recurrence.occurrences(
        from: LocalTime(year: 2026, month: 11, day: 23),
        before: LocalTime(year: 2026, month: 12, day: 7), limit: 100)
      _ = recurrence.occurs(on: LocalTime(year: 2026, month: 11, day: 23).day)
    }
  }

  private static func offsets(_ zone: ZoneRules) {
    for milliseconds in [Int64.min, -1 << 50, 0, 1_795_309_800_000, 1 << 50, .max] {
      _ = zone.utcOffset(at: Instant(milliseconds: milliseconds))
    }
  }

  #if Store
    /// SQLite opens files by name only; this one lies in memory.
    private static func database(_ bytes: [UInt8]) {
      let name = "/dev/shm/nearby-fuzzing-\(getpid()).gpkg"
      guard let file = fopen(name, "w") else { return }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
      defer { unlink(name) }
      if let store = try? AnnotationStore(name, .readOnly) {
        for layer in (try? store.layerNames()) ?? [] { _ = try? store.annotations(in: layer) }
      }
      if let package = try? GeoPackageFile(name) {
        for layer in package.layers {
          try? package.forEachRow(in: layer, { (x, y) in (x, y) }) { _ in }
        }
      }
    }
  #endif
}
