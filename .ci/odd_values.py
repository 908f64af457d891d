#!/usr/bin/env python3
"""Runs nearby with odd values of its options and operands, and looks how it ends.

Usage: odd_values.py NEARBY [MINUTES] [SEED]

Whatever it is given, it ends by itself within ten seconds, with a status of its table, and says what is
wrong in a line of its own: no signal, no trap, no silence. The commands and options are those that the
program itself lists, so that a new one is tried without a change here. Prints what ended otherwise, and
exits with 1.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

NEARBY = os.path.abspath(sys.argv[1])
MINUTES = float(sys.argv[2]) if len(sys.argv) > 2 else 10
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PATIENCE = 10
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Data")
# Neither asks a network nor waits for somebody.
LEFT_OUT = {"help", "geocode", "completions"}
LEFT_OUT_OPTIONS = {"interactive", "help", "version", "service"}

# What an option is given when another one is the odd one.
GOOD = {
    "at": "2026-11-23T14:00", "bbox": "126,37,128,38", "bucket": "500m", "cell-size": "64", "days": "3", "fields": "name", "format": "json",
    "from": "EPSG:4326", "to": "EPSG:5186", "gate": "300m", "k": "3", "kind": "mart", "lat": "37.57", "lon": "126.97", "on": "today",
    "open": "arrival", "precision": "5", "size": "60x20", "sort": "name", "travel": "walk", "tz": "Asia/Seoul", "where": "name is not null",
    "within": "5km", "z": "0-3", "zoom": "5", "layer": "marts", "radius": "300m",
}
# Without these a command does not begin; another value of them is tried, too.
REQUIRED = {
    "index build": ["output=out.nbx"], "tiles": ["output=out.pmtiles", "zoom=0-3"], "sync": ["layer=marts"], "export": ["output=out.html"],
    "convert": ["output=out.csv"], "cluster diff": ["from-view=126,37,128,38,5", "to-view=126,37,128,38,6"],
    "cluster view": ["bbox=126,37,128,38", "zoom=5"], "geohash count": ["bbox=126,37,128,38", "precision=4"],
    "geohash cover": ["bbox=126,37,128,38", "precision=4"], "transform": ["from=EPSG:4326", "to=EPSG:5186"], "fence": ["radius=300m"],
}
# Operands by their names in the help.
FIT = {
    "w,s,e,n": ["126,37,128,38"], "area.geojson": ["area.geojson"], "fences": ["area.geojson"], "track": ["walk.gpx"], "file": ["walk.gpx", "made.nbx"],
    "lat,lon,precision": ["37.5,127,8"], "lat1,lon1,lat2,lon2": ["37.5,127,35.6,139.7"], "x,y": ["127,37.5"], "geohashes": ["wydm9"], "hours": ["24/7"],
}
NEEDED = re.compile(r"[Ww]ith --([a-z-]+)")

NUMBERS = [
    "0", "-0", "1", "-1", "0.5", "1e-300", "1e300", "-1e308", "1e999", "nan", "inf", "-inf", "NaN", "5e-324",
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1e18",
    "00", "1_000", "１２", "0x10", "1,5", "37.57", "126.97", "180", "-180", "90", "90.0000001", "4294967296", "2147483648",
]
UNITS = ["", "m", "km", "mi", "ft", "s", "m/s", "km/h", "min", "h", "d", "%", "MB", "kB", "px", ":desc"]
WORDS = [
    "", " ", "-", "--", "a", "name", "id", "kind", "distance", "all", "auto", "none", "now", "today", "arrival", "가게", "\u202e",
    "\x1b[2J", "\n", "a\nb", "'", "\"", "\\", "%", "%s%n", "../x", "/dev/null", "/dev/stdout", ".", "/", "x" * 5000,
    "marts.csv", "walk.gpx", "made.gpkg", "made.nbx", "area.geojson", "missing.csv", "x.csv.gz", "out.csv", "out.gpx", "out.shp",
    "out.pmtiles", "tiles/", "out.html", "EPSG:5174", "EPSG:0", "KR", "JP", "ko", "Asia/Seoul", "UTC", "+09:00", "+99:99",
    "2026-11-23", "2026-13-45", "2026-11-23T14:00", "9999-12-31", "-0001-01-01", "24:00", "14:00", "99:99", "1795309800",
    "kind = 'mart'", "not", "(((((", "a in (1,2", "name contains ''", "Mo-Fr 09:00-18:00", "24/7", "Mo[9]", "easter", "22:00-26:00+",
    "126,37,127,38", "170,-10,-170,10", "0,0,0,0", "1,2,3", "nan,nan,nan,nan", "-180,-90,180,90", "37.5,127", "37.5,127,8", "wydm9",
    "0-14", "14-0", "0-99", "-1-3", "80x24", "0x0", "99999x99999", "csv", "json", "geojson", "table", "braille", "careful", "300m",
]


def value(numbers):
    kind = numbers.random()
    if kind < 0.4:
        return numbers.choice(NUMBERS) + numbers.choice(UNITS if numbers.random() < 0.5 else [""])
    if kind < 0.8:
        return numbers.choice(WORDS)
    if kind < 0.9:
        return ",".join(numbers.choice(NUMBERS) for _ in range(numbers.randint(2, 5)))
    text = list(numbers.choice(WORDS + NUMBERS) or "x")[:200]
    for _ in range(numbers.randint(1, 3)):
        text.insert(numbers.randrange(len(text) + 1), numbers.choice("0-9,.:;=%'\"()[]+é가😀\t"))
    return "".join(text)


def commands(folder):
    """Every command with its operands and options, as the program dumps them."""
    run = subprocess.run(
        [NEARBY, "--experimental-dump-help"], capture_output=True, text=True, cwd=folder, check=True)
    found = []

    def walk(command, path):
        children = command.get("subcommands") or []
        arguments = command.get("arguments") or []
        if path and path[0] in LEFT_OUT:
            return
        if not children:
            found.append((path, arguments))
        for child in children:
            walk(child, path + [child["commandName"]])

    walk(json.loads(run.stdout)["command"], [])
    return found


def line(numbers, known):
    path, arguments = numbers.choice(known)
    words = list(path)
    options = [a for a in arguments if a["kind"] != "positional"]
    operands = [a for a in arguments if a["kind"] == "positional"]
    usable = [o for o in options if o.get("names") and not any(
        name["name"] in LEFT_OUT_OPTIONS for name in o["names"])]
    named = {name["name"]: o for o in usable for name in o["names"]}
    given = set()

    def give(option, word=None):
        name = numbers.choice(option["names"])
        text = ("--" if name["kind"] == "long" else "-") + name["name"]
        given.update(other["name"] for other in option["names"])
        if option["kind"] == "flag":
            words.append(text)
        elif text.startswith("--") and (numbers.random() < 0.5 or name["name"] == "open"):
            words.append(f"{text}={value(numbers) if word is None else word}")
        else:
            words.extend([text, value(numbers) if word is None else word])

    # One or two odd ones, with what they say that they need, and a few that are as they should be.
    for option in numbers.sample(usable, min(len(usable), numbers.choice((0, 1, 1, 1, 2)))):
        give(option)
        for need in NEEDED.findall(option.get("abstract") or ""):
            if need in named and need not in given:
                give(named[need], GOOD.get(need))
    for name in numbers.sample(sorted(GOOD), 3):
        if name in named and name not in given:
            give(named[name], GOOD[name])
    for need in REQUIRED.get(" ".join(path), []) + ["lat=37.57", "lon=126.97"]:
        name, _, word = need.partition("=")
        if name in named and name not in given and numbers.random() < 0.97:
            give(named[name], word)
    good = ["marts.csv", "marts.csv", "walk.gpx", "made.gpkg", "made.nbx", "area.geojson"]
    for argument in operands:
        for _ in range(numbers.choice((1, 1, 1, 2)) if argument.get("isRepeating") else 1):
            fit = FIT.get(argument.get("valueName"), good)
            words.append(numbers.choice(fit) if numbers.random() < 0.9 else value(numbers))
    return [word for word in words if "\0" not in word]


def prepare(folder):
    with open(os.path.join(DATA, "marts.csv"), encoding="utf-8") as file:
        rows = file.readlines()[:60]
    with open(os.path.join(folder, "marts.csv"), "w", encoding="utf-8") as file:
        file.writelines(rows)
    shutil.copy(os.path.join(DATA, "../Tests/Vectors/walk.gpx"), folder)
    ring = [[126, 37], [128, 37], [128, 38], [126, 38], [126, 37]]
    with open(os.path.join(folder, "area.geojson"), "w", encoding="utf-8") as file:
        json.dump({"type": "Polygon", "coordinates": [ring]}, file)
    for arguments in (["convert", "marts.csv", "-o", "made.gpkg"],
                      ["index", "build", "marts.csv", "-o", "made.nbx"],
                      ["import", "marts.csv", "--store", "s.gpkg"]):
        subprocess.run([NEARBY, *arguments], cwd=folder, check=True, capture_output=True)


def main():
    numbers = random.Random(SEED)
    runs, wrong, statuses = 0, {}, {}
    end = time.monotonic() + MINUTES * 60
    with tempfile.TemporaryDirectory() as start:
        prepare(start)
        known = commands(start)
        while time.monotonic() < end:
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(start, folder, dirs_exist_ok=True)
                environment = {
                    **os.environ, "HOME": folder, "NEARBY_STORE": os.path.join(folder, "s.gpkg"),
                    "XDG_DATA_HOME": folder, "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
                for _ in range(50):
                    words = line(numbers, known)
                    runs += 1
                    try:
                        run = subprocess.run(
                            [NEARBY, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            capture_output=True, timeout=PATIENCE, check=False)
                        status = run.returncode
                        if status < 0 or status > 125:
                            problem = f"signal {status}"
                        elif b"Fatal error" in run.stderr:
                            problem = "a trap"
                        elif status > 1 and b"error: " not in run.stderr:
                            problem = f"status {status} and no word of it"
                        else:
                            problem = None
                    except subprocess.TimeoutExpired:
                        status, problem = "time", f"more than {PATIENCE} s"
                    statuses[status] = statuses.get(status, 0) + 1
                    if problem:
                        # One of a kind is enough: what went wrong, and in which command.
                        wrong.setdefault((problem, words[0]), words)
                    if not os.path.exists(os.path.join(folder, "marts.csv")) or time.monotonic() > end:
                        break
    print(f"{runs} runs, seed {SEED}; by status: " + ", ".join(
        f"{status}: {count}" for status, count in sorted(statuses.items(), key=str)))
    for (problem, _), words in wrong.items():
        print(f"  {problem}: nearby {' '.join(repr(word)[:200] for word in words)}")
    return 1 if wrong else 0


sys.exit(main())
