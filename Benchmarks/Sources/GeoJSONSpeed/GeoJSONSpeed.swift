import Foundation
import GeoJSONCoding
import MapAnnotations

/// How fast GeoJSON is read and written, beside Foundation: `geojson-speed FILE [ROUNDS]`.
///
/// Prints the best of the rounds, in which the sides take turns, in MB/s (10⁶ bytes a second). What
/// each has read is checked: features counted, longitudes added up, and what was written read again.
@main
struct GeoJSONSpeed {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else {
      print("usage: geojson-speed FILE [ROUNDS] [--no-foundation]")
      exit(64)
    }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: arguments[1])))
    let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 5 : 5
    let asksFoundation = !arguments.contains("--no-foundation")
    var best: [String: Double] = [:]
    var digests: [String: Digest] = [:]
    func time(_ name: String, _ body: () throws -> Digest) rethrows {
      let clock = ContinuousClock()
      let start = clock.now
      let digest = try body()
      let (seconds, attoseconds) = (clock.now - start).components
      let duration = Double(seconds) + Double(attoseconds) * 1e-18
      best[name] = min(best[name] ?? .infinity, duration)
      digests[name] = digest
    }
    var features: [Feature] = []
    features.reserveCapacity(1_000_000)
    try GeoJSONReader().read(bytes) { record in
      if case .success(let feature) = record.feature { features.append(feature) }
      return .readOn
    }
    for round in 0..<rounds {
      try time("read") { try read(bytes) }
      try time("scan") { try scan(bytes) }
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
    for name in best.keys.sorted() {
      let count = digests[name]?.bytes ?? 0
      let speed = Double(count) / (best[name] ?? .infinity) / 1e6
      print("\(name): \(Int(speed)) MB/s, \(digests[name].map { "\($0)" } ?? "")")
    }
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

  /// As the importer reads: everything checked, properties looked at when they are asked for.
  private static func scan(_ bytes: [UInt8]) throws -> Digest {
    var digest = Digest(bytes: bytes.count)
    try bytes.withUnsafeBufferPointer { buffer in
      _ = try GeoJSONReader().scan(buffer) { record in
        if case .success(let feature) = record.feature {
          digest.count += 1
          if case .point(let position)? = feature.geometry { digest.sum += position.longitude }
        }
        return .readOn
      }
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
