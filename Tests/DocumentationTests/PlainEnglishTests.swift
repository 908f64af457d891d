import Foundation
import NearbyTestSupport
import Testing

/// Paths that are not checked yet: take one out of the list with the change that mends what it holds.
private let unread = [
  "CHANGELOG.md", "Data/README.md",
]

private func isRead(_ path: String) -> Bool { !unread.contains { path.hasPrefix($0) } }

/// Phrases that nobody says to a colleague.
///
/// The list is short on purpose: it stops the habits that this project once had, and is no judge of
/// style. Say each thing aloud; if you would not say it, write what you would say.
@Suite struct `Plain English` {
  private static let phrases = [
    "so many", "for so long", "whoever", "who wants", "whom to", "is told", "are told", "told by",
    "told about", "told in", "tells, too", "anew", "of several with",
    "may be given again", "one a line", "inside the program", "nothing is said", "nobody says",
    "what is on there", "are no records", "as far as it is there",
  ]

  /// The phrases in a text, without those in `told apart` and in the names of tests.
  private static func found(in text: String) -> [String] {
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
      .replacing("told apart", with: "")
    return phrases.filter { phrase in
      text.ranges(of: phrase).contains { range in
        let isStart = range.lowerBound == text.startIndex
        let isEnd = range.upperBound == text.endIndex
        return (isStart || !text[text.index(before: range.lowerBound)].isLetter)
          && (isEnd || !text[range.upperBound].isLetter)
      }
    }
  }

  @Test(arguments: try MarkdownPage.all().filter { isRead($0.path) })
  func `is what a page is written in`(page: MarkdownPage) {
    // The names of tests stand in italics, and are what they are.
    let text = page.prose.map { $0.replacing(#/\*[^*]+\*/#, with: "") }.joined(separator: "\n")
    #expect(Self.found(in: text) == [], "\(page.path)")
  }

  @Test func `is what public documentation is written in`() throws {
    let folder = SharedFiles.packageRoot.appending(path: "Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var blocks = 0
    for name in names.sorted() where name.hasSuffix(".swift") && isRead("Sources/\(name)") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      var comment: [Substring] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let line = line.drop { $0 == " " }
        if line.hasPrefix("///") {
          comment.append(line.dropFirst(3))
        } else if line.hasPrefix("@"), !line.contains("public ") {
          continue
        } else {
          if !comment.isEmpty, line.contains(#/^(@\w+ )*public /#) {
            blocks += 1
            let found = Self.found(in: comment.joined(separator: "\n"))
            #expect(found == [], "\(name): \(line)")
          }
          comment = []
        }
      }
    }
    #expect(blocks > 1_000)
  }

  #if CommandLine
    @Test func `is what help is written in`() throws {
      let dump = try BuiltProgram().output(of: "nearby --experimental-dump-help")
      let tool = try JSONSerialization.jsonObject(with: Data(dump.utf8))
      var texts = 0
      func read(_ value: Any) {
        if let members = value as? [String: Any] {
          for (name, value) in members {
            if let text = value as? String {
              guard name == "abstract" || name == "discussion" else { continue }
              texts += 1
              let found = Self.found(in: text)
              #expect(found == [], "\(text)")
            } else {
              read(value)
            }
          }
        } else if let elements = value as? [Any] {
          for element in elements { read(element) }
        }
      }
      read(tool)
      #expect(texts > 300)
    }
  #endif

  @Test func `is known by whole words, across lines`() {
    #expect(Self.found(in: "Waits so\n  many seconds.") == ["so many"])
    #expect(Self.found(in: "A canewarehouse. Pins are told apart by id.") == [])
    #expect(Self.found(in: "Whoever reads it.") == ["whoever"])
  }
}
