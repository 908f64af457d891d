"""Makes counties that share jagged borders, always the same 3,024 of 900,336 vertices, as GeoJSON.

    python3 Benchmarks/made_counties.py > counties.geojson

The corners of a grid over the United States are moved by chance, and each side is bent at its middle, the halves at
theirs, five to seven times. Some rings meet themselves; `nearby check` says which.
"""
import json
import random

COLUMNS, ROWS = 56, 54
random.seed(4)


def corner(column, row):
    return (-125 + 58 * (column + random.uniform(-0.3, 0.3)) / COLUMNS,
            25 + 24 * (row + random.uniform(-0.3, 0.3)) / ROWS)


def bent(start, end, times):
    line = [start, end]
    for _ in range(times):
        longer = line[:1]
        for (ax, ay), (bx, by) in zip(line, line[1:]):
            along, aside = random.uniform(0.4, 0.6), random.uniform(-0.18, 0.18)
            longer += [(round(ax + (bx - ax) * along - (by - ay) * aside, 7),
                        round(ay + (by - ay) * along + (bx - ax) * aside, 7)), (bx, by)]
        line = longer
    return line


corners = {(column, row): corner(column, row) for column in range(COLUMNS + 1) for row in range(ROWS + 1)}
sides = {}
for column in range(COLUMNS + 1):
    for row in range(ROWS + 1):
        here = corners[column, row]
        if column < COLUMNS:
            sides[column, row, "east"] = bent(here, corners[column + 1, row], random.choice([5, 6, 7]))
        if row < ROWS:
            sides[column, row, "north"] = bent(here, corners[column, row + 1], random.choice([5, 6, 7]))
features = []
for column in range(COLUMNS):
    for row in range(ROWS):
        ring = (sides[column, row, "east"] + sides[column + 1, row, "north"][1:]
                + sides[column, row + 1, "east"][::-1][1:] + sides[column, row, "north"][::-1][1:])
        features.append({"type": "Feature", "id": f"c{column}-{row}", "properties": {"name": f"County {column} {row}"},
                         "geometry": {"type": "Polygon", "coordinates": [ring]}})
print(json.dumps({"type": "FeatureCollection", "features": features}))
