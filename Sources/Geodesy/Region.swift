/// A named area where positions are expected, so that positions outside can be reported as mistakes.
///
///     let korea = Region.southKorea
///     korea.contains(cityHall)       // true
///     korea.distance(to: paris)      // 8,830 km
///
/// It consists of boxes, polygons or both; edges are included.
public struct Region: Hashable, Sendable {
  /// The name used in messages.
  public let name: String
  /// The boxes of the region.
  public let boxes: [BoundingBox]
  /// The polygons of the region.
  public let polygons: [Polygon]

  /// - Parameters:
  ///   - name: The name used in messages.
  ///   - boxes: May overlap.
  ///   - polygons: May overlap each other and the boxes.
  public init(name: String, boxes: [BoundingBox] = [], polygons: [Polygon] = []) {
    self.name = name
    self.boxes = boxes
    self.polygons = polygons
  }
}

extension Region: Area {
  /// Whether a position lies in the region or on its border; an empty region contains nothing.
  public func contains(_ position: Coordinate) -> Bool {
    boxes.contains { $0.contains(position) } || polygons.contains { $0.contains(position) }
  }

  /// The relation of the region to a box; `covers` and `disjoint` are certain.
  public func relation(to box: BoundingBox) -> AreaRelation {
    let relations = [
      AreaRelation.union(boxes.lazy.map { $0.relation(to: box) }),
      AreaRelation.union(polygons.lazy.map { $0.relation(to: box) }),
    ]
    return AreaRelation.union(relations)
  }

  /// The boxes of the region and the bounding boxes of its polygons.
  public var boundingBoxes: [BoundingBox] { boxes + polygons.map(\.boundingBox) }
}

/// A part of the Earth's surface that can test whether it contains a position: a box, a polygon, a region.
public protocol Area: Sendable {
  /// Whether a position lies in the area or on its border.
  func contains(_ position: Coordinate) -> Bool

  /// The relation of the area to a box, for indexes: no position in a covered box needs a test, and
  /// a disjoint box has no position in the area.
  ///
  /// The answer may be `unknown` where `covers` or `disjoint` would be true; never the reverse.
  func relation(to box: BoundingBox) -> AreaRelation

  /// Boxes that together contain the area.
  var boundingBoxes: [BoundingBox] { get }
}

/// The relation of an area to a box.
public enum AreaRelation: Hashable, Sendable {
  /// No position of the box lies in the area.
  case disjoint
  /// Every position of the box lies in the area.
  case covers
  /// Undecided: test each position.
  case unknown

  /// The relation of a union of areas to a box, from the relation of each area.
  static func union(_ relations: some Sequence<AreaRelation>) -> AreaRelation {
    var union = AreaRelation.disjoint
    for relation in relations {
      switch relation {
      case .covers: return .covers
      case .unknown: union = .unknown
      case .disjoint: continue
      }
    }
    return union
  }
}

extension BoundingBox: Area {
  /// The relation of this box to another; `covers` and `disjoint` are certain.
  public func relation(to box: BoundingBox) -> AreaRelation {
    if contains(box) { return .covers }
    return overlaps(box) ? .unknown : .disjoint
  }

  /// The box itself.
  public var boundingBoxes: [BoundingBox] { [self] }

  /// Whether the two boxes intersect, edges included.
  private func overlaps(_ other: BoundingBox) -> Bool {
    guard south <= other.north, other.south <= north else { return false }
    let mine = longitudeSpans, theirs = other.longitudeSpans
    return [mine.first, mine.second].contains { span in
      guard let span else { return false }
      return span.overlaps(theirs.first) || theirs.second.map(span.overlaps) == true
    }
  }
}

extension Region {
  /// The distance on WGS 84 from a position to the nearest position of the region.
  ///
  /// - Returns: 0 inside and on the border; infinity for an empty region. Accurate to a meter, and
  ///   much better near the region.
  /// - Complexity: Tens of microseconds for each box that may be the nearest, a microsecond for
  ///   each edge of a polygon. For messages, not for searching.
  public func distance(to position: Coordinate) -> Distance {
    var least = Distance.infinity
    for box in boxes where box.leastDistance(from: position) < least {
      least = min(least, box.geodesicDistance(to: position))
    }
    for polygon in polygons where polygon.boundingBox.leastDistance(from: position) < least {
      least = min(least, polygon.geodesicDistance(to: position))
    }
    return least
  }
}

