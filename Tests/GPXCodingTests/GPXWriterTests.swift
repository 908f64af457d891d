import Foundation
import GPXCoding
import Geodesy
import MapAnnotations
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct GPXWriterTests {
  @Test func `what is written is read again, whatever the texts hold`() throws {
    let annotation = BasicAnnotation(
      id: "a<b>&\"c\"", name: "가게 \u{1}\n<&>]]>", kind: "mart",
      coordinate: Coordinate(unchecked: -0.0000001, 179.5),
      properties: [
        "name": "가게 \u{1}\n<&>]]>", "ele": .number("12.50"), "time": "2026-11-22T01:10:00Z",
        "sat": "many",
        "좌표정보(X)": "1", "empty": "", "none": nil, "list": .array([1, "\"", .object(["a": nil])]),
        "open": true,
      ])
    var writer = GPXWriter()
    writer.begin()
    writer.write(annotation, at: try #require(annotation.coordinate), writesID: true)
    writer.end()
    let bytes = writer.takeBytes()
    #expect(writer.bytes.isEmpty)
    // Another parser finds it well-formed.
    #expect(XMLParser(data: Data(bytes)).parse())
    var points: [GPXPoint] = []
    try GPXReader().read(bytes) { points.append($0) }
    let point = try #require(points.first)
    #expect(points.count == 1)
    #expect(try point.coordinate() == annotation.coordinate)
    let fields = Dictionary(uniqueKeysWithValues: point.fields.map { ($0.name, $0.text) })
    #expect(
      fields == [
        "ele": "12.50", "time": "2026-11-22T01:10:00Z", "name": "가게 \u{FFFD}\n<&>]]>",
        "id": "a<b>&\"c\"", "kind": "mart", "sat": "many", "좌표정보(X)": "1",
        "list": "[1,\"\\\"\",{\"a\":null}]", "open": "true",
      ])
  }

  @Test func `a name is written once, whatever else has its text, and if it is a number`() throws {
    var writer = GPXWriter()
    writer.begin()
    for (name, properties): (String, Properties) in [
      ("GS25", ["brand": "GS25", "name": "GS25"]),
      ("7", ["floor": .number("7"), "name": .number("7")]),
    ] {
      writer.write(
        BasicAnnotation(id: "1", name: name, properties: properties),
        at: Coordinate(unchecked: 37, 127), writesID: false)
    }
    writer.end()
    var fields: [[String]] = []
    try GPXReader().read(writer.takeBytes()) { point in
      fields.append(point.fields.map { "\($0.name)=\($0.text)" })
    }
    #expect(fields == [["name=GS25", "brand=GS25"], ["name=7", "floor=7"]])
  }

  @Test func `decimals have no exponent, and an elevation is written unless a property has it`()
    throws
  {
    var writer = GPXWriter()
    writer.begin()
    for (properties, elevation): (Properties, Double?) in [
      (["ele": .number("1e3"), "hdop": "1E-5"], nil), ([:], 5.5), (["ele": .number("7.0")], 5),
      (["ele": "high"], 5), ([:], .nan),
    ] {
      writer.write(
        BasicAnnotation(id: "1", properties: properties), at: Coordinate(unchecked: 37, 127),
        elevation: elevation, writesID: false)
    }
    writer.end()
    var fields: [[String]] = []
    try GPXReader().read(writer.takeBytes()) { point in
      fields.append(point.fields.map { "\($0.name)=\($0.text)" })
    }
    #expect(fields == [["ele=1000", "hdop=0.00001"], ["ele=5.5"], ["ele=7.0"], ["ele=high"], []])
  }

  @Test func `properties of GPX's own names are elements in the order of the schema`() throws {
    let own: [(name: String, text: String)] = [
      ("ele", "1"), ("time", "2026-11-22T01:10:00Z"), ("magvar", "359.9"), ("geoidheight", "-7.5"),
      ("cmt", "a"), ("desc", "b"), ("src", "c"), ("link", "https://example.org/?a=1&b=\"2\""),
      ("sym", "Flag"), ("type", "d"), ("fix", "dgps"), ("sat", "9"), ("hdop", "1"), ("vdop", "2"),
      ("pdop", "3"), ("ageofdgpsdata", "0.5"), ("dgpsid", "1023"),
    ]
    let unfit: [(name: String, text: String)] = [
      ("time", "2026-11-22T10:10:00+0900"), ("magvar", "360"), ("geoidheight", "low"),
      ("link", "see here"), ("dgpsid", "1024"),
    ]
    var writer = GPXWriter()
    writer.begin()
    for pairs in [Array(own.reversed()), unfit] {
      var properties = Properties()
      for (name, text) in pairs { properties.append(name, .string(text)) }
      writer.write(
        BasicAnnotation(id: "1", properties: properties), at: Coordinate(unchecked: 37, 127),
        writesID: false)
    }
    writer.end()
    let bytes = writer.takeBytes()
    var fields: [[String]] = []
    try GPXReader().read(bytes) { point in
      fields.append(point.fields.map { "\($0.name)=\($0.text)" })
    }
    #expect(
      fields == [own, unfit].map { $0.map { "\($0.name)=\($0.text)" } })
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.map { $0.contains("<extensions>") } == [false, false, false, true, false])
    #expect(
      lines.joined().contains(
        "<link href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\"/><sym>Flag</sym>"))
  }

  @Test(arguments: [
    "2016-12-31T23:59:60Z", "2026-11-22T10:10:00+14:30", "2026-11-22T10:10:00+0900",
  ])
  func `a time that XML Schema does not allow is an extension`(time: String) {
    var writer = GPXWriter()
    writer.write(
      BasicAnnotation(id: "1", properties: ["time": .string(time)]),
      at: Coordinate(unchecked: 37, 127), writesID: false)
    let text = String(decoding: writer.takeBytes(), as: UTF8.self)
    #expect(!text.contains("<time>"))
    #expect(text.contains("<nearby:property name=\"time\">\(time)<"))
  }

  /// The fields of the waypoints that are written of some annotations, as `name=text`.
  private func fields(of annotations: [BasicAnnotation], writesID: Bool) throws -> [[String]] {
    var writer = GPXWriter()
    writer.begin()
    for annotation in annotations {
      writer.write(annotation, at: Coordinate(unchecked: 37, 127), writesID: writesID)
    }
    writer.end()
    var fields: [[String]] = []
    try GPXReader().read(writer.takeBytes()) { point in
      fields.append(point.fields.map { "\($0.name)=\($0.text)" })
    }
    return fields
  }

  @Test func `of properties called id only the one that repeats the id is left out`() throws {
    let properties: [Properties] = [
      ["id": 7], ["ID": "7", "x": 1], ["id": "A-17", "id_2": "b"],
      ["id": "7", "ID": "7", "Id": "c"],
    ]
    let written = try fields(
      of: properties.map { BasicAnnotation(id: "7", properties: $0) }, writesID: true)
    #expect(
      written == [
        ["id=7"], ["id=7", "x=1"], ["id=7", "id_3=A-17", "id_2=b"], ["id=7", "ID=7", "Id=c"],
      ])
  }

  @Test func `a kind is written, whatever other properties say`() throws {
    let properties: [Properties] = [
      ["brand": "Emart", "category": "mart"], ["kind": "shop"], ["Kind": "mart"],
    ]
    let written = try fields(
      of: properties.map { BasicAnnotation(id: "1", kind: "mart", properties: $0) }, writesID: false
    )
    #expect(
      written == [
        ["kind=mart", "brand=Emart", "category=mart"], ["kind=mart", "kind=shop"], ["Kind=mart"],
      ])
  }
}
