import Geodesy
import MapAnnotations

/// Keeps track of the contents of the screen and returns for every change what to add, remove,
/// redraw and leave alone: 3,000 pins do not flicker and need no second, hidden map.
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
/// **From many tasks.** Any number of tasks may call. Each change builds on the previous one, and
/// ``MapChange/number`` counts them, from 1 without gaps: draw them in that order. No call waits
/// for another; if another call finishes first, a call compares again with the new contents, and
/// calls the closures again if the annotations have changed.
///
/// **From inside.** No lock is held while a closure runs, so it may read the session: it sees the
/// state before the current step. A change that it makes is refused: nothing happens, and
/// ``MapChange/isRefused`` of the result is true.
///
/// - Complexity: for a step, that of the view and its contents; a live change copies the order, 15
///   µs for each thousand annotations, however many of them change.
public final class MapSession<Item: Annotation>: Sendable {
  private let isSame: @Sendable (Item, Item) -> Bool
  private let state: SharedValue<State>

  private struct State: Sendable {
    var content: MapContent<Item>
    var screen = MapScreen<Item>()
    /// The number of the last request.
    var requestNumber = 0
    /// The number of changes of this state, and of its content.
    var stepCount = 0, contentCount = 0
  }

  /// Makes a session with annotations and an empty screen.
  ///
  /// - Parameters:
  ///   - annotations: The annotations to show.
  ///   - rule: The rule for forming clusters.
  ///   - aggregates: The sums of the index of `clustering`; computed again with every live change.
  ///   - now: The time at which the session begins.
  ///   - status: The effect of time on an annotation: whether it is shown and how it is drawn, and until when that is
  ///     valid. It must always return the same for the same annotation and instant.
  ///   - isSame: Whether two annotations with the same id look the same; by default `Annotation.isSame(as:)`, which is
  ///     `==` for `Equatable` types.
  ///   - optsOut: Whether an annotation is never clustered.
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

  /// The current state, read under the lock and used without it.
  private var snapshot: State { state.withLock { $0 } }

  /// The pins on screen, in the order of their positions.
  public var pins: [Item] { snapshot.screen.shownPins }
  /// The clusters on screen, in the order of their cells.
  public var clusters: [MapCluster] { snapshot.screen.view?.clusters ?? [] }
  /// The index behind the screen, for a cluster's children, leaves and sums, and the annotations in it that segment,
  /// filter and time include.
  ///
  ///     let (index, selection) = session.clustering
  ///     let leaves = index.leaves(of: cluster.id, selection: selection)
  ///
  /// Both are of one moment; read them together, because a selection fits only the index that it was made for.
  /// The index contains every annotation, including filtered ones. Removed annotations may still be in its
  /// `annotations`, at offsets that no result contains.
  public var clustering: (index: ClusterIndex<[Item]>, selection: ClusterSelection) {
    let content = snapshot.content
    return (content.data.index, content.selection)
  }

  // MARK: Changes

  /// Moves the screen to another viewport.
  public func move(to viewport: MapViewport) -> MapChange<Item> {
    change(to: viewport)
  }

  /// Moves the screen and sets the segment in one step.
  public func change(to viewport: MapViewport, _ segment: MapSegment<Item>) -> MapChange<Item> {
    change(to: viewport) { $0.setSegment(segment) }
  }

  /// Sets the segment, such as today or all days.
  public func setSegment(_ segment: MapSegment<Item>) -> MapChange<Item> {
    change { $0.setSegment(segment) }
  }

  /// Sets a filter; nil shows all.
  public func setFilter(_ isIncluded: (@Sendable (Item) -> Bool)?) -> MapChange<Item> {
    change { $0.setFilter(isIncluded) }
  }

  /// Advances the time: asks for the status of annotations whose last one has ended.
  ///
  /// If time goes back, it asks for all.
  public func tick(now: Instant) -> MapChange<Item> {
    change { $0.tick(now: now) }
  }

  /// Applies live changes in order, as one step.
  public func apply(_ edits: some Collection<MapEdit<Item>>) -> MapChange<Item> {
    change { $0.apply(edits) }
  }

