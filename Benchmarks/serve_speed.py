#!/usr/bin/python3
"""How fast `nearby serve` answers, beside Hummingbird alone, and what many listeners cost it.

    Benchmarks/serve_speed.py PROGRAM BARE_SERVER [rounds]

PROGRAM is `nearby` built with the trait Server, BARE_SERVER the program of Benchmarks/BareServer: a route that
returns a constant of the same size. Both are asked the same requests by turns by wrk (Debian's), on the loopback. A
million annotations are made by this script. Prints the medians.
"""

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

program, bare = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
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
processes.append(subprocess.Popen([bare, str(port), str(size)]))
time.sleep(1)
# Both are asked the same: the client spends as much on a request of either, and makes all of them before it begins.
(folder / "near.lua").write_text('''
math.randomseed(7)
local requests, number = {}, 0
init = function()
  for place = 1, 20000 do
    requests[place] = wrk.format("GET", string.format("/collections/million/nearest?lat=%.6f&lon=%.6f&k=10", 33.5 + 9 * math.random(), 124.5 + 7 * math.random()))
  end
end
request = function()
  number = number % #requests + 1
  return requests[number]
end
''')
try:
    ours, theirs = [], []
    for _ in range(rounds):
        theirs.append(wrk(f"http://127.0.0.1:{port}", str(folder / "near.lua")))
        ours.append(wrk(address, str(folder / "near.lua")))
    middle = lambda runs, place: statistics.median(run[place] for run in runs)
    print(f"nearest, k = 10 of a million, {size} bytes: {middle(ours, 0):,.0f} a second, p99 {middle(ours, 1):.2f} ms")
    print(f"a constant of that size: {middle(theirs, 0):,.0f} a second, p99 {middle(theirs, 1):.2f} ms")
    print(f"share {statistics.median(a[0] / b[0] for a, b in zip(ours, theirs)):.2f}, p99 {statistics.median(a[1] / b[1] for a, b in zip(ours, theirs)):.2f} times")
    get(f"{address}/tiles/million/10/873/396.mvt")
    tiles = [get(f"{address}/tiles/million/10/{x}/{y}.mvt") for x in range(870, 880) for y in range(390, 400)]
    print(f"a tile at zoom 10: {statistics.median(tile[0] for tile in tiles) * 1000:.2f} ms, slowest {max(tile[0] for tile in tiles) * 1000:.2f} ms, {statistics.median(tile[1] for tile in tiles):,.0f} bytes")
    for path in ["items?limit=100", "items?bbox=126,37,128,38&limit=100", "items?kind=mart&limit=100", "items?filter=rating%3E4.5&limit=100", "facets"]:
        get(f"{collection}/{path}")
        print(f"{path}: {statistics.median(get(f'{collection}/{path}')[0] for _ in range(7)) * 1000:.1f} ms")
    before, seconds = memory(process), int(sys.argv[4]) if len(sys.argv) > 4 else 60
    end = time.time() + seconds
    while time.time() < end:
        wrk(address, str(folder / "near.lua"))
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
