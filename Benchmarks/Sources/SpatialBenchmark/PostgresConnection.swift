import CPostgres
import Complaints

/// A connection to a PostgreSQL server through libpq, as much as the suite needs of it.
final class PostgresConnection {
  private let connection: OpaquePointer

  /// - Parameter text: What libpq takes: `host=/tmp dbname=postgres` or a `postgresql:` address.
  init(_ text: String) throws {
    guard let connection = PQconnectdb(text) else {
      throw Complaint("libpq has no memory for a connection; end something else", .unavailable)
    }
    guard PQstatus(connection) == CONNECTION_OK else {
      defer { PQfinish(connection) }
      throw Complaint(
        "no PostgreSQL server answers at '\(text)': \(String(cString: PQerrorMessage(connection))); "
          + "name one as 'host=/tmp port=5432 dbname=x'", .unavailable)
    }
    self.connection = connection
  }

  deinit { PQfinish(connection) }

  /// Runs a command that answers nothing of interest.
  func run(_ command: String) throws {
    try finish(PQexec(connection, command))
  }

  /// Asks for one number.
  func number(_ question: String) throws -> Int {
    let result = PQexecParams(connection, question, 0, nil, nil, nil, nil, 0)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK, let text = PQgetvalue(result, 0, 0),
      let number = Int(String(cString: text))
    else { throw problem }
    return number
  }

  /// Sends the rows of a table in the text form of `COPY`.
  func copy(_ command: String, _ rows: ((String) throws -> Void) throws -> Void) throws {
    let start = PQexec(connection, command)
    defer { PQclear(start) }
    guard PQresultStatus(start) == PGRES_COPY_IN else { throw problem }
    try rows { row in
      var row = row
      let isSent = row.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          PQputCopyData(connection, $0.baseAddress, Int32($0.count)) == 1
        }
      }
      guard isSent else { throw problem }
    }
    guard PQputCopyEnd(connection, nil) == 1 else { throw problem }
    while let result = PQgetResult(connection) { try finish(result) }
  }

  func prepare(_ name: String, _ statement: String) throws {
    try finish(PQprepare(connection, name, statement, 0, nil))
  }

  /// Runs a prepared statement whose rows are one 32-bit number each.
  func execute(
    _ name: String, _ parameters: [String], into numbers: UnsafeMutablePointer<UInt32>
  ) throws -> Int {
    // All parameters in one piece of memory, each ended by a zero.
    var text: [CChar] = [], starts: [Int] = []
    for parameter in parameters {
      starts.append(text.count)
      text += parameter.utf8CString
    }
    let result = text.withUnsafeBufferPointer { text in
      let values = starts.map { text.baseAddress?.advanced(by: $0) }
      return PQexecPrepared(
        connection, name, Int32(values.count), values, nil, nil, 1)
    }
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw problem }
    let count = Int(PQntuples(result))
    for row in 0..<count {
      guard let value = PQgetvalue(result, Int32(row), 0) else { throw problem }
      numbers[row] = UInt32(
        bigEndian: UnsafeRawPointer(value).loadUnaligned(as: UInt32.self))
    }
    return count
  }

  private func finish(_ result: OpaquePointer?) throws {
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return
    default: throw problem
    }
  }

  private var problem: Complaint {
    Complaint(
      "PostgreSQL: \(String(cString: PQerrorMessage(connection))); is PostGIS installed there?",
      .unavailable)
  }
}
