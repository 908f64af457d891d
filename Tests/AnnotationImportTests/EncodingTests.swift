import Foundation
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import AnnotationImport

@Suite struct EncodingTests {
  private static let folder = "conformance/csv/encodings/"

  /// Each file of the conformance folder, and its twin in UTF-8.
  private static let twins = [
    ("ja-a-cp932", "ja-a-utf8"), ("ja-a-euc_jp", "ja-a-euc_jp.utf8twin"),
    ("ja-a-shift_jis", "ja-a-shift_jis.utf8twin"), ("ja-a-utf16le", "ja-a-utf8"),
    ("ja-a-utf8bom", "ja-a-utf8"), ("ko-a-cp949", "ko-a-utf8"),
    ("ko-a-euc_kr", "ko-a-euc_kr.utf8twin"), ("ko-a-utf16le", "ko-a-utf8"),
    ("ko-a-utf8bom", "ko-a-utf8"),
  ]

  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)),
    arguments: twins)
  func `a file in any encoding gives the rows of its twin`(name: String, twin: String) throws {
    let bytes = try SharedFiles.bytes(EncodingTests.folder + name + ".csv")
    let expected = try importing(
      SharedFiles.bytes(EncodingTests.folder + twin + ".csv"), named: "twin.csv")
    #expect(expected.report.placed >= 5)
    for packed in [bytes, gzipMember(bytes)] {
      let result = try importing(packed)
      #expect(result.annotations.map(\.properties) == expected.annotations.map(\.properties))
      #expect(result.annotations.map(\.coordinate) == expected.annotations.map(\.coordinate))
      #expect(result.report.remarks.count == (name.hasSuffix("utf8bom") ? 0 : 1))
    }
    let encoding = try #require(
      TextEncoding(named: String(name.dropFirst(5)).replacingOccurrences(of: "bom", with: "")))
    let named = try importing(bytes) { $0.encoding = encoding }
    #expect(named.annotations.map(\.properties) == expected.annotations.map(\.properties))
    #expect(named.report.remarks == [])
  }

  // MARK: Stated by a server

  @Test(arguments: [
    "iso-8859-1", "windows-1252", "utf-8", "utf-16", "euc-kr", "shift_jis", "euc-jp", "klingon",
  ])
  func `a stated charset changes nothing where the bytes are UTF-8`(charset: String) throws {
    let table = "id,name,lat,lon\n1,Café 서울,37.5,127\n"
    let feature = """
      {"type":"Feature","properties":{"name":"Café 서울"},
       "geometry":{"type":"Point","coordinates":[127,37.5]}}
      """
    for (text, name) in [
      (table, "a.csv"), ("\u{FEFF}" + table, "a.csv"), (table, "a"), (feature, "a"),
      (feature, "a.geojson"), (#"[{"name":"Café 서울","lat":37.5,"lon":127}]"#, "a.json"),
    ] {
      let result = try importing(text, named: name) { $0.statedCharset = charset }
      #expect(result.annotations.map(\.name) == ["Café 서울"], "\(name)")
      #expect(result.report.remarks == [], "\(name)")
    }
  }

  @Test func `a stated charset decides what cannot be detected, and is named`() throws {
    // Too little to detect.
    let bytes = EncodingTests.encoded("id,name,lat,lon\n1,뷁,37.5,127\n", .cp949)
    for name in ["a.csv", "a"] {
      let result = try importing(bytes, named: name) { $0.statedCharset = "euc-kr" }
      #expect(result.annotations.map(\.name) == ["뷁"])
      #expect(result.report.remarks == ["\(name): read as CP949: the server says EUC-KR"])
    }
    // What was asked for counts before it.
    let asked = try importing(bytes) {
      $0.encoding = .cp949
      $0.statedCharset = "shift_jis"
    }
    #expect(asked.annotations.map(\.name) == ["뷁"])
  }

  @Test(arguments: ["iso-8859-1", "utf-8", "klingon", nil])
  func `a charset that decides nothing leaves Korean to detection`(charset: String?) throws {
    let text = "id,name,lat,lon\n1,서울시청 앞 광장,37.5,127.0\n2,종로구 관철동,37.57,127.0\n"
    let result = try importing(EncodingTests.encoded(text, .cp949)) { $0.statedCharset = charset }
    #expect(result.annotations.map(\.name) == ["서울시청 앞 광장", "종로구 관철동"])
    #expect(result.report.remarks.count == 1)
    #expect(result.report.remarks[0].contains("CP949"))
    #expect(!result.report.remarks[0].contains("server"))
  }

  // MARK: Detection

  /// Lines of published files, in the encoding they are published in or are put into.
  private static func lines(_ path: String) throws -> [ArraySlice<UInt8>] {
    try SharedFiles.bytes(path).split(separator: .lineFeed)
  }

  /// A text in an encoding, what that lacks left out.
  static func encoded(_ text: String, _ encoding: TextEncoding) -> [UInt8] {
    guard let conversion = TextConversion(from: .utf8, to: encoding) else {
      Issue.record("iconv does not know \(encoding)")
      return []
    }
    var bytes: [UInt8] = []
    for character in text.unicodeScalars {
      let outcome = Array(String(character).utf8).withUnsafeBufferPointer { conversion.convert($0) }
      // Apple's iconv writes a question mark for what an encoding lacks.
      guard case .converted(let code) = outcome, code != [0x3F] || character == "?" else {
        continue
      }
      bytes += code
    }
    return bytes
  }

  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)),
    arguments: UInt64(0)..<4)
  func `a few Korean lines are told from Japanese ones`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var undecided = 0
    for path in [
      "data/kr-libraries/libraries-2023.cp949.csv", "data/kr-markets/markets-2024.cp949.csv",
      "data/kr-large-stores/seoul-large-stores-2025.cp949.csv",
      "data/kr-subway-elevators/seoul-subway-elevators.cp949.csv",
    ] {
      let lines = try EncodingTests.lines(path)
      for _ in 0..<100 {
        let at = Int.random(in: 0..<lines.count - 3, using: &generator)
        let text = Array(lines[at...at + 1].joined())
        let found = text.withUnsafeBufferPointer { EncodingDetection.legacy($0) }
        if found == nil { undecided += 1 }
        #expect(found == nil || found?.encoding == .cp949, "\(path) line \(at + 1)")
      }
    }
    #expect(undecided <= 4)
  }

  @Test(
    .enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)),
    arguments: [TextEncoding.shiftJIS, .eucJP])
  func `a few Japanese lines are told from Korean ones`(encoding: TextEncoding) throws {
    var generator = SeededGenerator(seed: 1)
    var undecided = 0
    var judged = 0
    for path in [
      "data/jp-yaizu-deals/digital_coupon.csv", "data/jp-yaizu-deals/voucher_retail.csv",
      "data/jp-takamatsu/bag_dealers_0098.csv", "data/jp-stations/station.csv",
    ] {
      let lines = try SharedFiles.text(path).split(whereSeparator: \.isNewline)
      for _ in 0..<100 {
        let at = Int.random(in: 10..<lines.count - 3, using: &generator)
        let text = EncodingTests.encoded(lines[at...at + 1].joined(), encoding)
        judged += 1
        let found = text.withUnsafeBufferPointer { EncodingDetection.legacy($0) }
        if found == nil { undecided += 1 }
        #expect(found == nil || found?.encoding == encoding, "\(path) line \(at + 1)")
      }
    }
    #expect(judged > 300)
    #expect(undecided <= 4)
  }

  @Test(arguments: [
    ("緯度,経度,名称", TextEncoding.shiftJIS), ("緯度,経度,名称", .eucJP), ("위도,경도,이름", .cp949),
    ("東京都千代田区", .shiftJIS), ("東京都千代田区", .eucJP), ("서울특별시", .cp949),
  ])
  func `a header is enough`(text: String, encoding: TextEncoding) {
    let bytes = EncodingTests.encoded(text, encoding)
    #expect(bytes.withUnsafeBufferPointer { EncodingDetection.legacy($0) }?.encoding == encoding)
  }

  @Test func `UTF-16 without a mark is told by its zeros`() throws {
    let text = "id,이름,위도,경도\n1,서울,37.5,127\n"
    for (encoding, name) in [
      (String.Encoding.utf16LittleEndian, "UTF-16LE"), (.utf16BigEndian, "UTF-16BE"),
    ] {
      let bytes = [UInt8](try #require(text.data(using: encoding)))
      let result = try importing(bytes)
      #expect(result.annotations.first?.name == "서울")
      #expect(result.report.remarks.first?.hasPrefix("shops.csv: read as \(name): ") == true)
    }
  }

  @Test func `stray zeros do not make UTF-8 UTF-16`() throws {
    let result = try importing([UInt8]("id,name,lat,lon\n1,ab\0c\0de,37,127\n".utf8))
    #expect(result.annotations.first?.name == "ab\0c\0de")
  }

  @Test func `GeoJSON in UTF-16 is read`() throws {
    let text =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[127,37.5]},"properties":{"name":"서울"}}"#
    let bytes = [0xFF, 0xFE] + [UInt8](try #require(text.data(using: .utf16LittleEndian)))
    #expect(try importing(bytes, named: "a.geojson").annotations.first?.name == "서울")
    #expect(try importing(bytes, named: "-").annotations.first?.name == "서울")
  }

  // MARK: Errors

  @Test func `a named encoding that does not fit is an error with its line and the one that does`()
  {
    // "name,lat,lon\n서울,37.5,127\n" in CP949.
    let korean =
      Array("name,lat,lon\n".utf8) + [0xBC, 0xAD, 0xBF, 0xEF] + Array(",37.5,127\n".utf8)
    let error = importError(korean) { $0.encoding = .utf8 }
    #expect(error?.code == "encoding")
    #expect(error?.blame == .data)
    #expect(
      error?.description
        == "shops.csv:2: line 2 is not UTF-8 but is valid CP949; try `encoding` cp949")
    let utf8 = Array("name,lat,lon\n강남역,37.5,127\n".utf8)
    #expect(
      importError(utf8) { $0.encoding = .cp949 }?.description
        == "shops.csv:2: line 2 is not CP949 but is valid UTF-8; try `encoding` utf-8")
  }

  @Test(arguments: [TextEncoding.utf16, .utf16LittleEndian, .utf16BigEndian])
  func `a text in bytes is not read as UTF-16`(encoding: TextEncoding) {
    for text in ["id,lat,lon\n1,37.5,127\n", "id,lat,lon,이름\n1,37.5,127,서울\n", "id"] {
      let error = importError(text) { $0.encoding = encoding }
      #expect(error?.code == "encoding")
      #expect(
        error?.description
          == "shops.csv:1: line 1 is not \(encoding.displayName) but is valid UTF-8; try "
          + "`encoding` utf-8")
    }
    let korean = EncodingTests.encoded("이름,위도,경도\n서울특별시,37.5,127\n", .cp949)
    #expect(
      importError(korean) { $0.encoding = encoding }?.description.hasSuffix("`encoding` cp949")
        == true)
  }

  @Test func `UTF-16 in the other byte order is an error, by its mark or its zeros`() throws {
    let text = "id,이름,위도,경도\n1,서울,37.5,127\n"
    for (isBig, encoding) in [(false, TextEncoding.utf16LittleEndian), (true, .utf16BigEndian)] {
      let plain = [UInt8](
        try #require(text.data(using: isBig ? .utf16BigEndian : .utf16LittleEndian)))
      let mark: [UInt8] = isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]
      let marked = mark + plain
      let other = isBig ? TextEncoding.utf16LittleEndian : .utf16BigEndian
      for bytes in [plain, marked] {
        #expect(
          importError(bytes) { $0.encoding = other }?.description
            == "shops.csv:1: line 1 is not \(other.displayName) but is valid "
            + "\(encoding.displayName); try `encoding` \(encoding.rawValue)")
        let read = try importing(bytes) { $0.encoding = encoding }
        #expect(read.annotations.first?.name == "서울")
      }
      #expect(try importing(marked) { $0.encoding = .utf16 }.annotations.first?.name == "서울")
      // Without a mark it is little-endian.
      let unmarked = importError(plain) { $0.encoding = .utf16 }
      #expect(unmarked?.code == (isBig ? "encoding" : nil))
    }
  }

  @Test(arguments: ["\n", "\r"])
  func `bytes of no known encoding are an error with their line`(end: String) {
    let latin =
      Array("id,lat,lon\(end)1,2,3\(end)".utf8) + Array("Caf".utf8) + [0xE9]
      + Array(",1,2\(end)".utf8)
    let error = importError(latin)
    #expect(error?.code == "encoding")
    #expect(
      error?.description
        == "shops.csv:3: line 3 is not UTF-8 (byte 0xE9 at 20), nor is the file certainly CP949, "
        + "Shift_JIS, EUC-JP, UTF-16 or Windows-1252; correct that line, or say `encoding` NAME")
    #expect(importError(latin) { $0.encoding = .windows1252 } == nil)
  }

  @Test(arguments: ["\n", "\r", "\r\n"], [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func `lines of UTF-16 end as the first one does`(end: String, encoding: String.Encoding) throws {
    let text = try #require("a\(end)\"b\(end)\(end)c".data(using: encoding))
    let named: TextEncoding = encoding == .utf16BigEndian ? .utf16BigEndian : .utf16LittleEndian
    [UInt8](text).withUnsafeBufferPointer { bytes in
      #expect(named.line(of: bytes.count - 2, in: bytes) == 4)
      #expect(named.line(of: 0, in: bytes) == 1)
    }
  }

  @Test func `a line end in a quoted header or in half a letter is not that of the lines`() throws {
    let quoted = Array("id,\"na\rme\",lat,lon\n1,a,37,127\n2,".utf8) + [0xFF, 0xFE]
    quoted.withUnsafeBufferPointer { bytes in
      #expect(TextEncoding.utf8.line(of: bytes.count - 2, in: bytes) == 3)
    }
    // 숍 is U+C20D, and 0x0D is a carriage return.
    for (named, encoding) in [
      (TextEncoding.utf16LittleEndian, String.Encoding.utf16LittleEndian),
      (.utf16BigEndian, .utf16BigEndian),
    ] {
      let text = try #require("숍,위도\na,b\nc".data(using: encoding))
      [UInt8](text).withUnsafeBufferPointer { bytes in
        #expect(named.line(of: bytes.count - 2, in: bytes) == 3)
      }
    }
  }

  @Test(arguments: [("$B", "ISO-2022-JP"), ("$@", "ISO-2022-JP"), ("$)C", "ISO-2022-KR")])
  func `an encoding of seven bits is not taken for UTF-8`(escape: String, name: String) throws {
    let text = "id,name,lat,lon\n1,\u{1B}\(escape)El5~\u{1B}(B,35.7,139.7\n"
    for file in ["shops.csv", "shops"] {
      let error = importError(Array(text.utf8), named: file)
      #expect(error?.code == "encoding")
      #expect(
        error?.description
          == "\(file): line 2 is in \(name), which cannot be read; convert the file with "
          + "iconv -f \(name) -t UTF-8")
    }
    // The escape of a terminal's color is none of these, and what is asked for counts.
    let red = try importing(text.replacingOccurrences(of: escape, with: "[31m"))
    #expect(red.report.placed == 1)
    #expect(try importing(text) { $0.encoding = .utf8 }.report.placed == 1)
  }

  @Test func `UTF-8 with one damaged character is not taken for another encoding`() {
    let text = Array("name,lat,lon\n강남역 1번 출구,37.5,127\n서울".utf8).dropLast()
    #expect(importError(Array(text))?.description.contains("line 3 is not UTF-8 (byte ") == true)
  }

  @Test(arguments: [TextEncoding.cp949, .shiftJIS], [nil, true])
  func `of an encoding with one cut character the error names the line`(
    encoding: TextEncoding, isNamed: Bool?
  ) {
    let name = encoding == .cp949 ? "서울특별시 종로구 관철동 도서관" : "東京都千代田区の図書館とカフェ"
    let rows = (1...20).map { EncodingTests.encoded("\(name),\($0),37.5,127\n", encoding) }
    var bytes = Array("name,id,lat,lon\n".utf8)
    for (place, row) in rows.enumerated() {
      let half = encoding == .cp949 ? row[0] : 0x8B
      guard place == 4 else {
        bytes += row
        continue
      }
      bytes += row.prefix { $0 != UInt8(ascii: ",") } + [half] + Array(",5,37.5,127\n".utf8)
    }
    let error = importError(bytes) { $0.encoding = isNamed.map { _ in encoding } }
    let (text, iconv) = (error?.description ?? "", encoding == .cp949 ? "CP949" : "CP932")
    let start = "shops.csv:6: line 6 is not \(encoding.displayName) (byte 0x"
    #expect(text.hasPrefix(start), "\(text)")
    #expect(
      text.hasSuffix(
        "but nearly all of the file is; correct that line, or leave out what is damaged with iconv "
          + "-c -f \(iconv) -t UTF-8"), "\(text)")
  }

  @Test(arguments: [
    ("EUC-KR", TextEncoding.cp949), ("cp949", .cp949), ("Shift-JIS", .shiftJIS),
    ("CP932", .shiftJIS),
    ("eucJP", .eucJP), ("UTF-8", .utf8), ("utf16", .utf16), ("klingon", nil),
  ])
  func `an encoding is known by its names`(name: String, encoding: TextEncoding?) {
    #expect(TextEncoding(named: name) == encoding)
  }

  @Test func `what is detected is said even if the source cannot be read`() {
    let korean = Array("a,b\n".utf8) + [0xBC, 0xAD, 0xBF, 0xEF, 0xBD, 0xC3] + Array(",1\n".utf8)
    let error = importError(korean)
    #expect(error?.code == "no-coordinate-fields")
    #expect(error?.remarks.first?.hasPrefix("shops.csv: read as CP949: 3 of its 3 ") == true)
  }
}
