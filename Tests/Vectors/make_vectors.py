#!/usr/bin/env python3
"""Writes the vectors of this folder again, byte for byte: see README.md.

Usage: make_vectors.py [FOLDER]

Needs what README.md names, at its versions; the build and the tests never run it.
"""

import csv
import datetime
import io
import json
import os
import math
import random
import struct
import sys
import xml.etree.ElementTree as XML

import gpxpy.gpx
import holidays
import pygeohash
from dateutil.rrule import rrulestr
from geographiclib.geodesic import Geodesic
from opening_hours import OpeningHours
from pyproj import Transformer

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def table(name, header, rows):
    write(name, "".join(",".join(map(str, row)) + "\n" for row in [header, *rows]))


def lines(name, values):
    write(name, "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values))


def place(numbers):
    return round(numbers.uniform(-90, 90), 6), round(numbers.uniform(-180, 180), 6)


def geodesics():
    numbers = random.Random(17)
    pairs = [
        # Seoul to Tokyo and Incheon, the poles, half the equator and a little less, across 180°.
        (37.5665, 126.978, 35.6812, 139.7671), (37.5665, 126.978, 37.4563, 126.7052),
        (90, 0, -90, 0), (0, 0, 0, 180), (0, 0, 0, 179.5), (0, 0, 0.5, 179.5),
        (0, 0, 0.5, 179.7), (51, 179.9, 52, -179.9), (-89.999999, 10, -89.999999, -170),
        (37.5, 127, 37.5, 127), (37.5, 127, 37.500001, 127), (30, 0, -30, 179.99),
    ]
    for _ in range(20):
        pairs.append((*place(numbers), *place(numbers)))
    for scale in (1e-5, 1e-3, 0.1, 1):
        for _ in range(4):
            (a, b) = (round(numbers.uniform(-80, 80), 6), round(numbers.uniform(-170, 170), 6))
            pairs.append(
                (a, b, round(a + numbers.uniform(-scale, scale), 8),
                 round(b + numbers.uniform(-scale, scale), 8)))
    # Nearly opposite each other.
    for _ in range(12):
        (a, b) = (round(numbers.uniform(-80, 80), 6), round(numbers.uniform(-170, -10), 6))
        pairs.append(
            (a, b, round(-a + numbers.uniform(-0.5, 0.5), 6),
             round(b + 180 + numbers.uniform(-0.5, 0.5), 6)))
    table("geodesics.csv", ["lat1", "lon1", "lat2", "lon2", "meters"], (
        [*pair, f"{Geodesic.WGS84.Inverse(*pair)['s12']:.7f}"] for pair in pairs))


def geohashes():
    numbers = random.Random(17)
    places = [(37.5665, 126.978), (0.1, 0.1), (-0.1, -0.1), (89.9, 179.9), (-89.9, -179.9)]
    places += [place(numbers) for _ in range(35)]
    rows = []
    for count, (latitude, longitude) in enumerate(places):
        text = pygeohash.encode(latitude, longitude, precision=1 + count % 12)
        box = pygeohash.get_bounding_box(text)
        rows.append([latitude, longitude, text, *(
            repr(edge) for edge in (box.min_lat, box.max_lat, box.min_lon, box.max_lon))])
    table("geohashes.csv", ["lat", "lon", "geohash", "south", "north", "west", "east"], rows)


def grids():
    numbers = random.Random(17)
    korea, japan = (34.5, 38, 126.2, 129.3), (34.9, 36.2, 138.2, 140.4)
    world = (-79, 79, -179, 179)
    rows = []
    for code, (south, north, west, east), count in (
        (5174, korea, 6), (5179, korea, 6), (5181, korea, 4), (5186, korea, 6), (5187, korea, 4),
        (6677, japan, 6), (2451, japan, 4), (30169, japan, 4), (3857, world, 6),
        (32652, korea, 4), (32654, japan, 4),
    ):
        forward = Transformer.from_crs(4326, code, always_xy=True)
        for _ in range(count):
            latitude = round(numbers.uniform(south, north), 6)
            longitude = round(numbers.uniform(west, east), 6)
            x, y = forward.transform(longitude, latitude)
            rows.append([code, latitude, longitude, f"{x:.4f}", f"{y:.4f}"])
    table("grids.csv", ["epsg", "lat", "lon", "x", "y"], rows)


def recurrences():
    rules = [
        ("20260105T090000", "FREQ=DAILY;COUNT=5"),
        ("20260105T090000", "FREQ=DAILY;INTERVAL=10;COUNT=5"),
        ("20260105T090000", "FREQ=WEEKLY;UNTIL=20260301T000000;WKST=SU;BYDAY=TU,TH"),
        ("20260105T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=MO,WE,FR"),
        ("20260105T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=MO;BYDAY=SU,TU"),
        ("20260101T000000", "FREQ=MONTHLY;COUNT=10;BYDAY=2SU,4SU"),
        ("20260101T000000", "FREQ=MONTHLY;COUNT=10;BYDAY=-1FR"),
        ("20260101T000000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=31"),
        ("20260101T000000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=-1"),
        ("20260101T000000", "FREQ=MONTHLY;COUNT=8;BYDAY=FR;BYMONTHDAY=13"),
        ("20260101T000000", "FREQ=MONTHLY;COUNT=8;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("20260101T000000", "FREQ=MONTHLY;INTERVAL=18;COUNT=6;BYMONTHDAY=10,11"),
        ("20260101T000000", "FREQ=YEARLY;COUNT=6;BYMONTH=1,9"),
        ("20240229T120000", "FREQ=YEARLY;COUNT=4"),
        ("20260101T000000", "FREQ=YEARLY;COUNT=6;BYDAY=20MO"),
        ("20260101T000000", "FREQ=YEARLY;COUNT=6;BYWEEKNO=20;BYDAY=MO"),
        ("20260101T000000", "FREQ=YEARLY;COUNT=6;BYYEARDAY=1,100,-1"),
        ("20260101T000000", "FREQ=YEARLY;COUNT=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8"),
        ("20260101T093000", "FREQ=DAILY;COUNT=6;BYHOUR=9,18;BYMINUTE=0,30"),
        ("20260101T230000", "FREQ=HOURLY;INTERVAL=5;COUNT=5"),
    ]
    values = []
    for start, rule in rules:
        first = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")
        dates = [f"{date:%Y%m%dT%H%M%S}" for date in rrulestr(rule, dtstart=first)]
        values.append({"dtstart": start, "rrule": rule, "expected": dates})
    lines("recurrences.jsonl", values)


def opening_hours():
    # Written for this folder after the specification of opening_hours; none is of a real place.
    values = [
        "24/7", "10:00-20:00", "Mo-Fr 09:00-18:00", "Mo-Fr 09:00-12:00,13:00-18:00; Sa 09:00-13:00",
        "Mo-Sa 10:00-22:00; Su off", "Fr,Sa 18:00-02:00",
        "Mo-Su 22:00-06:00", "Sa-Mo 08:00-10:00", "09:00-18:00; We off",
        "Jun-Aug 09:00-21:00; Sep-May 10:00-17:00", "Nov 20-Nov 28 12:00-15:00",
        "Nov 26 off", "2026 Mo-Fr 08:00-16:00", "2025 Mo-Fr 08:00-16:00",
        "Su[4] 10:00-12:00", "Su[-1] 10:00-12:00", "Mo-Fr 08:00-17:00; Tu[4] off",
        "Mo-Fr 09:00-18:00, We 19:00-21:00", "Mo 10:00-12:00; Mo 14:00-16:00",
        "Mo-Fr 09:00-17:00 unknown",
        "week 48 10:00-14:00", "week 01-47 10:00-14:00",
        "10:00-26:00", "Dec-Feb off; 10:00-18:00", "Mo-We,Fr 07:30-15:45",
        "Nov Mo-Fr 09:00-10:00; Nov 23 11:00-12:00", "off", "Su-Tu 20:00-03:00; We 12:00-13:00",
    ]
    # Left out, where opening_hours.js and opening-hours-rs read the specification apart, and Nearby goes with
    # the former: what passes midnight into a day that an earlier rule names ("Mo-Th 11:00-23:00; Fr-Su
    # 11:00-01:30"), a comment instead of times ('Sa "by appointment"'), a fallback on a day that has
    # hours ("Mo-Fr 09:00-17:00 || 20:00-21:00").
    # From a Monday to the Wednesday of the week after: the end of a month, too.
    start, end = datetime.datetime(2026, 11, 23), datetime.datetime(2026, 12, 2)
    rows = []
    for value in values:
        spans = [
            [f"{a:%Y-%m-%dT%H:%M}", f"{b:%Y-%m-%dT%H:%M}", str(state).split(".")[-1].lower()]
            for a, b, state, _ in OpeningHours(value).intervals(start, end)]
        rows.append({
            "value": value, "from": f"{start:%Y-%m-%dT%H:%M}", "to": f"{end:%Y-%m-%dT%H:%M}",
            "intervals": [span for span in spans if span[2] != "closed"]})
    lines("opening_hours.jsonl", rows)


def public_holidays():
    rows = []
    for country in ("KR", "JP"):
        for date in sorted(holidays.country_holidays(country, years=range(2024, 2028))):
            rows.append([country, date.isoformat()])
    table("public_holidays.csv", ["country", "date"], rows)


def tables():
    texts = [
        "a,b,c\n1,2,3\n", "a,b\r\n1,2\r\n", 'a,b\n"1,5",2\n', 'a,b\n"say ""yes""",2\n',
        'a,b\n"two\nlines",2\n', 'a,b\n"two\r\nlines",2\n', "a,b\n1,2", "a,b\n,\n", 'a,b\n"",""\n',
        "a,b\n 1 , 2 \n", 'name,kind\n"서울, 중구",시장\n', "名称,緯度\n焼津,34.8669\n",
        'a\n"x"\n""\n', "a,b\n1,2\n1,2\n", 'a,b\n"#1",2\n',
    ]
    lines("tables.jsonl", (
        {"text": text, "rows": list(csv.reader(io.StringIO(text, newline="")))} for text in texts))


def encodings():
    korean = "이름,위도,경도,주소\n중앙약국,37.5665,126.978,서울특별시 중구 세종대로\n똠방각하,35.1796,129.0756,부산 연제구\n"
    japanese = "名称,緯度,経度,住所\n中央薬局,35.6812,139.7671,東京都千代田区\n焼津さかなセンター,34.8669,138.3239,静岡県焼津市\n"
    lines("encodings.jsonl", (
        {"encoding": name, "hex": (text.encode(codec)).hex(), "text": text}
        for name, codec, text in (
            ("cp949", "cp949", korean), ("shift_jis", "cp932", japanese),
            ("euc_jp", "euc_jp", japanese), ("utf-8", "utf-8-sig", korean),
            ("utf-16", "utf-16", japanese))))


def walk():
    """A GPX file by gpxpy, and what a plain walk of its XML counts."""
    numbers = random.Random(17)
    file = gpxpy.gpx.GPX()
    file.waypoints.append(gpxpy.gpx.GPXWaypoint(37.5665, 126.978, elevation=38, name="시청 <1>"))
    route = gpxpy.gpx.GPXRoute(name="R & S")
    route.points = [gpxpy.gpx.GPXRoutePoint(37.5 + i / 100, 127) for i in range(3)]
    file.routes.append(route)
    track = gpxpy.gpx.GPXTrack(name="Walk")
    time = datetime.datetime(2026, 11, 23, 8, tzinfo=datetime.timezone.utc)
    latitude, longitude = 37.57, 126.97
    for length in (12, 1, 20):
        segment = gpxpy.gpx.GPXTrackSegment()
        for _ in range(length):
            segment.points.append(
                gpxpy.gpx.GPXTrackPoint(latitude, longitude, elevation=30, time=time))
            latitude = round(latitude + numbers.uniform(-1e-4, 3e-4), 7)
            longitude = round(longitude + numbers.uniform(-1e-4, 3e-4), 7)
            time += datetime.timedelta(seconds=numbers.choice((1, 2, 5)))
        track.segments.append(segment)
    file.tracks.append(track)
    text = file.to_xml("1.1")
    write("walk.gpx", text)
    root = XML.fromstring(text)
    tag = "{http://www.topografix.com/GPX/1/1}"
    meters = 0
    for segment in root.iter(tag + "trkseg"):
        points = [(float(p.get("lat")), float(p.get("lon"))) for p in segment.iter(tag + "trkpt")]
        for a, b in zip(points, points[1:]):
            meters += Geodesic.WGS84.Inverse(*a, *b)["s12"]
    counts = {
        name: sum(1 for _ in root.iter(tag + name))
        for name in ("trk", "trkseg", "trkpt", "rte", "rtept", "wpt", "time")}
    lines("walk.jsonl", [{**counts, "meters": round(meters, 4)}])


def clusters():
    """The rule of supercluster in plain loops: https://github.com/mapbox/supercluster (ISC)."""
    numbers = random.Random(17)
    float32 = lambda number: struct.unpack("f", struct.pack("f", number))[0]
    places = [
        (round(latitude + numbers.gauss(0, spread), 5), round(longitude + numbers.gauss(0, spread), 5))
        for latitude, longitude, spread, count in (
            (37.55, 126.98, 0.05, 25), (35.68, 139.76, 0.05, 20), (48.85, 2.35, 0.2, 10),
            (-36.8, 174.7, 0.5, 8), (0, 0, 20, 17))
        for _ in range(count)]
    start = []
    for latitude, longitude in places:
        sine = math.sin(math.radians(latitude))
        y = 0.5 - 0.25 * math.log((1 + sine) / (1 - sine)) / math.pi
        start.append((float32(longitude / 360 + 0.5), float32(y), 1))

    def rule(minimum):
        items, zooms = start, []
        for zoom in range(16, -1, -1):
            radius = 40 / (512 * 2 ** zoom)
            taken, out = set(), []
            for i, (x, y, count) in enumerate(items):
                if i in taken:
                    continue
                near = [
                    j for j, (a, b, _) in enumerate(items) if j != i and j not in taken
                    and (float32(a) - x) ** 2 + (float32(b) - y) ** 2 <= radius ** 2]
                taken.update([i, *near])
                total = count + sum(items[j][2] for j in near)
                if near and total >= minimum:
                    x, y = (
                        (items[i][k] * count + sum(items[j][k] * items[j][2] for j in near)) / total
                        for k in (0, 1))
                    out.append((x, y, total))
                else:
                    # Too few stay apart, and none of them joins others at this zoom.
                    out += [items[j] for j in [i, *near]]
            items = out
            zooms.append({"zoom": zoom, "counts": sorted((n for _, _, n in items), reverse=True)})
        return {"places": places, "minPoints": minimum, "zooms": zooms}

    lines("clusters.jsonl", [rule(2), rule(5)])


for make in (geodesics, geohashes, grids, recurrences, opening_hours, public_holidays, tables,
             encodings, walk, clusters):
    make()
