extension Polygon {
  /// The area of the polygon without its holes, in square meters on WGS 84.
  ///
  /// Edges are straight in longitude and latitude, as for `contains(_:)`. Where a ring crosses
  /// itself, parts surrounded clockwise and counterclockwise have opposite signs.
  ///
  ///     let largest = districts.max { $0.squareMeters < $1.squareMeters }
  ///
  /// - Returns: Accurate to a millionth; never negative.
  /// - Complexity: O(*n*) in the vertices, about 50 ns each.
  public var squareMeters: Double {
    max(0, outer.squareMeters - holes.reduce(0) { $0 + $1.squareMeters })
  }
}

extension MultiPolygon {
  /// The sum of the areas of the polygons, in square meters on WGS 84; where polygons overlap, the
  /// ground counts once for each.
  public var squareMeters: Double { polygons.reduce(0) { $0 + $1.squareMeters } }
}

extension PolygonRing {
  /// The area inside the ring, in square meters.
  ///
  /// By Green's theorem it is the sum over the edges of the change in longitude times the mean height of the edge.
  /// Heights are those of the equal-area cylinder, so an edge's mean is an integral of `height` over its latitudes.
  /// Heights are counted from the ring's southernmost latitude: from the equator, the two sides of a house would be
  /// large numbers with a small difference.
  fileprivate var squareMeters: Double {
    let base = PolygonRing.height(sineOfLatitude: sine(radians(latitudes.lowerBound)))
    var sum = 0.0
    forEachEdge { start, end in
      let width = end.x - start.x
      guard width != 0 else { return }
      let middle = radians((start.latitude + end.latitude) / 2)
      let half = radians((end.latitude - start.latitude) / 2)
      var mean = 0.0
      if half == 0 {
        mean = PolygonRing.height(sineOfLatitude: sine(middle))
      } else {
        let rule =
          abs(half) < PolygonRing.shortHalf ? PolygonRing.shortRule : PolygonRing.gaussianRule
        for (node, weight) in rule {
          mean += weight / 2 * PolygonRing.height(sineOfLatitude: sine(middle + half * node))
        }
      }
      sum += radians(width) * (mean - base)
    }
    return abs(sum)
  }

  /// The area between the equator and a parallel, for one radian of longitude, in square meters.
  ///
  /// b² (s + ⅔ e² s³ + ⅗ e⁴ s⁵ + …) with the sine s of the latitude; the omitted terms are less
  /// than 2·10⁻⁷ of it.
  ///
  /// Source: the series of the authalic latitude's q, J. P. Snyder, "Map Projections: A Working
  /// Manual", USGS Professional Paper 1395, 1987, equation 3-12.
  private static func height(sineOfLatitude s: Double) -> Double {
    let squared = s * s
    let e = WGS84.eccentricitySquared
    return WGS84.polarRadius * WGS84.polarRadius * s
      * (1 + e * squared * (2.0 / 3 + e * squared * (3.0 / 5)))
  }

  /// Edges that rise by less than half a degree use the rule of two nodes; this is half of that rise, in radians.
  ///
  /// The error of the rule, from the fourth derivative, is at most half⁴ / 135 of the height, so less than 3·10⁻¹² of
  /// the height; below 80° of latitude less than 10⁻⁹ of the edge's rise.
  private static let shortHalf = 0.004_363
  /// The Gauss-Legendre rule of two nodes.
  private static let shortRule: [(node: Double, weight: Double)] = [
    (-0.577_350_269_189_625_8, 1), (0.577_350_269_189_625_8, 1),
  ]

  /// The Gauss-Legendre rule of five nodes, exact for polynomials of degree nine: accurate to 10⁻⁷
  /// over an edge from pole to pole.
  private static let gaussianRule: [(node: Double, weight: Double)] = [
    (0, 0.568_888_888_888_888_9),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
  ]
}
