#!/usr/bin/env python3
"""Compares nearby's answers with those that other programs gave for real data.

Usage: answers.py NEARBY SHARED [check ...]

Each check prints one line with what it compared; a difference is printed and makes the exit
status 1. The expected files are described in SHARED/data/README.md and SHARED/conformance.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict

NEARBY, SHARED = sys.argv[1], sys.argv[2]
WANTED = sys.argv[3:]
MILLIMETER = 0.001
failures = 0
# Which index is asked, and which were in the check that runs.
index_kind = "tree"
kinds_asked = set()


def fail(message):
    global failures
    failures += 1
    if failures <= 40:
        print("  DIFFERENT:", message)


def nearby(*arguments, stdin=None, status=0):
    if arguments[0] in ("--lat", "bbox", "join"):
        kinds_asked.add(index_kind)
        arguments += ("--index", index_kind)
    run = subprocess.run(
        [NEARBY, *map(str, arguments)], input=stdin, capture_output=True, text=True
    )
    if run.returncode != status:
        raise SystemExit(f"nearby {arguments}: status {run.returncode}: {run.stderr}")
    return run.stdout


def rows(path):
    with open(os.path.join(SHARED, path), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def json_lines(path):
    with open(os.path.join(SHARED, path), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def nearest_three():
    cases = rows("data/seeds/nearest3_cinema_cases.csv")
    for case in cases:
        answer = json.loads(
            nearby("--lat", case["latitude"], "--lon", case["longitude"], "-k", 3,
                   "--kind", "cinema", "--json", "--allow-null-island", "--sample"))
        for result, place in zip(answer["results"], ("first", "second", "third"), strict=True):
            if result["name"] != case[place]:
                fail(f"{case['query']} {place}: {result['name']}, not {case[place]}")
            if abs(result["distance"] - float(case[place + "_m"])) > MILLIMETER:
                fail(f"{case['query']} {place}: {result['distance']} m, not {case[place + '_m']}")
    return f"{3 * len(cases)} distances"


# File, and how its columns are named.
KNN_SETS = {
    "jp-towns": ("jp-towns-east.csv.gz", []),
    "geonames-postal": ("postal-world-a.csv.gz", []),
    "uk-postcodes": ("uk-postcodes-a.csv.gz", []),
    "geonames-cities": (
        "cities15000.tsv.gz",
        ["--no-header", "--lat-field", "5", "--lon-field", "6", "--id-field", "#"],
    ),
}


def join(name):
    file, options = KNN_SETS[name]
    expected = defaultdict(list)
    queries = {}
    for row in rows(f"data/{name}/expected-knn.csv"):
        expected[row["qid"]].append((int(row["row"]), float(row["distance_m"])))
        queries[row["qid"]] = (row["qlat"], row["qlon"])
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as left:
        left.write("id,lat,lon\n")
        for query, (latitude, longitude) in queries.items():
            left.write(f"{query},{latitude},{longitude}\n")
    output = nearby("join", left.name, os.path.join(SHARED, "data", name, file), "-k", 10,
                    "--allow-null-island", "--format", "csv", *options)
    os.unlink(left.name)
    found = defaultdict(list)
    for row in csv.DictReader(output.splitlines()):
        found[row["left_id"]].append((int(row["right_id"]), float(row["distance"])))
    for query, neighbors in expected.items():
        if [n[0] for n in neighbors] != [n[0] for n in found[query]]:
            fail(f"{name} {query}: {found[query]}, not {neighbors}")
            continue
        for (_, want), (_, have) in zip(neighbors, found[query], strict=True):
            if abs(want - have) > MILLIMETER:
                fail(f"{name} {query}: {have} m, not {want}")
    return f"{sum(map(len, expected.values()))} neighbors"


def boxes(name):
    file, options = KNN_SETS[name]
    expected = rows(f"data/{name}/expected-bbox.csv")
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as table:
        table.write("west,south,east,north\n")
        for row in expected:
            table.write(
                f"{row['min_lon']},{row['min_lat']},{row['max_lon']},{row['max_lat']}\n")
    output = nearby("bbox", "--boxes", table.name, "--count",
                    os.path.join(SHARED, "data", name, file), "--allow-null-island", *options)
    os.unlink(table.name)
    counts = output.split()
    if len(counts) != len(expected):
        fail(f"{name}: {len(counts)} counts for {len(expected)} boxes")
        return f"{len(expected)} boxes"
    for row, count in zip(expected, counts, strict=True):
        if row["count"] != count:
            fail(f"{name} box {row['bid']}: {count}, not {row['count']}")
    return f"{len(expected)} boxes"


def conformance_nearest():
    cities = os.path.join(SHARED, "conformance/nearest/cities.csv")
    compared = 0
    cases = json_lines("conformance/nearest/knn.jsonl")
    for k in sorted({case["k"] for case in cases}):
        batch = [case for case in cases if case["k"] == k]
        left = "id,lat,lon\n" + "".join(
            f"{case['id']},{case['lat']},{case['lon']}\n" for case in batch)
        output = nearby("join", "-", cities, "-k", k, "--allow-null-island",
                        "--left-input-format", "csv", stdin=left)
        found = defaultdict(list)
        for row in csv.DictReader(output.splitlines()):
            found[row["left_id"]].append((int(row["right_id"]), float(row["distance"])))
        for case in batch:
            have = found[case["id"]]
            compared += len(have)
            if len(have) != len(case["ids"]):
                fail(f"{case['id']}: {len(have)} results, not {len(case['ids'])}")
                continue
            for place, (want_id, want) in enumerate(
                    zip(case["ids"], case["meters"], strict=True)):
                if abs(have[place][1] - want) > MILLIMETER:
                    fail(f"{case['id']} rank {place + 1}: {have[place]}, not {want_id} {want}")
                # Where the file itself names a tie, only the distance is certain.
                elif have[place][0] != want_id and not case.get("ties"):
                    fail(f"{case['id']} rank {place + 1}: {have[place]}, not {want_id}")
    for case in json_lines("conformance/nearest/radius.jsonl"):
        output = nearby("--lat", case["lat"], "--lon", case["lon"], "--within",
                        f"{case['radius_m']}m", "--format", "ids", "--allow-null-island", cities)
        if sorted(map(int, output.split())) != sorted(case["ids"]):
            fail(f"{case['id']}: another set within {case['radius_m']} m")
        compared += len(case["ids"])
    for case in json_lines("conformance/nearest/bbox.jsonl"):
        box = ",".join(map(str, case["bbox"]))
        ids = [int(i) for i in nearby("bbox", box, cities, "--format", "ids").split()]
        if len(ids) != case["count"] or sum(ids) != case.get("id_sum", sum(ids)):
            fail(f"{case['id']}: {len(ids)} ids, not {case['count']}")
        if "ids" in case and sorted(ids) != sorted(case["ids"]):
            fail(f"{case['id']}: another set")
        if ids != sorted(ids):
            fail(f"{case['id']}: not by id")
        compared += len(ids)
    return f"{compared} results"


def geodesics():
    compared = 0
    for file, tolerance in (
        ("geodtest_wgs84.csv", 1e-7), ("geodtest_shifted.csv", 1e-6), ("edge_cases.csv", None),
    ):
        cases = rows(f"conformance/geodesic/{file}")
        operands = "".join(
            f"{c['lat1']},{c['lon1']},{c['lat2']},{c['lon2']}\n" for c in cases)
        lines = nearby("distance", "--digits", 9, stdin=operands).split()
        for case, line in zip(cases, lines, strict=True):
            meters = float(line.split(",")[0])
            expected = float(case["s12"])
            allowed = tolerance or float(case["tolerance_m"])
            # What is expected is rounded to a tenth of a micrometer in places.
            if abs(meters - expected) > allowed + 1e-15 * expected + 1e-7:
                fail(f"{file} {case}: {meters}")
        compared += len(cases)
    return f"{compared} distances"


def geohashes():
    cases = rows("conformance/geohash/encode.csv")
    operands = "".join(f"{c['lat']},{c['lon']},{c['precision']}\n" for c in cases)
    lines = nearby("geohash", "encode", stdin=operands).split()
    for case, line in zip(cases, lines, strict=True):
        if line != case["geohash"]:
            fail(f"encode {case}: {line}")
    boxes = rows("conformance/geohash/decode_bounds.csv")
    lines = nearby("geohash", "decode", stdin="".join(b["geohash"] + "\n" for b in boxes)).split()
    for case, line in zip(boxes, lines, strict=True):
        edges = map(float, line.split(","))
        wanted = (case["min_lat"], case["min_lon"], case["max_lat"], case["max_lon"])
        if any(abs(a - float(b)) > 1e-9 for a, b in zip(edges, wanted, strict=True)):
            fail(f"decode {case}: {line}")
    around = rows("conformance/geohash/neighbours.csv")
    lines = nearby(
        "geohash", "neighbors", stdin="".join(n["geohash"] + "\n" for n in around)).splitlines()
    named = 0
    for case, line in zip(around, lines, strict=True):
        names = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
        named += sum(bool(case[name]) for name in names)
        for name, cell in zip(names, line.split(","), strict=True):
            if case[name] and cell != ("" if case[name] == "NONE" else case[name]):
                fail(f"neighbors {case}: {name} {cell}")
    if named < 4 * len(around):
        fail(f"{named} neighbors of {len(around)} cells are expected")
    refused = [r["input"] for r in rows("conformance/geohash/invalid.csv")]
    output = nearby("geohash", "decode", stdin="".join(r + "\n" for r in refused), status=65)
    for text, line in zip(refused, output.splitlines(), strict=True):
        if not line.startswith("error: geohash-"):
            fail(f"invalid geohash {text}: {line}")
    return f"{len(cases) + len(boxes) + len(around) + len(refused)} cells"


CHECKS = {
    "nearest-3": nearest_three, "conformance-nearest": conformance_nearest,
    "geodesics": geodesics, "geohashes": geohashes,
}
for name in KNN_SETS:
    CHECKS[f"join {name}"] = lambda name=name: join(name)
    CHECKS[f"bbox {name}"] = lambda name=name: boxes(name)

done = 0
for name, check in CHECKS.items():
    if WANTED and not any(word in name for word in WANTED):
        continue
    done += 1
    for index_kind in ("tree", "geohash"):
        kinds_asked.clear()
        before = failures
        compared = check()
        if compared.startswith("0 "):
            fail(f"{name}: nothing was compared")
        by = f" by {index_kind}" if kinds_asked else ""
        print(f"{name}{by}: {compared} compared, {failures - before} different")
        if not kinds_asked:
            break
if not done:
    fail(f"there is no check {' '.join(WANTED)}")
sys.exit(1 if failures else 0)
