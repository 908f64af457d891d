#!/usr/bin/env python3
"""Gives every option of every command of nearby numbers, lengths, times and texts that nobody means, and
makes sure that it answers or says what is wrong: no trap, no other signal, no endless run, and no exit
status that the contract does not have.

The options are those that the program says it has. Each run gives one of them one value, beside what it
needs to be looked at.

usage: .ci/absurd.py NEARBY COUNT [SEED]
"""
import collections
import concurrent.futures
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

STATUSES = {0, 1, 64, 65, 66, 69, 73, 74}
# Whoever waits longer waits for ever; and no answer to these few rows takes so much memory.
PATIENCE, MEMORY = 30, 6 << 30

NUMBERS = [
    "0", "-0", "-1", "1", "0.5", "1e-300", "1e300", "1e308", "5e-324", "1.7976931348623157e308", "1e18",
    "1e19", "1e-9", "1e15", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551616", "65", "90", "180", "360", "99999999999999999999",
]
UNITS = ["m", "km", "mi", "deg", "s", "m/s", "km/h", "min", "h", "d", "%", "k", "M", "G"]
TEXTS = [
    "", " ", "nan", "inf", "-inf", "x" * 100_000, "0x10", "1e", "1e999", "-", "--", "1,2", "0,0,0,0",
    "-180,-90,180,90", "180,90,-180,-90", "1e300,1e300,1e301,1e301", "nan,nan,nan,nan", "0-30", "30-0",
    "1-", "-1-30", "0-9223372036854775807", "1x1", "0x0", "1e9x1e9", "9223372036854775807x1",
    "100000x100000", "-1x5", "126,36,129,39,9223372036854775807", "126,36,129,39,1e300", "1..2", "2026-11-22",
    "2026-11-22T00:00", "9999-12-31", "0000-01-01", "-9999-01-01", "99999999999-01-01", "2026-13-45",
    "9223372036854775807-01-01", "+9223372036854775807s", "+9223372036854775807d", "1970-01-01T00:00:00Z",
    "PT1H", "EPSG:0", "EPSG:9223372036854775808", "EPSG:4326", "KR", "1=1", "a = 1e999", "price > 1e308",
    "price", "price:desc", "a:b", "%", "%s%n", "\\", "\"", ";", "\n", "é", "한국", "\ufffd", "@", "..", "/",
    "127.0.0.1:1", "http://127.0.0.1:1/", "24/7", "Mo-Su 00:00-24:00", "52.5m", "1h1h", "100000d",
]
VALUES = NUMBERS + [number + unit for number in NUMBERS for unit in UNITS] + TEXTS

