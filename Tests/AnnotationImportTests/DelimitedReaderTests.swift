import Foundation
import Geodesy
import NearbyTestSupport
import Testing

@testable import AnnotationImport

@Suite struct DelimitedReaderTests {
  // MARK: Reference vectors

  /// One case of `conformance/csv/strings.jsonl`.
  private struct Vector {
    let description: String
    let input: [UInt8]
    let options: [String: Any]
    /// Rows of cells; nil where the reference names them by the header.
    let rows: [[String]]?
    let hasErrors: Bool

    static func all() throws -> [Vector] {
      try SharedFiles.text("conformance/csv/strings.jsonl").split(separator: "\n").map { line in
        let object = try #require(
          JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return Vector(
          description: try #require(object["description"] as? String),
          input: Array(try #require(object["input"] as? String).utf8),
          options: try #require(object["options"] as? [String: Any]),
          rows: object["rows"] as? [[String]],
          hasErrors: !(try #require(object["errors"] as? [Any]).isEmpty))
      }
    }

    /// Why our reader has no such option; nil when it can be asked.
    var skipped: String? {
      if options["skipEmptyLines"] as? String == "greedy" { return "rows of empty cells are rows" }
      if hasHeader, !hasErrors { return "repeated names are numbered where they are written" }
      if options["delimiter"] as? String == "\n" { return "a delimiter is no line end" }
      return nil
    }

    /// Whether the first row names the columns.
    var hasHeader: Bool { options["header"] as? Bool ?? false }
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `a reader agrees with the reference rows, and says where the malformed ones are`() throws {
    var judged = 0
    var skipped: [String: Int] = [:]
    for vector in try Vector.all() {
      if let reason = vector.skipped {
        skipped[reason, default: 0] += 1
        continue
      }
      judged += 1
      var reading = read(vector.input, options: vector.options)
      if vector.hasHeader { reading.countColumns() }
      if vector.hasErrors {
        #expect(!reading.malformedLines.isEmpty, "\(vector.description)")
        continue
      }
      var expected = try #require(vector.rows)
      // The reference counts what follows the last line end as a row, RFC 4180 §2.2 does not.
      if vector.input.last == .lineFeed, expected.last == [""] { expected.removeLast() }
      #expect(reading.rows == expected, "\(vector.description)")
      #expect(reading.malformedLines.isEmpty, "\(vector.description)")
    }
    #expect(judged == 56)
    #expect(
      skipped == [
        "repeated names are numbered where they are written": 3, "rows of empty cells are rows": 2,
        "a delimiter is no line end": 1,
      ])
  }

  private func read(_ input: [UInt8], options: [String: Any]) -> Reading {
    input.withUnsafeBufferPointer { whole in
      let bytes = UnsafeBufferPointer(rebasing: whole.withoutByteOrderMark)
      var dialect = DelimitedDialect()
      if let quote = (options["quoteChar"] as? String)?.utf8.first { dialect.quote = quote }
      dialect = dialect.withLineEnds(of: bytes)
      // The reference takes `true` for a number sign.
      let comment = options["comments"] as? String ?? (options["comments"] != nil ? "#" : "")
      dialect.comment = Array(comment.utf8)
      if let delimiter = options["delimiter"] as? String {
        dialect.delimiter = Array(delimiter.utf8)
      } else {
        dialect = dialect.withDelimiter(guessedFrom: bytes)
      }
      return Reading(bytes, dialect, skipsBlankLines: options["skipEmptyLines"] as? Bool ?? false)
    }
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `files of RFC 4180 give the rows of their JSON twins`() throws {
    let folder = "conformance/csv/rfc4180/"
    let index = try SharedFiles.text(folder + "index.jsonl").split(separator: "\n")
    #expect(index.count == 7)
    for line in index {
      let entry = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let file = try #require(entry["file"] as? String)
      let twin = folder + (try #require(entry["expected"] as? String))
      let json = try JSONSerialization.jsonObject(with: Data(try SharedFiles.bytes(twin)))
      var expected = try #require(
        json as? [[String: String]] ?? (json as? [String: String]).map { [$0] })
      let rows = Reading(try SharedFiles.bytes(folder + file)).rows
      let header = try #require(rows.first)
      var objects = rows.dropFirst().map {
        Dictionary(uniqueKeysWithValues: zip(header, $0))
      }
      if file == "m-location_coordinates.csv" {
        // The twin has another telephone number than the file.
        objects[0]["Contact Phone Number"] = nil
        expected[0]["Contact Phone Number"] = nil
      }
      #expect(objects == expected, "\(file)")
    }
  }

  // MARK: Properties

  @Test(arguments: UInt64(0)..<20)
  func `cells that are quoted and joined come back as they were`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = ["a", "é", "서", "\"", ",", "\n", "\r\n", "\r", " ", "\t", "\0", "'", ""]
    let rows = (0..<50).map { _ in
      (0..<Int.random(in: 2...5, using: &generator)).map { _ in
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          alphabet.randomElement(using: &generator) ?? ""
        }.joined()
      }
    }
    for lineEnd in ["\n", "\r\n"] {
      let text = rows.map { row in
        row.map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
          .joined(separator: ",")
      }.joined(separator: lineEnd)
      #expect(Reading(Array(text.utf8)).rows == rows, "seed \(seed)")
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func `records of any bytes follow one another to the end`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("\"\"\",,\n\r ab\t;".utf8)
    let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
      alphabet.randomElement(using: &generator) ?? 0
    }
    for endsAtCarriageReturn in [false, true] {
      bytes.withUnsafeBufferPointer { buffer in
        var reader = DelimitedReader(
          buffer, dialect: DelimitedDialect(endsAtCarriageReturn: endsAtCarriageReturn))
        var previous = 0
        while let record = reader.next() {
          #expect(record.start == previous, "seed \(seed)")
          #expect(record.end >= record.start && reader.position > record.start, "seed \(seed)")
          #expect(reader.position - record.end <= 2, "seed \(seed)")
          previous = reader.position
        }
        #expect(previous == bytes.count, "seed \(seed)")
      }
    }
  }

  // MARK: Edges

  @Test func `a line end at the end of the text starts no record`() {
    #expect(Reading("a,b\n").rows == [["a", "b"]])
    #expect(Reading("a,b\r\n").rows == [["a", "b"]])
    #expect(Reading("a,b\r").rows == [["a", "b"]])
    #expect(Reading("").rows == [])
    #expect(Reading("\n").rows == [[""]])
  }

  @Test func `a carriage return ends records only where the first line break is one`() {
    #expect(Reading("a,b\rc,d").rows == [["a", "b"], ["c", "d"]])
    #expect(Reading("a,b\nc\r,d").rows == [["a", "b"], ["c\r", "d"]])
    #expect(Reading("\"a\rb\",c\n").rows == [["a\rb", "c"]])
    #expect(Reading("\"a\"\"\rb\",c\n").rows == [["a\"\rb", "c"]])
    #expect(Reading("a\r\r\nb\r\r\n").rows == [["a"], [""], ["b"], [""]])
    // A stray quote does not hide it.
    #expect(Reading("\"a,b\rc,d\re").rows == [["c", "d"], ["e"]])
  }

  @Test func `a delimiter of two bytes parts cells, also behind quotes`() {
    let text = Array("a||\"b||c\" ||d|e\n||\n".utf8)
    let rows = text.withUnsafeBufferPointer {
      Reading($0, DelimitedDialect(delimiter: Array("||".utf8)), skipsBlankLines: false).rows
    }
    #expect(rows == [["a", "b||c", "d|e"], ["", ""]])
  }

  @Test func `remarks between records keep the line numbers`() {
    let text = Array("#x\na\n#\"y\n#z\nb\n#end".utf8)
    let reading = text.withUnsafeBufferPointer {
      Reading($0, DelimitedDialect(comment: [UInt8(ascii: "#")]), skipsBlankLines: false)
    }
    #expect(reading.rows == [["a"], ["b"]])
    #expect(reading.lines == [2, 5])
  }

  @Test func `an unclosed quote costs its own line and names it`() {
    let reading = Reading("a,b\nc,\"d\ne,f\n\"g\",\"h\nx\"y\ni,j\n")
    #expect(reading.malformedLines == [2, 4])
    #expect(reading.rows == [["a", "b"], ["e", "f"], ["x\"y"], ["i", "j"]])
  }

  @Test func `a reader knows the line of each record`() {
    #expect(Reading("a\n\"b\n\nc\"\nd\r\n\ne").lines == [1, 2, 5, 6, 7])
  }

  @Test func `a column is read on its own as it is read with the others`() {
    let text = Array("a,\"b\"\"c\",d\n".utf8)
    text.withUnsafeBufferPointer { bytes in
      let cells = (0..<4).map { column in
        var reader = DelimitedReader(bytes, dialect: DelimitedDialect())
        return reader.cell(column).map { reader.text($0) }
      }
      #expect(cells == ["a", "b\"c", "d", nil])
    }
  }
}

/// All that a reader finds in a text.
private struct Reading {
  var rows: [[String]] = []
  var lines: [Int] = []
  var malformedLines: [Int] = []

  init(_ text: String) { self.init(Array(text.utf8)) }

  /// Takes the first row for a header, with which every other must have as many cells.
  mutating func countColumns() {
    guard let header = rows.first else { return }
    for (row, line) in zip(rows, lines) where row.count != header.count {
      malformedLines.append(line)
    }
  }

  init(_ bytes: [UInt8]) {
    self = bytes.withUnsafeBufferPointer {
      Reading($0, DelimitedDialect().withLineEnds(of: $0), skipsBlankLines: false)
    }
  }

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ dialect: DelimitedDialect, skipsBlankLines: Bool
  ) {
    var reader = DelimitedReader(bytes, dialect: dialect)
    while let record = reader.next() {
      if skipsBlankLines, record.isBlank { continue }
      if let line = record.unclosedQuoteLine {
        malformedLines.append(line)
      } else {
        rows.append(reader.cells.map { reader.text($0) })
        lines.append(record.line)
      }
    }
  }
}
