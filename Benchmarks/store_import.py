#!/usr/bin/env python3
"""Times `nearby import` into a store beside `ogr2ogr -f GPKG`, in turns, and compares what they wrote.

usage: store_import.py NEARBY FILE.csv[.gz] LAT_COLUMN LON_COLUMN [ROUNDS]

Both read the same unpacked file. Prints the best and the median of the clock and of the processor time,
the peak of memory, and the number of rows and boxes in both results.
"""
import os
import shutil
import sqlite3
import sys
import tempfile

from beside_ogr2ogr import time_in_turns, unpacked


def main():
    nearby, source, latitude, longitude = sys.argv[1:5]
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 3
    folder = tempfile.mkdtemp(prefix="nearby-import-")
    plain = unpacked(source, folder)
    ours, theirs = os.path.join(folder, "nearby.gpkg"), os.path.join(folder, "ogr.gpkg")
    commands = {
        "nearby": [
            os.path.abspath(nearby), "import", plain, "--store", ours, "--layer", "rows",
            "--lat-field", latitude, "--lon-field", longitude],
        "ogr2ogr": [
            "ogr2ogr", "-f", "GPKG", theirs, plain, "-a_srs", "EPSG:4326",
            "-oo", f"X_POSSIBLE_NAMES={longitude}", "-oo", f"Y_POSSIBLE_NAMES={latitude}"],
    }
    time_in_turns(os.path.basename(source), commands, {"nearby": ours, "ogr2ogr": theirs}, rounds)
    for name, file, table in (("nearby", ours, "rows"), ("ogr2ogr", theirs, "rows")):
        database = sqlite3.connect(file)
        rows = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        boxes = database.execute(f"SELECT count(*) FROM rtree_{table}_geom").fetchone()[0]
        print(f"{name:8} {rows:,} rows, {boxes:,} boxes, {os.path.getsize(file) / 1e6:.0f} MB")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
