/// The result of a fix.
public struct FenceUpdate: Hashable, Sendable {
  /// The events, in order; usually empty.
  public let events: [FenceEvent]
  /// How many seconds before the last fix this one was measured; nil if it was not late.
  ///
  /// A late fix changes nothing.
  public let lateness: Double?

  /// Makes a result; by hand, for previews and tests.
  public init(events: [FenceEvent], lateness: Double? = nil) {
    self.events = events
    self.lateness = lateness
  }
}
