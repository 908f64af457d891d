#!/usr/bin/python3
"""Shows what `nearby` writes for the web in the libraries that draw it, in headless Chromium.

    /usr/bin/python3 .ci/web_maps.py .build/release/nearby [folder of maplibre-gl.js]

MapLibre GL JS comes from PyPI's wheel `maplibre`, which ships it, and draws with software WebGL; Leaflet and OpenLayers
are Debian's. All they load comes from the loopback.
"""

import csv
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

nearby = pathlib.Path(sys.argv[1]).resolve()
maplibre = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
archive = None
# .ci/run installs it there.
sys.path += map(str, pathlib.Path(".build-pmtiles").glob("lib/python3*/site-packages"))
folder = pathlib.Path(tempfile.mkdtemp(prefix="nearby-web-maps-"))


def run(*arguments):
    return subprocess.run([nearby, *arguments], check=True, cwd=folder, capture_output=True, text=True).stdout


def check(claim, holds):
    if not holds:
        sys.exit(f"web maps: {claim}: no")
    print(f"web maps: {claim}")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files; and under /archive/z/x/y.mvt the tiles of shops.pmtiles, as another program reads them out of it."""

    def do_GET(self):
        if not self.path.startswith("/archive/"):
            return super().do_GET()
        z, x, y = (int(part) for part in self.path.removesuffix(".mvt").split("/")[2:])
        tile = archive.get(z, x, y)
        self.send_response(200 if tile else 204)
        if tile:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(tile or b"")

    def log_message(self, *arguments):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def start():
    options = webdriver.ChromeOptions()
    for option in ["--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader", "--window-size=900,700"]:
        options.add_argument(option)
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def wait(browser, script, seconds=30):
    end = time.time() + seconds
    while time.time() < end:
        found = browser.execute_script(script)
        if found:
            return found
        time.sleep(0.05)
    sys.exit(f"web maps: waited {seconds} s for {script}; errors: {browser.execute_script('return window.errors')}")


def page(name, head, body):
    (folder / name).write_text(f"<!DOCTYPE html><meta charset=utf-8><link rel=icon href=data:,>{head}<body style='margin:0'>"
                               f"<div id=map style='width:800px;height:600px'></div><script>window.errors = [];{body}</script>")
    return f"{address}/{name}"


rows = [(number, f"shop {number}", ["cafe", "mart", "book"][number % 3], 37.5 + number // 20 * 0.01, 126.9 + number % 20 * 0.01) for number in range(400)]
with open(folder / "shops.csv", "w", newline="") as file:
    csv.writer(file).writerows([("id", "name", "kind", "lat", "lon"), *rows])
shapes = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "id": "park", "properties": {"name": "park", "kind": "park"}, "geometry": {"type": "Polygon", "coordinates": [
        [[126.95, 37.55], [127.0, 37.55], [127.0, 37.6], [126.95, 37.6], [126.95, 37.55]]]}},
    {"type": "Feature", "id": "walk", "properties": {"name": "walk", "kind": "walk"}, "geometry": {"type": "LineString", "coordinates": [[126.9, 37.5], [127.1, 37.7]]}}]}
(folder / "shapes.geojson").write_text(json.dumps(shapes))
address = serve()
browser = start()


def maplibre_draws():
    for name in ("maplibre-gl.js", "maplibre-gl.css"):
        (folder / name).write_bytes((maplibre / name).read_bytes())
    run("tiles", "shops.csv", "-z", "0-12", "-o", "shops/", "--style", "style.json", "--served-at", f"{address}/shops/")
    run("tiles", "shapes.geojson", "-z", "0-12", "-o", "shapes/", "--style", "shapes.json", "--served-at", f"{address}/shapes/")
    run("tiles", "shops.csv", "-z", "0-12", "--cluster", "-o", "clusters/", "--style", "clusters.json", "--served-at", f"{address}/clusters")
    head = "<link rel=stylesheet href=maplibre-gl.css><script src=maplibre-gl.js></script>"
    body = """const map = new maplibregl.Map({ container: 'map', style: NAME, fadeDuration: 0 });
        map.on('error', event => errors.push(String(event.error)));
        map.on('idle', () => { window.isIdle = true; });"""
    seen = "const found = map.queryRenderedFeatures({ layers: [arguments[0]] }); return [...new Set(found.map(one => one.properties.name ?? one.properties.point_count))]"

    browser.get(page("shops.html", head, body.replace("NAME", "'style.json'")))
    wait(browser, "return window.isIdle")
    names = browser.execute_script(seen, "points")
    check(f"a style alone shows every point where it begins ({len(names)})", sorted(names) == sorted(row[1] for row in rows))
    colors = browser.execute_script("return ['cafe', 'mart', 'book'].map(kind => JSON.stringify(map.getStyle().layers.find(one => one.id === 'points').paint['circle-color']).includes(kind))")
    check("kinds have colors", colors == [True, True, True])
    check(f"the style is valid {browser.execute_script('return errors')}", not browser.execute_script("return errors"))

    browser.get(page("shapes.html", head, body.replace("NAME", "'shapes.json'")))
    wait(browser, "return window.isIdle")
    check("areas and lines are drawn", browser.execute_script(seen, "areas") == ["park"] and "walk" in browser.execute_script(seen, "lines")
          and not browser.execute_script("return errors"))

    browser.get(page("clusters.html", head, body.replace("NAME", "'clusters.json'")))
    wait(browser, "return window.isIdle")
    total = browser.execute_script("""const found = new Map(map.queryRenderedFeatures({ layers: ['clusters', 'points'] }).map(one => [one.properties.cluster_id ?? one.properties.name, one.properties.point_count ?? 1]));
        return [...found.values()].reduce((sum, count) => sum + count, 0)""")
    check(f"clusters add up to what there is ({total})", total == 400 and not browser.execute_script("return errors"))

    # TileJSON, as maps take it: its addresses are whole, because the folder's address is said.
    description = json.loads((folder / "shops" / "metadata.json").read_text())
    check(f"TileJSON begins where the data is {description['center']}", abs(description["center"][0] - 126.995) < 0.01
          and 8 <= description["center"][2] <= 12)
    style = {"version": 8, "sources": {"shops": {"type": "vector", "url": f"{address}/shops/metadata.json"}}, "layers": [
        {"id": "points", "type": "circle", "source": "shops", "source-layer": "shops"}], "center": description["center"][:2], "zoom": description["center"][2]}
    browser.get(page("tilejson.html", head, body.replace("NAME", json.dumps(style))))
    wait(browser, "return window.isIdle")
    check("and its tiles are drawn", len(browser.execute_script(seen, "points")) == 400 and not browser.execute_script("return errors"))

    # Tiles out of an archive, packed as they are in it.
    global archive
    try:
        from pmtiles.reader import MmapSource, Reader
    except ImportError:
        print("web maps: skipped: PyPI's pmtiles is not installed, so nothing else reads our archive here")
    else:
        run("tiles", "shops.csv", "-z", "0-12", "-o", "shops.pmtiles")
        archive = Reader(MmapSource(open(folder / "shops.pmtiles", "rb")))
        style["sources"]["shops"] = {"type": "vector", "tiles": [f"{address}/archive/{{z}}/{{x}}/{{y}}.mvt"], "minzoom": 0, "maxzoom": 12}
        header = archive.header()
        style["center"], style["zoom"] = [header["center_lon_e7"] / 1e7, header["center_lat_e7"] / 1e7], header["center_zoom"]
        browser.get(page("archive.html", head, body.replace("NAME", json.dumps(style))))
        wait(browser, "return window.isIdle")
        check(f"an archive begins where its tiles show every point (zoom {header['center_zoom']})",
              len(browser.execute_script(seen, "points")) == 400 and not browser.execute_script("return errors"))

    # GeoJSON, and the difference of two views as it takes it.
    views = ["--from-view", "126.9,37.5,127.1,37.7,10", "--to-view", "126.9,37.5,127.1,37.7,12"]
    difference = json.loads(run("cluster", "diff", *views, "shops.csv", "--format", "geojson"))
    start = run("cluster", "shops.csv", "--zoom", "10", "--bbox", "126.9,37.5,127.1,37.7")
    (folder / "start.geojson").write_text(start)
    (folder / "difference.json").write_text(json.dumps(difference))
    style = {"version": 8, "center": [127, 37.6], "zoom": 9.5, "sources": {"pins": {"type": "geojson", "data": f"{address}/start.geojson"}},
             "layers": [{"id": "points", "type": "circle", "source": "pins"}]}
    browser.get(page("difference.html", head, body.replace("NAME", json.dumps(style))))
    wait(browser, "return window.isIdle")
    count = "const done = arguments[0]; map.getSource('pins').getData().then(data => done(data.features.length))"
    before = browser.execute_async_script(count)
    browser.execute_script("isIdle = false; fetch('difference.json').then(answer => answer.json()).then(change => map.getSource('pins').updateData(change))")
    wait(browser, "return window.isIdle")
    after = browser.execute_async_script(count)
    wanted = len(json.loads(run("cluster", "shops.csv", "--zoom", "12", "--bbox", "126.9,37.5,127.1,37.7"))["features"])
    check(f"updateData turns {before} pins of one view into the {after} of the next {browser.execute_script('return errors')}",
          after == wanted and before != after and not browser.execute_script("return errors"))


def others_draw():
    run("convert", "shops.csv", "-o", "shops.geojson")
    for name, files in [("leaflet", ["leaflet.js", "leaflet.css"]), ("openlayers", ["OpenLayers.js"])]:
        for file in files:
            source = pathlib.Path("/usr/share/javascript") / name / file
            (folder / file).write_bytes(source.read_bytes())
    browser.get(page("leaflet.html", "<link rel=stylesheet href=leaflet.css><script src=leaflet.js></script>", """
        const map = L.map('map', { preferCanvas: true });
        Promise.all(['shops.geojson', 'shapes.geojson'].map(name => fetch(name).then(answer => answer.json()))).then(all => {
          const layers = all.map(one => L.geoJSON(one, { pointToLayer: (_, at) => L.circleMarker(at) }).addTo(map));
          map.fitBounds(layers[0].getBounds());
          window.drawn = layers.map(layer => layer.getLayers().length);
        }).catch(error => errors.push(String(error)));"""))
    check("Leaflet draws the GeoJSON", wait(browser, "return window.drawn") == [400, 2])
    browser.get(page("openlayers.html", "<script src=OpenLayers.js></script>", """
        fetch('shops.geojson').then(answer => answer.text()).then(text => {
          const map = new OpenLayers.Map('map'), layer = new OpenLayers.Layer.Vector('shops', { isBaseLayer: true });
          map.addLayer(layer);
          layer.addFeatures(new OpenLayers.Format.GeoJSON().read(text));
          map.zoomToExtent(layer.getDataExtent());
          window.drawn = layer.features.filter(one => one.getVisibility()).length;
        }).catch(error => errors.push(String(error)));"""))
    check("OpenLayers draws it, too", wait(browser, "return window.drawn") == 400)


try:
    others_draw()
    if maplibre:
        maplibre_draws()
    else:
        print("web maps: skipped: MapLibre GL JS is not here; .ci/run takes it from PyPI's maplibre where it can")
finally:
    browser.quit()
