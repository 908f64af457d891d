import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import ViewportClustering

/// A map of the tests: shows what it is told to, and notices when it is told nonsense.
struct StandInMap<Item: Annotation & Equatable> {
  var pins: [AnnotationID: Item] = [:]
  var clusters: [ClusterID: MapCluster] = [:]

  mutating func draw(_ change: MapChange<Item>) {
    for pin in change.pins.removed {
      #expect(pins.removeValue(forKey: pin.id) != nil, "\(pin.id) is not there to be removed")
    }
    for pin in change.pins.updated {
      #expect(pins.updateValue(pin, forKey: pin.id) != nil, "\(pin.id) is not there to be redrawn")
    }
    for pin in change.pins.added {
      #expect(pins.updateValue(pin, forKey: pin.id) == nil, "\(pin.id) is added though it is there")
    }
    for pin in change.pins.kept { #expect(pins[pin.id] == pin) }
    for cluster in change.clusters.removed {
      #expect(clusters.removeValue(forKey: cluster.id) != nil)
    }
    for cluster in change.clusters.updated {
      #expect(clusters.updateValue(cluster, forKey: cluster.id) != nil)
    }
    for cluster in change.clusters.added {
      #expect(clusters.updateValue(cluster, forKey: cluster.id) == nil)
    }
    for cluster in change.clusters.kept { #expect(clusters[cluster.id] == cluster) }
    let births =
      change.clusters.births + change.clusters.splits.flatMap(\.clusters)
      + change.clusters.merges.map(\.cluster)
    #expect(Set(births) == Set(change.clusters.added.map(\.id)))
    #expect(births.count == change.clusters.added.count)
    let deaths =
      change.clusters.deaths + change.clusters.merges.flatMap(\.clusters)
      + change.clusters.splits.map(\.parent)
    #expect(Set(deaths) == Set(change.clusters.removed.map(\.id)))
    #expect(deaths.count == change.clusters.removed.count)
  }
}

/// What the session is told, kept apart, and asked from the beginning each time.
private struct Judge {
  var items: [AnnotationID: BasicAnnotation]
  var viewport = MapViewport(.world, zoom: 0)
  var days: ClosedRange<CalendarDate>?
  var kind: AnnotationKind?
  var now: Instant = 0
  let rule: ClusterRule
  let optsOut: @Sendable (BasicAnnotation) -> Bool

  /// Some close at an instant that their id says, and others open.
  static func status(_ item: BasicAnnotation, _ now: Instant) -> PinStatus {
    guard let number = Int(item.id.text) else { return PinStatus() }
    let change = Instant(seconds: Int64(number % 40) + 10)
    switch number % 4 {
    case 0:
      return PinStatus(look: now < change ? 0 : 1, validUntil: now < change ? change : nil)
    case 1:
      return PinStatus(isShown: now >= change, validUntil: now < change ? change : nil)
    default: return PinStatus()
    }
  }

  private static func holds(_ item: BasicAnnotation, _ days: ClosedRange<CalendarDate>) -> Bool {
    (days.lowerBound.dayNumber...days.upperBound.dayNumber).contains { number in
      CalendarDate(dayNumber: number).flatMap { item.holds(on: $0) } ?? false
    }
  }

  func check(_ map: StandInMap<BasicAnnotation>, _ change: MapChange<BasicAnnotation>) {
    let shown = items.values.filter { item in
      Judge.status(item, now).isShown && (days.map { Judge.holds(item, $0) } ?? true)
        && (kind.map { item.kind == $0 } ?? true)
    }
    // In an order that has nothing to do with the session's.
    let fresh = ClusterIndex(shown.sorted { $0.id > $1.id }, rule: rule, optsOut: optsOut)
    let view = fresh.view(of: viewport)
    #expect(Set(view.clusters) == Set(map.clusters.values))
    #expect(
      Set(view.annotations.map { fresh.annotations[$0] }) == Set(map.pins.values))
    #expect(view.box == change.box)
    let ends = items.values.compactMap { Judge.status($0, now).validUntil }
    #expect(change.validUntil == ends.min())
  }
}

@Suite struct `A map session` {
  @Test(
    arguments: [
      PointSet.legal(37.5665, 126.978), PointSet.legal(-17.8, 179.995), PointSet.legal(85.04, -60),
      // Where the grid begins, on the border of its halves.
      PointSet.legal(0, 60),
    ], UInt64(0)..<12)
  func `gives changes that lead to what a fresh query answers`(
    center: Coordinate, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    // Every other walk is among lines and areas, too.
    let hasShapes = seed % 2 == 1
    func item(_ number: Int) -> BasicAnnotation {
      MapSessionTestItem.make(number, center, hasShapes: hasShapes, &generator)
    }
    let start = (0..<400).map { item($0) }
    let optsOut: @Sendable (BasicAnnotation) -> Bool = { $0.id == 7 || $0.id == 100 }
    let rule = ClusterRule(minCount: seed % 3 == 0 ? 4 : 2)
    var judge = Judge(
      items: Dictionary(uniqueKeysWithValues: start.map { ($0.id, $0) }), rule: rule,
      optsOut: optsOut)
    let session = MapSession(start, rule: rule, status: Judge.status, optsOut: optsOut)
    var map = StandInMap<BasicAnnotation>()
    // What servers were asked for and have not answered yet, the last one last.
    var requests: [(request: MapRequest, answer: [BasicAnnotation])] = []
    var lastRequest: MapRequest?
    func screen() -> MapViewport {
      MapViewport(
        center: PointSet.legal(
          center.latitude + Double.random(in: -0.02...0.02, using: &generator),
          Coordinate.wrappedLongitude(
            center.longitude + Double.random(in: -0.02...0.02, using: &generator))),
        zoom: Double.random(in: 8...18, using: &generator), width: 800, height: 600)
    }
    for step in 0..<80 {
      let change: MapChange<BasicAnnotation>
      switch step == 0 ? 0 : Int.random(in: 0..<12, using: &generator) {
      case 0, 1, 2:
        judge.viewport = screen()
        change = session.move(to: judge.viewport)
      case 8, 9:
        judge.viewport = screen()
        let request = session.request(judge.viewport)
        let answer = (0..<300).map { _ in
          item(Int.random(in: 0..<500, using: &generator))
        }
        requests.append((request, answer))
        lastRequest = request
        continue
      case 10, 11:
        // In any order, as networks answer.
        guard let number = requests.indices.randomElement(using: &generator) else { continue }
        let (request, answer) = requests.remove(at: number)
        let received = session.receive(answer, for: request)
        #expect((received != nil) == (request == lastRequest))
        guard let received else {
          #expect(Set(session.pins) == Set(map.pins.values))
          continue
        }
        judge.items = Dictionary(answer.map { ($0.id, $0) }) { $1 }
        change = received
      case 3:
        let day = try #require(
          CalendarDate(year: 2026, month: 11, day: Int.random(in: 1...3, using: &generator)))
        let isMonth = Bool.random(using: &generator)
        judge.days = isMonth ? day...day.endOfMonth : day...day
        change = session.setSegment(isMonth ? .days(.thisMonth, today: day) : .on(day))
      case 4:
        judge.days = nil
        change = session.setSegment(.all)
      case 5:
        judge.kind = judge.kind == nil ? .deal : nil
        change =
          judge.kind == nil ? session.setFilter(nil) : session.setFilter { $0.kind == .deal }
      case 6:
        judge.now = judge.now.advanced(
          by: .milliseconds(Int.random(in: -3_000...9_000, using: &generator)))
        change = session.tick(now: judge.now)
      default:
        var edits: [MapEdit<BasicAnnotation>] = []
        for _ in 0..<Int.random(in: 1...30, using: &generator) {
          let number = Int.random(in: 0..<500, using: &generator)
          if Bool.random(using: &generator) {
            let new = item(number)
            edits.append(.upsert(new))
            judge.items[new.id] = new
          } else {
            edits.append(.remove(AnnotationID(number)))
            judge.items[AnnotationID(number)] = nil
          }
        }
        change = session.apply(edits)
      }
      map.draw(change)
      judge.check(map, change)
      #expect(Set(session.pins) == Set(map.pins.values))
      #expect(Set(session.clusters) == Set(map.clusters.values))
    }
  }

