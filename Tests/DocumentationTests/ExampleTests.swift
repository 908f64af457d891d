import Foundation
import NearbyTestSupport
import Testing

@Suite struct `Examples on the pages` {
  /// One page of each library at least, so that a moved folder cannot empty this suite.
  private static let expectedPages = [
    "README.md", "CONTRIBUTING.md", "Benchmarks/README.md", "Data/README.md",
    "Sources/AnnotationImport/AnnotationImport.docc/AnnotationImport.md",
    "Sources/BusinessHours/BusinessHours.docc/BusinessHours.md",
    "Sources/GeoJSONCoding/GeoJSONCoding.docc/GeoJSONCoding.md",
    "Sources/Geodesy/Geodesy.docc/Geodesy.md",
    "Sources/IndexFiles/IndexFiles.docc/IndexFiles.md",
    "Sources/LocationFiltering/LocationFiltering.docc/LocationFiltering.md",
    "Sources/MapAnnotations/MapAnnotations.docc/MapAnnotations.md",
    "Sources/MapProjections/MapProjections.docc/MapProjections.md",
    "Sources/NearbyKit/NearbyKit.docc/NearbyKit.md",
    "Sources/NearbySearch/NearbySearch.docc/NearbySearch.md",
    "Sources/PROJTransforms/PROJTransforms.docc/PROJTransforms.md",
    "Sources/SourceFetching/SourceFetching.docc/SourceFetching.md",
    "Sources/SpatialIndexing/SpatialIndexing.docc/SpatialIndexing.md",
    "Sources/TextMaps/TextMaps.docc/TextMaps.md",
    "Sources/ViewportClustering/ViewportClustering.docc/ViewportClustering.md",
  ]

  @Test func `stand on a page of every library`() throws {
    let pages = try MarkdownPage.all()
    #expect(Set(Self.expectedPages).subtracting(pages.map(\.path)).isEmpty)
    for page in pages where Self.expectedPages.contains(page.path) && page.path.contains(".docc/") {
      #expect(!page.blocks(in: "swift").isEmpty, "\(page.path) shows no Swift")
    }
  }

  /// One case a page, so that the log lists every page that was looked at.
  @Test(arguments: try MarkdownPage.all())
  func `are compiled as they stand`(page: MarkdownPage) throws {
    let sources = try CompiledExamples()
    for block in page.blocks(in: "swift") {
      let isCompiled = sources.contain(block)
      #expect(
        isCompiled,
        """
        \(page.path):\(block.line): this example stands in no file of \
        Tests/DocumentationTests/Examples; put it there, letter for letter
        """)
    }
  }

  @Test func `are compared by whole lines, whatever their indentation`() {
    let sources = CompiledExamples(texts: ["func f() {\n    let a = 1\n\n    print(a)\n  }"])
    func contains(_ text: String) -> Bool {
      sources.contain(FencedBlock(language: "swift", line: 1, lines: [text]))
    }
    #expect(contains("let a = 1"))
    #expect(!contains("let a"))
    let both = FencedBlock(language: "swift", line: 1, lines: ["  let a = 1", "", "  print(a)"])
    #expect(sources.contain(both))
    let tilted = FencedBlock(language: "swift", line: 1, lines: ["let a = 1", "", "  print(a)"])
    #expect(!sources.contain(tilted))
  }
}

/// The sources of the examples, which the compiler has accepted with this file.
private struct CompiledExamples {
  private let files: [[String]]

  init(texts: [String]) {
    files = texts.map { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  init() throws {
    let folder = SharedFiles.packageRoot.appending(path: "Tests/DocumentationTests/Examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    self.init(
      texts: try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      })
  }

  /// Whether the block's lines follow each other somewhere, all moved by the same indentation.
  func contain(_ block: FencedBlock) -> Bool {
    let wanted = block.lines.dedented
    guard let first = wanted.first, !first.isEmpty else { return false }
    return files.contains { lines in
      lines.indices.contains { start in
        start + wanted.count <= lines.count && lines[start].hasSuffix(first)
          && lines[start..<start + wanted.count].dedented == wanted
      }
    }
  }
}
