/// A box of latitudes and longitudes in degrees, edges included.
///
/// `west > east` means that the box crosses the antimeridian (RFC 7946 §5.2). 180° and −180° are
/// one meridian: a box with an edge there contains positions written either way. A box whose north
/// edge is 90 contains the pole for the longitudes it spans.
///
///     let fiji = try BoundingBox(south: -21, west: 177, north: -12, east: -178)
///     fiji.crossesAntimeridian  // true
public struct BoundingBox: Hashable, Sendable, Encodable {
  /// The southern edge in degrees, −90…`north`.
  public let south: Double
  /// The western edge in degrees, −180…180.
  public let west: Double
  /// The northern edge in degrees, `south`…90.
  public let north: Double
  /// The eastern edge in degrees, −180…180; less than `west` when the box crosses ±180.
  public let east: Double

  /// - Throws: `CoordinateError` when an edge is out of range or `south > north`.
  public init(south: Double, west: Double, north: Double, east: Double) throws(CoordinateError) {
    for latitude in [south, north] {
      guard latitude.isFinite else { throw .notANumber(String(latitude)) }
      guard (-90...90).contains(latitude) else { throw .latitudeOutOfRange(latitude) }
    }
    for longitude in [west, east] {
      guard longitude.isFinite else { throw .notANumber(String(longitude)) }
      guard (-180...180).contains(longitude) else { throw .longitudeOutOfRange(longitude) }
    }
    guard south <= north else { throw .boxOrder(south: south, north: north) }
    self.init(unchecked: south, west, north, east)
  }

  /// West, south, east and north: the order of GeoJSON and of `init(text:)`.
  package var edges: [Double] { [west, south, east, north] }

  /// For edges already known to be valid.
  ///
  /// Adding 0 turns −0 into 0.
  package init(unchecked south: Double, _ west: Double, _ north: Double, _ east: Double) {
    self.south = south + 0
    self.west = west + 0
    self.north = north + 0
    self.east = east + 0
  }

  /// The whole Earth.
  public static let world = BoundingBox(unchecked: -90, -180, 90, 180)

  /// Whether the box runs eastward over ±180°.
  public var crossesAntimeridian: Bool { west > east }

  /// The width in degrees of longitude, 0…360.
  public var width: Double { crossesAntimeridian ? east + 360 - west : east - west }

  /// Whether a position lies in the box or on its edge.
  public func contains(_ position: Coordinate) -> Bool {
    guard south <= position.latitude, position.latitude <= north else { return false }
    // −180 is also 180: a box whose east edge is 180 contains it too.
    return containsLongitude(position.longitude)
      || (position.longitude == -180 && containsLongitude(180))
  }

  private func containsLongitude(_ longitude: Double) -> Bool {
    crossesAntimeridian
      ? longitude >= west || longitude <= east : west <= longitude && longitude <= east
  }

  /// Whether every position of `other` lies in this box.
  public func contains(_ other: BoundingBox) -> Bool {
    guard south <= other.south, other.north <= north else { return false }
    // Compare only: sums of edges would be rounded, and a box might not contain its own half.
    let spans = longitudeSpans
    func holds(_ part: ClosedRange<Double>) -> Bool {
      // Longitudes of positions are below 180, so a span of 180 alone contains none.
      part.lowerBound == 180 || spans.first.contains(part) || spans.second?.contains(part) == true
    }
    let parts = other.longitudeSpans
    return holds(parts.first) && parts.second.map(holds) != false
  }

  /// The box as one or two longitude spans inside −180 ≤ longitude < 180, the range of positions.
  ///
  /// A box whose east edge is 180 gets a second span that holds only the meridian −180.
  package var longitudeSpans: (first: ClosedRange<Double>, second: ClosedRange<Double>?) {
    if crossesAntimeridian { return (west...180, -180...east) }
    if east == 180, west > -180 { return (west...180, -180 ... -180) }
    return (west...east, nil)
  }
}

