import AnnotationImport
import Geodesy
import Geofencing
import MapAnnotations
import Synchronization
import Testing

@testable import NearbyHTTP

@Suite struct StreamTests {
  private func put(_ service: NearbyService, _ number: Int, _ latitude: Double = 37.5) {
    let body = feature("p\(number)", latitude)
    #expect(service.send("PUT", "/collections/shops/items/p\(number)", body).status < 300)
  }

  private func numbers(_ text: String) -> [Int] {
    text.split(separator: "\n").compactMap { $0.hasPrefix("id: ") ? Int($0.dropFirst(4)) : nil }
  }

  @Test func `begin with what there is, and go on with what changes`() throws {
    let service = Served.service(try Served.shops(20), keeper: MemoryKeeper())
    let stream = service.get("/collections/shops/live")
    let snapshot = stream.waiting
    #expect(snapshot.contains("event: snapshot"))
    #expect(snapshot.split(separator: #""type":"Feature""#).count == 21)
    put(service, 1)
    put(service, 2)
    let found = numbers(snapshot + stream.waiting)
    #expect(found.count == 3)
    #expect(found == found.sorted() && Set(found).count == 3)
  }

  @Test func `a client with a filter is told to remove what leaves it`() throws {
    let service = Served.service(try Served.shops(20), keeper: MemoryKeeper())
    let stream = service.listening(to: "/collections/shops/live?bbox=126,38,128,39&snapshot=false")
    put(service, 1, 38.5)
    #expect(stream.waiting.contains(#""upsert":[{"type":"Feature","id":"p1""#))
    put(service, 1, 37.5)
    #expect(stream.waiting.contains(#""upsert":[],"remove":["p1"]"#))
  }

  @Test func `one of several with the same id comes and goes as any other`() throws {
    let head = "id,name,latitude,longitude\n"
    let twice = "a,x,37,127\na,y,38.5,127\n"
    let service = Served.service(try Served.annotations(head + twice + "b,b,37,127\nc,c,37,127\n"))
    let shops = service.collections[0]
    let stream = service.listening()
    let south = service.listening(to: "/collections/shops/live?bbox=126,36,128,37.5&snapshot=false")
    func show(_ rows: String) throws -> (changed: Int, removed: Int) {
      let news = try Served.annotations(head + rows)
      return shops.replace { news }
    }
    #expect(try show(twice + "b,B,37,127\nc,c,37,127\n") == (1, 0))
    #expect(!stream.waiting.contains(#""id":"a""#) && !south.waiting.contains(#""a""#))
    #expect(try show("a,x,37.1,127\na,y,38.5,127\nb,B,37,127\nc,c,37,127\n") == (2, 0))
    #expect(south.waiting.contains(#""remove":[]"#))
    #expect(try show("a,y,38.5,127\nb,B,37,127\nc,c,37,127\n") == (1, 0))
    #expect(try service.get("/collections/shops/items").ids == ["a", "b", "c"])
    #expect(south.waiting.contains(#""upsert":[],"remove":["a"]"#))
    _ = stream.waiting
    #expect(try show("d,d,37,127\n") == (1, 3))
    #expect(stream.waiting.contains(#""remove":["a","b","c"]"#))
  }

  @Test func `where clients can write, the one that is shown of several with the same id changes`()
    throws
  {
    let head = "id,name,latitude,longitude\n"
    let service = Served.service(
      try Served.annotations(head + "a,x,37,127\n"), keeper: MemoryKeeper())
    let south = service.listening(to: "/collections/shops/live?bbox=126,36,128,37.5&snapshot=false")
    let news = try Served.annotations(head + "a,y,37,127\na,z,38.5,127\n")
    #expect(service.collections[0].replace { news } == (1, 0))
    #expect(south.waiting.contains(#""upsert":[],"remove":["a"]"#))
    #expect(try service.get("/collections/shops/items?bbox=126,36,128,37.5").ids.isEmpty)
  }

