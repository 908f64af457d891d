#!/usr/bin/env python3
"""Times `nearby import` into a store beside `ogr2ogr -f GPKG`, in turns, and compares what they wrote.

usage: store_import.py NEARBY FILE.csv[.gz] LAT_COLUMN LON_COLUMN [ROUNDS]

Both read the same unpacked file. Prints the best and the median of the clock and of the processor time,
the peak of memory, and the number of rows and boxes in both results.
"""
import gzip
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


def main():
    nearby, source, latitude, longitude = sys.argv[1:5]
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 3
    folder = tempfile.mkdtemp(prefix="nearby-import-")
    plain = os.path.join(folder, "rows.csv")
    with (gzip.open if source.endswith(".gz") else open)(source, "rb") as packed:
        with open(plain, "wb") as unpacked:
            shutil.copyfileobj(packed, unpacked)
    ours, theirs = os.path.join(folder, "nearby.gpkg"), os.path.join(folder, "ogr.gpkg")
    commands = {
        "nearby": [
            os.path.abspath(nearby), "import", plain, "--store", ours, "--layer", "rows",
            "--lat-field", latitude, "--lon-field", longitude],
        "ogr2ogr": [
            "ogr2ogr", "-f", "GPKG", theirs, plain, "-a_srs", "EPSG:4326",
            "-oo", f"X_POSSIBLE_NAMES={longitude}", "-oo", f"Y_POSSIBLE_NAMES={latitude}"],
    }
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            written = ours if name == "nearby" else theirs
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(written + suffix):
                    os.remove(written + suffix)
            runs[name].append(timed(command))
    print(f"{os.path.basename(source)}, {rounds} rounds in turns, load {os.getloadavg()[0]:.1f}")
    for name, found in runs.items():
        clock = [run[0] for run in found]
        processor = [run[1] for run in found]
        print(
            f"{name:8} clock best {min(clock):6.2f} s, median {statistics.median(clock):6.2f} s; "
            f"processor best {min(processor):6.2f} s, median {statistics.median(processor):6.2f} s; "
            f"memory {max(run[2] for run in found) / 1024:.0f} MB")
    for number, what in ((0, "clock"), (1, "processor time")):
        best = [min(run[number] for run in runs[name]) for name in ("ogr2ogr", "nearby")]
        print(f"ogr2ogr takes {best[0] / best[1]:.1f} times the {what}, best against best")
    for name, file, table in (("nearby", ours, "rows"), ("ogr2ogr", theirs, "rows")):
        database = sqlite3.connect(file)
        rows = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        boxes = database.execute(f"SELECT count(*) FROM rtree_{table}_geom").fetchone()[0]
        print(f"{name:8} {rows:,} rows, {boxes:,} boxes, {os.path.getsize(file) / 1e6:.0f} MB")
    shutil.rmtree(folder)


def timed(command):
    """Clock, processor time and peak of memory in kB of one run."""
    begun = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed: {status}")
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


if __name__ == "__main__":
    main()