  @Test func `drops the answer to a request after which another was made`() throws {
    let old = MapViewport(center: PointSet.legal(37.5, 127), zoom: 17, width: 400, height: 400)
    let new = MapViewport(center: PointSet.legal(35.1, 129), zoom: 17, width: 400, height: 400)
    let session = MapSession<BasicAnnotation>([])
    let first = session.request(old), second = session.request(new)
    let here = BasicAnnotation(id: "here", coordinate: PointSet.legal(35.1, 129))
    let there = BasicAnnotation(id: "there", coordinate: PointSet.legal(37.5, 127))
    #expect(session.receive([there], for: first) == nil)
    #expect(try #require(session.receive([here], for: second)).pins.added == [here])
    #expect(session.receive([there], for: first) == nil)
    #expect(session.pins == [here])
    // The same answer again changes nothing.
    let again = try #require(session.receive([here], for: second))
    #expect(again.isEmpty && again.pins.kept == [here])
  }

  @Test func `tells splits and merges with their parents`() throws {
    let spots = [
      (37.50, 127.00), (37.50, 127.001), (37.51, 127.01), (37.51, 127.011), (37.52, 127.02),
    ]
    let items = spots.enumerated().map { number, spot in
      BasicAnnotation(id: AnnotationID(number), coordinate: PointSet.legal(spot.0, spot.1))
    }
    let session = MapSession(items)
    func screen(_ zoom: Double) -> MapViewport {
      MapViewport(center: PointSet.legal(37.51, 127.01), zoom: zoom, width: 20_000, height: 20_000)
    }
    let start = session.move(to: screen(6))
    #expect(start.clusters.births.count == 1 && start.clusters.added.first?.count == 5)
    let parent = try #require(start.clusters.births.first)
    let inward = session.move(to: screen(17))
    #expect(
      inward.clusters.splits == [
        ClusterSplit(parent: parent, clusters: [], annotations: inward.pins.added.map(\.id))
      ])
    #expect(inward.pins.added.count == 5 && inward.clusters.deaths.isEmpty)
    let outward = session.move(to: screen(6))
    #expect(outward.clusters.merges.map(\.cluster) == [parent])
    #expect(Set(outward.clusters.merges[0].annotations) == Set(items.map(\.id)))
    // A filter that leaves one dissolves the cluster into a pin; nothing left is a death.
    let single = session.setFilter { $0.id == 2 }
    #expect(
      single.clusters.splits == [ClusterSplit(parent: parent, clusters: [], annotations: [2])])
    let all = session.setFilter(nil)
    #expect(all.clusters.merges == [ClusterMerge(cluster: parent, clusters: [], annotations: [2])])
    #expect(session.setFilter { _ in false }.clusters.deaths == [parent])
  }

  @Test func `a cluster of which a filter leaves a pin falls apart when zooming out, too`() throws {
    let spots = [(37.5, 127.0), (37.5, 127.0001), (37.9, 127.9), (37.9, 127.9001)]
    let items = spots.enumerated().map { number, spot in
      BasicAnnotation(id: AnnotationID(number), coordinate: PointSet.legal(spot.0, spot.1))
    }
    let session = MapSession(items)
    let box = BoundingBox(unchecked: 37, 126, 38, 128)
    let start = session.move(to: MapViewport(box, zoom: 9))
    #expect(start.clusters.births.count == 2)
    let parent = try #require(start.clusters.added.first { $0.coordinate.latitude < 37.7 }).id
    let outward = session.change(to: MapViewport(box, zoom: 8), MapSegment { $0.id != 0 })
    #expect(
      outward.clusters.splits == [ClusterSplit(parent: parent, clusters: [], annotations: [1])])
    #expect(outward.clusters.deaths.isEmpty && outward.clusters.merges.count == 1)
  }

  @Test(arguments: UInt64(0)..<12)
  func `a cluster is born or dies only if nothing in it was or is on the screen`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let center = PointSet.legal(37.5665, 126.978)
    let items = (0..<300).map { MapSessionTestItem.make($0, center, &generator) }
    let session = MapSession(items, rule: ClusterRule(minCount: seed % 3 == 0 ? 4 : 2))
    var lastMembers: [ClusterID: Set<AnnotationID>] = [:]
    var lastShown: Set<AnnotationID> = []
    var deathCount = 0
    for _ in 0..<80 {
      let viewport = MapViewport(
        center: PointSet.legal(
          center.latitude + Double.random(in: -0.02...0.02, using: &generator),
          center.longitude + Double.random(in: -0.02...0.02, using: &generator)),
        zoom: Double.random(in: 8...18, using: &generator), width: 800, height: 600)
      let share = Int.random(in: 1...8, using: &generator)
      let change = session.change(
        to: viewport, MapSegment { (Int($0.id.text) ?? 0) % 8 < share })
      let (index, selection) = session.clustering
      var members: [ClusterID: Set<AnnotationID>] = [:]
      for cluster in session.clusters {
        let leaves = try #require(
          index.leaves(of: cluster.id, limit: .max, selection: selection))
        members[cluster.id] = Set(leaves.map { index.annotations[$0].id })
      }
      let shown = members.values.reduce(into: Set(session.pins.map(\.id))) { $0.formUnion($1) }
      for id in change.clusters.births {
        #expect(try #require(members[id]).isDisjoint(with: lastShown), "\(id)")
      }
      for id in change.clusters.deaths {
        #expect(try #require(lastMembers[id]).isDisjoint(with: shown), "\(id)")
      }
      deathCount += change.clusters.deaths.count
      (lastMembers, lastShown) = (members, shown)
    }
    #expect(deathCount > 0)
  }

  @Test func `updates a pin whose look time changes, and says when it will be`() {
    let cinema = BasicAnnotation(id: 1, coordinate: PointSet.legal(37.5, 127))
    let session = MapSession([cinema]) { _, now in
      PinStatus(look: now < 22 ? 0 : 1, validUntil: now < 22 ? 22 : nil)
    }
    let screen = MapViewport(center: PointSet.legal(37.5, 127), zoom: 17, width: 300, height: 300)
    #expect(session.move(to: screen).validUntil == 22)
    #expect(session.tick(now: Instant(milliseconds: 21_900)).isEmpty)
    let closing = session.tick(now: 22)
    #expect(closing.pins.updated == [cinema] && closing.pins.added.isEmpty)
    #expect(closing.validUntil == nil)
    #expect(session.tick(now: 3).pins.updated == [cinema])
  }

  @Test func `does not wait for what was removed, even if the time goes back`() {
    let shops = (1...3).map {
      BasicAnnotation(id: AnnotationID($0), coordinate: PointSet.legal(37.5, 127))
    }
    // Each closes at ten times its id.
    let session = MapSession(shops, now: 50) { shop, now in
      let end = Instant(seconds: (Int64(shop.id.text) ?? 0) * 10)
      return PinStatus(look: now < end ? 0 : 1, validUntil: now < end ? end : nil)
    }
    #expect(session.apply([.remove(1)]).validUntil == nil)
    #expect(session.tick(now: 5).validUntil == 20)
    #expect(session.apply([.upsert(shops[0])]).validUntil == 10)
    #expect(session.tick(now: 4).validUntil == 10)
  }

  @Test func `shows nothing before it knows what to show, and one of several with an id`() {
    let spot = PointSet.legal(34.7, 135.5)
    let twice = [
      BasicAnnotation(id: 1, name: "old", coordinate: spot),
      BasicAnnotation(id: 1, name: "new", coordinate: spot),
      BasicAnnotation(id: 2, coordinate: spot),
    ]
    let session = MapSession(twice)
    #expect(session.setFilter { _ in true }.isEmpty)
    _ = session.move(to: MapViewport(center: spot, zoom: 18, width: 100, height: 100))
    #expect(session.pins.map(\.name) == ["new", nil])
    let fan = session.fanOut(spacing: 40)
    #expect(fan.count == 2 && fan[1] != fan[2])
  }

  @Test func `keeps every pin that it can when a city is panned`() {
    var generator = SeededGenerator(seed: 4)
    let items = (0..<4_000).map { number in
      BasicAnnotation(
        id: AnnotationID(number),
        coordinate: PointSet.legal(
          37.5 + Double.random(in: -0.1...0.1, using: &generator),
          127 + Double.random(in: -0.1...0.1, using: &generator)))
    }
    let session = MapSession(items)
    var before: Set<AnnotationID> = []
    for step in 0..<200 {
      let center = PointSet.legal(37.45 + Double(step) * 5e-4, 126.95 + Double(step) * 3e-4)
      let change = session.move(
        to: MapViewport(center: center, zoom: 15.2, width: 1280, height: 800))
      let now = Set(session.pins.map(\.id))
      #expect(Set(change.pins.kept.map(\.id)) == now.intersection(before))
      #expect(Set(change.pins.added.map(\.id)) == now.subtracting(before))
      before = now
    }
    #expect(!before.isEmpty)
  }
}

