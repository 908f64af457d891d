import Geodesy
import Geofencing
import LocationFiltering
import MapAnnotations
import NearbyTestSupport
import Testing
import TextMaps
import TrackImport

@testable import AnnotationSources
@testable import NearbyCommand

/// Lines for narrow terminals.
@Suite struct LineWrappingTests {
  @Test func `numbers keep their units, durations and options their values, at every width`() {
    let text =
      "from 2026-11-22T00:10:00Z on, 10 min 0 s; 5 h 33 min, 1,060.5 km and 1.5 m/s median, ±5 m, "
      + "held with --gate 10648.6m, --max-speed auto: in 씨네큐브 광화문 2번 출구, 3 fences"
    let whole = [
      "10 min 0 s;", "5 h 33 min,", "1,060.5 km", "1.5 m/s", "±5 m,", "--gate 10648.6m,",
      "--max-speed auto:",
    ]
    for columns in 18...120 {
      let lines = LineWrapping.lines(text, columns: columns)
      #expect(lines.joined(separator: " ") == text)
      #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= max(columns, 21) }, "\(columns)")
      for piece in whole {
        #expect(lines.contains { $0.contains(piece) }, "\(piece) at \(columns): \(lines)")
      }
      // No line has room for what begins the next.
      for (line, next) in zip(lines, lines.dropFirst()) {
        let first = whole.first { next.hasPrefix($0) } ?? String(next.prefix { $0 != " " })
        #expect(DisplayWidth.columns(of: line) + 1 + DisplayWidth.columns(of: first) > columns)
      }
    }
  }

