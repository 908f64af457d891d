import Foundation
import Geodesy
import NearbyTestSupport
import Testing
import ViewportClustering

@Suite struct `A map that fits a box` {
  /// Web Mercator as textbooks have it: the world is a square of side 1.
  private static func x(_ longitude: Double) -> Double { (longitude + 180) / 360 }
  private static func y(_ latitude: Double) -> Double {
    let phi = min(max(latitude, -limit), limit) * .pi / 180
    return (1 - asinh(tan(phi)) / .pi) / 2
  }
  /// The latitude at which the square ends.
  private static let limit = atan(sinh(Double.pi)) * 180 / .pi

  private struct Picture: CustomStringConvertible {
    var width: Double
    var height: Double
    var padding = MapPadding.none

    var roomX: Double { width - padding.left - padding.right }
    var roomY: Double { height - padding.top - padding.bottom }
    var description: String { "\(width) × \(height), \(padding)" }
  }

  /// Where the edges of a box are drawn: left, top, right, bottom, in points from the upper left corner.
  ///
  /// The world stands side by side with itself, so the box is drawn many times: this is the one nearest to where
  /// it should be.
  private static func edges(
    of box: BoundingBox, _ fit: MapFit, in picture: Picture
  ) -> (left: Double, top: Double, right: Double, bottom: Double) {
    let points = 512 * pow(2, fit.zoom)
    let wanted = picture.padding.left + picture.roomX / 2
    let span = box.crossesAntimeridian ? box.east + 360 - box.west : box.east - box.west
    let (middle, left) = (-20...20).map { (turn: Int) -> (Double, Double) in
      let left =
        picture.width / 2 + (x(box.west) + Double(turn) - x(fit.center.longitude)) * points
      return (left + span / 360 * points / 2, left)
    }.min { abs($0.0 - wanted) < abs($1.0 - wanted) }!
    func down(_ latitude: Double) -> Double {
      picture.height / 2 + (y(latitude) - y(fit.center.latitude)) * points
    }
    return (left, down(box.north), 2 * middle - left, down(box.south))
  }

