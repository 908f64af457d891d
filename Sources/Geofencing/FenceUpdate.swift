/// The result of a fix.
public struct FenceUpdate: Hashable, Sendable {
  /// The events, in order; usually empty.
  public let events: [FenceEvent]
  /// How many seconds before the last fix this one was measured; nil if it was not late.
  ///
  /// A late fix changes nothing.
  public let lateness: Double?
}