enum MapSessionTestItem {
  /// An annotation whose number decides its kind and days, at one of some thousand spots.
  static func make(
    _ number: Int, _ center: Coordinate, hasShapes: Bool = false,
    _ generator: inout SeededGenerator
  ) -> BasicAnnotation {
    let day = CalendarDate(year: 2026, month: 11, day: 1 + number % 3)
    func near(_ degrees: Double) -> Double {
      ((degrees + Double.random(in: -0.02...0.02, using: &generator)) * 1e3).rounded() / 1e3
    }
    func place() -> Coordinate {
      PointSet.legal(near(center.latitude), Coordinate.wrappedLongitude(near(center.longitude)))
    }
    let coordinate = number % 50 == 49 ? nil : place()
    // A line from the place that stands for it to another.
    let shape =
      hasShapes && number % 4 == 1
      ? coordinate.map { GroundShape(lines: [Polyline([$0, place()])]) } : nil
    return BasicAnnotation(
      id: AnnotationID(number),
      name: number % 9 == 0 ? "shop \(UInt8.random(in: 0...9, using: &generator))" : nil,
      kind: number % 2 == 0 ? .deal : .mart,
      coordinate: coordinate, shape: shape,
      validDates: number % 3 == 0 ? [DateSpan(first: day, last: day)] : [])
  }
}
