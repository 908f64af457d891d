#!/usr/bin/python3
"""Asks `nearby serve` as its clients do: ogrinfo, ogr2ogr, OWSLib, GDAL's tiles, curl, browsers, and those that mean harm.

    /usr/bin/python3 .ci/serve.py PROGRAM [folder of maplibre-gl.js]

PROGRAM is built with the trait Server. All servers listen on the loopback.
"""

import atexit
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

program = pathlib.Path(sys.argv[1]).resolve()
maplibre = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
folder = pathlib.Path(tempfile.mkdtemp(prefix="nearby-serve-"))
token = "correct-horse-battery-staple"


def check(claim, holds, shown=""):
    if not holds:
        sys.exit(f"serve: {claim}: no {shown}")
    print(f"serve: {claim}", flush=True)


class Server:
    def __init__(self, *arguments, **settings):
        self.arguments = arguments
        self.port = settings.pop("port", 0)
        self.process = subprocess.Popen(
            [program, "serve", *map(str, arguments), "--port", str(self.port)], cwd=folder,
            stderr=subprocess.PIPE, text=True, **settings)
        # A check that fails leaves none behind.
        atexit.register(self.process.kill)
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line)
            if line.startswith("serving "):
                self.address = line.split()[1].rstrip("/")
                self.port = int(self.address.rsplit(":", 1)[1])
                break
        else:
            sys.exit(f"serve: it does not start: {''.join(self.lines)}")
        # What it says later must not fill the pipe.
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=20)

    def ask(self, path, method="GET", body=None, **headers):
        request = urllib.request.Request(
            self.address + path, method=method, data=body if body is None or isinstance(body, bytes) else json.dumps(body).encode(),
            headers={name.replace("_", "-"): value for name, value in headers.items()})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def json(self, path):
        status, headers, body = self.ask(path)
        if status != 200:
            sys.exit(f"serve: {path}: {status} {body.decode()}")
        return json.loads(body)

    def write(self, path, method, body=None, **headers):
        return self.ask(path, method, body, Authorization=f"Bearer {token}", Content_Type="application/geo+json", **headers)


def run(*arguments, **settings):
    return subprocess.run(list(map(str, arguments)), check=True, cwd=folder, capture_output=True, text=True, **settings).stdout


def feature(number, lat, lon, **properties):
    return {"type": "Feature", "id": f"f{number}", "geometry": {"type": "Point", "coordinates": [lon, lat]}, "properties": properties}


def make_sources():
    numbers = random.Random(5)
    rows = [(f"s{number}", f"가게 {number}", numbers.choice(["mart", "cinema", "deal"]), round(numbers.uniform(37.4, 37.7), 6),
             round(numbers.uniform(126.8, 127.2), 6), number % 7) for number in range(1, 251)]
    with open(folder / "shops.csv", "w") as out:
        out.write("id,name,kind,latitude,longitude,rating\n")
        for row in rows:
            out.write(",".join(map(str, row)) + "\n")
    with open(folder / "round.geojson", "w") as out:
        json.dump({"type": "FeatureCollection", "features": [feature(1, 0, 179.5, name="west"), feature(2, 0, -179.5, name="east"), feature(3, 0, 10, name="far")]}, out)
    with open(folder / "late.geojson", "w") as out:
        json.dump({"type": "FeatureCollection", "features": [
            feature(number, 37, 127, **({"first": 1.5} if number < 50 else {"late": "x", "flag": True})) for number in range(60)]}, out)
    (folder / "token").write_text(token + "\n")
    run(program, "import", "shops.csv", "--layer", "shops", "--store", "store.gpkg")
    return rows


