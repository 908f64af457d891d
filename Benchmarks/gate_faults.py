#!/usr/bin/env python3
"""Puts faults into real tracks and counts which of them `nearby track` and gpsbabel throw out.

usage: gate_faults.py NEARBY [SHARED [SEEDS]]

NEARBY is the program, SHARED the folder with `conformance/gpx` (../shared), SEEDS how many times each
track gets other faults (20). Every fix says an accuracy of 10 m, unless said otherwise. Faults, each in a twentieth of the
fixes and never in two in a row, the first fix left out:

  spike    a single fix 100 m to 100 km aside, the lengths spread evenly by their logarithm
  zero     a single fix at 0,0
  swap     a single fix with latitude and longitude exchanged
  offset   a run of 2 to 5 fixes, all 200 m aside the same way
  gap      the fixes of 30 s left out (nothing to reject: what matters are the good ones behind it)

The gates are `--gate careful --hindsight`, which judges a fix when eight more have come, `--gate careful` and
`--gate none --max-speed 50m/s`, which judge it at once; gpsbabel runs its discard filter
(hdop=5; the fixes say 2) and its simplest filter against jumps, `track,speed` having none: it splits
tracks at jumps (`track,sdistance=0.1k`) and cannot drop, so that a fix counts as thrown out when it is a
track of its own there. Thrown out is what the gate calls rejected, and nothing else: a spike that is held,
of which no fence and no cleaned track makes anything, counts as missed. Prints Markdown tables: the
share of bad fixes thrown out, that of good ones, and for the careful gate those held although they
contradict those before. The second and third table have other faults on the same tracks, other accuracies, the
tracks backwards, every second, third, fifth and tenth fix of them, and two tracks more.
"""
import datetime
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import json
import xml.etree.ElementTree

ACCURACY = 10
RADIUS = 6371008.8
TRACKS = [
    "tracks/korita-zbevnica.gpx", "tracks/cerknicko-jezero.gpx", "tracks/garmin-activity.gpx",
    "tracks/gpsies_example.gpx", "tracks/gh-test1.gpx", "tracks/gh-tour-with-loop.gpx",
    "tracks/gh-issue-70.gpx", "phone_log.csv"]
OTHER_TRACKS = [
    "data/gpx/around-visnjan-with-car.gpx", "conformance/gpx/tracks/gh-tour3-with-long-edge.gpx"]
FAULTS = ["none", "spike", "zero", "swap", "offset", "gap", "all"]


def seconds(text):
    match = re.fullmatch(r"(.*T\d\d:\d\d:\d\d)(\.\d+)?(.*)", text.strip().replace("Z", "+00:00"))
    instant = datetime.datetime.fromisoformat(match[1] + (match[3] or "+00:00"))
    return instant.timestamp() + float(match[2] or 0)


def fixes(path):
    """(latitude, longitude, time) of every fix with a time."""
    if path.endswith(".csv"):
        with open(path, encoding="utf-8") as file:
            rows = [line.strip().split(",") for line in file][1:]
        return [(float(a), float(b), seconds(c)) for a, b, c in rows]
    found = []
    for point in xml.etree.ElementTree.parse(path).iter():
        if point.tag.rpartition("}")[2] == "trkpt":
            times = [child.text for child in point if child.tag.rpartition("}")[2] == "time"]
            if times:
                # One of the tracks begins in 1970, which gpsbabel takes for no time.
                time = seconds(times[0]) + (1.5e9 if seconds(times[0]) < 1e8 else 0)
                found.append((float(point.get("lat")), float(point.get("lon")), time))
    return found


def moved(fix, bearing, meters):
    latitude, longitude = math.radians(fix[0]), math.radians(fix[1])
    angle = meters / RADIUS
    north = math.asin(math.sin(latitude) * math.cos(angle)
                      + math.cos(latitude) * math.sin(angle) * math.cos(bearing))
    east = longitude + math.atan2(
        math.sin(bearing) * math.sin(angle) * math.cos(latitude),
        math.cos(angle) - math.sin(latitude) * math.sin(north))
    return math.degrees(north), (math.degrees(east) + 540) % 360 - 180, fix[2]


