import AnnotationImport
import Foundation
import NearbyKit
import NearbyTestSupport
import Testing

@Suite struct `Examples on the sample data` {
  private func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: SharedFiles.packageRoot.appending(path: "Data/\(name)")))
  }

  private func nearestThree() throws {
    let sources = try ["cinemas.csv", "deals.csv", "marts.csv"].map { name in
      try AnnotationImporter().read(bytes(of: name), named: name).annotations
    }
    let index = AnnotationIndex(ImportedAnnotations(joining: sources))
    let here = try Coordinate(latitude: 37.57, longitude: 126.97)
    for near in index.nearest(3, to: here) { print(near.annotation.name ?? "?", near.distance) }
  }

  @Test func `find what the program finds`() throws {
    let lines = try PrintedLines.of(nearestThree)
    #expect(lines.count == 3)
    let beginnings = ["씨네큐브광화문 203.08", "에무시네마 251.26", "홈플러스(주)익스프레스 광화문점 42"]
    for (line, beginning) in zip(lines, beginnings) { #expect(line.hasPrefix(beginning)) }
  }

  /// The example of the README, which is a whole file.
  @Test func `find the shops of the README`() throws {
    let lines = try PrintedLines.of(printNearestShops)
    #expect(lines.count == 2)
    for (line, beginning) in zip(lines, ["씨네큐브 203.08", "에무시네마 251.26"]) {
      #expect(line.hasPrefix(beginning))
    }
  }
}
