import CPROJ
import Foundation
import NearbyKit

/// What an app writes without an index: a loop over all positions that keeps the nearest.
struct Loop {
  let positions: [Coordinate]
  private let latitudes: [Double]
  private let longitudes: [Double]
  private let cosines: [Double]

  init(_ positions: [Coordinate]) {
    self.positions = positions
    latitudes = positions.map { $0.latitude * .pi / 180 }
    longitudes = positions.map { $0.longitude * .pi / 180 }
    cosines = latitudes.map { cos($0) }
  }

  /// By haversines on a sphere, sines and cosines of the positions prepared.
  func nearestOnSphere(_ count: Int, to origin: Coordinate) -> [Int] {
    let latitude = origin.latitude * .pi / 180, longitude = origin.longitude * .pi / 180
    let cosine = cos(latitude)
    return latitudes.withUnsafeBufferPointer { latitudes in
      longitudes.withUnsafeBufferPointer { longitudes in
        cosines.withUnsafeBufferPointer { cosines in
          nearest(count) { place in
            let a = sin((latitudes[place] - latitude) / 2)
            let b = sin((longitudes[place] - longitude) / 2)
            return a * a + cosine * cosines[place] * b * b
          }.map(\.place)
        }
      }
    }
  }

  /// By geodesics: the judge.
  func nearest(_ count: Int, to origin: Coordinate) -> [(place: Int, measure: Double)] {
    nearest(count) { origin.distance(to: positions[$0]).meters }
  }

  func count(in box: BoundingBox) -> Int { positions.count { box.contains($0) } }

  @inline(__always)
  private func nearest(
    _ count: Int, by measure: (Int) -> Double
  ) -> [(place: Int, measure: Double)] {
    var best: [(place: Int, measure: Double)] = []
    for place in positions.indices {
      let value = measure(place)
      guard best.count < count || value < best[best.count - 1].measure else { continue }
      best.insert((place, value), at: best.firstIndex { $0.measure > value } ?? best.count)
      if best.count > count { best.removeLast() }
    }
    return best
  }
}

/// PROJ's geodesic on WGS 84, without azimuths.
struct PROJGeodesic {
  private var ellipsoid = geod_geodesic()

  init() { geod_init(&ellipsoid, 6_378_137, 1 / 298.257223563) }

  func meters(_ a: Coordinate, _ b: Coordinate) -> Double {
    var meters = 0.0
    withUnsafePointer(to: ellipsoid) {
      geod_inverse($0, a.latitude, a.longitude, b.latitude, b.longitude, &meters, nil, nil)
    }
    return meters
  }
}
