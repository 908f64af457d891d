#!/usr/bin/env python3
"""Times `nearby tiles` beside `ogr2ogr -f MVT`, in turns, and compares what is in the tiles.

usage: tile_pyramid.py NEARBY FILE.csv[.gz] LAT_COLUMN LON_COLUMN [ZOOMS] [ROUNDS]

Both read the same unpacked file, give every feature the same columns, leave nothing out and keep 64 parts of
buffer; GDAL writes MBTiles with all its threads. Prints the best and the median of the clock and of the
processor time, the peak of memory and the sizes; then, zoom by zoom, how many tiles there are and how many
features lie in them (0 <= x, y < 4096): all points in ours, or the run fails. GDAL rounds positions, and was
seen to miss 2 points of 636,092 by this count; more than one in 10,000 fails, too.
"""
import csv
import gzip
import os
import shutil
import sqlite3
import sys
import tempfile

from beside_ogr2ogr import time_in_turns, unpacked


def main():
    nearby, source, latitude, longitude = sys.argv[1:5]
    zooms = sys.argv[5] if len(sys.argv) > 5 else "0-12"
    rounds = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    first, last = (int(zoom) for zoom in zooms.split("-"))
    folder = tempfile.mkdtemp(prefix="nearby-tiles-")
    plain = unpacked(source, folder)
    with open(plain, newline="", encoding="utf-8") as rows:
        reader = csv.reader(rows)
        columns = next(reader)
        points = sum(1 for _ in reader)
    table = os.path.join(folder, "rows.vrt")
    with open(table, "w", encoding="utf-8") as file:
        file.write(
            f"""<OGRVRTDataSource><OGRVRTLayer name="rows"><SrcDataSource>{plain}</SrcDataSource>
            <OpenOptions><OOI key="EMPTY_STRING_AS_NULL">YES</OOI></OpenOptions>
            <GeometryType>wkbPoint</GeometryType><LayerSRS>EPSG:4326</LayerSRS>
            <GeometryField encoding="PointFromColumns" x="{longitude}" y="{latitude}"/>
            </OGRVRTLayer></OGRVRTDataSource>""")
    kept = [column for column in columns if column not in (latitude, longitude)]
    ours, theirs = os.path.join(folder, "nearby.pmtiles"), os.path.join(folder, "gdal.mbtiles")
    commands = {
        "nearby": [
            os.path.abspath(nearby), "tiles", plain, "-z", zooms, "-o", ours, "--quiet",
            "--lat-field", latitude, "--lon-field", longitude],
        "ogr2ogr": [
            "ogr2ogr", "-f", "MVT", theirs, table, "-select", ",".join(kept),
            "--config", "GDAL_NUM_THREADS", "ALL_CPUS", "-dsco", "FORMAT=MBTILES",
            "-dsco", f"MINZOOM={first}", "-dsco", f"MAXZOOM={last}", "-dsco", "BUFFER=64",
            "-dsco", "MAX_SIZE=1000000000", "-dsco", "MAX_FEATURES=100000000"],
    }
    time_in_turns(
        f"{os.path.basename(source)}, zooms {zooms}", commands, {"nearby": ours, "ogr2ogr": theirs}, rounds)
    tallies = {"nearby": tally(pmtiles(ours)), "ogr2ogr": tally(mbtiles(theirs))}
    isRight = True
    for name, zooms in tallies.items():
        print(f"{name}: zoom, tiles, features that lie in them, with the buffers', kB packed")
        for zoom in range(first, last + 1):
            tiles, own, all, size = zooms.get(zoom, (0, 0, 0, 0))
            isWrong = abs(own - points) > (0 if name == "nearby" else points // 10_000)
            isRight = isRight and not isWrong
            print(f"  {zoom:2} {tiles:9,} {own:10,} {all:10,} {size / 1000:10,.0f}"
                  f"{f'  WRONG, {points:,} points' if isWrong else ''}")
    shutil.rmtree(folder)
    sys.exit(0 if isRight else 1)


def tally(tiles):
    """For each zoom: tiles, features whose point lies in its tile, all features, packed bytes."""
    zooms = {}
    for zoom, packed in tiles:
        tile = gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed
        own = all = 0
        for number, layer in fields(tile):
            for inner, feature in fields(layer) if number == 3 else ():
                if inner != 2:
                    continue
                geometry = next(value for key, value in fields(feature) if key == 4)
                count, place = varint(geometry, 0)
                x = y = 0
                for _ in range(count >> 3):
                    dx, place = varint(geometry, place)
                    dy, place = varint(geometry, place)
                    x, y = x + (dx >> 1 ^ -(dx & 1)), y + (dy >> 1 ^ -(dy & 1))
                    all += 1
                    own += 0 <= x < 4096 and 0 <= y < 4096
        before = zooms.get(zoom, (0, 0, 0, 0))
        zooms[zoom] = (before[0] + 1, before[1] + own, before[2] + all, before[3] + len(packed))
    return zooms


def varint(data, place):
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7


def fields(data):
    """Number and content of each field of a protocol buffer message."""
    place = 0
    while place < len(data):
        key, place = varint(data, place)
        if key & 7 == 0:
            value, place = varint(data, place)
        elif key & 7 == 2:
            length, place = varint(data, place)
            value, place = data[place:place + length], place + length
        else:
            length = 8 if key & 7 == 1 else 4
            value, place = data[place:place + length], place + length
        yield key >> 3, value


def mbtiles(path):
    for row in sqlite3.connect(path).execute("SELECT zoom_level, tile_data FROM tiles"):
        yield row


def pmtiles(path):
    """Zoom and bytes of each tile, a run of equal ones tile by tile."""
    with open(path, "rb") as file:
        data = file.read()
    number = lambda place: int.from_bytes(data[place:place + 8], "little")
    leaves, tiles = number(40), number(56)

    def walk(start, length):
        directory = gzip.decompress(data[start:start + length])
        count, place = varint(directory, 0)
        columns = []
        for _ in range(4):
            column = []
            for _ in range(count):
                value, place = varint(directory, place)
                column.append(value)
            columns.append(column)
        id = offset = 0
        for index in range(count):
            id += columns[0][index]
            run, size = columns[1][index], columns[2][index]
            code = columns[3][index]
            offset = code - 1 if code else offset + columns[2][index - 1]
            if run == 0:
                yield from walk(leaves + offset, size)
            for one in range(run):
                zoom, first = 0, 0
                while first + 4 ** zoom <= id + one:
                    first, zoom = first + 4 ** zoom, zoom + 1
                yield zoom, data[tiles + offset:tiles + offset + size]

    yield from walk(number(8), number(16))


if __name__ == "__main__":
    main()
