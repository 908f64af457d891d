import Geodesy
import MapAnnotations
import NearbySearch
import Testing

@testable import NearbyHTTP

@Suite struct CQL2FilterTests {
  @Test(
    arguments: [
      ("kind = 'mart'", "kind = 'mart'", nil),
      ("kind='mart' AND rating>3", "kind = 'mart' and rating > 3", nil),
      ("NOT (kind <> 'mart' OR rating IS NULL)", "not (kind != 'mart' or rating is null)", nil),
      ("kind = 'a' AND rating > 1 OR name = 'b'", "kind = 'a' and rating > 1 or name = 'b'", nil),
      ("NOT kind = 'a' AND name = 'b'", "not kind = 'a' and name = 'b'", nil),
      ("NOT NOT (kind = 'a')", "not not kind = 'a'", nil),
      ("(((kind = 'a')))", "kind = 'a'", nil),
      ("rating IS NOT NULL", "rating is not null", nil),
      ("geometry IS NULL", "latitude is null", nil),
      ("5 <= rating", "5 <= rating", nil), ("rating < -1.5e3", "rating < -1.5e3", nil),
      ("flag = TRUE or flag=false", "flag = true or flag = false", nil),
      ("TRUE = flag", "true = flag", nil), ("FALSE = flag", "false = flag", nil),
      ("TRUE", "id is not null", nil), ("kind = 'a' AND FALSE", "kind = 'a' and id is null", nil),
      ("name LIKE 'shop%'", "name like 'shop%'", nil),
      ("name NOT LIKE '_\\%%'", "name not like '_\\%%'", nil),
      ("CASEI(name) LIKE CASEI('%Shop%')", "name ilike '%Shop%'", nil),
      ("CASEI(name) = CASEI('50%_a')", "name ilike '50\\%\\_a'", nil),
      // A mark that combines with a wildcard leaves it one.
      ("CASEI(name) = CASEI('%\u{301}_\u{301}')", "name ilike '\\%\u{301}\\_\u{301}'", nil),
      ("CASEI('x') <> CASEI(name)", "name not ilike 'x'", nil),
      (
        "casei(name) NOT IN (CASEI('a'), CASEI('b'))", "not (name ilike 'a' or name ilike 'b')", nil
      ),
      ("name LIKE 'it''s'", "name like 'it''s'", nil),
      ("name = 'it\\'s'", "name = 'it''s'", nil),
      ("CO₂ > 5 AND m² < 3 OR name_½ = 1", "CO₂ > 5 and m² < 3 or name_½ = 1", nil),
      (
        "rating=5AND price BETWEEN 1AND 3OR kind='a'AND a=1e5AND-3<b",
        "rating = 5 and price between 1 and 3 or kind = 'a' and a = 1e5 and -3 < b", nil
      ),
      ("\"kind\" = 'mart'", "kind = 'mart'", nil),
      ("\"a \"\"b\"\"\" = 'x'", "\"a \"\"b\"\"\" = 'x'", nil),
      ("contains = 'x' AND starts > 1", "\"contains\" = 'x' and \"starts\" > 1", nil),
      (
        "rating NOT BETWEEN 2 AND 4 AND kind = 'a'", "rating not between 2 and 4 and kind = 'a'",
        nil
      ),
      ("rating BETWEEN 2 AND 4", "rating between 2 and 4", nil),
      ("kind IN ('mart','deal')", "kind in ('mart', 'deal')", nil),
      ("\"odd name\" = 'x'", "\"odd name\" = 'x'", nil),
      ("d < DATE('2026-01-01')", "d < '2026-01-01'", nil),
      (
        "t BETWEEN TIMESTAMP('2026-01-01T00:00:00Z') AND TIMESTAMP('2026-01-02T00:00:00.5Z')",
        "t between '2026-01-01T00:00:00Z' and '2026-01-02T00:00:00.5Z'", nil
      ),
      ("d IN (DATE('2026-01-01'))", "d in ('2026-01-01')", nil),
      ("S_INTERSECTS(geometry, BBOX(126,37,128,38))", nil, "126,37,128,38"),
      (
        "kind = 'mart' AND S_INTERSECTS(geometry,BBOX(126,37,128,38)) AND rating > 1",
        "kind = 'mart' and rating > 1", "126,37,128,38"
      ),
      ("S_INTERSECTS(geometry, POINT(127 37)) AND rating > 1", "rating > 1", "127,37,127,37"),
      ("(S_INTERSECTS(geometry, BBOX(1,1,2,2)))", nil, "1,1,2,2"),
      ("s_intersects(\"geometry\",bbox(179,-1,0,-179,1,10))", nil, "179,-1,-179,1"),
      (
        "S_INTERSECTS(\"geometry\", BBOX(1,1,2,2)) AND (kind = 'a' OR NOT rating = 1)",
        "kind = 'a' or not rating = 1", "1,1,2,2"
      ),
    ] as [(String, String?, String?)])
  func `CQL2 becomes a condition and an area`(
    text: String, condition: String?, box: String?
  ) throws {
    let filter = try CQL2Filter(text)
    #expect(filter.condition == (try condition.map { try Condition(parsing: $0) }))
    #expect(filter.area == (try box.map { .box(try RequestParameters.box($0)) } ?? .everywhere))
  }