def desktop(server, rows):
    """GDAL and OWSLib."""
    listed = run("ogrinfo", "-ro", "-al", f"OAPIF:{server.address}/", "shops")
    ids = [line.split("= ")[1] for line in listed.splitlines() if line.startswith("  id (String)")]
    check("ogrinfo pages through 250 features and gets each once", sorted(ids) == sorted(row[0] for row in rows), len(ids))
    box = [row for row in rows if 37.5 <= row[3] <= 37.6 and 126.9 <= row[4] <= 127]
    run("ogr2ogr", "box.gpkg", f"OAPIF:{server.address}/collections/shops", "-spat", "126.9", "37.5", "127", "37.6")
    check("ogr2ogr -spat gets what is in the box", f"Feature Count: {len(box)}\n" in run("ogrinfo", "-ro", "-so", "box.gpkg", "shops"))
    before = server.json("/collections/shops/items?kind=mart&limit=1")["numberMatched"]
    found = run("ogrinfo", "-ro", "-so", f"OAPIF:{server.address}/", "shops", "-where", "kind = 'mart'")
    check("ogrinfo -where counts what has the value", f"Feature Count: {before}\n" in found and before == sum(row[2] == "mart" for row in rows))
    run("ogr2ogr", "where.csv", f"OAPIF:{server.address}/", "shops", "-where", "rating = '3'")
    check("ogr2ogr -where on another field", len((folder / "where.csv").read_text().splitlines()) - 1 == sum(row[5] == 3 for row in rows))
    check("GDAL has one field for the ids", "id2" not in (folder / "where.csv").read_text())
    truths = run("ogrinfo", "-ro", "-so", f"OAPIF:{server.address}/", "late", "-where", "flag = 1")
    check("ogrinfo -where on a field that is true or false", "Feature Count: 10\n" in truths, truths)
    opened = run("ogrinfo", "-ro", "-so", "-al", f"OGCAPI:{server.address}/collections/shops")
    check("GDAL opens a collection by OGCAPI:, too", "Feature Count: 250\n" in opened, opened)
    try:
        from pyogrio import raw
    except ImportError:
        print("skipped: pyogrio, which has a newer GDAL, is not here")
    else:
        meta, _, shapes, _ = raw.read(f"OAPIF:{server.address}/", layer="shops")
        check("a newer GDAL pages through 250 features", len(shapes) == 250 and list(meta["fields"]).count("id") == 1, meta)
        check("a newer GDAL gets what is in the box", len(raw.read(f"OAPIF:{server.address}/", layer="shops", bbox=(126.9, 37.5, 127, 37.6))[2]) == len(box))
    fields = run("ogrinfo", "-ro", "-al", f"OAPIF:{server.address}/", "late")
    check("GDAL has the fields of all features, not only of the first page",
          all(field in fields for field in ["first: Real", "late: String", "flag: Integer(Boolean)"]) and fields.count("late (String) = x") == 10, fields[:800])
    tiles = run("ogrinfo", "-ro", "-so", "-al", f"MVT:{server.address}/tiles/shops/8", "-oo", f"METADATA_FILE={server.address}/tiles/shops/tilejson.json")
    check("GDAL reads the tiles over HTTP", "Feature Count: 250" in tiles, tiles)
    qgis(server, rows, len(box))
    from owslib.ogcapi.features import Features
    client = Features(server.address + "/")
    page = client.collection_items("shops", limit=10, bbox=[126.9, 37.5, 127, 37.6])
    check("OWSLib reads collections, items and queryables", "shops" in client.feature_collections() and page["numberMatched"] == len(box)
          and "rating" in client.collection_queryables("shops")["properties"]
          and client.collection_item("shops", "s7")["properties"]["name"] == "가게 7")


