import AnnotationImport
import AnnotationSources
import Geodesy
import TextMaps

/// Operands of the small tools (`distance`, `geohash`): as arguments, or as CSV rows on standard
/// input, each of which is answered with a line as soon as it is there.
enum Pipes {
  /// Answers every operand; a bad one prints `error: CODE` in its place, says why on standard
  /// error, and makes the exit status 65 at the end.
  ///
  /// - Parameters:
  ///   - expected: What one operand holds, as `lat,lon,precision`.
  ///   - answer: Takes the cells of one operand, as many as are expected.
  static func run(
    _ operands: [String], of expected: String,
    _ answer: ([String]) throws(ReportedError) -> String
  ) throws(ReportedError) {
    let count = cells(of: expected).count
    let noun = operands.isEmpty ? "line" : "argument"
    var output: [UInt8] = []
    var failures = 0
    func respond(to cells: [String], number: Int) {
      do throws(ReportedError) {
        guard cells.count == count else {
          throw ReportedError(
            "row-fields", "\(grouped(cells.count, "value")); write \(expected)", fault: .badData)
        }
        output += (try answer(cells) + "\n").utf8
      } catch {
        failures += 1
        output += "error: \(error.code)\n".utf8
        // An operand may have a line feed.
        let sentence = TerminalText.sanitized(error.description)
        Console.remark("error: \(error.code): \(noun) \(number): \(sentence)")
      }
    }
    if operands.isEmpty {
      try Files.lines(of: FileName("-")) { (lines) throws(ReportedError) in
        for (line, number) in lines {
          // A blank line is a row, too, if it ends.
          for row in DelimitedRow.rows(of: line + [UInt8(ascii: "\n")], keepsBlank: true) {
            respond(to: row.cells, number: number)
          }
        }
        try Console.write(output)
        output.removeAll(keepingCapacity: true)
      }
    } else {
      for (place, operand) in operands.enumerated() {
        respond(to: cells(of: operand.asTyped), number: place + 1)
      }
    }
    try Console.write(output)
    // The values of one operand may have been given as several.
    let values = operands.map(\.asTyped).joined(separator: ",")
    if failures > 1, failures == operands.count, cells(of: values).count == count {
      Console.remark("note: write \(expected) as one operand, without spaces: \(values)")
    }
    if failures > 0 { Console.exit(.badData) }
  }

  private static func cells(of operand: String) -> [String] {
    operand.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
  }
}
