/// Whether a place is in business on a day: not whether it is open at an hour, but whether it still
/// exists as its record says.
public enum BusinessStatus: Hashable, Sendable {
  /// The source says so, or says that the place closes later.
  case inBusiness
  /// Closed temporarily: 휴업, 休業.
  case suspended
  /// Closed permanently, with the day if the source gives one.
  case closedDown(since: CalendarDate?)
  /// The source does not say.
  case unknown

  /// Whether the place is known to be out of business.
  public var isOutOfBusiness: Bool {
    switch self {
    case .suspended, .closedDown: true
    case .inBusiness, .unknown: false
    }
  }

  /// The text for lists: `closed down 2015-08-27`, `suspended`; nil if there is nothing to show.
  public var words: String? {
    switch self {
    case .suspended: "suspended"
    case .closedDown(let day?): "closed down \(day)"
    case .closedDown(nil): "closed down"
    case .inBusiness, .unknown: nil
    }
  }

  /// The members for programs: `business`, either `suspended` or `closedDown`, and the day as
  /// `closedDownSince`; empty if there is nothing to say.
  public var members: Properties {
    switch self {
    case .suspended: ["business": "suspended"]
    case .closedDown(let day?):
      ["business": "closedDown", "closedDownSince": .string("\(day)")]
    case .closedDown(nil): ["business": "closedDown"]
    case .inBusiness, .unknown: [:]
    }
  }
}
