import BusinessHours
import Geodesy

/// When annotations must be open to count, and whether those of unknown hours do.
///
///     let now = OpenCondition(at: Instant(seconds: 1_795_435_200))
///     let onArrival = OpenCondition(arriving: Journey(departure: now.instant), stay: 20 * 60)
///
/// Instants come from the caller: nothing here asks a clock. They are taken in whole seconds, rounded down, and
/// those beyond the years 0 to 9999 for the nearest in them.
public struct OpenCondition: Hashable, Sendable {
  /// The moment that is asked about.
  public enum Moment: Hashable, Sendable {
    /// The same for all annotations.
    case instant(Instant)
    /// When somebody who sets out gets there: later for what is farther.
    case arrival(Journey)
  }

  /// The moment that is asked about.
  public var moment: Moment
  /// For how many seconds from that moment on they must be open; 0 asks for the moment alone, and
  /// more than a hundred years are a hundred.
  public var stay: Int64
  /// Whether annotations of unknown hours count; what is not known to be closed is then shown as
  /// *unknown*.
  public var showsUnknown: Bool

  /// Open at an instant.
  ///
  /// - Precondition: `stay >= 0`.
  public init(at instant: Instant, stay: Int64 = 0, showsUnknown: Bool = true) {
    self.init(.instant(instant), stay: stay, showsUnknown: showsUnknown)
  }

  /// Open when somebody arrives.
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

  /// The instant of the question itself: that of the departure where arrivals are asked about.
  public var instant: Instant { Instant(seconds: second) }

  /// The same in seconds since 1970-01-01T00:00Z, as all that searches among hours counts.
  var second: Int64 {
    switch moment {
    case .instant(let instant): Self.second(of: instant)
    case .arrival(let journey): Self.second(of: journey.departure)
    }
  }

  /// The second of an instant, or of the nearest in the years 0 to 9999.
  static func second(of instant: Instant) -> Int64 {
    min(max(instant.seconds, -62_167_219_200), 253_402_300_799)
  }

  /// The same question, asked at another instant.
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

  /// What decides at a moment that is known.
  var terms: AdmissionTerms {
    AdmissionTerms(showsUnknown: showsUnknown, duration: max(stay, 1))
  }
}

/// A journey at a constant speed: arrival = departure + distance × detour / speed.
///
/// The distance is the geodesic; `detour` says how much longer ways are than that. Source: Boscoe,
/// Henry and Zdeb, "A Nationwide Comparison of Driving Distance Versus Straight-Line Distance to
/// Hospitals", Prof. Geogr. 64(2), 2012, doi:10.1080/00330124.2011.583586, who found 1.417 on roads.
public struct Journey: Hashable, Sendable {
  /// When it begins.
  public var departure: Instant
  /// In meters a second.
  public var speed: Double
  /// The length of the way divided by that of the geodesic.
  public var detour: Double

  /// On foot at 5 km/h, by ways 1.4 times as long as the geodesic, unless said otherwise.
  ///
  /// - Precondition: `speed > 0` and `detour >= 1`, both finite.
  public init(departure: Instant, speed: Double = Journey.walkingSpeed, detour: Double = 1.4) {
    precondition(speed > 0 && speed.isFinite, "nobody gets anywhere at \(speed) m/s")
    precondition(detour >= 1 && detour.isFinite, "no way is \(detour) times the geodesic")
    self.departure = departure
    self.speed = speed
    self.detour = detour
  }

  /// 5 km/h, in meters a second.
  public static let walkingSpeed = 5 / 3.6

  /// When one gets there, in whole seconds, rounded up: nobody arrives early.
  ///
  /// A way longer than a thousand years ends then.
  public func arrival(after distance: Distance) -> Instant {
    Instant(seconds: second(ofArrivalAfter: distance))
  }

  func second(ofArrivalAfter distance: Distance) -> Int64 {
    let seconds = (distance.meters * detour / speed).rounded(.up)
    let longest = 365.25 * 86_400 * 1_000
    return OpenCondition.second(of: departure) + Int64(min(max(seconds, 0), longest))
  }
}
