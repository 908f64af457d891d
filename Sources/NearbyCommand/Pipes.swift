import AnnotationImport
import Geodesy

/// Operands of the small tools (`distance`, `geohash`): as arguments, or as CSV rows on standard
/// input, with one answer a line.
enum Pipes {
  /// Answers every operand; a bad one prints `error: CODE` in its place, says why on standard
  /// error, and makes the exit status 65 at the end.
  ///
  /// - Parameter answer: Takes the cells of one operand.
  static func run(
    _ operands: [String], _ answer: ([String]) throws(CommandError) -> String
  ) throws(CommandError) {
    var output: [UInt8] = []
    var failures = 0
    func respond(to cells: [String], line: Int) {
      do throws(CommandError) {
        output += (try answer(cells) + "\n").utf8
      } catch {
        failures += 1
        output += "error: \(error.code)\n".utf8
        Console.remark("line \(line): \(error.code): \(error.description)")
      }
    }
    if operands.isEmpty {
      let bytes = try Files.bytes(of: FileName(bytes: [UInt8(ascii: "-")]))
      var line = 0
      for row in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        line += 1
        let text = trimmed(String(decoding: row.last == 0x0D ? row.dropLast() : row, as: UTF8.self))
        if text.isEmpty { continue }
        respond(to: cells(of: text), line: line)
      }
    } else {
      for (place, operand) in operands.enumerated() {
        respond(to: cells(of: ArgumentPreparation.restored(operand)), line: place + 1)
      }
    }
    try Console.write(output)
    if failures > 0 { Console.exit(.badData) }
  }

  private static func cells(of text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { cell in
      let cell = trimmed(cell)
      // The operands are numbers and geohashes: quotes around them hold nothing that needs them.
      return cell.count >= 2 && cell.first == "\"" && cell.last == "\""
        ? String(cell.dropFirst().dropLast()) : cell
    }
  }

  /// Exactly so many cells, or an error that says which were expected.
  static func cells(
    _ cells: [String], are expected: String, count: Int
  ) throws(CommandError) -> [String] {
    guard cells.count == count else {
      throw CommandError(
        "row-fields", "\(cells.count) values where \(expected) are expected; write those",
        status: .badData)
    }
    return cells
  }
}
