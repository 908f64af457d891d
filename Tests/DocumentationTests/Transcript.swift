import Foundation
import Testing

/// One command of a `console` block, and what the page says it prints.
struct Transcript: Sendable, CustomTestStringConvertible {
  /// Where it stands, as `README.md:12`.
  let place: String
  /// What stands behind `$ `.
  let command: String
  /// The lines up to the next command, whole.
  let output: String

  var testDescription: String { "\(place) $ \(command)" }

  /// The transcripts of a page, in its order.
  ///
  /// - Throws: `PageError` where a block does not begin with a command: it could not be run, and
  ///   must not be passed over.
  static func all(in page: MarkdownPage) throws -> [Transcript] {
    try page.blocks(in: "console").flatMap { block in
      var transcripts: [(line: Int, command: String, output: [String])] = []
      for (offset, line) in block.lines.enumerated() {
        if line.hasPrefix("$ ") {
          transcripts.append((block.line + 1 + offset, String(line.dropFirst(2)), []))
        } else {
          guard !transcripts.isEmpty else {
            throw PageError("\(page.path):\(block.line): a console block begins without a command")
          }
          transcripts[transcripts.count - 1].output.append(line)
        }
      }
      return transcripts.map { transcript in
        // An empty line before the next command belongs to the page, not to the output.
        var output = transcript.output
        while output.last?.isEmpty == true { output.removeLast() }
        return Transcript(
          place: "\(page.path):\(transcript.line)", command: transcript.command,
          output: output.map { $0 + "\n" }.joined())
      }
    }
  }

  /// The programs of the pipeline, by name.
  var programs: [String] {
    command.split(separator: "|").compactMap { part in
      part.split(separator: " ").first.map(String.init)
    }
  }
}

/// What is wrong with a page.
struct PageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
