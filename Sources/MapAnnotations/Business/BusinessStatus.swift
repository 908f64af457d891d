/// Whether a place is in business on a day: not whether it is open at an hour, but whether it still is
/// what its record says.
public enum BusinessStatus: Hashable, Sendable {
  /// Its source says so, or says that it ends later.
  case inBusiness
  /// Shut for a time: 휴업, 休業, closed temporarily.
  case suspended
  /// Shut for good, since a day where the source gives one.
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

  /// What a list shows: `closed down 2015-08-27`, `suspended`; nil if there is nothing to show.
  public var words: String? {
    switch self {
    case .suspended: "suspended"
    case .closedDown(let day?): "closed down \(day)"
    case .closedDown(nil): "closed down"
    case .inBusiness, .unknown: nil
    }
  }

  /// The members for programs: `business`, which is `suspended` or `closedDown`, and the day as
  /// `closedDownSince`; empty where there is nothing to say.
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