  @Test func `CQL2 takes polygons`() throws {
    let filter = try CQL2Filter("S_INTERSECTS(geometry, POLYGON((126 37, 128 37, 128 38, 126 37)))")
    guard case .polygons(let area) = filter.area else {
      Issue.record("no polygon")
      return
    }
    #expect(area.contains(try Coordinate(latitude: 37.2, longitude: 127.5)))
    #expect(!area.contains(try Coordinate(latitude: 37.9, longitude: 126.5)))
  }

  @Test(arguments: [
    "", " ", "kind ==", "kind == 'a'", "kind != 'a'", "kind = 'a", "name LIKE", "name LIKE 5",
    "name LIKE other", "(kind = 'a'", "kind = 'a')", "kind = 'a' kind = 'b'", "kind = 'a' AND",
    "AND kind = 'a'", "kind", "kind NOT = 'a'", "kind IN ()", "kind IN 'a'", "kind IN ('a' 'b')",
    "kind IN ('a', other)", "rating BETWEEN 1", "rating BETWEEN 1 OR 2", "kind = NULL",
    "NULL IS NULL",
    "'a' IS NULL", "kind IS", "kind IS 5", "kind = ''", "latitude = 'north'", "rating + 1 > 2",
    "rating > 1+2", "rating > 1 * 2", "rating > 1-2", "length(name) > 2", "A_CONTAINS(a, ('b'))",
    "T_AFTER(d, DATE('2026-01-01'))", "d = INTERVAL('2026-01-01', '..')", "and = 1",
    "name CONTAINS 'a'",
    "CASEI(name) LIKE 'a%'", "name = CASEI('a')", "CASEI(name) < CASEI('a')",
    "CASEI(5) = CASEI('a')",
    "CASEI(a) = CASEI(b)", "CASEI(name) IN ('a')", "CASEI(name) BETWEEN CASEI('a') AND CASEI('b')",
    "CASEI(CASEI(name)) = CASEI('a')", "CASEI(name) IS NULL", "ACCENTI(name) = ACCENTI('a')",
    "d = DATE('soon')", "d = DATE('2026-02-30')", "d = DATE('2026-01-01T00:00:00Z')",
    "d = DATE(2026)",
    "d = TIMESTAMP('2026-01-01')", "d = TIMESTAMP('2026-01-01T00:00:00')",
    "d = TIMESTAMP('2026-01-01T9:00:00Z')", "d = TIMESTAMP('2026-01-01T25:00:00Z')", "kind @ 'a'",
    "CASEI(name = 'a'", "kind = \"",
    "S_INTERSECTS(geometry, CIRCLE(1))", "kind = 'a' OR S_INTERSECTS(geometry, BBOX(1,1,2,2))",
    "NOT S_INTERSECTS(geometry, BBOX(1,1,2,2))", "S_INTERSECTS(geometry, BBOX(1,95,2,96))",
    "S_INTERSECTS(geometry, BBOX(1,1,2,2)) kind = 'a'", "S_INTERSECTS(geometry, BBOX(1,1,2,2)) AND",
    "AND S_INTERSECTS(geometry, BBOX(1,1,2,2))", "S_INTERSECTS(geometry, BBOX(1,1,2))",
    "S_INTERSECTS(geometry, BBOX(1,1,2,2)) AND S_INTERSECTS(geometry, BBOX(1,1,2,2))",
    "NOT (kind = 'a' AND S_INTERSECTS(geometry, BBOX(1,1,2,2)))", "S_INTERSECTS(geometry)",
    "S_INTERSECTS(BBOX(1,1,2,2), geometry)", "S_INTERSECTS(geometry, POINT(1,2))",
    "S_INTERSECTS(geometry, POINT(1 2 3))", "S_INTERSECTS(geometry, POLYGON(1 2, 3 4, 5 6))",
    "S_INTERSECTS(geometry, POLYGON((1 2 3 4, 5 6)))", "S_INTERSECTS(geometry, POLYGON((1 2)))",
    "S_INTERSECTS(geometry, BBOX(1,1,2,2)", "S_WITHIN(geometry, BBOX(1,1,2,2))",
    String(repeating: "(", count: 5_000), String(repeating: "NOT ", count: 5_000) + "kind = 'a'",
  ])
  func `CQL2 that is none, or more than is understood, is refused in words`(text: String) {
    let problem = #expect(throws: Problem.self) { try CQL2Filter(text) }
    #expect(problem?.status == 400 && problem?.parameter == "filter")
    #expect(problem?.detail.isEmpty == false)
  }

