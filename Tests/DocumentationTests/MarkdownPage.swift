import Foundation
import NearbyTestSupport
import Testing

/// A Markdown file of this package, and the fenced blocks in it.
struct MarkdownPage: Sendable, CustomTestStringConvertible {
  /// From the root of the package, as `README.md`.
  let path: String
  let blocks: [FencedBlock]
  /// The lines outside the blocks.
  let prose: [String]

  var testDescription: String { path }

  init(path: String, text: String) {
    self.path = path
    blocks = FencedBlock.all(in: text)
    var isInside = false
    prose = text.split(separator: "\n").filter { line in
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence { isInside.toggle() }
      return !isFence && !isInside
    }.map(String.init)
  }

  func blocks(in language: String) -> [FencedBlock] { blocks.filter { $0.language == language } }

  /// Every page that the package shows its readers, by path: those at the top and in the folders
  /// beside the sources, and all of the DocC catalogues.
  static func all() throws -> [MarkdownPage] {
    let root = SharedFiles.packageRoot
    let files = FileManager.default
    var paths = try files.contentsOfDirectory(atPath: root.path)
    for folder in ["Benchmarks", "Data", "Sources"] {
      // What a build put there is hidden, not ours, and not for everybody to read.
      for name in try files.contentsOfDirectory(atPath: root.appending(path: folder).path)
      where !name.hasPrefix(".") {
        let path = "\(folder)/\(name)"
        let place = root.appending(path: path)
        paths.append(path)
        guard try place.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
          continue
        }
        paths += try files.subpathsOfDirectory(atPath: place.path).map { "\(path)/\($0)" }
      }
    }
    return try paths.filter { $0.hasSuffix(".md") }.sorted().map { path in
      MarkdownPage(
        path: path,
        text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }
}

/// Lines between two fences.
struct FencedBlock: Sendable {
  /// What stands behind the opening fence; empty for a block of no language.
  let language: String
  /// The line of the opening fence, from 1.
  let line: Int
  /// The lines between the fences, as they stand.
  let lines: [String]

  /// The blocks of a text in their order.
  ///
  /// A block that is never closed reaches to the end of the text.
  static func all(in text: String) -> [FencedBlock] {
    var blocks: [FencedBlock] = []
    var open: (language: String, line: Int, lines: [String])?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (offset, line) in lines.enumerated() {
      let content = line.drop { $0 == " " }
      if content.hasPrefix("```") {
        if let block = open {
          blocks.append(
            FencedBlock(language: block.language, line: block.line, lines: block.lines))
          open = nil
        } else {
          open = (String(content.dropFirst(3)), offset + 1, [])
        }
      } else {
        open?.lines.append(String(line))
      }
    }
    if let block = open {
      blocks.append(FencedBlock(language: block.language, line: block.line, lines: block.lines))
    }
    return blocks
  }
}

extension Sequence<String> {
  /// The lines without the indentation that all of them share; blank lines become empty.
  var dedented: [String] {
    func isBlank(_ line: String) -> Bool { line.allSatisfy { $0 == " " } }
    let indentation = filter { !isBlank($0) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return map { isBlank($0) ? "" : String($0.dropFirst(indentation)) }
  }
}
