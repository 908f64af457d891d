import Complaints
import Foundation
import NearbyKit
import SeededNumbers
import Stopwatches
import Synchronization

/// Points that move, in batches of 1,000, while another thread asks for the ten nearest; by turns
/// with the same moves by Redis.
///
/// Of each turn the clock and the processor time of the thread that works are taken: on a machine
/// that others use only the latter says what the work costs. Redis says itself what it used.
struct LiveBenchmark {
  let data: DataSet
  /// Of a Redis server; nil for none.
  let socket: String?
  let rounds: Int
  let report: (String) -> Void

  /// How many batches a turn has.
  private static let batchCount = 200
  private static let batchSize = 1_000
  /// Degrees that a move takes at most, each way: 400 m.
  private static let step = 0.0036
  private static let questionCount = 1_000

  private struct Figure {
    let name: String
    var clock: [Double] = []
    var processor: [Double] = []
  }

  /// Lines of figures.
  ///
  /// - Throws: What Redis says.
  func run() throws -> [String] {
    try socket.map { try RedisKind(socket: $0).reach() }
    report("\(data.name): building")
    var world = MovingWorld(data)
    let index = LiveIndex(
      world.places.enumerated().map { LiveObject(id: UInt64($0.offset), at: $0.element) })
    let still = KDTreeIndex(world.places)
    let server = try socket.map { try MovingRedis(socket: $0, places: world.places) }

    var alone = Figure(name: "move, nobody asks"), asked = Figure(name: "move, another thread asks")
    var redis = Figure(name: "move, Redis GEOADD, 1,000 in a command")
    var questions = LiveQuestions(still: [], live: [])
    for round in 0..<rounds {
      report("\(data.name): round \(round + 1) of \(rounds)")
      for isAsked in [false, true] {
        let moves = (0..<Self.batchCount).map { _ in world.moves(Self.batchSize, upTo: Self.step) }
        let batches = moves.map { $0.map { LiveChange.put($0) } }
        let asker = isAsked ? LiveAsker(index, still, data.origins) : nil
        let start = (Stopwatch.clock.seconds, Stopwatch.thread.seconds)
        for batch in batches { index.apply(batch) }
        let end = (Stopwatch.clock.seconds, Stopwatch.thread.seconds)
        asker.map { questions += $0.finish() }
        let scale = 1e9 / Double(Self.batchCount * Self.batchSize)
        if isAsked {
          asked.clock.append((end.0 - start.0) * scale)
          asked.processor.append((end.1 - start.1) * scale)
        } else {
          alone.clock.append((end.0 - start.0) * scale)
          alone.processor.append((end.1 - start.1) * scale)
        }
        if let server {
          let taken = try server.apply(moves)
          redis.clock.append(taken.clock)
          redis.processor.append(taken.processor)
        }
      }
    }
    check(index.snapshot, world.places)
    try server?.forget()

    var figures = [alone, asked]
    if server != nil { figures.append(redis) }
    var lines = figures.map { figure in
      "\(figure.name): \(text(figure.clock)) by the clock, \(text(figure.processor)) of the processor"
    }
    let live = median(questions.live), still10 = median(questions.still)
    lines.append(
      "ids of the ten nearest, in the thread that asks: \(Figures.number(live)) ns live, "
        + "\(Figures.number(still10)) ns still, median; \(Figures.ratio(live / still10))")
    if server != nil {
      lines.append(
        "Redis takes \(ratio(redis.clock, alone.clock)) the time of the clock, and "
          + "\(ratio(redis.clock, asked.clock)) while another thread asks; "
          + "\(ratio(redis.processor, alone.processor)) and "
          + "\(ratio(redis.processor, asked.processor)) the processor's (medians)")
    }
    return lines
  }

  private func ratio(_ one: [Double], _ other: [Double]) -> String {
    Figures.ratio(median(one) / median(other))
  }

  private func text(_ samples: [Double]) -> String {
    "\(Figures.number(samples.min() ?? .nan)) ns, median \(Figures.number(median(samples)))"
  }

  private func median(_ samples: [Double]) -> Double {
    let sorted = samples.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  /// Compares answers with those of an index of the places where everything has come to.
  private func check(_ snapshot: LiveSnapshot, _ places: [Coordinate]) {
    let index = KDTreeIndex(places)
    precondition(snapshot.count == places.count, "\(snapshot.count) objects of \(places.count)")
    var buffer = QueryBuffer()
    var ids: [UInt64] = []
    for origin in data.origins.prefix(Self.questionCount) {
      index.findNearest(10, to: origin, into: &buffer)
      snapshot.findNearest(10, to: origin, into: &ids)
      precondition(
        ids == buffer.positions.map { UInt64($0) }, "the live index is wrong round \(origin)")
    }
  }
}

/// Where everything is.
private struct MovingWorld {
  private(set) var places: [Coordinate]
  private var generator = SplitMix64(seed: 44)

  init(_ data: DataSet) { places = (0..<data.count).map { data.position($0) } }