  private static func box(using generator: inout SeededGenerator) throws -> BoundingBox {
    func draw(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &generator)
    }
    // From a doorstep to the world, and over the poles and ±180° as often as elsewhere.
    let size = pow(10, draw(-5...2))
    let latitude = Bool.random(using: &generator) ? draw(-90...90) : draw(80...90)
    let longitude = Bool.random(using: &generator) ? draw(-180...180) : 180
    let half = min(size * draw(0...2), 179.9)
    return try BoundingBox(
      south: max(latitude - size * draw(0...1), -90),
      west: Coordinate.wrappedLongitude(longitude - half), north: latitude,
      east: Coordinate.wrappedLongitude(longitude + half))
  }

  private static func picture(using generator: inout SeededGenerator) -> Picture {
    func draw(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &generator)
    }
    let (width, height) = (draw(1...3_000), draw(1...3_000))
    return Picture(
      width: width, height: height,
      padding: Bool.random(using: &generator)
        ? .none
        : MapPadding(
          top: draw(0...height / 2.5), left: draw(0...width / 2.5), bottom: draw(0...height / 2.5),
          right: draw(0...width / 2.5)))
  }

  /// In points; what doubles leave of a point at zoom 22, where the world is 2³¹ points wide.
  private static let tolerance = 1e-4
  /// In degrees, a ten-thousandth of a millimeter.
  private static let rounding = 1e-12

  @Test(arguments: UInt64(0)..<40)
  func `shows all of it, as large as it can be, in the middle of what is free`(seed: UInt64) throws
  {
    var generator = SeededGenerator(seed: seed)
    var fits = 0
    for _ in 0..<500 {
      let box = try Self.box(using: &generator), picture = Self.picture(using: &generator)
      for zooms in [MapFit.Zooms.fractional, .whole] {
        let fit = try #require(
          MapFit(
            of: box, width: picture.width, height: picture.height, padding: picture.padding,
            deepest: 22, zooms: zooms))
        let said: Comment = "\(box) in \(picture): \(fit)"
        let (left, top, right, bottom) = Self.edges(of: box, fit, in: picture)
        #expect((0...22).contains(fit.zoom), said)
        if zooms == .whole { #expect(fit.zoom == fit.zoom.rounded(), said) }
        // One zoom more, or a little more, and it would not fit.
        let more = zooms == .whole ? 2 : 1 + 1e-6
        let isLarger =
          (right - left) * more > picture.roomX || (bottom - top) * more > picture.roomY
        #expect(isLarger || fit.zoom == 22, said)
        guard fit.showsAll else {
          #expect(
            right - left > picture.roomX || bottom - top > picture.roomY
              || [-Self.limit, Self.limit].contains { abs($0 - fit.center.latitude) < 1e-9 }, said)
          continue
        }
        fits += 1
        let padding = picture.padding
        #expect(left >= padding.left - Self.tolerance, said)
        #expect(right <= picture.width - padding.right + Self.tolerance, said)
        #expect(top >= padding.top - Self.tolerance, said)
        #expect(bottom <= picture.height - padding.bottom + Self.tolerance, said)
        #expect(abs(left + right - 2 * padding.left - picture.roomX) < Self.tolerance, said)
        #expect(abs(top + bottom - 2 * padding.top - picture.roomY) < Self.tolerance, said)
      }
    }
    // Not a test of boxes that are too large alone.
    #expect(fits > 600)
  }

  @Test(arguments: UInt64(0)..<20)
  func `becomes a viewport that holds the box`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let box = try Self.box(using: &generator), picture = Self.picture(using: &generator)
      let fit = try #require(
        MapFit(of: box, width: picture.width, height: picture.height, padding: picture.padding))
      let screen = try #require(
        MapViewport(
          fitting: box, width: picture.width, height: picture.height, padding: picture.padding))
      #expect(screen.zoom == Int(fit.zoom))
      guard fit.showsAll else { continue }
      let said: Comment = "\(box) in \(picture): \(screen.box)"
      #expect(screen.box.south <= box.south + Self.rounding, said)
      #expect(screen.box.north >= box.north - Self.rounding, said)
      // From edge to edge eastward, all the way round at most.
      func east(from west: Double, to east: Double) -> Double {
        let span = (east - west).truncatingRemainder(dividingBy: 360)
        return span < -Self.rounding ? span + 360 : span
      }
      #expect(
        screen.box.width == 360
          || east(from: screen.box.west, to: box.west) + box.width
            + east(from: box.east, to: screen.box.east) <= screen.box.width + 3 * Self.rounding,
        said)
    }
  }

  @Test func `takes known places at known zooms`() throws {
    // The world is 512 points wide at zoom 0, a quarter of it at zoom 2.
    let world = try #require(MapFit(of: .world, width: 512, height: 512, zooms: .whole))
    #expect(world.zoom == 0 && world.showsAll && world.center == PointSet.legal(0, 0))
    let quarter = try BoundingBox(south: 0, west: 0, north: 0, east: 90)
    let fit = try #require(MapFit(of: quarter, width: 512, height: 10, zooms: .whole))
    #expect(fit.zoom == 2 && fit.center == PointSet.legal(0, 45))
    let fraction = try #require(MapFit(of: quarter, width: 512 * sqrt(2), height: 10))
    #expect(abs(fraction.zoom - 2.5) < 1e-8)
    // Half of the picture is covered by a sheet: the middle moves down, the map's center south.
    let covered = try #require(
      MapFit(
        of: quarter, width: 512, height: 256, padding: MapPadding(bottom: 128), zooms: .whole))
    #expect(covered.zoom == 2 && abs(Self.y(covered.center.latitude) - (0.5 + 64.0 / 2048)) < 1e-12)
  }

  @Test func `crosses the antimeridian in one piece`() throws {
    let fiji = try BoundingBox(south: -21, west: 177, north: -12, east: -178)
    let fit = try #require(MapFit(of: fiji, width: 400, height: 400))
    #expect(fit.center.longitude == 179.5 && fit.showsAll && fit.zoom > 4)
    let screen = try #require(MapViewport(fitting: fiji, width: 400, height: 400))
    #expect(screen.box.crossesAntimeridian && screen.box.width < 10)
    let touching = try BoundingBox(south: 0, west: 170, north: 1, east: 180)
    #expect(try #require(MapFit(of: touching, width: 400, height: 400)).center.longitude == 175)
  }

  @Test func `shows one position at the deepest zoom`() throws {
    let spot = try BoundingBox(south: 37.5, west: 127, north: 37.5, east: 127)
    let fit = try #require(MapFit(of: spot, width: 300, height: 200))
    #expect(fit.zoom == 17 && fit.showsAll)
    #expect(fit.center.distance(to: PointSet.legal(37.5, 127)) < .meters(1e-6))
    #expect(MapFit(of: spot, width: 300, height: 200, deepest: 14.5)?.zoom == 14.5)
    #expect(MapFit(of: spot, width: 300, height: 200, deepest: 99)?.zoom == 24)
    let pole = try BoundingBox(south: 90, west: 0, north: 90, east: 0)
    let top = try #require(MapFit(of: pole, width: 300, height: 200))
    #expect(abs(top.center.latitude - Self.limit) < 1e-9 && top.zoom == 17)
  }

  @Test func `says where a picture is too small, or the map ends`() throws {
    let small = try #require(MapFit(of: .world, width: 100, height: 100))
    #expect(small.zoom == 0 && !small.showsAll)
    // To keep 190 of 200 points free above what lies at the northern edge, one would look beyond it.
    let arctic = try BoundingBox(south: 84, west: 0, north: 85, east: 1)
    let fit = try #require(
      MapFit(of: arctic, width: 200, height: 200, padding: MapPadding(top: 190)))
    #expect(!fit.showsAll && abs(fit.center.latitude - Self.limit) < 1e-9)
  }

  @Test(arguments: [
    (0, 100, 0), (100, 0, 0), (100, 100, 50), (100, 100, 60), (-1, 100, 0), (100, -1, 0),
    (.nan, 100, 0), (100, .infinity, 0), (100, 100, .nan), (100, 100, -1), (100, 100, .infinity),
  ])
  func `has nothing to show in an empty picture`(width: Double, height: Double, padding: Double) {
    #expect(
      MapFit(of: .world, width: width, height: height, padding: MapPadding(padding)) == nil)
    #expect(
      MapViewport(fitting: .world, width: width, height: height, padding: MapPadding(padding))
        == nil)
  }

  @Test(arguments: [(17.5, 17), (17, 17), (0.5, 0), (99, 24)] as [(Double, Double)])
  func `has a whole zoom where only whole ones are supported, the deepest included`(
    deepest: Double, zoom: Double
  ) throws {
    let spot = try BoundingBox(south: 37.5, west: 127, north: 37.5, east: 127)
    #expect(
      MapFit(of: spot, width: 390, height: 844, deepest: deepest, zooms: .whole)?.zoom == zoom)
  }
}
