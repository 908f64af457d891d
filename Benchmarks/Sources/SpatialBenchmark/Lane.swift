import Stopwatches

/// What takes its turn: one engine at one operation.
struct Lane {
  let kind: any PeerKind
  let operation: Operation
  let answering: Answering
  var row: Row
  private(set) var digest = AnswerDigest()
  /// The first question whose answer is not nearest first, as far as that was looked at.
  private(set) var firstDisorder: Int?
  /// Of so many questions the order is looked at; the digest does not see it.
  private static let orderedQueries = 100
  /// How many questions fit into the budget, and where they begin.
  private var queries = 0
  private var first = 0

  init(kind: any PeerKind, operation: Operation, answering: Answering) {
    self.kind = kind
    self.operation = operation
    self.answering = answering
    row = Row(
      peer: kind.name, operation: operation.name, name: operation.rowName(kind.measure),
      unit: .nanoseconds)
  }

  /// Answers the first thousand questions for their digest, and sees how long one takes.
  mutating func check(
    _ data: DataSet, budget: Double, by stopwatch: Stopwatch,
    into ids: UnsafeMutablePointer<UInt32>
  ) async {
    let available = operation.queryCount(in: data)
    let checked = min(AnswerDigest.queryLimit, available)
    first = operation.firstQuery(in: data)
    let start = stopwatch.seconds
    switch answering {
    case .each(let answer):
      for query in 0..<checked {
        let count = answer(first + query, ids)
        take(UnsafeBufferPointer(start: ids, count: count), query, of: data)
      }
    case .lent(let answer):
      for query in 0..<checked { take(answer(first + query), query, of: data) }
    case .all(let answer):
      let count = await answer(checked, ids)
      for query in 0..<checked {
        take(UnsafeBufferPointer(start: ids + query * count, count: count), query, of: data)
      }
    }
    let each = stopwatch.seconds(since: start) / Double(max(1, checked))
    // A clock may not have moved meanwhile.
    queries = max(1, Int(min(Double(available), budget / each)))
    row.checksum = digest.total
    row.checked = digest.sums.count
  }

  private mutating func take(
    _ ids: UnsafeBufferPointer<UInt32>, _ query: Int, of data: DataSet
  ) {
    digest.append(ids, of: data)
    guard operation.limit != nil, query < Lane.orderedQueries, firstDisorder == nil else { return }
    if !kind.measure.isNearestFirst(ids, query: first + query, in: data) { firstDisorder = query }
  }

  /// Runs one round.
  mutating func time(
    by stopwatch: Stopwatch, into ids: UnsafeMutablePointer<UInt32>
  ) async {
    var found = 0
    let start = stopwatch.seconds
    switch answering {
    case .each(let answer):
      for query in 0..<queries { found &+= answer(first + query, ids) }
    case .lent(let answer):
      for query in 0..<queries { found &+= answer(first + query).count }
    case .all(let answer):
      found = await answer(queries, ids)
    }
    let seconds = stopwatch.seconds(since: start)
    precondition(found >= 0, "an engine found \(found) ids")
    row.samples.append(seconds * 1e9 / Double(queries))
  }
}
