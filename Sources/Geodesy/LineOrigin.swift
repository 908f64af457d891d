/// The common start of lines to many positions, with all values that depend on it alone.
///
/// A search has tens of candidates to order. Each costs about 6 ns for its chord and about 13 ns
/// for chord and distance, where `Geodesic` takes 240 ns. Both are more accurate than `Geodesic`: a
/// chord c is wrong by at most 5·10⁻¹⁵ c + 1 pm up to a degree of latitude, and + 20 nm beyond.
///
///     let origin = LineOrigin(cityHall)
///     origin.lines(
///       latitudes: latitudes, longitudes: longitudes, count: 30,
///       squaredChords: squaredChords, distances: distances)
///
/// The result for a position depends, to the last bit, only on it and the origin: not on its index
/// or on other positions. Equal positions have equal chords, and the origin itself has 0. The
/// reverse line from a position to the origin may differ within the bounds, and so may a pole
/// written with different longitudes.
///
/// `LineOrigin+Chord` has the formulas of the chord and the proof of its bound, `ChordSeries` those
/// of the distance.
package struct LineOrigin: Sendable {
  /// The latitude in degrees.
  let latitude: Double
  /// The absolute value of the longitude in degrees.
  let longitude: Double
  /// The factor for longitudes that makes the origin's longitude nonnegative: 1 or −1.
  let mirror: Double
  /// a n sin φ in meters, with n = (1 − e² sin²φ)^−½.
  let sine: Double
  /// a n cos φ in meters: the distance from the axis.
  let cosine: Double

  /// The distance of the origin from the axis in meters: the length of one radian along its parallel.
  package var parallelRadius: Double { cosine }

  /// If two distances from `lines` differ by no more than this, in meters, their geodesics may be
  /// equal or in the opposite order.
  ///
  /// Twice the 15 nm that `Geodesic` may be off by and the 4.1 nm of `ChordSeries`, and a margin.
  package static let tie = 50e-9

  package init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// Makes an origin from degrees: latitude −90…90, longitude −180…180.
  package init(latitude: Double, longitude: Double) {
    let angle = UnitAngle(latitude: latitude)
    let normal = LineOrigin.normal(sine: angle.sine)
    self.latitude = latitude
    self.longitude = abs(longitude)
    mirror = longitude < 0 ? -1 : 1
    sine = normal * angle.sine
    cosine = normal * angle.cosine
  }

  /// The squared chord to one position in bare degrees, in square meters.
  package func squaredChord(latitude: Double, longitude: Double) -> Double {
    let difference = latitude - self.latitude
    let step =
      LineOrigin.isFar(difference) ? farStep(latitude: latitude) : nearStep(degrees: difference)
    return squaredChord(over: step, longitude: longitude)
  }

  /// Writes the squared chords to `count` positions, in square meters and in their order.
  ///
  /// Bit for bit the results of `squaredChord(latitude:longitude:)`.
  ///
  /// - Parameters:
  ///   - latitudes: Degrees, −90…90.
  ///   - longitudes: Degrees, −180…180.
  ///   - squaredChords: Room for `count` numbers; must not overlap the positions.
  /// - Complexity: O(`count`); 6 ns for a position within a degree of latitude, about 15 ns more
  ///   for others. Allocates nothing.
  package func squaredChords(
    latitudes: UnsafePointer<Double>, longitudes: UnsafePointer<Double>, count: Int,
    into squaredChords: UnsafeMutablePointer<Double>
  ) {
    // The compiler handles two positions at once only if nothing in the loop can trap or branch.
    var farCount = 0
    var index = 0
    while index < count {
      let difference = latitudes[index] - latitude
      squaredChords[index] = squaredChord(
        over: nearStep(degrees: difference), longitude: longitudes[index])
      farCount &+= LineOrigin.isFar(difference) ? 1 : 0
      index &+= 1
    }
    if farCount > 0 {
      replaceFar(
        latitudes: latitudes, longitudes: longitudes, count: count, squaredChords: squaredChords)
    }
  }

  /// Writes the squared chords to `count` positions, in square meters, and their distances on the
  /// ground in meters, both in their order.
  ///
  /// A distance is NaN where the chord is longer than `ChordSeries.reach`, 100 km: use `Geodesic`
  /// for such a line.
  ///
  /// - Parameters:
  ///   - latitudes: Degrees, −90…90.
  ///   - longitudes: Degrees, −180…180.
  ///   - squaredChords: Room for `count` numbers; must not overlap the positions. Receives bit for
  ///     bit the results of `squaredChords(latitudes:longitudes:count:into:)`.
  ///   - distances: Room for `count` numbers; must not overlap the other arrays.
  /// - Complexity: O(`count`); 13 ns for a position within a degree of latitude, about 15 ns more
  ///   for others. Allocates nothing.
  package func lines(
    latitudes: UnsafePointer<Double>, longitudes: UnsafePointer<Double>, count: Int,
    squaredChords: UnsafeMutablePointer<Double>, distances: UnsafeMutablePointer<Double>
  ) {
    let doubleHeight = 2 * LineOrigin.flattened(sine)
    var farCount = 0
    var index = 0
    while index < count {
      let difference = latitudes[index] - latitude
      let step = nearStep(degrees: difference)
      let squared = squaredChord(over: step, longitude: longitudes[index])
      squaredChords[index] = squared
      distances[index] = ChordSeries.excess(
        squaredChord: squared, heightDifference: step.height,
        heightSum: step.height + doubleHeight)
      farCount &+= LineOrigin.isFar(difference) ? 1 : 0
      index &+= 1
    }
    if farCount > 0 {
      replaceFar(
        latitudes: latitudes, longitudes: longitudes, count: count, squaredChords: squaredChords)
    }
    // A separate loop, because the compiler treats a square root as a call, which would keep the
    // loop above from handling two positions at once.
    index = 0
    while index < count {
      let chord = squaredChords[index].squareRoot()
      let distance = chord + chord * distances[index]
      distances[index] = chord > ChordSeries.reach ? .nan : distance
      index &+= 1
    }
  }

  /// Overwrites the squared chords to positions whose latitude differs by more than a degree.
  @inline(never)
  private func replaceFar(
    latitudes: UnsafePointer<Double>, longitudes: UnsafePointer<Double>, count: Int,
    squaredChords: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<count where LineOrigin.isFar(latitudes[index] - latitude) {
      squaredChords[index] = squaredChord(
        over: farStep(latitude: latitudes[index]), longitude: longitudes[index])
    }
  }
}

extension LineOrigin {
  /// The distance on the ground to one position, in meters: from the series up to 100 km, and from
  /// `Coordinate.distance(to:)` beyond.
  ///
  /// - Complexity: about 20 ns up to 100 km, 240 ns beyond.
  package func distance(to position: Coordinate) -> Double {
    let difference = position.latitude - latitude
    if !LineOrigin.isFar(difference) {
      let step = nearStep(degrees: difference)
      let distance = ChordSeries.distance(
        squaredChord: squaredChord(over: step, longitude: position.longitude),
        heightDifference: step.height, heightSum: step.height + 2 * LineOrigin.flattened(sine))
      if let distance { return distance }
    }
    return Geodesic.distance(
      latitude1: latitude, longitude1: longitude, latitude2: position.latitude,
      longitude2: position.longitude * mirror)
  }
}
