import CPeers
import Foundation

/// A rival behind the C interface of `CPeers`.
struct ForeignKind: PeerKind {
  private let table: CPeerTable
  private let number: Int
  private let kind: CPeerKind
  /// What tells a build with other flags from the usual one.
  private let ending: String

  /// All of them, in the order of the tables.
  ///
  /// First as SwiftPM compiles them, then with the best flags for this machine; the better figure counts.
  static var all: [ForeignKind] {
    peers(of: cpeer_table(), ending: "") + peers(of: cpeer_open(nativeLibrary), ending: "-native")
  }

  /// Where `swift build` puts the peers that are compiled with `-O3 -march=native`.
  private static var nativeLibrary: String {
    let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let folder = (Bundle.main.executableURL ?? program).deletingLastPathComponent()
    return folder.appending(path: "libNativePeers.so").path
  }

  /// Whether the peers with the best flags are there.
  static var hasNative: Bool { cpeer_open(nativeLibrary) != nil }

  private static func peers(
    of table: UnsafePointer<CPeerTable>?, ending: String
  ) -> [ForeignKind] {
    guard let table = table?.pointee else { return [] }
    return (0..<table.kindCount).map { ForeignKind(table: table, number: $0, ending: ending) }
  }

  private init(table: CPeerTable, number: Int, ending: String) {
    self.table = table
    self.number = number
    self.ending = ending
    kind = table.kind(number).pointee
  }

  var name: String { String(cString: kind.name) + ending }
  var version: String { String(cString: kind.version) }
  var settings: String {
    String(cString: kind.settings) + (ending.isEmpty ? "" : "; -O3 -march=native")
  }

  var measure: Measure {
    switch kind.measure {
    case CPeerMeasureSphere: .sphere
    case CPeerMeasurePlane: .plane
    case CPeerMeasureChord: .chord
    default: .geographic
    }
  }

  func build(_ data: DataSet, threads: Int) -> any Peer {
    ForeignPeer(data, table: table, number: number, kind: kind)
  }
}

private final class ForeignPeer: Peer {
  /// The C side reads its arrays for as long as the peer lives.
  private let data: DataSet
  private let table: CPeerTable
  private let kind: CPeerKind
  private let peer: OpaquePointer

  init(_ data: DataSet, table: CPeerTable, number: Int, kind: CPeerKind) {
    self.data = data
    self.table = table
    self.kind = kind
    guard
      let peer = table.build(
        number, data.points.baseAddress, data.categories.baseAddress, data.count)
    else { preconditionFailure("\(String(cString: kind.name)) was not built") }
    self.peer = peer
  }

  deinit { table.free(peer) }

  func answering(_ operation: Operation) -> Answering? {
    let peer = peer, data = data
    let (nearest, box, radius) = (table.nearest, table.box, table.radius)
    switch operation {
    case .nearest(let k) where k <= kind.greatestK, .far(let k) where k <= kind.greatestK:
      return .each { query, ids in
        nearest(peer, data.queries[2 * query], data.queries[2 * query + 1], k, -1, ids)
      }
    case .nearestOfThird where kind.filters, .nearestRare where kind.filters:
      let isRare = operation == .nearestRare
      return .each { query, ids in
        nearest(
          peer, data.queries[2 * query], data.queries[2 * query + 1], 10,
          Int64(isRare ? 3 : query % 3), ids)
      }
    case .box(let size) where kind.boxes:
      guard let boxes = data.boxes[size] else { return nil }
      return .each { query, ids in
        boxes.withUnsafeBufferPointer { boxes in
          box(peer, boxes.baseAddress.map { $0 + 4 * query }, ids)
        }
      }
    case .radius(let meters) where kind.radius:
      return .each { query, ids in
        radius(peer, data.queries[2 * query], data.queries[2 * query + 1], meters, ids)
      }
    default:
      return nil
    }
  }
}
