import Geodesy
import SpatialIndexing
import NearbyTestSupport

/// What a distance of an index may differ by from the geodesic of brute force, in meters: the 15 nm of
/// the one and the 4.1 nm of the other.
let distanceTolerance = 20e-9

/// Whether an index found what brute force finds, in the same order.
///
/// Where distances are equal or nearly so, the index has measured by the same geodesic, so that
/// the order needs no tolerance.
func agree(_ neighbors: [Neighbor], _ expected: some Collection<BruteForce.Hit>) -> Bool {
  neighbors.count == expected.count
    && zip(neighbors, expected).allSatisfy { neighbor, hit in
      neighbor.position == hit.position
        && abs(neighbor.distance.meters - hit.meters) <= distanceTolerance
    }
    && zip(neighbors, neighbors.dropFirst()).allSatisfy { $0.distance <= $1.distance }
}

/// Whether a valid radius is that of the nearest `limit`: half the gap to the next, nil where there is
/// none.
func agree(_ validRadius: Distance?, withGapIn ranked: [BruteForce.Hit], after limit: Int) -> Bool {
  guard limit < ranked.count else { return validRadius == nil }
  guard let validRadius else { return false }
  let gap = (ranked[limit].meters - ranked[limit - 1].meters) / 2
  return abs(validRadius.meters - gap) <= distanceTolerance
}