def faulty(track, fault, generator):
    """The track with faults: fixes, and which of them are bad."""
    out, bad, place, last = [], [], 0, True
    while place < len(track):
        fix = track[place]
        kind = fault if fault != "all" else generator.choice(FAULTS[1:6])
        if last or kind == "none" or generator.random() >= 0.05:
            out.append(fix)
            bad.append(False)
            place, last = place + 1, False
            continue
        last = True
        bearing = generator.uniform(0, 2 * math.pi)
        if kind == "gap":
            end = fix[2] + 30
            while place < len(track) and fix[2] <= track[place][2] < end:
                place += 1
            continue
        count = generator.randint(2, 5) if kind == "offset" else 1
        for fix in track[place:place + count]:
            if kind == "spike":
                fix = moved(fix, bearing, 10 ** generator.uniform(2, 5))
            elif kind == "zero":
                fix = (0.0, 0.0, fix[2])
            elif kind == "swap":
                fix = (fix[1], fix[0], fix[2])
            else:
                fix = moved(fix, bearing, 200)
            out.append(fix)
            bad.append(True)
        place += count
    return out, bad


def backwards(track):
    first, last = track[0][2], track[-1][2]
    return [(latitude, longitude, first + last - time) for latitude, longitude, time in track[::-1]]


def every(count, tracks, least):
    """One fix in `count` of the tracks with more than `least`."""
    return {name: track[::count] for name, track in tracks.items() if len(track) > least}


def thinned(tracks):
    """Two fixes in five of each track, by chance, and its first."""
    kept = {}
    for name, track in tracks.items():
        generator = random.Random(f"thin{name}")
        kept[name] = [
            fix for place, fix in enumerate(track) if place == 0 or generator.random() < 0.4]
    return kept


def gpx(track, path, accuracy=ACCURACY):
    with open(path, "w", encoding="utf-8") as file:
        file.write('<gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>\n')
        for number, (latitude, longitude, time) in enumerate(track):
            instant = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
            # gpsbabel keeps descriptions: by them the points that are left are told.
            file.write(
                f'<trkpt lat="{latitude:.9f}" lon="{longitude:.9f}">'
                f'<time>{instant.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]}Z</time>'
                f"<desc>{number}</desc><hdop>2</hdop>"
                f"<extensions><accuracy>{accuracy}</accuracy></extensions></trkpt>\n")
        file.write("</trkseg></trk></gpx>\n")


def nearby(program, path, count, *options):
    run = subprocess.run(
        [program, "track", path, "--format", "jsonl", *options], check=True,
        capture_output=True, text=True)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) == count, f"{len(rows)} verdicts for {count} fixes"
    return [word(row) for row in rows]


def word(row):
    """The verdict, or `doubted`: held, though something speaks against it."""
    codes = [reason["code"] for reason in row["reasons"]]
    is_doubted = row["verdict"] == "held" and len(codes) > 1 and "unconfirmed" in codes
    return "doubted" if is_doubted else row["verdict"]


