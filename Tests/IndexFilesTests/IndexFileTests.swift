import Foundation
import Geodesy
import SpatialIndexing
import NearbyTestSupport
import Testing

@testable import IndexFiles

@Suite struct IndexFileTests {
  private let folder: Folder
  private let points: [Coordinate]
  private let index: KDTreeIndex
  private let origin: Coordinate

  init() throws {
    folder = try Folder()
    (points, origin) = PointSet.city.sample(2_000, seed: 3)
    index = KDTreeIndex(points)
  }

  private func row(_ number: Int) -> [UInt8] { Array("row \(number)".utf8) }

  private func write(_ name: String, source: SourceStamp? = nil) throws {
    try IndexFile.write(
      index, to: folder.path(name), rowCount: points.count + 1, attachment: Array("all".utf8),
      source: source
    ) { $1 += row($0) }
  }

  @Test func `a mapped index answers as it did in memory, with its rows`() throws {
    try write("a.nbx")
    for validation in [IndexValidation.structure, .everything] {
      let file = try IndexFile(path: folder.path("a.nbx"), validation: validation)
      let answer = try file.answer { $0.nearest(20, to: origin) }
      #expect(answer.neighbors == index.nearest(20, to: origin).neighbors)
      for neighbor in answer.neighbors {
        #expect(try file.row(neighbor.offset) == row(neighbor.offset))
      }
      #expect(try file.row(points.count) == row(points.count))
      #expect(try file.bytes.attachment() == Array("all".utf8))
      try file.verify()
    }
  }

