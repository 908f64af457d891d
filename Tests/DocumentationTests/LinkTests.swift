import Foundation
import NearbyTestSupport
import Testing

@Suite struct `Links on the pages` {
  @Test(arguments: try MarkdownPage.all())
  func `lead to a file or a heading`(page: MarkdownPage) {
    let folder = SharedFiles.packageRoot.appending(path: page.path).deletingLastPathComponent()
    for target in page.linkTargets where !target.contains("://") {
      if target.hasPrefix("#") {
        #expect(page.anchors.contains(String(target.dropFirst())), "\(page.path): \(target)")
      } else {
        let file = folder.appending(path: target).path
        #expect(FileManager.default.fileExists(atPath: file), "\(page.path): \(target)")
      }
    }
  }

  @Test func `are found on the pages`() throws {
    let targets = try MarkdownPage.all().flatMap(\.linkTargets)
    #expect(targets.count { !$0.contains("://") } > 30)
  }

  @Test func `are found with what they lead to`() {
    let page = MarkdownPage(
      path: "x.md",
      text: """
        # One Two: three
        [a](b.md), [c](#d) and **[e](https://f)**
        ```swift
        let g = [h](i)
        ```
        """)
    #expect(page.linkTargets == ["b.md", "#d", "https://f"])
    #expect(page.anchors == ["one-two-three"])
  }
}

extension MarkdownPage {
  /// What stands in parentheses behind a link's text.
  var linkTargets: [String] {
    prose.flatMap { line in
      line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }
  }

  /// The headings, as GitHub names their anchors.
  var anchors: [String] {
    prose.filter { $0.hasPrefix("#") }.map { heading in
      String(
        heading.drop { $0 == "#" || $0 == " " }.lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
          .map { $0 == " " ? "-" : $0 })
    }
  }
}
