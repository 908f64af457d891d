import Foundation
import NearbyTestSupport
import Testing

/// `hours eval`: one answer for each line.
@Suite struct HoursEvalTests {
  private func eval(_ input: String) throws -> Program.Outcome {
    try Program.run(
      ["hours", "eval"], input: Array(input.utf8), environment: ["TZ": "Asia/Seoul"],
      in: try Folder())
  }

  @Test func `eval counts blank lines, and refuses a time that ends before it begins`() throws {
    func row(_ from: String, _ to: String) -> String {
      #"{"id":1,"value":"24/7","from":"2026-03-0\#(from)","to":"2026-03-0\#(to)"}"# + "\n"
    }
    let outcome = try eval(
      "\n" + row("2T00:00", "2T00:00") + "\r\n\n" + row("2T00:00", "1T23:59"))
    #expect(outcome.status == 65)
    #expect(outcome.lines.first == #"{"id":1,"intervals":[]}"#)
    #expect(outcome.lines.count == 2 && outcome.lines[1].contains(#""code":"bad-time""#))
    #expect(
      outcome.errors
        == "error: bad-time: line 5: from 2026-03-02T00:00 is later than to 2026-03-01T23:59; swap them\n"
    )
  }

  @Test func `eval reads lines whole, in whatever pieces they come`() throws {
    // Three bytes a letter, and several times as long as a piece.
    let ids = (0..<3_000).map { "서울특별시 종로구 세종대로 \($0)" }
    let rows = ids.map {
      #"{"id":"\#($0)","value":"off","from":"2026-03-01T00:00","to":"2026-03-02T00:00"}"#
    }
    let outcome = try eval("\u{FEFF}" + rows.joined(separator: "\r\n"))
    #expect(outcome.lines == ids.map { #"{"id":"\#($0)","intervals":[]}"# })
    #expect(outcome.status == 0)
  }

  @Test func `eval refuses a line with anything behind its object`() throws {
    let row = #"{"id":1,"value":"off","from":"2026-03-01T00:00","to":"2026-03-02T00:00"}"#
    let outcome = try eval("\(row) x\n\(row),\(row)\n")
    #expect(outcome.status == 65 && outcome.lines.count == 2)
    #expect(outcome.lines.allSatisfy { $0.contains(#""code":"row-fields""#) }, "\(outcome.text)")
  }

  @Test(arguments: ["Z", "+09:00"]) func `eval refuses an offset of local times`(
    offset: String
  ) throws {
    let outcome = try eval(
      #"{"id":1,"value":"24/7","from":"2026-03-02T00:00\#(offset)","to":"2026-03-03T00:00"}"#)
    #expect(outcome.status == 65)
    #expect(
      outcome.errors
        == "error: bad-time: line 1: from \"2026-03-02T00:00\(offset)\" has a UTC offset, but is local "
        + "time; leave the offset out\n")
  }

  @Test func `eval answers line by line, and refuses line by line`() throws {
    let outcome = try eval(
      """
      {"id":1,"value":"Mo-Su 02:00-05:00","from":"2026-03-08T00:00","to":"2026-03-09T00:00","tz":"America/New_York"}
      {"id":"b","value":"PH off; 10:00-12:00","from":"2026-03-06T00:00","to":"2026-03-07T00:00","tz":"Asia/Seoul"}
      {"id":"c","value":"10:00-12:00 open \\"x\\"; PH off","from":"2026-03-01T00:00","to":"2026-03-04T00:00","tz":"Asia/Seoul","country":"KR"}
      {"id":2,"value":"PH off; 10:00","from":"2026-03-06T00:00","to":"2026-03-07T00:00","tz":"Asia/Soul"}
      {"id":3,"value":"Mo-Fr 9-25","from":"2026-03-06T00:00","to":"2026-03-07T00:00","tz":"UTC"}
      {"id":4,"value":"PH off","from":"2099-03-06T00:00","to":"2099-03-07T00:00","tz":"UTC","country":"KR"}
      {"id":5,"value":"24/7","from":"2026-02-30T00:00","to":"2099-03-07T00:00","tz":"UTC"}
      no JSON

      """)
    #expect(outcome.status == 65)
    let lines = outcome.lines
    #expect(lines.count == 8)
    // 2026-03-01 is a holiday, and 03-02 its substitute.
    #expect(
      Array(lines.prefix(3)) == [
        #"{"id":1,"intervals":[["2026-03-08T03:00","2026-03-08T05:00","open"]]}"#,
        lines[1],
        #"{"id":"c","intervals":[["2026-03-03T10:00","2026-03-03T12:00","open","x"]]}"#,
      ])
    for (line, code) in [
      (1, "holidays-unknown"), (3, "zone-unknown"), (4, "hours-syntax"), (5, "holidays-unknown"),
      (6, "bad-time"), (7, "row-fields"),
    ] {
      #expect(lines[line].contains(#""error":{"code":"\#(code)""#), "\(lines[line])")
    }
    #expect(lines[4].contains(#""column":9"#))
  }

  @Test func `eval warns of a value that is not to the letter, and answers it`() throws {
    let from = #""from":"2026-07-30T00:00","to":"2026-08-02T00:00""#
    let outcome = try eval(
      #"{"id":1,"value":"Jul 31-30",\#(from)}"# + "\n" + #"{"id":2,"value":"Jul 31",\#(from)}"#
        + "\n"
        + #"{"id":3,"value":"11:30-14:30;17:30-23:00",\#(from)}"#)
    #expect(outcome.status == 0 && outcome.lines.count == 3)
    #expect(outcome.lines[0].contains(#"["2026-07-31T00:00""#), "\(outcome.text)")
    #expect(
      outcome.errors
        == "warning: hours: line 1: column 8: days that end before they start, read into the next month\n"
        + "warning: hours: line 3: column 13: a rule that replaces all of an earlier one; to keep both, write "
        + "\",\" or \"||\" before it, or write it first\n"
    )
  }

  @Test func `eval names no option where a position is none`() throws {
    let outcome = try eval(
      #"{"id":1,"value":"sunrise-12:00","from":"2026-03-06T00:00","to":"2026-03-07T00:00","lat":127,"lon":37.5}"#
    )
    #expect(outcome.status == 65)
    #expect(
      outcome.errors
        == "error: lat-lon-swapped: line 1: latitude 127 is outside -90…90; these look swapped: try "
        + "latitude 37.5, longitude 127\n")
  }

  @Test func `eval answers school holidays as unknown, like hours`() throws {
    let outcome = try eval(
      #"{"id":1,"value":"SH off; Mo-Fr 09:00-17:00","from":"2026-03-06T00:00","to":"2026-03-09T00:00"}"#
    )
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.lines.count == 1 && outcome.text.contains(#"["2026-03-06T09:00","#))
    let unknown = try eval(
      #"{"id":1,"value":"Mo-Fr 09:00-17:00; SH off","from":"2026-03-06T00:00","to":"2026-03-07T00:00"}"#
    )
    #expect(unknown.text.contains(#""2026-03-06T17:00","unknown"]"#), "\(unknown.text)")
  }

  @Test(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"))
  func `eval agrees with other programs`() throws {
    var rows: [(id: String, intervals: [[String]])] = []
    var input = ""
    for line in try SharedFiles.text("conformance/opening_hours/eval_kr_jp.jsonl")
      .split(separator: "\n")
    {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      // The sun's times differ by a minute or two.
      guard row["disputed"] == nil, row["lat"] == nil, let id = row["id"] as? String,
        let intervals = row["intervals"] as? [[String]]
      else { continue }
      rows.append((id, intervals))
      input += line + "\n"
    }
    let outcome = try eval(input)
    #expect(outcome.lines.count == rows.count && rows.count > 40)
    for (line, row) in zip(outcome.lines, rows) {
      let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let intervals = answer?["intervals"] as? [[String]] ?? []
      #expect(Self.merged(intervals) == Self.merged(row.intervals), "\(row.id)")
    }
  }

  /// Stretches without comments, those that touch joined.
  private static func merged(_ intervals: [[String]]) -> [[String]] {
    var merged: [[String]] = []
    for interval in intervals {
      if let last = merged.last, last[1] == interval[0], last[2] == interval[2] {
        merged[merged.count - 1][1] = interval[1]
      } else {
        merged.append(Array(interval.prefix(3)))
      }
    }
    return merged
  }
}
