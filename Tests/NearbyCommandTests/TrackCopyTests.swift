import Foundation
import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing

@testable import AnnotationSources
@testable import GPXCoding
@testable import NearbyCommand
@testable import TrackImport

/// A GPX track that is cleaned into GPX: everything but the points that are left out stays as it was.
///
/// `.ci/clean_gpx.py` has Python's XML judge real files.
@Suite struct TrackCopyTests {
  /// In `⟦…⟧` what is rejected, in `⟨…⟩` what is held, each with the blanks before it.
  private static let marked = """
    <?xml version='1.0' encoding='ENCODING' standalone="no" ?>
    <!-- before -->
    <gpx:gpx xmlns:gpx="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x" creator='a "b"' version="1.1">
      <gpx:metadata><gpx:name>Café &amp; more</gpx:name><gpx:time>2026-11-22T00:00:00Z</gpx:time></gpx:metadata>
      <gpx:wpt lat="1.50" lon="2"><gpx:name>a place</gpx:name></gpx:wpt>
      <gpx:rte><gpx:rtept lat="0" lon="0"/></gpx:rte>
      <gpx:trk><gpx:name>one</gpx:name><gpx:type>hiking</gpx:type>
        <gpx:trkseg>⟦
          <gpx:trkpt lon="127"><gpx:ele>3</gpx:ele></gpx:trkpt>⟧
          <gpx:trkpt   lat = "37.50000" lon='127.0000'><gpx:ele>1.0</gpx:ele>
            <gpx:extensions><x:hr>101</x:hr></gpx:extensions></gpx:trkpt>⟦
          <gpx:trkpt lat="0" lon="0"/>⟧⟨
          <gpx:trkpt lat="37.5001" lon="127"/>⟩
          <!-- a pause -->⟦<gpx:trkpt lat="91" lon="0"><!-- none --></gpx:trkpt>⟧
          <?note left?>
          <gpx:trkpt lat="37.51" lon="127" />⟦<gpx:trkpt lat="x" lon="1"></gpx:trkpt>⟧ text
          <![CDATA[ ]]>⟦<gpx:trkpt lat="0" lon="0"></gpx:trkpt>⟧
        </gpx:trkseg>
        <gpx:trkseg>⟦<gpx:trkpt lat="0" lon="0"/>⟧</gpx:trkseg>
        <gpx:trkseg/>
      </gpx:trk>
      <gpx:extensions><x:last a='1'/></gpx:extensions>
    </gpx:gpx>
    <!-- after -->

    """

  private static func unmarked(_ text: String) -> String {
    text.filter { !"⟦⟧⟨⟩".contains($0) }
  }

  /// The text without what stands in marks.
  private static func cleaned(_ text: String, acceptedOnly: Bool) -> String {
    var rest = text.replacing(/⟦[^⟧]*⟧/, with: "")
    if acceptedOnly { rest = rest.replacing(/⟨[^⟩]*⟩/, with: "") }
    return unmarked(rest)
  }

  private static let encodings: [(name: String, encoding: String.Encoding, mark: [UInt8])] = [
    ("UTF-8", .utf8, []), ("UTF-8", .utf8, [0xEF, 0xBB, 0xBF]),
    ("ISO-8859-1", .isoLatin1, []), ("UTF-16", .utf16LittleEndian, [0xFF, 0xFE]),
    ("UTF-16", .utf16BigEndian, [0xFE, 0xFF]),
  ]

