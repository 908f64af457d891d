import Geodesy

/// The CRSs that a pair of metres may be of, and where it would land by each.
///
///     let candidates = CRSCandidates(x: 198_242, y: 451_580)
///     print(candidates)   // Korean TM: EPSG:5174 (37.5665,126.9809), 5181 316 m away, …
///
/// A pair of numbers is never proof: each belt of Korea starts from the same numbers. So nothing is
/// chosen here; what could be meant is listed, with how far apart the meanings lie.
public struct CRSCandidates: Sendable {
  /// One CRS that a pair may be of.
  public struct Candidate: Sendable {
    /// The CRS.
    public let crs: CRS
    /// Where the pair lands by it.
    public let coordinate: Coordinate
    /// Whether the first number is taken for the northing.
    public let isNorthingFirst: Bool
  }

  /// CRSs of one kind.
  public struct Family: Sendable {
    /// What they have in common, as `Korean TM`.
    public let name: String
    /// The likeliest first; never empty.
    public let candidates: [Candidate]
  }

  /// The kinds, the likeliest first.
  public let families: [Family]

  /// The candidates for a pair of numbers as columns name them; the other order is looked at too.
  public init(x: Double, y: Double) {
    let position = PlanePosition(x: x, y: y)
    families = CRSCandidates.kinds.compactMap { kind in
      var found = kind.codes.compactMap {
        CRSCandidates.candidate($0, position, isNorthingFirst: false)
      }
      if found.isEmpty {
        found = kind.codes.compactMap {
          CRSCandidates.candidate(
            $0, PlanePosition(x: position.y, y: position.x), isNorthingFirst: true)
        }
      }
      return found.isEmpty ? nil : Family(name: kind.name, candidates: found)
    }
  }

  /// The kinds that are looked for, the codes of each in the order of their use.
  private static let kinds: [(name: String, codes: [Int])] = [
    ("Korean TM", [5174, 5181, 5186, 2097, 5176, 5183, 5187, 5173, 5180, 5185]),
    ("Korean unified", [5179, 5178]),
    ("Japanese plane-rectangular", Array(6669...6687)),
    ("UTM", [32651, 32652, 32653, 32654, 32655, 32656]),
    ("Web Mercator", [3857]),
  ]

  /// Nil where the pair lands neither in the CRS's own area nor in Korea or Japan.
  private static func candidate(
    _ code: Int, _ position: PlanePosition, isNorthingFirst: Bool
  ) -> Candidate? {
    guard let crs = CRS.builtIn(code),
      let coordinate = try? crs.toWGS84.coordinate(of: position),
      crs.areaOfUse.contains(coordinate),
      Region.presets.contains(where: { $0.contains(coordinate) })
    else { return nil }
    return Candidate(crs: crs, coordinate: coordinate, isNorthingFirst: isNorthingFirst)
  }
}

extension CRSCandidates: CustomStringConvertible {
  /// Each kind with its codes, where the first lands, and how far the others lie from it.
  public var description: String {
    families.map { family in
      let first = family.candidates[0]
      let place =
        "\(fixedDecimal(first.coordinate.latitude, decimals: 4)),"
        + fixedDecimal(first.coordinate.longitude, decimals: 4)
      let codes = family.candidates.prefix(4).map { String($0.crs.code) }.joined(separator: ", ")
      let others = family.candidates.dropFirst().prefix(3).map {
        CRSCandidates.length($0.coordinate.distance(to: first.coordinate).meters)
      }
      let order = first.isNorthingFirst ? ", the northing first" : ""
      let apart =
        others.isEmpty
        ? ""
        : ", the \(others.count == 1 ? "other" : "others") \(others.joined(separator: ", ")) away"
      return "\(family.name) EPSG:\(codes) (\(first.crs.code) lands at \(place)\(order)\(apart))"
    }.joined(separator: "; ")
  }

  private static func length(_ meters: Double) -> String {
    meters < 10_000
      ? "\(Int(meters.rounded())) m" : "\(Int((meters / 1_000).rounded())) km"
  }
}
