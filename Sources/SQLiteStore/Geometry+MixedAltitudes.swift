#if Store
  import GeoJSONCoding

  // A blob has an altitude for each position or for none. NaN for a missing one is allowed, but GDAL then writes GeoJSON
  // without the geometry and refuses to write a shapefile. So it is 0, and the `feature` column lists the places.
  extension Geometry {
    /// The places of the positions without an altitude, counted from 0; empty if no position has one.
    var placesWithoutAltitude: [Int] {
      guard contains(where: { $0.altitude != nil }) else { return [] }
      var places: [Int] = []
      var place = 0
      forEachPath { path in
        for position in path {
          if position.altitude == nil { places.append(place) }
          place += 1
        }
      }
      return places
    }

    /// The geometry without the altitudes at some places, in ascending order, that are still 0.
    func withoutAltitudes(at places: [Int]) -> Geometry {
      var rest = places[...]
      var place = 0
      return mapPositions { (position) -> Position in
        defer { place += 1 }
        guard rest.first == place else { return position }
        rest.removeFirst()
        guard position.altitude == 0 else { return position }
        return Position(longitude: position.longitude, latitude: position.latitude)
      }
    }
  }
#endif
