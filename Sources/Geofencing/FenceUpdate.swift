/// What a fix led to.
public struct FenceUpdate: Hashable, Sendable {
  /// What happened, in order; mostly nothing.
  public let events: [FenceEvent]
  /// How many seconds before the last fix this one was measured, where that is so: it changed
  /// nothing.
  public let lateness: Double?
}