def qgis(server, rows, box):
    """Debian's python3-qgis, where it is installed: it takes 400 MB."""
    if subprocess.run(["/usr/bin/python3", "-c", "import qgis.core"], cwd="/", capture_output=True).returncode:
        return print("skipped: python3-qgis is not here")
    script = f"""
import os
from qgis.core import *
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor
QgsApplication.setPrefixPath("/usr", True)
app = QgsApplication([], True)
app.initQgis()
QgsNetworkAccessManager.instance()
layer = QgsVectorLayer("typename='shops' url='{server.address}/' pagingEnabled='true'", "shops", "OAPIF")
ids = [feature["id"] for feature in layer.getFeatures()]
inside = sum(1 for _ in layer.getFeatures(QgsFeatureRequest().setFilterRect(QgsRectangle(126.9, 37.5, 127, 37.6))))
tiles = QgsVectorTileLayer("type=xyz&url={server.address}/tiles/shops/{{z}}/{{x}}/{{y}}.mvt&zmin=0&zmax=18", "tiles")
settings = QgsMapSettings()
settings.setLayers([tiles])
settings.setOutputSize(QSize(600, 500))
settings.setBackgroundColor(QColor("white"))
mercator = QgsCoordinateReferenceSystem("EPSG:3857")
settings.setDestinationCrs(mercator)
settings.setExtent(QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), mercator, QgsProject.instance()).transformBoundingBox(QgsRectangle(126.8, 37.4, 127.2, 37.7)))
job = QgsMapRendererSequentialJob(settings)
job.start()
job.waitForFinished()
image = job.renderedImage()
drawn = sum(image.pixel(x, y) != 0xffffffff for x in range(0, 600, 2) for y in range(0, 500, 2))
print(layer.isValid(), len(ids), len(set(ids)), inside, drawn > 500, flush=True)
os._exit(0)
"""
    (folder / "runtime").mkdir(mode=0o700, exist_ok=True)
    out = run("/usr/bin/python3", "-c", script, env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(folder / "runtime")}, timeout=120)
    check("QGIS reads each feature once, a box, and draws the tiles", out.split() == ["True", "250", "250", str(box), "True"], out)


