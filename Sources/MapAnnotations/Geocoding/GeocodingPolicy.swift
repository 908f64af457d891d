/// How a geocoding queue treats its service.
public struct GeocodingPolicy: Hashable, Sendable {
  /// The minimum time between two questions.
  ///
  /// One second is the limit of the public Nominatim service (its usage policy: "an absolute
  /// maximum of 1 request per second").
  public var interval: Duration = .seconds(1)
  /// How often one question is asked before giving up, over all runs.
  public var attemptsPerQuestion = 5
  /// The maximum number of retries in one run, over all questions; then the run ends with a message.
  public var retryBudget = 50
  /// The maximum number of questions in one run, including retries; nil for no limit.
  public var questionLimit: Int?
  /// The wait after consecutive failures.
  public var backOff = BackOff(first: .seconds(2), longest: .seconds(300))
  /// The longest wait that a service may ask for; a longer one ends the run.
  public var longestHold: Duration = .seconds(3600)
  /// How long a "not found" answer is valid; nil for no expiry.
  public var notFoundLasts: Duration?
  /// Whether failed questions are asked again.
  public var asksFailedAgain = false

  /// Makes the default: one question a second, five attempts each, fifty retries in a run.
  public init() {}
}
