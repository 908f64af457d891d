import Foundation
import Testing

/// The error table of the command line: one row for each mistake.
@Suite struct ErrorTableTests {
  struct Mistake: CustomTestStringConvertible {
    let arguments: [String]
    let code: String
    let status: Int32
    /// What the sentence must hold: the value, and what to do about it.
    let says: [String]
    let files: [String: String]

    init(
      _ arguments: String..., code: String, status: Int32, says: [String],
      files: [String: String] = [:]
    ) {
      self.arguments = arguments
      self.code = code
      self.status = status
      self.says = says
      self.files = files
    }

    var testDescription: String { "\(code): nearby \(arguments.joined(separator: " "))" }
  }

  /// Mistakes in values, files and what is asked of them.
  static let mistakes: [Mistake] = [
    // Positions
    Mistake("--lat", "200", "--lon", "1", code: "lat-range", status: 64, says: ["200", "-90…90"]),
    Mistake("--lat", "-90.1", "--lon", "150", code: "lat-range", status: 64, says: ["-90.1"]),
    Mistake("--lat", "1", "--lon", "-180.5", code: "lon-range", status: 64, says: ["-180.5"]),
    Mistake(
      "--lat", "127.03", "--lon", "37.50", code: "lat-lon-swapped", status: 64,
      says: ["127.03", "Try --lat 37.50 --lon 127.03"]),
    Mistake("--lat", "nan", "--lon", "1", code: "not-a-number", status: 64, says: ["nan"]),
    Mistake("--lat", "inf", "--lon", "1", code: "not-a-number", status: 64, says: ["inf"]),
    Mistake("--lat", "-inf", "--lon", "1", code: "not-a-number", status: 64, says: ["-inf"]),
    Mistake("--lat", "37,5", "--lon", "1", code: "not-a-number", status: 64, says: ["use a dot"]),
    Mistake("--lat", "0x10", "--lon", "1", code: "not-a-number", status: 64, says: ["0x10"]),
    Mistake(
      "--lat", "0", "--lon", "0", code: "null-island", status: 64,
      says: ["0,0 is what devices send", "--allow-null-island"]),
    Mistake(
      "--lat", "0.0004", "--lon", "-0.0004", code: "null-island", status: 64, says: ["0.0004"]),
    // A source that is no file
    Mistake(
      "info", "https://example.org/shops.csv", code: "no-such-file", status: 66,
      says: ["https://example.org/shops.csv is a web address", "nearby sync"]),
    // What a result is made from
    Mistake(
      "convert", "s.csv", "-o", "./s.csv", code: "output-is-source", status: 64,
      says: ["s.csv", "another output file"], files: ["s.csv": "id,lat,lon\n1,37.5,127\n2,x,y\n"]),
    Mistake(
      "--lat", "37.5", "--lon", "127", "s.csv", "-o", "s.csv", code: "output-is-source", status: 64,
      says: ["another output file"], files: ["s.csv": "id,lat,lon\n1,37.5,127\n"]),
    Mistake(
      "check", "s.csv", "--rejects", "s.csv", code: "output-is-source", status: 64,
      says: ["another output file"], files: ["s.csv": "id,lat,lon\n1,37.5,127\n2,x,y\n"]),
    Mistake(
      "bbox", "--boxes", "b.csv", "s.csv", "-o", "s.csv", "--format", "csv",
      code: "output-is-source", status: 64, says: ["another output file"],
      files: [
        "s.csv": "id,lat,lon\n1,37.5,127\n", "b.csv": "west,south,east,north\n126,37,128,38\n",
      ]),
    Mistake(
      "bbox", "--boxes", "b.csv", "s.csv", "-o", "b.csv", "--format", "csv",
      code: "output-is-source", status: 64, says: ["another output file"],
      files: [
        "s.csv": "id,lat,lon\n1,37.5,127\n", "b.csv": "west,south,east,north\n126,37,128,38\n",
      ]),
    Mistake(
      "map", "s.txt", "--input-format", "csv", "-o", "s.txt", code: "output-is-source", status: 64,
      says: ["another output file"], files: ["s.txt": "id,lat,lon\n1,37.5,127\n"]),
    Mistake(
      "map", "s.csv", "-o", "s.csv", code: "bad-format", status: 64,
      says: ["s.csv", ".txt"], files: ["s.csv": "id,lat,lon\n1,37.5,127\n"]),
    Mistake(
      "join", "t.csv", "s.csv", "-k", "1", "--rejects", "t.csv", code: "output-is-source",
      status: 64, says: ["another output file"],
      files: ["t.csv": "id,lat,lon\n1,37.5,127\n", "s.csv": "id,lat,lon\n1,37.5,127\n2,x,y\n"]),
    Mistake(
      "track", "s.csv", "-o", "s.csv", code: "output-is-source", status: 64,
      says: ["another output file"], files: ["s.csv": "lat,lon\n37.5,127\n"]),
    Mistake("--lat", "1", code: "missing-position", status: 64, says: ["--lon"]),
    Mistake(code: "missing-position", status: 64, says: ["--lat"]),
    // Counts and distances
    Mistake("--lat", "1", "--lon", "1", "-k", "0", code: "bad-k", status: 64, says: ["at least 1"]),
    Mistake("--lat", "1", "--lon", "1", "-k", "-1", code: "bad-k", status: 64, says: ["-1"]),
    Mistake("--lat", "1", "--lon", "1", "-k", "abc", code: "bad-k", status: 64, says: ["abc"]),
    Mistake("--lat", "1", "--lon", "1", "-k", "1.5", code: "bad-k", status: 64, says: ["1.5"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--limit", "3", code: "bad-k", status: 64, says: ["-k 3"]),
    Mistake("join", "shops.csv", "shops.csv", code: "bad-k", status: 64, says: ["-k 1"]),
    Mistake(
      "bbox", "1,1,2,2", "shops.csv", "--count", "-k", "0", code: "bad-k", status: 64,
      says: ["at least 1"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--beyond", "5km", "--within", "2km", code: "empty-ring",
      status: 64, says: ["--beyond 5km", "--within 2km"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--within", "5ft", code: "bad-distance", status: 64,
      says: ["--within 5ft: \"ft\" is not a unit known here; use m, km or mi"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--within", "-5km", code: "bad-distance", status: 64,
      says: ["-5km", "negative"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--within", "nan", code: "not-a-number", status: 64,
      says: ["nan", "2km"]),
    Mistake(
      "bbox", "1,1,2,2", "shops.csv", "--within", "1km", code: "missing-position", status: 64,
      says: ["--lat"]),
    // Hours
    Mistake(
      "--lat", "1", "--lon", "1", "--open=25:00", "shops.csv", code: "bad-time", status: 64,
      says: ["25:00", "14:00"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open=2026-02-30T10:00", code: "bad-time", status: 64,
      says: ["2026-02-30", "does not exist"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--tz", "Mars/Olympus", code: "zone-unknown",
      status: 64,
      says: ["Mars/Olympus"]),
    Mistake(
      "list", "shops.csv", "--tz", "Asia", code: "zone-unknown", status: 64,
      says: ["there is no time zone \"Asia\"; write one such as Asia/Seoul"]),
    Mistake(
      "hours", "24/7", "--tz", "Asia/Seol", code: "zone-unknown", status: 64,
      says: ["did you mean Asia/Seoul"]),
    Mistake(
      "hours", "24/7", "--tz", "KST", code: "zone-unknown", status: 64,
      says: ["there is no time zone \"KST\"; write Asia/Seoul\n"]),
    Mistake(
      "hours", "24/7", "--tz", "GMT+9", code: "zone-unknown", status: 64, says: ["; write +09:00\n"]
    ),
    Mistake(
      "hours", "24/7", "--tz", "utc -3:30", code: "zone-unknown", status: 64,
      says: ["; write -03:30\n"]),
    Mistake(
      "hours", "24/7", "--tz", "PDT", code: "zone-unknown", status: 64,
      says: ["there is no time zone \"PDT\"; write one such as Asia/Seoul"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--tz", "Mars/Olympus", code: "zone-unknown", status: 64,
      says: ["Mars/Olympus"]),
    Mistake(
      "map", "shops.csv", "--holidays", "none.csv", code: "no-such-file", status: 66,
      says: ["none.csv"]),
    Mistake(
      "join", "shops.csv", "shops.csv", "-k", "1", "--tz", "Mars/Olympus", code: "zone-unknown",
      status: 64, says: ["Mars/Olympus"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--tz", "../../etc/passwd", code: "zone-unknown",
      status: 64, says: ["Asia/Seoul"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--stay", "20m", code: "missing-open", status: 64,
      says: ["--stay", "--open"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--travel", "walk", code: "missing-open", status: 64,
      says: ["--travel", "--open=arrival"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--stay", "soon", code: "bad-duration", status: 64,
      says: ["soon", "20m"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open=arrival", "--travel", "fast", code: "bad-speed",
      status: 64,
      says: ["fast", "km/h"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open=arrival", "--travel", "5", code: "bad-speed",
      status: 64, says: ["--travel 5 has no unit", "5km/h"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open=arrival", "--detour", "nan", code: "bad-detour",
      status: 64, says: ["--detour nan", "1 to 100"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open=arrival", "--detour", "0.5", code: "bad-detour",
      status: 64,
      says: ["0.5", "1.4"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--hours-unknown", "maybe", code: "bad-hours-unknown",
      status: 64, says: ["maybe", "show"]),
    Mistake(
      "bbox", "1,1,2,2", "shops.csv", "--open=arrival", code: "missing-position", status: 64,
      says: ["--lat"]),
    Mistake("hours", code: "missing-hours", status: 64, says: ["Mo-Fr 09:00-18:00"]),
    Mistake(
      "hours", "Mo-Fr 9-25", code: "hours-syntax", status: 64,
      says: ["column 9", "Mo-Fr 9-25\n          ^"]),
    Mistake(
      "hours", "shops.csv", "--id", "none", code: "unknown-id", status: 64,
      says: ["none", "nearby list SOURCE --format ids"]),
    Mistake(
      "hours", "--closed", "someday", "shops.csv", code: "bad-date", status: 64,
      says: ["--closed \"someday\" is not a day", "today, tomorrow or 2026-11-22"]),
    Mistake(
      "hours", "--closed", "2026-02-29", "shops.csv", code: "bad-date", status: 64,
      says: ["--closed \"2026-02-29\" is not a day"]),
    Mistake(
      "hours", "--closed", "14:00", "shops.csv", code: "bad-date", status: 64,
      says: ["--closed \"14:00\" is not a day"]),
    Mistake(
      "hours", "24/7", "--next", "--json", code: "bad-format", status: 64,
      says: ["--next has no form in json", "leave it out"]),
    Mistake(
      "hours", "24/7", "--next", "--format", "ics", code: "bad-format", status: 64,
      says: ["--next has no form in ics", "leave it out"]),
    Mistake(
      "hours", "shops.csv", "--next", code: "bad-next", status: 64,
      says: ["--next is for a text of hours", "leave it out"]),
    Mistake(
      "hours", "24/7", "--days", "0", code: "bad-days", status: 64, says: ["--days 0", "60"]),
    Mistake(
      "hours", "24/7", "--days", "-1", code: "bad-days", status: 64, says: ["--days -1 is outside"]),
    Mistake(
      "hours", "shop.csv", code: "no-such-file", status: 66, says: ["did you mean shops.csv?"]),
    Mistake("hours", "./none.geojson", code: "no-such-file", status: 66, says: ["none.geojson"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--holidays", "h.csv", code: "bad-holiday", status: 65,
      says: ["h.csv:2", "soon"], files: ["h.csv": "2026-11-22,day off\nsoon,x\n"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--holidays", "h.csv", code: "bad-holiday", status: 65,
      says: ["h.csv:1", "2026.11.30"], files: ["h.csv": "2026.11.30,Fest\n"]),
    Mistake(
      "--lat", "1", "--lon", "1", "--open", "--holidays", "h.csv", code: "bad-holiday", status: 65,
      says: ["h.csv:1", "2026-13-40"], files: ["h.csv": "2026-13-40,Foo\n"]),
    // Boxes and areas
    Mistake(
      "bbox", "1,39,2,38", "shops.csv", code: "bbox-order", status: 64, says: ["39", "38"]),
    Mistake(
      "bbox", "37.5,126.9,37.6,127.1", "shops.csv", code: "lat-lon-swapped", status: 64,
      says: ["these look swapped: try 126.9,37.5,127.1,37.6"]),
    Mistake(
      "bbox", "shops.csv", "1,2,3,4", code: "bad-bbox", status: 64,
      says: ["\"shops.csv\" is not a box", "west,south"]),
    Mistake("bbox", "1,2,3", "shops.csv", code: "bad-bbox", status: 64, says: ["1,2,3", "west"]),
    Mistake(
      "bbox", "1 2 3 4", "shops.csv", code: "bad-bbox", status: 64, says: ["1 2 3 4", "west,south"]),
    Mistake(
      "bbox", "1,2,3,4", "--boxes", "b.csv", "shops.csv", code: "bad-bbox", status: 64,
      says: ["1,2,3,4", "--boxes b.csv", "leave out one"]),
    Mistake("bbox", "1,2,x,4", "shops.csv", code: "not-a-number", status: 64, says: ["\"x\""]),
    Mistake("bbox", "1,2,300,4", "shops.csv", code: "lon-range", status: 64, says: ["300"]),
    Mistake("bbox", code: "missing-bbox", status: 64, says: ["126.9,37.4,127.1,37.6"]),
    Mistake(
      "bbox", "--boxes", "b.csv", "shops.csv", code: "bbox-order", status: 65, says: ["b.csv:2"],
      files: ["b.csv": "west,south,east,north\n1,39,2,38\n"]),
    Mistake(
      "bbox", "--boxes", "b.csv", "shops.csv", code: "no-bbox-fields", status: 65, says: ["a,b"],
      files: ["b.csv": "a,b\n1,2\n"]),
    Mistake(
      "within", "a.geojson", "shops.csv", code: "area-geometry", status: 65, says: ["Point"],
      files: ["a.geojson": #"{"type":"Point","coordinates":[1,2]}"#]),
    // Sources as a whole
    Mistake(
      "shop.csv", "--lat", "1", "--lon", "1", code: "no-such-file", status: 66,
      says: ["shop.csv", "did you mean shops.csv?"]),
    Mistake(".", "--lat", "1", "--lon", "1", code: "is-directory", status: 66, says: ["folder"]),
    Mistake(
      "find", "none.gpkg", "--layer", "a", "--lat", "1", "--lon", "1", code: "no-such-file",
      status: 66, says: ["none.gpkg", "check the name"]),
    Mistake(
      "list", "none.nbx", "--layer", "a", code: "no-such-file", status: 66, says: ["none.nbx"]),
    Mistake("info", "", code: "no-such-file", status: 66, says: ["check the name"]),
    Mistake("info", "shops.csv/x", code: "no-such-file", status: 66, says: ["shops.csv/x"]),
    Mistake(
      "info", "e.csv", code: "empty-input", status: 65, says: ["e.csv"], files: ["e.csv": ""]),
    Mistake(
      "info", "n.csv", code: "no-coordinate-fields", status: 65,
      says: ["a,b,c", "--lat-field", "위도"], files: ["n.csv": "a,b,c\n1,2,3\n"]),
    Mistake(
      "info", "n.csv", "--no-header", code: "no-coordinate-fields", status: 65,
      says: ["columns are 1,2,3; say which", "--lat-field 1 --lon-field 2"],
      files: ["n.csv": "37.5,127,a\n37.6,127.1,b\n"]),
    Mistake(
      "info", "n.geojson", code: "other-format", status: 64,
      says: ["looks like a table", "--input-format csv"], files: ["n.geojson": "a,lat,lon\n1,2,3\n"]
    ),
    Mistake(
      "info", "n.csv", code: "ambiguous-coordinate-fields", status: 64,
      says: ["lat,latitude", "--lat-field"], files: ["n.csv": "lat,latitude,lon\n1,1,2\n"]),
    Mistake(
      "info", "shops.csv", "--id-field", "-5", code: "unknown-field", status: 64,
      says: ["\"-5\"", "--id-field"]),
    Mistake(
      "info", "tm.csv", code: "crs-unknown", status: 65,
      says: ["200000,450000", "5174, 5181, 5186", "--crs"],
      files: ["tm.csv": "x,y\n200000,450000\n201000,451000\n"]),
    Mistake(
      "info", "shops.csv", "--crs", "EPSG:99999", code: "crs-unsupported", status: 64,
      says: ["EPSG:99999", "EPSG:4326"]),
    Mistake(
      "info", "shops.csv", "--input-format", "xls", code: "bad-format", status: 64,
      says: ["xls", "geojson"]),
    // Without a value, as where a variable is empty.
    Mistake(
      "info", "shops.csv", "--encoding=", code: "bad-encoding", status: 64,
      says: ["the encoding \"\" is not known"]),
    Mistake(
      "info", "shops.csv", "--crs=", code: "crs-unsupported", status: 64,
      says: ["\"\" is not supported"]),
    Mistake(
      "info", "shops.csv", "--delimiter=", code: "bad-delimiter", status: 64,
      says: ["--delimiter \"\" is empty"]),
    Mistake(
      "info", "shops.csv", "--layer=", code: "no-layers", status: 64,
      says: ["leave out --layer \"\""]),
    Mistake(
      "info", "x.dat", code: "format-unknown", status: 65, says: ["KML", "ogr2ogr places.gpkg"],
      files: ["x.dat": "<kml/>"]),
    Mistake(
      "info", "shops.csv", "--region", "XX", code: "unknown-region", status: 64,
      says: ["XX", "KR, JP"]),
    Mistake(
      "list", "shops.csv", "--quote", ",", code: "bad-quote", status: 64,
      says: ["--quote , is the delimiter, too"]),
    Mistake(
      "join", "shops.csv", "shops.csv", "-k", "1", "--left-quote", ";", "--left-delimiter", ";",
      code: "bad-quote", status: 64, says: ["--left-quote ; is the delimiter, too"]),
    Mistake(
      "list", "shops.csv", "--rejects", "-", code: "bad-rejects", status: 64,
      says: ["--rejects bad.csv"]),
    Mistake(
      "hours", "Mo-Fr 09:00-18:00", "--closed", "tomorrow", code: "bad-closing", status: 64,
      says: ["\"Mo-Fr 09:00-18:00\" is a text of hours", "leave out --closed"]),
    Mistake(
      "hours", "gone.csv", "--closed", "tomorrow", code: "no-such-file", status: 66,
      says: ["gone.csv"]),
    Mistake(
      "info", "shops.csv", "--max-rejects", "-1", code: "bad-max-rejects", status: 64,
      says: ["-1", "1%"]),
    Mistake(
      "info", "shops.csv", "--sample", code: "sample-and-source", status: 64, says: ["--sample"]),
    Mistake("info", "-", "-", code: "one-standard-input", status: 64, says: ["once"]),
    // Rows, where a source has no good one or too many bad ones
    Mistake(
      "info", "r.csv", code: "lat-lon-swapped", status: 65,
      says: ["2 of 2 rows rejected", "r.csv:2", "latitude 37"],
      files: ["r.csv": "lat,lon\n127,37\n128,36\n"]),
    Mistake(
      "info", "r.csv", "--max-rejects", "0", code: "row-half-coordinate", status: 65,
      says: ["1 of 2 rows rejected", "latitude is empty, longitude is 0.00000"],
      files: ["r.csv": "lat,lon\n1,2\n,0.00000\n"]),
    Mistake(
      "info", "r.csv", "--max-rejects", "10%", code: "row-fields", status: 65,
      says: ["10%", "3 fields, header has 2", "byte 12"],
      files: ["r.csv": "lat,lon\n1,2\n1,2,3\n"]),
    Mistake(
      "info", "r.csv", "--strict", code: "row-no-coordinate", status: 65, says: ["--strict"],
      files: ["r.csv": "name,lat,lon\nA,1,2\nB,,\n"]),
    Mistake(
      "info", "r.csv", "--strict", code: "row-quote", status: 65,
      says: ["r.csv:3: quote opened here never closes"],
      files: ["r.csv": "lat,lon,n\n1,2,a\n1,2,\"b\n"]),
    Mistake(
      "info", "r.csv", "--strict", code: "null-island", status: 65, says: ["--allow-null-island"],
      files: ["r.csv": "lat,lon\n1,2\n0,0\n"]),
    Mistake(
      "info", "r.csv", "--strict", "--region", "KR", code: "outside-region", status: 65,
      says: ["km outside KR"], files: ["r.csv": "lat,lon\n37.5,127\n48.85,2.35\n"]),
    // Output and words
    Mistake(
      "--lat", "1", "--lon", "1", "shops.csv", "-o", "no/x.csv", code: "cannot-write", status: 73,
      says: ["no/x.csv"]),
    Mistake(
      "info", "r.csv", "--rejects", "no/x.csv", code: "cannot-write", status: 73,
      says: ["no/x.csv"], files: ["r.csv": "lat,lon\n1,2\n91,91\n"]),
    Mistake(
      "--lat", "1", "--lon", "1", "nosuch.csv", "--format", "xml", code: "bad-format", status: 64,
      says: ["xml", "geojson"]),
    Mistake(
      "list", "shops.csv", "--format", "csv", "--json", code: "bad-format", status: 64,
      says: ["--format csv", "--json"]),
    Mistake(
      "check", "shops.csv", "--json", "--format", "table", code: "bad-format", status: 64,
      says: ["--format table", "--json"]),
    Mistake(
      "--lat", "1", "--lon", "1", "nosuch.csv", "--color", "", code: "bad-color", status: 64,
      says: ["--color \"\" is not known", "never"]),
    Mistake(
      "map", "nosuch.csv", "--size", "5x5", code: "bad-size", status: 64, says: ["5x5", "64x20"]),
    Mistake(
      "map", "shops.csv", "--label", "zzzz", code: "unknown-field", status: 64,
      says: ["--label", "zzzz", "address"]),
    Mistake(
      "convert", "shops.csv", "-o", "x.csv.gz", code: "bad-format", status: 64, says: [".gz"]),
    Mistake("convert", "shops.csv", code: "missing-format", status: 64, says: ["--format"]),
    Mistake(
      "convert", "shops.csv", "--format", "table", code: "bad-format", status: 64,
      says: ["table", "geojson"]),
    Mistake(
      "join", "shops.csv", "shops.csv", "-k", "1", "--how", "outer", code: "bad-how", status: 64,
      says: ["outer", "inner or left"]),
    Mistake("completions", "tcsh", code: "bad-shell", status: 64, says: ["tcsh", "zsh"]),
    Mistake("distance", "--digits", "13", code: "bad-digits", status: 64, says: ["13", "0…10"]),
    Mistake(
      "list", "shops.csv", "--sort", "name:dsc", code: "unknown-field", status: 64,
      says: ["no field is named \"name:dsc\"; for the reverse order, write name:desc"]),
    Mistake(
      "index", "build", "-o", "x.nbx", code: "missing-source", status: 64, says: ["shops.nbx"]),
    Mistake(
      "info", "x.nbx", code: "index-not-nbx", status: 65, says: ["x.nbx", "nearby index build"],
      files: ["x.nbx": "lat,lon\n1,2\n"]),
    Mistake(
      "info", "x.nbx", code: "index-version", status: 65, says: ["format 99", "format 4"],
      files: ["x.nbx": "nearby-index 99\n"]),
  ]

  @Test(arguments: mistakes + commandMistakes)
  func `a mistake has its code, its status, its value and its remedy, and no result`(
    mistake: Mistake
  ) throws {
    let folder = try Folder.withShops()
    for (name, text) in mistake.files { try folder.write(text, to: name) }
    let outcome = try Program.run(mistake.arguments, in: folder)
    #expect(outcome.status == mistake.status)
    #expect(outcome.text == "")
    let message = outcome.errors.split(separator: "\n").first { $0.hasPrefix("error: ") } ?? ""
    #expect(message.hasPrefix("error: \(mistake.code): "), "\(outcome.errors)")
    for part in mistake.says { #expect(outcome.errors.contains(part), "\(outcome.errors)") }
    for (name, text) in mistake.files {
      #expect(try String(contentsOf: folder.url.appending(path: name), encoding: .utf8) == text)
    }
    // Neither a trap, nor the characters that stand for bytes and signs inside.
    #expect(!outcome.errors.contains("Fatal error"))
    #expect(!outcome.errors.unicodeScalars.contains { $0.value >= 0x10F000 })
  }

  @Test func `a text that is not UTF-8 is an error that names line and remedy`() throws {
    let folder = try Folder()
    try folder.write(
      Array("id,lat,lon\n1,1,2\n".utf8) + [0xC0, 0xE5] + Array(",3,4\n".utf8), to: "c.csv")
    let outcome = try Program.run(["info", "c.csv"], in: folder)
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("error: encoding: c.csv:3: "))
    #expect(outcome.errors.contains("UTF-8"))
    #expect(outcome.output.isEmpty)
  }

  @Test func `a file that cannot be opened is told of with what to do`() throws {
    let loop = try Program.shell("ln -s b a; ln -s a b; $nearby info a", in: try Folder())
    #expect(loop.status == 66)
    #expect(loop.errors.hasPrefix("error: cannot-open: "))
    #expect(loop.errors.hasSuffix("; let its links lead to a file\n"), "\(loop.errors)")
    let dangling = try Program.shell("ln -s gone a.csv; $nearby info a.csv", in: try Folder())
    #expect(dangling.status == 66)
    #expect(
      dangling.errors
        == "error: no-such-file: a.csv is a link to ./gone, which does not exist; correct the link\n"
    )
    let long = try Program.run(["info", String(repeating: "a", count: 300)], in: try Folder())
    #expect(long.status == 66)
    #expect(long.errors.hasSuffix("; give a shorter name\n"), "\(long.errors)")
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may read every file"))
  func `a file that may not be read is no input`() throws {
    let folder = try Folder.withShops()
    let outcome = try Program.shell("chmod 000 shops.csv; $nearby info shops.csv", in: folder)
    #expect(outcome.status == 66)
    #expect(outcome.errors.hasPrefix("error: cannot-open: "))
  }
}
