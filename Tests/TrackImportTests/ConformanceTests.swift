import Foundation
import Geodesy
import NearbyTestSupport
import Testing
import TrackImport

/// The tracks, the log and the sentences of `conformance/gpx`, against the summaries beside them.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct ConformanceTests {
  private static let folder = "conformance/gpx/"

  private static func jsonLines(_ name: String) throws -> [[String: Any]] {
    try SharedFiles.text(folder + name).split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func `every track has the counts, the length and the times of its summary`() throws {
    let rows = try Self.jsonLines("index.jsonl")
    #expect(rows.count == 24)
    var (bounded, speeds) = (0, 0)
    for row in rows {
      let file = try #require(row["file"] as? String)
      let (points, counts) = try TrackReader.points(in: try SharedFiles.bytes(Self.folder + file))
      let summary = TrackSummary(points)
      let document = try #require(counts.document)
      func number(_ name: String) -> Int? { row[name] as? Int }
      #expect(counts.format == .gpx)
      #expect(document.version == row["version"] as? String, "\(file)")
      #expect(document.tracks == number("tracks"), "\(file)")
      #expect(document.segments == number("segments"), "\(file)")
      #expect(document.trackPoints == number("trackpoints"), "\(file)")
      #expect(document.routes == number("routes"), "\(file)")
      #expect(document.routePoints == number("routepoints"), "\(file)")
      #expect(document.waypoints == number("waypoints"), "\(file)")
      #expect(points.count == number("trackpoints"), "\(file)")
      #expect(summary.fixes == points.count)
      #expect(summary.timed == number("points_with_time") ?? 0, "\(file)")
      #expect(summary.sameTimeSteps == number("same_time_steps") ?? 0, "\(file)")
      #expect(summary.backwardSteps == number("time_goes_back_steps") ?? 0, "\(file)")
      if let duration = row["duration_s"] as? Double {
        #expect(abs((summary.duration ?? .nan) - duration) < 0.001, "\(file)")
      }
      // The one file with a position off the Earth: it is dropped here, and wrapped there.
      if number("points_out_of_range") != 0 {
        #expect(file == "tracks/wptError.gpx")
        #expect(summary.outOfRange == 1)
        #expect(summary.length == .zero)
        continue
      }
      #expect(summary.outOfRange == 0 && summary.unplaced == 0)
      #expect(summary.stillSteps == number("identical_consecutive") ?? 0, "\(file)")
      if let bounds = row["bounds"] as? [Double] {
        let latitudes = points.compactMap(\.fix.latitude).sorted()
        let longitudes = points.compactMap(\.fix.longitude).sorted()
        let found = try [
          #require(longitudes.first), #require(latitudes.first), #require(longitudes.last),
          #require(latitudes.last),
        ]
        // Foundation reads a number of JSON with 17 digits a few units of the last place off.
        #expect(zip(found, bounds).allSatisfy { abs($0 - $1) <= 1e-12 }, "\(file) \(found)")
        bounded += 1
      }
      if let length = row["length_m_wgs84"] as? Double {
        #expect(abs(summary.length.meters - length) <= 0.01 + length * 1e-6, "\(file)")
      }
      // The one speed of this file is over 0.3 ms, where the rounding of a time since 1970 counts.
      if file == "tracks/Mojstrovka.gpx" { continue }
      for (name, quantile) in [
        ("speed_median_mps", 0.5), ("speed_p99_mps", 0.99), ("speed_max_mps", 1),
      ] {
        guard let speed = row[name] as? Double else { continue }
        #expect(abs((summary.speed(quantile: quantile) ?? .nan) - speed) <= 0.001, "\(file)")
        speeds += 1
      }
    }
    #expect(bounded == 17 && speeds == 3 * 14)
  }

  @Test func `every sentence gives the position, time and speed that it should, or none`() throws {
    let rows = try Self.jsonLines("nmea.jsonl")
    #expect(rows.count == 11)
    for row in rows {
      let sentence = try #require(row["sentence"] as? String)
      let (points, _) = try TrackReader.points(in: Array((sentence + "\r\n").utf8))
      let point = try #require(points.first)
      #expect(points.count == 1)
      guard row["checksum"] as? String == "ok" else {
        #expect(point.problem?.reason == .cutOff, "\(sentence)")
        #expect(point.fix.coordinate == nil)
        continue
      }
      #expect(point.problem == nil, "\(sentence)")
      guard row["fix"] as? Bool == true else {
        #expect(point.fix.latitude == nil && point.fix.longitude == nil, "\(sentence)")
        continue
      }
      let latitude = try #require(row["lat"] as? Double)
      let longitude = try #require(row["lon"] as? Double)
      #expect(abs((point.fix.latitude ?? .nan) - latitude) <= 1e-8, "\(sentence)")
      #expect(abs((point.fix.longitude ?? .nan) - longitude) <= 1e-8, "\(sentence)")
      if let time = row["time"] as? String {
        let instant = try #require(ISO8601DateFormatter().date(from: time))
        #expect(point.fix.time == instant.timeIntervalSince1970, "\(sentence)")
        #expect(point.isDated)
      }
      if let speed = row["speed_mps"] as? Double {
        #expect(abs((point.speed ?? .nan) - speed) < 0.0001, "\(sentence)")
      }
    }
  }

  @Test func `a sentence with any one character changed is refused`() throws {
    let sentence = Array(
      "$GPRMC,123205.00,A,5106.94085,N,01701.51689,E,0.016,,280214,,,A*7B".utf8)
    for place in 7..<sentence.count - 3 {
      for other in [UInt8(ascii: "0"), UInt8(ascii: "9"), UInt8(ascii: "S")]
      where sentence[place] != other {
        var changed = sentence
        changed[place] = other
        let (points, _) = try TrackReader.points(in: changed)
        #expect(points.map(\.problem?.reason) == [.checksum])
      }
    }
  }

  @Test func `the phone log has its 66 rows, with times in UTC`() throws {
    let (points, counts) = try TrackReader.points(
      in: try SharedFiles.bytes(Self.folder + "phone_log.csv"))
    #expect(counts.format == .csv)
    #expect(points.count == 66)
    let summary = TrackSummary(points)
    #expect(summary.timed == 66 && summary.unplaced == 0 && summary.backwardSteps == 0)
    // 2009-07-22T20:55:41-07:00
    #expect(points[0].fix.time == 1_248_321_341)
    #expect(points[0].fix.latitude == 39.315828 && points[0].fix.longitude == -120.167838)
    // Four rows say the time of the row before.
    #expect(summary.sameTimeSteps == 4)
  }

  @Test(arguments: [1, 7, 64, 4_096])
  func `what arrives in pieces is read as what is there as a whole`(size: Int) throws {
    var files = try Self.jsonLines("index.jsonl").compactMap { $0["file"] as? String }
    files.append("phone_log.csv")
    #expect(files.count == 25)
    var readCount = 0
    for file in files {
      let bytes = try SharedFiles.bytes(Self.folder + file)
      // The long ones byte by byte take minutes in a debug build.
      if bytes.count / size > 40_000 { continue }
      let whole = try TrackReader.points(in: bytes)
      let reader = TrackReader()
      var points: [TrackPoint] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        points += try reader.read(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      points += try reader.finish()
      #expect(points == whole.points, "\(file)")
      #expect(reader.counts == whole.counts, "\(file)")
      readCount += 1
    }
    #expect(readCount > 0)
  }
}
