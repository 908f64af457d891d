import Geodesy

/// The source of the times of sunrise, sunset, dawn and dusk.
public enum SunTimes: Hashable, Sendable {
  /// Computed for a position.
  case position(Coordinate)
  /// The same minutes on every day, for places whose position is unknown.
  case fixed(dawn: Int, sunrise: Int, sunset: Int, dusk: Int)

  /// The minute of a local day at which an event happens; nil if it does not happen that day, as in
  /// polar summers, and, for a position, outside the years 0 to 9999.
  ///
  /// Accurate to about a minute below the polar circles, ignoring the ground's height. Source: the
  /// solar calculation of NOAA's Global Monitoring Laboratory, after Meeus, "Astronomical
  /// Algorithms": equation of time and declination at the event, with 0.833° for refraction and the
  /// sun's radius, and 6° for civil twilight.
  func minute(of event: SunEvent, on day: Int, utcOffset: Int) -> Int? {
    switch self {
    case .fixed(let dawn, let sunrise, let sunset, let dusk):
      switch event {
      case .dawn: dawn
      case .sunrise: sunrise
      case .sunset: sunset
      case .dusk: dusk
      }
    case .position(let position):
      Self.minute(of: event, on: day, at: position, utcOffset: utcOffset)
    }
  }

  /// The days for which times are computed; the series grow without limit beyond them.
  private static let computedDays = CivilDay.number(0, 1, 1)...CivilDay.number(9999, 12, 31)

  private static func minute(
    of event: SunEvent, on day: Int, at position: Coordinate, utcOffset: Int
  ) -> Int? {
    guard computedDays.contains(day) else { return nil }
    let zenith = event == .dawn || event == .dusk ? 96.0 : 90.833
    let rises = event == .dawn || event == .sunrise
    // The mean noon that lies nearest to 12:00 of the local day, in minutes of UTC since 00:00 of the day. In Samoa, whose
    // clocks are a day ahead of its meridian, that is the noon of the day before.
    let offset = Double(utcOffset) / 60
    var noon = 720 - 4 * position.longitude
    noon -= 1440 * ((noon + offset - 720) / 1440).rounded()
    var minute = noon
    for _ in 0..<3 {
      // Days since noon of 2000-01-01, which is 10,957.5 days after 1970-01-01.
      let days = Double(day) + minute / 1440 - 10_957.5
      let sun = Sun(julianCentury: days / 36_525)
      let latitude = radians(position.latitude)
      let cosineOfHourAngle =
        (cosine(radians(zenith)) - sine(latitude) * sine(sun.declination))
        / (cosine(latitude) * cosine(sun.declination))
      guard abs(cosineOfHourAngle) <= 1 else { return nil }
      let hourAngle = 90 - degrees(arcSine(cosineOfHourAngle))
      minute = noon - sun.equationOfTime + (rises ? -4 : 4) * hourAngle
    }
    return Int((minute + offset).rounded())
  }
}

/// The sun's position at an instant.
private struct Sun {
  /// In radians.
  let declination: Double
  /// Apparent minus mean solar time, in minutes.
  let equationOfTime: Double

  init(julianCentury t: Double) {
    let meanLongitude = radians(280.46646 + t * (36_000.76983 + t * 0.0003032))
    let anomaly = radians(357.52911 + t * (35_999.05029 - 0.0001537 * t))
    let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
    var center = sine(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t))
    center += sine(2 * anomaly) * (0.019993 - 0.000101 * t)
    center += sine(3 * anomaly) * 0.000289
    let node = radians(125.04 - 1934.136 * t)
    let apparentLongitude = meanLongitude + radians(center - 0.00569 - 0.00478 * sine(node))
    let seconds = 21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))
    let meanObliquity = 23 + (26 + seconds / 60) / 60
    let obliquity = radians(meanObliquity + 0.00256 * cosine(node))
    declination = arcSine(sine(obliquity) * sine(apparentLongitude))
    let half = sine(obliquity / 2) / cosine(obliquity / 2)
    let y = half * half
    var time = y * sine(2 * meanLongitude)
    time -= 2 * eccentricity * sine(anomaly)
    time += 4 * eccentricity * y * sine(anomaly) * cosine(2 * meanLongitude)
    time -= 0.5 * y * y * sine(4 * meanLongitude)
    time -= 1.25 * eccentricity * eccentricity * sine(2 * anomaly)
    equationOfTime = 4 * degrees(time)
  }
}