extension BoundingBox {
  /// The distance on WGS 84 from a position to the nearest position of the box; 0 inside.
  ///
  /// At any one latitude the distance grows with the difference of longitude. So the nearest
  /// position is straight north or south if the box spans the position's meridian, and otherwise on
  /// the closer of its two meridians.
  func geodesicDistance(to position: Coordinate) -> Distance {
    if contains(position) { return .zero }
    let gap = longitudeGap(to: position.longitude)
    guard gap > 0 else {
      let nearest = min(max(position.latitude, south), north)
      return Distance.meters(
        Geodesic.distance(
          latitude1: position.latitude, longitude1: 0, latitude2: nearest, longitude2: 0))
    }
    let meridian = StraightEdge(
      start: (latitude: south, longitude: gap), end: (latitude: north, longitude: gap))
    return .meters(meridian.distance(fromLatitude: position.latitude, longitude: 0))
  }
}

extension Polygon {
  /// The distance on WGS 84 from a position to the nearest position of the polygon; 0 inside.
  func geodesicDistance(to position: Coordinate) -> Distance {
    if contains(position) { return .zero }
    var least = Double.infinity
    for ring in [outer] + holes {
      ring.forEachEdge { start, end in
        let edge = StraightEdge(
          start: (start.latitude, start.x), end: (end.latitude, end.x))
        least = min(
          least,
          edge.distance(
            fromLatitude: position.latitude, longitude: position.longitude, below: least))
      }
    }
    return .meters(least)
  }
}

/// A line that is straight in longitude and latitude, in degrees; longitudes may pass ±180.
private struct StraightEdge {
  typealias Place = (latitude: Double, longitude: Double)
  let start: Place
  let end: Place

  /// The distance in meters from a position to the nearest point of the line.
  ///
  /// The line is cut into pieces of at most a degree. The distance changes along a piece by no more
  /// than the piece's length, so a piece with two far ends is skipped. In the other pieces the
  /// distance falls and then rises, and golden-section search finds its minimum.
  ///
  /// - Parameter limit: Pieces that cannot be nearer than this are skipped.
  func distance(
    fromLatitude latitude: Double, longitude: Double, below limit: Double = .infinity
  ) -> Double {
    func distance(at fraction: Double) -> Double {
      Geodesic.distance(
        latitude1: latitude, longitude1: longitude,
        latitude2: start.latitude + (end.latitude - start.latitude) * fraction,
        longitude2: Coordinate.wrappedLongitude(
          start.longitude + (end.longitude - start.longitude) * fraction))
    }
    let span = max(abs(end.latitude - start.latitude), abs(end.longitude - start.longitude))
    let pieces = max(1, Int(span.rounded(.up)))
    // An upper bound: no degree of latitude or longitude is longer on the ground.
    let longestPiece =
      radians(abs(end.latitude - start.latitude) + abs(end.longitude - start.longitude))
      * WGS84.largestCurvatureRadius / Double(pieces)
    let ends = (0...pieces).map { distance(at: Double($0) / Double(pieces)) }
    var least = ends.reduce(limit, min)
    for piece in 0..<pieces where (ends[piece] + ends[piece + 1] - longestPiece) / 2 < least {
      let range = Double(piece) / Double(pieces)...Double(piece + 1) / Double(pieces)
      least = min(least, leastPlace(in: range, of: distance).value)
    }
    return least
  }
}

