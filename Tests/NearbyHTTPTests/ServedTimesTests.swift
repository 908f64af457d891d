import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch
import NearbyTestSupport
import Testing
import WebMaps

@testable import NearbyHTTP

/// Queries about hours, days and dates.
@Suite struct ServedTimesTests {
  @Test func `hours are asked about by the place's clock`() throws {
    let service = Served.service(try Served.shops(30))
    let open = service.get(
      "/collections/shops/nearest?lat=37.5&lon=127&k=100&open=now&hours-unknown=hide")
    #expect(try open.ids.count == 10)
    #expect(try open.member("validUntil")?.text == "2026-11-25T18:00+09:00")
    #expect(open.header("cache-control") == "public, max-age=60")
    let properties = try #require(try open.features.first?["properties"]?.members)
    #expect(properties["openState"] == "open")
    #expect(properties["nextChange"] == "2026-11-25T18:00+09:00")
    let late = Served.service(
      try Served.shops(30), now: { Instant(seconds: Served.noon.seconds + 6 * 3600 - 10) })
    let last = late.get("/collections/shops/nearest?lat=37.5&lon=127&open=now&hours-unknown=hide")
    #expect(last.header("cache-control") == "public, max-age=10")
    let saturday = service.get(
      "/collections/shops/items?open=2026-11-28T12:00:00%2B09:00&hours-unknown=hide&limit=100")
    #expect(try saturday.ids.count == 10)
  }

  @Test func `a tile of what is open is not cached beyond the next change`() throws {
    // Ten seconds before places close in Seoul.
    let late = Served.service(
      try Served.shops(30), now: { Instant(seconds: Served.noon.seconds + 6 * 3600 - 10) })
    for (query, seconds) in [
      ("", 60), ("?kind=mart", 60), ("?open=now", 10), ("?on=today", 60),
      ("?open=2026-11-28T12:00:00%2B09:00", 60),
    ] {
      let answer = late.get("/tiles/shops/0/0/0.mvt\(query)")
      #expect(answer.status == 200)
      #expect(answer.header("cache-control") == "public, max-age=\(seconds)", "\(query)")
    }
    // Nor is an empty one, ten seconds before places open.
    let early = Served.service(
      try Served.shops(30), now: { Instant(seconds: Served.noon.seconds - 2 * 3600 - 10) })
    let empty = early.get("/tiles/shops/0/0/0.mvt?open=now&hours-unknown=hide")
    #expect(empty.status == 204 && empty.header("cache-control") == "public, max-age=10")
  }

