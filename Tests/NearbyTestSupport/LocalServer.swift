import Foundation

/// A small HTTP server on a free port of this machine, for as long as a test keeps it.
///
/// It says what the test tells it to, byte for byte, so it can break off, dawdle and lie as real
/// servers do. Each connection serves one request.
public final class LocalServer: @unchecked Sendable {
  /// What was asked.
  public struct Request: Sendable {
    /// The path with its query, as it was sent.
    public let target: String
    /// Fields by their names in lower case.
    public let headers: [String: String]
    /// When it came, in seconds of a clock that only runs forward.
    public let seconds: Double

    /// The path alone.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The values of the query by their names, decoded.
    public var query: [String: String] {
      let items = URLComponents(string: target)?.queryItems ?? []
      return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
  }

  /// What is sent, one piece after another; then the connection is closed.
  public enum Piece: Sendable {
    case bytes([UInt8])
    case pause(milliseconds: Int)
  }

  /// As `http://127.0.0.1:40123`.
  public let address: String

  private let socket: Int32
  private let respond: @Sendable (Request, Int) -> [Piece]
  private let lock = NSLock()
  private var received: [Request] = []

  /// The requests so far, in their order.
  public var requests: [Request] { lock.withLock { received } }

  /// Starts a server.
  ///
  /// - Parameter respond: Given a request and how many came before it.
  public init(_ respond: @escaping @Sendable (Request, Int) -> [Piece]) throws {
    self.respond = respond
    #if canImport(Glibc)
      let listener = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    socket = listener
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard listens else { throw POSIXError(.EADDRNOTAVAIL) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { [weak self] in
          self?.serve(connection)
          close(connection)
        }
      }
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  private func serve(_ connection: Int32) {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
      let count = recv(connection, &room, room.count, 0)
      guard count > 0 else { return }
      bytes += room[..<count]
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1 else { return }
    let fields = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
    let request = Request(
      target: String(words[1]), headers: Dictionary(fields) { "\($0), \($1)" },
      seconds: ProcessInfo.processInfo.systemUptime)
    let before = lock.withLock {
      received.append(request)
      return received.count - 1
    }
    for piece in respond(request, before) {
      switch piece {
      case .pause(let milliseconds): usleep(UInt32(milliseconds) * 1000)
      case .bytes(let bytes):
        var sent = 0
        while sent < bytes.count {
          let count = bytes.withUnsafeBytes {
            send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
          }
          guard count > 0 else { return }
          sent += count
        }
      }
    }
    shutdown(connection, Int32(SHUT_WR))
  }

  /// An answer with its length, unless the headers state another.
  public static func reply(
    _ status: Int = 200, _ headers: [String: String] = [:], _ body: some Sequence<UInt8>
  ) -> [Piece] {
    let body = Array(body)
    var headers = headers
    if headers["Content-Length"] == nil { headers["Content-Length"] = "\(body.count)" }
    let head =
      "HTTP/1.1 \(status) Said\r\n"
      + headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
      + "Connection: close\r\n\r\n"
    return [.bytes(Array(head.utf8) + body)]
  }

  /// An answer with a text as its body.
  public static func reply(
    _ status: Int = 200, _ headers: [String: String] = [:], text: String
  ) -> [Piece] { reply(status, headers, Array(text.utf8)) }
}