  @Test func `a property with parentheses is told to need double quotes`() {
    let problem = #expect(throws: Problem.self) { try CQL2Filter("자료수(도서) > 1") }
    #expect(problem?.detail.hasSuffix("stands in double quotes") == true)
    #expect(throws: Never.self) { _ = try CQL2Filter("\"자료수(도서)\" > 1") }
  }

  @Test func `a quote inside a text is told to be doubled`() {
    let problem = #expect(throws: Problem.self) { try CQL2Filter("kind = 'O'Neil'") }
    #expect(
      problem?.detail
        == "column 10: the text ends here, right before a word; write '' for each ' inside it")
  }

  @Test func `LIKE, BETWEEN and IN of all types are declared, and answered`() throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1,1]},"properties":{"size":1,"day":"2026-01-01","is_new":true,"note":"foo"}},
      {"type":"Feature","id":2,"geometry":{"type":"Point","coordinates":[1,1]},"properties":{"size":2.5,"day":"2026-02-01","is_new":false,"note":"Foot"}},
      {"type":"Feature","id":3,"geometry":{"type":"Point","coordinates":[1,1]},"properties":{}}]}
      """
    let service = Served.service(try Served.annotations(text, "shops.geojson"))
    let conformance = service.get("/conformance").text
    #expect(conformance.contains("/cql2/1.0/conf/advanced-comparison-operators\""))
    for (filter, ids) in [
      ("note LIKE 'foo%'", ["1"]), ("note LIKE '_oo_'", ["2"]), ("note NOT LIKE 'f%'", ["2"]),
      ("size BETWEEN 1 AND 2.5", ["1", "2"]), ("size BETWEEN 2.5 AND 1", []),
      ("size NOT BETWEEN 2 AND 3", ["1"]), ("size IN (1, 2, 3)", ["1"]),
      ("size NOT IN (1, 2, 3)", ["2"]), ("note IN ('foo', 'bar')", ["1"]),
      ("is_new IN (TRUE)", ["1"]), ("day IN (DATE('2026-02-01'), DATE('2026-03-01'))", ["2"]),
    ] {
      var query = QueryParameters()
      query.add("filter", filter)
      #expect(
        try service.get("/collections/shops/items?\(query.text)").ids == ids, "\(filter)")
    }
  }

  @Test func `LIKE looks at case, and CASEI does not`() throws {
    let service = Served.service(
      try Served.annotations(
        "id,name,latitude,longitude\n1,Mart,1,1\n2,mart,1,1\n3,Smart,1,1\n4,50% off,1,1\n5,\"a\nb\",1,1\n"
      ))
    for (filter, ids) in [
      ("name LIKE 'Mart'", ["1"]), ("name LIKE '%mart'", ["2", "3"]), ("name LIKE 'M%t'", ["1"]),
      ("name LIKE '_art'", ["1", "2"]), ("name NOT LIKE '%mart'", ["1", "4", "5"]),
      ("name LIKE '%\\%%'", ["4"]), ("name LIKE 'a_b'", ["5"]),
      ("CASEI(name) LIKE CASEI('MART')", ["1", "2"]),
      ("CASEI(name) LIKE CASEI('%MA_T')", ["1", "2", "3"]),
      ("CASEI(name) = CASEI('MART')", ["1", "2"]), ("name = 'MART'", []),
      ("CASEI(name) IN (CASEI('SMART'), CASEI('50% OFF'))", ["3", "4"]),
    ] {
      var query = QueryParameters()
      query.add("filter", filter)
      let answer = service.get("/collections/shops/items?\(query.text)")
      #expect(try answer.ids == ids, "\(filter)")
    }
  }
}
