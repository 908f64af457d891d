import Geodesy
import MapAnnotations

/// Keeps track of what is on screen and says for every change what to add, remove, redraw and leave
/// alone: for 3,000 pins that must not flicker and need no second, hidden map.
///
///     let session = MapSession(deals)
///     let first = session.move(to: screen)
///     let later = session.setSegment(.on(today))
///     map.remove(later.pins.removed)
///     map.add(later.pins.added)
///
/// Annotations are identified by id; if several have the same id, the last counts. One that is on
/// screen before and after is *updated* if it looks different or `isSame` returns false.
///
/// **From many tasks.** Any number of tasks may call. Each change builds on the one before, and
/// ``MapChange/number`` counts them, from 1 without gaps: draw them in that order. No call waits
/// for another; if one comes first, the other compares again with what is on screen then, and calls
/// the closures again if the annotations have changed.
///
/// **From inside.** No lock is held while a closure runs, so it may read the session: it sees the
/// state before the step it is part of. A change that it makes is refused: nothing happens, and
/// ``MapChange/isRefused`` of the result is true.
///
/// - Complexity: of a step, that of the view and of what it shows; a live change copies the order,
///   15 µs for each thousand annotations, however many of them change.
public final class MapSession<Item: Annotation>: Sendable {
  private let isSame: @Sendable (Item, Item) -> Bool
  private let state: SharedValue<State>

  private struct State: Sendable {
    var content: MapContent<Item>
    var screen = MapScreen<Item>()
    /// The number of the last request.
    var requestNumber = 0
    /// How often this was changed, and how often what there is to show.
    var stepCount = 0, contentCount = 0
  }

  /// Begins with annotations and nothing shown.
  ///
  /// - Parameters:
  ///   - annotations: What there is to show.
  ///   - rule: Which of them are drawn as one.
  ///   - aggregates: What `index` sums up; read again with every live change.
  ///   - now: The instant at which the session begins.
  ///   - status: What time does to an annotation: whether it is shown and how it is drawn, and until
  ///     when that holds. It must say the same of the same annotation and instant.
  ///   - isSame: Whether nothing that is shown is different of two annotations with one id; by default
  ///     what `Annotation.isSame(as:)` says, which is `==` for `Equatable` types.
  ///   - optsOut: Which are never drawn with others.
  public init(
    _ annotations: some Sequence<Item>, rule: ClusterRule = ClusterRule(),
    aggregates: ClusterAggregates = ClusterAggregates(), now: Instant = Instant(seconds: 0),
    status: @escaping @Sendable (Item, Instant) -> PinStatus = { _, _ in PinStatus() },
    isSame: @escaping @Sendable (_ old: Item, _ new: Item) -> Bool = { $0.isSame(as: $1) },
    optsOut: (@Sendable (Item) -> Bool)? = nil
  ) {
    let data = MapData(annotations, rule: rule, aggregates: aggregates, optsOut: optsOut)
    self.isSame = isSame
    state = SharedValue(State(content: MapContent(data, now: now, status: status)))
  }

  /// What the session knows now; what is asked of it is asked without the lock.
  private var snapshot: State { state.withLock { $0 } }

  /// The pins on screen, in the order of their places.
  public var pins: [Item] { snapshot.screen.shownPins }
  /// The clusters on screen, in the order of their cells.
  public var clusters: [MapCluster] { snapshot.screen.view?.clusters ?? [] }
  /// The index behind the screen, for a cluster's children, leaves and sums.
  ///
  /// It holds every annotation, also those that are filtered out; `selection` is what is left.
  /// Removed annotations may still be in its `annotations`, at offsets that no answer gives.
  public var index: ClusterIndex<[Item]> { snapshot.content.data.index }
  /// What segment, filter and time let through, for questions to `index`.
  public var selection: ClusterSelection { snapshot.content.selection }

  // MARK: Changes

  /// Shows another part of the Earth.
  public func move(to viewport: MapViewport) -> MapChange<Item> {
    change(to: viewport)
  }

  /// Shows another part of the Earth and another segment in one step.
  public func change(to viewport: MapViewport, _ segment: MapSegment<Item>) -> MapChange<Item> {
    change(to: viewport) { $0.setSegment(segment) }
  }

  /// Shows another segment: of today, of all days.
  public func setSegment(_ segment: MapSegment<Item>) -> MapChange<Item> {
    change { $0.setSegment(segment) }
  }

  /// Shows only what passes a filter; nil for all.
  public func setFilter(_ isIncluded: (@Sendable (Item) -> Bool)?) -> MapChange<Item> {
    change { $0.setFilter(isIncluded) }
  }

  /// Lets time pass: asks for the status of annotations again if their last one has ended.
  ///
  /// If time goes back, it asks for all.
  public func tick(now: Instant) -> MapChange<Item> {
    change { $0.tick(now: now) }
  }

  /// Applies live changes, in their order and as a whole.
  public func apply(_ edits: some Collection<MapEdit<Item>>) -> MapChange<Item> {
    change { $0.apply(edits) }
  }

  /// Puts other annotations into the place of all, as of a source that was read again.
  public func replaceAll(by annotations: some Sequence<Item>) -> MapChange<Item> {
    guard !CallerScope.isInside(self) else { return refusal }
    let data = data(of: annotations)
    return change { $0.replaceAll(by: data) }
  }

  private func data(of annotations: some Sequence<Item>) -> MapData<Item> {
    let old = snapshot.content.data
    return CallerScope.run(self) { old.made(of: annotations) }
  }

  private func change(
    to viewport: MapViewport? = nil, _ edit: ((inout MapContent<Item>) -> Void)? = nil
  ) -> MapChange<Item> {
    step(to: viewport, edit) ?? refusal
  }

