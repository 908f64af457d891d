import AnnotationImport
import AnnotationSources
import Foundation
import Geodesy
import NearbyTestSupport
import Synchronization
import Testing

@testable import NearbyHTTP

#if Store
  import SQLiteStore
#endif

/// Files that change while `nearby serve --watch` serves them.
@Suite struct WatchedSourceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A file that is served and looked at.
  private struct Watched {
    let source: ServedSource
    let service: NearbyService

    init(_ file: URL, _ reading: SourceReading = SourceReading()) throws {
      let sources = try WatchedSourceTests.sources(of: [file], reading)
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
        source.tellRemarks { message, details in
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

  private static func sources(
    of files: [URL], _ reading: SourceReading = SourceReading()
  ) throws -> [ServedSource] {
    try ServedSource.sources(
      of: files.map(name), reading, keepsChanges: false, began: Served.noon, now: { Served.noon })
  }

  private static func name(_ file: URL) -> FileName { FileName(bytes: Array(file.path.utf8)) }

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

  @Test func `the next page begins where the last one ended though a row is put above that`() throws
  {
    let served = try Watched(try folder.write(rows(4), to: "w.csv"))
    let page = served.service.get("/collections/w/items?limit=2")
    #expect(try page.ids == ["1", "2"])
    try folder.write(rows(4).replacing("lon\n", with: "lon\n0,9,9\n"), to: "w.csv")
    #expect(served.look(2).count == 1 && served.has(5))
    let next = try #require(try page.next)
    #expect(try served.service.get(next).ids == ["3", "4"])
  }

  #if Store
    @Test func `a layer that comes into a store is told once, as it is not served`() throws {
      let store = try AnnotationStore(folder.path("w.gpkg"))
      func fill(_ layer: String, _ count: Int) throws {
        try store.apply(
          LayerUpdate(layer: layer, refreshed: Served.noon), try Served.annotations(rows(count)))
      }
      try fill("w", 1)
      let served = try Watched(folder.url.appending(path: "w.gpkg"))
      try fill("new", 1)
      let logged = served.look(3)
      #expect(logged.count == 1 && logged[0].contains(#"layer "new" is new and not served"#))
      try fill("w", 2)
      #expect(served.look(3).count == 1 && served.has(2))
    }
  #endif

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
    #expect(served.has(3) && served.health.contains(#":"w.csv is gone"#))
    #expect(rename(elsewhere.path, file.path) == 0)
    #expect(served.look(2).isEmpty && served.has(3) && served.isWell)
  }

  @Test func `places are read again once they have changed`() throws {
    let head = "id,name,lat,lon\n"
    let file = WatchedSourceTests.name(try folder.write(head + "s,A,37,127\n", to: "places.csv"))
    let records = try folder.write("id,name,shop\nr,deal,s\n", to: "w.csv")
    let placesReading = PlacesReading(file) { (surroundings) throws(ReportedError) in
      var reading = SourceReading()
      reading.surroundings = surroundings
      return PlaceJoin(
        places: try Source.read([file], reading).annotations, named: "places.csv", key: "shop")
    }
    var reading = SourceReading()
    reading.options.requiresPositions = false
    reading.places = try placesReading.read(SourceSurroundings())
    reading.placesReading = placesReading
    let served = try Watched(records, reading)
    func isAt(_ latitude: Int, _ longitude: Int) throws -> Bool {
      let near = "/collections/w/nearest?lat=\(latitude)&lon=\(longitude)&k=1&within=1000"
      return try served.service.get(near).ids.count == 1
    }
    #expect(try isAt(37, 127))
    #expect(served.look(2).isEmpty)
    try folder.write(head + "s,A,35,125\n", to: "places.csv")
    #expect(served.look(2).count == 1)
    #expect(try isAt(35, 125) && !isAt(37, 127))
    try folder.write(head + "s,A,36.5", to: "places.csv")
    #expect(served.look(2).count == 1 && served.health.contains("places.csv ends within a line"))
    #expect(unlink(folder.path("places.csv")) == 0)
    #expect(served.look(2).count == 1 && served.health.contains("places.csv is gone"))
    #expect(try isAt(35, 125))
    try folder.write(head + "s,A,35,125\n", to: "places.csv")
    #expect(served.look(2).isEmpty && served.isWell)
  }

  @Test func `what there is to say of a file goes to the log once it is served`() throws {
    let told = Mutex<[String]>([])
    var reading = SourceReading()
    reading.surroundings.remark = { text in told.withLock { $0.append(text) } }
    let head = "id,lat,lon\n"
    let served = try Watched(try folder.write(head + "a,1,2\na,1,2\n", to: "w.csv"), reading)
    let atStart = told.withLock { $0 }
    #expect(atStart.contains { $0.hasPrefix("warning: duplicate-id: ") }, "\(atStart)")
    try folder.write(head + "a,1,2\na,1,2\nb,1,2\n", to: "w.csv")
    let logged = served.look(3)
    #expect(
      logged.contains { $0.hasPrefix("source remark") && $0.contains("duplicate-id") },
      "\(logged)")
    #expect(told.withLock { $0 } == atStart)
  }

  @Test func `why a file is not read is worded as the program words it`() throws {
    var reading = SourceReading()
    reading.surroundings.worded = { "worded: \($0)" }
    let served = try Watched(try folder.write(rows(3), to: "w.csv"), reading)
    try folder.write("name\na\n", to: "w.csv")
    let logged = served.look(3)
    #expect(logged.count == 1 && logged[0].contains("worded: "), "\(logged)")
    #expect(served.health.contains("worded: "))
  }

  #if Store
    private func fill(_ store: AnnotationStore, _ layer: String, _ rows: String) throws {
      try store.apply(
        LayerUpdate(layer: layer, refreshed: Served.noon),
        try Served.annotations("id,name,latitude,longitude\n" + rows))
    }

    @Test func `what another program has only in the log of a store is shown at once`() throws {
      let path = folder.path("w.gpkg")
      let writer = try AnnotationStore(path)
      try fill(writer, "w", "a,A,37.5,127\n")
      let served = try Watched(URL(filePath: path))
      try withExtendedLifetime(writer) {
        #expect(served.look(3).isEmpty && served.has(1))
        for count in 2...4 {
          let rows = (1...count).map { "a\($0),A,37.5,127\n" }.joined()
          try fill(writer, "w", rows)
          #expect(served.look().count == 1 && served.has(count) && served.isWell)
        }
      }
    }

    @Test
    func `where clients write, what has the id of a later one is not served, and that is logged`()
      throws
    {
      let path = folder.path("w.gpkg")
      try fill(
        try AnnotationStore(path), "w", "a,A,37.5,127\na,B,37.6,127\na,C,37.6,127\nb,D,37.7,127\n")
      for (keepsChanges, count) in [(false, 4), (true, 2)] {
        let source = try ServedSource.sources(
          of: [WatchedSourceTests.name(URL(filePath: path))], SourceReading(),
          keepsChanges: keepsChanges, began: Served.noon, now: { Served.noon })[0]
        #expect(source.collection.state.index.count == count)
        func hidden() -> [String] {
          var logged: [String] = []
          source.tellRemarks {
            logged.append("\($0) \($1["warning"] ?? "") \($1["remark"] ?? "")")
          }
          return logged.filter { $0.contains("not served") }
        }
        let atStart = hidden()
        #expect(atStart.count == (keepsChanges ? 1 : 0), "\(atStart)")
        #expect(
          atStart.allSatisfy {
            $0.hasPrefix("source remark duplicate-id 2 annotations not served")
          }, "\(atStart)")
        guard keepsChanges else { continue }
        // Another program writes: one more row with an id that is there.
        try fill(
          try AnnotationStore(path), "w",
          "a,A,37.5,127\na,B,37.6,127\na,C,37.6,127\nb,D,37.7,127\nb,E,37.8,127\n")
        let service = NearbyService(
          [source.collection], clocks: Served.clocks, isWatched: true, now: { Served.noon })
        source.refresh(service) { _, _ in }
        #expect(source.collection.state.index.count == 2)
        let later = hidden()
        #expect(later.count == 1, "\(later)")
        #expect(
          later.allSatisfy { $0.hasPrefix("source remark duplicate-id 3 annotations not served") },
          "\(later)")
      }
    }

    @Test func `a log that moves into its store is no change`() throws {
      let path = folder.path("w.gpkg")
      var writer: AnnotationStore? = try AnnotationStore(path)
      try fill(try #require(writer), "w", "a,A,37.5,127\n")
      let served = try Watched(URL(filePath: path))
      #expect(FileManager.default.fileExists(atPath: path + "-wal"))
      let before = served.health
      writer = nil
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
      #expect(served.look(5).isEmpty && served.health == before && served.isWell)
    }

    @Test
    func `a store that is replaced by another file is said to be none, whatever options there are`()
      throws
    {
      let path = folder.path("w.gpkg")
      try fill(try AnnotationStore(path), "w", "a,A,37.5,127\n")
      let served = try Watched(URL(filePath: path))
      let junk = try folder.write("junk,x\n1,2\n", to: "junk.csv")
      #expect(rename(junk.path, path) == 0)
      let logged = served.look(3)
      #expect(
        logged.count == 1 && logged[0].contains("w.gpkg is not a store any more"), "\(logged)")
      #expect(served.has(1) && served.health.contains("w.gpkg is not a store any more"))
    }

    @Test func `addresses have the whole name of a layer, and that of a file without endings`()
      throws
    {
      let path = folder.path("w.gpkg")
      let store = try AnnotationStore(path)
      try fill(store, "v1.2", "a,A,37.5,127\n")
      try fill(store, "v1.3", "b,B,37.5,127\n")
      let file = try folder.write(rows(3), to: "shops.min.csv")
      let sources = try WatchedSourceTests.sources(of: [URL(filePath: path), file])
      #expect(sources.map(\.collection.name) == ["v1.2", "v1.3", "shops"])
      let service = NearbyService(
        sources.map(\.collection), clocks: Served.clocks, now: { Served.noon })
      #expect(try service.get("/collections/v1.3/items").ids == ["b"])
      #expect(service.get("/collections/v1.2/items/a").status == 200)
      #expect(service.get("/tiles/v1.2/tilejson.json").text.contains("/tiles/v1.2/{z}/{x}/{y}"))
      #expect(service.get("/tiles/v1.2/10/873/396.mvt").status == 200)
    }
  #endif
}
