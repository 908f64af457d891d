import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

// Past changes since an event, and streams of those to come: of a collection, and at a fence.
extension NearbyService {
  /// The changes since an event number: features to insert or replace, and ids to remove.
  func diff(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let understood = try understood(asked, .diff, state)
    guard let since = try asked.request.parameters.get().one("since"),
      let number = collection.change(named: since)
    else {
      throw Problem(
        400, "missing-since",
        "say after which change: since=\(state.tag), the X-Nearby-Version of an answer, or the "
          + "number of an event", parameter: "since")
    }
    // The answer ends at the state whose version it names: a client that asks for changes since that version gets the
    // later ones.
    let reached = collection.change(to: state)
    guard
      let events = collection.feed.events(behind: number)?.prefix(while: { $0.number <= reached }),
      !events.contains(where: { $0.name == "reset" })
    else {
      throw Problem(
        410, "since-gone",
        "changes since \(since) are no longer kept; read the items again, then ask for since="
          + state.tag)
    }
    let filter = ChangeFilter(query: understood.query, context: context(state))
    let (upsert, remove) = filter.split(events.compactMap(\.change))
    var json = JSONWriter()
    json.beginObject()
    json.member("last", .integer(events.last?.number ?? number))
    json.changes(upsert: upsert, remove: remove)
    json.endObject()
    json.endLine()
    let content = Content(type: "application/json", bytes: json.bytes, until: understood.midnight)
    return kept(content, asked, of: collection, in: state)
  }

  /// A stream of the current state, and then of each change.
  func live(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let understood = try understood(asked, .live, state)
    let context = context(state)
    // Errors in the query are reported now, not in the stream.
    try checkFields(understood, state)
    var first = understood.query
    first.limit = ServerParameter.largestPage + 1
    let filter =
      understood.query == NearbyQuery()
      ? nil : ChangeFilter(query: understood.query, context: context)
    // A browser that reconnects sends its last event in a header; a new client may send one in the URL.
    let parameters = try asked.request.parameters.get()
    let last = (asked.request.headers["last-event-id"] ?? parameters.one("since"))
      .flatMap { collection.change(named: $0) }
    let wantsSnapshot = parameters.one("snapshot") != "false"
    let isNamed = parameters.one("named") != nil
    return try stream {
      collection.feed.listen(after: last) { event in
        guard filter != nil || isNamed, let change = event.change, event.name == "diff" else {
          return event.bytes
        }
        let (upsert, remove) =
          filter?.split([change]) ?? (upsert: change.changed, remove: change.removed)
        return LiveFeed.bytes(
          event.number, event.name,
          LiveFeed.data(upsert: upsert, remove: remove, change.version, isNamed: isNamed))
      } opening: { number in
        // No older than the events: a change in between comes twice, and none is missed.
        let now = collection.state
        guard wantsSnapshot else {
          return LiveFeed.bytes(number, "begin", Array(#"{"version":"\#(now.tag)"}"#.utf8))
        }
        guard let answer = try? now.index.answer(first, in: context),
          answer.count <= ServerParameter.largestPage
        else {
          let reason =
            #"{"reason":"more than \#(ServerParameter.largestPage) features; read the items, or ask in a bbox","version":"\#(now.tag)"}"#
          return LiveFeed.bytes(number, "reset", Array(reason.utf8))
        }
        return LiveFeed.bytes(
          number, "snapshot",
          LiveFeed.data(upsert: answer.map(\.annotation), remove: [], now.tag, isNamed: isNamed))
      }
    }
  }

  // MARK: Fences

  /// The fences that are watched.
  func fenceList(_ asked: Asked) throws(Problem) -> ServerAnswer {
    try asked.request.parameters.get().expect(.plain)
    var list: [PropertyValue] = []
    for fence in fences?.index.fences ?? [] {
      var members: Properties = ["id": .string(fence.id.text)]
      if let name = fence.name { members.append("name", .string(name)) }
      let address = "\(asked.base)/fences/\(fence.id.text.inPath)/events"
      members.append("links", .array([Link("events", "text/event-stream", address).value]))
      list.append(.object(members))
    }
    return document(asked, .object(["fences": .array(list)]))
  }

  /// The stream of who enters, leaves, crosses and stays, as it happens.
  func fenceEvents(_ asked: Asked, _ feed: LiveFeed) throws(Problem) -> ServerAnswer {
    try asked.request.parameters.get().expect(.plain)
    let last = asked.request.headers["last-event-id"].flatMap(wholeNumber)
    return try stream {
      feed.listen(
        after: last, write: { $0.bytes },
        opening: { LiveFeed.bytes($0, "begin", Array("{}".utf8)) })
    }
  }
}

/// Selects the changed annotations that match a client's query; the client must remove the others, if it has them.
struct ChangeFilter: Sendable {
  let query: NearbyQuery
  let context: QueryContext<ImportedAnnotation>

  /// What a client must insert or replace, and what it must remove, after some changes in their order.
  func split(
    _ changes: [CollectionChange]
  ) -> (upsert: [ImportedAnnotation], remove: [AnnotationID]) {
    // A change has all annotations of an id, of which a file may have several.
    var latest: [AnnotationID: [ImportedAnnotation]] = [:]
    for change in changes {
      latest.merge(Dictionary(grouping: change.changed, by: \.id)) { $1 }
      for id in change.removed { latest[id] = [] }
    }
    let ids = latest.keys.sorted()
    let there = ids.flatMap { latest[$0] ?? [] }
    // A field that none of these has may still be one of the collection's.
    let chosen =
      (try? AnnotationScan(there).offsets(matching: query, in: context)) ?? Array(there.indices)
    let upsert = chosen.map { there[$0] }
    let kept = Set(upsert.map(\.id))
    return (upsert, ids.filter { !kept.contains($0) })
  }
}