  private static func bytes(
    _ text: String, _ encoding: (name: String, encoding: String.Encoding, mark: [UInt8])
  ) throws -> [UInt8] {
    let text = text.replacing("ENCODING", with: encoding.name)
    return encoding.mark + [UInt8](try #require(text.data(using: encoding.encoding)))
  }

  @Test(arguments: 0..<5)
  func `all but what is left out is as it was, byte for byte, in every encoding`(
    number: Int
  ) throws {
    let folder = try Folder()
    let encoding = Self.encodings[number]
    let source = try Self.bytes(Self.unmarked(Self.marked), encoding)
    try Data(source).write(to: folder.url.appending(path: "a.gpx"))
    let packed = try SystemProgram.run(at: "/usr/bin/gzip", ["-c"], input: source).output
    try Data(packed).write(to: folder.url.appending(path: "a.gpx.gz"))
    for acceptedOnly in [false, true] {
      let expected = try Self.bytes(
        Self.cleaned(Self.marked, acceptedOnly: acceptedOnly), encoding)
      #expect(expected.count < source.count)
      let options = ["--gate", "300m"] + (acceptedOnly ? ["--accepted-only"] : [])
      for name in ["a.gpx", "a.gpx.gz"] {
        let outcome = try Program.run(["track", name, "-o", "clean.gpx"] + options, in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try folder.bytes("clean.gpx") == expected, "\(encoding), \(name)")
      }
      let piped = try Program.shell(
        "cat a.gpx | $nearby track - --format gpx " + options.joined(separator: " "), in: folder)
      #expect(piped.output == expected, "\(encoding)")
    }
    // Where nothing is left out, it is the same file.
    let clean = try folder.bytes("clean.gpx")
    _ = try Program.run(["track", "clean.gpx", "-o", "again.gpx"], in: folder)
    #expect(try folder.bytes("again.gpx") == clean)
  }

  /// Forty fixes of a walk, some of them far aside.
  private static func walk(_ aside: ClosedRange<Int>) -> [String] {
    (0..<40).map { second in
      "<trkpt lat=\"37.\(500_000 + second * 10)\" lon=\"\(aside.contains(second) ? 127.01 : 127)\"><time>"
        + "2026-11-22T00:\(10 + second / 60):\(10 + second % 60 % 50)Z</time></trkpt>\n"
    }
  }

  @Test(
    arguments: [21, 22],
    [
      "<trkpt lat=\"0\" lon=\"0\"></trkpt>\n",
      // It would be too fast, too.
      "<trkpt lat=\"37.6\" lon=\"127.2\"><time>2026-11-22T00:10:31Z</time><extensions>"
        + "<accuracy>5000</accuracy></extensions></trkpt>\n",
    ])
  func `a fix that is bad by itself takes none away that is doubted`(
    place: Int, bad: String
  ) throws {
    let folder = try Folder()
    func written(_ points: [String]) throws -> Int {
      try folder.write(
        "<gpx version=\"1.1\"><trk><trkseg>\n\(points.joined())</trkseg></trk></gpx>\n",
        to: "walk.gpx")
      return try Program.run(
        ["track", "walk.gpx", "--gate", "careful", "--max-accuracy", "100m", "--format", "gpx"],
        in: folder
      ).text.split(separator: "<trkpt").count - 1
    }
    var points = Self.walk(20...39)
    let wanted = try written(points)
    points.insert(bad, at: place)
    #expect(wanted > 35)
    #expect(try written(points) == wanted)
  }

  @Test func `the summary is as long as the cleaned track`() throws {
    let folder = try Folder()
    let points = Self.walk(20...39).joined()
    try folder.write(
      "<gpx version=\"1.1\"><trk><trkseg>\n\(points)</trkseg></trk></gpx>\n", to: "walk.gpx")
    func length(_ file: String, _ gate: String) throws -> String {
      let json = try Program.run(["track", file, "--gate", gate, "--format", "json"], in: folder)
        .text
      let value = try #require(json.split(separator: "\"believedLength\":").last)
      return String(value.prefix { $0.isNumber || $0 == "." })
    }
    let outcome = try Program.run(
      ["track", "walk.gpx", "--gate", "careful", "-o", "clean.gpx"], in: folder)
    #expect(outcome.status == 0)
    let wanted = try length("clean.gpx", "none")
    #expect(Double(wanted).map { $0 > 800 } == true)
    #expect(try length("walk.gpx", "careful") == wanted)
  }

  @Test func `what is doubted stays where those after it agree, and goes where they do not`() throws
  {
    let folder = try Folder()
    let (head, end) = ("<gpx version=\"1.1\"><trk><trkseg>\n", "</trkseg></trk></gpx>\n")
    // Two aside are rejected or held in vain; twenty are believed.
    for (aside, isKept) in [(20...21, false), (20...39, true)] {
      let points = Self.walk(aside)
      try folder.write(head + points.joined() + end, to: "walk.gpx")
      let verdicts = try Program.run(
        ["track", "walk.gpx", "--gate", "careful", "--format", "jsonl"], in: folder
      ).lines
      let outcome = try Program.run(
        ["track", "walk.gpx", "--gate", "careful", "--format", "gpx"], in: folder)
      let written = outcome.text
      #expect(verdicts.count == 40 && outcome.status == 0)
      #expect(written.hasPrefix(head) && written.hasSuffix(end))
      for (number, point) in points.enumerated() {
        let isWritten = written.contains(point.dropLast())
        if verdicts[number].contains("\"accepted\"") { #expect(isWritten, "\(number)") }
        if verdicts[number].contains("\"rejected\"") { #expect(!isWritten, "\(number)") }
      }
      #expect(written.contains(points[aside.lowerBound + 1].dropLast()) == isKept)
    }
  }

  @Test func `smoothing changes positions and nothing else`() throws {
    let folder = try Folder()
    let points = (0..<20).map { second in
      "<trkpt lon='127.00\(second % 2)0' lat=\"37.5\(10 + second)0\"><time>2026-11-22T00:00:"
        + "\(10 + second)Z</time><extensions><hr lat=\"1\">9\(second % 10)</hr></extensions></trkpt>"
    }
    let text =
      "<gpx><trk><name>n</name><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
    try folder.write(text, to: "a.gpx")
    let options = ["--gate", "none", "--smooth", "1.5m/s"]
    let written = try Program.run(["track", "a.gpx", "--format", "gpx"] + options, in: folder).text
    let position = /<trkpt lon='([^']*)' lat="([^"]*)">/
    #expect(written.replacing(position, with: "") == text.replacing(position, with: ""))
    let moved = try written.matches(of: position).map {
      [try #require(Double($0.1)), try #require(Double($0.2))]
    }
    let features =
      try Program.run(
        ["track", "a.gpx", "--format", "geojson"] + options, in: folder
      ).json["features"] as? [[String: Any]]
    let geometry = try #require(features?.first?["geometry"] as? [String: Any])
    let coordinates = try #require(geometry["coordinates"] as? [[Double]])
    #expect(moved.count == coordinates.count)
    // GeoJSON is written with fourteen decimals.
    for (one, other) in zip(moved.joined(), coordinates.joined()) {
      #expect(abs(one - other) < 1e-13)
    }
    // The first is where it was, letter for letter.
    #expect(written.contains("<trkpt lon='127.0000' lat=\"37.5100\">") && written != text)
  }

  @Test func `a start tag is moved in any spelling`() throws {
    let coordinate = try Coordinate(latitude: -1.5, longitude: 170)
    let tags = [
      ("<trkpt lat=\"1\" lon=\"2\"/>", "<trkpt lat=\"-1.5\" lon=\"170\"/>"),
      (
        "<t:trkpt\n lon = '2'\tlat\n=\n'1'  ></t:trkpt>",
        "<t:trkpt\n lon = '170'\tlat\n=\n'-1.5'  ></t:trkpt>"
      ),
      (
        "<trkpt x:lat=\"5\" plat='6' note=\"lat='7' > é\" lat='' lon=\"1e2\"><a lat=\"8\"/></trkpt>",
        "<trkpt x:lat=\"5\" plat='6' note=\"lat='7' > é\" lat='-1.5' lon=\"170\"><a lat=\"8\"/></trkpt>"
      ),
    ]
    for (tag, expected) in tags {
      for encoding: String.Encoding in [.utf8, .isoLatin1, .utf16LittleEndian, .utf16BigEndian] {
        let bytes = [UInt8](try #require(tag.data(using: encoding)))
        let moved = GPXStartTag.moved(bytes, to: coordinate)
        #expect(String(data: Data(moved), encoding: encoding) == expected)
      }
    }
  }

  /// The judge knows the parts that a text was made of.
  @Test(arguments: UInt64(0)..<40)
  func `in pieces of any size the same is copied, and only what may yet be a point is kept back`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var text = "<?xml version=\"1.0\"?><gpx><wpt lat=\"1\" lon=\"2\"/><trk><trkseg>"
    var expected = text
    var decisions: [Bool] = []
    for number in 0..<Int.random(in: 0...40, using: &generator) {
      let between =
        ["", "<!-- c -->", "x", "</trkseg><trkseg>", "<?p?>", "<![CDATA[ \n]]>", "\n"]
        .randomElement(using: &generator) ?? ""
      text += between
      expected += between
      let blanks = ["", "\n", "\r\n\t ", "&#32;\n"].randomElement(using: &generator) ?? ""
      let inside =
        ["/>", "></trkpt>", "><ele>\(number)</ele><a><trkpt/></a>\n</trkpt>"]
        .randomElement(using: &generator) ?? ""
      let point = "<trkpt lat=\"\(number)\" lon=\"1\"" + inside
      decisions.append(Bool.random(using: &generator))
      text += blanks + point
      // Blanks that follow blanks go with them.
      if decisions.last == true {
        expected += blanks + point
      } else if between == "\n" {
        expected.removeLast()
      }
    }
    let tail = "</trkseg></trk>\n<extensions/></gpx>\n<!-- end -->\n"
    let bytes = Array((text + tail).utf8)
    let wanted = Array((expected + tail).utf8)
    let size = [1, 2, 7, 64, 100_000].randomElement(using: &generator) ?? 1
    let reader = TrackReader()
    reader.keepsSource = true
    var copy = TrackCopy()
    var written: [UInt8] = []
    var decided = 0
    func take(_ points: [TrackPoint]) {
      guard let source = reader.takeSource() else { return }
      copy.append(source.bytes, points)
      for point in points {
        copy.decide(
          decisions[decided] ? CleanTrack.Point(PointSet.legal(0, 0), point) : nil)
        decided += 1
      }
      written += copy.takeBytes(settledCount: source.settledCount)
      // It is a beginning at any time.
      #expect(wanted.starts(with: written))
    }
    for start in stride(from: 0, to: bytes.count, by: size) {
      take(try reader.read(Array(bytes[start..<min(start + size, bytes.count)])))
    }
    // All that was settled went out: the last end tag but one at least.
    let settled = wanted.count - Array("</gpx>\n<!-- end -->\n".utf8).count
    #expect(written.count >= settled, "pieces of \(size)")
    take(try reader.finish())
    written += copy.takeBytes(settledCount: nil)
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: wanted, as: UTF8.self))
    #expect(decided == decisions.count)
  }

