import ArgumentParser
import Complaints
import Foundation
import NearbyKit
import Stopwatches

/// Times the index beside its rivals, and checks the first thousand answers of each row.
@main
struct SpatialBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spatial-benchmark",
    abstract: "Time the index beside its rivals; the first 1,000 answers of each row are checked.",
    discussion: """
      A figure is the best of the rounds. In each round every engine takes its turn at every \
      operation, so that a slow minute slows all of them. Wrong answers are named and end the \
      program with status 1.
      """)

  @Option(
    name: .customLong("data"),
    help: "A folder with a data set; several give a chart against their sizes.")
  var folders: [String] = []

  @Option(help: "Only these operations: whole names, or a part of one, with commas.")
  var only: String?

  @Option(help: "Only these engines: whole names, or a part of one, with commas.")
  var peers: String?

  @Option(help: "The unix socket of a Redis server to take part.")
  var redis: String?

  @Option(
    name: .customLong("postgis"),
    help: "A PostgreSQL server with PostGIS to take part, as libpq names it: 'host=/tmp dbname=x'.")
  var postGIS: String?

  @Option(help: "How many rounds.")
  var rounds = 5

  @Option(help: "The seconds that one operation may take in one round.")
  var budget = 1.0

  @Flag(help: "Take processor time instead of the clock's, on a machine that others use, too.")
  var processorTime = false

  @Flag(help: "Print peer,n,op,ns_per_op,checksum instead of tables.")
  var csv = false

  @Option(help: "Write the tables to this file, too.")
  var markdown: String?

  @Option(help: "Draw time against size to this file.")
  var svg: String?

  @Flag(help: "List engines and operations, and do nothing.")
  var list = false

  @Flag(
    help:
      "Time single pieces: kernels of the tree, geohash, geodesic, gate, outline, opening hours.")
  var micro = false

  @Option(help: "With --micro: test positions with the polygons of this GeoJSON.")
  var outline: String?

  @Option(
    name: .customLong("hours"),
    help: "With --micro: a file of JSON rows with opening hours as values, such as realworld.jsonl."
  )
  var hoursFile: String?

  @Flag(
    help: """
      Let the points of --data move, in batches of 1,000, while another thread asks; with --redis, \
      beside GEOADD.
      """)
  var live = false

  @Option(
    help: """
      Make a data set in the folder of --data: w1e5, w1e6, w1e7, kj1e6 or any size so written, \
      or the path of a file with real places.
      """)
  var generate: String?

  /// Ends with the status of what went wrong.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var waiting = command as? any AsyncParsableCommand {
        try await waiting.run()
      } else {
        try command.run()
      }
    } catch let complaint as Complaint {
      complaint.end()
    } catch {
      exit(withError: error)
    }
  }

  func validate() throws {
    if rounds < 1 { throw ValidationError("--rounds \(rounds) is too few; give 1 or more") }
    if !(budget > 0) { throw ValidationError("--budget \(budget) is too little; give more than 0") }
    if budget > 86_400 {
      throw ValidationError("--budget \(budget) is more than a day; give fewer seconds")
    }
    if generate != nil, folders.count != 1 {
      throw ValidationError("--generate needs one --data FOLDER to write to")
    }
    if live, folders.isEmpty { throw ValidationError("--live needs points to move: --data FOLDER") }
    if processorTime, redis != nil || postGIS != nil {
      throw ValidationError("a server's processor time is not seen; leave out --processor-time")
    }
    if !micro, outline != nil || hoursFile != nil {
      throw ValidationError("--outline and --hours are for --micro; say that, too")
    }
    if live, postGIS != nil {
      throw ValidationError("--live knows Redis only; leave out --postgis")
    }
    if redis != nil || postGIS != nil, folders.isEmpty {
      throw ValidationError("a server needs points to hold: --data FOLDER")
    }
    if markdown != nil || svg != nil, folders.isEmpty || live || generate != nil {
      throw ValidationError("--markdown and --svg are for the tables of --data FOLDER")
    }
    if folders.isEmpty, !list, !micro {
      throw ValidationError("name a data set: --data FOLDER (--generate w1e6 makes one there)")
    }
  }

  func run() async throws {
    let kinds = try selection(peers, of: kinds, named: "engine", by: \.name)
    let operations = try selection(only, of: Suite.rowNames, named: "operation", by: \.self)
    if list { return printList(kinds, operations) }
    if micro {
      try MicroBenchmarks(
        rounds: rounds, hoursFile: hoursFile, stopwatch: stopwatch,
        outline: try outline.map(region), print: { print($0) }
      ).run()
    }
    if live {
      note(Machine.text)
      for folder in folders {
        let benchmark = LiveBenchmark(
          data: try DataSet(folder: folder), socket: redis, rounds: rounds, report: note)
        try benchmark.run().forEach { print($0) }
      }
      return note("at the end: \(Machine.load ?? "load unknown")")
    }
    if let generate { return try DataSetWriter(source: generate, report: note).write(folders[0]) }

    // What would be missed after an hour is looked for first.
    for file in [markdown, svg].compactMap(\.self) { try check(writable: file) }
    for kind in kinds { try kind.reach() }
    note(Machine.text)
    if !ForeignKind.hasNative {
      note(
        "without the rivals of -O3 -march=native; `swift build -c release --product NativePeers` makes them"
      )
    }
    var results: [Suite.Result] = []
    for folder in folders {
      let suite = Suite(
        data: try DataSet(folder: folder), kinds: kinds, operations: Set(operations),
        rounds: rounds, budget: budget, stopwatch: stopwatch, report: note)
      let result = try await suite.run()
      print(csv ? CSVReport(result: result).text : TextReport(result: result).text, terminator: "")
      results.append(result)
    }
    note("at the end: \(Machine.load ?? "load unknown")")
    if !folders.isEmpty, results.allSatisfy(\.rows.isEmpty) {
      throw Complaint(
        "none of the chosen engines does any of the chosen operations; see --list", .usage)
    }
    if let markdown {
      let tables = results.map { MarkdownReport(result: $0).text }
      try write(([Machine.text + "\n"] + tables).joined(separator: "\n"), markdown)
    }
    if let svg { try write(Chart(results: results).svg, svg) }
    try failIfWrong(results)
  }

  /// The polygons of a GeoJSON file.
  private func region(_ path: String) throws -> Region {
    let bytes = [UInt8](try contents(of: path))
    var polygons: [Polygon] = []
    do {
      for feature in try GeoJSONReader().features(in: bytes) {
        for rings in feature.geometry?.polygons ?? [] where !rings.isEmpty {
          let rings = try rings.map { ring in
            try ring.map { try PolygonVertex(latitude: $0.latitude, longitude: $0.longitude) }
          }
          polygons.append(try Polygon(outer: rings[0], holes: Array(rings.dropFirst())))
        }
      }
    } catch {
      throw Complaint("\(path): \(error)", .badData)
    }
    guard !polygons.isEmpty else {
      throw Complaint("\(path) holds no polygon; name a GeoJSON file with one", .badData)
    }
    return Region(name: path, polygons: polygons)
  }

  private var stopwatch: Stopwatch { processorTime ? .processor : .clock }

  /// All engines in the order of the tables.
  private var kinds: [any PeerKind] {
    var servers: [any PeerKind] = redis.map { [RedisKind(socket: $0)] } ?? []
    if let postGIS {
      servers += [
        PostGISKind(connection: postGIS, column: .geography),
        PostGISKind(connection: postGIS, column: .geometry),
      ]
    }
    return NearbyKind.all + ForeignKind.all + servers
  }

  /// Takes what a list names: whole names first, and where there is no such, parts of names.
  private func selection<Item>(
    _ list: String?, of items: [Item], named what: String, by name: (Item) -> String
  ) throws -> [Item] {
    guard let list else { return items }
    var chosen: Set<String> = []
    let wanted = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard wanted.contains(where: { !$0.isEmpty }) else {
      throw ValidationError("\"\(list)\" names no \(what); see --list")
    }
    for wanted in wanted where !wanted.isEmpty {
      let whole = items.map(name).filter { $0 == wanted }
      let parts = items.map(name).filter { $0.contains(wanted) }
      if parts.isEmpty { throw ValidationError("no \(what) is called \(wanted); see --list") }
      chosen.formUnion(whole.isEmpty ? parts : whole)
    }
    return items.filter { chosen.contains(name($0)) }
  }

  private func printList(_ kinds: [any PeerKind], _ operations: [String]) {
    for kind in kinds {
      print("\(kind.name) \(kind.version), \(kind.measure.rawValue): \(kind.settings)")
    }
    print("\n" + operations.joined(separator: "\n"))
  }

  private func failIfWrong(_ results: [Suite.Result]) throws {
    var isWrong = false
    for result in results {
      for row in result.rows {
        guard case .wrong(let why) = row.verdict else { continue }
        note("\(result.data.name): \(row.peer) is wrong at \(row.name): \(why)")
        isWrong = true
      }
    }
    if isWrong { throw ExitCode(1) }
  }

  private func write(_ text: String, _ path: String) throws {
    do {
      try text.write(to: URL(filePath: path), atomically: true, encoding: .utf8)
    } catch {
      throw Complaint("cannot write \(path); choose another place", .cannotWrite)
    }
  }

  /// Refuses a place where nothing can be written.
  private func check(writable path: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard !isFolder.boolValue, access(folder, W_OK) == 0, !exists || access(path, W_OK) == 0 else {
      throw Complaint("cannot write \(path); choose another place", .cannotWrite)
    }
  }
}

/// What goes on is told apart from the results.
private func note(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
