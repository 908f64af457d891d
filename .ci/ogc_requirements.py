#!/usr/bin/python3
"""Asks `nearby serve` for each requirement of OGC 17-069r4 (Features, Part 1: Core, HTML, GeoJSON, OpenAPI 3.0), of OGC
18-058r1 (Part 2) and of the classes of OGC 19-079r2 (Part 3) that it declares; the numbers are those of Part 1's
requirements.

    /usr/bin/python3 .ci/ogc_requirements.py PROGRAM

PROGRAM is built with the trait Server. The OGC's own test suite cannot be had here; this reads its list.
"""

import atexit
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

folder = pathlib.Path(tempfile.mkdtemp(prefix="nearby-ogc-"))
with open(folder / "shops.csv", "w") as out:
    out.write("id,name,kind,latitude,longitude,rating,valid_from,valid_until\n")
    for number in range(60):
        out.write(f"s{number},place {number},{['mart', 'cafe'][number % 2]},{37 + number / 100},{127 + number / 100},{number % 5},"
                  f"2026-{1 + number % 12:02}-01,2026-{1 + number % 12:02}-20\n")
    out.write("nowhere,without a place,mart,,,3,2026-01-01,2026-01-20\n")
process = subprocess.Popen([pathlib.Path(sys.argv[1]).resolve(), "serve", "shops.csv", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True)
atexit.register(process.kill)
base = next(line.split()[1].rstrip("/") for line in process.stderr if line.startswith("serving "))


def ask(path, **headers):
    address = path if path.startswith("http") else base + path
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def read(path, **headers):
    status, _, body = ask(path, **headers)
    assert status == 200, (path, status, body[:200])
    return json.loads(body)


def links(document, relation, type=None):
    return [link for link in document["links"] if link["rel"] == relation and (type is None or link.get("type", "").startswith(type))]


def is_page(path):
    status, headers, body = ask(path, Accept="text/html")
    return status == 200 and headers["Content-Type"].startswith("text/html") and b"<html" in body.lower()


def is_error(path):
    return ask(path)[0] == 400


def features(path):
    return read(path)["features"]


root, api, conformance, collections = read("/"), read("/api"), read("/conformance"), read("/collections")
shops = next(one for one in collections["collections"] if one["id"] == "shops")
items, one = read("/collections/shops/items?limit=10"), read("/collections/shops/items/s7")
operation = api["paths"]["/collections/shops/items"]["get"]


def parameter(name):
    def resolved(entry):
        if "$ref" not in entry:
            return entry
        value = api
        for part in entry["$ref"].removeprefix("#/").split("/"):
            value = value[part]
        return value
    return next((entry for entry in map(resolved, operation["parameters"]) if entry["name"] == name), None)


def is_in(feature, west, south, east, north):
    x, y = feature["geometry"]["coordinates"][:2]
    return west <= x <= east and south <= y <= north


everything = [one for one in features("/collections/shops/items?limit=1000") if one["geometry"]]
unplaced = ["nowhere"]
crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
requirements = {
    "1 root-op": lambda: ask("/")[0] == 200,
    "2 root-success": lambda: (links(root, "service-desc") or links(root, "service-doc")) and links(root, "conformance") and links(root, "data"),
    "3 api-definition-op": lambda: all(ask(link["href"])[0] == 200 for link in links(root, "service-desc") + links(root, "service-doc")),
    "4 api-definition-success": lambda: api["openapi"].startswith("3.0"),
    "5 conformance-op": lambda: ask("/conformance")[0] == 200,
    "6 conformance-success": lambda: any(name.endswith("/ogcapi-features-1/1.0/conf/core") for name in conformance["conformsTo"]),
    "7 http": lambda: ask("/nowhere")[0] == 404 and ask("/collections/none")[0] == 404,
    "8 query-param-unknown": lambda: is_error("/collections/shops/items?nonsense=1") and all(
        is_error(f"{path}?nonsense=1") for path in ["/", "/conformance", "/api", "/collections", "/collections/shops", "/collections/shops/items/s7"]),
    "9 query-param-invalid": lambda: all(is_error(f"/collections/shops/items?{text}") for text in [
        "limit=0", "limit=x", "bbox=1,2,3", "bbox=a,b,c,d", "bbox=0,95,1,96", "datetime=yesterday", "datetime=2026-02-30"]),
    "10 crs84": lambda: everything[0]["geometry"]["coordinates"] == [127, 37],
    "11 fc-md-op": lambda: ask("/collections")[0] == 200,
    "12 fc-md-success": lambda: isinstance(collections["links"], list) and isinstance(collections["collections"], list),
    "13 fc-md-links": lambda: links(collections, "self") and links(collections, "alternate", "text/html"),
    "14 fc-md-items": lambda: [one["id"] for one in collections["collections"]] == ["shops"],
    "15 fc-md-items-links": lambda: all(links(shops, "items", kind) for kind in ["application/geo+json", "text/html"]),
    "16 fc-md-extent": lambda: all(is_in(feature, *shops["extent"]["spatial"]["bbox"][0]) for feature in everything),
    "17 sfc-md-op": lambda: ask("/collections/shops")[0] == 200,
    "18 sfc-md-success": lambda: {name: value for name, value in read("/collections/shops").items() if name in ["id", "title", "extent"]}
    == {name: value for name, value in shops.items() if name in ["id", "title", "extent"]},
    "19 fc-op": lambda: ask("/collections/shops/items")[0] == 200,
    "20 fc-limit-definition": lambda: parameter("limit")["schema"]["type"] == "integer" and parameter("limit")["schema"]["minimum"] == 1,
    "21 fc-limit-response": lambda: len(items["features"]) == 10 and len(features("/collections/shops/items?limit=100000000000000000000")) == 61,
    "22 fc-bbox-definition": lambda: parameter("bbox")["schema"]["type"] == "array" and [one["minItems"] for one in parameter("bbox")["schema"]["oneOf"]] == [4, 6],
    "23 fc-bbox-response": lambda: [one["id"] for one in features("/collections/shops/items?bbox=127.05,37.05,127.1,37.1&limit=1000")]
    == [one["id"] for one in everything if is_in(one, 127.05, 37.05, 127.1, 37.1)] + unplaced,
    "24 fc-time-definition": lambda: parameter("datetime")["schema"]["type"] == "string",
    "25 fc-time-response": lambda: {one["properties"]["valid_from"] for one in features("/collections/shops/items?limit=1000&datetime=2026-03-15T12:00:00Z")}
    == {"2026-03-01"} and {one["properties"]["valid_from"] for one in features("/collections/shops/items?limit=1000&datetime=../2026-02-10")} == {"2026-01-01", "2026-02-01"},
    "26 fc-response": lambda: {one["properties"]["kind"] for one in features("/collections/shops/items?kind=mart&bbox=127,37,127.3,37.3&limit=1000")} == {"mart"},
    "27 fc-links": lambda: links(items, "self") and links(items, "next")
    and all(links(items, "alternate", kind) for kind in ["text/html", "application/geo+json-seq"]),
    "28 fc-rel-type": lambda: all("rel" in link and "type" in link for link in items["links"]),
    "29 fc-timeStamp": lambda: "timeStamp" not in items or items["timeStamp"].endswith("Z"),
    "30 fc-numberMatched": lambda: items["numberMatched"] == 61,
    "31 fc-numberReturned": lambda: items["numberReturned"] == len(items["features"]),
    "32 f-op": lambda: ask("/collections/shops/items/s7")[0] == 200 and ask("/collections/shops/items/none")[0] == 404,
    "33 f-success": lambda: one["id"] == "s7" and one["properties"]["name"] == "place 7",
    "34 f-links": lambda: links(one, "self") and links(one, "alternate") and links(one, "collection"),
    "35 html-definition": lambda: all(is_page(path) for path in ["/", "/conformance", "/api", "/collections", "/collections/shops", "/collections/shops/queryables", "/collections/shops/items", "/collections/shops/items/s7"]),
    "36 html-content": lambda: b"<h1>place 7</h1>" in ask("/collections/shops/items/s7", Accept="text/html")[2]
    and b'/collections?f=html"' in ask("/", Accept="text/html")[2] and b'/collections/shops/items?f=html"' in ask("/collections/shops", Accept="text/html")[2],
    "37 geojson-definition": lambda: ask("/collections/shops/items", Accept="application/geo+json")[1]["Content-Type"].startswith("application/geo+json"),
    "38 geojson-content": lambda: items["type"] == "FeatureCollection" and all(one["type"] == "Feature" for one in items["features"]) and one["type"] == "Feature",
    "oas30 oas-common": lambda: links(root, "service-desc", "application/vnd.oai.openapi+json;version=3.0"),
    "oas30 oas-definition": lambda: ask("/api")[1]["Content-Type"].replace(" ", "").startswith("application/vnd.oai.openapi+json;version=3.0")
    and all(api[name] for name in ["openapi", "info", "paths"]),
    "oas30 oas-impl": lambda: all(ask(path.replace("{id}", "s7"))[0] in (200, 204, 400)
                                  for path, entry in api["paths"].items() if "get" in entry and "{z}" not in path and "live" not in path and "fence" not in path),
    "oas30 completeness": lambda: all(entry["get"]["responses"].get("200") or entry["get"]["responses"].get("204") for entry in api["paths"].values() if "get" in entry),
    "oas30 exceptions-codes": lambda: any(code.startswith("4") or code == "default" for code in operation["responses"]),
    "oas30 security": lambda: all("security" not in entry["get"] for entry in api["paths"].values() if "get" in entry),
    "part 2 fc-md-crs-list": lambda: shops["crs"] == [crs84] and shops["storageCrs"] in shops["crs"]
    and any(name.endswith("/ogcapi-features-2/1.0/conf/crs") for name in conformance["conformsTo"]),
    "part 2 fc-bbox-crs-definition": lambda: parameter("bbox-crs") and is_error("/collections/shops/items?bbox-crs=EPSG:4326&bbox=127,37,127.3,37.3")
    and features(f"/collections/shops/items?bbox=127,37,127.3,37.3&bbox-crs={crs84}") == features("/collections/shops/items?bbox=127,37,127.3,37.3"),
    "part 2 fc-crs-definition": lambda: parameter("crs") and all(
        is_error(f"{path}?crs=EPSG:4326") and read(f"{path}?crs={crs84}")["type"] for path in ["/collections/shops/items", "/collections/shops/items/s7"]),
    "part 2 ogc-crs-header": lambda: all(
        ask(path)[1]["Content-Crs"] == f"<{crs84}>" for path in ["/collections/shops/items", "/collections/shops/items/s7"]),
    "part 3 queryables-op": lambda: read("/collections/shops/queryables")["type"] == "object",
    "part 3 queryables-link": lambda: any(link["rel"].endswith("queryables") for link in read("/collections/shops")["links"]),
    "part 3 queryables-response": lambda: {"name", "kind", "rating", "geometry"} <= set(read("/collections/shops/queryables")["properties"]),
    "part 3 queryables-query-parameters": lambda: sorted(one["id"] for one in features("/collections/shops/items?rating=3&limit=1000"))
    == sorted([one["id"] for one in everything if str(one["properties"]["rating"]) == "3"] + unplaced),
    "part 3 filter-param": lambda: sorted(one["id"] for one in features("/collections/shops/items?limit=1000&filter=" + urllib.parse.quote("kind = 'mart' AND rating >= 3")))
    == sorted([one["id"] for one in everything if one["properties"]["kind"] == "mart" and int(one["properties"]["rating"]) >= 3] + unplaced),
    "cql2 advanced-comparison-operators": lambda: any(name.endswith("/cql2/1.0/conf/advanced-comparison-operators") for name in conformance["conformsTo"]) and all(
        sorted(one["id"] for one in features("/collections/shops/items?limit=1000&filter=" + urllib.parse.quote(text)))
        == sorted([one["id"] for one in everything if holds(one["properties"])] + unplaced * at) for text, holds, at in [
            ("name LIKE 'place _'", lambda its: len(its["name"]) == 7, 0), ("rating BETWEEN 2 AND 3", lambda its: int(its["rating"]) in (2, 3), 1),
            ("kind NOT IN ('cafe', 'bar')", lambda its: its["kind"] == "mart", 1)]),
    "part 3 filter-lang-param": lambda: ask("/collections/shops/items?filter-lang=cql2-text&filter=rating%3D3")[0] == 200 and is_error("/collections/shops/items?filter-lang=xyz&filter=rating%3D3"),
    "part 3 filter-crs-param": lambda: ask("/collections/shops/items?filter-crs=http://www.opengis.net/def/crs/OGC/1.3/CRS84&filter=rating%3D3")[0] == 200
    and is_error("/collections/shops/items?filter-crs=http://www.opengis.net/def/crs/EPSG/0/9999&filter=rating%3D3"),
    "part 3 filter invalid": lambda: is_error("/collections/shops/items?filter=rating%20%3E") and is_error("/collections/shops/items?filter=nothing%3D1")
    and is_error("/collections/shops/items?filter=" + urllib.parse.quote("S_INTERSECTS(nothing, BBOX(126,36,128,38))")),
}
missed = []
for name, holds in requirements.items():
    try:
        if not holds():
            missed.append(name)
    except (AssertionError, KeyError, TypeError, ValueError, IndexError, OSError) as error:
        missed.append(f"{name} ({type(error).__name__} {error})")
print(f"ogc: {len(requirements) - len(missed)} of {len(requirements)} requirements hold")
if missed:
    sys.exit("ogc: not " + "; ".join(missed))
