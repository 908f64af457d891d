#!/usr/bin/env python3
"""Lets every command of nearby that writes run out of disk, and makes sure that it says so with a code
and an exit status, leaves nothing half written and what was there as it was; and gives every command a
standard output that takes nothing.

The disk is a tmpfs of 256 kB, which only root may mount; without that this half is skipped, and says so.

usage: .ci/full_disk.py NEARBY
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROWS = 8_000
SIZE = "256k"
BEFORE = b"what was there before\n"


def main():
    nearby = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="nearby-full-") as folder:
        os.chdir(folder)
        write_sources()
        run(nearby, "import", "few.csv", "--store", "few.gpkg", "--layer", "shops", check=True)
        run(nearby, "import", "shops.csv", "--store", "many.gpkg", "--layer", "shops", check=True)
        run(nearby, "favorite", "add", "7", "--store", "many.gpkg", check=True)
        run(nearby, "index", "build", "shops.csv", "-o", "shops.nbx", check=True)
        problems = standard_output(nearby) + full_disk(nearby)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def write_sources():
    for name, rows in (("shops.csv", ROWS), ("few.csv", 40)):
        with open(name, "w") as file:
            file.write("id,name,kind,lat,lon,address,opening_hours,day\n")
            for row in range(rows):
                latitude, longitude = 37.4 + row % 997 / 4000, 126.8 + row % 1009 / 3000
                file.write(
                    f"{row},가게 {row},mart,{latitude:.6f},{longitude:.6f},서울특별시 종로구 {row},"
                    "Mo-Fr 09:00-18:00,2026-11-22\n")
    with open("walk.gpx", "w") as file:
        file.write('<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n')
        for second in range(ROWS):
            time = f"2026-11-22T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"
            file.write(
                f'<trkpt lat="{37.5 + second * 1.3e-5:.6f}" lon="127.01"><time>{time}</time></trkpt>\n')
        file.write("</trkseg></trk></gpx>\n")
    ring = [[126.8, 37.4], [127.2, 37.4], [127.2, 37.7], [126.8, 37.7], [126.8, 37.4]]
    with open("area.geojson", "w") as file:
        file.write(f'{{"type":"Polygon","coordinates":[{ring}]}}')


HERE = ("--lat", "37.5", "--lon", "127")
BOX = "126.8,37.4,127.2,37.7"


# MARK: Standard output

# Every command, as it is used most.
PRINTING = {
    "help": ("--help",),
    "version": ("--version",),
    "help of a command": ("tiles", "--help"),
    "find": HERE,
    **{
        f"find --format {format}": (*HERE, "-k", "all", "shops.csv", "--format", format)
        for format in ("table", "json", "jsonl", "csv", "geojson", "geojsonseq", "gpx", "ids")
    },
    "bbox": ("bbox", BOX, "shops.csv"),
    "bbox --count": ("bbox", BOX, "shops.csv", "--count"),
    "within": ("within", "area.geojson", "shops.csv"),
    "join": ("join", "few.csv", "shops.csv", "-k", "1"),
    "map": ("map", "shops.csv"),
    "cluster": ("cluster", "--bbox", BOX, "--zoom", "12", "shops.csv"),
    "info": ("info", "shops.csv"),
    "info --format json": ("info", "shops.csv", "--format", "json"),
    "check": ("check", "shops.csv"),
    "check --format json": ("check", "shops.csv", "--format", "json"),
    **{
        f"convert --format {format}": ("convert", "shops.csv", "--format", format)
        for format in ("csv", "geojson", "geojsonseq", "jsonl", "gpx")
    },
    "export": ("export", "--html", "shops.csv"),
    "geohash encode": ("geohash", "encode", "37.5,127,6"),
    "geohash cover": ("geohash", "cover", "--bbox", BOX, "--precision", "6"),
    "geohash count": ("geohash", "count", "--bbox", BOX, "--precision", "5", "shops.csv"),
    "distance": ("distance", "37.5,127,37.6,127.1"),
    "transform": ("transform", "--from", "EPSG:4326", "--to", "EPSG:3857", "127,37.5"),
    **{
        f"track --format {format}": ("track", "walk.gpx", "--format", format)
        for format in ("table", "json", "jsonl", "gpx", "geojson", "csv")
    },
    **{
        f"fence --format {format}": (
            "fence", "walk.gpx", "shops.csv", "--radius", "900m", "--format", format)
        for format in ("table", "json", "jsonl", "csv", "geojson")
    },
    "hours": ("hours", "Mo-Fr 09:00-18:00", "--at", "2026-11-24T10:30", "--tz", "Asia/Seoul"),
    "hours --format ics": ("hours", "shops.csv", "--id", "7", "--format", "ics", "--tz", "Asia/Seoul"),
    "index info": ("index", "info", "shops.nbx"),
    "index verify": ("index", "verify", "shops.nbx"),
    "completions": ("completions", "bash"),
    "store info": ("store", "info", "--store", "many.gpkg"),
    "store unplaced": ("store", "unplaced", "--store", "many.gpkg"),
    "favorite list": ("favorite", "list", "--store", "many.gpkg"),
}


def standard_output(nearby):
    problems = []
    for name, words in PRINTING.items():
        with open("/dev/full", "w") as full:
            answer = subprocess.run([nearby, *words], stdout=full, stderr=subprocess.PIPE, text=True)
        problems += judged(f"{name} > /dev/full", answer, statuses={74})
    print(f"{len(PRINTING)} commands before a standard output that takes nothing")
    return problems


# MARK: A disk

# What writes files; FILE is on the small disk.
WRITING = {
    "index build": ("index", "build", "shops.csv", "-o", "FILE.nbx"),
    **{
        f"find -o .{ending}": (*HERE, "-k", "all", "shops.csv", "-o", f"FILE.{ending}")
        for ending in ("json", "jsonl", "csv", "geojson", "geojsonl", "gpx", "txt")
    },
    "bbox": ("bbox", BOX, "shops.csv", "-o", "FILE.geojson"),
    "within": ("within", "area.geojson", "shops.csv", "-o", "FILE.geojson"),
    "join": ("join", "shops.csv", "shops.csv", "-k", "9", "-o", "FILE.csv"),
    "cluster": ("cluster", "--bbox", BOX, "--zoom", "18", "shops.csv", "-o", "FILE.geojson"),
    "check --rejects": ("check", "shops.csv", "--region", "JP", "--rejects", "FILE.csv"),
    **{
        f"convert .{ending}": ("convert", "shops.csv", "-o", f"FILE.{ending}")
        for ending in ("csv", "geojson", "geojsonl", "jsonl", "gpx", "gpkg")
    },
    "export": ("export", "shops.csv", "-o", "FILE.html"),
    "tiles": ("tiles", "shops.csv", "-z", "0-14", "-o", "FILE.pmtiles"),
    **{
        f"track .{ending}": ("track", "walk.gpx", "--gate", "1m", "-o", f"FILE.{ending}")
        for ending in ("json", "jsonl", "gpx", "geojson", "csv")
    },
    "fence": (
        "fence", "walk.gpx", "shops.csv", "--radius", "2km", "--gate", "1m", "-o", "FILE.jsonl"),
    "hours": ("hours", "shops.csv", "--closed", "2026-11-22", "--tz", "Asia/Seoul", "-o", "FILE.ics"),
    "diff": (
        "cluster", "diff", "--from-view", "0,0,1,1,18", "--to-view", f"{BOX},18", "shops.csv", "-o", "FILE.geojson"),
}


def full_disk(nearby):
    os.mkdir("disk")
    try:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "nearby", "disk"], capture_output=True, text=True)
        refusal = mounted.stderr.strip() if mounted.returncode else None
    except OSError as error:
        refusal = str(error)
    if refusal is not None:
        print(f"skipped: a disk of {SIZE}B, which cannot be mounted here: {refusal}")
        return []
    try:
        problems = []
        for name, words in WRITING.items():
            for exists in (False, True):
                # Tiles are written by a task of their own, whose end and the program's may come in
                # either order.
                for _ in range(10 if name == "tiles" else 1):
                    problems += whole_or_not_at_all(nearby, name, words, exists)
        problems += folder_of_tiles(nearby) + stores(nearby) + full_from_the_start(nearby)
        print(f"{len(WRITING)} commands that write, on a disk of {SIZE}B, where a file was and where none was")
        return problems
    finally:
        subprocess.run(["umount", "disk"], check=True)


def whole_or_not_at_all(nearby, name, words, exists):
    words = [word.replace("FILE", "disk/out") for word in words]
    output = next(word for word in words if word.startswith("disk/out"))
    if exists:
        with open(output, "wb") as file:
            file.write(BEFORE)
    before = contents("disk")
    answer = run(nearby, *words)
    problems = judged(f"{name}, a file {'was' if exists else 'was not'} there", answer, {73, 74})
    problems += unchanged(name, before)
    clear()
    return problems


def folder_of_tiles(nearby):
    """New tiles are written beside the ones in a folder, which stay if there is no room."""
    problems = []
    run(nearby, "tiles", "few.csv", "-z", "0-0", "-o", "disk/tiles/", check=True)
    before = contents("disk")
    answer = run(nearby, "tiles", "shops.csv", "-z", "0-14", "-o", "disk/tiles/")
    problems += judged("tiles into a folder", answer, {73, 74}) + unchanged("tiles into a folder", before)
    clear()
    return problems


# What changes a store; STORE is on the small disk, and has room for little more.
CHANGING = {
    "import": ("import", "shops.csv", "--store", "STORE", "--layer", "more"),
    "import --policy replace": (
        "import", "shops.csv", "--store", "STORE", "--layer", "shops", "--policy", "replace"),
    "import --policy upsert": (
        "import", "shops.csv", "--store", "STORE", "--layer", "shops", "--policy", "upsert"),
    "sync": ("sync", "shops.csv", "--store", "STORE", "--layer", "shops", "--replace"),
    "a new store": ("import", "shops.csv", "--store", "disk/new.gpkg", "--layer", "shops"),
}


def stores(nearby):
    """A store on a full disk keeps what it had, and goes on answering."""
    problems = []
    for name, words in CHANGING.items():
        shutil.copy("few.gpkg", "disk/store.gpkg")
        held = answers(nearby)
        files = os.listdir("disk")
        words = [word.replace("STORE", "disk/store.gpkg") for word in words]
        answer = run(nearby, *words)
        problems += judged(name, answer, {73, 74})
        if sorted(os.listdir("disk")) != sorted(files):
            problems.append(f"{name}: leaves {os.listdir('disk')}, not {files}")
        if answers(nearby) != held:
            problems.append(f"{name}: the store answers {answers(nearby)}, not {held}")
        clear()
    return problems


def full_from_the_start(nearby):
    """A store in write-ahead mode answers although there is no room for its -shm, and says why it cannot be written."""
    problems = []
    shutil.copy("few.gpkg", "disk/store.gpkg")
    # What opens it for writing leaves it in that mode.
    run(nearby, "store", "compact", "--store", "disk/store.gpkg", check=True)
    held = answers(nearby)
    for name in os.listdir("disk"):
        if name != "store.gpkg":
            os.remove(f"disk/{name}")
    try:
        with open("disk/filler", "wb", buffering=0) as filler:
            while filler.write(bytes(512)):
                pass
    except OSError:
        pass
    for time in ("first", "second"):
        if answers(nearby) != held:
            problems.append(f"a full disk, the {time} time: the store answers {answers(nearby)}, not {held}")
    answer = run(nearby, "favorite", "add", "7", "--store", "disk/store.gpkg")
    problems += judged("favorite add on a full disk", answer, {73})
    clear()
    return problems


def answers(nearby):
    """What the store says when asked, by the index beside it or, where that has no room, without."""
    return [
        run(nearby, *words, check=True, NEARBY_STORE="disk/store.gpkg").stdout
        for words in (("store", "info"), (*HERE, "--format", "csv"), ("favorite", "list"))
    ]


def judged(name, answer, statuses):
    """What is wrong with how a command failed."""
    problems = []
    if answer.returncode not in statuses:
        problems.append(f"{name}: status {answer.returncode}, not {statuses}")
    errors = [line for line in answer.stderr.splitlines() if line.startswith("error: ")]
    if len(errors) != 1 or not re.search(r"^error: [a-z-]+: .*(no space left|disk is full)", errors[0]):
        problems.append(f"{name}: says {answer.stderr!r}")
    return problems


def unchanged(name, before):
    after = contents("disk")
    return [] if after == before else [f"{name}: the disk held {before}, then {after}"]


def contents(folder):
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(parent, name), "rb") as file:
                found[os.path.join(parent, name)] = hashlib.sha256(file.read()).hexdigest()[:8]
    return found


def clear():
    subprocess.run("rm -rf disk/* disk/.[!.]*", shell=True, check=True)


def run(nearby, *words, check=False, **variables):
    answer = subprocess.run(
        [nearby, *words], capture_output=True, text=True, env={**os.environ, **variables})
    if check and answer.returncode:
        sys.exit(f"{' '.join(words)}: {answer.stderr}")
    return answer


if __name__ == "__main__":
    main()
