import Testing

/// `nearby check SOURCE`, and what is said of sources on the way.
@Suite struct CheckTests {
  /// A row for every mistake a row can make, and two that are only without a position.
  private static let bad = """
    id,name,lat,lon,x1
    1,ok,37.5,127,z
    2,short,37.5,127
    3,swapped,127.03,37.5,z
    4,half,,0.00000,z
    5,half2,37.5,,z
    6,nan,nan,127,z
    7,comma,"37,5",127,z
    8,null,0,0,z
    9,metres,200000,450000,z
    10,range,37.5,190,z
    11,unplaced,,,z
    12,nullword,NULL,\\N,z
    1,dup,37.6,127,z
    14,"open,37.5,127,z
    15,after,37.5,127.1,z

    """

  private func check(_ text: String, _ options: String...) throws -> Program.Outcome {
    try check(text, options)
  }

  private func check(_ text: String, _ options: [String]) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(text, to: "bad.csv")
    return try Program.run(["check", "bad.csv"] + options, in: folder)
  }

  @Test func `every record is placed, unplaced or rejected for its first fault`() throws {
    let outcome = try check(CheckTests.bad, "--format", "json")
    #expect(
      outcome.text == """
        {"records":15,"placed":3,"unplaced":2,"rejected":{"not-a-number":2,"row-half-coordinate":2,\
        "crs-unknown":1,"lat-lon-swapped":1,"lon-range":1,"null-island":1,"row-fields":1,\
        "row-quote":1},"warnings":{"duplicate-id":1}}

        """)
    #expect((outcome.status, outcome.errors) == (0, ""))
  }

  @Test func `a source without a good row is reported, and is bad data`() throws {
    let outcome = try check("lat,lon\n127,37\n128,36\n37,127,1\n", "--json")
    #expect(
      outcome.text == """
        {"records":3,"placed":0,"unplaced":0,"rejected":{"lat-lon-swapped":2,"row-fields":1},\
        "warnings":{}}

        """)
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("error: lat-lon-swapped: bad.csv: 3 of 3 rows rejected"))
  }

  @Test func `a header alone is a warning, and a null geometry is valid`() throws {
    #expect(
      try check("id,lat,lon\n", "--json").text
        == #"{"records":0,"placed":0,"unplaced":0,"rejected":{},"warnings":{"empty-input":1}}"#
        + "\n")
    let folder = try Folder()
    try folder.write(Fixture.shapes, to: "g.geojson")
    let outcome = try Program.run(["check", "g.geojson", "--strict", "--json"], in: folder)
    #expect(
      outcome.text == #"{"records":8,"placed":7,"unplaced":1,"rejected":{},"warnings":{}}"# + "\n")
  }

  /// `이름,위도,경도` and two rows, in CP949.
  private static let korean: [UInt8] =
    [0xC0, 0xCC, 0xB8, 0xA7, 0x2C, 0xC0, 0xA7, 0xB5, 0xB5, 0x2C, 0xB0, 0xE6, 0xB5, 0xB5, 0x0A]
    + [0xBC, 0xAD, 0xBF, 0xEF] + Array(",37.5,127\n".utf8)
    + [0xBC, 0xAD, 0xBF, 0xEF] + Array(",37.5,127\n".utf8)

  @Test func `a file in another encoding is read, and said to be`() throws {
    let folder = try Folder()
    try folder.write(CheckTests.korean, to: "ko.csv")
    let outcome = try Program.run(["check", "ko.csv", "--json"], in: folder)
    #expect(
      outcome.text
        == #"{"records":2,"placed":2,"unplaced":0,"rejected":{},"warnings":{"duplicate-record":1}}"#
        + "\n")
    #expect(
      outcome.errors.hasPrefix("ko.csv: read as CP949: 10 of its 10 two-byte characters are "))
    let piped = try Program.run(
      ["convert", "-", "--format", "csv"], input: CheckTests.korean, in: folder)
    #expect(piped.lines.last == "2,서울,,37.5,127,서울")
    #expect(piped.errors.hasPrefix("-: read as CP949: "))
    let named = try Program.run(
      ["convert", "ko.csv", "--encoding", "EUC-KR", "--format", "csv"], in: folder)
    #expect((named.text, named.errors) == (piped.text, ""))
    let wrong = try Program.run(["check", "ko.csv", "--encoding", "utf-8"], in: folder)
    #expect(
      wrong.errors
        == "error: encoding: ko.csv:1: line 1 is not UTF-8 but is valid CP949; try --encoding cp949\n"
    )
    #expect(wrong.status == 65)
    #expect(
      try Program.run(["check", "ko.csv", "--encoding", "klingon"], in: folder).errors
        .hasPrefix(
          "error: bad-encoding: the encoding \"klingon\" is not known; use auto, utf-8, cp949,"))
  }

  @Test func `cells may be parted by any text, and remarks left out`() throws {
    let folder = try Folder()
    try folder.write("name||lat||lon\n% remark\na|b||37.5||127\n", to: "bars.csv")
    let options = ["--delimiter", "||", "--comment", "%"]
    let read = try Program.run(["convert", "bars.csv", "--format", "csv"] + options, in: folder)
    #expect(read.lines.last == "1,a|b,,37.5,127")
    _ = try Program.run(["index", "build", "bars.csv", "-o", "bars.nbx"] + options, in: folder)
    let indexed = try Program.run(["convert", "bars.nbx", "--format", "csv"], in: folder)
    #expect(indexed.text == read.text)
    let found = try Program.run(
      ["--lat", "37.5", "--lon", "127", "bars.nbx", "--format", "csv"], in: folder)
    #expect(found.lines.last?.hasPrefix("1,a|b,,37.5,127,0.0000") == true)
  }

  @Test func `rejected rows go to a file with their place, code and text`() throws {
    let folder = try Folder()
    try folder.write(CheckTests.bad, to: "bad.csv")
    let outcome = try Program.run(
      ["--lat", "37.5", "--lon", "127", "bad.csv", "--rejects", "r.csv", "--format", "ids"],
      in: folder)
    #expect(outcome.lines == ["1", "15", "1"])
    #expect(outcome.errors.contains("bad.csv: 10 of 15 rows rejected: 2 not-a-number, "))
    #expect(
      outcome.errors.contains(
        "bad.csv: 2 of 15 records have no position (row-no-coordinate); first: bad.csv:12: "))
    #expect(outcome.errors.contains("warning: duplicate-id: bad.csv:14: id 1 was already used"))
    let rejects = try folder.text("r.csv").split(separator: "\n")
    #expect(rejects.count == 11)
    #expect(rejects[0] == "source,line,byte,record,code,message,row")
    #expect(
      rejects[1] == #"""
        bad.csv,3,35,2,row-fields,"bad.csv:3 (byte 35): 4 fields, header has 5; row skipped","2,short,37.5,127"
        """#)
  }

  @Test(arguments: [("10", 0), ("9", 65), ("67%", 0), ("66%", 65)] as [(String, Int32)])
  func `a limit on rejects is a count or a share`(limit: String, status: Int32) throws {
    #expect(try check(CheckTests.bad, "--max-rejects", limit).status == status)
  }

  @Test func `hours that are hardly meant as they are read are a warning`() throws {
    let text =
      "id,lat,lon,hours\n1,37.5,127,Mo-Fr 08:00-12:00; Mo-Fr 13:00-17:00\n2,37.5,127.1,10-18\n"
    let outcome = try check(text)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("  1  hours-doubtful\n"), "\(outcome.text)")
    #expect(
      outcome.text.contains(
        "record 1: hours \"Mo-Fr 08:00-12:00; Mo-Fr 13:00-17:00\": column 20: a rule that replaces all of "
          + "an earlier one;"), "\(outcome.text)")
    // A closing day in a column of its own leaves the hours what they are.
    let split = try check(
      "id,lat,lon,opening_hours,휴무일\n1,37.5,127,11:30-14:30;17:30-23:00,일요일\n")
    #expect(split.text.contains("  1  hours-doubtful\n"), "\(split.text)")
  }

  @Test func `a closing date that is no day is a warning`() throws {
    let rows =
      "id,lat,lon,폐업일자\n1,37.5,127,2020-13-45\n2,37.5,127,2020-01-31\n3,37.5,127,운영중\n"
    let report = try check(rows, "--json").json
    #expect((report["warnings"] as? [String: Int])?["dates-unread"] == 1)
    let text = try check(rows).text
    #expect(text.contains("record 1: \"2020-13-45\" is not a day; it counts as closed down"))
  }

  @Test func `hours in columns that are no times or the same twice are a warning`() throws {
    let names = ["평일", "토요일", "공휴일"].flatMap { ["\($0)운영시작시각", "\($0)운영종료시각"] }
    let text = """
      id,lat,lon,\(names.joined(separator: ","))
      1,37.5,127,abc,def,09:00,18:00,09:00,18:00
      2,37.5,127.1,09:00,,09:00,18:00,00:00,00:00
      3,37.5,127.2,09:00,18:00,00:00,00:00,09:00,18:00
      4,37.5,127.3,09:00,18:00,09:00,18:00,,

      """
    let outcome = try check(text)
    for told in [
      "  2  hours-unread\n", "  1  hours-doubtful\n",
      #"hours "abc / def / 09:00 / 18:00 / 09:00 / 18:00": "평일 abc~def" was not understood"#,
      #"hours "09:00 / 18:00 / 00:00 / 00:00 / 09:00 / 18:00": "토요일 00:00~00:00" may mean all day"#,
    ] {
      #expect(outcome.text.contains(told), "\(outcome.text)")
    }
  }

  @Test func `a limit that is exceeded leaves out no warning`() throws {
    let text = "id,lat,lon,hours\n1,37.5,127,Mo-Fr 9-25\n2,37.5,127,Mo-Fr 9-18\n3,x,127,\n"
    let free = try check(text, "--json")
    #expect(free.text.contains(#""hours-unread":1"#), "\(free.text)")
    for limit in [["--max-rejects", "0"], ["--strict"]] {
      let limited = try check(text, ["--json"] + limit)
      #expect(limited.status == 65 && limited.text == free.text, "\(limited.text)")
    }
  }

  @Test func `columns are found by name in three languages, or said by number`() throws {
    let folder = try Folder()
    try folder.write("목록,,\n이름,위도,경도\n가,37.5,127\n", to: "ko.csv")
    try folder.write("名称\t緯度\t経度\n\"や\t34.8\t138.3\n", to: "ja.tsv")
    try folder.write("a;b;c;d;37.5;127\n", to: "plain.csv")
    func names(_ arguments: String...) throws -> [String] {
      try Program.run(["convert", "--format", "csv"] + arguments, in: folder).lines
    }
    #expect(try names("ko.csv").last == "1,가,,37.5,127,가")
    // A tab-separated file has no quoting.
    #expect(try names("ja.tsv").last == #"1,"""や",,34.8,138.3,"""や""#)
    #expect(
      try names(
        "plain.csv", "--no-header", "--lat-field", "5", "--lon-field", "6", "--id-field", "2",
        "--name-field", "3"
      ) == ["id,name,kind,latitude,longitude,1,2,3,4", "b,c,,37.5,127,a,b,c,d"])
    #expect(try names("ko.csv", "--id-field", "#").last?.hasPrefix("1,") == true)
  }

  @Test func `info of a source without records names it and its columns`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon,note\n", to: "e.csv")
    #expect(
      try Program.run(["index", "build", "e.csv", "-o", "e.nbx"], in: folder).status == 0)
    let text = """
      sources      e.csv
      annotations  0, of them 0 placed
      columns      id, note

      """
    for file in ["e.csv", "e.nbx"] {
      #expect(try Program.run(["info", file], in: folder).text == text)
    }
    // The index of a source is the same source: it is named once.
    #expect(try Program.run(["info", "e.csv", "e.nbx"], in: folder).text == text)
  }

  @Test func `info names all columns, in as many lines as they take`() throws {
    let folder = try Folder()
    let names = (1...30).map { "column\($0)" }
    try folder.write("id,lat,lon,\(names.joined(separator: ","))\n", to: "wide.csv")
    let lines = try Program.run(["info", "wide.csv"], in: folder).text.split(separator: "\n")
    #expect(lines.last?.hasSuffix("column29, column30") == true, "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.contains("…") })
  }

  @Test func `info counts, and says where`() throws {
    let unnamed = try Folder()
    try unnamed.write("id,lat,lon\nx,37.5,127\n", to: "x.csv")
    let text = try Program.run(["info", "x.csv"], in: unnamed).text
    #expect(text.hasSuffix("\nfirst        x at 37.5,127.0\n"), "\(text)")
    let folder = try Folder.withShops()
    let outcome = try Program.run(["info", "shops.csv", "--json"], in: folder)
    #expect(
      outcome.text == """
        {"sources":["shops.csv"],"annotations":7,"placed":6,"unplaced":1,"rejected":0,\
        "bbox":[126.97,-33.86,151.2,37.58],"kinds":{"deal":4,"mart":2,"cinema":1},\
        "columns":["id","name","kind","address","opening_hours"]}

        """)
  }
}
