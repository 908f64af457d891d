import Geodesy
import SpatialIndexing
import TestSupport

/// Neighbors in the form in which brute force gives them.
func hits(_ neighbors: [Neighbor]) -> [BruteForce.Hit] {
  neighbors.map { BruteForce.Hit(position: $0.position, meters: $0.distance.meters) }
}

/// The valid radius of the nearest `limit`: half the gap to the next, nil where there is none.
func gap(_ ranked: [BruteForce.Hit], after limit: Int) -> Distance? {
  guard limit < ranked.count else { return nil }
  return (.meters(ranked[limit].meters) - .meters(ranked[limit - 1].meters)) / 2
}
