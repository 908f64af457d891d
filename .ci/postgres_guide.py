#!/usr/bin/env python3
"""Runs the statements of SeveralServers.md as they stand there, while a layer is written to and read.

    .ci/postgres_guide.py PROGRAM

Starts three servers in a folder of its own. Fails where a statement does, where a reader sees an annotation twice or not at all, where
an acknowledged write is gone, and where a partition does not end up where the page says.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

program = os.path.abspath(sys.argv[1])
here = os.path.dirname(os.path.abspath(__file__))
page = open(os.path.join(here, "../Sources/PostGISStore/PostGISStore.docc/SeveralServers.md")).read()
folder = tempfile.mkdtemp(prefix="nearby-guide-")
os.chmod(folder, 0o755)
address = f"postgres:///maps?host={folder}/pg&user=postgres"
servers = {"first": f"{folder}/pg", "new": f"{folder}/pg/one"}
script = os.path.join(here, "postgres")


def psql(server, sql):
    done = subprocess.run(["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-h", servers[server], "-U", "postgres", "maps"],
                          input=sql, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{server}: {sql}\n{done.stderr}")
    return done.stdout.strip()


def nearby(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=120)


def expect(is_true, what):
    if not is_true:
        sys.exit(f"not so: {what}")


def rows(count, version):
    return "id,name,lat,lon\n" + "".join(
        f"{number},{version},{33 + number % 60 / 10},{124 + number % 130 / 10}\n" for number in range(count))


subprocess.run([script, "start", servers["first"], "one"], check=True, stdout=subprocess.DEVNULL)
try:
    for server in servers:
        subprocess.run([program, "store", "schema"], check=True, stdout=open(f"{folder}/schema.sql", "w"))
        psql(server, open(f"{folder}/schema.sql").read())
    count = 2_000
    source = f"{folder}/shops.csv"
    open(source, "w").write(rows(count, 0))
    done = nearby("import", source, "--store", address, "--layer", "shops")
    expect(done.returncode == 0, done.stderr)

    over = threading.Event()
    written, reads, slips = [0], [0], []

    def write():
        version = 0
        while not over.is_set():
            version += 1
            open(source, "w").write(rows(count, version))
            done = nearby("import", source, "--store", address, "--layer", "shops")
            if done.returncode:
                slips.append(done.stderr)
            else:
                written[0] = version
            time.sleep(0.2)

    def read():
        while not over.is_set():
            before = written[0]
            done = nearby(address, "--layer", "shops", "--lat", "36", "--lon", "128", "-k", "50", "--format", "json")
            if done.returncode:
                slips.append(done.stderr)
                continue
            answer = json.loads(done.stdout)
            found = answer["results"]
            names = {int(row["name"]) for row in found}
            if not answer["complete"] or len(found) != 50 or len({row["id"] for row in found}) != 50 or len(names) != 1 or min(names) < before:
                slips.append(f"{answer['complete']}, {len(found)} rows, versions {names} after {before}")
            reads[0] += 1

    threads = [threading.Thread(target=work) for work in (write, read)]
    for thread in threads:
        thread.start()
    blocks = re.findall(r"```sql\n-- (first|new)(, until r)?\n(.*?)```", page, re.S)
    expect(len(blocks) >= 12, f"{len(blocks)} statements on the page")
    for server, waits, sql in blocks:
        sql = sql.replace("/tmp/pg", servers["first"])
        if "take_partition" in sql:
            # It is there now.
            kind = psql("first", "SELECT relkind FROM pg_class WHERE relname = 'shops w'")
            expect(kind == "f", f"after moving, 'shops w' is of kind {kind}")
            time.sleep(3)
        for _ in range(600):
            if psql(server, sql) == "r" or not waits:
                break
            time.sleep(0.1)
        else:
            sys.exit("the first copy never came to its end")
        time.sleep(0.5)
    over.set()
    for thread in threads:
        thread.join()
    kind = psql("first", "SELECT relkind FROM pg_class WHERE relname = 'shops w'")
    expect(kind == "r", f"after taking the server away, 'shops w' is of kind {kind}")
    last = nearby(address, "--layer", "shops", "--lat", "36", "--lon", "128", "-k", "5000", "--format", "json")
    found = json.loads(last.stdout)["results"]
    expect(len(found) == count and {int(row["name"]) for row in found} == {written[0]}, "all rows of the last write, once each")
    expect(not slips, f"{len(slips)} slips, as: {slips[:3]}")
    print(f"{len(blocks)} statements of the page, {written[0]} writes and {reads[0]} reads beside them: nothing lost, nothing twice")
finally:
    subprocess.run([script, "stop", servers["first"]], check=False)
    subprocess.run(["rm", "-rf", folder], check=False)