def answers(server, rows):
    found = server.json("/collections/shops/nearest?lat=37.55&lon=127&k=5")
    told = json.loads(run(program, "--lat", "37.55", "--lon", "127", "-k", "5", "shops.csv", "--format", "json"))
    check("the server and the program give the same nearest", [(f["id"], f["properties"]["distance"], f["properties"]["bearing"]) for f in found["features"]]
          == [(r["id"], r["distance"], r["bearing"]) for r in told["results"]] and found["validRadius"] == told["validRadius"])
    pages, address = [], "/collections/shops/items?limit=40&kind=cinema"
    while address:
        page = server.json(address)
        pages += [f["id"] for f in page["features"]]
        following = [link["href"] for link in page["links"] if link["rel"] == "next"]
        address = following[0].removeprefix(server.address) if following else None
    check("pages follow each other to an end without next", sorted(pages) == sorted(row[0] for row in rows if row[2] == "cinema"))
    crossing = server.json("/collections/round/items?bbox=179,-1,-179,1")
    check("a bbox across ±180° finds both sides", {f["id"] for f in crossing["features"]} == {"f1", "f2"})
    six = server.json("/collections/shops/items?bbox=126.9,37.5,0,127,37.6,100")
    check("a bbox of six numbers", six["numberMatched"] == server.json("/collections/shops/items?bbox=126.9,37.5,127,37.6")["numberMatched"])
    text = urllib.parse.quote("kind = 'mart' AND rating >= 3 AND S_INTERSECTS(geometry, BBOX(126.9,37.5,127,37.6))")
    wanted = {row[0] for row in rows if row[2] == "mart" and row[5] >= 3 and 37.5 <= row[3] <= 37.6 and 126.9 <= row[4] <= 127}
    check("a filter in CQL2", {f["id"] for f in server.json(f"/collections/shops/items?limit=250&filter={text}")["features"]} == wanted)
    for path, status, code in [
        ("/collections/shops/items?bbox=1,2", 400, "bad-bbox"), ("/collections/shops/items?bbox=a,b,c,d", 400, "not-a-number"),
        ("/collections/shops/items?limit=0", 400, "bad-limit"), ("/collections/shops/items?nothing=1", 400, "query-parameter"),
        ("/collections/shops/items?filter=kind%20==", 400, "where-syntax"), ("/collections/none", 404, "not-found"),
        ("/collections/shops/items/none", 404, "not-found"), ("/collections/shops/nearest?lat=91&lon=0", 400, "lat-lon-swapped"),
        ("/collections/shops/nearest?lat=1", 400, "missing-position"), ("/collections/shops/items?after=abc", 400, "cursor-syntax"),
        ("/tiles/shops/3/9/9.mvt", 404, None), ("/../../etc/passwd", 404, None), ("/collections/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 404, None),
        ("/collections/shops/items?datetime=soon", 400, "query-value"), ("/collections/shops/items/%ff", 400, "path-value"),
        ("/collections/shops/items?filter=" + "a" * 9000, 414, "address-length"),
    ]:
        got, headers, body = server.ask(path)
        problem = json.loads(body)
        check(f"{path[:60]} is answered {status}", got == status and headers["content-type"] == "application/problem+json"
              and problem["status"] == status and (code is None or problem["code"] == code), f"{got} {body[:300]}")
    status, headers, body = server.ask("/collections/shops/items")
    again, _, empty = server.ask("/collections/shops/items", If_None_Match=headers["etag"])
    check("an ETag spares the second answer", again == 304 and empty == b"")
    status, headers, packed = server.ask("/collections/shops/items", Accept_Encoding="gzip")
    import gzip
    check("gzip where it is taken", headers["content-encoding"] == "gzip" and gzip.decompress(packed) == body)
    status, headers, body = server.ask("/collections/shops/items?limit=3", Accept="application/geo+json-seq")
    check("GeoJSONSeq by Accept", body.count(b"\x1e") == 3 and all(json.loads(part) for part in body.split(b"\x1e")[1:]))
    for path in ["/", "/collections", "/collections/shops", "/collections/shops/items", "/collections/shops/items/s1"]:
        status, headers, body = server.ask(path, Accept="text/html,application/xhtml+xml")
        check(f"{path} as HTML", status == 200 and headers["content-type"].startswith("text/html") and b"<title>" in body)
    check("metrics for Prometheus", b'nearby_requests_total{route="items",status="200"}' in server.ask("/metrics")[2])


def writing(server):
    """Features that come, change and go, and what streams tell of it."""
    check("nobody writes without the token", server.ask("/collections/shops/items/f1", "PUT", feature(1, 37.5, 127))[0] == 401
          and server.ask("/collections/shops/items/f1", "PUT", feature(1, 37.5, 127), Authorization="Bearer wrong")[0] == 401)
    stream = subprocess.Popen(["curl", "-sN", f"{server.address}/collections/shops/live?bbox=126,37,128,38&snapshot=false"], stdout=subprocess.PIPE, text=True)

    def events(stream, count):
        found = []
        while len(found) < count:
            event = {}
            while line := stream.stdout.readline().rstrip("\n"):
                name, _, value = line.partition(": ")
                event[name] = value
            if "event" in event:
                found.append((int(event.get("id", 0)), event["event"], json.loads(event["data"])))
        return found

    begun = events(stream, 1)[0]
    check("PUT makes a feature", server.write("/collections/shops/items/f1", "PUT", feature(1, 37.5, 127, name="new", kind="mart"))[0] == 201)
    status, headers, body = server.ask("/collections/shops/items/f1")
    tag = headers["etag"]
    check("a feature that was put is there, in searches as well", json.loads(body)["properties"]["name"] == "new"
          and server.json("/collections/shops/nearest?lat=37.5&lon=127&k=1")["features"][0]["id"] == "f1")
    check("the same PUT again changes nothing and is well", server.write("/collections/shops/items/f1", "PUT", feature(1, 37.5, 127, name="new", kind="mart"))[0] == 204)
    check("If-Match lets through who has seen it", server.write("/collections/shops/items/f1", "PUT", feature(1, 37.51, 127, name="moved", kind="mart"), If_Match=tag)[0] == 204)
    check("and keeps out who has not", server.write("/collections/shops/items/f1", "PUT", feature(1, 37.52, 127), If_Match=tag)[0] == 412
          and server.write("/collections/shops/items/f1", "PUT", feature(1, 37.52, 127), If_None_Match="*")[0] == 412)
    many = {"type": "FeatureCollection", "features": [feature(n, 37.5 + n / 1000, 127.05, name=f"n{n}") for n in range(10, 20)]}
    status, _, body = server.write("/collections/shops/items", "POST", many)
    check("POST puts several", status == 201 and json.loads(body)["added"] == 10, body)
    bad = {"type": "FeatureCollection", "features": [feature(30, 37.5, 127), feature(31, 95, 127)]}
    status, _, body = server.write("/collections/shops/items", "POST", bad)
    check("or none of them", status == 400 and server.ask("/collections/shops/items/f30")[0] == 404, body)
    check("DELETE takes one away, twice as well as once", server.write("/collections/shops/items/f1", "DELETE")[0] == 204
          and server.write("/collections/shops/items/f1", "DELETE")[0] == 204 and server.ask("/collections/shops/items/f1")[0] == 404)
    told = events(stream, 4)
    stream.kill()
    check("curl -N hears of each change, by rising numbers", [event[1] for event in [begun] + told] == ["begin"] + ["diff"] * 4
          and [event[0] for event in told] == sorted({event[0] for event in told}) and told[0][2]["upsert"][0]["id"] == "f1"
          and told[3][2]["remove"] == ["f1"] and len(told[2][2]["upsert"]) == 10, told)
    again = subprocess.Popen(["curl", "-sN", "-H", f"Last-Event-ID: {told[1][0]}", f"{server.address}/collections/shops/live"], stdout=subprocess.PIPE, text=True)
    check("who comes back gets what was missed", [event[0] for event in events(again, 2)] == [told[2][0], told[3][0]])
    again.kill()
    old = subprocess.Popen(["curl", "-sN", "-H", "Last-Event-ID: 5", f"{server.address}/collections/shops/live"], stdout=subprocess.PIPE, text=True)
    check("and everything again after too long", [event[1] for event in events(old, 2)] == ["reset", "snapshot"])
    old.kill()
    changes = server.json(f"/collections/shops/diff?since={begun[0]}")
    check("diff sums up what changed", {f["id"] for f in changes["upsert"]} == {f"f{n}" for n in range(10, 20)} and changes["remove"] == ["f1"])
    fence = subprocess.Popen(["curl", "-sN", f"{server.address}/fences/park/events"], stdout=subprocess.PIPE, text=True)
    events(fence, 1)
    for lat in (37.40, 37.55, 37.40):
        server.write("/collections/shops/items/walker", "PUT", {**feature(0, lat, 127.3, name="walker"), "id": "walker"})
    told = events(fence, 2)
    fence.kill()
    check("fences tell who enters and leaves", [(event[1], event[2]["id"]) for event in told] == [("enter", "walker"), ("exit", "walker")], told)


def killed():
    """A server that is killed while clients write has all that it has acknowledged."""
    run(program, "import", "round.geojson", "--layer", "round", "--store", "kills.gpkg")
    kept, tried = {}, {}
    for turn in range(int(os.environ.get("NEARBY_KILLS", 10))):
        server = Server("kills.gpkg", "--token-file", "token")
        # What was on its way when the server died may be there or not.
        held = {name: server.json(f"/collections/round/items/{name}")["geometry"]["coordinates"][1] for name in kept}
        missing = [name for name in kept if held[name] not in (kept[name], tried[name])]
        if missing:
            sys.exit(f"serve: lost after kill -9: {missing}")
        # Whoever else reads the store must not take the log away from under the server.
        run(program, "list", "kills.gpkg", "--format", "ids")
        threading.Timer(random.uniform(0.05, 0.3), lambda: server.process.kill()).start()
        try:
            for number in range(10_000):
                name, lat = f"f{turn}-{number % 40}", round(random.uniform(-80, 80), 6)
                body = {**feature(0, lat, 5), "id": name}
                tried[name] = lat
                if server.write(f"/collections/round/items/{name}", "PUT", body)[0] in (201, 204):
                    kept[name] = lat
        except (OSError, http.client.HTTPException):
            pass
        server.process.wait()
    check(f"killed in the middle of writing, it has each of {len(kept)} features that were acknowledged", len(kept) > 0)


def faults(server):
    """Clients that mean harm, and others beside them."""
    numbers = random.Random(8)
    started = time.time()
    slow = []
    for _ in range(500):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
        slow.append(client)
    half = []
    for _ in range(50):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"GET /collections HTTP/1.1\r\nHost: x\r\n\r\n")
        client.shutdown(socket.SHUT_WR)
        half.append(client)
    check("500 slow clients and 50 half-closed ones beside, it answers", server.json("/collections/shops/items?limit=1")["numberReturned"] == 1)
    check("half-closed clients get their answers", all(client.recv(20).startswith(b"HTTP/1.1 200") for client in half))
    requests = [b"GET /collections/shops/items?limit=3 HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n",
                b"PUT /collections/shops/items/m HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\nAuthorization: Bearer correct-horse-battery-staple\r\n\r\n{\"type\":\"Feature\"   }",
                b"GET /collections/shops/nearest?lat=37.5&lon=127&k=3&where=rating%20%3E%203 HTTP/1.1\r\nHost: x\r\n\r\n",
                b"GET /tiles/shops/8/218/98.mvt HTTP/1.1\r\nHost: x\r\n\r\n"]
    count = int(os.environ.get("NEARBY_MUTATIONS", 2_000))
    failed = []
    for number in range(count):
        request = bytearray(numbers.choice(requests))
        for _ in range(numbers.randint(1, 6)):
            place = numbers.randrange(len(request))
            request[place:place + numbers.randint(0, 2)] = bytes(numbers.randrange(256) for _ in range(numbers.randint(0, 3)))
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
            client.settimeout(5)
            try:
                answer = client.recv(200)
            except (TimeoutError, ConnectionError):
                answer = b""
            if answer[9:10] == b"5":
                failed.append((bytes(request), answer))
    check(f"none of {count} mutated requests is answered by an error of the server", not failed, failed[:2])
    server.process.poll()
    check("it still runs", server.process.returncode is None and server.json("/healthz")["status"] == "ok")
    for client in slow + half:
        client.close()


