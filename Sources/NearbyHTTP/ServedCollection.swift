import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

/// Stores what clients write: a change is on disk when `apply` returns.
package protocol AnnotationKeeping: Sendable {
  /// Inserts annotations or replaces those with their ids, and removes others: all of it or nothing.
  ///
  /// - Parameters:
  ///   - deadline: How long to wait while another program writes; past it, it is tried once.
  ///   - change: Returns what to put and what to remove. It is called once, while nobody else can write, with all
  ///     annotations if someone else has changed some since they were last read, and otherwise with nil.
  /// - Throws: Why nothing was stored.
  func apply(
    by deadline: ContinuousClock.Instant,
    _ change: (_ news: ImportedAnnotations?) -> (
      putting: [ImportedAnnotation], removing: [AnnotationID]
    )
  ) throws(ReportedError)
}

/// Annotations that a server offers under one name.
public final class ServedCollection: Sendable {
  /// Its segment in URLs: letters, digits, `-`, `_` and `.`, or percent-encoded.
  public let name: String
  /// The title shown to people.
  public let title: String
  let feed: LiveFeed
  private let keeper: (any AnnotationKeeping)?
  /// When the server started, in milliseconds; part of entity tags.
  private let epoch: Int64
  private let current: SharedValue<CollectionState>
  /// Has the annotations where clients can write; otherwise nil.
  private let live: LiveAnnotationIndex<ImportedAnnotation>?
  /// Held by one change at a time.
  private let turn = SharedValue(0)

