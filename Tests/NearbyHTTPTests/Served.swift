import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import Geofencing
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import Synchronization
import Testing

@testable import NearbyHTTP

/// Keeps changes in memory, fails when it is told to, and hands on what others are said to have written.
final class MemoryKeeper: AnnotationKeeping {
  let kept = Mutex<[AnnotationID: ImportedAnnotation]>([:])
  let failure = Mutex<ReportedError?>(nil)
  let news = Mutex<ImportedAnnotations?>(nil)

  func apply(
    by deadline: ContinuousClock.Instant,
    _ change: (_ news: ImportedAnnotations?) -> (
      putting: [ImportedAnnotation], removing: [AnnotationID]
    )
  ) throws(ReportedError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    let (annotations, ids) = change(news.withLock { $0 })
    news.withLock { $0 = nil }
    kept.withLock { kept in
      for annotation in annotations { kept[annotation.id] = annotation }
      for id in ids { kept[id] = nil }
    }
  }
}

enum Served {
  /// Noon of a Wednesday in Seoul.
  static let noon = Instant(seconds: 1_795_575_600)
  static let clocks = PlaceClocks(of: .korea)
  static let token = "sesame-sesame-sesame"

  static func annotations(_ text: String, _ name: String = "shops.csv") throws
    -> ImportedAnnotations
  {
    try AnnotationImporter().read(Array(text.utf8), named: name).annotations
  }

  /// A circle of a kilometer in the midst of the shops.
  ///
  /// - Parameter dwell: After how many seconds inside it is told; nil for never.
  static func hall(
    dwell: Double? = nil, entry: FencePolicy.Confirmation = .fixes(1)
  ) throws -> ServedFences {
    var policy = FencePolicy()
    policy.dwell = dwell
    policy.entry = entry
    let center = try Coordinate(latitude: 37.5, longitude: 127)
    return ServedFences(
      [try Fence(id: "hall", center: center, radius: .kilometers(1))], policy, began: noon)
  }

  /// As many shops around Seoul, of three kinds, rated from 1 to 5.
  static func shops(_ count: Int, seed: UInt64 = 1) throws -> ImportedAnnotations {
    var generator = SeededGenerator(seed: seed)
    var text = "id,name,kind,latitude,longitude,rating,opening_hours\n"
    for number in 1...count {
      let kind = ["mart", "cinema", "deal"].randomElement(using: &generator) ?? ""
      let latitude = Double.random(in: 37.4...37.7, using: &generator)
      let longitude = Double.random(in: 126.8...127.2, using: &generator)
      let hours =
        number.isMultiple(of: 3)
        ? "Mo-Fr 10:00-18:00" : number.isMultiple(of: 2) ? "Sa 10:00-18:00" : ""
      text +=
        "s\(number),\"shop \(number), \"\"큰\"\"\",\(kind),\(latitude),\(longitude),\(number % 5 + 1),\(hours)\n"
    }
    return try annotations(text)
  }

  static func service(
    _ annotations: ImportedAnnotations, keeper: (any AnnotationKeeping)? = nil,
    limits: ServerLimits = ServerLimits(), fences: ServedFences? = nil,
    now: @escaping @Sendable () -> Instant = { noon }
  ) -> NearbyService {
    NearbyService(
      [
        ServedCollection(
          name: "shops", title: "Shops", annotations, keeper: keeper, began: noon)
      ], fences: fences, clocks: clocks, token: keeper == nil ? nil : token, limits: limits,
      now: now)
  }
}

extension NearbyService {
  /// The same annotations as they are, and where clients can write.
  static func both(of annotations: ImportedAnnotations) -> [NearbyService] {
    [Served.service(annotations), Served.service(annotations, keeper: MemoryKeeper())]
  }

  /// A stream of events, behind its beginning.
  func listening(to address: String = "/collections/shops/live?snapshot=false") -> ServerAnswer {
    let stream = get(address)
    _ = stream.waiting
    return stream
  }

  func get(_ address: String, _ headers: [String: String] = [:]) -> ServerAnswer {
    answer(ServerRequest("GET", address, headers: headers))
  }

  func send(
    _ method: String, _ address: String, _ body: String = "", _ headers: [String: String] = [:]
  ) -> ServerAnswer {
    answer(
      ServerRequest(
        method, address,
        headers: headers.merging(["authorization": "Bearer \(Served.token)"]) { first, _ in first },
        body: Array(body.utf8)))
  }
}

extension ServerAnswer {
  var json: PropertyValue {
    get throws { try PropertyValue(json: bytes) }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The ids of the features, in order.
  var ids: [String] {
    get throws { try features.map { $0["id"]?.text ?? "?" } }
  }

  var features: [Properties] {
    get throws {
      try json.members?["features"]?.elements?.compactMap(\.members) ?? []
    }
  }

  /// What the object has by a name, or its member's member, and so on.
  func member(_ names: String...) throws -> PropertyValue? { try member(names) }

  private func member(_ names: [String]) throws -> PropertyValue? {
    let whole: PropertyValue? = try json
    return names.reduce(whole) { $0?.members?[$1] }
  }

  /// The objects in the array of `member` by these names.
  func objects(_ names: String...) throws -> [Properties] {
    try #require(try member(names)?.elements).compactMap(\.members)
  }

  /// The path of the next page; nil on the last one.
  var next: String? {
    get throws {
      let links = try member("links")?.elements?.compactMap(\.members)
      let next = links?.first { $0["rel"] == "next" }
      return next?["href"]?.text.map { String($0.dropFirst("http://localhost".count)) }
    }
  }

  /// The code of a problem; nil where it is none.
  var code: String? { try? member("code")?.text }

  /// What waits in a stream of events.
  var waiting: String {
    guard case .events(let stream) = body else { return "" }
    return stream.waiting().map { String(decoding: $0, as: UTF8.self) } ?? "END"
  }
}

extension PropertyValue {
  /// The members of an object; nil for anything else.
  var members: Properties? { if case .object(let members) = self { members } else { nil } }
  /// The elements of an array; nil for anything else.
  var elements: [PropertyValue]? { if case .array(let elements) = self { elements } else { nil } }
}

/// A mart as a client sends it.
func feature(_ id: String, _ latitude: Double, _ name: String = "new") -> String {
  #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[127,\#(latitude)]},"properties":{"name":"\#(name)","kind":"mart"}}"#
}