  private var refusal: MapChange<Item> { snapshot.screen.unchanged(isRefused: true) }

  /// Works a step out beside the session and puts it in place, unless another came before; then again.
  ///
  /// - Returns: nil from inside of a step, and where the request is not the last one.
  private func step(
    to viewport: MapViewport? = nil, answering request: MapRequest? = nil,
    _ edit: ((inout MapContent<Item>) -> Void)?
  ) -> MapChange<Item>? {
    guard !CallerScope.isInside(self) else { return nil }
    return CallerScope.run(self) {
      var base = snapshot
      var content = base.content
      edit?(&content)
      while true {
        if let request, request.number != base.requestNumber { return nil }
        var next = base
        next.content = content
        if let viewport { next.screen.viewport = viewport }
        let change = next.screen.show(content, isSame: isSame)
        next.stepCount += 1
        if edit != nil { next.contentCount += 1 }
        if put(&next, after: base.stepCount) { return change }
        let count = base.contentCount
        base = snapshot
        if base.contentCount != count {
          content = base.content
          edit?(&content)
        }
      }
    }
  }

  /// Exchanges what the session knows, so that what it knew ends without the lock: that end may be the
  /// caller's code.
  private func put(_ next: inout State, after stepCount: Int) -> Bool {
    state.withLock { state in
      guard state.stepCount == stepCount else { return false }
      swap(&state, &next)
      return true
    }
  }

  // MARK: Answers that come late

  /// Notes that annotations for a viewport have been requested, for example from a server.
  ///
  /// Whatever changes meanwhile is shown for this viewport already. From inside of a step nothing is noted,
  /// and the answer comes too late.
  public func request(_ viewport: MapViewport) -> MapRequest {
    guard !CallerScope.isInside(self) else { return MapRequest(viewport: viewport, number: -1) }
    return state.withLock { state in
      state.requestNumber += 1
      state.stepCount += 1
      state.screen.viewport = viewport
      return MapRequest(viewport: viewport, number: state.requestNumber)
    }
  }

  /// Replaces all annotations with the answer to the last request.
  ///
  /// - Returns: nil where another request was made since: the answer comes too late, and nothing changes.
  ///   Moves, filters and other changes do not make it late; the answer is shown as they left the screen.
  ///   nil, too, from inside of a step.
  public func receive(
    _ annotations: some Sequence<Item>, for request: MapRequest
  ) -> MapChange<Item>? {
    guard request.number == snapshot.requestNumber, !CallerScope.isInside(self) else { return nil }
    let data = data(of: annotations)
    return step(answering: request) { $0.replaceAll(by: data) }
  }

  /// The offsets in pixels of those pins on screen that share their spot with other annotations; to draw
  /// them, not to move them.
  public func fanOut(spacing: Double = 40) -> [AnnotationID: FanOut.Offset] {
    let state = snapshot
    guard let view = state.screen.view else { return [:] }
    let data = state.content.data
    var offsets: [AnnotationID: FanOut.Offset] = [:]
    for stack in data.index.stacks(in: view) {
      let fan = FanOut(count: stack.size, spacing: spacing)
      for (annotation, slot) in zip(stack.annotations, stack.slots) {
        offsets[data.items[annotation].id] = fan[slot]
      }
    }
    return offsets
  }
}

/// What time does to a pin.
public struct PinStatus: Hashable, Sendable {
  /// Whether it is shown at all.
  public var isShown: Bool
  /// Whatever a pin is drawn differently by: 0 for open, 1 for closed.
  ///
  /// A pin whose look changes is updated, not removed.
  public var look: Int
  /// The instant from which on this may be otherwise; nil for never.
  public var validUntil: Instant?

  /// Says what holds, by default for ever.
  public init(isShown: Bool = true, look: Int = 0, validUntil: Instant? = nil) {
    self.isShown = isShown
    self.look = look
    self.validUntil = validUntil
  }
}

/// A part of the annotations that a control of the map chooses: today's deals, all deals.
public struct MapSegment<Item: Annotation>: Sendable {
  let isIncluded: (@Sendable (Item) -> Bool)?

  /// A segment of what a predicate lets pass.
  public init(where isIncluded: @escaping @Sendable (Item) -> Bool) { self.isIncluded = isIncluded }

  private init() { isIncluded = nil }

  /// Whether everything passes.
  public var isAll: Bool { isIncluded == nil }

  /// Whether an annotation passes.
  public func includes(_ item: Item) -> Bool { isIncluded?(item) ?? true }

  /// Everything.
  public static var all: MapSegment { MapSegment() }

  /// What holds on a day, by its dates and sessions.
  public static func on(_ day: CalendarDate) -> MapSegment { days(.on(day), today: day) }

  /// What holds on any of some days, by its dates and sessions, or may: what was not understood stays
  /// visible.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - today: The place's own date. After midnight the segment is out of date; set it again.
  public static func days(_ days: DateSegment, today: CalendarDate) -> MapSegment {
    days == .all ? .all : MapSegment { $0.holds(in: days, today: today) ?? true }
  }

  /// What is of one of some kinds.
  public static func kinds(_ kinds: Set<AnnotationKind>) -> MapSegment {
    MapSegment { $0.kind.map(kinds.contains) ?? false }
  }
}

/// One live change.
public enum MapEdit<Item: Annotation>: Sendable {
  /// Puts an annotation in the place of the one with its id, or adds it.
  case upsert(Item)
  /// Removes the annotation with an id; nothing happens where there is none.
  case remove(AnnotationID)
}

extension MapEdit: Equatable where Item: Equatable {}

/// A question whose answer may come late.
public struct MapRequest: Hashable, Sendable {
  /// What is to be shown.
  public let viewport: MapViewport
  let number: Int
}
