import CPROJ
import NearbyKit
import SeededNumbers
import Stopwatches

/// Times single pieces in turns, and checks what they compute first.
///
/// A piece that is to be watched gets a `Piece` and, where there is one, a rival beside it.
struct MicroBenchmarks {
  let rounds: Int
  /// Opening hours as people wrote them; nil where there are none.
  let hoursFile: String?
  let stopwatch: Stopwatch
  /// Polygons that positions are tested with; nil where no file was named.
  let outline: Region?
  let print: (String) -> Void

  private struct Piece {
    let name: String
    /// Does it once more: how many nanoseconds it takes, and something that depends on all that was
    /// done, so that none of it is left out.
    let sample: (Stopwatch) -> (nanoseconds: Double, result: Double)

    init(name: String, sample: @escaping (Stopwatch) -> (nanoseconds: Double, result: Double)) {
      self.name = name
      self.sample = sample
    }

    /// A piece that `body` does so many times.
    init(name: String, repetitions: Int, body: @escaping () -> Double) {
      self.init(name: name) { stopwatch in
        let start = stopwatch.seconds
        let result = body()
        return (stopwatch.seconds(since: start) * 1e9 / Double(repetitions), result)
      }
    }
  }

  /// The greatest difference from PROJ that geodesics are known to have, in meters.
  private static let geodesicTolerance = 2e-8

  func run() throws {
    let places = Places()
    let kernels = KernelPieces()
    check(places)
    kernels.check()
    let pieces =
      self.kernels(kernels) + geohashes(places) + geodesics(places) + gates() + outlines()
      + (try hours())
    var samples = pieces.map { _ in [Double]() }
    var total = 0.0
    for _ in 0..<rounds {
      for (place, piece) in pieces.enumerated() {
        let (nanoseconds, result) = piece.sample(stopwatch)
        samples[place].append(nanoseconds)
        total += result
      }
    }
    for (piece, samples) in zip(pieces, samples) {
      let row = Row(
        peer: "", operation: piece.name, name: piece.name, unit: .nanoseconds, samples: samples)
      print(
        "\(piece.name): \(Figures.number(row.best)) ns, median \(Figures.number(row.median)), "
          + "spread \(Figures.percent(row.spread))")
    }
    print("(sum of all results \(total))")
  }

  // MARK: Pieces

  private func kernels(_ kernels: KernelPieces) -> [Piece] {
    let repetitions = 2_000
    return [
      Piece(
        name: "node: gaps to 16 boxes, and the nearest",
        repetitions: repetitions * KernelPieces.groupCount
      ) { kernels.testNodes(repetitions) },
      Piece(
        name: "leaf of 16 in 1e-7 degrees: flat squares",
        repetitions: repetitions * KernelPieces.leafCount
      ) { kernels.readLeaves(areDecimal: true, repetitions) },
      Piece(
        name: "leaf of 16 in doubles: flat squares",
        repetitions: repetitions * KernelPieces.leafCount
      ) { kernels.readLeaves(areDecimal: false, repetitions) },
      Piece(
        name: "series: chord and distance of one position",
        repetitions: repetitions * KernelPieces.positionCount
      ) { kernels.measure(repetitions) },
    ]
  }

  private func hours() throws -> [Piece] {
    guard let hoursFile else {
      print("hours-parse, hours-state: left out; name a file by --hours")
      return []
    }
    let hours = try HoursPieces(file: hoursFile)
    hours.check()
    print("\(hours.texts.count) texts of opening hours, \(hours.refused) refused")
    return [
      Piece(name: "hours-parse, median of all texts") { (hours.parse($0), 0) },
      Piece(name: "hours-state, median of all texts") { (hours.state($0), 0) },
    ]
  }