extension BoundingBox: CustomStringConvertible {
  /// West, south, east, north, in the order of GeoJSON and of the command line.
  public var description: String { "\(west),\(south),\(east),\(north)" }
}

extension BoundingBox {
  /// Reads `west,south,east,north` in degrees, with or without blanks around the numbers.
  ///
  /// - Parameter mayHaveHeights: Whether six numbers are a box, too: the third and the sixth are heights, and ignored.
  package init(text: String, mayHaveHeights: Bool = false) throws(CoordinateError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 || (mayHaveHeights && parts.count == 6) else { throw .notABox(text) }
    var edges: [Double] = []
    for part in parts {
      guard let edge = finiteNumber(trimmed(part)) else { throw .notANumber(trimmed(part)) }
      edges.append(edge)
    }
    // The east and the north edge come behind the first height, if there is one.
    let east = edges.count / 2
    do throws(CoordinateError) {
      try self.init(south: edges[1], west: edges[0], north: edges[east + 1], east: edges[east])
    } catch {
      guard case .latitudeOutOfRange(let latitude) = error, abs(edges[1]) > 90,
        abs(edges[east + 1]) > 90,
        let swapped = try? BoundingBox(
          south: edges[0], west: edges[1], north: edges[east], east: edges[east + 1])
      else { throw error }
      throw .boxLooksSwapped(latitude: latitude, swapped)
    }
  }
}

extension BoundingBox {
  /// The box around every position within a geodesic distance of a center.
  ///
  ///     let box = BoundingBox(around: cityHall, radius: .kilometers(5))
  ///
  /// The edges touch the circle of that radius, enlarged by 1 µm to absorb rounding. A box that
  /// reaches a pole spans all longitudes. Only a circle that ends within 0.2 % short of a pole gets
  /// a box wider than necessary: 180°.
  ///
  /// Latitudes. A step on the ellipsoid is at least as long as its meridional part, so no position
  /// within the radius lies farther north or south than the radius reaches along the meridian.
  ///
  /// Longitudes, when the circle encloses no pole. The radius is then below a quarter meridian, so
  /// below π b, up to which circles on the ellipsoid are smooth. The easternmost position lies on
  /// the circle, and the circle runs along the meridian there. By Gauss's lemma the line from the
  /// center meets the circle at a right angle: it arrives going due east, at its vertex. So the
  /// eastern edge is the vertex of the geodesic whose vertex lies `radius` away, less than 90° of
  /// longitude from the center; `halfWidth` finds it.
  ///
  /// - Parameters:
  ///   - center: The center of the circle.
  ///   - radius: Any length from 0; half the Earth's circumference or more, even infinity, gives
  ///     the whole world.
  /// - Precondition: `radius >= .zero`.
  /// - Complexity: O(1), about 1 µs.
  public init(around center: Coordinate, radius: Distance) {
    precondition(radius >= .zero, "radius \(radius) is negative")
    let reach = radius.meters + Self.roundingMargin
    guard reach < WGS84.longestDistance else {
      self = .world
      return
    }
    // By symmetry, treat the center as if it lay in the north.
    let beta = UnitAngle(reducedLatitude: abs(center.latitude))
    let isSouthern = center.latitude < 0
    let poleward = Self.latitude(from: abs(center.latitude), length: reach)
    let equatorward = Self.latitude(from: abs(center.latitude), length: -reach)
    let south = isSouthern ? -poleward : equatorward
    let north = isSouthern ? -equatorward : poleward
    if poleward == 90 || equatorward == -90 {
      self.init(unchecked: south, -180, north, 180)
      return
    }
    let halfWidth = degrees(Self.halfWidth(center: beta, radius: reach))
    self.init(
      unchecked: south, Coordinate.wrappedLongitude(center.longitude - halfWidth), north,
      Coordinate.wrappedLongitude(center.longitude + halfWidth))
  }

  /// A margin for the rounding errors of this computation and of the distances compared with its result.
  private static var roundingMargin: Double { 1e-6 }

