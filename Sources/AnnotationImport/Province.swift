import Geodesy

/// A province of Korea or a prefecture of Japan: its names in addresses, and its area.
///
/// Coarse boxes for finding positions that must be mistakes; not a statement about borders. They
/// include sea and parts of the neighbors.
struct Province: Sendable {
  /// The country, as a region.
  let country: Region
  /// The whole province.
  let whole: Region
  /// Districts away from the rest, by the beginnings of their names, with their regions.
  private let districts: [(beginnings: [String], region: Region)]
  /// The rest without these districts.
  private let rest: Region

  fileprivate init(
    _ name: String, in country: Region, _ box: BoundingBox,
    _ districts: [(beginnings: [String], box: BoundingBox)]
  ) {
    self.country = country
    whole = Region(name: name, boxes: [box] + districts.map(\.box))
    rest = Region(name: name, boxes: [box])
    self.districts = districts.map { ($0.beginnings, Region(name: name, boxes: [$0.box])) }
  }

  /// The region of an address, by the text after the province's name; the whole province if that does not decide.
  ///
  /// - Parameter address: Evaluated only if the province has separate districts.
  func region(of address: @autoclosure () -> String) -> Region {
    guard !districts.isEmpty else { return rest }
    let address = address()
    if address.isEmpty { return whole }
    return districts.first { $0.beginnings.contains(where: address.hasPrefix) }?.region ?? rest
  }

  // MARK: By name

  /// The province with a name as in Korean and Japanese addresses: `서울`, `경남`, `静岡県`.
  static func named(_ name: String) -> Province? { byName[name] }

  private static let byName = Dictionary(
    uniqueKeysWithValues: korea.map { ($0.name, $0.province) }
      + japan.map { ($0.name, $0.province) })

  /// The province at the end of an address in Latin letters: `Jung-gu, Seoul 04524, Republic of Korea`.
  ///
  /// It must stand alone between commas, after the nearer parts, and only a country may follow.
  static func ending(_ address: String) -> Province? {
    guard address.utf8.contains(UInt8(ascii: ",")) else { return nil }
    var parts = address.lowercased().split(separator: ",", omittingEmptySubsequences: false)
      .map(latinName)
    while let last = parts.last, last.isEmpty || countries.contains(last) { parts.removeLast() }
    // The first part is a house or a name.
    guard parts.count >= 2, let last = parts.last else { return nil }
    return byLatinName[last]
  }

  /// A part without postal codes and words for "province".
  private static func latinName(_ part: Substring) -> String {
    let words = part.split(separator: " ").filter { !$0.contains(where: \.isNumber) }
    var name = words.joined(separator: " ")
    for ending in endings where name.hasSuffix(ending) && name != ending {
      name.removeLast(ending.count)
      break
    }
    return name
  }

  private static let countries: Set<String> = [
    "korea", "south korea", "republic of korea", "rep. of korea", "japan",
  ]
  private static let endings = [
    "-do", "-si", "-to", "-fu", "-ken", " prefecture", " province", " special city", " metropolis",
    " special self-governing city", " special self-governing province",
  ]

  private static let byLatinName: [String: Province] = {
    let latin = (korea + japan).flatMap { row in row.latin.map { ($0, row.province) } }
    return Dictionary(uniqueKeysWithValues: latin)
  }()

  /// One line of a table.
  struct Entry: Sendable {
    let name: String
    let latin: [String]
    let province: Province
  }

  /// Makes a line of a table, with a box of south, west, north and east.
  static func entry(
    _ name: String, _ latin: [String], in country: Region, _ south: Double, _ west: Double,
    _ north: Double, _ east: Double, _ districts: [(beginnings: [String], box: BoundingBox)] = []
  ) -> Entry {
    Entry(
      name: name, latin: latin,
      province: Province(
        name, in: country, BoundingBox(unchecked: south, west, north, east), districts))
  }
}
