import Geodesy

/// Compares positions with those of records that have the same address, or an address in the same
/// district.
struct AddressComparison {
  /// The distance beyond which one address has two positions.
  private static let sameAddress = Distance.kilometers(1)
  /// The distance from the middle of its district beyond which a position is examined; it is
  /// unlikely if it is also this many times as far as the others usually are.
  private static let sameDistrict = Distance.kilometers(60)
  private static let usualTimes = 8.0
  private static let leastInDistrict = 5
  /// The distance from the box of its province beyond which a position is unlikely: boxes are
  /// coarse, and a place on a border may be listed on either side.
  private static let besideProvince = Distance.kilometers(20)
  /// The distance from the coarse land of its country beyond which a position is at sea: coastlines
  /// are accurate to about 6 km.
  private static let besideLand = Distance.kilometers(10)

  let rows: [(row: Int, address: AddressText)]
  let positions: [Coordinate]
  let progress: ComparisonProgress

  func findings() -> [RecordComparison.Finding] {
    var far = RecordComparison.Finding("far-from-address")
    for group in groups(by: \.building).values where group.count > 1 {
      compare(group, of: &far)
    }
    var outlying = RecordComparison.Finding("far-from-district")
    for (district, group) in groups(by: \.district)
    where group.count >= AddressComparison.leastInDistrict {
      compare(group, in: district, of: &outlying)
    }
    return [
      far, outlying, away("outside-country", "outside", from: country),
      away("far-from-province", "from", from: province),
      away("off-land", "off the land of", from: land),
    ].filter { $0.rows > 0 }
  }

  /// The rows that lie away from where their address is.
  ///
  /// - Parameters:
  ///   - words: How they lie to that region.
  ///   - region: Returns it for such a row, and nil for any other.
  private func away(
    _ code: String, _ words: StaticString, from region: (Coordinate, AddressText) -> Region?
  ) -> RecordComparison.Finding {
    var finding = RecordComparison.Finding(code)
    for (row, address) in rows {
      progress.advance()
      let position = positions[row]
      guard let region = region(position, address) else { continue }
      finding.take(1, row) {
        "\(position) is \(roughLength(region.distance(to: position))) \(words) \(region.name), where "
          + "its address is; look the address up"
      }
    }
    return finding
  }

  /// The country of an address, if that is Korea or Japan and the position is not there.
  private func country(_ position: Coordinate, _ address: AddressText) -> Region? {
    address.country.flatMap { $0.contains(position) ? nil : $0 }
  }

  /// The province of an address, if the position is in the right country but far from it.
  private func province(_ position: Coordinate, _ address: AddressText) -> Region? {
    let isFar = isFar(position, from: address.province)
    return isFar && address.country?.contains(position) ?? true ? address.province : nil
  }

  /// The land of the right country, if the position is near any stated province but at sea.
  private func land(_ position: Coordinate, _ address: AddressText) -> Region? {
    guard let country = address.country, country.contains(position),
      let land = Land.of(country),
      land.distance(to: position, beyond: AddressComparison.besideLand) != nil,
      !isFar(position, from: address.province)
    else { return nil }
    return land.region
  }

  /// Whether a position is far enough from the province of its address to be reported.
  private func isFar(_ position: Coordinate, from province: Region?) -> Bool {
    guard let province, !province.contains(position) else { return false }
    return province.distance(to: position) > AddressComparison.besideProvince
  }

  private func groups(by key: (AddressText) -> String?) -> [String: [Int]] {
    var groups: [String: [Int]] = [:]
    for (row, address) in rows {
      progress.advance()
      if let key = key(address) { groups[key, default: []].append(row) }
    }
    return groups
  }

  /// The rows that lie away from where most rows of one address are; all rows if there is no majority.
  private func compare(_ group: [Int], of finding: inout RecordComparison.Finding) {
    var rowsAt: [Coordinate: [Int]] = [:]
    for row in group { rowsAt[positions[row], default: []].append(row) }
    guard rowsAt.count > 1 else { return }
    let places = rowsAt.keys.sorted {
      (rowsAt[$1]?.count ?? 0, $0.latitude, $0.longitude)
        < (rowsAt[$0]?.count ?? 0, $1.latitude, $1.longitude)
    }
    // The positions with the most rows are enough to find the majority.
    let near = places.prefix(8).map { middle in
      group.filter {
        positions[$0].greatCircleDistance(to: middle) <= AddressComparison.sameAddress
      }
    }
    guard let most = near.max(by: { $0.count < $1.count }), most.count < group.count else { return }
    let hasMajority = most.count * 2 > group.count
    let others = hasMajority ? group.filter { !most.contains($0) } : group
    for row in others {
      let reference = hasMajority ? positions[most[0]] : positions[group.first { $0 != row } ?? row]
      finding.take(1, row) {
        "\(positions[row]) is \(roughLength(positions[row].distance(to: reference))) from "
          + "\(hasMajority ? "where others with its address are" : "another with its address"), "
          + "\(reference); look the address up"
      }
    }
  }

  private func compare(
    _ group: [Int], in district: String, of finding: inout RecordComparison.Finding
  ) {
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let middle = Coordinate(
      unchecked: median(group.map { positions[$0].latitude }),
      median(group.map { positions[$0].longitude }))
    let distances = group.map { positions[$0].greatCircleDistance(to: middle) }
    let usual = Distance.meters(median(distances.map(\.meters)))
    let limit = max(AddressComparison.sameDistrict, usual * AddressComparison.usualTimes)
    for (row, distance) in zip(group, distances) where distance > limit {
      finding.take(1, row) {
        "\(positions[row]) is \(roughLength(distance)) from the middle of \(grouped(group.count)) "
          + "rows in \(district), which usually are \(roughLength(usual)) from it; look it up"
      }
    }
  }
}
