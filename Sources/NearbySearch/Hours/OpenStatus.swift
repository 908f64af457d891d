import BusinessHours
import Geodesy
import MapAnnotations

/// What the hours of an annotation say about a moment, and until when.
public struct OpenStatus: Hashable, Sendable {
  /// The moment described: that of the query, or of the arrival.
  public var instant: Instant
  /// Open, closed or unknown.
  public var state: OpenState
  /// Whether it is in business at that moment; if not, it is closed, whatever its hours say.
  public var business = BusinessStatus.unknown
  /// What the hours say besides the state.
  public var comment: String?
  /// The first later instant with another state; nil when there is none.
  public var nextChange: Instant?
  /// For what does not match: the first later instant at which it would, open for as long as asked; nil where it
  /// matches, when there is none, and where its hours are unknown then.
  public var opens: Instant?

  /// A status.
  public init(
    instant: Instant, state: OpenState, comment: String? = nil, nextChange: Instant? = nil,
    opens: Instant? = nil
  ) {
    self.instant = instant
    self.state = state
    self.comment = comment
    self.nextChange = nextChange
    self.opens = opens
  }
}
