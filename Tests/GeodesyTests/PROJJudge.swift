import CNearbyPROJ

/// PROJ's geodesics, by the author of the method and in another language: the judge of ours.
struct PROJJudge {
  private var earth = geod_geodesic()

  init() { geod_init(&earth, 6_378_137, 1 / 298.257223563) }

  func inverse(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  ) -> (distance: Double, azimuth1: Double, azimuth2: Double) {
    var earth = earth
    var (distance, azimuth1, azimuth2) = (0.0, 0.0, 0.0)
    geod_inverse(
      &earth, latitude1, longitude1, latitude2, longitude2, &distance, &azimuth1, &azimuth2)
    return (distance, azimuth1, azimuth2)
  }

  func direct(
    _ latitude: Double, _ longitude: Double, azimuth: Double, distance: Double
  ) -> (latitude: Double, longitude: Double, azimuth: Double) {
    var earth = earth
    var (latitude2, longitude2, azimuth2) = (0.0, 0.0, 0.0)
    geod_direct(
      &earth, latitude, longitude, azimuth, distance, &latitude2, &longitude2, &azimuth2)
    return (latitude2, longitude2, azimuth2)
  }
}
