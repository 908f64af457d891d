import AnnotationImport
import GeoJSONCoding
import MapAnnotations
import NearbyTestSupport
import Testing

/// What apps send to one another, as it is: the shapes that design/SEED_APPS.md describes, with values
/// made for these tests.
@Suite struct AppPayloadTests {
  private static let marts = """
    [{"id":1,"martType":"EMART","branchName":"가든5점","address":"송파구","holidays":["2019-01-01 (화)"],
      "location":{"latitude":37.4791,"longitude":127.1183}},
     {"id":5,"martType":"LOTTEMART","branchName":"","location":{"latitude":null,"longitude":null}},
     {"id":6,"martType":null,"branchName":"구로점","location":{"latitude":37.5,"longitude":126.9}}]
    """
  private static let people = """
    {"fromQueueDB":[{"uid":"u1","nick":"고양이","lat":37.51,"long":126.88,"studylist":["Swift","iOS"]}],
     "fromQueueDBRequested":[{"uid":"u2","nick":"새","lat":37.52,"long":126.89,"studylist":[]},
       {"uid":"u1","nick":"고양이","lat":37.51,"long":126.88,"studylist":["Swift"],"kind":"friend"}],
     "fromRecommend":["기타"],"version":3}
    """

  @Test func `names, ids and kinds of apps are known`() throws {
    let marts = try importing(AppPayloadTests.marts, named: "marts.json").annotations
    #expect(marts.map(\.name) == ["가든5점", nil, "구로점"])
    #expect(marts.map { $0.kind?.rawValue } == ["EMART", "LOTTEMART", nil])
    let columns = [
      ("uid,nick,lat,long\nu1,a,1,2\n", "u1", "a", nil),
      ("address_id,article_title,lat,lon\nx,b,1,2\n", "x", "b", nil),
      ("id,brand,branch,lat,lon\n7,EMART,c,1,2\n", "7", "c", "EMART"),
      ("uid,id,branch,name,kind,brand,lat,lon\n8,9,d,e,f,g,1,2\n", "9", "e", "f"),
    ]
    for (text, id, name, kind) in columns {
      let annotation = try importing(text).annotations[0]
      #expect(annotation.id.text == id && annotation.name == name)
      #expect(annotation.kind?.rawValue == kind)
    }
  }

  @Test(arguments: [
    (["EMART", "가든5점", "서울"], "EMART 가든5점 (서울)"), (["EMART", nil, "서울"], "EMART (서울)"),
    ([nil, "가든5점", "서울"], "가든5점 (서울)"), (["EMART", "가든5점", nil], "EMART 가든5점"),
    ([nil, nil, "서울"], "(서울)"), (["EMART", nil, nil], "EMART"), ([nil, nil, nil], nil),
    ([" EMART ", "", "NULL"], "EMART"),
  ])
  func `a name of several fields has no gaps, in every format`(
    parts: [String?], name: String?
  ) throws {
    let template = "{brand} {Branch} ({region})"
    let table =
      "brand,branch,name,region,lat,lon\nx,x,x,x,1,2\n"
      + "\(parts[0] ?? ""),\(parts[1] ?? ""),own,\(parts[2] ?? ""),1,2\n"
    let json = parts.map { $0.map { "\"\($0)\"" } ?? "null" }
    let members = #""brand":\#(json[0]),"branch":\#(json[1]),"name":"own","region":\#(json[2])"#
    let texts = [
      (table, "a.csv"),
      (#"[{"brand":"x","branch":"x","region":"x"},{\#(members),"lat":1,"lon":2}]"#, "a.json"),
      (
        #"{"type":"Feature","geometry":null,"properties":{"brand":"x","branch":"x","region":"x"}}"#
          + "\n" + #"{"type":"Feature","geometry":null,"properties":{\#(members)}}"#, "a.geojsonl"
      ),
    ]
    for (text, file) in texts {
      let annotations = try importing(text, named: file) { $0.nameField = template }.annotations
      #expect(annotations[0].name == "x x (x)")
      #expect(annotations[1].name == name, "\(file)")
      #expect(annotations[1].properties["name"] == "own")
      let packing = RecordPacking(annotations)
      var bytes: [UInt8] = []
      packing.append(1, to: &bytes)
      let unpacked = try #require(RecordUnpacking(frame: packing.frame)?.annotation(bytes))
      #expect(unpacked.name == name, "\(file)")
    }
  }

  @Test func `signs between fields are kept once where one of three is missing`() throws {
    let text = "a,b,c,lat,lon\n1,,3,1,2\n1,2,3,1,2\n"
    for (template, name) in [
      ("{a}-{b}-{c}", "1-3"), ("{a}/{b}-{c}", "1 3"), ("<{a}{b}{c}>", "<13>"),
    ] {
      #expect(try importing(text) { $0.nameField = template }.annotations[0].name == name)
    }
  }

  @Test func `a template of a field that is not there is refused, and says which`() {
    let error = importError("a,lat,lon\n1,1,2\n") { $0.nameField = "{a} {bb}" }
    #expect(error?.code == "unknown-field")
    #expect(error?.description.contains(#"no column is named "bb"; columns are a,lat,lon"#) == true)
    let feed = importError(#"[{"a":1,"lat":1,"lon":2}]"#, named: "a.json") {
      $0.nameField = "{a} {bb}"
    }
    #expect(feed?.code == "unknown-field")
    // A column that is called so is that column.
    #expect(
      try! importing("{a},a,lat,lon\nx,y,1,2\n") { $0.nameField = "{a}" }.annotations[0].name == "x"
    )
  }

