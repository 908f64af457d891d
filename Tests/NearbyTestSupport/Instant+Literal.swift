import Geodesy

/// In tests an instant may be written as its seconds since 1970-01-01T00:00Z.
extension Instant: ExpressibleByIntegerLiteral {
  /// So many seconds.
  public init(integerLiteral value: Int64) { self.init(seconds: value) }

  /// The instant so many seconds later.
  public static func + (instant: Instant, seconds: Int64) -> Instant {
    instant.advanced(by: .seconds(seconds))
  }

  /// The instant so many seconds earlier.
  public static func - (instant: Instant, seconds: Int64) -> Instant {
    instant.advanced(by: .seconds(-seconds))
  }
}
