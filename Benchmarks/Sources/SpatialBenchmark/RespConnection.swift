import Complaints
import Foundation

/// A connection to a Redis server over a unix socket: RESP 2, as much as the suite needs of it.
///
/// Source: "Redis serialization protocol specification", redis.io.
final class RespConnection {
  private let descriptor: Int32
  private var incoming = [UInt8](repeating: 0, count: 1 << 16)
  private var start = 0, end = 0

  /// What a server answers.
  enum Reply {
    case text([UInt8])
    case number(Int)
    case list([Reply])
    case none
    case error(String)
  }

  init(socket path: String) throws {
    descriptor = socket(AF_UNIX, streamType, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8CString)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    let isConnected =
      descriptor >= 0 && bytes.count <= room
      && withUnsafeMutablePointer(to: &address) { address in
        withUnsafeMutableBytes(of: &address.pointee.sun_path) { name in
          name.copyBytes(from: bytes.map { UInt8(bitPattern: $0) })
        }
        return address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
    guard isConnected else {
      close(descriptor)
      throw RespConnection.silence(at: path)
    }
    // Whoever listens there may be no Redis and wait for us to go on.
    try limitWaiting(seconds: 5)
    do {
      guard case .text(let pong) = try ask(["PING"]), pong.elementsEqual("PONG".utf8) else {
        throw RespConnection.silence(at: path)
      }
    } catch {
      throw RespConnection.silence(at: path)
    }
    try limitWaiting(seconds: 0)
  }

  private static func silence(at path: String) -> Complaint {
    Complaint(
      "no Redis server answers at \(path); start one with redis-server --port 0 --unixsocket SOCKET",
      .unavailable)
  }

  private static let hungUp = Complaint("the Redis server hung up; start it anew", .unavailable)

  /// How long an answer may take; 0 for as long as it likes.
  private func limitWaiting(seconds: Int) throws {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let status = setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    guard status == 0 else { throw RespConnection.hungUp }
  }

  deinit { close(descriptor) }

  /// Sends a command and waits for its answer.
  func ask(_ command: [String]) throws -> Reply {
    try send(command)
    return try receive()
  }

  /// A command as it goes over the wire.
  static func bytes(of command: [String]) -> [UInt8] {
    var bytes = Array("*\(command.count)\r\n".utf8)
    for part in command { bytes += Array("$\(part.utf8.count)\r\n\(part)\r\n".utf8) }
    return bytes
  }

  /// Sends a command; `receive` must be called for it later.
  func send(_ command: [String]) throws { try send(RespConnection.bytes(of: command)) }

  /// Sends commands that are bytes already; `receive` must be called for each later.
  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        // Nobody there is an error here and no signal.
        Foundation.send(
          descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, noSignal)
      }
      guard count > 0 else { throw RespConnection.hungUp }
      sent += count
    }
  }

  /// Waits for the next answer.
  func receive() throws -> Reply {
    let line = try nextLine()
    let rest = String(decoding: line.dropFirst(), as: UTF8.self)
    switch line.first {
    case UInt8(ascii: "+"): return .text(Array(line.dropFirst()))
    case UInt8(ascii: "-"): return .error(rest)
    case UInt8(ascii: ":"): return .number(Int(rest) ?? 0)
    case UInt8(ascii: "$"):
      guard let count = Int(rest), count >= 0 else { return .none }
      let text = try (0..<count).map { _ in try nextByte() }
      _ = try nextLine()
      return .text(text)
    case UInt8(ascii: "*"):
      guard let count = Int(rest), count >= 0 else { return .none }
      return .list(try (0..<count).map { _ in try receive() })
    default: throw Complaint("the Redis server says \(rest); is it one?", .unavailable)
    }
  }

  /// Waits for an answer that is a number.
  func receiveNumber() throws -> Int { try nextNumber(after: UInt8(ascii: ":")) }

  /// Waits for a list of numbers, as texts of digits, and writes them without detours.
  func receiveNumbers(into numbers: UnsafeMutablePointer<UInt32>) throws -> Int {
    let count = try nextNumber(after: UInt8(ascii: "*"))
    for place in 0..<count {
      _ = try nextNumber(after: UInt8(ascii: "$"))
      numbers[place] = UInt32(try nextDigits(from: try nextByte()))
    }
    return count
  }

  private func nextNumber(after mark: UInt8) throws -> Int {
    let first = try nextByte()
    guard first == mark else {
      start -= 1
      throw Complaint(
        "the Redis server says \(try receive()), which is no number; is it 3.2 or newer?",
        .unavailable)
    }
    return try nextDigits(from: try nextByte())
  }

  /// The number of the rest of the line.
  private func nextDigits(from first: UInt8) throws -> Int {
    var number = 0, byte = first
    while byte != UInt8(ascii: "\r") {
      number = number * 10 + Int(byte) - Int(UInt8(ascii: "0"))
      byte = try nextByte()
    }
    _ = try nextByte()
    return number
  }

  private func nextLine() throws -> [UInt8] {
    var line: [UInt8] = []
    while true {
      let byte = try nextByte()
      if byte == UInt8(ascii: "\n") { return line }
      if byte != UInt8(ascii: "\r") { line.append(byte) }
    }
  }

  private func nextByte() throws -> UInt8 {
    if start == end {
      start = 0
      end = incoming.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard end > 0 else {
        end = 0
        throw RespConnection.hungUp
      }
    }
    start += 1
    return incoming[start - 1]
  }
}

#if canImport(Glibc)
  private let noSignal = Int32(MSG_NOSIGNAL)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let noSignal: Int32 = 0
  private let streamType = SOCK_STREAM
#endif