  /// The difference of longitude in radians from `center`, in the north, to the vertex of the
  /// geodesic whose vertex lies `radius` meters away.
  ///
  /// With ψ = π/2 − σ₁ the arc to the vertex, cos α₀ = sin β₁ / cos ψ, and the length to the vertex
  /// is
  ///
  ///     s(ψ) = b ∫₀^ψ √(1 + k² cos²t) dt,   s′(ψ) = b √(1 + e′² sin²β₁) + b tan ψ ΔJ,
  ///
  /// with k = e′ cos α₀ and the J of equation 40 in Karney's paper, because k cos ψ = e′ sin β₁ is
  /// constant. Both ΔJ and tan ψ grow with ψ, so s is convex. The integrand is at least its value
  /// at ψ, so the root lies left of ψ₀ = radius / (b √(1 + e′² sin²β₁)). From ψ₀ Newton's method
  /// descends to the root without passing it.
  private static func halfWidth(center beta: UnitAngle, radius: Double) -> Double {
    let stretch = (1 + WGS84.secondEccentricitySquared * beta.sine * beta.sine).squareRoot()
    var psi = radius / (WGS84.polarRadius * stretch)
    // Beyond ψ = π/2 − β₁ there is no vertex: the circle ends just short of the pole.
    guard sine(psi) < beta.cosine, psi < .pi / 2 else { return .pi / 2 }

    var sigma = UnitAngle.right
    var series = GeodesicSeries(cosineEquatorialAzimuth: 0)
    for _ in 0..<8 {
      sigma = UnitAngle(sine: cosine(psi), cosine: sine(psi))
      series = GeodesicSeries(cosineEquatorialAzimuth: beta.sine / sigma.sine)
      let length = series.length(arc: psi, from: sigma, to: .right)
      let integral = series.reducedIntegral(arc: psi, from: sigma, to: .right)
      let slope = WGS84.polarRadius * (stretch + sigma.cosine / sigma.sine * integral)
      let step = (length - radius) / slope
      psi -= step
      // A tenth of the margin; the remaining error makes the box larger.
      if step * WGS84.polarRadius < 0.1 * roundingMargin { break }
    }
    // sin²α₀ = 1 − (sin β₁ / cos ψ)², with the difference of squares written as a product of the
    // smaller of sines and cosines: close to a pole only this form keeps its digits.
    let product =
      beta.sine > beta.cosine
      ? (beta.cosine - sigma.cosine) * (beta.cosine + sigma.cosine)
      : (sigma.sine - beta.sine) * (sigma.sine + beta.sine)
    let sineEquatorial = max(0, product).squareRoot() / sigma.sine
    let omega = arcTangent(y: sigma.cosine, x: sineEquatorial * sigma.sine)
    let longitude =
      omega
      - series.longitudeDeficit(
        sineEquatorialAzimuth: sineEquatorial, arc: psi, from: sigma, to: .right)
    return min(longitude, .pi / 2)
  }

  /// The latitude in degrees that lies `length` meters north of `latitude`; at most 90.
  private static func latitude(from latitude: Double, length: Double) -> Double {
    let pole = length < 0 ? -90.0 : 90.0
    let toPole = Geodesic.distance(
      latitude1: latitude, longitude1: 0, latitude2: pole, longitude2: 0)
    guard abs(length) < toPole else { return pole }
    return Geodesic.direct(latitude: latitude, longitude: 0, azimuth: 0, distance: length).latitude
  }
}

extension BoundingBox {
  /// The smallest box around positions, across the antimeridian if that is smaller; nil if there
  /// are none.
  ///
  ///     BoundingBox(around: [fiji, samoa])  // west 178, east −172
  ///
  /// It omits the widest gap between neighboring longitudes; of equal gaps the one across the
  /// antimeridian, so that the box does not cross it.
  ///
  /// - Complexity: O(*n* log *n*).
  public init?(around positions: some Sequence<Coordinate>) {
    var longitudes: [Double] = []
    var south = 90.0
    var north = -90.0
    for position in positions {
      longitudes.append(position.longitude)
      south = min(south, position.latitude)
      north = max(north, position.latitude)
    }
    longitudes.sort()
    self.init(around: longitudes.lazy.map { ($0, $0) }, south, north)
  }

