import CNearbyKernels
import NearbyTestSupport
import Testing

/// Each kernel beside a plain twin that goes lane by lane.
@Suite struct KernelTests {
  private static func metric(_ generator: inout SeededGenerator) -> nearby_metric {
    var number: Float { .random(in: 0.5...2, using: &generator) }
    let latitude = Int32.random(in: -900_000_000...900_000_000, using: &generator)
    let longitude = Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator)
    let north = Float(latitude) * 1e-7, east = Float(longitude) * 1e-7
    return nearby_metric(
      latitude: latitude, longitude: longitude, latitude_rest: 0.25, longitude_rest: -0.5,
      degrees_latitude: Double(latitude) / 1e7, degrees_longitude: Double(longitude) / 1e7,
      south: north.nextDown, north: north.nextUp, west: east.nextDown, east: east.nextUp,
      meridian: 1.2e10 * number, parallel: 0.9e10 * number, meridian_slope: 1e7 * number,
      meridian_bend: -3e5 * number, parallel_slope: 2e8 * number, parallel_bend: 1e6 * number,
      turn_bend: 2.5e-5)
  }

  private static func group(_ generator: inout SeededGenerator) -> [Float] {
    var edges = [Float](repeating: 0, count: 64)
    for lane in 0..<16 {
      let isThere = Int.random(in: 0..<8, using: &generator) > 0
      let south = Float.random(in: -90...89, using: &generator)
      let west = Float.random(in: -180...179, using: &generator)
      edges[lane] = isThere ? south : .infinity
      edges[16 + lane] = isThere ? west : .infinity
      edges[32 + lane] = isThere ? south + .random(in: 0...5, using: &generator) : -.infinity
      edges[48 + lane] = isThere ? west + .random(in: 0...5, using: &generator) : -.infinity
    }
    return edges
  }

  @Test(arguments: UInt64(0)..<20)
  func `gaps to sixteen nodes are those lane by lane, with the name of the lane`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var m = KernelTests.metric(&generator)
    let edges = KernelTests.group(&generator)
    var gaps = [Float](repeating: 0, count: 16)
    nearby_squared_gaps(&m, edges, &gaps)
    for lane in 0..<16 {
      let y = max(max(edges[lane] - m.north, m.south - edges[32 + lane]), 0)
      let x = max(max(edges[16 + lane] - m.east, m.west - edges[48 + lane]), 0)
      let squared = min(y * y * m.meridian + x * x * m.parallel, 3e38)
      #expect(gaps[lane].bitPattern == squared.bitPattern & ~15 | UInt32(lane))
    }
    let least = gaps.min()!
    #expect(nearby_least(gaps) == least)
    #expect(nearby_least_above(gaps, least) == gaps.filter { $0 > least }.min())
    for quads in 1...4 {
      #expect(nearby_greatest(gaps, Int32(quads)) == gaps.prefix(4 * quads).max())
    }
  }

  static func square(_ m: nearby_metric, _ north: Float, _ east: Float) -> Float {
    let meridian = max(
      m.meridian + north * (m.meridian_slope + north * m.meridian_bend), m.meridian * 0.2)
    let parallel = max(
      m.parallel - north * (m.parallel_slope + north * m.parallel_bend), 0)
    let turn = max(1 - east * east * m.turn_bend, 0.2)
    return north * north * meridian + east * east * turn * parallel
  }

  @Test(arguments: UInt64(0)..<20)
  func `squares of a leaf are those lane by lane, whatever it is written in`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var m = KernelTests.metric(&generator)
    let decimals = (0..<32).map { lane in
      lane < 16
        ? Int32.random(in: -900_000_000...900_000_000, using: &generator)
        : Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator)
    }
    var squares = [Float](repeating: 0, count: 16)
    _ = nearby_leaf_squares(&m, true, decimals, 0, &squares)
    let limit = squares.sorted()[8]
    let bits = nearby_leaf_squares(&m, true, decimals, limit, &squares)
    #expect(bits == nearby_sixteen_at_most(squares, limit))
    for lane in 0..<16 {
      let north = (Float(decimals[lane] &- m.latitude) - m.latitude_rest) * 1e-7
      let east = (Float(decimals[16 + lane] &- m.longitude) - m.longitude_rest) * 1e-7
      #expect(squares[lane] == KernelTests.square(m, north, east))
      #expect((bits >> UInt32(lane) & 1 == 1) == (squares[lane] <= limit))
    }

    let degrees = decimals.map { Double($0) / 1e7 + 1e-9 }
    let degreeBits = nearby_leaf_squares(&m, false, degrees, limit, &squares)
    for lane in 0..<16 {
      let north = Float(degrees[lane] - m.degrees_latitude)
      let east = Float(degrees[16 + lane] - m.degrees_longitude)
      #expect(squares[lane] == KernelTests.square(m, north, east))
      #expect((degreeBits >> UInt32(lane) & 1 == 1) == (squares[lane] <= limit))
    }

    let box: (south: Int32, west: Int32, north: Int32, east: Int32) = (
      -300_000_000, -900_000_000, decimals[3], decimals[16 + 5]
    )
    let inside = nearby_degrees_leaf_in_box(
      Double(box.south), Double(box.west), Double(box.north), Double(box.east),
      decimals.map { Double($0) })
    for lane in 0..<16 {
      let isInside =
        (box.south...max(box.south, box.north)).contains(decimals[lane])
        && (box.west...max(box.west, box.east)).contains(decimals[16 + lane])
        && box.south <= box.north && box.west <= box.east
      #expect((inside >> UInt32(lane) & 1 == 1) == isInside)
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `nodes that meet a box and lie in it are those lane by lane`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let edges = KernelTests.group(&generator)
    var box = nearby_box(
      south: -40, west: -100, north: 50, east: 90, inner_south: -39.5, inner_west: -99.5,
      inner_north: 49.5, inner_east: 89.5)
    let bits = nearby_nodes_in_box(&box, edges)
    for lane in 0..<16 {
      let (south, west, north, east) = (
        edges[lane], edges[16 + lane], edges[32 + lane], edges[48 + lane]
      )
      let meets =
        south <= box.north && north >= box.south && west <= box.east && east >= box.west
      let isInside =
        meets && south >= box.inner_south && north <= box.inner_north && west >= box.inner_west
        && east <= box.inner_east
      #expect((bits >> UInt32(lane) & 1 == 1) == meets)
      #expect((bits >> UInt32(16 + lane) & 1 == 1) == isInside)
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `categories and codes are told apart lane by lane`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sets = (0..<16).map { _ in
      UInt64(1) << UInt64.random(in: 0..<64, using: &generator)
        | UInt64(1) << UInt64.random(in: 0..<64, using: &generator)
    }
    let wanted = sets[2] | 1
    var gaps = (0..<16).map { Float($0) }
    nearby_drop_other_categories(&gaps, sets, wanted)
    let codes = (0..<16).map { _ in UInt8.random(in: 0..<4, using: &generator) }
    let bits = nearby_equal_bytes(codes, 2)
    for lane in 0..<16 {
      #expect(gaps[lane] == (sets[lane] & wanted == 0 ? .infinity : Float(lane)))
      #expect((bits >> UInt32(lane) & 1 == 1) == (codes[lane] == 2))
    }
  }

  @Test func `doubles are rounded down and up to the floats beside them`() {
    var generator = SeededGenerator(seed: 3)
    let awkward = [0.0, -0.0, 1e-300, -1e-300, 0.1, -0.1, 180, -180, 1e-45, -1e-45, 126.9784]
    let values = awkward + (0..<500).map { _ in Double.random(in: -180...180, using: &generator) }
    for value in values {
      let down = nearby_rounded_down(value), up = nearby_rounded_up(value)
      #expect(Double(down) <= value && Double(down.nextUp) > value)
      #expect(Double(up) >= value && Double(up.nextDown) < value)
    }
  }
}
