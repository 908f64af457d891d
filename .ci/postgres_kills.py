#!/usr/bin/python3
"""Kills `nearby import` into PostgreSQL at random moments: a layer is what it was or what it was to be, all of it.

    .ci/postgres_kills.py PROGRAM ADDRESS [kills]

PROGRAM is built with the trait PostgreSQL, ADDRESS is one that `.ci/postgres start` prints. What was acknowledged, by
status 0, is there afterwards.
"""

import csv
import io
import pathlib
import random
import subprocess
import sys
import tempfile
import time

program, address = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
kills = int(sys.argv[3]) if len(sys.argv) > 3 else 20
folder = pathlib.Path(tempfile.mkdtemp(prefix="nearby-postgres-kills-"))
numbers = random.Random(9)
rows = 3_000


def write(version):
    with open(folder / "rows.csv", "w") as out:
        out.write("id,latitude,longitude,version\n")
        for number in range(rows):
            out.write(f"{number},{37 + (number + version) % rows / 1e4:.4f},127,{version}\n")


def start():
    return subprocess.Popen([program, "import", "rows.csv", "--layer", "kills", "--store", address], cwd=folder,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def stands():
    out = subprocess.run([program, "list", address, "--layer", "kills", "--format", "csv"], cwd=folder, check=True, capture_output=True, text=True).stdout
    found = list(csv.DictReader(io.StringIO(out)))
    versions = {int(row["version"]) for row in found}
    if len(found) != rows or len({row["id"] for row in found}) != rows or len(versions) != 1:
        sys.exit(f"postgres kills: {len(found)} rows of versions {versions}")
    return versions.pop()


write(0)
began = time.time()
if start().wait() != 0:
    sys.exit("postgres kills: the first import fails")
takes, acknowledged, killed, done = time.time() - began, 0, 0, 0
for version in range(1, kills + 1):
    write(version)
    process = start()
    try:
        status = process.wait(timeout=numbers.uniform(0, 1.2 * takes))
    except subprocess.TimeoutExpired:
        process.kill()
        status = process.wait()
        killed += 1
    if status == 0:
        acknowledged, done = version, done + 1
    there = stands()
    # What was killed after it was committed counts, too.
    if there < acknowledged:
        sys.exit(f"postgres kills: version {there} is there, {acknowledged} was acknowledged")
    acknowledged = there
print(f"postgres kills: {killed} killed, {done} done; each time all {rows} rows were of one version, and none that was acknowledged was lost")