  private func geohashes(_ places: Places) -> [Piece] {
    let positions = places.anywhere
    let texts = positions.map { Geohash($0, precision: 9).text }
    return [
      Piece(name: "geohash of 9 characters, encode", repetitions: positions.count) {
        positions.reduce(0) { $0 + Double(Geohash($1, precision: 9).binary.bits & 1) }
      },
      Piece(name: "geohash of 9 characters, encode to text", repetitions: positions.count) {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
          positions.reduce(0) { $0 + Double(Geohash($1, precision: 9).writeText(to: buffer)) }
        }
      },
      Piece(name: "geohash of 9 characters, decode", repetitions: texts.count) {
        texts.reduce(0) { $0 + ((try? Geohash($1))?.box.south ?? .nan) }
      },
    ]
  }

  private func geodesics(_ places: Places) -> [Piece] {
    let proj = PROJGeodesic()
    return [("up to 10 km", places.nearPairs), ("anywhere", places.farPairs)].flatMap {
      name, pairs in
      [
        Piece(name: "geodesic \(name)", repetitions: pairs.count) {
          pairs.reduce(0) { $0 + $1.0.distance(to: $1.1).meters }
        },
        Piece(name: "geodesic \(name), PROJ", repetitions: pairs.count) {
          pairs.reduce(0) { $0 + proj.meters($1.0, $1.1) }
        },
      ]
    }
  }

  /// A fix a second, 1.4 m apart and off by some meters, one in a hundred a spike.
  private func gates() -> [Piece] {
    var generator = SplitMix64(seed: 300)
    var place = SphereBox.world.position(using: &generator)
    let fixes = (0..<100_000).map { second in
      place = place.destination(
        bearing: .random(in: 0..<360, using: &generator), distance: .meters(1.4))
      let spike = second % 100 == 99 ? Double.random(in: 100...100_000, using: &generator) : 0
      let shown = place.destination(
        bearing: .random(in: 0..<360, using: &generator),
        distance: .meters(.random(in: 0...3, using: &generator) + spike))
      return Fix(shown, time: Double(second), accuracy: 5)
    }
    return [("gate", GatePolicy.cinema300m), ("gate, careful", .careful)].map { name, policy in
      Piece(name: name, repetitions: fixes.count) {
        var gate = LocationGate(policy)
        return fixes.reduce(0) { $0 + (gate.judge($1).isRejected ? 1 : 0) }
      }
    } + [
      Piece(name: "hindsight", repetitions: fixes.count) {
        var filter = OutlierFilter()
        return fixes.reduce(0) { $0 + (filter.take($1)?.objection == nil ? 0 : 1) }
      }
    ]
  }

  /// Positions anywhere in the box of the outline.
  private func outlines() -> [Piece] {
    guard let outline,
      let box = outline.polygons.map(\.boundingBox).max(by: { $0.width < $1.width })
    else { return [] }
    var generator = SplitMix64(seed: 50)
    let positions = (0..<100_000).compactMap { _ in
      try? Coordinate(
        latitude: .random(in: box.south...box.north, using: &generator),
        wrappingLongitude: box.west + .random(in: 0...box.width, using: &generator))
    }
    return [
      Piece(name: "position in an outline", repetitions: positions.count) {
        positions.reduce(0) { $0 + (outline.contains($1) ? 1 : 0) }
      }
    ]
  }

  private func check(_ places: Places) {
    let proj = PROJGeodesic()
    for (start, end) in places.nearPairs + places.farPairs {
      let difference = abs(start.distance(to: end).meters - proj.meters(start, end))
      precondition(
        difference <= MicroBenchmarks.geodesicTolerance,
        "\(start) to \(end) differs from PROJ by \(difference) m")
    }
    for position in places.anywhere {
      let geohash = Geohash(position, precision: 9)
      precondition(
        (try? Geohash(geohash.text)) == geohash && geohash.box.contains(position),
        "the geohash of \(position) does not hold it")
    }
  }
}

/// The same places in every run: uniform by area, and pairs near and anywhere.
private struct Places {
  let anywhere: [Coordinate]
  let nearPairs: [(Coordinate, Coordinate)]
  let farPairs: [(Coordinate, Coordinate)]

  init() {
    var generator = SplitMix64(seed: 42)
    let count = 100_000
    let positions = (0..<2 * count).map { _ in SphereBox.world.position(using: &generator) }
    anywhere = Array(positions[..<count])
    farPairs = Array(zip(positions, positions[count...]))
    nearPairs = anywhere.map { position in
      let end = position.destination(
        bearing: .random(in: 0..<360, using: &generator),
        distance: .meters(.random(in: 0...10_000, using: &generator)))
      return (position, end)
    }
  }
}

/// PROJ's geodesic on WGS 84, without azimuths.
private struct PROJGeodesic {
  private var ellipsoid = geod_geodesic()

  init() { geod_init(&ellipsoid, 6_378_137, 1 / 298.257223563) }

  func meters(_ start: Coordinate, _ end: Coordinate) -> Double {
    var meters = 0.0
    withUnsafePointer(to: ellipsoid) {
      geod_inverse(
        $0, start.latitude, start.longitude, end.latitude, end.longitude, &meters, nil, nil)
    }
    return meters
  }
}