extension BoundingBox {
  /// A proved lower bound of the distance on WGS 84 from a position to the nearest position of the box.
  ///
  /// At most 0.34 % and 1 m too small; 0 inside. Much cheaper than the distance itself.
  ///
  /// A latitude φ is reduced to β, tan β = (1 − f) tan φ, and the pair (β, λ) is taken as a point on the unit sphere. A
  /// step on the ellipsoid has ds² = (a² sin²β + b² cos²β) dβ² + a² cos²β dλ², which is at least b² (dβ² + cos²β dλ²),
  /// b² times the square of the step on that sphere. So a geodesic of length s spans an angle of at most s / b there.
  package func leastDistance(from position: Coordinate) -> Distance {
    let angle = leastAngle(from: position)
    // Near the antipode rounding may change the angle by 1e-8, 0.1 m on the ground.
    let rounding = 1.0
    return .meters(max(0, WGS84.polarRadius * angle - rounding))
  }

  /// The angle in radians from a position to the nearest position of the box, on the sphere of
  /// reduced latitudes.
  private func leastAngle(from position: Coordinate) -> Double {
    let here = UnitAngle(reducedLatitude: position.latitude)
    if longitudeGap(to: position.longitude) == 0 {
      // Straight along the meridian.
      let nearest = min(max(position.latitude, south), north)
      return angle(from: here, to: UnitAngle(reducedLatitude: nearest), longitude: 0)
    }
    // At any one latitude the nearest position of the box is on the closer of its two meridians.
    // Along that meridian the cosine of the angle is r cos(β − β₀), whose only maximum is at the
    // foot β₀; if the foot is outside the box, one of the ends is nearest.
    let longitude = radians(longitudeGap(to: position.longitude))
    let foot = UnitAngle(sine: here.sine, cosine: here.cosine * cosine(longitude))
    let low = UnitAngle(reducedLatitude: south), high = UnitAngle(reducedLatitude: north)
    var least = min(
      angle(from: here, to: low, longitude: longitude),
      angle(from: here, to: high, longitude: longitude))
    let footIsInside =
      foot.cosine > 0 && foot.sine * low.cosine >= low.sine * foot.cosine
      && foot.sine * high.cosine <= high.sine * foot.cosine
    if footIsInside {
      let nearest = UnitAngle(y: foot.sine, x: foot.cosine)
      least = min(least, angle(from: here, to: nearest, longitude: longitude))
    }
    return least
  }

  /// How many degrees of longitude a meridian lies outside the box, by the shorter way, 0…180.
  package func longitudeGap(to longitude: Double) -> Double {
    let eastward = longitude - west
    let fromWest = eastward < 0 ? eastward + 360 : eastward
    if fromWest <= width { return 0 }
    return min(fromWest - width, 360 - fromWest)
  }
}

/// The angle between two points on the unit sphere, from the sines and cosines of their latitudes
/// and the difference of their longitudes in radians.
private func angle(from a: UnitAngle, to b: UnitAngle, longitude: Double) -> Double {
  // The squared chord of the latitudes, from differences so that short angles keep their digits.
  let chordSquared =
    (a.sine - b.sine) * (a.sine - b.sine) + (a.cosine - b.cosine) * (a.cosine - b.cosine)
  let halfLongitude = sine(longitude / 2)
  return angle(
    ofHaversine: chordSquared / 4 + a.cosine * b.cosine * halfLongitude * halfLongitude)
}

extension Region {
  /// The predefined regions.
  public static let presets = [southKorea, japan, martAppKorea]

  /// The preset with a name, `KR`, `JP` or `kr-mart-box`, ignoring case; `nil` for any other name.
  public init?(named name: String) {
    let wanted = name.lowercased()
    guard let preset = Region.presets.first(where: { $0.name.lowercased() == wanted }) else {
      return nil
    }
    self = preset
  }

