/// What is timed: one operation is one question, of which a data set holds a thousand or more.
enum Operation: Hashable {
  /// The k nearest ids, nearest first.
  case nearest(Int)
  /// The k nearest ids, asked from all over the Earth.
  case far(Int)
  /// The k nearest with their distances in meters.
  case nearestMeters(Int)
  /// The k nearest of all questions in one call.
  case nearestBatch(Int, threads: Int)
  /// The ids inside a box that holds about so many, borders included.
  case box(Int)
  /// The ids within a distance.
  case radius(meters: Double)
  /// The 10 nearest of one of the three common categories, in turns.
  case nearestOfThird
  /// The 10 nearest of the category that one in a thousand belongs to.
  case nearestRare

  static let all: [Operation] = [
    .nearest(1), .nearest(3), .nearest(10), .nearest(100), .far(1), .far(10), .nearestMeters(10),
    .nearestBatch(10, threads: 1), .nearestBatch(10, threads: 2), .box(10), .box(100),
    .box(10_000), .radius(meters: 300), .radius(meters: 1_000), .radius(meters: 5_000),
    .nearestOfThird, .nearestRare,
  ]

  /// The name of its row, without what a measure adds to it.
  var name: String {
    switch self {
    case .nearest(let k): "knn\(k)"
    case .far(let k): "far\(k)"
    case .nearestMeters(let k): "knn\(k)_meters"
    case .nearestBatch(let k, let threads):
      threads == 1 ? "knn\(k)_batch" : "knn\(k)_batch_\(threads)t"
    case .box(let size): "bbox\(size)"
    case .radius(let meters): meters < 1_000 ? "rad\(Int(meters))m" : "rad\(Int(meters / 1_000))km"
    case .nearestOfThird: "knn10_cat3"
    case .nearestRare: "knn10_rare"
    }
  }

  /// The name of its row when a peer with this measure answers.
  ///
  /// An engine on WGS 84 has other circles than one on the sphere, and an engine that knows one
  /// meridian at ±180° has other boxes than one that takes degrees for a plane.
  func rowName(_ measure: Measure) -> String {
    switch self {
    case .radius where measure == .wgs84: name + "_wgs84"
    case .box where measure == .wgs84: name + "_folded"
    default: name
    }
  }

  /// How many are asked for; nil where the question says it by a place.
  var limit: Int? {
    switch self {
    case .nearest(let k), .far(let k), .nearestMeters(let k), .nearestBatch(let k, _): k
    case .nearestOfThird, .nearestRare: 10
    case .box, .radius: nil
    }
  }

  /// How many threads share the work.
  var threads: Int { if case .nearestBatch(_, let threads) = self { threads } else { 1 } }

  /// The category that a question asks for; nil for any.
  func category(query: Int) -> UInt32? {
    switch self {
    case .nearestOfThird: UInt32(query % 3)
    case .nearestRare: 3
    default: nil
    }
  }

  /// The operation that has the same ids for an answer.
  var judgedAs: Operation {
    switch self {
    case .nearestMeters(let k), .nearestBatch(let k, _): .nearest(k)
    default: self
    }
  }

  /// Where its questions begin among those of a data set.
  func firstQuery(in data: DataSet) -> Int {
    if case .far = self { data.queryCount } else { 0 }
  }

  /// How many questions of it a data set has.
  func queryCount(in data: DataSet) -> Int {
    switch self {
    case .box(let size): (data.boxes[size]?.count ?? 0) / 4
    case .radius(meters: 5_000): min(1_000, data.queryCount)
    case .far: data.farOrigins.count
    default: data.queryCount
    }
  }
}