  @Test func `several arrays are read together, each the kind of rows that have none`() throws {
    let result = try importing(AppPayloadTests.people, named: "p.json") {
      $0.rowsFields = ["fromQueueDBRequested", "fromQueueDB"]
    }
    let people = result.annotations
    #expect(people.map(\.id) == ["u1", "u2", "u1"])
    #expect(people.map(\.name) == ["고양이", "새", "고양이"])
    #expect(
      people.map { $0.kind?.rawValue } == ["fromQueueDB", "fromQueueDBRequested", "friend"])
    #expect(people.compactMap { $0.origin?.record } == [1, 2, 3])
    #expect(people.collectionMembers["version"] == 3)
    #expect(people.collectionMembers["fromRecommend"] == .array(["기타"]))
    #expect(result.report.records == 3 && result.report.placed == 3)
    #expect(result.report.warnings["duplicate-id"] == 1)
    #expect(!people.idsAscend)
    // Of one array the name is no kind: it was named to be found.
    let one = try importing(AppPayloadTests.people, named: "p.json") {
      $0.rowsFields = ["fromQueueDB"]
    }
    #expect(one.annotations.map(\.kind) == [nil])
  }

  @Test func `records of several arrays are numbered through, rejected ones counted`() throws {
    let text =
      #"{"b":[{"y":1,"x":2},null,{"y":3,"x":4}],"a":[{"y":95,"x":1},{"y":5,"x":6}],"c":[]}"#
    let result = try importing(text, named: "p.json") { $0.rowsFields = ["a", "b", "c"] }
    #expect(result.annotations.map(\.id) == [1, 3, 5])
    #expect(result.annotations.map { $0.kind?.rawValue } == ["b", "b", "a"])
    #expect(result.report.rejectedCount == 2 && result.annotations.idsAscend)
    let error = importError(text, named: "p.json") { $0.rowsFields = ["a", "d"] }
    #expect(error?.description.contains(#"no array is called "d""#) == true)
  }

  @Test func `arrays at different depths are read in the order of the text`() throws {
    let text = #"{"a":{"z":[{"y":1,"x":2}]},"b":[{"y":3,"x":4}],"c":{"z":[{"y":5,"x":6}]}}"#
    let result = try importing(text, named: "p.json") { $0.rowsFields = ["c.z", "b", "a.z"] }
    #expect(result.annotations.map(\.id) == [1, 2, 3])
    #expect(result.annotations.map { $0.kind?.rawValue } == ["a.z", "b", "c.z"])
  }

  @Test func `a named array that is not at the top is looked for in a feed, not in GeoJSON`() {
    let nested = #"{"result":{"stores":[{"y":1,"x":2}]},"meta":{"n":1}}"#
    for name in ["p.json", "-"] {
      let error = importError(nested, named: name) { $0.rowsFields = ["stores"] }
      #expect(error?.code == "geojson-member")
      #expect(
        error?.description.contains(
          #"no array is called "stores"; name the one with the rows: "result.stores""#)
          == true, "\(String(describing: error))")
    }
    let feature = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]}}"#
    let sniffed = Array(feature.utf8).withUnsafeBufferPointer {
      InputFormat(sniffedFrom: $0, hasRowsField: true)
    }
    #expect(sniffed == .geojson)
  }
}
