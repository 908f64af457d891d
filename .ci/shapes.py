#!/usr/bin/python3
"""Compares the areas of countries in nearby's tiles with those that GDAL and GEOS give for their source.

Usage: shapes.py NEARBY SHARED

Tiles are read by GDAL's MVT driver and cut to their borders, so that the areas of a country's pieces
add up. Rounding moves an outline by half a unit, simplification by three above the last zoom.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict

from osgeo import gdal, ogr, osr

gdal.UseExceptions()
NEARBY, SHARED = sys.argv[1], sys.argv[2]
SOURCE = os.path.join(SHARED, "data/natural-earth/ne_110m_admin_0_countries.json")
ZOOMS = range(4)
WORLD = 40_075_016.685578488


def polygons(geometry):
    if geometry.GetGeometryName() == "POLYGON":
        return [geometry]
    parts = (geometry.GetGeometryRef(i) for i in range(geometry.GetGeometryCount()))
    return [polygon for part in parts for polygon in polygons(part)]


def expected():
    """Area and length of the outline of each country, on the map."""
    degrees, meters = osr.SpatialReference(), osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    meters.ImportFromEPSG(3857)
    to_map = osr.CoordinateTransformation(degrees, meters)
    world = ogr.CreateGeometryFromWkt(
        "POLYGON((-180 -85.05112878,180 -85.05112878,180 85.05112878,-180 85.05112878,"
        "-180 -85.05112878))")
    source = gdal.OpenEx(SOURCE)
    result = {}
    for feature in source.GetLayer(0):
        # As everywhere on the map, what reaches over the edge ends there.
        geometry = feature.GetGeometryRef().MakeValid().Intersection(world)
        geometry.Transform(to_map)
        parts = polygons(geometry)
        result[feature["ADM0_A3"]] = (
            sum(part.Area() for part in parts), sum(part.Boundary().Length() for part in parts))
    return result


countries = expected()
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(
        [NEARBY, "tiles", SOURCE, "-z", f"0-{ZOOMS[-1]}", "-q", "-o", folder + "/tiles/"], check=True)
    failures = 0
    for zoom in ZOOMS:
        tiles = gdal.OpenEx(f"MVT:{folder}/tiles/{zoom}", open_options=["CLIP=YES"])
        areas = defaultdict(float)
        for feature in tiles.GetLayer(0):
            areas[feature["ADM0_A3"]] += feature.GetGeometryRef().Area()
        unit = WORLD / 2**zoom / 4096
        allowed = 0.5 if zoom == ZOOMS[-1] else 3
        worst = max(
            (abs(areas[name] - area) / (length * unit), name)
            for name, (area, length) in countries.items())
        print(f"zoom {zoom}: {len(areas)} countries, areas within {worst[0]:.2f} units along the "
              f"outline ({worst[1]}), {allowed} allowed")
        failures += len(areas) != len(countries) or worst[0] > allowed
sys.exit(1 if failures else 0)
