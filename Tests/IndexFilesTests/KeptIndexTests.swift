import Foundation
import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

@testable import IndexFiles

/// An index that is kept beside a file without anybody asking for it.
@Suite struct KeptIndexTests {
  private let folder: Folder
  private let index: KDTreeIndex

  init() throws {
    folder = try Folder()
    index = KDTreeIndex(PointSet.city.sample(50, seed: 1).points)
    try Data("a store".utf8).write(to: folder.url.appending(path: "s.gpkg"))
  }

  private func keep(_ name: String = "s.gpkg.nbx", whileMaking: () throws -> Void = {}) throws {
    var failure: (any Error)?
    try IndexFile.write(
      index, toPathBytes: Array(folder.path(name).utf8),
      keptBeside: Array(folder.path("s.gpkg").utf8), rowCount: 50, attachment: [], source: nil
    ) { row, _ in
      if row == 7 { do { try whileMaking() } catch { failure = error } }
    }
    if let failure { throw failure }
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
  }

  /// What may have the name already, made by a shell, and the words that say so.
  static let others: [(shell: String, says: String)] = [
    ("echo precious > s.gpkg.nbx", "no index file"), (": > s.gpkg.nbx", "no index file"),
    ("printf '\\211NBX' > s.gpkg.nbx", "no index file"),
    ("echo precious > p; ln -s p s.gpkg.nbx", "a link"), ("ln -s nowhere s.gpkg.nbx", "a link"),
    ("mkdir d; ln -s d s.gpkg.nbx", "a link"), ("ln -s s.gpkg s.gpkg.nbx", "a link"),
    ("cp s.gpkg.nbx.whole w; ln -s w s.gpkg.nbx", "a link"),
    ("ln -s s.gpkg.nbx s.gpkg.nbx", "a link"), ("ln -s /dev/null s.gpkg.nbx", "a link"),
    ("mkdir s.gpkg.nbx", "no file"), ("mkfifo s.gpkg.nbx", "no file"),
  ]

  /// What a folder holds, each thing with its kind, its mode and its bytes or where it leads.
  private func listing() throws -> String {
    let script = """
      cd '\(folder.url.path)' && for f in $(ls -A); do
      ls -ldi "$f"; [ -f "$f" ] && [ ! -h "$f" ] && cksum < "$f"; done; true
      """
    return try KeptIndexTests.shell(script)
  }

  @discardableResult
  private static func shell(_ line: String) throws -> String {
    try #require(try SystemProgram.run("/bin/sh", ["-c", line])).text
  }

  @Test(.timeLimit(.minutes(1)), arguments: others.indices)
  func `nothing but an index file is replaced, and no link is followed`(place: Int) throws {
    let (line, says) = KeptIndexTests.others[place]
    try keep("s.gpkg.nbx.whole")
    try KeptIndexTests.shell("cd '\(folder.url.path)' && \(line)")
    let before = try listing()
    let attempts: [() throws -> Void] = [
      { try keep() },
      { try IndexFile.checkMayBeKept(pathBytes: Array(folder.path("s.gpkg.nbx").utf8)) },
    ]
    for attempt in attempts {
      let failure = #expect(throws: IndexFileFailure.self) { try attempt() }
      #expect(failure?.reason == .notReplaced(says))
      #expect(failure?.code == "file-in-use")
    }
    #expect(try listing() == before)
    #expect(before.contains("s.gpkg.nbx"))
  }

  @Test(arguments: ["echo precious > s.gpkg.nbx", "ln -s s.gpkg s.gpkg.nbx", "mkdir s.gpkg.nbx"])
  func `what comes while an index is made stays, too`(line: String) throws {
    let failure = #expect(throws: IndexFileFailure.self) {
      try keep { try KeptIndexTests.shell("cd '\(folder.url.path)' && \(line)") }
    }
    #expect(failure?.code == "file-in-use")
    #expect(try folder.names == ["s.gpkg", "s.gpkg.nbx"])
    #expect(try String(contentsOfFile: folder.path("s.gpkg"), encoding: .utf8) == "a store")
  }

  @Test func `two that make one index at once both end well`() throws {
    try keep { try keep { try keep() } }
    #expect(try folder.names == ["s.gpkg", "s.gpkg.nbx"])
    try IndexFile(path: folder.path("s.gpkg.nbx")).verify()
  }

  @Test func `a link is not read where links are not followed`() throws {
    try keep("whole.nbx")
    try KeptIndexTests.shell("cd '\(folder.url.path)' && ln -s whole.nbx s.gpkg.nbx")
    let name = Array(folder.path("s.gpkg.nbx").utf8)
    #expect(throws: IndexFileFailure.self) { try IndexFile(pathBytes: name, followsLinks: false) }
    #expect(try IndexFile(pathBytes: name).bytes.index.count == 50)
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o660])
  func `who may not read the store may not read its index, nor while it is made`(mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path("s.gpkg"))
    var modes: [Int?] = []
    try keep {
      modes = try folder.names.filter { $0.hasSuffix(".partial") }.map { try self.mode($0) }
    }
    #expect(modes == [mode])
    #expect(try self.mode("s.gpkg.nbx") == mode)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("s.gpkg"))
    try keep()
    #expect(try self.mode("s.gpkg.nbx") == 0o600)
  }

  @Test func `a folder where no file can be made is told before an index is built`() throws {
    try IndexFile.checkCanBeMade(pathBytes: Array(folder.path("s.gpkg.nbx").utf8))
    try IndexFile.checkCanBeMade(pathBytes: Array("s.gpkg.nbx".utf8))
    let failure = #expect(throws: IndexFileFailure.self) {
      try IndexFile.checkCanBeMade(pathBytes: Array(folder.path("gone/s.gpkg.nbx").utf8))
    }
    #expect(failure?.code == "cannot-write")
  }
}