def sources():
    """Sources that change, break and vanish while they are served."""
    refused = subprocess.run([program, "serve", "shops.csv", "--sample", "--port", "0"], cwd=folder, capture_output=True, text=True, timeout=20)
    check("the sample beside a source is refused", refused.returncode == 64 and "sample-and-source" in refused.stderr, refused.stderr)
    server = Server("shops.csv", "--watch")
    text = (folder / "shops.csv").read_text()
    wait = lambda condition, what: check(what, any(condition() or time.sleep(0.1) for _ in range(100)))
    (folder / "new.csv").write_text(text + "extra,Extra,mart,37.5,127,1\n")
    os.replace(folder / "new.csv", folder / "shops.csv")
    wait(lambda: server.ask("/collections/shops/items/extra")[0] == 200, "a source that is replaced is taken in")
    (folder / "shops.csv").write_text(text[:len(text) // 2].rsplit("\n", 1)[0] + "\nhalf,H")
    wait(lambda: "within a line" in json.dumps(server.json("/healthz")), "half of one is told")
    check("and not served", server.json("/collections/shops/items?limit=1")["numberMatched"] == 251)
    (folder / "shops.csv").write_text(text + "extra,Extra,mart,37.5,127,1\n")
    wait(lambda: server.json("/healthz")["status"] == "ok", "until it is whole")
    (folder / "shops.csv").write_text("id,name\n1,\"never closed\n")
    wait(lambda: server.json("/healthz")["status"] == "stale", "one that breaks is told")
    check("and what was there is served on", server.json("/collections/shops/items?limit=1")["numberMatched"] == 251)
    os.remove(folder / "shops.csv")
    wait(lambda: "gone" in json.dumps(server.json("/healthz")), "one that vanishes is told")
    check("and served on", server.json("/collections/shops/items?limit=1")["numberMatched"] == 251)
    (folder / "shops.csv").write_text(text)
    wait(lambda: server.json("/healthz")["status"] == "ok" and server.ask("/collections/shops/items/extra")[0] == 404, "one that comes back is taken in")
    stream = subprocess.Popen(["curl", "-sN", f"{server.address}/collections/shops/live?snapshot=false"], stdout=subprocess.PIPE, text=True)
    stream.stdout.readline()
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.connect(("127.0.0.1", server.port))
    lazy.setblocking(False)
    try:
        # In blocks, so that the buffers are full long before the 30 s after which the server leaves such a client.
        while lazy.send(b"GET /collections/shops/items?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n" * 500):
            time.sleep(0.002)
    except BlockingIOError:
        pass
    check("SIGTERM ends it in order, though a client reads nothing", server.stop() == 0)
    lazy.close()
    check("and tells streams", "event: bye" in stream.communicate(timeout=10)[0])
    run(program, "import", "round.geojson", "--layer", "round", "--store", "lost.gpkg")
    run(program, "import", "shops.csv", "--layer", "round", "--store", "other.gpkg")
    server = Server("lost.gpkg", "--token-file", "token", "--watch")
    item = "/collections/round/items/f9"
    check("a store is written to", server.write(item, "PUT", feature(9, 1, 2))[0] == 201)
    os.replace(folder / "other.gpkg", folder / "lost.gpkg")
    wait(lambda: server.json("/collections/round/items?limit=1")["numberMatched"] == 250, "one that is put in its place is served, without the log of the old one")
    check("and written to", server.write(item, "PUT", feature(9, 1, 2))[0] == 201 and "f9" in run(program, "list", "lost.gpkg", "--format", "ids").split())
    os.remove(folder / "lost.gpkg")
    check("nothing is acknowledged that goes into one that is gone", server.write(item, "DELETE")[0] == 503)
    wait(lambda: "gone" in json.dumps(server.json("/healthz")), "which is told")
    server.stop()
    server = Server("shops.csv", "--rate", "5")
    statuses = [server.ask("/collections")[0] for _ in range(150)]
    check("who asks too often is told to wait", statuses.count(429) > 20 and server.ask("/healthz")[0] == 200)
    server.stop()


def browsers(server):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    for option in ["--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader", "--window-size=1000,800"]:
        options.add_argument(option)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def wait(script, claim, seconds=30):
        end = time.time() + seconds
        while time.time() < end:
            found = browser.execute_script(script)
            if found:
                print(f"serve: {claim}", flush=True)
                return found
            time.sleep(0.05)
        sys.exit(f"serve: {claim}: not after {seconds} s")

    try:
        browser.get(f"{server.address}/collections/round?f=html")
        wait("return document.querySelector('.mark.pin[data-id=\"f3\"]')", "the page of a collection shows its map in a browser")
        browser.execute_script("window.kept = document.querySelector('.mark.pin[data-id=\"f3\"]'); kept.dataset.same = 'yes'")
        server.write("/collections/round/items/f9", "PUT", feature(9, 50, 80, name="arrived", kind="mart"))
        wait("return document.querySelector('.mark.pin[data-id=\"f9\"]')", "a feature that is put appears in it")
        server.write("/collections/round/items/f3", "PUT", feature(3, 2, 12, name="moved", kind="mart"))
        wait("return document.querySelector('.mark.pin[data-id=\"f3\"]')?.getAttribute('aria-label').startsWith('moved')", "one that changes changes there")
        check("and stays the same node", browser.execute_script("return document.querySelector('.mark.pin[data-id=\"f3\"]') === window.kept && window.kept.dataset.same === 'yes'"))
        first = browser.current_window_handle
        for _ in range(7):
            browser.switch_to.new_window("tab")
            browser.get(f"{server.address}/collections/round?f=html")
        wait("return document.querySelector('.mark.pin[data-id=\"f3\"]')", "an eighth tab is served, for those that are hidden do not keep their connection")
        server.write("/collections/round/items/f3", "PUT", feature(3, 2, 12, name="later", kind="mart"))
        browser.switch_to.window(first)
        wait("return document.querySelector('.mark.pin[data-id=\"f3\"]')?.getAttribute('aria-label').startsWith('later')", "the first learns what it missed")
        server.write("/collections/round/items/f9", "DELETE")
        wait("return !document.querySelector('.mark.pin[data-id=\"f9\"]')", "one that is deleted goes")
        if not maplibre:
            return print("skipped: MapLibre is not here")
        page = f"""<!doctype html><link rel=stylesheet href=maplibre-gl.css><div id=map style="width:900px;height:700px"></div>
<script src=maplibre-gl.js></script><script>window.errors = [];
const map = new maplibregl.Map({{container: 'map', style: '{server.address}/tiles/shops/style.json', fadeDuration: 0}});
map.on('error', event => errors.push(String(event.error)));
map.on('idle', () => window.drawn = map.queryRenderedFeatures().length);</script>"""
        (folder / "map.html").write_text(page)
        for name in ("maplibre-gl.js", "maplibre-gl.css"):
            (folder / name).write_bytes((maplibre / name).read_bytes())
        import functools
        import http.server

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments):
                pass
        files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=files.serve_forever, daemon=True).start()
        browser.get(f"http://127.0.0.1:{files.server_port}/map.html")
        wait("return window.drawn > 100", "MapLibre draws the tiles by the server's style, from another origin")
        check("without an error", browser.execute_script("return errors.length") == 0)
    finally:
        browser.quit()