PLACE = ["--lat", "37.5", "--lon", "127"]
BOX = "126,36,129,39"
STORE = ["--store", "s.gpkg"]
# What each command is given, besides.
COMMANDS = {
    "find": [PLACE + ["places.csv"], PLACE + ["shapes.geojson"], ["places.csv"]],
    "bbox": [[BOX, "places.csv"], [BOX, "shapes.geojson"]], "within": [["area.geojson", "places.csv"]],
    "join": [["places.csv", "places.csv", "-k", "2"], ["places.csv", "shapes.geojson", "--inside"]],
    "map": [PLACE + ["--within", "10km", "places.csv"], ["shapes.geojson"]],
    "cluster view": [["--bbox", BOX, "--zoom", "10", "places.csv"]],
    "cluster diff": [["--from-view", BOX + ",10", "--to-view", BOX + ",11", "places.csv"]],
    "info": [["places.csv"]], "check": [["places.csv"]],
    "convert": [["places.csv", "--format", "csv"], ["places.csv", "--format", "geojson"]],
    "export": [["--html", "-o", "OUT.html", "places.csv"]],
    "tiles": [["places.csv", "-o", "OUT.pmtiles"], ["shapes.geojson", "-o", "OUT.pmtiles"]],
    "geohash cover": [["--bbox", "126,37,127,38", "--precision", "3"]],
    "geohash count": [["--bbox", BOX, "--precision", "4", "places.csv"]],
    "distance": [["1,2,3,4"]], "transform": [["--from", "EPSG:4326", "--to", "EPSG:5179", "127,37"]],
    "track": [["walk.csv"], ["walk.csv", "--gate", "careful", "--explain", "--hindsight", "--format", "json"],
              ["walk.gpx", "--format", "gpx"], ["walk.csv", "--format", "geojson"]],
    "fence": [["walk.csv", "area.geojson"],
              ["walk.csv", "places.csv", "--radius", "100m", "--plan", "--format", "json"]],
    "hours show": [["Mo-Su 09:00-18:00"], ["--id", "3", "places.csv"], ["Mo-Su 09:00-18:00", "--next"],
                   ["places.csv", "--closed", "2026-11-22"], ["--id", "3", "places.csv", "--format", "ics"]],
    "index build": [["places.csv", "-o", "OUT.nbx"]], "index info": [["p.nbx"]], "index verify": [["p.nbx"]],
    "import": [["places.csv", "--store", "OUT.gpkg", "--layer", "l"]],
    "sync": [["places.csv", "--store", "OUT.gpkg", "--layer", "l"],
             ["http://127.0.0.1:1/a.csv", "--store", "OUT.gpkg", "--layer", "l", "--attempts", "1"]],
    "geocode": [["--attempts", "1"]], "favorite add": [["3", *STORE]], "favorite list": [STORE],
    "favorite remove": [["3", *STORE]], "favorite undo": [STORE], "favorite purge": [STORE],
    "store info": [STORE], "store unplaced": [STORE], "store drop": [["none", *STORE]],
    "store compact": [STORE],
}
# Without these an option is not looked at.
COMPANIONS = {
    "bucket": ["--sort", "price"], "after": ["--sort", "price"],
    "travel": ["--open=arrival"], "detour": ["--open=arrival", "--travel", "walk"],
    "depart": ["--open=arrival", "--travel", "walk"], "stay": ["--open=now", "--tz", "Asia/Seoul"],
    "hours-unknown": ["--open=now"], "open": ["--tz", "Asia/Seoul"], "min-count": ["--cluster"],
    "max-zoom": ["--cluster"], "cell-size": ["--cluster"], "aggregate": ["--cluster"],
    "axes": ["--gate", "0.0005deg"], "max-age": ["--now", "2026-11-22T00:00:00Z"],
    "max-lead": ["--now", "2026-11-22T00:00:00Z"], "tz": ["--open=now"], "days": ["--tz", "Asia/Seoul"],
    "at": ["--tz", "Asia/Seoul"], "on": ["--tz", "Asia/Seoul"], "regions": ["--plan"],
    "smooth": ["--format", "gpx"], "x": ["--crs", "EPSG:5179"],
}
# What writes where it is told, and what waits for as long as it is told.
LEFT_OUT = {"output", "rejects", "left-rejects", "fences-rejects", "store", "basemap", "attempts"}


def main():
    nearby, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory(prefix="nearby-absurd-") as folder:
        os.chdir(folder)
        write_files()
        run(nearby, ["index", "build", "places.csv", "-o", "p.nbx"], check=True)
        run(nearby, ["import", "places.csv", "--store", "s.gpkg", "--layer", "shops"], check=True)
        jobs = all_jobs(json.loads(run(nearby, ["--experimental-dump-help"], check=True).stdout))
        options = {job[0] for job in jobs}
        random.Random(seed).shuffle(jobs)
        problems, statuses = [], collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            work = [pool.submit(judged, nearby, number, *job) for number, job in enumerate(jobs[:count])]
            for result in concurrent.futures.as_completed(work):
                status, problem = result.result()
                statuses[status] += 1
                if problem:
                    problems.append(problem)
                    print(problem, flush=True)
    assert statuses[0] and statuses[64] and statuses[65], statuses
    print(f"{sum(statuses.values())} of {len(jobs)} runs with absurd values of {len(options)} options "
          f"(seed {seed}): {len(problems)} badly answered; statuses "
          + ", ".join(f"{status}: {times}" for status, times in sorted(statuses.items(), key=str)))
    sys.exit(1 if problems else 0)