  @Test func `an index file that is replaced stays readable where it is open`() throws {
    try write("a.nbx")
    let old = try IndexFile(path: folder.path("a.nbx"))
    try IndexFile.write(KDTreeIndex([origin]), to: folder.path("a.nbx"))
    let new = try IndexFile(path: folder.path("a.nbx"))
    #expect(new.bytes.index.count == 1)
    #expect(
      try old.answer { $0.nearest(5, to: origin).neighbors }
        == index.nearest(5, to: origin).neighbors)
    #expect(try folder.names == ["a.nbx"])
  }

  @Test func `positions that come one by one make the file that a list of them makes`() throws {
    for set in PointSet.allCases {
      // As they are, with all their decimals, and rounded to seven; none, a few, and enough to be sorted in parts.
      for count in [0, 1, 17, 40_000] {
        for isRounded in [true, false] {
          let places = try set.sample(count, seed: 8).points.map { place in
            guard isRounded else { return place }
            return try Coordinate(
              latitude: (place.latitude * 1e7).rounded() / 1e7,
              wrappingLongitude: (place.longitude * 1e7).rounded() / 1e7)
          }
          #expect(
            try IndexFile.write(positions: places.lazy.map { $0 }, to: folder.path("s.nbx"))
              == count)
          try IndexFile.write(KDTreeIndex(places), to: folder.path("l.nbx"))
          let one = try Data(contentsOf: folder.url.appending(path: "s.nbx"))
          #expect(one == (try Data(contentsOf: folder.url.appending(path: "l.nbx"))))
        }
      }
    }
    #expect(try folder.names == ["l.nbx", "s.nbx"])
    let failure = #expect(throws: IndexFileFailure.self) {
      try IndexFile.write(positions: points, to: folder.path("nowhere/s.nbx"))
    }
    #expect("\(failure!)".contains("nowhere"))
  }

  @Test func `what cannot be written leaves the file that was there`() throws {
    try write("a.nbx")
    let before = try Data(contentsOf: folder.url.appending(path: "a.nbx"))
    let failure = #expect(throws: IndexFileFailure.self) {
      try IndexFile.write(index, to: folder.path("a.nbx"), rowCount: points.count) {
        number, _ throws(IndexFileFailure) in
        if number == 1_000 { throw IndexFileFailure("a.nbx", .missing) }
      }
    }
    #expect(failure?.code == "no-such-file")
    #expect(try Data(contentsOf: folder.url.appending(path: "a.nbx")) == before)
    #expect(try folder.names == ["a.nbx"])
    let nameless = #expect(throws: IndexFileFailure.self) { try IndexFile(path: "") }
    #expect(nameless?.description == "there is no file \"\"; check the name and the folder")
    let nowhere = #expect(throws: IndexFileFailure.self) {
      try IndexFile.write(index, to: folder.path("nowhere/a.nbx"))
    }
    #expect(nowhere?.code == "cannot-write")
    #expect(nowhere?.description.contains("nowhere/a.nbx") == true)
  }

  @Test func `the name under which a file is written is told before there is such a file`() throws {
    var names: [String] = [], wasThere: [Bool] = []
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: name) }
    try IndexFile.write(
      index, toPathBytes: Array(folder.path("a.nbx").utf8), rowCount: points.count,
      attachment: [], source: nil,
      willMake: {
        names.append(String(decoding: $0, as: UTF8.self))
        wasThere.append(exists(names[0]))
      }
    ) { _, _ in
      if wasThere.count == 1 { wasThere.append(exists(names[0])) }
    }
    #expect(names.count == 1 && wasThere == [false, true])
    #expect(try folder.names == ["a.nbx"])
  }

  @Test func `a link stays a link, and permissions stay as they were`() throws {
    try write("a.nbx")
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("a.nbx"))
    try manager.createSymbolicLink(
      atPath: folder.path("link.nbx"), withDestinationPath: folder.path("a.nbx"))
    try IndexFile.write(KDTreeIndex([origin]), to: folder.path("link.nbx"))
    #expect(try IndexFile(path: folder.path("a.nbx")).bytes.index.count == 1)
    #expect(
      try manager.destinationOfSymbolicLink(atPath: folder.path("link.nbx"))
        == folder.path("a.nbx"))
    #expect(
      try manager.attributesOfItem(atPath: folder.path("a.nbx"))[.posixPermissions] as? Int
        == 0o600)
  }

  @Test func `files that are no index say so, with their name`() throws {
    try write("whole.nbx")
    let whole = [UInt8](try Data(contentsOf: folder.url.appending(path: "whole.nbx")))
    let cases: [(bytes: [UInt8], code: String)] = [
      ([], "index-truncated"), (Array("id,lat,lon\n".utf8), "index-not-nbx"),
      (Array(whole.dropLast(5_000)), "index-truncated"),
      (Array(whole.prefix(100)), "index-truncated"),
      (Array("nearby-index 1 5\n{}\n".utf8), "index-version"),
    ]
    for (bytes, code) in cases {
      try Data(bytes).write(to: folder.url.appending(path: "bad.nbx"))
      let failure = #expect(throws: IndexFileFailure.self) {
        try IndexFile(path: folder.path("bad.nbx"))
      }
      #expect(failure?.code == code)
      #expect(failure?.description.contains("bad.nbx: ") == true)
    }
    let missing = #expect(throws: IndexFileFailure.self) {
      try IndexFile(path: folder.path("missing.nbx"))
    }
    #expect(missing?.reason == .missing)
    let directory = #expect(throws: IndexFileFailure.self) {
      try IndexFile(path: folder.url.path)
    }
    #expect(directory?.reason == .notAFile)
  }

  /// A pipe that nobody writes to: waiting for it would be for ever.
  @Test(.timeLimit(.minutes(1)))
  func `what is no file is neither read nor replaced`() throws {
    let pipe = folder.path("pipe.nbx")
    #expect(mkfifo(pipe, 0o600) == 0)
    for name in [pipe, folder.url.path] {
      let attempts: [() throws -> Void] = [
        { _ = try IndexFile(path: name) }, { _ = try SourceStamp(path: name) },
        { try IndexFile.write(KDTreeIndex([origin]), to: name) },
      ]
      for attempt in attempts {
        let failure = #expect(throws: IndexFileFailure.self) { try attempt() }
        #expect(failure?.reason == .notAFile)
      }
    }
    #expect(try folder.names == ["pipe.nbx"])
    let type = try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
    #expect(type != .typeRegular)
  }

  @Test func `a damaged page is an error of the answer that reads it`() throws {
    try write("a.nbx")
    var bytes = [UInt8](try Data(contentsOf: folder.url.appending(path: "a.nbx")))
    // In the leaves, which begin behind the groups of 2,000 positions.
    bytes[4_096 + 12_288 + 100] ^= 4
    try Data(bytes).write(to: folder.url.appending(path: "a.nbx"))
    let file = try IndexFile(path: folder.path("a.nbx"))
    let failure = #expect(throws: IndexFileFailure.self) {
      try file.answer { $0.nearest(points.count, to: origin) }
    }
    #expect(failure?.code == "index-checksum")
    #expect(throws: IndexFileFailure.self) { try file.verify() }
    // What is damaged is not written again with right checksums.
    let index = try IndexFile(path: folder.path("a.nbx")).bytes.index
    #expect(throws: IndexFileFailure.self) {
      try IndexFile.write(index, to: folder.path("b.nbx"))
    }
    #expect(try folder.names == ["a.nbx"])
  }

  @Test func `an index is stale when its source has other contents, and only then`() throws {
    let source = folder.url.appending(path: "s.csv"), path = folder.path("s.csv")
    try Data("a,b\n1,2\n".utf8).write(to: source)
    try write("a.nbx", source: try SourceStamp(path: path))
    let file = try IndexFile(path: folder.path("a.nbx"))
    try file.checkIsCurrent(with: path)
    // Touched.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
    try file.checkIsCurrent(with: path)
    // Of the same length.
    try Data("a,b\n1,3\n".utf8).write(to: source)
    let failure = #expect(throws: IndexFileFailure.self) { try file.checkIsCurrent(with: path) }
    #expect(failure?.code == "index-stale")
    // Gone, and never there.
    try FileManager.default.removeItem(at: source)
    try file.checkIsCurrent(with: path)
    #expect(try SourceStamp(path: path) == nil)
  }
}

typealias Folder = NearbyTestSupport.Folder
