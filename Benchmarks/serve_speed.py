#!/usr/bin/python3
"""How fast `nearby serve` answers, beside Hummingbird alone, and what many listeners cost it.

    Benchmarks/serve_speed.py PROGRAM BARE_SERVER [--rounds 5] [--seconds 60] [--postgis FOLDER]

PROGRAM is `nearby` built with the trait Server, BARE_SERVER the program of Benchmarks/BareServer: a route that
returns a constant of the same size. Both are asked the same requests by turns by wrk (Debian's), on the loopback. A
million annotations are made by this script. Prints the medians.

FOLDER is where `.ci/postgres start FOLDER` has started PostgreSQL. Then the server also takes turns with the SQL of
pg_featureserv, prepared, asked by pgbench over a socket, without HTTP and without the JSON around the features.
"""

import argparse
import json
import pathlib
import random
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

options = argparse.ArgumentParser()
options.add_argument("program", type=lambda name: pathlib.Path(name).resolve())
options.add_argument("bare", type=lambda name: pathlib.Path(name).resolve())
options.add_argument("--rounds", type=int, default=5)
options.add_argument("--seconds", type=int, default=60)
options.add_argument("--postgis")
options = options.parse_args()
program, rounds = options.program, options.rounds
folder = pathlib.Path(tempfile.mkdtemp(prefix="nearby-serve-speed-"))
processes = []


def start(*arguments):
    process = subprocess.Popen([program, "serve", *map(str, arguments), "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True)
    processes.append(process)
    for line in process.stderr:
        if line.startswith("serving "):
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, line.split()[1].rstrip("/")
    sys.exit("it does not start")


def wrk(address, script=None):
    command = ["wrk", "-t1", "-c16", "-d5", "--latency"] + (["-s", script] if script else []) + [address]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out:
        sys.exit(out)
    unit = {"us": 0.001, "ms": 1, "s": 1000}
    number, name = re.search(r"99%\s+([\d.]+)(\w+)", out).groups()
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), float(number) * unit[name]


def get(address):
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    began = time.perf_counter()
    with urllib.request.urlopen(request) as answer:
        size = len(answer.read())
    return time.perf_counter() - began, size


def memory(process):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text()).group(1)) / 1024


numbers = random.Random(3)
with open(folder / "million.csv", "w") as out:
    out.write("id,name,kind,latitude,longitude,rating\n")
    for number in range(1, 1_000_001):
        out.write(f"{number},place {number},{numbers.choice(['mart', 'deal', 'cinema', 'cafe'])},{numbers.uniform(33, 43):.6f},{numbers.uniform(124, 132):.6f},{numbers.randint(1, 50) / 10}\n")

process, address = start("million.csv")
collection = f"{address}/collections/million"
size = len(urllib.request.urlopen(f"{collection}/nearest?lat=37.57&lon=126.97&k=10").read())
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
processes.append(subprocess.Popen([options.bare, str(port), str(size)]))
time.sleep(1)
# Both are asked the same: the client spends as much on a request of either, and makes all of them before it begins.
def script(name, path):
    """Requests at random places; `path` formats a latitude and a longitude and what is 0.05° further."""
    (folder / name).write_text('''
math.randomseed(7)
local requests, number = {}, 0
init = function()
  for place = 1, 20000 do
    local lat, lon = 33.5 + 9 * math.random(), 124.5 + 7 * math.random()
    requests[place] = wrk.format("GET", "/collections/million/" .. string.format("PATH"))
  end
end
request = function()
  number = number % #requests + 1
  return requests[number]
end
'''.replace('"PATH"', path))
    return str(folder / name)


near = script("near.lua", '"nearest?lat=%.6f&lon=%.6f&k=10", lat, lon')
box = script("box.lua", '"items?bbox=%.6f,%.6f,%.6f,%.6f&limit=100", lon, lat, lon + 0.05, lat + 0.05')