  /// Replaces all annotations, for example after reading a source again.
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

  private var refusal: MapChange<Item> {
    let state = snapshot
    return state.screen.unchanged(isRefused: true, validUntil: state.content.nextChange)
  }

  /// Computes a step outside the lock and stores it, repeating the computation if another step was stored first.
  ///
  /// - Returns: nil from inside a step, and if the request is not the last one.
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

  /// Swaps the state, so that the old one is released outside the lock: releasing it may run the
  /// caller's code.
  private func put(_ next: inout State, after stepCount: Int) -> Bool {
    state.withLock { state in
      guard state.stepCount == stepCount else { return false }
      swap(&state, &next)
      return true
    }
  }

  // MARK: Late answers

  /// Records that annotations for a viewport have been requested, for example from a server.
  ///
  /// All changes from now on are shown for this viewport. From inside a step nothing is recorded,
  /// and the answer counts as too late.
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
  /// - Returns: nil if another request was made since: the answer is too late, and nothing changes.
  ///   Moves, filters and other changes do not make it late; the answer is shown on the current
  ///   screen. Also nil from inside a step.
  public func receive(
    _ annotations: some Sequence<Item>, for request: MapRequest
  ) -> MapChange<Item>? {
    guard request.number == snapshot.requestNumber, !CallerScope.isInside(self) else { return nil }
    let data = data(of: annotations)
    return step(answering: request) { $0.replaceAll(by: data) }
  }

  /// The offsets in pixels of the pins on screen that share their position with other annotations;
  /// for drawing only.
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

/// The effect of time on a pin.
public struct PinStatus: Hashable, Sendable {
  /// Whether the pin is shown.
  public var isShown: Bool
  /// A number for the appearance of a pin: 0 for open, 1 for closed.
  ///
  /// A pin whose look changes is updated, not removed.
  public var look: Int
  /// The instant at which this status may change; nil for never.
  public var validUntil: Instant?

  /// Makes a status, by default permanent.
  public init(isShown: Bool = true, look: Int = 0, validUntil: Instant? = nil) {
    self.isShown = isShown
    self.look = look
    self.validUntil = validUntil
  }
}

/// A subset of the annotations that a control of the map selects: today's deals, all deals.
public struct MapSegment<Item: Annotation>: Sendable {
  let isIncluded: (@Sendable (Item) -> Bool)?

  /// Makes a segment from a predicate.
  public init(where isIncluded: @escaping @Sendable (Item) -> Bool) { self.isIncluded = isIncluded }

  private init() { isIncluded = nil }

  /// Whether the segment includes an annotation.
  public func includes(_ item: Item) -> Bool { isIncluded?(item) ?? true }

  /// All annotations.
  public static var all: MapSegment { MapSegment() }

  /// Annotations valid on a day, by their dates and sessions.
  public static func on(_ day: CalendarDate) -> MapSegment { days(.on(day), today: day) }

  /// Annotations that are or may be valid on some days, by their dates and sessions; texts that
  /// were not understood keep an annotation visible.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - today: The place's own date. After midnight the segment is out of date; set it again.
  public static func days(_ days: DateSegment, today: CalendarDate) -> MapSegment {
    days == .all ? .all : MapSegment { $0.holds(in: days, today: today) ?? true }
  }

  /// Annotations of some kinds.
  public static func kinds(_ kinds: Set<AnnotationKind>) -> MapSegment {
    MapSegment { $0.kind.map(kinds.contains) ?? false }
  }
}

/// One live change.
public enum MapEdit<Item: Annotation>: Sendable {
  /// Adds an annotation, or replaces the one with its id.
  case upsert(Item)
  /// Removes the annotation with an id, if there is one.
  case remove(AnnotationID)
}

extension MapEdit: Equatable where Item: Equatable {}

/// A request whose answer may come late.
public struct MapRequest: Hashable, Sendable {
  /// The requested viewport.
  public let viewport: MapViewport
  let number: Int
}
