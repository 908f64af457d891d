import Geodesy

/// The last answers to far queries of a batch, each of which also answers the queries from around its origin.
///
/// From far away, neighbors mostly have one answer: a third of the places of the world have one postcode of the whole
/// United Kingdom nearest to them. And a far search takes ten times as long as a near one.
struct HeldAnswers {
  private struct Answer {
    /// The query that it answers.
    var question = 0
    /// Its origin, in degrees.
    var latitude = 0.0, longitude = 0.0
    /// The cosine of the latitude.
    var cosine = 0.0
    /// How far the origin may move, in meters.
    var clearance = 0.0
    /// The distance of the farthest position, in meters.
    var reached = 0.0

    /// An upper bound of the distance of a position from the origin, in meters.
    func way(to position: Coordinate) -> Double {
      let radian = Double.pi / 180
      let rise = abs(position.latitude - latitude) * radian
      let apart = abs(position.longitude - longitude)
      // A straight line on the map is no shorter than the geodesic; a cosine grows by no more than the latitude.
      let width = min(apart, 360 - apart) * radian * min(1, cosine + rise)
      return WGS84.largestCurvatureRadius * (rise * rise + width * width).squareRoot()
    }
  }

  private var answers: [Answer] = []
  /// The one to be replaced next.
  private var next = 0
  private var wasUsed = false
  /// How many answers in a row were held for nothing, up to six.
  private var failures = 0
  /// How many answers will not be held.
  private var pause = 0

  /// What limited the latest; its neighbors are mostly limited by the same.
  private var border: Int?

  private static let capacity = 8
  /// Searches for what is farther, in meters, hardly ever end with flat squared chords.
  private static let far = 400_000.0

  /// The query with the answer to a query from a position; nil if none is held.
  mutating func question(answering position: Coordinate) -> Int? {
    for answer in answers where answer.way(to: position) < answer.clearance {
      wasUsed = true
      return answer.question
    }
    return nil
  }

  private var latest: Answer? {
    answers.isEmpty ? nil : answers[(next + answers.count - 1) % answers.count]
  }

  /// Whether everything is known to be far from a position.
  func isFar(_ position: Coordinate) -> Bool {
    latest.map { $0.reached - $0.way(to: position) > HeldAnswers.far } ?? false
  }

  /// A distance from a position, in meters, within which there are as many as wanted.
  func bound(from position: Coordinate) -> Double {
    let bounds = answers.lazy.map { $0.reached + $0.way(to: position) }
    return (bounds.min() ?? .infinity) + GroundMetric.margin
  }

  /// Holds an answer, unless the last ones were of no use.
  ///
  /// - Parameter walk: Finds how far its origin may move, in about the time of a search.
  mutating func hold(
    _ question: Int, from origin: Coordinate, _ walk: (_ border: Int?) -> ClearanceWalk
  ) {
    if pause > 0 {
      pause -= 1
      return
    }
    failures = wasUsed || answers.isEmpty ? 0 : min(failures + 1, 6)
    pause = 1 << failures - 1
    wasUsed = false
    let walk = walk(border)
    border = walk.border
    let answer = Answer(
      question: question, latitude: origin.latitude, longitude: origin.longitude,
      cosine: cosine(radians(origin.latitude)), clearance: walk.clearance, reached: walk.reached)
    if answers.count < HeldAnswers.capacity {
      answers.append(answer)
    } else {
      answers[next] = answer
    }
    next = (next + 1) % HeldAnswers.capacity
  }
}
