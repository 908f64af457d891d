import Complaints
import Foundation
import NearbyKit
import Stopwatches

/// How fast GeoJSON is read and written, beside Foundation and GDAL: `geojson-speed FILE [ROUNDS]`.
///
/// Prints the best of the rounds, in which the sides take turns, in MB/s (10⁶ bytes in a second of
/// processor time, so that others on the machine matter less). What each has read is checked:
/// features counted, longitudes added up, and what was written read again.
///
/// GDAL reads with `ogrinfo -al -so`, which goes through all features; it writes with `ogr2ogr`, from
/// a GeoPackage, less the time in which it reads that into memory.
@main
struct GeoJSONSpeed {
  static func main() {
    let usage = "usage: geojson-speed FILE [ROUNDS] [--no-foundation] [--gdal]"
    Complaint.ending(usage) { arguments in
      let words = try arguments.operands(1...2, flags: ["--no-foundation", "--gdal"])
      let rounds = try arguments.number(
        words.dropFirst().first, in: 1...1_000, named: "rounds", standard: 5)
      try run(
        words[0], [UInt8](try contents(of: words[0])), rounds,
        asksFoundation: !arguments.words.contains("--no-foundation"),
        asksGDAL: arguments.words.contains("--gdal"))
    }
  }

  private static func run(
    _ file: String, _ bytes: [UInt8], _ rounds: Int, asksFoundation: Bool, asksGDAL: Bool
  ) throws {
    var best: [String: Double] = [:]
    var digests: [String: Digest] = [:]
    func time(_ name: String, _ body: () throws -> Digest) rethrows {
      let start = Stopwatch.processor.seconds
      let digest = try body()
      let duration = Stopwatch.processor.seconds(since: start)
      best[name] = min(best[name] ?? .infinity, duration)
      digests[name] = digest
    }
    var features: [Feature] = []
    features.reserveCapacity(1_000_000)
    do {
      try GeoJSONReader().read(bytes) { record in
        if case .success(let feature) = record.feature { features.append(feature) }
        return .readOn
      }
    } catch {
      throw Complaint("\(file): \(error)", .badData)
    }
    guard !features.isEmpty else {
      throw Complaint("\(file) holds no feature that can be read; name a GeoJSON file", .badData)
    }
    for round in 0..<rounds {
      try time("read") { try read(bytes) }
      var written: [UInt8] = []
      time("write") {
        written = GeoJSONWriter.bytes(of: features)
        return Digest(count: features.count, sum: 0, bytes: written.count)
      }
      if round == 0 {
        print("written \(written.count) bytes, which read as \(try read(written))")
      }
      if asksFoundation, round < 2 { try time("JSONSerialization") { try readByFoundation(bytes) } }
    }
    if asksGDAL {
      for (name, seconds) in try gdal(file, rounds) {
        best[name] = seconds
        digests[name] = Digest(bytes: bytes.count)
      }
    }
    for name in best.keys.sorted() {
      let count = digests[name]?.bytes ?? 0
      let speed = Double(count) / (best[name] ?? .infinity) / 1e6
      print("\(name): \(Int(speed)) MB/s, \(digests[name].map { "\($0)" } ?? "")")
    }
  }

  /// The processor time that GDAL's programs take to read and to write the file.
  private static func gdal(_ file: String, _ rounds: Int) throws -> [String: Double] {
    let package = FileManager.default.temporaryDirectory.appending(
      path: "geojson-speed-\(getpid()).gpkg"
    ).path
    defer { try? FileManager.default.removeItem(atPath: package) }
    _ = try seconds(of: ["ogr2ogr", "-f", "GPKG", package, file])
    func best(_ command: [String]) throws -> Double {
      try (0..<rounds).map { _ in try seconds(of: command) }.min() ?? .infinity
    }
    return [
      "ogrinfo reads": try best(["ogrinfo", "-ro", "-al", "-so", file]),
      "ogr2ogr writes": try best(["ogr2ogr", "-f", "GeoJSON", "/vsistdout/", package])
        - best(["ogr2ogr", "-f", "Memory", "none", package]),
    ]
  }

  /// The processor time of a program, its output thrown away.
  private static func seconds(of command: [String]) throws -> Double {
    func children() -> Double {
      var usage = rusage()
      getrusage(-1, &usage)  // RUSAGE_CHILDREN, which has another type on every system.
      return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
    }
    let start = children()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Complaint(
        "\(command[0]) ended with status \(process.terminationStatus); is gdal-bin installed?",
        .unavailable)
    }
    return children() - start
  }

  private struct Digest: CustomStringConvertible {
    var count = 0
    var sum = 0.0
    var bytes = 0

    var description: String { "\(count) features, longitudes add up to \(sum)" }
  }

  private static func read(_ bytes: [UInt8]) throws -> Digest {
    var digest = Digest(bytes: bytes.count)
    try GeoJSONReader().read(bytes) { record in
      if case .success(let feature) = record.feature {
        digest.count += 1
        if case .point(let position)? = feature.geometry { digest.sum += position.longitude }
      }
      return .readOn
    }
    return digest
  }

  private static func readByFoundation(_ bytes: [UInt8]) throws -> Digest {
    var digest = Digest(bytes: bytes.count)
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    for feature in object?["features"] as? [[String: Any]] ?? [] {
      digest.count += 1
      let geometry = feature["geometry"] as? [String: Any]
      if let coordinates = geometry?["coordinates"] as? [Double] { digest.sum += coordinates[0] }
    }
    return digest
  }
}
