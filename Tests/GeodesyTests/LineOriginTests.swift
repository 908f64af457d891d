import Geodesy
import NearbyTestSupport
import Testing

/// What `Geodesic` and PROJ may be wrong by, each, in meters.
private let geodesicTolerance = 15e-9
/// What the chord between two `ECEFPosition` may be wrong by, in meters: each may be moved by 2 nm.
private let positionTolerance = 4e-9

extension LineOrigin {
  /// The largest possible error of a chord of this length, in meters; `LineOrigin.swift` proves it.
  fileprivate static func chordErrorBound(chord: Double) -> Double {
    // A degree of latitude is at least 110.57 km.
    5e-15 * chord + (chord < 110_000 ? 1e-12 : 20e-9)
  }
}

extension ChordSeries {
  /// The largest possible error of a distance from the series, in meters, for a chord of at most `reach`.
  fileprivate static func errorBound(chord: Double) -> Double {
    let squared = chord * chord
    return 3.6e-34 * squared * squared * chord + 5e-15 * chord + 1e-12
  }
}

@Suite struct `Lines from one origin` {
  private func lines(
    from origin: LineOrigin, to positions: [(latitude: Double, longitude: Double)]
  ) -> (squaredChords: [Double], distances: [Double]) {
    var squaredChords = [Double](repeating: -1, count: positions.count)
    var distances = squaredChords
    origin.lines(
      latitudes: positions.map(\.latitude), longitudes: positions.map(\.longitude),
      count: positions.count, squaredChords: &squaredChords, distances: &distances)
    return (squaredChords, distances)
  }

  private func line(_ pair: PositionPair) -> (chord: Double, distance: Double) {
    let origin = LineOrigin(latitude: pair.latitude1, longitude: pair.longitude1)
    let (squared, distances) = lines(from: origin, to: [(pair.latitude2, pair.longitude2)])
    return (squared[0].squareRoot(), distances[0])
  }

  private func chordByPositions(_ pair: PositionPair) -> Double {
    ECEFPosition(latitude: pair.latitude1, longitude: pair.longitude1).squaredChord(
      to: ECEFPosition(latitude: pair.latitude2, longitude: pair.longitude2)
    ).squareRoot()
  }

  /// Chord and distance of a pair in bare degrees, in meters.
  ///
  /// Computed for these very numbers with 45 digits (mpmath): the chord by its definition, the
  /// geodesic by the Taylor series of its differential equation in space, shot at the second end.
  /// No series in the eccentricity, no auxiliary sphere.
  struct Reference: Sendable {
    let pair: PositionPair
    let chord: Double
    let distance: Double

    init(
      _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double,
      chord: Double, distance: Double
    ) {
      pair = PositionPair(
        latitude1: latitude1, longitude1: longitude1, latitude2: latitude2, longitude2: longitude2)
      self.chord = chord
      self.distance = distance
    }

    static let all = [
      Reference(
        1.1484257999548662, -49.81562930869296, 1.148425829911214, -49.815629841716,
        chord: 0.0594164184381704053, distance: 0.0594164184381704055),
      Reference(
        5.510606204755503, -109.09595293279982, 5.5105996831929485, -109.0959613886491,
        chord: 1.1823860124498109, distance: 1.1823860124498126),
      Reference(
        0.3122874237002886, -138.18072123669825, 0.3036224231892309, -138.18291669183975,
        chord: 988.804539206331633, distance: 988.804540209124229),
      Reference(
        0.8024711788254824, -118.0613794406928, 0.8235704471823277, -117.89170666979138,
        chord: 19029.5484717555243, distance: 19029.5555312619637),
      Reference(
        89.99999979704081, -46.10058316798566, 89.82414027154638, -130.4855122433775,
        chord: 19642.4623632326186, distance: 19642.470073549693),
      Reference(
        89.99999977491967, 105.99807985048062, 89.5942374950512, -75.28481243241595,
        chord: 45321.1516994662555, distance: 45321.2464080537091),
      Reference(
        85.77944314089218, 1.494939682598499, 85.46082934447175, 12.396008228579452,
        chord: 99371.6653791153216, distance: 99372.6637797541451),
      Reference(
        89.8883266888581, -88.77914356957359, 89.22279381994474, 92.17548083066094,
        chord: 99279.9243788600912, distance: 99280.9199686583008),
      Reference(
        -2.879862422733011, 92.80744948443402, -2.0010733414774378, 92.63709336075253,
        chord: 99002.1159502462795, distance: 99003.1227709285712),
      Reference(
        -2.8150538241990994, 128.51447202169737, -2.073590855324188, 128.01085549534577,
        chord: 99293.1699898875999, distance: 99294.1818968617426),
      Reference(
        40.9984473226885, 116.52579456958864, 40.122188629960064, 116.27672696921958,
        chord: 99563.5214034845102, distance: 99564.5369593453012),
      Reference(
        -43.4042757808988, 146.18341542200642, -42.581893525237604, 146.6789934557132,
        chord: 99898.8146913836958, distance: 99899.8388221536079),
      Reference(
        -66.63452404531401, -22.038460614163228, -65.84928460308744, -23.080820653015234,
        chord: 99318.1708580229405, distance: 99319.170385996388),
      Reference(
        -68.86907743510275, -121.57337207261452, -68.95178193651945, -124.04593865595844,
        chord: 99750.0016445710267, distance: 99751.0123388368341),
    ]
  }

