import BusinessHours
import Geodesy
import MapAnnotations

/// When annotations must be open to match, and whether those with unknown hours do.
///
///     let now = OpenCondition(at: Instant(seconds: 1_795_435_200))
///     let onArrival = OpenCondition(arriving: Journey(departure: now.instant), stay: 20 * 60)
///
/// Instants come from the caller: nothing here reads a clock. They are rounded down to whole seconds, and clamped to
/// the years 0 to 9999.
public struct OpenCondition: Hashable, Sendable {
  /// The moment at which annotations must be open.
  public enum Moment: Hashable, Sendable {
    /// The same instant for all annotations.
    case instant(Instant)
    /// The time of arrival: later at annotations that are farther away.
    case arrival(Journey)
  }

  /// The moment at which annotations must be open.
  public var moment: Moment
  /// How many seconds they must be open from that moment on; 0 for the moment alone.
  ///
  /// The initializers limit it to a hundred years.
  public var stay: Int64
  /// Whether annotations with unknown hours match; what is not known to be closed is then shown as *unknown*.
  public var showsUnknown: Bool

  /// Open at an instant.
  ///
  /// - Precondition: `stay >= 0`.
  public init(at instant: Instant, stay: Int64 = 0, showsUnknown: Bool = true) {
    self.init(.instant(instant), stay: stay, showsUnknown: showsUnknown)
  }

  /// Open on arrival.
  ///
  /// - Precondition: `stay >= 0`.
  public init(arriving journey: Journey, stay: Int64 = 0, showsUnknown: Bool = true) {
    self.init(.arrival(journey), stay: stay, showsUnknown: showsUnknown)
  }

  private init(_ moment: Moment, stay: Int64, showsUnknown: Bool) {
    precondition(stay >= 0, "nobody stays for \(stay) seconds")
    self.moment = moment
    self.stay = min(stay, 100 * 366 * 86_400)
    self.showsUnknown = showsUnknown
  }

  /// The instant of the query itself: for arrivals, that of the departure.
  public var instant: Instant { Instant(seconds: second) }

  /// The same in seconds since 1970-01-01T00:00Z, the unit of all searches among hours.
  var second: Int64 {
    switch moment {
    case .instant(let instant): Self.second(of: instant)
    case .arrival(let journey): Self.second(of: journey.departure)
    }
  }

  /// The second of an instant, clamped to the years 0 to 9999.
  static func second(of instant: Instant) -> Int64 {
    min(max(instant.seconds, -62_167_219_200), 253_402_300_799)
  }

  /// Whether the moment depends on how far away an annotation is.
  package var isOnArrival: Bool { if case .arrival = moment { true } else { false } }

  /// The same condition at another instant.
  public func asked(at instant: Instant) -> OpenCondition {
    var condition = self
    switch moment {
    case .instant: condition.moment = .instant(instant)
    case .arrival(var journey):
      journey.departure = instant
      condition.moment = .arrival(journey)
    }
    return condition
  }

  /// The second asked about at a place: that of the query, or of the arrival there.
  ///
  /// - Parameter distance: Returns the distance of the place; called for arrivals only.
  func secondAsked(_ distance: () -> Distance?) -> Int64 {
    guard case .arrival(let journey) = moment, let way = distance() else { return second }
    return journey.second(ofArrivalAfter: way)
  }

  /// The instant of the query at which the second asked about at a place becomes another.
  func asked(_ other: Int64, insteadOf moment: Int64) -> Int64 {
    other == Admission.never ? other : other - moment + second
  }

  /// The terms that decide once the moment is known.
  var terms: AdmissionTerms {
    AdmissionTerms(showsUnknown: showsUnknown, duration: max(stay, 1))
  }
}

/// A journey at a constant speed: arrival = departure + distance × detour / speed.
///
/// The distance is the geodesic; the actual way is `detour` times as long. Source: Boscoe,
/// Henry and Zdeb, "A Nationwide Comparison of Driving Distance Versus Straight-Line Distance to
/// Hospitals", Prof. Geogr. 64(2), 2012, doi:10.1080/00330124.2011.583586, who found 1.417 on roads.
public struct Journey: Hashable, Sendable {
  /// When it begins.
  public var departure: Instant
  /// The speed in meters per second.
  public var speed: Double
  /// The length of the way divided by that of the geodesic: 1 to 100.
  public var detour: Double

  /// A journey, by default on foot at 5 km/h, along ways 1.4 times as long as the geodesic.
  ///
  /// - Precondition: `speed > 0` and finite, and `detour` from 1 to 100.
  public init(departure: Instant, speed: Double = Journey.walkingSpeed, detour: Double = 1.4) {
    self.departure = departure
    self.speed = speed
    self.detour = detour
    if let problem { preconditionFailure(problem) }
  }

  /// Why it is not a valid journey, and what to do; nil where it is.
  var problem: String? {
    guard speed > 0 && speed.isFinite else {
      return "nobody gets anywhere at \(speed) m/s; give a speed above 0"
    }
    guard Journey.detours.contains(detour) else {
      return "a detour of \(detour) is not one from 1, the straight line, to 100; give 1.4"
    }
    return nil
  }

  /// The detours that a journey can have, wherever they are given.
  package static let detours = 1.0...100

  /// 5 km/h, in meters per second.
  public static let walkingSpeed = 5 / 3.6

  /// The time of arrival in whole seconds, rounded up: nobody arrives early.
  ///
  /// A journey takes at most a thousand years, also where the speed is 0. One of no length takes no time.
  public func arrival(after distance: Distance) -> Instant {
    Instant(seconds: second(ofArrivalAfter: distance))
  }

  func second(ofArrivalAfter distance: Distance) -> Int64 {
    let start = OpenCondition.second(of: departure)
    guard distance > .zero else { return start }
    let seconds = (distance.meters * detour / speed).rounded(.up)
    let longest = 365.25 * 86_400 * 1_000
    // A guard, because a speed or a detour may be NaN, which no comparison is true of.
    guard seconds < longest else { return start + Int64(longest) }
    return start + Int64(max(seconds, 0))
  }
}

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
