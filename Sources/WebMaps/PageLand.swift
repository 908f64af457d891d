import Geodesy
import GeoJSONCoding
import WorldOutlines

/// The world's land in a page: detailed near a box, as far as the size limit allows, and coarse elsewhere.
///
/// It takes at most about 230 kB, and less than 200 kB for a country. Where a page is zoomed in beyond the accuracy of
/// the lines, it hides the land (`land.js`).
public struct PageLand: Sendable {
  private let world = WorldOutlines.shared
  /// The level of detail of each arc.
  private let details: [WorldOutlines.Detail]
  /// The box in which lakes are detailed.
  private let window: WorldOutlines.Box?

  /// The maximum size of all arcs in bytes, for a page of one country and for a larger one.
  private static let room = (country: 130_000, world: 170_000)

  /// Chooses the detail of the land.
  ///
  /// - Parameter box: The box around what the page shows; nil if the page is empty.
  public init(near box: BoundingBox? = nil) {
    let arcs = WorldOutlines.shared.arcs
    var details = [WorldOutlines.Detail](repeating: .coarse, count: arcs.count)
    func size(_ place: Int, _ detail: WorldOutlines.Detail) -> Int {
      arcs[place].letters(detail)?.count ?? 0
    }
    var used = arcs.indices.reduce(0) { $0 + size($1, .coarse) }
    let box = box.map(WorldOutlines.Box.init)
    let extent = box.map { max($0.east - $0.west, $0.south - $0.north) } ?? 0
    let room = extent < 6_000 ? PageLand.room.country : PageLand.room.world
    // First everything in the box enlarged by half on each side, then as much of wider boxes as fits.
    let nearEdge = max(400, extent / 2)
    let steps: [(edge: Int, detail: WorldOutlines.Detail)] = [
      (nearEdge, .fine), (max(1_500, extent / 2), .fine), (nearEdge, .middle),
      (max(8_000, extent), .middle), (WorldOutlines.size, .middle),
    ]
    for step in steps {
      guard let window = box?.widened(by: step.edge) else { continue }
      let nearer = arcs.indices.filter {
        details[$0].rawValue > step.detail.rawValue && arcs[$0].box.meets(window)
      }
      let more = nearer.reduce(0) { $0 + size($1, step.detail) - size($1, details[$1]) }
      guard used + more <= room else { continue }
      used += more
      for place in nearer { details[place] = step.detail }
    }
    self.details = details
    window = box?.widened(by: nearEdge)
  }

  /// Writes the land in the format of `land.js`.
  func write(to json: inout JSONWriter) {
    // Omitted arcs get no number.
    var numbers = [Int?](repeating: nil, count: world.arcs.count)
    var count = 0
    var borders: [Int] = []
    json.beginObject()
    json.member("arcs", each: world.arcs.indices) { json, place in
      let arc = world.arcs[place]
      guard let letters = arc.letters(details[place]) else { return }
      json.string(letters.text)
      if arc.isBorder { borders.append(count) }
      numbers[place] = count
      count += 1
    }
    json.member("borders", each: borders) { $0.number($1) }
    json.member("countries", each: world.countries) { json, country in
      let rings = country.rings.compactMap { ring in
        let left = ring.compactMap { arc in
          numbers[arc < 0 ? -1 - arc : arc].map { arc < 0 ? -1 - $0 : $0 }
        }
        return left.isEmpty ? nil : left.map(String.init).joined(separator: ",")
      }
      guard !rings.isEmpty else { return }
      json.beginArray()
      json.string(country.code)
      for number in [country.rank, country.x, country.y] { json.number(number) }
      json.string(rings.joined(separator: "/"))
      json.endArray()
    }
    json.member("lakes", each: world.lakes) { json, lake in
      if let letters = lake.letters(isFine: window.map(lake.box.meets) ?? false) {
        json.string(letters.text)
      }
    }
    json.member("cities", each: world.cities) { json, city in
      json.beginArray()
      for number in [city.x, city.y, city.rank] { json.number(number) }
      json.string(city.names)
      json.endArray()
    }
    json.endObject()
  }
}
