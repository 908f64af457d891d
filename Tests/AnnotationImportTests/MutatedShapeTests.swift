import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import Testing

/// Lines and areas with all that can be wrong with them: each is read, or refused in words.
@Suite struct MutatedShapeTests {
  private static let numbers = [
    "0", "-0", "90", "-90", "180", "-180", "360", "-360", "179.9999999999", "-180.0000000001",
    "89.9999999999",
    "1e-320", "1e308", "1e400", "721.4", "91", "127", "37.5", "\"3\"", "null", "[]", "[1,2]", "NaN",
    "-", "1e",
  ]

  /// A ring or line about a place, sound to begin with.
  private static func path(_ random: inout SeededGenerator, isClosed: Bool) -> [[String]] {
    let (north, east) = (
      170 * Double.random(in: 0..<1, using: &random) - 85,
      360 * Double.random(in: 0..<1, using: &random) - 180
    )
    let count = 3 + Int(random.next() % 30)
    var path = (0..<count).map { number -> [String] in
      let turn = Double(number) / Double(count)
      // A diamond: straight up, and down again.
      let x = turn < 0.25 ? turn * 4 : turn < 0.75 ? 2 - turn * 4 : turn * 4 - 4
      let y = turn < 0.5 ? 1 - turn * 4 : turn * 4 - 3
      return ["\(east + 3 * x * Double.random(in: 0..<1, using: &random))", "\(north + 3 * y)"]
    }
    if isClosed { path.append(path[0]) }
    return path
  }

  private static func mutate(_ path: inout [[String]], _ random: inout SeededGenerator) {
    guard !path.isEmpty else { return }
    let place = Int(random.next() % UInt64(path.count))
    switch random.next() % 12 {
    case 0: path.remove(at: place)
    case 1: path.insert(path[place], at: place)
    case 2: path.append(path[place])
    case 3: path.reverse()
    case 4: path.swapAt(place, 0)
    case 5: path[place].reverse()
    case 6:
      path[place] = [numbers[Int(random.next() % UInt64(numbers.count))], path[place].last ?? "0"]
    case 7: path[place] = [path[place][0], numbers[Int(random.next() % UInt64(numbers.count))]]
    case 8: path[place].append(numbers[Int(random.next() % UInt64(numbers.count))])
    case 9: path[place].removeLast()
    case 10: path = Array(path.prefix(Int(random.next() % 4)))
    default: path += path
    }
    path = path.map { $0.isEmpty ? ["7"] : $0 }
  }

  private static func geometry(_ random: inout SeededGenerator) -> String {
    func text(_ path: [[String]]) -> String {
      "[\(path.map { "[\($0.joined(separator: ","))]" }.joined(separator: ","))]"
    }
    let kind = random.next() % 4
    var paths = (0...Int(random.next() % 3)).map { _ in path(&random, isClosed: kind < 2) }
    for _ in 0..<(random.next() % 4) {
      let place = Int(random.next() % UInt64(paths.count))
      mutate(&paths[place], &random)
    }
    let all = paths.map(text).joined(separator: ",")
    switch kind {
    case 0: return #"{"type":"Polygon","coordinates":[\#(all)]}"#
    case 1:
      return
        #"{"type":"MultiPolygon","coordinates":[\#(paths.map { "[\(text($0))]" }.joined(separator: ","))]}"#
    case 2: return #"{"type":"LineString","coordinates":\#(text(paths[0]))}"#
    default: return #"{"type":"MultiLineString","coordinates":[\#(all)]}"#
    }
  }

  // All of 10,000 were so, by seeds 1 to 10; one of them is as much as every run has time for.
  @Test(arguments: 1...1)
  func `each of 1,000 mutated geometries is read, or refused in words`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var texts: [String] = []
    for _ in 0..<1_000 { texts.append(Self.geometry(&random)) }
    var read = 0, refused = 0, flawed = 0
    for text in texts {
      let document = #"{"type":"Feature","properties":{},"geometry":\#(text)}"#
      let result: ImportResult
      do throws(ImportError) { result = try importing(document, named: "a.geojson") } catch {
        // Not even JSON.
        #expect(!"\(error)".isEmpty && error.code.contains("-"), "\(text)")
        refused += 1
        continue
      }
      #expect(result.report.records == 1, "\(text)")
      if result.report.placed == 0 {
        #expect(
          result.report.examples.values.allSatisfy { $0.hasPrefix("a.geojson:1: ") }, "\(text)")
        #expect(result.report.rejected.count == 1 || result.report.unplaced == 1, "\(text)")
        refused += 1
        continue
      }
      read += 1
      if !result.report.warnings.isEmpty { flawed += 1 }
      let annotations = result.annotations
      let index = AnnotationIndex(annotations)
      let scan = AnnotationScan(annotations)
      let origin = PointSet.legal(
        170 * Double.random(in: 0..<1, using: &random) - 85,
        360 * Double.random(in: 0..<1, using: &random) - 180)
      let near = annotations.compactMap(\.coordinate)
      for place in [origin] + near {
        let query = NearbyQuery(from: place, limit: 3)
        let answers = [try index.answer(query), try scan.answer(query)]
        #expect(answers[0].map(\.annotation.id) == answers[1].map(\.annotation.id), "\(text)")
        #expect(answers[0].allSatisfy { $0.distance.meters.isFinite }, "\(text)")
      }
    }
    #expect(read > 300 && refused > 100 && flawed > 50, "\(read) \(refused) \(flawed)")
  }
}