  @Test func `a file that was cut off is cleaned up to there, and whole again`() throws {
    let folder = try Folder()
    let points = (0..<9).map { "<trkpt lat=\"37.\($0)\" lon=\"127\"/>\n" }
    let start = "<gpx><trk><trkseg>\n" + points.joined()
    try folder.write(start + "<trkpt lat=\"38", to: "cut.gpx")
    for input in ["cut.gpx", "- < cut.gpx"] {
      let outcome = try Program.shell("$nearby track \(input) -o clean.gpx", in: folder)
      #expect(outcome.status == 0)
      let source = input == "cut.gpx" ? input : "standard input"
      let words = "warning: xml-cut-off: \(source) was cut off in line 11;"
      #expect(outcome.errors.hasPrefix(words), "\(outcome.errors)")
      let clean = try folder.text("clean.gpx")
      #expect(clean == start.dropLast() + "</trkseg></trk></gpx>\n")
    }
  }

  @Test(.enabled(if: TestedProgram.memoryIsItsOwn, "a sanitizer has the memory"))
  func `a long track is copied in as little memory as a short one`() throws {
    let folder = try Folder()
    func track(_ count: Int) -> String {
      let points = (0..<count).map {
        "<trkpt lat=\"37.\(1_000_000 + $0)\" lon=\"127\"><extensions><hr>\($0)</hr></extensions></trkpt>\n"
      }
      return "<gpx><trk><trkseg>\n\(points.joined())</trkseg></trk></gpx>\n"
    }
    try folder.write(track(120_000), to: "long.gpx")
    try folder.write(track(100), to: "short.gpx")
    // What the short one needs, to 5 MB, and 8 MB more: the text alone of the long one has 10.
    let outcome = try Program.shell(
      #"""
      kilobytes=30000
      until (ulimit -v $kilobytes; exec $nearby track short.gpx --gate none -o s.gpx) 2>&1; do
        kilobytes=$((kilobytes + 5000)); [ $kilobytes -lt 1000000 ] || exit 1
      done
      ulimit -v $((kilobytes + 8000))
      exec $nearby track long.gpx --gate none -o clean.gpx
      """#, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try folder.bytes("clean.gpx") == folder.bytes("long.gpx"))
  }
}
