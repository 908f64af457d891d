import Complaints
import Foundation

/// Redis and its GEOSEARCH, over a unix socket: what a service has at hand.
///
/// It keeps positions as 52-bit geohashes, measures on a sphere of its own, and holds nothing
/// beyond ±85.05°; so its answers are compared with the geodesic's, not judged.
struct RedisKind: PeerKind {
  let socket: String
  let name = "redis"
  let version = "as it runs"
  let settings =
    "unix socket, one question a round trip; k nearest by radii growing fourfold from 250 m"
  let measure = Measure.geographic
  let isServer = true

  func reach() throws { _ = try RespConnection(socket: socket) }

  func build(_ data: DataSet, threads: Int) throws -> any Peer {
    try RedisPeer(data, connection: RespConnection(socket: socket))
  }
}

private final class RedisPeer: Peer {
  private let data: DataSet
  private let connection: RespConnection
  let ownBytes: Int?

  private static let key = "nearby-benchmark"
  /// Web Mercator's limit, which is GEOADD's.
  private static let greatestLatitude = 85.05112878
  private static let leastRadius = 250.0, greatestRadius = 2.1e7

  init(_ data: DataSet, connection: RespConnection) throws {
    self.data = data
    self.connection = connection
    _ = try connection.ask(["DEL", RedisPeer.key])
    let before = try RedisPeer.usedBytes(connection)
    let chunk = 500
    for start in stride(from: 0, to: data.count, by: chunk) {
      var command = ["GEOADD", RedisPeer.key]
      for id in start..<min(start + chunk, data.count)
      where abs(data.points[2 * id + 1]) <= RedisPeer.greatestLatitude {
        command += ["\(data.points[2 * id])", "\(data.points[2 * id + 1])", "\(id)"]
      }
      if command.count == 2 { continue }
      if case .error(let problem) = try connection.ask(command) {
        throw Complaint("the Redis server says: \(problem); is it 3.2 or newer?", .unavailable)
      }
    }
    ownBytes = try RedisPeer.usedBytes(connection) - before
  }

  deinit {
    do {
      _ = try connection.ask(["DEL", RedisPeer.key])
    } catch {
      print("Redis still holds \(RedisPeer.key): \(error)")
    }
  }

  func answering(_ operation: Operation) -> Answering? {
    switch operation {
    case .nearest(let k):
      return .each { [self] query, ids in
        // Whoever finds k within a radius has the k nearest.
        var radius = RedisPeer.leastRadius
        while true {
          let count = search(query, radius: radius, options: ["ASC", "COUNT", "\(k)"], ids)
          if count >= min(k, data.count) || radius >= RedisPeer.greatestRadius { return count }
          radius = min(radius * 4, RedisPeer.greatestRadius)
        }
      }
    case .radius(let meters):
      return .each { [self] query, ids in search(query, radius: meters, options: [], ids) }
    default:
      return nil
    }
  }

  private func search(
    _ query: Int, radius: Double, options: [String], _ ids: UnsafeMutablePointer<UInt32>
  ) -> Int {
    let longitude = data.queries[2 * query], latitude = data.queries[2 * query + 1]
    guard abs(latitude) <= RedisPeer.greatestLatitude else { return 0 }
    let command =
      ["GEOSEARCH", RedisPeer.key, "FROMLONLAT", "\(longitude)", "\(latitude)"]
      + ["BYRADIUS", "\(radius)", "m"] + options
    do {
      try connection.send(command)
      return try connection.receiveNumbers(into: ids)
    } catch let complaint as Complaint {
      complaint.end()
    } catch {
      Complaint("Redis: \(error); start it anew", .unavailable).end()
    }
  }

  private static func usedBytes(_ connection: RespConnection) throws -> Int {
    guard case .text(let info) = try connection.ask(["INFO", "memory"]) else { return 0 }
    let line = String(decoding: info, as: UTF8.self).split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("used_memory:") }
    return line.flatMap { Int($0.dropFirst("used_memory:".count)) } ?? 0
  }
}
