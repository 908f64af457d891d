import GeoJSONCoding
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// What is known of all features of a source spares reading each of them, and changes no answer: the judge reads every
/// record alone, from an index file's bytes, where nothing is known of the others.
@Suite struct `Features of one source` {
  /// Features of which each has some of the names that mean something, in any case, escaped or not.
  private static func text(_ seed: UInt64) -> (text: String, ids: [Int]) {
    var random = SeededGenerator(seed: seed)
    let names = [
      "name", "NAME", "n\\u0061me", "kind", "Kind", "brand", "opening_hours", "hours", "place_id",
      "valid_from",
      "valid_until", "address", "휴무일", "dates", "status", "é", "e\\u0301", "memo",
    ].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    let values = [
      "\"A\"", "\"\"", "null", "12", "\"2026-01-31\"", "\"24/7\"", "[\"2026-10-25\"]", "true",
    ]
    var ids: [Int] = []
    var features: [String] = []
    for number in 0..<Int.random(in: 1...12, using: &random) {
      let own = names.filter { _ in Bool.random(using: &random) }.map {
        "\"\($0)\":\(values.randomElement(using: &random) ?? "null")"
      }
      // Ascending at first, then some that were there before.
      let id =
        Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...9, using: &random) : number
      ids.append(id)
      let geometry =
        [
          "null", "{\"type\":\"Point\",\"coordinates\":[127,37.5]}",
          "{\"type\":\"LineString\",\"coordinates\":[[127,37],[128,38]]}",
        ].prefix(seed.isMultiple(of: 2) ? 2 : 3).randomElement(using: &random) ?? "null"
      let properties =
        Int.random(in: 0..<8, using: &random) == 0 ? "null" : "{\(own.joined(separator: ","))}"
      features.append(
        "{\"type\":\"Feature\",\"id\":\(id),\"geometry\":\(geometry),\"properties\":\(properties)}")
    }
    return (
      "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}", ids
    )
  }

  /// The same annotations, each read from bytes of its own.
  private static func alone(_ annotations: ImportedAnnotations) throws -> [ImportedAnnotation] {
    let packing = RecordPacking(annotations)
    let unpacking = try #require(RecordUnpacking(frame: packing.frame))
    return try annotations.indices.map { row in
      var bytes: [UInt8] = []
      packing.append(row, to: &bytes)
      return try #require(unpacking.annotation(bytes))
    }
  }

  @Test(arguments: UInt64(0)..<300)
  func `say what each says alone`(seed: UInt64) throws {
    let (text, ids) = Self.text(seed)
    let result = try importing(text, named: "a.geojson")
    let annotations = result.annotations
    try #require(annotations.count == ids.count)
    for (one, other) in zip(annotations, try Self.alone(annotations)) {
      #expect(one.id == other.id)
      #expect(one.name == other.name)
      #expect(one.kind == other.kind)
      #expect(one.placeID == other.placeID)
      #expect(one.openingHours == other.openingHours)
      #expect(one.validDates == other.validDates)
      #expect(one.closingDays == other.closingDays)
      #expect(one.business == other.business)
      #expect(one.calendar == other.calendar)
      #expect(one.property("é") == other.property("é"))
      #expect(one.property("name") == other.property("name"))
      #expect(one.shape == other.shape)
      let (common, feature) = one.whole
      var judge = BasicAnnotation(copying: other)
      judge.shape = nil
      #expect(common == judge)
      #expect(feature == other.feature)
      #expect(one.mayBeShape || other.shape == nil)
    }
    let withTimes = Set(annotations.rows(withTimesOr: ["status"]))
    for (row, one) in annotations.enumerated() where !withTimes.contains(row) {
      #expect(one.openingHours == nil && one.closingDays == nil && one.validDates.isEmpty)
      #expect(one.property("status") == nil && one.calendar == AnnotationCalendar())
    }
    let names = annotations.flatMap { $0.properties.entries.map(\.name) }
    #expect(
      annotations.featureColumns.map { $0.map { Array($0.utf8) } }
        == names.withoutRepeats.map { Array($0.utf8) })
    #expect(result.report.warnings["duplicate-id"] ?? 0 == ids.count - Set(ids).count)
    #expect(annotations.idsAscend == zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func `of several sources, or of one that is no GeoJSON, have no columns in common`() throws
  {
    let features = try importing(Self.text(1).text, named: "a.geojson").annotations
    let table = try importing("id,lat,lon\n1,1,1\n", named: "a.csv").annotations
    #expect(ImportedAnnotations(joining: [features, table]).featureColumns == nil)
    #expect(features.keeping([0]).featureColumns == nil)
    #expect(
      ImportedAnnotations(joining: [features, features]).featureColumns == features.featureColumns)
  }
}
