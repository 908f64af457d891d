extension Geodesic {
  /// The geodesic distance in meters between two positions in bare degrees.
  ///
  /// Latitudes −90…90, longitudes −180…180; nothing is checked. Bit for bit the distance of
  /// `inverse(latitude1:longitude1:latitude2:longitude2:)`.
  package static func distance(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double
  ) -> Double {
    let apart = LongitudeDifference(from: longitude1, to: longitude2)
    return InverseProblem(
      latitude1: latitude1, latitude2: latitude2, longitude: apart.angle
    ).solution().distance
  }

  /// The geodesic distance in meters and both azimuths in degrees, −180…180, pointing onward.
  ///
  /// Latitudes −90…90, any finite longitudes.
  package static func inverse(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double
  ) -> (distance: Double, azimuth1: Double, azimuth2: Double) {
    let apart = LongitudeDifference(
      from: Coordinate.wrappedLongitude(longitude1), to: Coordinate.wrappedLongitude(longitude2))
    let problem = InverseProblem(
      latitude1: latitude1, latitude2: latitude2, longitude: apart.angle)
    let solution = problem.solution()
    let azimuths = problem.uncanonical(
      solution.azimuth1, solution.azimuth2, isWestward: apart.isWestward)
    return (solution.distance, azimuths.first.inDegrees, azimuths.second.inDegrees)
  }
}