  @Test func `a no-break space holds words together and is written as a space`() {
    #expect(
      LineWrapping.lines("moved\u{A0}7, first-fix\u{A0}1", columns: 15)
        == ["moved 7,", "first-fix 1"])
    #expect(LineWrapping.lines("", columns: 20) == [""])
    #expect(
      LineWrapping.lines("at 37.5000326,126.9999956 now", columns: 14)
        == ["at", "37.5000326,", "126.9999956", "now"])
    #expect(LineWrapping.lines("홍대입구역앞광장카페 3 m", columns: 8) == ["홍대입구역앞광장카페", "3 m"])
  }

  /// The commands that wrap, over 40 columns: no line is longer, and none breaks in a number.
  @Test(arguments: [
    ["track", "walk.gpx", "--no-map", "--summary"],
    ["track", "walk.gpx", "--no-map", "--explain"],
    ["fence", "walk.gpx", "fences.csv", "--radius", "150m", "--explain", "--plan"],
    ["fence", "walk.gpx", "fences.csv", "--radius", "150m"],
  ])
  func `at 40 columns no line is longer and none breaks between a number and its unit`(
    arguments: [String]
  ) throws {
    let folder = try Folder()
    let fixes = (0..<300).map { second in
      """
      <trkpt lat="\(37.5 + Double(second) * 2e-5)" lon="127"><time>2026-11-22T00:0\(second / 60):\
      \(second % 60 / 10)\(second % 10)Z</time></trkpt>
      """
    }
    try folder.write(
      "<gpx><trk><trkseg>\(fixes.joined())</trkseg></trk></gpx>", to: "walk.gpx")
    try folder.write(
      "id,name,lat,lon\n1,서울특별시교육청남산도서관열람실,37.503,127\n2,광화문 씨네큐브 2관,37.506,127.0001\n",
      to: "fences.csv")
    let outcome = try Program.run(arguments, environment: ["COLUMNS": "40"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    for line in outcome.lines {
      #expect(DisplayWidth.columns(of: line) <= 40, "\(line)")
      let first = line.split(separator: " ").first.map { $0.filter { !",;".contains($0) } } ?? ""
      #expect(!["m", "km", "s", "min", "m/s"].contains(first), "\(outcome.text)")
    }
    if arguments.contains("--summary") {
      #expect(outcome.text.contains("4 min 59 s"), "\(outcome.text)")
    }
  }

  /// A track with every verdict, a broken time and fixes by the thousand, past fences with long names.
  private static let log: [UInt8] = {
    var rows = "time,lat,lon,accuracy\n"
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    for second in 0..<1_200 {
      let latitude = [40: "37.9", 50: "nowhere"][second] ?? "\(37.5 + Double(second) * 2e-5)"
      rows += "2026-11-22T00:\(two(second / 60)):\(two(second % 60))Z,"
      rows += "\(latitude),127.0000\(second % 7),\(second % 9 == 0 ? 250 : 5)\n"
    }
    return Array(rows.utf8)
  }()

  /// Lines that are wider than a terminal though one of their words might have gone to the next.
  ///
  /// - Parameter margin: Where words begin, for a line that has something else before them.
  private static func tooWide(_ text: String, columns: Int, margin: Int = 0) -> [String] {
    text.split(separator: "\n").map(String.init).filter { line in
      guard DisplayWidth.columns(of: line) > columns else { return false }
      let words = line.dropFirst(margin).drop { $0 == " " }
      // A summary holds a word and its count together.
      if margin > 0, words.wholeMatch(of: /\S+ [0-9,]+/) != nil { return false }
      return LineWrapping.lines(String(words), columns: 1).count > 1
    }
  }

  @Test func `no line of a judged track is wider than the terminal, at any width`() throws {
    let (points, counts) = try TrackReader.points(in: Self.log)
    var judge = TrackJudge(.cinema300m, explains: true)
    var judged = points.compactMap { judge.judge($0) }
    judge = TrackJudge(.cinema300m, hasHindsight: true, explains: true)
    judged += points.compactMap { judge.judge($0) } + judge.finish()
    #expect(judged.contains { $0.code == "outlier" })
    var tally = TrackTally(keepsSpeeds: true)
    for point in judged {
      tally.add(point)
      if !point.isRejected { tally.add(believed: point) }
    }
    #expect(Set(judged.map(\.verdict)) == Set(JudgedPoint.Verdict.allCases))
    let words = { (otherwise: JudgedPoint.Otherwise) in
      otherwise.words(
        preset: "cinema300m", hasRegion: false, hasSpeed: false, isInOrder: false)
    }
    for columns in 20...120 {
      for explains in [false, true] {
        let text = TrackText(width: columns, explains: explains, words: words)
        let lines = text.header + judged.map { text.lines(of: $0) }.joined()
        #expect(Self.tooWide(lines, columns: columns) == [], "\(columns) columns")
      }
      let summary = TrackText(width: columns, explains: false, words: words).summary(
        tally, counts)
      #expect(Self.tooWide(summary, columns: columns, margin: 10) == [], "\(columns) columns")
    }
  }

  #if CommandLine
    @Test func `no line of what happens at fences is wider than the terminal, at any width`() throws
    {
      let (points, _) = try TrackReader.points(in: Self.log)
      let fences = try [
        ("서울특별시교육청남산도서관열람실", 37.503), ("Cinecube Gwanghwamun", 37.506), ("b", 37.516),
      ].enumerated().map { place, fence in
        try Fence(
          id: AnnotationID("\(place)"), name: fence.0,
          center: Coordinate(latitude: fence.1, longitude: 127), radius: .meters(150))
      }
      var policy = FencePolicy()
      policy.dwell = 60
      for columns in 20...120 {
        for explains in [false, true] {
          let text = FenceText(width: columns, explains: explains)
          var session = FenceSession(
            FenceMonitor(FenceIndex(fences), policy), gate: LocationGate(GatePolicy()))
          var tally = FenceTally()
          var lines = text.header
          for (place, point) in points.enumerated() {
            if let problem = point.problem {
              lines += text.remark(place + 1, point, "rejected", problem.description)
              continue
            }
            let update = session.take(point.fix, isContinuous: true)
            tally.add(update)
            for event in update.events {
              lines += text.lines(place + 1, point, event, fences[event.fence])
            }
          }
          #expect((tally.events[.enter], tally.events[.dwell]) == (3, 3))
          #expect(Self.tooWide(lines, columns: columns) == [], "\(columns) columns")
          let plan = session.monitor.lastPosition.map { session.monitor.index.regionPlan(at: $0) }
          let ending = text.summary(tally, session.monitor)
          #expect(Self.tooWide(ending, columns: columns, margin: 10) == [], "\(columns) columns")
          for plan in [plan, nil] {
            #expect(
              Self.tooWide(text.plan(plan, fences), columns: columns) == [], "\(columns) columns")
          }
        }
      }
    }
  #endif
}