  @Test(arguments: Reference.all.indices)
  func `chord and distance keep their bounds beside 45 digits`(index: Int) {
    let reference = Reference.all[index]
    let line = line(reference.pair)
    // The reference itself is rounded to a double.
    let rounding = reference.distance * 2e-16
    #expect(
      abs(line.chord - reference.chord)
        <= LineOrigin.chordErrorBound(chord: reference.chord) + rounding)
    #expect(
      abs(line.distance - reference.distance)
        <= ChordSeries.errorBound(chord: reference.chord) + rounding)
  }

  @Test(arguments: -3...4)
  func `distances of any length agree with PROJ and Geodesic`(exponent: Int) {
    let judge = PROJJudge()
    var generator = SeededGenerator(seed: UInt64(200 + exponent))
    for index in 0..<2_000 {
      let start = start(index, using: &generator)
      let length = min(
        99_990, PairClass.power(Double(exponent)...Double(exponent + 1), using: &generator))
      // Every fifth line along a meridian or a parallel.
      let azimuth =
        index % 5 == 0
        ? 90 * Double(index / 5 % 4) : Double.random(in: -180...180, using: &generator)
      let end = judge.direct(start.latitude, start.longitude, azimuth: azimuth, distance: length)
      let pair = PositionPair(
        latitude1: start.latitude, longitude1: start.longitude, latitude2: end.latitude,
        longitude2: Coordinate.wrappedLongitude(end.longitude))
      let line = line(pair)
      let tolerance = ChordSeries.errorBound(chord: line.chord) + geodesicTolerance
      let expected = judge.inverse(
        pair.latitude1, pair.longitude1, pair.latitude2, pair.longitude2)
      #expect(abs(line.distance - expected.distance) <= tolerance, "\(pair)")
      #expect(abs(line.distance - pair.distance) <= tolerance, "\(pair)")
    }
  }

  /// Anywhere, near a pole, on the equator, by the antimeridian, at a pole.
  private func start(
    _ index: Int, using generator: inout SeededGenerator
  ) -> (latitude: Double, longitude: Double) {
    let place = PointSet.anywhere(using: &generator)
    let hair = PairClass.power(-12...0, using: &generator)
    switch index % 8 {
    case 0: return (90 - hair, place.longitude)
    case 1: return (hair - 90, place.longitude)
    case 2: return (0, place.longitude)
    case 3: return (place.latitude, 180 - hair)
    case 4: return (place.latitude, hair - 180)
    case 5: return (index % 16 == 5 ? 90 : -90, place.longitude)
    default: return (place.latitude, place.longitude)
    }
  }

  @Test(arguments: PairClass.allCases)
  func `chords of any class agree with positions in space`(pairClass: PairClass) {
    for pair in pairClass.pairs(2_000, seed: 21) {
      for pair in [pair, pair.exchanged] {
        let expected = chordByPositions(pair)
        let tolerance = LineOrigin.chordErrorBound(chord: expected) + positionTolerance
        #expect(abs(line(pair).chord - expected) <= tolerance, "\(pair)")
      }
    }
  }

  @Test func `chords on either side of a degree of latitude agree with positions in space`() {
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<2_000 {
      let place = PointSet.anywhere(using: &generator)
      let turn = PairClass.power(-6...2.2, using: &generator)
      for degrees in [-1.000_001, -1, -0.999_999, 0.999_999, 1, 1.000_001] {
        let pair = PositionPair(
          latitude1: place.latitude, longitude1: place.longitude,
          latitude2: min(90, max(-90, place.latitude + degrees)),
          longitude2: Coordinate.wrappedLongitude(place.longitude + turn))
        let line = line(pair)
        let expected = chordByPositions(pair)
        let tolerance = LineOrigin.chordErrorBound(chord: expected) + positionTolerance
        #expect(abs(line.chord - expected) <= tolerance, "\(pair)")
      }
    }
  }

  @Test func `a line has a distance up to the reach of the series and no farther`() {
    var generator = SeededGenerator(seed: 23)
    var (with, without) = (0, 0)
    for _ in 0..<4_000 {
      let place = PointSet.anywhere(using: &generator)
      let pair = PositionPair(
        latitude1: place.latitude, longitude1: place.longitude,
        latitude2: min(90, max(-90, place.latitude + Double.random(in: -1...1, using: &generator))),
        longitude2: place.longitude * 0.999)
      let line = line(pair)
      #expect(line.distance.isNaN == (line.chord > ChordSeries.reach), "\(pair)")
      if line.distance.isNaN { without += 1 } else { with += 1 }
    }
    #expect(with > 1_000)
    #expect(without > 100)
    for pair in PairClass.anywhere.pairs(500, seed: 24) where pair.distance > 200_000 {
      #expect(line(pair).distance.isNaN, "\(pair)")
    }
  }

  @Test(arguments: PointSet.allCases)
  func `a line depends neither on its place in the row nor on the others`(pointSet: PointSet) {
    for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 33, 200] {
      let (points, center) = pointSet.sample(max(count, 1), seed: UInt64(count))
      let origin = LineOrigin(center)
      // Near and far ones by turns.
      let row = points.prefix(count).enumerated().map { index, point in
        index % 3 == 1 ? (-point.latitude, point.longitude) : (point.latitude, point.longitude)
      }
      let together = lines(from: origin, to: row)
      var chords = [Double](repeating: -1, count: count + 1)
      origin.squaredChords(
        latitudes: row.map(\.0), longitudes: row.map(\.1), count: count, into: &chords)
      #expect(chords.last == -1)
      for (index, position) in row.enumerated() {
        let alone = lines(from: origin, to: [position])
        #expect(together.squaredChords[index] == alone.squaredChords[0])
        #expect(together.distances[index].bitPattern == alone.distances[0].bitPattern)
        #expect(chords[index] == alone.squaredChords[0])
        #expect(
          origin.squaredChord(latitude: position.0, longitude: position.1)
            == alone.squaredChords[0])
      }
    }
  }

  @Test func `the origin itself is 0 away, by either name of ±180°`() {
    for latitude in [-90, -89.999, -45, -1e-13, 0, 0x1p-1074, 12.3, 45, 60, 90] {
      for longitude in [-180, -179.9, -1e-13, 0, 0x1p-1074, 7.7, 180] {
        let line = line(
          PositionPair(
            latitude1: latitude, longitude1: longitude, latitude2: latitude,
            longitude2: longitude == 180 ? -180 : longitude == -180 ? 180 : longitude))
        #expect(line == (0, 0))
      }
    }
  }

  @Test(arguments: [1e-13, 1e-9, 1e-4])
  func `a hair's breadth is measured to many digits`(degrees: Double) {
    let north = radians(degrees) * WGS84.smallestCurvatureRadius
    let east = radians(degrees) * WGS84.equatorialRadius
    for sign in [-1.0, 1] {
      let meridian = line(
        PositionPair(latitude1: 0, longitude1: 9, latitude2: sign * degrees, longitude2: 9))
      let equator = line(
        PositionPair(latitude1: 0, longitude1: 0, latitude2: 0, longitude2: sign * degrees))
      let seam = line(
        PositionPair(
          latitude1: 0, longitude1: sign * 180, latitude2: 0,
          longitude2: sign * (180 - degrees)))
      #expect(abs(meridian.distance - north) <= 1e-11 * north)
      #expect(abs(equator.distance - east) <= 1e-11 * east)
      // 180 − degrees is itself rounded, by half of 2⁻⁴⁵ degrees.
      #expect(abs(seam.distance - east) <= radians(0x1p-46) * WGS84.equatorialRadius + 1e-11 * east)
    }
  }

  @Test func `the smallest offsets give numbers`() {
    for offset in [0x1p-1074, 0x1p-1030, 1e-200, 1e-160, 1e-150, 1e-80] {
      let line = line(
        PositionPair(latitude1: 0, longitude1: 0, latitude2: offset, longitude2: -offset))
      #expect(line.chord >= 0)
      #expect(line.distance >= 0)
      #expect(line.distance <= radians(offset) * 1.5 * WGS84.equatorialRadius)
    }
  }

  @Test func `a pole is one place by all its longitudes`() {
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      let toPole = line(
        PositionPair(latitude1: 89.5, longitude1: 20, latitude2: 90, longitude2: longitude))
      let fromPole = line(
        PositionPair(latitude1: 90, longitude1: longitude, latitude2: 89.5, longitude2: 20))
      let expected = Geodesic.distance(
        latitude1: 89.5, longitude1: 20, latitude2: 90, longitude2: 0)
      for distance in [toPole.distance, fromPole.distance] {
        #expect(
          abs(distance - expected)
            <= ChordSeries.errorBound(chord: expected) + geodesicTolerance)
      }
      #expect(abs(toPole.distance - fromPole.distance) <= 1e-14 * expected)
    }
  }

  @Test func `the bounds grow with the chord and are as small as promised`() {
    #expect(ChordSeries.errorBound(chord: 20_000) < 0.11e-9)
    #expect(ChordSeries.errorBound(chord: ChordSeries.reach) < 4.2e-9)
    #expect(LineOrigin.chordErrorBound(chord: 2e7) < 121e-9)
    var previous = (0.0, 0.0)
    for chord in stride(from: 0.0, through: 200_000, by: 500) {
      let bounds = (
        ChordSeries.errorBound(chord: chord), LineOrigin.chordErrorBound(chord: chord)
      )
      #expect(bounds.0 > previous.0)
      #expect(bounds.1 > previous.1)
      #expect(bounds.0 >= bounds.1 || chord > ChordSeries.reach)
      previous = bounds
    }
  }

  @Test func `a degree of latitude is longer than the reach of the series`() {
    let arc = radians(1) * WGS84.smallestCurvatureRadius
    #expect(ChordBracket.shortestChord(geodesic: arc) > 110_000)
    #expect(ChordSeries.reach < 110_000)
  }
}
