import BusinessHours
import Geodesy
import LocationFiltering
import MapAnnotations
import NearbySearch
import Synchronization
import NearbyTestSupport

/// Shops with hours round a city, and brute force over them and over time.
struct OpenShops {
  let shops: [BasicAnnotation]
  let origin: Coordinate
  let index: AnnotationIndex<[BasicAnnotation]>
  let reader: HoursReader<BasicAnnotation>
  private let hours: [AnnotationID: (hours: OpeningHours, setting: HoursSetting)]
  /// The shops by (distance, id).
  private let ranked: [(distance: Distance, shop: BasicAnnotation)]
  private let known = Known<ShopMoment, OpenState>()

  static let texts: [String?] = [
    "24/7", "Mo-Fr 09:00-18:00", "Mo-Su 10:00-23:00; Su[2,4] off", "22:00-04:00", "off", nil,
    "unknown \"ask\"", "Mo-Sa 08:30-12:00,13:30-19:00", "sunrise-sunset", "10:00-12:10,12:15-20:00",
    "PH off; 07:00-21:45", "17:00+", "what?", "Sa,Su 02:00-02:40", "Jan-Mar 05:00-05:20",
    "08:00-12:00 open; 12:00-15:00 unknown; 15:00-20:00 open",
  ]

  /// Berlin in summer time from the last Sunday of March to that of October, at 01:00 UTC.
  static let berlin = HoursSetting(publicHolidays: .germany) { instant in
    // 2026-03-29T01:00Z and 2026-10-25T01:00Z.
    (1_774_746_000..<1_792_890_000).contains(instant) ? 7200 : 3600
  }
  static let seoul = HoursSetting(publicHolidays: .korea) { _ in 9 * 3600 }

  init(_ count: Int, seed: UInt64, kinds: Int = 3) {
    var generator = SeededGenerator(seed: seed)
    origin = PointSet.legal(52.52, 13.405)
    var shops: [BasicAnnotation] = []
    for number in 0..<count {
      // Every seventh stands where another does, so that ties are decided by id.
      let place =
        number % 7 == 6
        ? shops[number - 3].coordinate
        : origin.destination(
          bearing: .random(in: 0..<360, using: &generator),
          distance: .meters(.random(in: 0..<5_000, using: &generator)))
      shops.append(
        BasicAnnotation(
          id: AnnotationID((number * 7919) % 10_007),
          kind: AnnotationKind(rawValue: "kind \(number % kinds)"), coordinate: place,
          openingHours: Self.texts[Int.random(in: 0..<Self.texts.count, using: &generator)]))
    }
    self.shops = shops
    index = AnnotationIndex(shops)
    // Each query reads its texts anew, and here there are hundreds.
    let texts = Known<[String], OpeningHours?>()
    var reader = HoursReader<BasicAnnotation>(settings: [Self.berlin, Self.seoul]) {
      $0.kind == "kind 1" ? 1 : 0
    }
    reader.read = { [read = reader.read] text, closingDays in
      texts.value(of: [text, closingDays]) { read(text, closingDays) }
    }
    self.reader = reader
    var hours: [AnnotationID: (OpeningHours, HoursSetting)] = [:]
    for shop in shops {
      guard let own = shop.openingHours.flatMap({ try? OpeningHours($0) }) else { continue }
      var setting = shop.kind == "kind 1" ? Self.seoul : Self.berlin
      setting.sun = shop.coordinate.map { .position($0) }
      hours[shop.id] = (own, setting)
    }
    self.hours = hours
    let origin = origin
    ranked = shops.compactMap { shop in shop.coordinate.map { (origin.distance(to: $0), shop) } }
      .sorted {
        $0.distance != $1.distance ? $0.distance < $1.distance : $0.shop.id < $1.shop.id
      }
  }

  /// The state of a shop at an instant, by its own hours.
  func state(of shop: BasicAnnotation, at instant: Instant) -> OpenState {
    guard let (hours, setting) = hours[shop.id] else { return .unknown }
    return known.value(of: ShopMoment(id: shop.id, instant: instant)) {
      hours.state(at: instant, setting: setting)
    }
  }

  func moment(of shop: BasicAnnotation, _ condition: OpenCondition) -> Instant {
    guard case .arrival(let journey) = condition.moment, let place = shop.coordinate else {
      return condition.instant
    }
    let way = origin.distance(to: place).meters * journey.detour
    return journey.departure + Int64((way / journey.speed).rounded(.up))
  }

  func counts(_ shop: BasicAnnotation, _ condition: OpenCondition) -> Bool {
    let start = moment(of: shop, condition)
    var instant = start
    repeat {
      let state = state(of: shop, at: instant)
      guard condition.showsUnknown ? state != .closed : state == .open else { return false }
      // Hours change on whole minutes.
      instant = Instant(seconds: (instant.seconds / 60 + 1) * 60)
    } while instant < start + condition.stay
    return true
  }

  /// Ids and states of the nearest that count.
  func nearest(
    _ limit: Int, _ condition: OpenCondition, within outer: Distance = .infinity
  ) -> [String] {
    var rows: [String] = []
    for (distance, shop) in ranked where distance <= outer && rows.count < limit {
      guard counts(shop, condition) else { continue }
      rows.append("\(shop.id) \(state(of: shop, at: moment(of: shop, condition)))")
    }
    return rows
  }

  /// The nearest that count, by a query.
  func answer(
    _ limit: Int, _ condition: OpenCondition, within outer: Distance = .infinity,
    kinds: Set<AnnotationKind>? = nil, where other: Condition? = nil
  ) throws -> NearbyAnswer<BasicAnnotation> {
    var query = NearbyQuery(from: origin, limit: limit)
    query.open = condition
    query.distances.within = outer
    query.kinds = kinds
    query.condition = other
    return try index.answer(query, in: QueryContext(hours: reader))
  }

  static func shown(_ answer: NearbyAnswer<BasicAnnotation>) -> [String] {
    answer.map { "\($0.annotation.id) \($0.openStatus.map { "\($0.state)" } ?? "?")" }
  }
}

/// What has been found out: each text is read once, and one and the same minute asked for again and again.
private final class Known<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Value]>([:])

  func value(of key: Key, _ find: () -> Value) -> Value {
    values.withLock { values in
      if let value = values[key] { return value }
      let value = find()
      values[key] = value
      return value
    }
  }
}

/// A shop at an instant.
private struct ShopMoment: Hashable {
  let id: AnnotationID
  let instant: Instant
}