  @Test func `who comes back gets what was missed, or everything`() throws {
    let service = Served.service(try Served.shops(20), keeper: MemoryKeeper())
    let first = numbers(service.get("/collections/shops/live?snapshot=false").waiting)[0]
    for number in 0..<5 { put(service, number) }
    let missed = service.get("/collections/shops/live", ["last-event-id": "\(first + 2)"]).waiting
    #expect(numbers(missed) == [first + 3, first + 4, first + 5])
    #expect(service.get("/collections/shops/live?since=\(first + 5)").waiting == "")
    for wrong in [first + 6, 3] {
      let again = service.get("/collections/shops/live", ["last-event-id": "\(wrong)"]).waiting
      #expect(again.contains("event: reset") && again.contains("event: snapshot"))
    }
    for number in 0..<2_100 { put(service, number % 7, 37.6 + Double(number) * 1e-5) }
    #expect(
      service.get("/collections/shops/live", ["last-event-id": "\(first + 2)"]).waiting
        .contains("event: reset"))
    #expect(service.get("/collections/shops/diff?since=\(first)").status == 410)
    #expect(service.get("/collections/shops/diff?since=\(first + 2_100)").status == 200)
  }

  @Test func `large changes are kept as far as there is room for them`() throws {
    let feed = LiveFeed(firstNumber: 0)
    let data = [UInt8](repeating: 0x78, count: LiveFeed.sizeKept / 16)
    for _ in 0..<100 { feed.publish("diff", nil, data) }
    // As one is dropped, half of the room is made.
    let kept = (1...99).count { feed.events(behind: $0) != nil }
    #expect((8...16).contains(kept) && feed.events(behind: 99)?.count == 1)
    for _ in 0..<3_000 { feed.publish("diff", nil, []) }
    #expect(feed.events(behind: 2_100)?.count == 1_000)
  }

  @Test func `a client may name the last change by the version of an answer`() throws {
    let service = Served.service(try Served.shops(5), keeper: MemoryKeeper())
    func version(of answer: ServerAnswer) throws -> String {
      try #require(answer.header("x-nearby-version"))
    }
    var since = try version(of: service.get("/collections/shops/items"))
    #expect(
      try service.get("/healthz").member("collections", "shops", "version")?.text == since)
    for number in 1...40 {
      put(service, number)
      let address = "/collections/shops/diff?since=\(since)"
      let diff = service.get(address)
      #expect(diff.text.contains(#""upsert":[{"type":"Feature","id":"p\#(number)""#))
      let live = service.get("/collections/shops/live?since=\(since)").waiting
      #expect(numbers(live).map { "\($0)" } == [try diff.member("last")?.text])
      since = try version(of: diff)
      #expect(service.get("/collections/shops/diff?since=\(since)").text.contains(#""upsert":[]"#))
    }
    // Versions of another start, and of a change to come.
    for gone in ["a.0", since + "z"] {
      let answer = service.get("/collections/shops/diff?since=\(gone)")
      #expect(answer.status == 410 && answer.text.contains("since=\(since)"), "\(gone)")
      let live = service.get("/collections/shops/live?since=\(gone)").waiting
      #expect(live.contains("event: reset") && live.contains("event: snapshot"))
    }
  }

  @Test func `the version of a diff is that which its changes reach, also while more come`()
    async throws
  {
    // Large changes, so that their events take a while to write.
    let before = try Served.shops(1_000)
    let after = try Served.shops(1_000, seed: 2)
    let service = Served.service(before)
    let shops = service.collections[0]
    let changes = 20
    let last = shops.feed.last + changes
    let writing = Task.detached {
      for round in 0..<changes {
        _ = shops.replace { round.isMultiple(of: 2) ? after : before }
      }
    }
    var since = shops.state.tag
    var known = 0
    repeat {
      let diff = service.get("/collections/shops/diff?since=\(since)")
      since = try #require(diff.header("x-nearby-version"), "\(diff.text)")
      known = try #require(shops.change(named: since))
      #expect(try diff.member("last")?.text == "\(known)")
      // The feed knows each version that is shown.
      #expect(shops.feed.events(behind: shops.change(to: shops.state)) != nil)
      await Task.yield()
    } while known < last
    await writing.value
    #expect(known == last)
  }

  @Test func `a client that does not read misses events, and each is counted`() throws {
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
    let slow = service.get("/collections/shops/live?snapshot=false")
    let quick = service.get("/collections/shops/live?snapshot=false")
    let count = EventStream.longestQueue + 57
    var heard = 0
    for number in 0..<count {
      put(service, number % 5, 37.5 + Double(number) * 1e-5)
      heard += quick.waiting.split(separator: "event: diff").count - 1
    }
    #expect(heard == count - 1 || heard == count)
    let told = slow.waiting
    #expect(told.split(separator: "event: diff").count - 1 == EventStream.longestQueue)
    #expect(told.hasSuffix("event: dropped\ndata: {\"count\":57}\n\n"))
    #expect(service.collections[0].feed.counts.dropped == 57)
    #expect(
      service.get("/metrics").text.contains("nearby_events_dropped_total{collection=\"shops\"} 57"))
  }

  @Test func `streams end with a word, and are no more than allowed`() throws {
    var limits = ServerLimits()
    limits.streams = 2
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper(), limits: limits)
    let streams = (0..<2).map { _ in service.get("/collections/shops/live?snapshot=false") }
    let third = service.get("/collections/shops/live")
    #expect(third.status == 503 && third.code == "stream-limit")
    #expect(third.header("retry-after") == "30")
    if case .events(let stream) = streams[0].body { stream.cancel() }
    #expect(streams[0].waiting == "END")
    #expect(service.get("/collections/shops/live").status == 200)
    _ = streams[1].waiting
    service.close()
    #expect(streams[1].waiting == "event: bye\ndata: {}\n\n")
    #expect(streams[1].waiting == "END")
  }

  @Test func `fences tell who enters, leaves, crosses and stays`() throws {
    let now = Mutex(Served.noon)
    let fences = try Served.hall(dwell: 60)
    let service = Served.service(
      try Served.shops(3), keeper: MemoryKeeper(), fences: fences, now: { now.withLock { $0 } })
    let stream = service.get("/fences/hall/events")
    #expect(service.get("/fences/other/events").status == 404)
    _ = stream.waiting
    func step(_ latitude: Double) -> String {
      now.withLock { $0 = $0.advanced(by: .seconds(10)) }
      put(service, 1, latitude)
      return stream.waiting
    }
    #expect(step(37.4) == "")
    #expect(step(37.5).contains("event: enter"))
    now.withLock { $0 = $0.advanced(by: .seconds(100)) }
    service.advance()
    #expect(stream.waiting.contains("event: dwell"))
    #expect(step(37.6).contains("event: exit"))
    #expect(step(37.4).contains("event: cross"))
  }

  @Test func `a client that knows more than there was reads everything again, also at fences`()
    throws
  {
    let service = Served.service(
      try Served.shops(3), keeper: MemoryKeeper(), fences: try Served.hall())
    for path in ["/fences/hall/events", "/collections/shops/live"] {
      #expect(!service.get(path).waiting.contains("event: reset"))
      for number in ["\(Int.max)", "99999999999999999999"] {
        let told = service.get(path, ["last-event-id": number]).waiting
        #expect(told.contains("event: reset"), "\(path) \(number)")
      }
    }
  }

  @Test func `fences do not confuse collections and ids with slashes`() throws {
    let now = Mutex(Served.noon)
    let fences = try Served.hall(dwell: 60)
    let service = NearbyService(
      try ["a", "a/b"].map { name in
        ServedCollection(
          name: name, title: name, try Served.shops(3), keeper: MemoryKeeper(), began: Served.noon)
      }, fences: fences, clocks: Served.clocks, token: Served.token,
      now: { now.withLock { $0 } })
    let stream = service.listening(to: "/fences/hall/events")
    func put(_ path: String, _ id: String, _ latitude: Double) -> String {
      now.withLock { $0 = $0.advanced(by: .seconds(10)) }
      #expect(service.send("PUT", path, feature(id, latitude)).status < 300)
      return stream.waiting
    }
    // Each is new in its collection, and the second one no move of the first.
    #expect(put("/collections/a/items/b%2Fv", "b/v", 37.4) == "")
    let entered = put("/collections/a%2Fb/items/v", "v", 37.5)
    #expect(entered.contains(#""collection":"a/b","id":"v""#) && entered.contains("event: enter"))
    now.withLock { $0 = $0.advanced(by: .seconds(100)) }
    service.advance()
    let stayed = stream.waiting
    #expect(stayed.contains(#""collection":"a/b","id":"v""#) && stayed.contains("event: dwell"))
    #expect(put("/collections/a/items/b%2Fv", "b/v", 37.39) == "")
  }

  @Test func `fences know where annotations were before anybody moved them`() throws {
    let fences = try Served.hall()
    let service = Served.service(
      try Served.annotations("id,name,latitude,longitude\nin,a,37.5,127\nout,b,37.9,127\n"),
      keeper: MemoryKeeper(), fences: fences)
    let stream = service.listening(to: "/fences/hall/events")
    func heard(_ method: String, _ id: String, _ latitude: Double = 0) -> String {
      let body = method == "PUT" ? feature(id, latitude) : ""
      #expect(service.send(method, "/collections/shops/items/\(id)", body).status < 300)
      return stream.waiting
    }
    func told(_ method: String, _ id: String, _ latitude: Double = 0) -> [String] {
      heard(method, id, latitude).split(separator: "\n").filter { $0.hasPrefix("event: ") }
        .map { String($0.dropFirst(7)) }
    }
    // Since when it was there is not known, and so not how long.
    let left = heard("PUT", "in", 37.9)
    #expect(left.contains("event: exit\n") && left.contains(#""outside by "#), "\(left)")
    #expect(!left.contains("after "), "\(left)")
    #expect(told("PUT", "out", 37.5) == ["enter"])
    #expect(told("DELETE", "out") == ["exit"])
    #expect(told("PUT", "out", 37.5) == ["enter"])
    #expect(told("DELETE", "in") == [])
  }

  @Test(arguments: [FencePolicy.Confirmation.fixes(2), .seconds(10)])
  func `what was in a fence from the beginning never enters, and its exit says no time`(
    _ entry: FencePolicy.Confirmation
  ) throws {
    let now = Mutex(Served.noon)
    let service = Served.service(
      try Served.annotations("id,name,latitude,longitude\nin,a,37.5,127\n"),
      keeper: MemoryKeeper(), fences: try Served.hall(entry: entry),
      now: { now.withLock { $0 } })
    let stream = service.listening(to: "/fences/hall/events")
    func heard(_ latitude: Double) -> String {
      now.withLock { $0 = $0.advanced(by: .seconds(20)) }
      #expect(
        service.send("PUT", "/collections/shops/items/in", feature("in", latitude)).status < 300)
      return stream.waiting
    }
    for latitude in [37.5001, 37.5002, 37.5003] { #expect(!heard(latitude).contains("event: ")) }
    let left = heard(37.9)
    #expect(left.contains("event: exit\n") && !left.contains("after "), "\(left)")
  }

  @Test func `fences of one id share a stream, and each event names its fence`() throws {
    let fences = ServedFences(
      try [("north", 38.0), ("south", 37.0)].map { name, latitude in
        try Fence(
          id: "hall", name: name, center: Coordinate(latitude: latitude, longitude: 127),
          radius: .kilometers(1))
      }, began: Served.noon)
    let service = Served.service(try Served.shops(3), keeper: MemoryKeeper(), fences: fences)
    let stream = service.listening(to: "/fences/hall/events")
    put(service, 1, 38)
    #expect(stream.waiting.contains(#""fence":"hall","name":"north","#))
    put(service, 2, 37)
    #expect(stream.waiting.contains(#""fence":"hall","name":"south","#))
    let metrics = service.get("/metrics").text
    #expect(metrics.split(separator: #"nearby_listeners{fence="hall"}"#).count == 2)
  }

  @Test func `many tasks ask and write at once, and each sees a whole state`() async throws {
    let service = Served.service(try Served.shops(200), keeper: MemoryKeeper())
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for turn in 0..<60 {
            switch task {
            case 0:
              let feature =
                #"{"type":"Feature","id":"w","geometry":{"type":"Point","coordinates":[127,37.\#(turn % 9)]},"properties":{}}"#
              #expect(service.send("PUT", "/collections/shops/items/w", feature).status < 300)
            case 1:
              service.collections[0].replace {
                (try? Served.shops(200 - turn % 3)) ?? ImportedAnnotations(joining: [])
              }
            case 2:
              #expect(service.get("/collections/shops/nearest?lat=37.5&lon=127&k=5").status == 200)
            case 3: #expect(service.get("/tiles/shops/9/436/198.mvt").status < 300)
            case 4:
              let stream = service.get("/collections/shops/live?snapshot=false")
              _ = stream.waiting
              if case .events(let events) = stream.body { events.cancel() }
            default:
              #expect(service.get("/collections/shops/items?filter=rating%20%3E%202").status == 200)
            }
          }
        }
      }
    }
    #expect(service.get("/healthz").status == 200)
  }
}