  /// South Korea, as `KR`: the mainland, Jeju with Marado and Chujado, Ulleungdo and Dokdo,
  /// Baengnyeongdo, Heuksando, Hongdo and Gageodo.
  ///
  /// Coarse boxes for finding positions that must be mistakes; not a statement about borders. They
  /// include much sea and, in the north, places beyond the armistice line. Tsushima is outside.
  ///
  /// Source: the extreme points of the National Geographic Information Institute (Marado 33°06′,
  /// Goseong 38°36′, Dokdo 131°52′), rounded outward.
  public static let southKorea = Region(
    name: "KR",
    boxes: [
      // The south coast, from Gageodo and Hongdo in the west to Geojedo; Tsushima begins at 129.16.
      BoundingBox(unchecked: 33.9, 124.95, 34.95, 128.95),
      // The mainland from there to Taean and Uljin.
      BoundingBox(unchecked: 34.95, 125.4, 37, 129.65),
      // Incheon and its islands with Yeonpyeongdo.
      BoundingBox(unchecked: 37, 125.55, 37.85, 126.65),
      // Seoul, Paju and Cheorwon.
      BoundingBox(unchecked: 37, 126.65, 38.35, 128),
      // Gangneung to Goseong.
      BoundingBox(unchecked: 37, 128, 38.65, 129.5),
      // Baengnyeongdo, Daecheongdo, Socheongdo.
      BoundingBox(unchecked: 37.72, 124.55, 38, 124.85),
      // Ulleungdo, Dokdo.
      BoundingBox(unchecked: 37.15, 130.7, 37.6, 131.95),
      // Jeju, Udo, Gapado, Marado.
      BoundingBox(unchecked: 33.05, 126.05, 33.9, 127.05),
    ])

  /// The mart app's box of Korea, as `kr-mart-box`: 33…39° N, 126…130° E.
  ///
  /// Copied from the app. Baengnyeongdo, Heuksando, Hongdo, Gageodo, Ulleungdo and Dokdo are
  /// outside, Tsushima and Kaesong inside; `southKorea` is more accurate.
  ///
  /// Source: jinios/mart-holiday-app, 464e96f.
  public static let martAppKorea = Region(
    name: "kr-mart-box", boxes: [BoundingBox(unchecked: 33, 126, 39, 130)])

  /// Japan, as `JP`: the four main islands and those around them, Tsushima, Okinawa to Yonaguni,
  /// Daito, the Izu islands, Ogasawara, Okinotorishima and Minamitorishima.
  ///
  /// Coarse boxes for finding positions that must be mistakes; not a statement about borders. They
  /// include much sea. The Korean mainland is outside.
  ///
  /// Source: the extreme points of the Geospatial Information Authority (Minamitorishima 153°59′,
  /// Yonaguni 122°56′, Okinotorishima 20°25′), rounded outward.
  public static let japan = Region(
    name: "JP",
    boxes: [
      // Hokkaido with Rebun, Rishiri and Okushiri, to Cape Nosappu.
      BoundingBox(unchecked: 41.3, 139.3, 45.6, 145.9),
      // Honshu east of 138, with Sado.
      BoundingBox(unchecked: 34.5, 138, 41.6, 142.15),
      // Noto and the coast of Hokuriku.
      BoundingBox(unchecked: 36.4, 135.5, 38, 138),
      // Honshu from Chugoku to 138, with Oki; Shikoku.
      BoundingBox(unchecked: 32.65, 130.8, 36.4, 138),
      // Kyushu with Goto and Iki.
      BoundingBox(unchecked: 30.9, 128.3, 34.3, 132.2),
      // Tsushima.
      BoundingBox(unchecked: 34.05, 129.1, 34.75, 129.55),
      // The Izu islands, to Sofugan.
      BoundingBox(unchecked: 29.7, 138.8, 34.5, 140.5),
      // Tanegashima, Yakushima, Tokara, Amami, Yoron.
      BoundingBox(unchecked: 26.95, 128.15, 30.9, 131.2),
      // Okinawa with Kumejima and Iheya.
      BoundingBox(unchecked: 26, 126.6, 27.95, 128.4),
      // Miyako and Yaeyama, to Yonaguni.
      BoundingBox(unchecked: 24, 122.9, 25, 125.55),
      // Daito.
      BoundingBox(unchecked: 24.4, 131.1, 26, 131.4),
      // Ogasawara with the Volcano Islands.
      BoundingBox(unchecked: 24.15, 140.8, 27.8, 142.3),
      // Minamitorishima.
      BoundingBox(unchecked: 24.2, 153.9, 24.35, 154.05),
      // Okinotorishima.
      BoundingBox(unchecked: 20.35, 136, 20.5, 136.15),
    ])
}