def write_files():
    with open("places.csv", "w") as file:
        file.write("id,name,kind,lat,lon,opening_hours,price\n")
        for row in range(12):
            file.write(f"{row},p{row},mart,{37.5 + row / 1000},{127 + row / 1000},Mo-Su 09:00-18:00,{row * 1.5}\n")
    points = [(37.5 + row / 10000, 127 + row / 10000, 1763800000 + 10 * row) for row in range(20)]
    with open("walk.csv", "w") as file:
        file.write("lat,lon,time,accuracy\n" + "".join(f"{lat},{lon},{time},5\n" for lat, lon, time in points))
    with open("walk.gpx", "w") as file:
        file.write("<gpx><trk><trkseg>" + "".join(
            f'<trkpt lat="{lat}" lon="{lon}"/>\n' for lat, lon, _ in points) + "</trkseg></trk></gpx>")
    area = {"type": "Polygon", "coordinates": [[[126, 37], [128, 37], [128, 38], [126, 38], [126, 37]]]}
    line = {"type": "LineString", "coordinates": [[126, 37], [128, 37.5], [127, 38]]}
    features = [
        {"type": "Feature", "id": number, "properties": {"name": "a", "price": number}, "geometry": geometry}
        for number, geometry in enumerate([area, line])]
    with open("area.geojson", "w") as file:
        json.dump(features[0], file)
    with open("shapes.geojson", "w") as file:
        json.dump({"type": "FeatureCollection", "features": features}, file)


def all_jobs(help):
    """Every option with every value: its name, the value and the arguments."""
    jobs = []
    for path, command in commands(help["command"]):
        for given in COMMANDS.get(" ".join(path), [[]]):
            for argument in command.get("arguments", []):
                if argument["kind"] == "positional":
                    for value in VALUES:
                        jobs.append((f"{' '.join(path)} <{argument['valueName']}>", value, path + given[1:] + [value]))
                if argument["kind"] != "option" or argument["preferredName"]["name"] in LEFT_OUT:
                    continue
                name = argument["preferredName"]["name"]
                option = ("-" if argument["preferredName"]["kind"] == "short" else "--") + name
                companions = [word for word in COMPANIONS.get(name, [])]
                if path[0] == "cluster":
                    companions = [word for word in companions if word != "--cluster"]
                words = list(given)
                for known in (option, *(word for word in companions if word.startswith("--"))):
                    if known in words:
                        place = words.index(known)
                        del words[place:place + 2]
                for value in VALUES:
                    pair = [f"{option}={value}"] if option.startswith("--") else [option, value]
                    jobs.append((f"{' '.join(path)} {option}", value, path + words + companions + pair))
    return jobs


def commands(command, path=()):
    if command["commandName"] in ("help", "completions"):
        return
    subcommands = command.get("subcommands", [])
    for one in subcommands:
        yield from commands(one, [*path, one["commandName"]])
    if not subcommands:
        yield list(path), command


def judged(nearby, number, name, value, words):
    """The exit status, and what is wrong with it."""
    words = [word.replace("OUT.", f"out{number}.") for word in words]
    shown = f"{name}={value[:60]!r}: nearby {' '.join(word[:60] for word in words)}"
    try:
        answer = run(nearby, words)
    except subprocess.TimeoutExpired:
        return "endless", f"{shown}: is not done after {PATIENCE} s"
    except ValueError:
        return "no argument", None
    finally:
        for ending in ("html", "pmtiles", "nbx", "gpkg", "gpkg.nbx"):
            if os.path.exists(f"out{number}.{ending}"):
                os.remove(f"out{number}.{ending}")
    if answer.returncode not in STATUSES:
        return answer.returncode, f"{shown}: status {answer.returncode}: {answer.stderr[-200:]!r}"
    if answer.returncode > 1 and b"error: " not in answer.stderr and b"error: " not in answer.stdout:
        return answer.returncode, f"{shown}: status {answer.returncode} without an error: {answer.stderr[-200:]!r}"
    return answer.returncode, None


def run(nearby, words, check=False):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return subprocess.run(
        [nearby, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=check,
        preexec_fn=limit,
        env={"PATH": "/usr/bin:/bin", "HOME": os.getcwd(), "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no"})


if __name__ == "__main__":
    main()
