import AnnotationImport
import Foundation
import NearbyKit
import PostGISStore

// How long a layer in PostgreSQL takes for its answers, beside the plain SQL: on one server, and with its partitions
// on two others.
//
//     .ci/postgres start /tmp/pg one two
//     swift run -c release --package-path Benchmarks/PostgresSpeed postgres-speed /tmp/pg
//
// Each answer of the first hundred is compared with that of an index in memory.

let folder = CommandLine.arguments.dropFirst().first ?? "/tmp/pg"
let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 300_000

/// Says a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func address(_ server: String) -> String {
  "postgres:///maps?host=\(folder)\(server.isEmpty ? "" : "/" + server)&user=postgres"
}

@discardableResult
func run(_ words: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { fatalError("\(words) failed") }
  return String(decoding: text, as: UTF8.self)
}

func sql(_ text: String, on server: String = "") throws {
  try run(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", address(server), "-c", text])
}

// Korea and the south of Japan.
let box = (south: 33.0, west: 125.0, north: 39.0, east: 137.0)
func anywhere() -> Coordinate {
  guard
    let place = try? Coordinate(
      latitude: .random(in: box.south...box.north), longitude: .random(in: box.west...box.east))
  else { fatalError("the box is on the Earth") }
  return place
}

var lines: [UInt8] = Array("id,kind,lat,lon\n".utf8)
for number in 0..<count {
  let place = anywhere()
  lines += Array(
    "\(number),\(number % 100 == 0 ? "rare" : "common"),\(place.latitude),\(place.longitude)\n".utf8
  )
}
let annotations = try AnnotationImporter().read(lines, named: "speed", format: .csv).annotations
let index = AnnotationIndex(annotations)

let store = try PostGISStore(address(""), connections: 8)
try store.prepare()
try sql(
  "DROP TABLE IF EXISTS nearby_layers.one, nearby_layers.three CASCADE; DELETE FROM nearby.layers")
let one = try store.layer(named: "one", makingIt: true)
let three = try store.layer(named: "three", makingIt: true)
// The first writing makes its tables.
try three.replace(with: [ImportedAnnotation]())
let cells = annotations.compactMap(\.coordinate).map { "\(Geohash($0, precision: 12))" }.sorted()
let bounds = [
  ("here", "0", cells[count / 3]), ("one", cells[count / 3], cells[2 * count / 3]),
  ("two", cells[2 * count / 3], "~"),
]
for (server, low, high) in bounds {
  try sql("SELECT nearby.add_partition('three', '\(low)', '\(high)')")
  guard server != "here" else { continue }
  let other = try PostGISStore(address(server))
  try other.prepare()
  try sql(
    "DROP TABLE IF EXISTS nearby_layers.\"three \(low)\"; SELECT nearby.add_table('three \(low)')",
    on: server)
  try sql("SELECT nearby.move_partition('three', '\(low)', '\(server)')")
}
func timed(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .seconds(1)
}
say(
  "loading \(count): one server \(try timed { try one.replace(with: annotations) }) s, three \(try timed { try three.replace(with: annotations) }) s"
)
try sql("ANALYZE nearby_layers.one")
for server in ["one", "two"] { try sql("ANALYZE", on: server) }

func query(_ kinds: Set<AnnotationKind>?) -> NearbyQuery {
  var query = NearbyQuery(from: anywhere(), limit: 10)
  query.kinds = kinds
  return query
}

for kinds in [nil, ["rare"] as Set<AnnotationKind>] {
  for _ in 0..<100 {
    let query = query(kinds)
    let wanted = try index.answer(query)
    for layer in [one, three] {
      let found = try layer.answer(query)
      precondition(
        found.map(\.id) == wanted.map(\.id) && found.map(\.distance) == wanted.map(\.distance))
    }
  }
}

/// Questions a second by some threads.
func rate(
  _ layer: PostGISLayer, _ kinds: Set<AnnotationKind>?, threads: Int, seconds: Int
) throws -> Double {
  let questions = (0..<threads).map { _ in (0..<2_000).map { _ in query(kinds) } }
  let end = ContinuousClock.now + .seconds(seconds)
  let counts = (0..<threads).map { _ in Counter() }
  DispatchQueue.concurrentPerform(iterations: threads) { thread in
    while ContinuousClock.now < end {
      guard (try? layer.answer(questions[thread][counts[thread].count % 2_000])) != nil else {
        fatalError("a question was not answered")
      }
      counts[thread].count += 1
    }
  }
  return Double(counts.reduce(0) { $0 + $1.count }) / Double(seconds)
}

/// One thread's own.
final class Counter: @unchecked Sendable {
  var count = 0
}

/// Those of the plain SQL by pgbench.
func plain(_ table: String, _ kinds: Set<AnnotationKind>?, threads: Int, seconds: Int) throws
  -> Double
{
  let script = """
    \\set lat random(3300000, 3900000) / 100000.0
    \\set lon random(12500000, 13700000) / 100000.0
    SELECT feature FROM nearby_layers.\(table) WHERE \(kinds == nil ? "size = 0" : "size = 0 AND kind = 'rare'") ORDER BY place <-> ST_Point(:lon, :lat, 4326)::geography LIMIT 10;
    """
  let file = "/tmp/postgres-speed.sql"
  try script.write(toFile: file, atomically: true, encoding: .utf8)
  let programs = try run(["sh", "-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1"])
    .trimmingCharacters(in: .whitespacesAndNewlines)
  let said = try run([
    programs + "/pgbench", "-n", "-M", "prepared", "-c", "\(threads)", "-j", "\(min(2, threads))",
    "-T", "\(seconds)",
    "-f", file, "-h", folder, "-U", "postgres", "maps",
  ])
  let line = said.split(separator: "\n").first { $0.contains("tps") } ?? ""
  return line.split(separator: " ").compactMap { Double($0) }.first ?? .nan
}

/// Runs both layers in all ways.
func report(
  _ name: String,
  _ rate: (_ isThree: Bool, Set<AnnotationKind>?, _ threads: Int) throws -> Double
) rethrows {
  for threads in [1, 4] {
    for kinds in [nil, ["rare"] as Set<AnnotationKind>] {
      for round in 1...2 {
        say(
          "\(name), \(threads) at once, \(kinds == nil ? "any" : "one in a hundred"), round \(round): "
            + "one server \(Int(try rate(false, kinds, threads))) a second, three \(Int(try rate(true, kinds, threads)))"
        )
      }
    }
  }
}

try report("a layer") { try rate($0 ? three : one, $1, threads: $2, seconds: 2) }
// The plain SQL gets the index that it needs.
let rivalsIndexes = """
  DO $$ DECLARE part regclass; BEGIN
    FOR part IN SELECT oid FROM pg_class
      WHERE relnamespace = 'nearby_layers'::regnamespace AND relkind = 'r'
    LOOP
      EXECUTE format('CREATE INDEX ON %s USING gist (place) WHERE size = 0', part);
    END LOOP;
  END $$
  """
for server in ["", "one", "two"] {
  try sql(rivalsIndexes, on: server)
  try sql(server.isEmpty ? "ANALYZE nearby_layers.one" : "ANALYZE", on: server)
}
try report("plain SQL") { try plain($0 ? "three" : "one", $1, threads: $2, seconds: 2) }

// One of the servers hangs for twenty seconds; the answers that it is missing from say so.
let limit = 2_000
let impatient = try PostGISStore(address(""), connections: 4, timeLimit: limit)
let layer = try impatient.layer(named: "three")
let script = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../../.ci/postgres").standardized.path
try run(["bash", script, "pause", folder + "/one"])
var times: [Double] = []
var marked = 0
let end = ContinuousClock.now + .seconds(20)
while ContinuousClock.now < end {
  times.append(try timed { if try layer.answer(query(["rare"])).missing != nil { marked += 1 } })
}
try run(["bash", script, "resume", folder + "/one"])
times.sort()
say(
  "a server hangs: \(times.count) answers, \(marked) of them marked; the longest took \(times.last ?? 0) s with a time limit of \(Double(limit) / 1_000) s, the median \(times[times.count / 2]) s"
)
