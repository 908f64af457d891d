import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import AnnotationImport
@testable import AnnotationSources

/// What a command chooses of its sources by an area: an index file is asked for it.
@Suite struct ChosenSourceTests {
  @Test(arguments: UInt64(0)..<8)
  func `of an index file they are those of its sources, in their order`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try Folder()
    var rows = "id,name,kind,lat,lon\n"
    for _ in 0..<200 {
      let place =
        Int.random(in: 0..<9, using: &random) == 0
        ? ","
        : "\(Double.random(in: 36...39, using: &random)),\(Double.random(in: 126...129, using: &random))"
      let kind = ["", "mart", "cinema"].randomElement(using: &random)!
      rows += "\(Int.random(in: 0..<150, using: &random)),이름,\(kind),\(place)\n"
    }
    try folder.write(rows, to: "rows.csv")
    try folder.write(Fixture.shapes, to: "shapes.geojson")
    let names = ["rows.csv", "shapes.geojson"].shuffled(using: &random)
    let built = try Program.run(
      ["index", "build"] + names.map { folder.path($0) } + ["-o", "all.nbx"], in: folder)
    #expect(built.status == 0, "\(built.errors)")
    func file(_ name: String) -> FileName { FileName(folder.path(name)) }

    var question = Question()
    let center = Coordinate(
      unchecked: Double.random(in: 36...39, using: &random),
      Double.random(in: 126...129, using: &random))
    question.look(in: .box(BoundingBox(around: center, radius: .kilometers(80))))
    if Bool.random(using: &random) {
      (question.kinds, question.query.kinds) = (["mart", "inn"], ["mart", "inn"])
    }
    var said: [[String]] = [[], []]
    let asked = try question.chosen(of: [file("all.nbx")], SourceReading()) { said[0].append($0) }
    let read = try question.chosen(of: names.map(file), SourceReading()) { said[1].append($0) }
    #expect(asked.all.isPacked && asked.all.count == read.all.count)
    #expect(!asked.chosen.isPacked && asked.chosen.count == read.chosen.count)
    #expect(said[0] == said[1])
    for (asked, read) in zip(asked.chosen, read.chosen) {
      #expect(BasicAnnotation(copying: asked) == BasicAnnotation(copying: read))
      #expect(asked.feature == read.feature)
      #expect(asked.origin?.record == read.origin?.record)
    }

    question.query.dates = nil
    question.query.area = .everywhere
    let everything = try question.chosen(of: [file("all.nbx")], SourceReading()) { _ in }
    #expect(!everything.all.isPacked)
  }
}
