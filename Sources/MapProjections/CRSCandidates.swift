import Geodesy

/// The CRSs that a pair of meters may belong to, and where each would place it.
///
///     let candidates = CRSCandidates(x: 198_242, y: 451_580)
///     print(candidates)   // Korean TM EPSG:5174, 5181, … (5174 lands at 37.5665,126.9809; away from there 5181 313 m, …
///
/// A pair of numbers proves nothing: each belt of Korea starts from the same numbers. So nothing is
/// chosen here; the result lists what is possible, and how far the possible positions are apart.
public struct CRSCandidates: Sendable {
  /// A CRS that a pair may belong to.
  public struct Candidate: Sendable {
    /// The CRS.
    public let crs: CRS
    /// The position of the pair in this CRS.
    public let coordinate: Coordinate
    /// Whether the first number is read as the northing.
    public let isNorthingFirst: Bool
  }

  /// CRSs of one kind, with the pair in one order.
  public struct Family: Sendable {
    /// The common name, as `Korean TM`.
    public let name: String
    /// The candidates, likeliest first; never empty.
    public let candidates: [Candidate]
  }

  /// The kinds that would place the pair in Korea, Japan, Great Britain or Ireland, likeliest first.
  public let families: [Family]
  /// Possible CRSs elsewhere, in words.
  private let elsewhere: [String]

  /// The candidates for a pair of numbers as columns name them, and in the reverse order; for
  /// Japan's plane-rectangular zones that only if none fits as named.
  ///
  /// - Parameters:
  ///   - x: The easting.
  ///   - y: The northing.
  ///   - isNamedEasting: Whether the columns are called easting and northing, as in Great Britain
  ///     and Ireland: their grids then come first; otherwise only if no other fits.
  public init(x: Double, y: Double, isNamedEasting: Bool = false) {
    let position = PlanePosition(x: x, y: y)
    let eastAsian: [Family] = CRSCandidates.kinds.flatMap { kind in
      let grids = kind.codes.compactMap(CRS.builtIn)
      func inEastAsia(_ position: PlanePosition, isNorthingFirst: Bool) -> [Candidate] {
        grids.compactMap {
          CRSCandidates.candidate($0, position, isNorthingFirst: isNorthingFirst)
        }.filter { found in Region.presets.contains { $0.contains(found.coordinate) } }
      }
      let named = inEastAsia(position, isNorthingFirst: false)
      let reversed =
        named.isEmpty || kind.hasBothOrders
        ? inEastAsia(PlanePosition(x: y, y: x), isNorthingFirst: true) : []
      return [named, reversed].filter { !$0.isEmpty }
        .map { Family(name: kind.name, candidates: $0) }
    }
    let british =
      eastAsian.isEmpty || isNamedEasting ? CRSCandidates.britishFamilies(position) : []
    families = british + eastAsian
    elsewhere = CRSCandidates.elsewhere(position, isOnly: families.isEmpty)
  }

  /// The grids of Great Britain and Ireland that would place the pair there.
  private static func britishFamilies(_ position: PlanePosition) -> [Family] {
    [("British National Grid", [CRS.britishGrid]), ("Irish grids", CRS.irishGrids)].compactMap {
      (name: String, grids: [CRS]) in
      let found = grids.compactMap { candidate($0, position, isNorthingFirst: false) }
      return found.isEmpty ? nil : Family(name: name, candidates: found)
    }
  }

  /// CRSs without a country: any UTM zone starts from the same numbers.
  ///
  /// - Parameter isOnly: Whether no grid that is known here fits.
  private static func elsewhere(_ position: PlanePosition, isOnly: Bool) -> [String] {
    guard isOnly else { return ["or a UTM zone (EPSG:326zz) or the grid of another country"] }
    var names: [String] = []
    if (100_000...900_000).contains(position.x), (0...10_000_000).contains(position.y) {
      names.append("UTM EPSG:326zz or, in the south, 327zz, zz being the zone")
    }
    if let coordinate = try? CRS.builtIn(3857)?.toWGS84.coordinate(of: position),
      abs(coordinate.latitude) <= 85.06
    {
      names.append("Web Mercator EPSG:3857 (lands at \(text(coordinate)))")
    }
    return names
  }

  /// The kinds to try, with the codes of each in order of use.
  private static let kinds: [(name: String, codes: [Int], hasBothOrders: Bool)] = [
    ("Korean TM", [5174, 5181, 5186, 2097, 5176, 5183, 5187, 5173, 5180, 5185], true),
    ("Korean unified", [5179, 5178], true),
    ("Japanese plane-rectangular", Array(6669...6687), false),
    ("UTM", [32651, 32652, 32653, 32654, 32655, 32656], true),
    ("Web Mercator", [3857], true),
  ]

  /// nil if the pair does not land in the CRS's own area.
  private static func candidate(
    _ crs: CRS, _ position: PlanePosition, isNorthingFirst: Bool
  ) -> Candidate? {
    guard let coordinate = try? crs.toWGS84.coordinate(of: position),
      crs.areaOfUse.contains(coordinate),
      CRS.koreanGrids.first(where: { $0.code == crs.code })?.belt.isUsed(at: coordinate) != false
    else { return nil }
    return Candidate(crs: crs, coordinate: coordinate, isNorthingFirst: isNorthingFirst)
  }
}

extension CRSCandidates: CustomStringConvertible {
  /// Each kind with its codes, the position in the first, and the distances of the others from it.
  public var description: String {
    let inside = families.map { family in
      let first = family.candidates[0]
      let place = CRSCandidates.text(first.coordinate)
      let codes = family.candidates.map { String($0.crs.code) }.joined(separator: ", ")
      let gaps = family.candidates.dropFirst().map {
        "\($0.crs.code) \(CRSCandidates.length($0.coordinate.distance(to: first.coordinate).meters))"
      }
      let order = first.isNorthingFirst ? ", the northing first" : ""
      let apart = gaps.isEmpty ? "" : "; away from there \(gaps.joined(separator: ", "))"
      return "\(family.name) EPSG:\(codes) (\(first.crs.code) lands at \(place)\(order)\(apart))"
    }
    return (inside + elsewhere).joined(separator: "; ")
  }

  private static func text(_ coordinate: Coordinate) -> String {
    "\(fixedDecimal(coordinate.latitude, decimals: 4)),"
      + fixedDecimal(coordinate.longitude, decimals: 4)
  }

  private static func length(_ meters: Double) -> String {
    meters < 10_000
      ? "\(Int(meters.rounded())) m" : "\(Int((meters / 1_000).rounded())) km"
  }
}
