import CPostgres
import Complaints
import Foundation

/// PostGIS behind a PostgreSQL server: what a service has at hand.
///
/// As `geography` it orders the nearest on a sphere and takes circles on the spheroid, so its
/// answers are compared with the geodesic's, not judged; as `geometry` it takes degrees for a plane.
struct PostGISKind: PeerKind {
  enum Column: String {
    case geography, geometry
  }

  let connection: String
  let column: Column

  var name: String { "postgis-\(column)" }
  let version = "as it runs"
  var settings: String {
    "\(column)(Point, 4326), GiST, another GiST for the rare category, VACUUM ANALYZE, "
      + "prepared statements, binary ids, one question a round trip"
  }
  var measure: Measure { column == .geography ? .geographic : .plane }
  let isServer = true

  func reach() throws { _ = try PostgresConnection(connection) }

  func build(_ data: DataSet, threads: Int) throws -> any Peer {
    try PostGISPeer(data, column: column, server: PostgresConnection(connection))
  }
}

private final class PostGISPeer: Peer {
  private let data: DataSet
  private let column: PostGISKind.Column
  private let server: PostgresConnection
  private let table: String
  let ownBytes: Int?

  init(_ data: DataSet, column: PostGISKind.Column, server: PostgresConnection) throws {
    self.data = data
    self.column = column
    self.server = server
    let table = "nearby_benchmark_\(column)"
    self.table = table
    try server.run("SET client_min_messages = warning")
    try server.run("CREATE EXTENSION IF NOT EXISTS postgis")
    try server.run("DROP TABLE IF EXISTS \(table)")
    // Unlogged: nothing here has to survive.
    try server.run(
      "CREATE UNLOGGED TABLE \(table) (id int4, category int4, place \(column)(Point, 4326))")
    try server.copy("COPY \(table) FROM STDIN") { send in
      for id in 0..<data.count {
        let longitude = data.points[2 * id], latitude = data.points[2 * id + 1]
        try send("\(id)\t\(data.categories[id])\tSRID=4326;POINT(\(longitude) \(latitude))\n")
      }
    }
    try server.run("CREATE INDEX ON \(table) USING gist (place)")
    try server.run(
      "CREATE INDEX ON \(table) USING gist (place) WHERE category = 3")
    try server.run("VACUUM ANALYZE \(table)")
    ownBytes = try server.number("SELECT pg_total_relation_size('\(table)')::int8")

    let origin = "ST_SetSRID(ST_MakePoint($1::float8, $2::float8), 4326)::\(column)"
    for (name, condition) in [
      ("nearest", ""), ("third", "WHERE category = $4::int4"), ("rare", "WHERE category = 3"),
    ] {
      try server.prepare(
        "\(table)_\(name)",
        "SELECT id FROM \(table) \(condition) ORDER BY place <-> \(origin) LIMIT $3::int4")
    }
    switch column {
    case .geography:
      try server.prepare(
        "\(table)_radius",
        "SELECT id FROM \(table) WHERE ST_DWithin(place, \(origin), $3::float8)")
    case .geometry:
      // `&&` compares boxes of 32-bit numbers; the doubles tell.
      try server.prepare(
        "\(table)_box",
        """
        SELECT id FROM \(table)
        WHERE place && ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326)
          AND ST_X(place) BETWEEN $1 AND $3 AND ST_Y(place) BETWEEN $2 AND $4
        """)
    }
  }

  deinit {
    do {
      try server.run("DROP TABLE \(table)")
    } catch {
      print("PostgreSQL still holds \(table): \(error)")
    }
  }

  func answering(_ operation: Operation) -> Answering? {
    switch operation {
    case .nearest(let k), .far(let k):
      return .each { [self] query, ids in ask("nearest", origin(query) + ["\(k)"], ids) }
    case .nearestOfThird:
      return .each { [self] query, ids in
        ask("third", origin(query) + ["10", "\(query % 3)"], ids)
      }
    case .nearestRare:
      return .each { [self] query, ids in ask("rare", origin(query) + ["10"], ids) }
    case .radius(let meters) where column == .geography:
      return .each { [self] query, ids in ask("radius", origin(query) + ["\(meters)"], ids) }
    case .box(let size) where column == .geometry:
      guard let boxes = data.boxes[size] else { return nil }
      return .each { [self] query, ids in
        ask("box", boxes[4 * query..<4 * query + 4].map { "\($0)" }, ids)
      }
    default:
      return nil
    }
  }

  private func origin(_ query: Int) -> [String] {
    ["\(data.queries[2 * query])", "\(data.queries[2 * query + 1])"]
  }

  private func ask(
    _ statement: String, _ parameters: [String], _ ids: UnsafeMutablePointer<UInt32>
  ) -> Int {
    do {
      return try server.execute("\(table)_\(statement)", parameters, into: ids)
    } catch let complaint as Complaint {
      complaint.end()
    } catch {
      Complaint("PostGIS: \(error); start it anew", .unavailable).end()
    }
  }
}