  /// The smallest box around boxes; nil if there are none.
  ///
  /// - Complexity: O(*n* log *n*).
  package init?(around boxes: some Sequence<BoundingBox>) {
    var spans: [(west: Double, east: Double)] = []
    var south = 90.0
    var north = -90.0
    for box in boxes {
      if box.west <= box.east {
        spans.append((box.west, box.east))
      } else {
        spans += [(box.west, 180), (-180, box.east)]
      }
      south = min(south, box.south)
      north = max(north, box.north)
    }
    spans.sort { $0.west < $1.west }
    self.init(around: spans, south, north)
  }

  /// A box of degrees as planes have them, which may run on past ±180.
  ///
  /// - Parameter isWhole: Whether it goes all the way round.
  /// - Throws: `CoordinateError` for what is not on the Earth.
  package init(
    plane: (south: Double, west: Double, north: Double, east: Double), isWhole: Bool
  ) throws(CoordinateError) {
    try self.init(
      south: plane.south, west: isWhole ? -180 : Coordinate.wrappedLongitude(plane.west),
      north: plane.north, east: isWhole ? 180 : Coordinate.wrappedLongitude(plane.east))
  }

  /// The box around spans of longitude, which ascend by their western ends.
  init?(
    around spans: some Sequence<(west: Double, east: Double)>, _ south: Double, _ north: Double
  ) {
    var first: Double?
    var reach = 0.0
    var gap: (width: Double, west: Double, east: Double)?
    for span in spans {
      if first == nil {
        (first, reach) = (span.west, span.east)
        continue
      }
      if span.west - reach > gap?.width ?? 0 { gap = (span.west - reach, span.west, reach) }
      reach = max(reach, span.east)
    }
    guard let first else { return nil }
    var (west, east) = (first, reach)
    if let gap, gap.width > first + 360 - reach { (west, east) = (gap.west, gap.east) }
    // Positions write ±180 as −180; as an eastern edge, 180 is clearer.
    if west > east {
      if east == -180 { east = 180 }
      if west == 180 { west = -180 }
    }
    self.init(unchecked: south, west, north, east)
  }
}

/// The smallest box around positions that arrive one by one and are not kept.
///
/// It is `BoundingBox(around:)` in constant memory of a megabyte: the westernmost and easternmost
/// position in each of 65,536 longitude bins. That finds every gap wider than a bin, 0.0055°;
/// without such a gap, the positions lie all round the Earth, and so does the box.
package struct GrowingBox {
  private static let parts = 65_536
  private static let width = 360.0 / Double(parts)

  private var south = 90.0, north = -90.0
  /// The extreme longitudes of each bin; infinite, with west > east, in an empty bin.
  private var west: [Double] = []
  private var east: [Double] = []

  package init() {}

  /// Extends the box to contain a position.
  package mutating func add(_ position: Coordinate) {
    if west.isEmpty {
      west = Array(repeating: .infinity, count: GrowingBox.parts)
      east = Array(repeating: -.infinity, count: GrowingBox.parts)
    }
    south = min(south, position.latitude)
    north = max(north, position.latitude)
    let longitude = position.longitude
    let part = min(GrowingBox.parts - 1, Int((longitude + 180) / GrowingBox.width))
    west[part] = min(west[part], longitude)
    east[part] = max(east[part], longitude)
  }

  /// The box; nil before the first position.
  package var box: BoundingBox? {
    let taken = zip(west, east).filter { $0 <= $1 }.map { (west: $0, east: $1) }
    guard let box = BoundingBox(around: taken, south, north) else { return nil }
    // A wider gap may lie within a bin.
    let isOpen = 360 - box.width > GrowingBox.width
    return isOpen ? box : BoundingBox(unchecked: south, -180, north, 180)
  }
}
