"""Judges the answers of shape-speed: the nearest shape by PROJ's geodesics over every edge, containment by GEOS.

    shape_judge.py SHAPES.geojson ANSWERS.csv [QUESTIONS]
    shape_judge.py SHAPES.geojson --build

The second prints what GEOS takes, in processor time and at best of five, to make its polygons from coordinates, and to
be ready for both questions: the tree, and each geometry prepared for what it holds and for distances. GEOS prepares
when it is first asked; what it then takes to answer is taken off.

Needs numpy, pyproj and shapely. An edge is straight in longitude and latitude; it is cut into pieces of at most
0.05 degrees, whose ends are looked at in space, and every piece that may be nearest is looked along by golden section.
"""
import csv
import json
import math
import sys
import time

import numpy
import pyproj
import shapely

PIECE = 0.05
# No degree is longer, in meters, on any axis.
DEGREE = 111_700
GEOD = pyproj.Geod(ellps="WGS84")
TO_SPACE = pyproj.Transformer.from_crs("EPSG:4979", "EPSG:4978", always_xy=True)


def rings(geometry):
    kind, places = geometry["type"], geometry.get("coordinates")
    if kind == "Polygon":
        yield from places
    elif kind == "MultiPolygon":
        for polygon in places:
            yield from polygon
    elif kind == "LineString":
        yield places
    elif kind == "MultiLineString":
        yield from places
    elif kind == "Point":
        yield [places, places]
    else:
        raise SystemExit(f"a {kind} is not judged")


def pieces(features):
    starts, ends, owners = [], [], []
    for number, feature in enumerate(features):
        for ring in rings(feature["geometry"]):
            for (west, south, *_), (east, north, *_) in zip(ring, ring[1:]):
                count = max(1, math.ceil(max(abs(east - west), abs(north - south)) / PIECE))
                at = numpy.linspace(0, 1, count + 1)
                lons, lats = west + (east - west) * at, south + (north - south) * at
                starts.append(numpy.column_stack([lons[:-1], lats[:-1]]))
                ends.append(numpy.column_stack([lons[1:], lats[1:]]))
                owners.append(numpy.full(count, number))
    return numpy.concatenate(starts), numpy.concatenate(ends), numpy.concatenate(owners)


def along(origin, start, end):
    """The least geodesic to pieces, by golden section for all at once."""
    def distance(at):
        place = start + (end - start) * at[:, None]
        return GEOD.inv(numpy.full(len(at), origin[0]), numpy.full(len(at), origin[1]),
                        place[:, 0], place[:, 1])[2]
    ratio = (math.sqrt(5) - 1) / 2
    low, high = numpy.zeros(len(start)), numpy.ones(len(start))
    least = numpy.minimum(distance(low), distance(high))
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = distance(left), distance(right)
    for _ in range(36):
        goes_left = at_left < at_right
        high, low = numpy.where(goes_left, right, high), numpy.where(goes_left, low, left)
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        at_left, at_right = distance(left), distance(right)
    return numpy.minimum(least, numpy.minimum(at_left, at_right))


def build(features):
    shapes = numpy.array([shapely.geometry.shape(feature["geometry"]) for feature in features])
    parts = shapely.get_parts(shapes)
    ragged = shapely.to_ragged_array(parts[shapely.get_type_id(parts) == 3])
    binary, somewhere = shapely.to_wkb(shapes), shapely.Point(0.1, 0.2)
    inside = shapely.point_on_surface(shapes)
    x, y = shapely.get_x(inside), shapely.get_y(inside)

    def spent(work):
        start = time.process_time()
        work()
        return time.process_time() - start

    making, ready = [], []
    for _ in range(5):
        making.append(spent(lambda: shapely.from_ragged_array(*ragged)))
        fresh = shapely.from_wkb(binary)
        total = spent(lambda: shapely.STRtree(fresh).query(somewhere)) + spent(lambda: shapely.prepare(fresh))
        # GEOS makes its index of edges when a geometry is asked for the second time.
        holds = [spent(lambda: shapely.contains_xy(fresh, x, y)) for _ in range(3)]
        near = [spent(lambda: shapely.dwithin(fresh, somewhere, 1e-3)) for _ in range(2)]
        ready.append(total + holds[1] - holds[2] + near[0] - near[1])
    print(f"GEOS: ready in {min(ready) * 1e3:.1f} ms, polygons from coordinates in {min(making) * 1e3:.1f} ms")


def main():
    features = [feature for feature in json.load(open(sys.argv[1]))["features"] if feature["geometry"]]
    if sys.argv[2] == "--build":
        return build(features)
    rows = list(csv.DictReader(open(sys.argv[2])))
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else len(rows)
    rows = rows[::max(1, len(rows) // wanted)]
    start, end, owners = pieces(features)
    ends = numpy.column_stack(TO_SPACE.transform(start[:, 0], start[:, 1], numpy.zeros(len(start))))
    lengths = DEGREE * numpy.hypot(*(end - start).T)
    shapes = numpy.array([shapely.geometry.shape(feature["geometry"]) for feature in features])
    tree = shapely.STRtree(shapes)
    wrong = far = inside = 0
    worst = 0.0
    for row in rows:
        origin = (float(row["lon"]), float(row["lat"]))
        holds = sorted(tree.query(shapely.Point(origin), predicate="intersects").tolist())
        said = [int(number) for number in row["containing"].split()]
        if said:
            inside += 1
            wrong += float(row["meters"]) != 0 or int(row["shape"]) != said[0]
            if holds == said:
                continue
        space = numpy.array(TO_SPACE.transform(*origin, 0))
        chords = numpy.linalg.norm(ends - space, axis=1)
        # No place of a piece is nearer than its start by more than its length. Of two chords the longer one has the
        # longer geodesic, give or take one part in 50.
        near = numpy.flatnonzero(chords - lengths <= chords.min() * 1.02)
        starts = GEOD.inv(numpy.full(len(near), origin[0]), numpy.full(len(near), origin[1]),
                          start[near, 0], start[near, 1])[2]
        near = near[starts - lengths[near] <= starts.min()]
        least = along(origin, start[near], end[near])
        best = least.min()
        if holds != said:
            # GEOS rounds; a centimeter from an edge it must not matter.
            far += best > 0.01
            if said:
                continue
        slip = abs(best - float(row["meters"]))
        worst = max(worst, slip)
        owner = least[owners[near] == int(row["shape"])]
        wrong += slip > 1e-3 or not len(owner) or owner.min() - best > 1e-3
    print(f"{len(rows)} questions, {inside} of them inside: {wrong} wrong, {far} contained otherwise by GEOS; "
          f"distances within {worst * 1e3:.4f} mm")
    sys.exit(1 if wrong or far else 0)


main()