  /// A collection that clients can read, and can write where there is a keeper.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(
    name: String, title: String, _ annotations: ImportedAnnotations,
    keeper: (any AnnotationKeeping)? = nil, began: Instant
  ) {
    self.name = name
    self.title = title
    self.keeper = keeper
    epoch = began.milliseconds
    feed = LiveFeed(firstNumber: ServedCollection.number(epoch, 0))
    let annotations = annotations.withOwnNames
    live = keeper == nil ? nil : LiveAnnotationIndex(annotations)
    let index: any ServedIndex = live?.snapshot ?? ServedCollection.index(annotations)
    current = SharedValue(CollectionState(index, of: annotations, version: 0, epoch: epoch))
  }

  private static func index(_ annotations: ImportedAnnotations) -> any ServedIndex {
    AnnotationIndex(annotations, shortcuts: annotations.idsAscend ? .idsAscend : [])
  }

  /// The collection as it is now.
  var state: CollectionState { current.withLock { $0 } }

  /// The number of a change, from a text that is this number or the version that the change led to.
  ///
  /// - Returns: 0 for a version of an earlier start of the server: changes since then are not kept. nil for other texts.
  func change(named text: String) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return wholeNumber(text) }
    guard parts[0] == String(epoch, radix: 36), let version = Int(parts[1], radix: 36),
      (0...state.version).contains(version)
    else { return 0 }
    return ServedCollection.number(epoch, version)
  }

  /// The number of the change that led to a state.
  func change(to state: CollectionState) -> Int { ServedCollection.number(epoch, state.version) }

  /// The number of the change that led to a version: each version has one.
  private static func number(_ epoch: Int64, _ version: Int) -> Int { Int(epoch) * 1_000 + version }

  /// Whether clients can write.
  public var isWritable: Bool { keeper != nil }

  /// The annotation with an id; nil where there is none.
  func annotation(_ id: AnnotationID) throws(QueryError) -> ImportedAnnotation? {
    if let live { return live.annotation(id) }
    var query = NearbyQuery()
    query.condition = .comparison(.field(.common(.id)), .equal, .literal(.text(id.text)))
    // Texts are equal if they are canonically equivalent, ids only if their bytes are.
    return try state.index.answer(query).first(where: { $0.annotation.id == id })?.annotation
  }

  /// Replaces the annotations by what the source has now, while requests go on.
  ///
  /// - Parameter load: Reads the source; nil if it is as it was. Clients' writes wait for it: one between reading and
  ///   replacing would be in the store but not be shown.
  /// - Returns: How many annotations are new or changed, and how many are gone.
  @discardableResult
  public func replace<Failure: Error>(
    with load: () throws(Failure) -> ImportedAnnotations?
  ) throws(Failure) -> (changed: Int, removed: Int) {
    try turn.withLock { (_) throws(Failure) in try load().map { show($0) } ?? (0, 0) }
  }

  /// Shows all annotations as someone else has changed them, and publishes what differs; for one task at a time.
  private func show(_ annotations: ImportedAnnotations) -> (changed: Int, removed: Int) {
    let old = state
    let annotations = annotations.withOwnNames
    let before = digests(of: old.index.everything)
    let after = digests(of: annotations)
    guard before != after else { return (0, 0) }
    var changed = annotations.filter { before[$0.id] != after[$0.id] }
    if live != nil {
      // Of several with one id, the last is shown.
      let last = Dictionary(changed.enumerated().map { ($1.id, $0) }) { $1 }
      changed = changed.enumerated().filter { last[$1.id] == $0 }.map(\.element)
    }
    let gone = before.keys.filter { after[$0] == nil }.sorted()
    let index: any ServedIndex =
      live.map { live in
        live.apply(changed.map { .upsert($0) } + gone.map { .remove($0) })
      } ?? ServedCollection.index(annotations)
    publish(
      CollectionState(index, of: annotations, version: old.version + 1, epoch: epoch), changed,
      gone)
    return (changed.count, gone.count)
  }

  /// A hash of everything that is shown of each id: of all annotations that have it, or, where clients can write, of the
  /// last.
  private func digests(of annotations: some Sequence<ImportedAnnotation>) -> [AnnotationID: UInt64]
  {
    var digests: [AnnotationID: UInt64] = [:]
    for annotation in annotations {
      let digest = annotation.digest
      if live == nil, let others = digests[annotation.id] {
        digests[annotation.id] = (others &* 0x100_0000_01B3) ^ digest
      } else {
        digests[annotation.id] = digest
      }
    }
    return digests
  }

  /// Writes what a client sends: stored first, then shown, then published.
  ///
  /// What is as it was is no change. If someone else has changed the store, that is shown first.
  ///
  /// - Parameters:
  ///   - deadline: How long to wait while another program writes.
  ///   - check: Checks the current annotations, while nobody else can change them.
  /// - Returns: What was there before, for each annotation that was put and then for each that was removed, and how
  ///   many of those that were put are new or changed.
  func write(
    putting annotations: [ImportedAnnotation], removing ids: [AnnotationID],
    by deadline: ContinuousClock.Instant,
    check: (_ now: [ImportedAnnotation?]) -> Problem?
  ) throws(Problem) -> (held: [ImportedAnnotation?], changed: Int) {
    guard let keeper, let live else {
      throw Problem(
        405, "read-only",
        "collection \(name) is read only; only layers of stores can be written to",
        headers: [("allow", "GET, HEAD, OPTIONS")])
    }
    return try turn.withLock { (_) throws(Problem) in
      var held: [ImportedAnnotation?] = []
      var problem: Problem?
      var changed: [ImportedAnnotation] = []
      var gone: [AnnotationID] = []
      do throws(ReportedError) {
        try keeper.apply(by: deadline) { news in
          if let news { _ = show(news) }
          held = (annotations.map(\.id) + ids).map { live.annotation($0) }
          problem = check(held)
          guard problem == nil else { return ([], []) }
          changed = zip(annotations, held).filter { $0.digest != $1?.digest }.map(\.0)
          gone = zip(ids, held.suffix(ids.count)).filter { $1 != nil }.map(\.0)
          return (changed, gone)
        }
      } catch {
        // Someone else is writing, the disk is full, or the store or its layer is not as it was: it may be so later.
        let isPassing =
          error.fault == .cannotWrite
          || ["unknown-layer", "column-missing", "layer-unreadable"].contains(error.code)
        throw isPassing ? .busy(error.code, "\(error)", after: 5) : Problem(500, error)
      }
      if let problem { throw problem }
      guard !changed.isEmpty || !gone.isEmpty else { return (held, 0) }
      let before = (changed.map(\.id) + gone).compactMap { live.annotation($0) }
      let snapshot = live.apply(changed.map { .upsert($0) } + gone.map { .remove($0) })
      let old = state
      publish(
        CollectionState(
          snapshot, version: old.version + 1, epoch: epoch,
          extent: old.extent(changing: before + changed),
          fields: ServedField.fields(of: changed, without: before, besides: old.fields)),
        changed, gone)
      return (held, changed.count)
    }
  }

  private func publish(
    _ state: CollectionState, _ changed: [ImportedAnnotation], _ gone: [AnnotationID]
  ) {
    feed.publish(CollectionChange(changed: changed, removed: gone, version: state.tag)) {
      current.withLock { $0 = state }
    }
  }
}

extension ImportedAnnotation {
  /// The box around it; nil without a position.
  var box: BoundingBox? { CollectionOfOne(self).extent }

  /// Its feature, as in responses.
  ///
  /// - Parameter isNamed: Whether it has `name` and `kind` whatever its source calls these, as maps need them.
  func servedFeature(
    distance: Distance? = nil, bearing: Double? = nil, isNamed: Bool = false
  ) -> Feature {
    var served = drawnFeature(
      keeping: nil, distance: distance, bearing: bearing, isStyled: false, isNamed: isNamed)
    guard let own = feature else { return served }
    // So that a client that reads a feature, changes it and puts it back loses nothing.
    served.bbox = own.bbox
    served.foreignMembers = own.foreignMembers
    return served
  }

  /// A hash of everything that it says: FNV-1a of its feature.
  var digest: UInt64 {
    var json = JSONWriter()
    json.served([self])
    return json.bytes.fnvHash
  }
}
