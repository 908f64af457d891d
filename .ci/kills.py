#!/usr/bin/env python3
"""Kills nearby at random moments while it imports one file or several into a store, merges into, syncs
and compacts it, and makes sure each time that the store opens and holds the old version or the new one
whole, favorites intact. What is synced comes from a server of this process.

usage: .ci/kills.py NEARBY COUNT [SEED]
"""
import http.server
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROWS = 20_000


def main():
    nearby, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folder = tempfile.mkdtemp(prefix="nearby-kills-")
    os.chdir(folder)
    for version in (1, 2):
        write_source(version)
    run(nearby, "import", "v1.csv", "--store", "s.gpkg", "--layer", "shops")
    for shop in ("7", "19999"):
        run(nearby, "favorite", "add", shop, "--store", "s.gpkg")
    shutil.copy("s.gpkg", "start.gpkg")

    with Server() as server:
        tasks = {
            name: [word.replace("ADDRESS", server.address) for word in words]
            for name, words in TASKS.items()
        }
        kill_often(nearby, tasks, server, count, seed)
    shutil.rmtree(folder)


def kill_often(nearby, tasks, server, count, seed):
    randomness = random.Random(seed)
    durations = {}
    for task in tasks:
        reset("start.gpkg")
        server.version = 2
        begun = time.monotonic()
        run(nearby, *arguments_of(tasks[task], 2))
        durations[task] = time.monotonic() - begun
        assert version_held(nearby) == (1 if task == "compact" else 2), task
    killed = finished = old = new = 0
    killed_in = dict.fromkeys(tasks, 0)
    reset("start.gpkg")
    held = 1
    number = 0
    while killed < count:
        task = list(tasks)[number % len(tasks)]
        number += 1
        # The other version, so that each task has something to change.
        server.version = 3 - held
        arguments = arguments_of(tasks[task], server.version)
        process = subprocess.Popen([nearby, *arguments], stderr=subprocess.DEVNULL)
        time.sleep(randomness.uniform(0, durations[task] * 1.1))
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            finished += 1
        else:
            killed += 1
            killed_in[task] += 1
        found = version_held(nearby)
        assert found in ({held} if task == "compact" else {1, 2}), (number, task, held, found)
        if task != "compact":
            old, new = old + (found == held), new + (found != held)
        held = found
    leftovers = [name for name in os.listdir(".") if name.endswith(".partial")]
    print(
        f"{number} runs (seed {seed}): {killed} killed, {finished} were done before; "
        f"{old} updates found undone and {new} whole, none in between; "
        f"2 of 2 favorites each time; {len(leftovers)} .partial files left; killed during "
        + ", ".join(f"{task} {times}" for task, times in killed_in.items())
    )


TASKS = {
    "import": ("import", "VERSION.csv", "--store", "s.gpkg", "--layer", "shops", "--policy", "replace"),
    "several": ("import", "VERSION/marts.csv", "VERSION/shops.csv", "VERSION/deals.csv", "--store", "s.gpkg",
                "--policy", "replace"),
    "upsert": ("import", "VERSION.csv", "--store", "s.gpkg", "--layer", "shops", "--policy", "upsert"),
    "sync": ("sync", "ADDRESS/shops.csv", "--store", "s.gpkg", "--layer", "shops", "--replace"),
    "sync upsert": ("sync", "ADDRESS/shops.csv", "--store", "s.gpkg", "--layer", "shops", "--upsert"),
    "compact": ("store", "compact", "--store", "s.gpkg"),
}


def arguments_of(task, version):
    return [word.replace("VERSION", f"v{version}") for word in task]


class Server:
    """Gives the version of the moment, with an ETag, in pieces."""

    def __enter__(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                version = outer.version
                with open(f"v{version}.csv", "rb") as file:
                    content = file.read()
                self.send_response(200)
                self.send_header("ETag", f'"{version}"')
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                try:
                    for start in range(0, len(content), 1 << 16):
                        self.wfile.write(content[start:start + (1 << 16)])
                except OSError:
                    pass  # The client was killed.

            def log_message(self, *arguments):
                pass

        self.version = 1
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *failure):
        self.server.shutdown()


def write_source(version):
    with open(f"v{version}.csv", "w") as file:
        file.write("id,name,lat,lon\n")
        for row in range(ROWS):
            latitude = 30 + row % 997 / 100 + version / 1000
            file.write(f"{row},version {version} of {row},{latitude:.5f},{120 + row % 1009 / 100}\n")
    os.mkdir(f"v{version}")
    for layer in ("marts", "shops", "deals"):
        os.link(f"v{version}.csv", f"v{version}/{layer}.csv")


def run(nearby, *arguments):
    subprocess.run([nearby, *arguments], check=True, stderr=subprocess.DEVNULL)


def reset(source):
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists("s.gpkg" + suffix):
            os.remove("s.gpkg" + suffix)
    shutil.copy(source, "s.gpkg")


def version_held(nearby):
    """Which version the store holds; an error where it holds parts of two."""
    # The program opens it and answers.
    listing = subprocess.run(
        [nearby, "favorite", "list", "--store", "s.gpkg", "--format", "json"],
        check=True, capture_output=True)
    favorites = json.loads(listing.stdout)["favorites"]
    assert [(entry["id"], entry["present"]) for entry in favorites] == [
        ("7", True), ("19999", True)], favorites
    # Another program reads it, and finds each row, its box and its position of one version.
    database = sqlite3.connect("s.gpkg")
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    layers = database.execute("SELECT table_name FROM nearby_layers").fetchall()
    versions = {layer: version_of(layer, database) for (layer,) in layers}
    database.close()
    return versions["shops"]


def version_of(layer, database):
    (checked,) = database.execute(f"SELECT rtreecheck('rtree_{layer}_geom')").fetchone()
    assert checked == "ok", checked
    rows = database.execute(
        f"SELECT substr(name, 9, 1), count(*), count(DISTINCT id) FROM {layer} GROUP BY 1").fetchall()
    assert len(rows) == 1 and rows[0][1:] == (ROWS, ROWS), rows
    (boxes,) = database.execute(f"SELECT count(*) FROM rtree_{layer}_geom").fetchone()
    assert boxes == ROWS, boxes
    (low,) = database.execute(
        "SELECT min_y FROM gpkg_contents WHERE table_name = ?", (layer,)).fetchone()
    version = int(rows[0][0])
    assert abs(low - (30 + version / 1000)) < 1e-9, (low, version)
    return version


if __name__ == "__main__":
    main()
