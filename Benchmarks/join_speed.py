#!/usr/bin/env python3
"""Measures `nearby join` beside what a data scientist writes, whole processes in turns, answers compared.

Usage: join_speed.py NEARBY UK.csv.gz POSTAL.csv.gz COUNTRIES.json[.gz] [COUNTIES.geojson] [--rounds N]

UK is uk-postcodes-a, POSTAL geonames-postal-a, COUNTRIES Natural Earth's 50 m; COUNTIES any polygons that
have an id, as the 3,233 of the U.S. Census Bureau's 500k (in the PyPI package plotly-geo, written as GeoJSON).

Needs pandas, scipy, pyproj, geopandas and pyogrio (pip install geopandas scipy). Beside neighbors stands a
k-d tree of unit vectors with PROJ's geodesics, beside areas `geopandas.sjoin`. Nothing stands beside the world
joined to a country, whose far questions keep scipy's tree busy for minutes: it is to be read beside the first
row, and five of its answers are compared with PROJ's geodesics to every place. Processor time is that of all
threads.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

NEAREST = """
import sys
import numpy, pandas
from pyproj import Geod
from scipy.spatial import cKDTree
left_file, right_file, k, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
def read(file):
    columns = {"lat": "latitude", "long": "longitude"}
    table = pandas.read_csv(file, usecols=lambda c: c in ("lat", "long", "latitude", "longitude"))
    return table.rename(columns=columns).dropna()
def space(table):
    y, x = numpy.radians(table.latitude.values), numpy.radians(table.longitude.values)
    return numpy.column_stack((numpy.cos(y) * numpy.cos(x), numpy.cos(y) * numpy.sin(x), numpy.sin(y)))
left = read(left_file)
right = left if left_file == right_file else read(right_file)
_, found = cKDTree(space(right)).query(space(left), k=k)
found = found.reshape(-1)
a = left.loc[left.index.repeat(k)]
b = right.iloc[found]
_, _, meters = Geod(ellps="WGS84").inv(
    a.longitude.values, a.latitude.values, b.longitude.values, b.latitude.values)
pandas.DataFrame({
    "left_id": a.index + 1, "right_id": b.index + 1, "rank": numpy.tile(numpy.arange(1, k + 1), len(left)),
    "distance": meters,
}).to_csv(out, index=False, float_format="%.4f")
"""
INSIDE = """
import sys
import geopandas, pandas
left_file, right_file, out = sys.argv[1:4]
table = pandas.read_csv(left_file, usecols=["latitude", "longitude"])
points = geopandas.GeoDataFrame(
    geometry=geopandas.points_from_xy(table.longitude, table.latitude), crs=4326)
right_file = "/vsigzip/" + right_file if right_file.endswith(".gz") else right_file
areas = geopandas.read_file(right_file).set_crs(4326, allow_override=True)[["geometry"]]
pairs = geopandas.sjoin(points, areas, predicate="intersects")["index_right"]
pandas.DataFrame({"left_id": pairs.index + 1, "right_id": pairs.values + 1}).to_csv(out, index=False)
"""


def run(command):
    """Runs a command and gives its seconds by the clock and of all its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    clock = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def same_neighbors(ours, theirs):
    """Nearby's rows are as many, for the same left ids, and none is farther; the rival orders by chords."""
    import pandas

    a, b = pandas.read_csv(ours), pandas.read_csv(theirs)
    if len(a) != len(b) or (a.left_id.values != b.left_id.values).any():
        return "other rows"
    excess = a.distance.values - b.distance.values
    return f"{excess.max():.4f} m farther" if excess.max() > 2e-4 else None


def same_pairs(ours, theirs):
    """Both have the same pairs, whatever their order."""
    import pandas

    a, b = (pandas.read_csv(file).sort_values(["left_id", "right_id"]).values for file in (ours, theirs))
    return None if a.shape == b.shape and (a == b).all() else f"{a.shape} and {b.shape} pairs differ"


def nearest_of_all(ours, left_file, right_file):
    """Five rows, spread over the file, are as near as the nearest of all by PROJ."""
    import numpy
    import pandas
    from pyproj import Geod

    answers = pandas.read_csv(ours)
    left = pandas.read_csv(left_file, usecols=["latitude", "longitude"])
    right = pandas.read_csv(right_file, usecols=["lat", "long"]).dropna()
    for row in answers.iloc[:: len(answers) // 5].itertuples():
        place = left.iloc[row.left_id - 1]
        _, _, meters = Geod(ellps="WGS84").inv(
            numpy.full(len(right), place.longitude), numpy.full(len(right), place.latitude),
            right.long.values, right.lat.values)
        if abs(meters.min() - row.distance) > 2e-4:
            return f"{row}, but {meters.min()}"
    return None


def main():
    words = sys.argv[1:]
    rounds = int(words.pop(words.index("--rounds") + 1)) if "--rounds" in words else 5
    nearby, uk, postal, countries, *rest = [word for word in words if word != "--rounds"]
    folder = tempfile.mkdtemp()
    ours, theirs = os.path.join(folder, "ours.csv"), os.path.join(folder, "theirs.csv")
    python = [sys.executable, "-c"]

    def nearest(left, right, k):
        return (
            [nearby, "join", left, right, "-k", str(k), "-o", ours],
            [*python, NEAREST, left, right, str(k), theirs], same_neighbors)

    def inside(right):
        # Ids are record numbers on both sides.
        return (
            [nearby, "join", postal, right, "--inside", "--id-field", "#", "-o", ours],
            [*python, INSIDE, postal, right, theirs], same_pairs)

    joins = {"uk with itself, k = 2": nearest(uk, uk, 2), "world to uk, k = 1": (
                 nearest(postal, uk, 1)[0], None,
                 lambda ours, _: nearest_of_all(ours, postal, uk)),
             "world in countries": inside(countries)}
    for file in rest:
        joins["world in " + os.path.basename(file)] = inside(file)
    print(f"{'':24}{'nearby clock':>14}{'cpu':>8}{'rival clock':>14}{'cpu':>8}{'clock':>8}{'cpu':>8}")
    for name, (command, rival, check) in joins.items():
        times = []
        for _ in range(rounds):
            times.append(run(command) + (run(rival) if rival else (float("nan"),) * 2))
            if problem := check(ours, theirs):
                sys.exit(f"{name}: {problem}")
        a, b, c, d = (statistics.median(column) for column in zip(*times))
        print(f"{name:24}{a:12.2f} s{b:6.2f} s{c:12.2f} s{d:6.2f} s{a / c:8.2f}{b / d:8.2f}", flush=True)


if __name__ == "__main__":
    main()
