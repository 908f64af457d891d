import NearbyKit
import NearbyTestSupport
import Testing

@Suite struct `Examples of SpatialIndexing` {
  private let places: [Coordinate]
  private let isOpen: [Bool]
  private let here: Coordinate

  init() throws {
    places = PointSet.city.sample(1_000, seed: 1).points
    isOpen = places.indices.map { $0.isMultiple(of: 3) }
    here = try Coordinate(latitude: 37.57, longitude: 126.97)
  }

  private func nearest() throws {
    let index = KDTreeIndex(places)
    let answer = index.nearest(3, to: here, within: .kilometers(5)) { isOpen[$0] }
    for neighbor in answer.neighbors { print(neighbor.offset, neighbor.distance) }
    if let room = answer.validRadius { print("the same three for another", room) }
  }

  @Test func `find the nearest that are open`() throws {
    let judged = BruteForce(places).ranked(from: here, within: 5_000) { isOpen[$0] }
    let lines = try PrintedLines.of(nearest)
    #expect(lines.count == 4 && judged.count >= 3)
    for (line, hit) in zip(lines, judged.prefix(3)) {
      let words = line.split(separator: " ")
      #expect(Int(words[0]) == hit.position)
      #expect(abs(try #require(Double(words[1])) - hit.meters) <= 20e-9)
    }
    let room = try #require(
      lines.last?.split(separator: " ").dropLast().last.flatMap { Double($0) })
    #expect(abs(room - (judged[3].meters - judged[2].meters) / 2) <= 20e-9)
  }

  private func lazily() -> Int? {
    let index = KDTreeIndex(places)
    let open = index.neighborsByDistance(from: here).first { isOpen[$0.offset] }
    return open?.offset
  }

  @Test func `stop at the first that is open`() {
    #expect(lazily() == BruteForce(places).ranked(from: here) { isOpen[$0] }.first?.position)
  }

  private func fleet() throws {
    let parked = places.enumerated().map { LiveObject(id: UInt64($0), at: $1) }
    let there = here
    let fleet = LiveIndex(parked)
    fleet.apply([.put(LiveObject(id: 7, at: there, expiry: 160)), .remove(9)])
    for neighbor in fleet.snapshot.nearest(3, to: here, now: 100) {
      print(neighbor.object.id, neighbor.distance)
    }
  }

  @Test func `find the nearest of a fleet`() throws {
    let judged = BruteForce(places).ranked(from: here) { $0 != 7 && $0 != 9 }
    let lines = try PrintedLines.of(fleet)
    let words = lines.map { $0.split(separator: " ") }
    let expected = [(7, 0.0)] + judged.prefix(2).map { ($0.position, $0.meters) }
    #expect(words.map { $0[0] } == expected.map { "\($0.0)" })
    #expect(zip(words, expected).allSatisfy { abs((Double($0[1]) ?? .nan) - $1.1) < 20e-9 })
  }

  private func cells() throws {
    let index = GeohashIndex(places)
    for neighbor in index.nearest(3, to: here).neighbors { print(neighbor.offset) }
    print(index.count(in: try Geohash("wydm9")))
    let viewport = try BoundingBox(south: 37.56, west: 126.96, north: 37.58, east: 126.98)
    for entry in index.cells(in: viewport, precision: 6) { print(entry.cell, entry.count) }
  }

  @Test func `count by cell`() throws {
    let lines = try PrintedLines.of(cells)
    let cell = try Geohash("wydm9")
    let judged = BruteForce(places).ranked(from: here)
    #expect(lines.prefix(3) == judged.prefix(3).map { "\($0.position)" }[...])
    #expect(lines.dropFirst(3).first == "\(places.count { cell.contains($0) })")
    let viewport = try BoundingBox(south: 37.56, west: 126.96, north: 37.58, east: 126.98)
    let counts = lines.dropFirst(4).compactMap { Int($0.split(separator: " ")[1]) }
    #expect(counts.reduce(0, +) == places.count { viewport.contains($0) })
  }

  private func changes() throws {
    var index = GeohashIndex(places)
    try index.apply([
      .move(number: 2, from: places[2], to: here),
      .insert(number: places.count, at: here),
    ])
    print(index.nearest(2, to: here).neighbors.map(\.offset))
  }

  @Test func `change a list of geohashes`() throws {
    #expect(try PrintedLines.of(changes) == ["[2, \(places.count)]"])
  }

  private func grid() throws {
    let grid = DegreeGrid(degrees: 0.01)
    let cell = grid.cell(at: here)
    print(cell)  // 12757,30697
    print(grid.neighbors(of: cell).count)  // 8
    print(Geohash(here, precision: 7))  // wydm9r2
    let pole = try Coordinate(latitude: 90, longitude: 0)
    print(Geohash(pole, precision: 7).neighbors.count)  // 5
  }

  @Test func `name cells`() throws {
    #expect(try PrintedLines.of(grid) == ["12757,30697", "8", "wydm9r2", "5"])
  }
}