  /// Moves some, chosen by chance.
  mutating func moves(_ count: Int, upTo step: Double) -> [LiveObject] {
    (0..<count).map { _ in
      let id = generator.below(places.count)
      let place = places[id]
      let north = (2 * generator.unit() - 1) * step, east = (2 * generator.unit() - 1) * step
      // Who would leave the map stays.
      places[id] =
        (try? Coordinate(latitude: place.latitude + north, longitude: place.longitude + east))
        ?? place
      return LiveObject(id: UInt64(id), at: places[id])
    }
  }
}

/// What questions took, in nanoseconds, by turns.
private struct LiveQuestions: Sendable {
  var still: [Double]
  var live: [Double]

  static func += (all: inout LiveQuestions, more: LiveQuestions) {
    all.still += more.still
    all.live += more.live
  }
}

/// A thread that asks, the moving and the still index by turns, until it is told to finish.
private final class LiveAsker: Sendable {
  private let isDone = Atomic(false)
  private let result = Mutex<LiveQuestions?>(nil)
  private let ended = DispatchSemaphore(value: 0)
  private static let turn = 64

  init(_ index: LiveIndex, _ still: KDTreeIndex, _ origins: [Coordinate]) {
    Thread.detachNewThread { self.ask(index, still, origins) }
  }

  func finish() -> LiveQuestions {
    isDone.store(true, ordering: .releasing)
    ended.wait()
    return result.withLock { $0 } ?? LiveQuestions(still: [], live: [])
  }

  private func ask(_ index: LiveIndex, _ still: KDTreeIndex, _ origins: [Coordinate]) {
    var questions = LiveQuestions(still: [], live: [])
    var buffer = QueryBuffer()
    var ids: [UInt64] = []
    var place = 0, found = 0
    while !isDone.load(ordering: .acquiring) {
      let start = Stopwatch.thread.seconds
      for offset in 0..<LiveAsker.turn {
        still.findNearest(10, to: origins[(place + offset) % origins.count], into: &buffer)
        found &+= buffer.positions.count
      }
      let middle = Stopwatch.thread.seconds
      for offset in 0..<LiveAsker.turn {
        index.snapshot.findNearest(
          10, to: origins[(place + offset + LiveAsker.turn) % origins.count], into: &ids)
        found &+= ids.count
      }
      let end = Stopwatch.thread.seconds
      questions.still.append((middle - start) * 1e9 / Double(LiveAsker.turn))
      questions.live.append((end - middle) * 1e9 / Double(LiveAsker.turn))
      place += 2 * LiveAsker.turn
    }
    precondition(found >= 0, "\(found) found")
    result.withLock { [questions] in $0 = questions }
    ended.signal()
  }
}

/// The same world in a Redis server.
private final class MovingRedis {
  private let connection: RespConnection
  private static let key = "nearby-benchmark-live"
  private static let greatestLatitude = 85.05

  init(socket: String, places: [Coordinate]) throws {
    connection = try RespConnection(socket: socket)
    try forget()
    for start in stride(from: 0, to: places.count, by: 500) {
      var command = ["GEOADD", MovingRedis.key]
      for id in start..<min(start + 500, places.count) { command += triple(id, places[id]) }
      if command.count > 2 { try connection.send(command); _ = try connection.receiveNumber() }
    }
  }

  func forget() throws {
    try connection.send(["DEL", MovingRedis.key])
    _ = try connection.receiveNumber()
  }

  /// Nothing where Redis has no cells.
  private func triple(_ id: Int, _ place: Coordinate) -> [String] {
    abs(place.latitude) <= MovingRedis.greatestLatitude
      ? ["\(place.longitude)", "\(place.latitude)", "\(id)"] : []
  }

  /// Nanoseconds a move, of the clock and of the server's processor time; what is sent is made before.
  func apply(_ batches: [[LiveObject]]) throws -> (clock: Double, processor: Double) {
    var count = 0
    let commands = batches.map { batch in
      let triples = batch.map { triple(Int($0.id), $0.coordinate) }.filter { !$0.isEmpty }
      count += triples.count
      return RespConnection.bytes(of: ["GEOADD", MovingRedis.key] + triples.joined())
    }
    let before = try processorSeconds()
    let start = Stopwatch.clock.seconds
    for command in commands {
      try connection.send(command)
      _ = try connection.receiveNumber()
    }
    let seconds = Stopwatch.clock.seconds(since: start)
    let scale = 1e9 / Double(count)
    return (seconds * scale, (try processorSeconds() - before) * scale)
  }

  private func processorSeconds() throws -> Double {
    let reply = try connection.ask(["INFO", "cpu"])
    guard case .text(let info) = reply else {
      throw Complaint("the Redis server says \(reply) when asked for INFO cpu", .unavailable)
    }
    let parts = String(decoding: info, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix("used_cpu_user:") || $0.hasPrefix("used_cpu_sys:") }
      .compactMap { Double($0.drop { $0 != ":" }.dropFirst()) }
    guard parts.count == 2 else {
      throw Complaint("the Redis server does not say what processor time it used", .unavailable)
    }
    return parts[0] + parts[1]
  }
}
