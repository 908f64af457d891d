import CPeers

/// A rival behind the C interface of `CPeers`.
struct ForeignKind: PeerKind {
  private let number: Int
  private let kind: CPeerKind

  /// All of them, in the order of the tables.
  static var all: [ForeignKind] { (0..<cpeer_kind_count()).map { ForeignKind(number: $0) } }

  private init(number: Int) {
    self.number = number
    kind = cpeer_kind(number).pointee
  }

  var name: String { String(cString: kind.name) }
  var version: String { String(cString: kind.version) }
  var settings: String { String(cString: kind.settings) }

  var measure: Measure {
    switch kind.measure {
    case CPeerMeasureSphere: .sphere
    case CPeerMeasurePlane: .plane
    default: .geographic
    }
  }

  func build(_ data: DataSet, threads: Int) -> any Peer {
    ForeignPeer(data, number: number, kind: kind)
  }
}

private final class ForeignPeer: Peer {
  /// The C side reads its arrays for as long as the peer lives.
  private let data: DataSet
  private let kind: CPeerKind
  private let peer: OpaquePointer

  init(_ data: DataSet, number: Int, kind: CPeerKind) {
    self.data = data
    self.kind = kind
    guard
      let peer = cpeer_build(
        number, data.points.baseAddress, data.categories.baseAddress, data.count)
    else { preconditionFailure("\(String(cString: kind.name)) was not built") }
    self.peer = peer
  }

  deinit { cpeer_free(peer) }

  func answering(_ operation: Operation) -> Answering? {
    let peer = peer, data = data
    switch operation {
    case .nearest(let k) where k <= kind.greatestK:
      return .each { query, ids in
        cpeer_nearest(peer, data.queries[2 * query], data.queries[2 * query + 1], k, -1, ids)
      }
    case .nearestOfThird where kind.filters, .nearestRare where kind.filters:
      let isRare = operation == .nearestRare
      return .each { query, ids in
        cpeer_nearest(
          peer, data.queries[2 * query], data.queries[2 * query + 1], 10,
          Int64(isRare ? 3 : query % 3), ids)
      }
    case .box(let size) where kind.boxes:
      guard let boxes = data.boxes[size] else { return nil }
      return .each { query, ids in
        boxes.withUnsafeBufferPointer { boxes in
          cpeer_box(peer, boxes.baseAddress.map { $0 + 4 * query }, ids)
        }
      }
    case .radius(let meters) where kind.radius:
      return .each { query, ids in
        cpeer_radius(peer, data.queries[2 * query], data.queries[2 * query + 1], meters, ids)
      }
    default:
      return nil
    }
  }
}
