#!/usr/bin/env python3
"""Writes what the fuzzer begins with: a few small inputs for each reader.

Usage: fuzzing_seeds.py NEARBY FOLDER READER ...

A fuzzer finds more when it starts from what is right. A reader that has none here starts from nothing.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

NEARBY, FOLDER, READERS = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LARGEST = 40_000


def read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def vectors(name, key):
    return [json.loads(line)[key].encode() for line in read(f"Tests/Vectors/{name}").splitlines()]


def shared(folder, ending):
    path = os.path.join(ROOT, "../shared/conformance", folder)
    found = []
    for where, _, names in sorted(os.walk(path)):
        for name in sorted(names):
            if name.endswith(ending):
                with open(os.path.join(where, name), "rb") as file:
                    found.append(file.read())
    return found


def made():
    """Files of the program's own: of 40 marts, by ending."""
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments):
            subprocess.run([NEARBY, *arguments], cwd=folder, check=True, capture_output=True)

        def bytes_of(name):
            with open(os.path.join(folder, name), "rb") as file:
                return file.read()

        rows = read("Data/marts.csv").splitlines(keepends=True)[:40]
        with open(os.path.join(folder, "marts.csv"), "wb") as file:
            file.writelines(rows)
        files = {"csv": b"".join(rows)}
        for ending in ("geojson", "geojsonseq", "jsonl", "gpx", "gpkg"):
            run("convert", "marts.csv", "-o", f"made.{ending}")
            files[ending] = bytes_of(f"made.{ending}")
        run("index", "build", "marts.csv", "-o", "made.nbx")
        run("tiles", "marts.csv", "-z", "0-4", "-o", "made.pmtiles")
        run("tiles", "marts.csv", "-z", "0-2", "-o", "tiles/")
        run("import", "marts.csv", "--store", "store.gpkg")
        for name in ("nbx", "pmtiles"):
            files[name] = bytes_of(f"made.{name}")
        files["store"] = bytes_of("store.gpkg")
        files["mvt"] = [
            bytes_of(os.path.join(where, name))
            for where, _, names in os.walk(os.path.join(folder, "tiles"))
            for name in names if name.endswith(".mvt")]
        return files


NMEA = b"""$GPRMC,081836,A,3751.65,S,14507.36,E,000.0,360.0,130998,011.3,E*62
$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47
"""
GEOJSON = [
    b'{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{"a":1}}',
    b'{"features":[],"type":"FeatureCollection","more":{"a":[1,2]}}', b'{"type":"LineString","coordinates":[[0,0],[1,1,5]]}',
]
RULES = [row for row in vectors("recurrences.jsonl", "rrule")]
WRITTEN = [
    "매월 둘째, 넷째 일요일 휴무", "09:00~18:00 (점심시간 12:00~13:00)\x01토요일, 일요일, 공휴일", "평일 10시-20시, 주말 11시-18시",
    "毎週月曜日定休", "10:00〜20:00（水曜定休）", "年中無休", "토 9-13, 일 휴무", "연중무휴 24시간", "매월 1, 3번째 월요일",
]
CONDITIONS = [
    "kind = 'mart' and rating >= 4.5", "not (name contains '가' or id in ('1','2'))", "distance < 2km",
    "name is null", "a.b like 'x%'", "`odd name` = true",
]
DATES = ["2026-11-22", "2026-11-22/2026-12-01", "2026-11-22 14:00, 16:30", "11/22(日) 10:00", "매주 토 14:00"]
ZONES = ["KST-9", "EST5EDT,M3.2.0,M11.1.0", "<+09>-9", "CET-1CEST,M3.5.0,M10.5.0/3"]


def seeds(reader, files):
    if reader in ("csv", "gzip"):
        texts = [files["csv"], *vectors("tables.jsonl", "text"),
                 *(bytes.fromhex(text.decode()) for text in vectors("encodings.jsonl", "hex"))]
        return [gzip.compress(text) for text in texts] if reader == "gzip" else texts
    if reader in ("geojson", "json", "geojsonseq"):
        return [files["geojson"], files["geojsonseq"], files["jsonl"],
                *GEOJSON, *shared("geojson", "json")]
    if reader == "gpx":
        return [files["gpx"], read("Tests/Vectors/walk.gpx"), *shared("gpx", ".gpx")]
    if reader in ("guessed", "track"):
        return [files["csv"], files["geojson"], files["gpx"], read("Tests/Vectors/walk.gpx"), NMEA,
                b"time,lat,lon,accuracy\n2026-11-23T08:00:00Z,37.5,127,5\n1795309800,37.6,127.1,8\n",
                *shared("gpx", "")]
    if reader in ("nbx", "pmtiles", "mvt", "gpkg"):
        own = files["mvt"] if reader == "mvt" else [files[reader]]
        more = [files["store"]] if reader == "gpkg" else shared("vector_tiles", "." + reader)
        return own + more
    if reader == "hours":
        return vectors("opening_hours.jsonl", "value")
    texts = {"written": WRITTEN, "where": CONDITIONS, "dates": DATES, "zones": ZONES}
    if reader == "rrule":
        return RULES + [b"DTSTART:20260101T090000\nRRULE:" + rule for rule in RULES]
    found = [text.encode() for text in texts.get(reader, [])]
    if reader == "zones":
        for name in ("Asia/Seoul", "America/New_York"):
            path = "/usr/share/zoneinfo/" + name
            if os.path.exists(path):
                with open(path, "rb") as file:
                    found.append(file.read())
    return found


files = made()
for reader in READERS:
    folder = os.path.join(FOLDER, reader)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number, content in enumerate(seeds(reader, files)):
        # A database is no use cut off.
        if len(content) <= LARGEST or reader in ("gpkg", "nbx", "pmtiles"):
            with open(os.path.join(folder, f"seed-{number}"), "wb") as file:
                file.write(content)
