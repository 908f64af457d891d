import AnnotationSources
import Foundation
import Geodesy
import NearbyTestSupport
import Testing

@testable import NearbyHTTP

/// Files that change while `nearby serve --watch` serves them.
@Suite struct WatchedSourceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A file that is served and looked at.
  private struct Watched {
    let source: ServedSource
    let service: NearbyService

    init(_ file: URL) throws {
      let sources = try ServedSource.sources(
        of: [FileName(bytes: Array(file.path.utf8))], SourceReading(), keepsChanges: false,
        began: Served.noon, now: { Served.noon })
      source = try #require(sources.first)
      service = NearbyService(
        sources.map(\.collection), clocks: Served.clocks, isWatched: true, now: { Served.noon })
    }

    /// Looks as often as that, and returns what is logged.
    func look(_ times: Int = 1) -> [String] {
      var logged: [String] = []
      for _ in 0..<times {
        source.refresh(service) { message, details in
          logged.append(([message] + details.values.sorted()).joined(separator: " "))
        }
      }
      return logged
    }

    var health: String { service.get("/healthz").text }
    var isWell: Bool { health.contains(#""status":"ok""#) }

    func has(_ count: Int) -> Bool {
      service.get("/collections/w/items?limit=1").text.contains(#""numberMatched":\#(count),"#)
    }

    func has(_ id: String) -> Bool {
      service.get("/collections/w/items/\(id)").status == 200
    }
  }

  private func rows(_ count: Int) -> String {
    "id,lat,lon\n" + (1...count).map { "\($0),1.\($0),2\n" }.joined()
  }

  @Test func `half of a file is not served`() throws {
    let served = try Watched(try folder.write(rows(1_000), to: "w.csv"))
    #expect(served.has(1_000) && served.look(2).isEmpty)
    try folder.write(rows(350) + "351,1.3", to: "w.csv")
    let logged = served.look(4)
    #expect(logged.count == 1 && logged[0].contains("w.csv ends within a line"), "\(logged)")
    #expect(served.has(1_000) && served.health.contains("w.csv ends within a line"))
    try folder.write(rows(1_001), to: "w.csv")
    #expect(served.look().isEmpty && served.has(1_000))
    #expect(served.look().count == 1 && served.has(1_001) && served.isWell)
  }

  @Test func `a file that grows is read when it has stopped`() throws {
    let served = try Watched(try folder.write(rows(100), to: "w.csv"))
    for count in 10..<20 {
      try folder.write(rows(count), to: "w.csv")
      #expect(served.look().isEmpty && served.has(100) && served.isWell)
    }
    #expect(served.look(3).count == 1 && served.has(19))
  }

  @Test func `a file that never ended with a line end may go on like this`() throws {
    let served = try Watched(try folder.write(rows(10) + "11,1.5,2", to: "w.csv"))
    try folder.write(rows(11) + "12,1.5,2", to: "w.csv")
    #expect(served.look(2).count == 1 && served.has(12) && served.isWell)
  }

  @Test func `JSON is whole with and without a line end`() throws {
    func collection(_ id: String) -> String {
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[2,1]},"properties":{}}]}"#
    }
    let served = try Watched(try folder.write(collection("a") + "\n", to: "w.geojson"))
    try folder.write(collection("b"), to: "w.geojson")
    #expect(served.look(2).count == 1 && served.has("b") && served.isWell)
    try folder.write(String(collection("cc").dropLast(3)), to: "w.geojson")
    #expect(served.look(3).count == 1 && served.has("b") && !served.isWell)
  }

  @Test func `another file of the same length and time is noticed`() throws {
    let file = try folder.write("id,lat,lon\na,1,2\n", to: "w.csv")
    let other = try folder.write("id,lat,lon\nb,1,2\n", to: "other.csv")
    for url in [file, other] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_790_000_000)],
        ofItemAtPath: url.path)
    }
    let served = try Watched(file)
    #expect(rename(other.path, file.path) == 0)
    #expect(served.look(2).count == 1 && served.has("b") && !served.has("a"))
  }

  @Test func `a file that comes back ends the failure`() throws {
    let file = try folder.write(rows(3), to: "w.csv")
    let served = try Watched(file)
    let elsewhere = folder.url.appending(path: "elsewhere.csv")
    #expect(rename(file.path, elsewhere.path) == 0)
    let logged = served.look(3)
    #expect(logged.count == 1 && logged[0].contains("w.csv is gone"), "\(logged)")
    #expect(served.has(3) && served.health.contains("w.csv is gone"))
    #expect(rename(elsewhere.path, file.path) == 0)
    #expect(served.look(2).isEmpty && served.has(3) && served.isWell)
  }
}
