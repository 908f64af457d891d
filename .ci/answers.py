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


def fail(message):
    global failures
    failures += 1
    if failures <= 40:
        print("  DIFFERENT:", message)


def nearby(*arguments, stdin=None, status=0):
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
        for (_, want), (_, have) in zip(neighbors, found[query]):
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
    for row, count in zip(expected, counts):
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


CHECKS = {"nearest-3": nearest_three, "conformance-nearest": conformance_nearest}
for name in KNN_SETS:
    CHECKS[f"join {name}"] = lambda name=name: join(name)
    CHECKS[f"bbox {name}"] = lambda name=name: boxes(name)

for name, check in CHECKS.items():
    if WANTED and not any(word in name for word in WANTED):
        continue
    before = failures
    compared = check()
    print(f"{name}: {compared} compared, {failures - before} different")
sys.exit(1 if failures else 0)