def contract(server):
    """schemathesis, where PyPI gave it."""
    command = pathlib.Path(__file__).resolve().parent.parent / ".build-schemathesis/bin/schemathesis"
    if not command.exists():
        return print("skipped: schemathesis is not here")
    done = subprocess.run(
        [command, "run", f"{server.address}/api", "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
         "--max-examples", os.environ.get("NEARBY_EXAMPLES", "10"), "--phases", "examples,coverage,fuzzing",
         # Streams do not end.
         "--exclude-path-regex", "/(live|events)$"],
        capture_output=True, text=True, cwd=folder)
    check("schemathesis finds no error of the server and no breach of /api", done.returncode == 0, done.stdout[-9000:])


rows = make_sources()
fence = {"type": "Feature", "id": "park", "properties": {"name": "park"}, "geometry": {"type": "Polygon", "coordinates": [[[127.2, 37.5], [127.4, 37.5], [127.4, 37.6], [127.2, 37.6], [127.2, 37.5]]]}}
(folder / "fences.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [fence]}))
server = Server("shops.csv", "round.geojson", "late.geojson")
desktop(server, rows)
answers(server, rows)
contract(server)
server.stop()
run(program, "import", "round.geojson", "--layer", "round", "--store", "store.gpkg")
server = Server("store.gpkg", "--token-file", "token", "--fences", "fences.geojson")
writing(server)
browsers(server)
faults(server)
server.stop()
killed()
sources()