  @Test func `what depends on the day is not cached beyond midnight`() throws {
    // Ten seconds before midnight in Seoul.
    let late = Served.service(
      try Served.shops(3), now: { Instant(seconds: Served.noon.seconds + 12 * 3600 - 10) })
    for operation in [
      "items?", "items?f=html&", "nearest?lat=37.5&lon=127&", "facets?",
      "diff?since=\(late.collections[0].feed.last)&",
    ] {
      for (parameter, seconds) in [
        ("on=today", 10), ("on=tomorrow", 10), ("on=next", 10), ("on=this-month", 10),
        ("datetime=2026-11-25", 60),
      ] {
        let answer = late.get("/collections/shops/\(operation)\(parameter)")
        #expect(
          answer.header("cache-control") == "public, max-age=\(seconds)",
          "\(operation)\(parameter)")
      }
    }
  }

  @Test func `what may be valid on a day is told from what is`() throws {
    let service = Served.service(
      try Served.annotations("id,lat,lon,dates\n1,37.5,127,2026-11-28\n2,37.5,127,soon\n"))
    for query in ["items?", "nearest?lat=37.5&lon=127&"] {
      let answer = service.get("/collections/shops/\(query)on=2026-11-28")
      #expect(try answer.ids == ["1", "2"])
      let states = try answer.features.map { $0["properties"]?.members?["onState"] }
      #expect(states == [nil, "unknown"])
    }
  }

  @Test func `a time without an offset is by the clock of the origin, or of the collection`() throws
  {
    let service = NearbyService(
      Served.service(try Served.shops(30)).collections,
      clocks: PlaceClocks(elsewhere: NamedZone(name: "UTC", rules: ZoneRules(fixed: 0))),
      now: { Served.noon })
    // A third is open on Saturdays until 18:00 in Seoul, 09:00 in UTC.
    for (query, count) in [
      ("open=2026-11-28T12:00", 10), ("open=2026-11-28T12:00:00&lat=37.5&lon=127", 10),
      ("open=2026-11-28T12:00&lat=51.5&lon=0.1", 0), ("open=2026-11-28T12:00Z", 0),
    ] {
      let answer = service.get("/collections/shops/items?\(query)&hours-unknown=hide&limit=100")
      #expect(try answer.ids.count == count, "\(query)")
    }
    // A time needs its day.
    #expect(service.get("/collections/shops/items?open=14:00").code == "bad-time")
  }

  @Test func `a number is seconds since 1970 only if it has ten digits`() throws {
    let service = Served.service(try Served.shops(30))
    let saturday = service.get(
      "/collections/shops/items?open=1795834800&hours-unknown=hide&limit=100")
    #expect(try saturday.ids.count == 10)
    for text in ["1400", "2026", "20261128", "0", "-1", "1795834800000", "202611281200", "25:00"] {
      let answer = service.get("/collections/shops/items?open=\(text)")
      #expect(answer.status == 400 && answer.code == "bad-time", "\(text)")
    }
  }

  @Test func `a time with an offset is the instant that the command line reads`() throws {
    let service = Served.service(try Served.shops(3))
    func status(_ parameter: String, _ text: String) -> Int {
      let value = text.percentEncoded(keeping: "-.:")
      return service.get("/collections/shops/items?\(parameter)=\(value)").status
    }
    for (text, seconds) in ISOTimes.read {
      let instant = Timestamp(text, HoursSetting())?.instant
      #expect(instant?.milliseconds == Int64(seconds * 1_000), "\(text)")
      #expect(status("open", text) == 200 && status("datetime", text) == 200, "\(text)")
    }
    for text in ISOTimes.refused {
      #expect(status("open", text) == 400 && status("datetime", text) == 400, "\(text)")
    }
    // A plus sign that was not encoded.
    let answer = service.get("/collections/shops/items?open=2026-11-28T12:00:00+0900")
    #expect(answer.status == 200)
  }

  @Test func `dates choose what holds then`() throws {
    let deals = try Served.annotations(
      "id,latitude,longitude,valid_from,valid_until\na,37,127,2026-11-01,2026-11-30\nb,37,127,2026-12-01,2026-12-31\nc,37,127,,\n"
    )
    let service = Served.service(deals)
    for (datetime, ids) in [
      ("2026-11-25", ["a", "c"]), ("2026-11-25T18:00:00Z", ["a", "c"]),
      ("2026-12-05T00:00:00%2B09:00", ["b", "c"]), ("2026-11-20/2026-12-02", ["a", "b", "c"]),
      ("../2026-11-02", ["a", "c"]), ("2026-12-31/..", ["b", "c"]),
      ("2027-01-01/2027-02-01", ["c"]),
      // As QGIS writes a filter without a start.
      ("0000-01-01T00:00:00Z/2026-11-02", ["a", "c"]),
    ] {
      #expect(try service.get("/collections/shops/items?datetime=\(datetime)").ids == ids)
    }
    for (on, ids) in [
      ("today", ["a", "c"]), ("Today", ["a", "c"]), ("2026-12-05", ["b", "c"]),
      ("2026-11", ["a", "c"]), ("2026-12", ["b", "c"]), ("2026-11-20/2026-12-02", ["a", "b", "c"]),
    ] {
      #expect(try service.get("/collections/shops/items?on=\(on)").ids == ids, "\(on)")
    }
    for wrong in ["2026-13", "26-1", "never", ""] {
      let answer = service.get("/collections/shops/items?on=\(wrong)")
      #expect(answer.code == "bad-date")
      #expect(try answer.member("parameter") == "on")
    }
    for right in [
      "2026-11-10T11:00:00Z/2026-11-10T11:00:00Z", "2026-11-10T12:00:00Z/2026-11-10",
      "2026-11-10/2026-11-10T00:00:00%2B09:00", "2026-11-10T12:00:00%2B09:00/2026-11-10T11:00:00Z",
    ] {
      #expect(service.get("/collections/shops/items?datetime=\(right)").status == 200, "\(right)")
    }
    for wrong in [
      "soon", "2026-13-01", "2026-11-31", "..", "2026-12-01/2026-11-01", "1/2/3",
      "2026-11-10T12:00:00Z/2026-11-10T11:00:00Z",
      "2026-11-10T11:00:00Z/2026-11-10T12:00:00%2B09:00",
      "2026-11-11T12:00:00Z/2026-11-10", "0000-13-01/2026-11-10", "0000-01-01", "../0000-01-01",
    ] {
      #expect(service.get("/collections/shops/items?datetime=\(wrong)").code == "query-value")
    }
  }
}
