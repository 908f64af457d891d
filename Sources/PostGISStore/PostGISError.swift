import Geodesy

/// An error in using PostgreSQL, with the server but never a password.
public struct PostGISError: CodedError, Hashable {
  /// The possible errors of a database.
  public enum Reason: Hashable, Sendable {
    /// libpq cannot read the address, or the server has no such database or user; holds the message.
    case address(String)
    /// The server does not answer, or not in time; holds libpq's message.
    case unreachable(String)
    /// A server with partitions does not answer the connected one; holds its message.
    case partUnreachable(String)
    /// The server is a replica, and parts of the answer are on other servers, so that they would not be of one moment.
    case replicaOfParts
    /// The server denies access or permission to this user; holds its message.
    case denied(String)
    /// The password is missing or wrong; holds libpq's message.
    case wrongPassword(String)
    /// The server only reads, because it is a replica, or this user does; holds the server's message.
    case readOnly(String)
    /// The database has no layers of this program yet.
    case notAStore
    /// A later version made the store; holds its schema, and the latest supported one.
    case newer(schema: Int, known: Int)
    /// No layer has that name; holds the name and the existing layers.
    case unknownLayer(String, layers: [String])
    /// No layer was named, and there are several; holds their names.
    case severalLayers([String])
    /// An invalid layer name.
    case badLayerName(String)
    /// A valid layer name that a table of another layer has; holds the name.
    case takenLayerName(String)
    /// An id is too long for PostgreSQL's index; holds its beginning and its length in bytes.
    case longID(beginning: String, byteCount: Int)
    /// An id or a kind with the character U+0000, which PostgreSQL cannot store; holds the id.
    case zeroCharacter(id: String)
    /// The statement exceeded its time limit; holds how long it ran, in milliseconds.
    case timeLimit(milliseconds: Int)
    /// All connections are busy, here or at the server, or it has no memory left; holds a message.
    case busy(String)
    /// The server's disk is full; holds its message.
    case full(String)
    /// The server refused a statement; holds its message and its SQLSTATE.
    case statement(String, state: String)
    /// A row is not a valid annotation, because another program wrote it; holds the reader's message.
    case unreadableRow(String)
  }

  /// The server and database, as `127.0.0.1:5432/maps`, and if it is an error of another server with partitions, its name
  /// there.
  public let server: String
  /// The reason for the error.
  public let reason: Reason

  init(_ server: String, _ reason: Reason) {
    self.server = server
    self.reason = reason
  }

  /// Whether a server did not answer, or not in time.
  var isSilence: Bool {
    switch reason {
    // The last one waited for a lock.
    case .partUnreachable, .timeLimit, .statement(_, state: "55P03"): true
    default: false
    }
  }

  /// Whether it may be the error of another server with partitions, which does not say so.
  var mayBeOfPart: Bool {
    switch reason {
    case .statement, .denied, .full: true
    default: isSilence
    }
  }

  /// The error with the name of the other server that it comes from.
  func of(_ other: String) -> PostGISError {
    PostGISError("\(server), partitions on server \"\(other)\"", reason)
  }

  /// The code of the error, for programs.
  public var code: String {
    switch reason {
    case .address: "postgres-address"
    case .unreachable: "postgres-unreachable"
    case .partUnreachable: "partition-unreachable"
    case .replicaOfParts: "replica-of-partitions"
    case .denied: "postgres-denied"
    case .wrongPassword: "postgres-password"
    case .readOnly: "postgres-read-only"
    case .notAStore: "not-a-store"
    case .newer: "newer-store"
    case .unknownLayer: "unknown-layer"
    case .severalLayers: "several-layers"
    case .badLayerName: "bad-layer-name"
    case .takenLayerName: "taken-layer-name"
    case .longID: "long-id"
    case .zeroCharacter: "zero-character"
    case .timeLimit: "time-limit"
    case .busy: "postgres-busy"
    case .full: "postgres-full"
    case .statement: "postgres-statement"
    case .unreadableRow: "unreadable-row"
    }
  }

  /// What went wrong and what to do.
  public var description: String {
    let what =
      switch reason {
      case .address(let sentence):
        "\(sentence); write postgres://host:5432/database?user=name, and a password into ~/.pgpass"
      case .unreachable(let sentence): "\(sentence); is it running, and is the address right?"
      case .partUnreachable(let sentence):
        "\(sentence); start the server of that partition, or check its CREATE SERVER and user mapping"
      case .replicaOfParts:
        "it is a replica, which may be older than the partitions on other servers: what moved could be missing or appear twice; ask the server that it copies, for example with target_session_attrs=read-write"
      case .denied(let sentence): "\(sentence); ask for the missing rights"
      case .wrongPassword(let sentence):
        "\(sentence); check the password, or put it into ~/.pgpass"
      case .readOnly(let sentence):
        "\(sentence); use a server that is not a replica (target_session_attrs=read-write), and a user without default_transaction_read_only"
      case .notAStore: "the database has no layers; make some: `layer(named:makingIt:)`"
      case .newer(let schema, let known):
        "its schema is \(schema), and this version knows \(known); use a newer nearby"
      case .unknownLayer(let name, let layers):
        "there is no layer \"\(name)\"; "
          + (layers.isEmpty
            ? "there is none at all" : "layers are \(layers.joined(separator: ", "))")
      case .severalLayers(let layers):
        "it has \(layers.count) layers; choose one with `layer(named:)`: \(layers.joined(separator: ", "))"
      case .badLayerName(let name):
        "\"\(name)\" is not a name for a layer; write 1 to 57 bytes, none of them zero"
      case .takenLayerName(let name):
        "the name \"\(name)\" is taken by a table of another layer; choose another name"
      case .longID(let beginning, let byteCount):
        "the id that begins with \"\(beginning)\" has \(byteCount) bytes; PostgreSQL indexes at most 2600, so give it a shorter one"
      case .zeroCharacter(let id):
        "the annotation \"\(id)\" has the character U+0000 in its id or kind; take it out"
      case .timeLimit(let milliseconds):
        "the statement was ended after \(milliseconds) ms; ask for less, or again later"
      case .busy(let sentence): "\(sentence); ask again later"
      case .full(let sentence): "\(sentence); free space on that server, then try again"
      case .statement(let sentence, let state): "\(sentence) (SQLSTATE \(state))"
      case .unreadableRow(let sentence): "a row holds no annotation of ours: \(sentence)"
      }
    return "\(server): \(what)"
  }
}
