/// How a geocoding queue treats the service it asks.
public struct GeocodingPolicy: Hashable, Sendable {
  /// The least time from one question to the next.
  ///
  /// One second is what the public Nominatim service asks of everyone (its usage policy: "an
  /// absolute maximum of 1 request per second").
  public var interval: Duration = .seconds(1)
  /// How often one question is asked before it is given up, over all runs.
  public var attemptsPerQuestion = 5
  /// How many questions may be asked again in one run, all together; then the run ends, and says so.
  public var retryBudget = 50
  /// How many questions one run asks, those asked again with them; nil for no limit.
  public var questionLimit: Int?
  /// The wait after failures in a row.
  public var backOff = BackOff(first: .seconds(2), longest: .seconds(300))
  /// A service that asks to be left alone longer than this ends the run.
  public var longestHold: Duration = .seconds(3600)
  /// How long an answer that there is no such place stands; nil for good.
  public var notFoundLasts: Duration?
  /// Whether questions that were given up are asked again.
  public var asksFailedAgain = false

  /// One question a second, five attempts each, fifty retries a run.
  public init() {}
}