def psql(text):
    command = ["psql", "-h", options.postgis, "-U", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1", "maps"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=folder).stdout


def pgbench(name):
    command = ["pgbench", "-h", options.postgis, "-U", "postgres", "-n", "-M", "prepared", "-c", "16", "-j", "1", "-T", "5", "-f", name, "maps"]
    return float(re.search(r"tps = ([\d.]+)", subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout).group(1))


def beside_postgis():
    psql("""
        create extension if not exists postgis;
        drop table if exists million;
        create table million (id text primary key, name text, kind text, lat float8, lon float8, rating float8);
        \\copy million from million.csv csv header
        alter table million add geom geometry(point, 4326);
        update million set geom = st_point(lon, lat, 4326);
        create index on million using gist (geom);
        create index on million using gist ((geom::geography));
        vacuum full analyze million;
    """)
    fields = "select st_asgeojson(geom, 9) as _geojson, id::text, name::text, kind::text, rating::text from million"
    queries = {
        "near": fields + " order by geom::geography <-> st_point(:lon, :lat, 4326)::geography limit 10;",
        "box": fields + " where st_intersects(geom, st_makeenvelope(:lon, :lat, :lon + 0.05, :lat + 0.05, 4326)) limit 100;",
    }
    draws = "\\set lat 33.5 + 9 * random(0, 1000000) / 1000000.0\n\\set lon 124.5 + 7 * random(0, 1000000) / 1000000.0\n"
    numbers = random.Random(5)
    for name, query in queries.items():
        (folder / f"{name}.sql").write_text(draws + query + "\n")
        others = 0
        for _ in range(200):
            lat, lon = numbers.uniform(33.5, 42.5), numbers.uniform(124.5, 131.5)
            path = f"nearest?lat={lat!r}&lon={lon!r}&k=10" if name == "near" else f"items?bbox={lon!r},{lat!r},{lon + 0.05!r},{lat + 0.05!r}&limit=100"
            features = json.load(urllib.request.urlopen(f"{collection}/{path}"))["features"]
            rows = psql(query.replace(":lat", repr(lat)).replace(":lon", repr(lon))).splitlines()
            here, there = {str(feature["id"]) for feature in features}, {row.split("|")[1] for row in rows}
            others += here != there
            # PostGIS orders by distances on a sphere, so one of ten may be another.
            if len(here) != len(there) or len(here - there) > (1 if name == "near" else 0):
                sys.exit(f"other answers: {path}")
        print(f"{name}: {200 - others} of 200 answers have the same ids in PostGIS")
    for name, lua in ("near", near), ("box", box):
        turns = [(pgbench(f"{name}.sql"), wrk(address, lua)[0]) for _ in range(rounds)]
        ratio = statistics.median(ours / theirs for theirs, ours in turns)
        print(f"{name}: {statistics.median(ours for _, ours in turns):,.0f} a second, PostGIS {statistics.median(theirs for theirs, _ in turns):,.0f} without HTTP: {ratio:.2f} times as many")


try:
    ours, theirs = [], []
    for _ in range(rounds):
        theirs.append(wrk(f"http://127.0.0.1:{port}", near))
        ours.append(wrk(address, near))
    middle = lambda runs, place: statistics.median(run[place] for run in runs)
    print(f"nearest, k = 10 of a million, {size} bytes: {middle(ours, 0):,.0f} a second, p99 {middle(ours, 1):.2f} ms")
    print(f"a constant of that size: {middle(theirs, 0):,.0f} a second, p99 {middle(theirs, 1):.2f} ms")
    print(f"share {statistics.median(a[0] / b[0] for a, b in zip(ours, theirs)):.2f}, p99 {statistics.median(a[1] / b[1] for a, b in zip(ours, theirs)):.2f} times")
    if options.postgis:
        beside_postgis()
    get(f"{address}/tiles/million/10/873/396.mvt")
    tiles = [get(f"{address}/tiles/million/10/{x}/{y}.mvt") for x in range(870, 880) for y in range(390, 400)]
    print(f"a tile at zoom 10: {statistics.median(tile[0] for tile in tiles) * 1000:.2f} ms, slowest {max(tile[0] for tile in tiles) * 1000:.2f} ms, {statistics.median(tile[1] for tile in tiles):,.0f} bytes")
    for path in ["items?limit=100", "items?bbox=126,37,128,38&limit=100", "items?kind=mart&limit=100", "items?filter=rating%3E4.5&limit=100", "facets"]:
        get(f"{collection}/{path}")
        print(f"{path}: {statistics.median(get(f'{collection}/{path}')[0] for _ in range(7)) * 1000:.1f} ms")
    before, seconds = memory(process), options.seconds
    end = time.time() + seconds
    while time.time() < end:
        wrk(address, near)
    print(f"memory: {before:.0f} MB, after {seconds} s of load {memory(process):.0f} MB")
    process.terminate()

    # 1,000 listeners, 100 changes a second.
    (folder / "few.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [127, 37]}, "properties": {}}]}))
    (folder / "token").write_text("0123456789abcdef0123456789abcdef\n")
    subprocess.run([program, "import", "few.geojson", "--layer", "few", "--store", "few.gpkg"], cwd=folder, check=True, capture_output=True)
    process, address = start("few.gpkg", "--token-file", "token")
    host, port = address.removeprefix("http://").split(":")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    listeners = []
    for _ in range(1_000):
        listener = socket.create_connection((host, int(port)))
        listener.sendall(b"GET /collections/few/live?snapshot=false HTTP/1.1\r\nHost: x\r\n\r\n")
        listeners.append(listener)
    time.sleep(2)
    counts = [0] * len(listeners)
    dropped = [0] * len(listeners)
    import selectors
    chosen = selectors.DefaultSelector()
    for number, listener in enumerate(listeners):
        listener.setblocking(False)
        chosen.register(listener, selectors.EVENT_READ, number)
    is_done = threading.Event()

    def listen():
        last = time.time()
        while not is_done.is_set() or time.time() - last < 1:
            for key, _ in chosen.select(timeout=0.2):
                try:
                    data = key.fileobj.recv(1 << 20)
                except BlockingIOError:
                    continue
                last = time.time()
                counts[key.data] += data.count(b"event: diff\n")
                for told in re.findall(rb'event: dropped\ndata: {"count":(\d+)}', data):
                    dropped[key.data] += int(told)

    thread = threading.Thread(target=listen)
    thread.start()
    # In a process of its own: reading a hundred thousand events a second takes all of this one.
    changes, peak = 1_000, 0
    writer = subprocess.Popen([sys.executable, "-c", f"""
import http.client, json, time
client = http.client.HTTPConnection("{host}", {port})
begun = time.time()
for number in range({changes}):
    body = json.dumps({{"type": "Feature", "id": f"m{{number % 50}}", "geometry": {{"type": "Point", "coordinates": [127, 37 + number / 1e4]}}, "properties": {{"n": number}}}})
    client.request("PUT", f"/collections/few/items/m{{number % 50}}", body, {{"Authorization": "Bearer 0123456789abcdef0123456789abcdef", "Content-Type": "application/geo+json"}})
    client.getresponse().read()
    time.sleep(max(0, begun + (number + 1) / 100 - time.time()))
print({changes} / (time.time() - begun))
"""], stdout=subprocess.PIPE, text=True)
    while writer.poll() is None:
        peak = max(peak, memory(process))
        time.sleep(0.1)
    rate = float(writer.stdout.read())
    is_done.set()
    thread.join()
    lost = [changes - count - drop for count, drop in zip(counts, dropped)]
    print(f"1,000 listeners, {rate:.0f} changes a second: {sum(counts):,} events heard, {sum(dropped):,} told as dropped, {sum(map(abs, lost)):,} unaccounted; {peak:.0f} MB at most")
finally:
    for process in processes:
        process.kill()
