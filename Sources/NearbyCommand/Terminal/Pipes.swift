import AnnotationImport
import AnnotationSources
import Geodesy

/// Operands of the small tools (`distance`, `geohash`): as arguments, or as CSV rows on standard
/// input, with one answer a line.
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
    let count = expected.count(where: { $0 == "," }) + 1
    var output: [UInt8] = []
    var failures = 0
    func respond(to cells: [String], line: Int) {
      do throws(ReportedError) {
        guard cells.count == count else {
          throw ReportedError(
            "row-fields",
            "\(cells.count) \(cells.count == 1 ? "value" : "values"); write \(expected)",
            fault: .badData)
        }
        output += (try answer(cells) + "\n").utf8
      } catch {
        failures += 1
        output += "error: \(error.code)\n".utf8
        Console.remark("error: \(error.code): line \(line): \(error.description)")
      }
    }
    if operands.isEmpty {
      let bytes = try Files.bytes(of: FileName("-"))
      for row in DelimitedRow.rows(of: bytes, keepsBlank: true) {
        respond(to: row.cells, line: row.line)
      }
    } else {
      for (place, operand) in operands.enumerated() {
        let cells = ArgumentPreparation.restored(operand)
          .split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
        respond(to: cells, line: place + 1)
      }
    }
    try Console.write(output)
    let values = operands.map(ArgumentPreparation.restored).joined(separator: ",")
    if failures > 1, failures == operands.count, count == values.count(where: { $0 == "," }) + 1 {
      Console.remark(
        "note: write \(expected) as one operand, without spaces: \(values)")
    }
    if failures > 0 { Console.exit(.badData) }
  }
}