def gpsbabel(path, count, *filters):
    """Which fixes are gone, or stand alone."""
    run = subprocess.run(
        ["gpsbabel", "-t", "-i", "gpx", "-f", path, *filters, "-o", "gpx", "-F", "-"],
        capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    gone = ["rejected"] * count
    for track in xml.etree.ElementTree.fromstring(run.stdout).iter():
        if track.tag.rpartition("}")[2] != "trk":
            continue
        numbers = [int(point.text) for point in track.iter()
                   if point.tag.rpartition("}")[2] == "desc" and (point.text or "").isdigit()]
        if len(numbers) > 1:
            for number in numbers:
                gone[number] = "accepted"
    return gone


def main():
    program = os.path.abspath(sys.argv[1])
    shared = sys.argv[2] if len(sys.argv) > 2 else os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared")
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    tools = {
        "nearby --gate careful --hindsight": lambda path, n: nearby(
            program, path, n, "--gate", "careful", "--hindsight"),
        "nearby --gate careful": lambda path, n: nearby(program, path, n, "--gate", "careful"),
        "nearby --max-speed 50m/s": lambda path, n: nearby(
            program, path, n, "--gate", "none", "--max-speed", "50m/s"),
        "gpsbabel discard,hdop=5": lambda path, n: gpsbabel(path, n, "-x", "discard,hdop=5"),
        "gpsbabel track,sdistance=0.1k": lambda path, n: gpsbabel(
            path, n, "-x", "track,pack,sdistance=0.1k"),
        "gpsbabel track,sdistance=1k": lambda path, n: gpsbabel(
            path, n, "-x", "track,pack,sdistance=1k"),
    }
    tracks = {name: fixes(os.path.join(shared, "conformance/gpx", name)) for name in TRACKS}
    others = {name: fixes(os.path.join(shared, name)) for name in OTHER_TRACKS}
    long = {name: track for name, track in {**tracks, **others}.items() if len(track) > 100}
    turned = {name: backwards(track) for name, track in tracks.items()}
    ours = {tool: tools[tool] for tool in list(tools)[:2]}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "track.gpx")
        counts = counted(tools, tracks, seeds, path)
        held_out = {
            "other faults": counted(ours, tracks, 2 * seeds, path, "held"),
            "accuracy 5 m": counted(ours, tracks, seeds, path, "a5", 5),
            "accuracy 20 m": counted(ours, tracks, seeds, path, "a20", 20),
            "backwards": counted(ours, turned, seeds, path, "r"),
            "every second fix": counted(
                ours, every(2, {**tracks, **others}, 60), seeds, path, "s"),
            "every third fix": counted(
                ours, every(3, tracks, 100), 2 * seeds, path, "t"),
            "every fifth fix": counted(
                ours, every(5, {**tracks, **others}, 100), 2 * seeds, path,
                "f"),
            "every tenth fix": counted(
                ours, every(10, tracks, 250), 2 * seeds, path, "x"),
            "two tracks more": counted(ours, others, 3 * seeds, path, "h"),
            "more faults": counted(ours, tracks, 2 * seeds, path, "fresh"),
            "accuracy 15 m": counted(ours, tracks, seeds, path, "z", 15),
            "two fixes in five": counted(
                ours, thinned(long), 2 * seeds, path, "w"),
            "every third from the second": counted(
                ours, {name: track[1::3] for name, track in long.items()},
                2 * seeds, path, "u"),
            "every third from the third, backwards": counted(
                ours,
                {name: backwards(track[2::3]) for name, track in long.items()}, 2 * seeds, path,
                "v"),
            "every fourth fix": counted(
                ours, every(4, long, 100), 2 * seeds, path, "q"),
            "every seventh fix": counted(
                ours, every(7, long, 150), 2 * seeds, path, "y", 8),
        }

    head = "| | " + " | ".join(FAULTS) + " |\n|---" + "|---" * len(FAULTS) + "|"
    print(f"All tracks: bad fixes thrown out / good fixes thrown out\n\n{head}")
    for tool in tools:
        print(f"| `{tool}` | " + " | ".join(share(counts, tool, [f]) for f in FAULTS) + " |")
    for tool in ours:
        print(f"\nOthers: bad / good thrown out (each: held in doubt), {tool}\n\n{head}")
        for name, some in {"as above": counts, **held_out}.items():
            print(f"| {name} | " + " | ".join(share(some, tool, [f], doubts=True) for f in FAULTS)
                  + " |")
    print("\nSpikes by track\n")
    print("| track | fixes | median step | " + " | ".join(f"`{tool}`" for tool in tools) + " |")
    print("|---|--:|--:|" + "---|" * len(tools))
    for name, track in tracks.items():
        steps = sorted(b[2] - a[2] for a, b in zip(track, track[1:]))
        print(f"| {os.path.basename(name)} | {len(track)} | {steps[len(steps) // 2]:.0f} s | "
              + " | ".join(share(counts, tool, ["spike"], name) for tool in tools) + " |")


def counted(tools, tracks, seeds, path, salt="", accuracy=ACCURACY):
    """(tool, fault, track): bad, bad thrown out, good, good thrown out, good and bad doubted."""
    counts = {}
    for fault in FAULTS:
        for name, track in tracks.items():
            for seed in range(1 if fault == "none" else seeds):
                faults, bad = faulty(track, fault, random.Random(f"{salt}{fault}/{name}/{seed}"))
                gpx(faults, path, accuracy)
                for tool, judge in tools.items():
                    cell = counts.setdefault((tool, fault, name), [0] * 6)
                    for is_bad, verdict in zip(bad, judge(path, len(faults))):
                        cell[0 if is_bad else 2] += 1
                        cell[1 if is_bad else 3] += verdict == "rejected"
                        cell[5 if is_bad else 4] += verdict == "doubted"
    return counts


def share(counts, tool, faults, track=None, doubts=False):
    cells = [cell for key, cell in counts.items()
             if key[0] == tool and key[1] in faults and track in (None, key[2])]
    bad, caught, good, lost, doubted, waiting = (sum(column) for column in zip(*cells))
    text = f"{lost / good:.2%}" if good else "–"
    if doubts:
        text += f" ({doubted / good:.1%})"
    held = f" ({waiting / bad:.1%})" if bad and doubts else ""
    return (f"{caught / bad:.1%}{held} / " if bad else "") + text


main()
