import Geodesy
import NearbyTestSupport
import Testing

@testable import GPXCoding

/// Tracks as they arrive and as they are written.
@Suite struct GPXTrackTests {
  @Test func `a point is handed over when its element has ended, however the bytes are cut`() throws
  {
    let text = """
      <gpx version="1.1"><wpt lat="1" lon="2"/><trk><trkseg>
      <trkpt lat="37.5" lon="127"><ele>30</ele></trkpt><trkpt lat="37.6" lon="127"></trkpt>
      </trkseg></trk></gpx>
      """
    for size in [1, 3, 17, 1_000] {
      let stream = GPXStream()
      var points: [GPXPoint] = []
      var bytes = Array(text.utf8)
      while !bytes.isEmpty {
        let piece = bytes.prefix(size)
        bytes.removeFirst(piece.count)
        points += try stream.read(piece)
        // All that ended so far.
        let seen = String(decoding: Array(text.utf8).dropLast(bytes.count), as: UTF8.self)
        let ended = seen.ranges(of: "</trkpt>") + seen.ranges(of: "lon=\"2\"/>")
        #expect(points.count == ended.count)
      }
      let (last, document) = try stream.finish()
      #expect(last.isEmpty && points.count == 3)
      #expect(document.trackPoints == 2 && document.waypoints == 1 && document.version == "1.1")
      #expect(points[1].elevation == 30)
    }
  }

  @Test func `a text that is cut off is an error at its end`() throws {
    let stream = GPXStream()
    #expect(try stream.read(Array("<gpx><trk>".utf8)).isEmpty)
    #expect(throws: GPXError.self) { try stream.finish() }
    let broken = GPXStream()
    #expect(throws: GPXError.self) { try broken.read(Array("<gpx></trk>".utf8)) }
    #expect(throws: GPXError.self) { try broken.read(Array("<gpx></gpx>".utf8)) }
  }

  @Test func `the closing tags make a text whole again that was cut off at any byte`() throws {
    let text = Array(
      """
      <g:gpx version="1.1"><metadata><name>a</name></metadata><wpt lat="1" lon="2"/><trk><name>b</name>
      <trkseg>\n <trkpt lat="3" lon="4"><ele>30</ele><time>한글</time></trkpt><!-- c -->
      <trkpt lat="5" lon="6"></trkpt></trkseg><trkseg/></trk><rte><rtept lat="7" lon="8"/></rte></g:gpx>
      """.utf8)
    for count in 1..<text.count {
      let stream = GPXStream()
      var points = try stream.read(text[..<count])
      let error = #expect(throws: GPXError.self) { points += try stream.finish().points }
      let closingTags = try #require(stream.closingTags)
      guard !closingTags.isEmpty else {
        #expect(error?.code == "xml-syntax" && points.isEmpty, "\(count) bytes")
        continue
      }
      #expect(error?.code == "xml-cut-off", "\(count) bytes")
      let whole = Array(text[..<stream.settledCount]) + Array(closingTags.utf8)
      var again: [GPXPoint] = []
      try GPXReader().read(whole) { again.append($0) }
      #expect(again == points, "\(count) bytes")
    }
  }

  @Test(arguments: [1, 2, 7, 64, 4_096])
  func `points before an error are passed on, in pieces of any size`(size: Int) throws {
    let point = "<trkpt lat=\"1\" lon=\"2\"/>"
    let bytes = Array("<gpx><trk><trkseg>\(point)\n\(point)</trk>\(point)".utf8)
    let stream = GPXStream()
    var points: [GPXPoint] = []
    let error = #expect(throws: GPXError.self) {
      for start in stride(from: 0, to: bytes.count, by: size) {
        points += try stream.read(bytes[start..<min(start + size, bytes.count)])
      }
      points += try stream.finish().points
    }
    #expect(points.count == 2 && error?.line == 2)
    #expect(throws: GPXError.self) { try stream.read([UInt8]()) }
  }

  @Test func `what is written is read back`() throws {
    var writer = GPXWriter()
    writer.begin()
    writer.beginTrack()
    let points = [
      (PointSet.legal(37.5, 127), 1, 30.25, 1_795_309_200.125, 5.0),
      (PointSet.legal(-0.0000001, -179.9999999), 1, -5, -86_400.5, 12),
      (PointSet.legal(90, 0), 2, 0, 0, 0),
    ]
    for (position, part, elevation, time, accuracy) in points {
      writer.write(position, part: part, elevation: elevation, time: time, accuracy: accuracy)
    }
    writer.endTrack()
    writer.end()
    var read: [GPXPoint] = []
    let document = try GPXReader().read(writer.bytes) { read.append($0) }
    #expect(document.tracks == 1 && document.segments == 2 && document.trackPoints == 3)
    #expect(try read.map { try $0.coordinate() } == points.map(\.0))
    #expect(read.map(\.elevation) == points.map(\.2))
    #expect(read.map(\.time) == points.map(\.3))
    #expect(read.map { $0.text("accuracy") } == ["5", "12", "0"])
  }

  @Test func `a track of nothing is a GPX file all the same`() throws {
    var writer = GPXWriter()
    writer.begin()
    writer.beginTrack()
    writer.endTrack()
    writer.end()
    let document = try GPXReader().read(writer.takeBytes()) { _ in }
    #expect(document.tracks == 1 && document.trackPoints == 0)
  }

  @Test(arguments: UInt64(0)..<20)
  func `times are written as they are read, from the year 1 to 9999`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let milliseconds = Int.random(
        in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
      let seconds = Double(milliseconds) / 1_000
      let text = GPXTime.text(seconds)
      #expect(text.flatMap(GPXTime.seconds) == seconds, "\(milliseconds)")
    }
    #expect(GPXTime.text(1_795_309_200) == "2026-11-22T01:00:00Z")
    #expect(GPXTime.text(-1) == "1969-12-31T23:59:59Z")
    #expect(GPXTime.text(951_782_400.5) == "2000-02-29T00:00:00.5Z")
    #expect(GPXTime.text(1e18) == nil && GPXTime.text(.nan) == nil)
    #expect(GPXTime.text(253_402_300_800) == nil)
  }

  @Test func `times are read as the command line reads them, and in UTC without a zone`() {
    for (text, seconds) in ISOTimes.read { #expect(GPXTime.seconds(text) == seconds, "\(text)") }
    for text in ISOTimes.refused + ["2026-11-22", "01:10Z"] {
      #expect(GPXTime.seconds(text) == nil, "\(text)")
    }
    #expect(GPXTime.seconds("2026-11-22T01:10") == 1_795_309_800)
  }
}
