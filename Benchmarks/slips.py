#!/usr/bin/env python3
"""Gives the programs of this package what people give them by mistake: mistyped options, folders that are
no data sets, damaged files, servers that do not answer. Each must end with one line that says what to do
and the status of that kind of mistake, and not with a trap, nothing done or a long wait.

    swift build -c release --package-path Benchmarks
    python3 Benchmarks/slips.py Benchmarks/.build/release
"""
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading

USAGE, DATA, MISSING, UNAVAILABLE, UNWRITABLE = 64, 65, 66, 69, 73
FEW = ("--rounds", "1", "--budget", "0.01")
# Whoever waits longer waits for ever.
PATIENCE = 60


def main():
    programs = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="nearby-slips-") as folder:
        os.chdir(folder)
        suite = os.path.join(programs, "spatial-benchmark")
        subprocess.run([suite, "--generate", "w1e3", "--data", "whole"], check=True, capture_output=True)
        write_files()
        run = Run(programs)
        run.rows(SLIPS)
        run.damaged()
        with Listener("mute.sock", None), Listener("dying.sock", answers_then_dies):
            run.rows(SERVERS)
        run.sound()
        print(f"{run.count} slips, {len(run.problems)} of them badly answered")
        for problem in run.problems:
            print(problem)
        sys.exit(1 if run.problems else 0)


def write_files():
    for name, text in {
        "empty": "", "rows.csv": "id,lat,lon\n1,37.5,127\n", "text": "not JSON\n",
        "point.geojson": '{"type":"Point","coordinates":[127,37.5]}',
        "nothing.geojson": '{"type":"FeatureCollection","features":[]}',
        "hours.jsonl": '{"value":"no hours"}\n', "bad.jsonl": '{"value":"24/7"}\n{"valu":"24/7"}\n',
    }.items():
        with open(name, "w") as file:
            file.write(text)
    os.mkdir("hollow")


# Program, arguments, status, what the line says.
SLIPS = [
    ("spatial-benchmark", (), USAGE, "--data FOLDER"),
    ("spatial-benchmark", ("--dta", "whole"), USAGE, "--data"),
    ("spatial-benchmark", ("whole",), USAGE, "--data FOLDER"),
    ("spatial-benchmark", ("--data",), USAGE, "--data"),
    ("spatial-benchmark", ("--data", "whole", "--rounds", "0"), USAGE, "--rounds 0"),
    ("spatial-benchmark", ("--data", "whole", "--rounds", "five"), USAGE, "five"),
    ("spatial-benchmark", ("--data", "whole", "--budget", "0"), USAGE, "--budget"),
    ("spatial-benchmark", ("--data", "whole", "--budget", "nan"), USAGE, "--budget"),
    ("spatial-benchmark", ("--data", "whole", "--budget", "inf"), USAGE, "--budget"),
    ("spatial-benchmark", ("--data", "whole", "--only", "knn7"), USAGE, "--list"),
    ("spatial-benchmark", ("--data", "whole", "--only", ""), USAGE, "--list"),
    ("spatial-benchmark", ("--data", "whole", "--only", ","), USAGE, "--list"),
    ("spatial-benchmark", ("--data", "whole", "--peers", ""), USAGE, "--list"),
    ("spatial-benchmark", ("--data", "whole", "--peers", "boots"), USAGE, "--list"),
    ("spatial-benchmark", ("--data", "whole", "--peers", "redis"), USAGE, "--list"),
    ("spatial-benchmark",
     ("--data", "whole", "--peers", "nearby-every-category", "--only", "bbox10", *FEW), USAGE, "--list"),
    ("spatial-benchmark", ("--data", "nowhere"), MISSING, "--generate"),
    ("spatial-benchmark", ("--data", "hollow"), MISSING, "--generate"),
    ("spatial-benchmark", ("--data", "rows.csv"), MISSING, "--generate"),
    ("spatial-benchmark", ("--live",), USAGE, "--data FOLDER"),
    ("spatial-benchmark", ("--live", "--data", "nowhere"), MISSING, "--generate"),
    ("spatial-benchmark", ("--micro", "--hours", "nowhere"), MISSING, "nowhere"),
    ("spatial-benchmark", ("--micro", "--hours", "hollow"), MISSING, "hollow"),
    ("spatial-benchmark", ("--micro", "--hours", "empty"), DATA, "realworld.jsonl"),
    ("spatial-benchmark", ("--micro", "--hours", "text"), DATA, "text:1"),
    ("spatial-benchmark", ("--micro", "--hours", "bad.jsonl"), DATA, "bad.jsonl:2"),
    ("spatial-benchmark", ("--micro", "--hours", "hours.jsonl"), DATA, "realworld.jsonl"),
    ("spatial-benchmark", ("--micro", "--outline", "nowhere"), MISSING, "nowhere"),
    ("spatial-benchmark", ("--micro", "--outline", "rows.csv"), DATA, "rows.csv"),
    ("spatial-benchmark", ("--micro", "--outline", "point.geojson"), DATA, "polygon"),
    ("spatial-benchmark", ("--outline", "point.geojson", "--data", "whole"), USAGE, "--micro"),
    ("spatial-benchmark", ("--hours", "hours.jsonl", "--data", "whole"), USAGE, "--micro"),
    ("spatial-benchmark", ("--generate", "w1e6"), USAGE, "--data FOLDER"),
    ("spatial-benchmark", ("--generate", "w1e99", "--data", "new"), USAGE, "1e8"),
    ("spatial-benchmark", ("--generate", "w7", "--data", "new"), USAGE, "w100"),
    ("spatial-benchmark", ("--generate", "world", "--data", "new"), MISSING, "w1e6"),
    ("spatial-benchmark", ("--generate", "rows.csv", "--data", "new"), DATA, "100 or more"),
    ("spatial-benchmark", ("--generate", "empty", "--data", "new"), DATA, "empty"),
    ("spatial-benchmark", ("--generate", "w1e3", "--data", "rows.csv"), UNWRITABLE, "rows.csv"),
    ("spatial-benchmark", ("--generate", "w1e3", "--data", "/proc/new"), UNWRITABLE, "/proc/new"),
    ("spatial-benchmark", ("--data", "whole", "--svg", "nowhere/x.svg"), UNWRITABLE, "x.svg"),
    ("spatial-benchmark", ("--data", "whole", "--markdown", "hollow"), UNWRITABLE, "hollow"),
    ("spatial-benchmark", ("--micro", "--svg", "x.svg"), USAGE, "--data FOLDER"),
    ("index-file-speed", (), USAGE, "usage"),
    ("index-file-speed", ("--mkae", "x.nbx", "10"), USAGE, "--mkae"),
    ("index-file-speed", ("--make", "x.nbx", "ten"), USAGE, "ten"),
    ("index-file-speed", ("--make", "x.nbx", "-1"), USAGE, "-1"),
    ("index-file-speed", ("--make", "x.nbx", "1e7"), USAGE, "1e7"),
    ("index-file-speed", ("--make", "nowhere/x.nbx", "10"), UNWRITABLE, "nowhere"),
    ("index-file-speed", ("nowhere.nbx",), MISSING, "--make"),
    ("index-file-speed", ("hollow",), MISSING, "hollow"),
    ("index-file-speed", ("empty",), DATA, "empty"),
    ("index-file-speed", ("rows.csv",), DATA, "rows.csv"),
    ("index-file-speed", ("rows.csv", "0"), USAGE, "rounds"),
    ("fence-speed", ("10000",), USAGE, "10000"),
    ("fence-speed", ("--rounds",), USAGE, "--rounds"),
    ("cluster-speed", (), USAGE, "usage"),
    ("cluster-speed", ("nowhere",), MISSING, "--generate"),
    ("cluster-speed", ("hollow",), MISSING, "--generate"),
    ("cluster-speed", ("whole", "many"), USAGE, "rounds"),
    ("cluster-speed", ("whole", "0"), USAGE, "rounds"),
    ("geojson-speed", (), USAGE, "usage"),
    ("geojson-speed", ("nowhere",), MISSING, "nowhere"),
    ("geojson-speed", ("rows.csv",), DATA, "rows.csv"),
    ("geojson-speed", ("empty",), DATA, "empty"),
    ("geojson-speed", ("nothing.geojson",), DATA, "feature"),
    ("geojson-speed", ("point.geojson", "x"), USAGE, "rounds"),
    ("geojson-speed", ("point.geojson", "--no-fondation"), USAGE, "--no-fondation"),
    ("open-speed", (), USAGE, "usage"),
    ("open-speed", ("nowhere",), MISSING, "nowhere"),
    ("open-speed", ("text",), DATA, "text:1"),
    ("open-speed", ("bad.jsonl",), DATA, "bad.jsonl:2"),
    ("open-speed", ("hours.jsonl",), DATA, "realworld.jsonl"),
    ("open-speed", ("hours.jsonl", "10"), USAGE, "annotations"),
    ("written-hours", ("nowhere",), MISSING, "nowhere"),
    ("written-hours", ("--raed", "text"), USAGE, "--raed"),
    ("written-hours", ("--read", "nowhere"), MISSING, "nowhere"),
    ("hot-operations", ("nearest",), USAGE, "there are"),
    ("ReadmeTable", (), USAGE, "usage"),
    ("ReadmeTable", ("nowhere",), MISSING, "nowhere"),
    ("ReadmeTable", ("rows.csv",), DATA, "100 or more"),
    ("ReadmeTable", ("empty",), DATA, "empty"),
    ("RefreshTable", (), USAGE, "usage"),
    ("RefreshTable", ("nowhere",), MISSING, "nowhere"),
    ("ProjectionTable", ("5174",), USAGE, "5174"),
]

SERVERS = [
    ("spatial-benchmark", ("--data", "whole", "--redis", "nowhere.sock"), UNAVAILABLE, "redis-server"),
    ("spatial-benchmark", ("--data", "whole", "--redis", "rows.csv"), UNAVAILABLE, "redis-server"),
    ("spatial-benchmark", ("--data", "whole", "--redis", "localhost:6379"), UNAVAILABLE, "redis-server"),
    ("spatial-benchmark", ("--data", "whole", "--redis", "x" * 200), UNAVAILABLE, "redis-server"),
    ("spatial-benchmark", ("--data", "whole", "--redis", "mute.sock"), UNAVAILABLE, "redis-server"),
    ("spatial-benchmark",
     ("--data", "whole", "--redis", "dying.sock", "--peers", "redis", "--only", "knn1", *FEW),
     UNAVAILABLE, "start it anew"),
    ("spatial-benchmark",
     ("--live", "--data", "whole", "--redis", "nowhere.sock"), UNAVAILABLE, "redis-server"),
    ("spatial-benchmark",
     ("--live", "--data", "whole", "--redis", "dying.sock", "--rounds", "1"), UNAVAILABLE, "Redis"),
    ("spatial-benchmark",
     ("--data", "whole", "--postgis", "host=/nowhere dbname=x"), UNAVAILABLE, "/nowhere"),
    ("spatial-benchmark", ("--data", "whole", "--postgis", "hots=/tmp"), UNAVAILABLE, "hots"),
    ("spatial-benchmark", ("--micro", "--redis", "mute.sock"), USAGE, "--data FOLDER"),
    ("spatial-benchmark",
     ("--data", "whole", "--processor-time", "--redis", "mute.sock"), USAGE, "--processor-time"),
]


class Run:
    def __init__(self, programs):
        self.programs, self.count, self.problems = programs, 0, []

    def rows(self, rows):
        for program, words, status, said in rows:
            self.expect(f"{program} {' '.join(words)}"[:100], program, words, status, said)

    def expect(self, name, program, words, status, said):
        self.count += 1
        path = os.path.join(self.programs, program)
        try:
            answer = subprocess.run(
                [path, *words], capture_output=True, text=True, timeout=PATIENCE,
                env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        except subprocess.TimeoutExpired:
            self.problems.append(f"{name}: does not end")
            return
        if answer.returncode != status:
            self.problems.append(f"{name}: status {answer.returncode}, not {status}: {answer.stderr[-300:]}")
        errors = [line for line in answer.stderr.splitlines() if line.startswith("Error: ")]
        # What the parser of options says goes on with lines of usage.
        if len(errors) != 1 or said not in answer.stderr or "Domain=" in answer.stderr:
            self.problems.append(f"{name}: says {answer.stderr!r}, not {said}")

    def damaged(self):
        """Every file of a data set missing, empty, cut off, and with a number that none can be."""
        broken = {"f64": struct.pack("<d", float("nan")), "u32": b"\xff\xff\xff\xff"}
        files = [name for name in os.listdir("whole") if name != "meta.json"]
        assert len(files) == 7, files
        for file in files:
            for damage in ("missing", "empty", "cut", "shorter", "broken"):
                if damage == "shorter" and file.startswith(("q", "bbox")):
                    continue  # So many questions less are as good.
                shutil.rmtree("damaged", ignore_errors=True)
                shutil.copytree("whole", "damaged")
                path = f"damaged/{file}"
                with open(path, "rb") as whole:
                    content = whole.read()
                with open(path, "wb") as changed:
                    changed.write({
                        "missing": b"", "empty": b"", "cut": content[:-1],
                        "shorter": content[:-16 if file.endswith("f64") else -4],
                        "broken": content[:-32] + broken[file[-3:]] + content[-32 + len(broken[file[-3:]]):],
                    }[damage])
                if damage == "missing":
                    os.remove(path)
                status = MISSING if damage == "missing" else DATA
                words = ("--data", "damaged", *FEW)
                self.expect(f"{file} {damage}", "spatial-benchmark", words, status, "--generate")
                if file == "points.f64" and damage != "shorter":
                    status = MISSING if damage == "missing" else DATA
                    self.expect(f"cluster-speed, {file} {damage}", "cluster-speed", ("damaged", "1"), status, file)

    def sound(self):
        """What is no slip is not taken for one."""
        answer = subprocess.run(
            [os.path.join(self.programs, "spatial-benchmark"), "--data", "whole", "--csv",
             "--only", "knn1 , bbox10", "--peers", "nearby,", *FEW], capture_output=True, text=True)
        self.count += 1
        if answer.returncode or len(answer.stdout.splitlines()) != 2:
            self.problems.append(f"a sound run: status {answer.returncode}, {answer.stdout!r}, {answer.stderr!r}")


class Listener:
    """A unix socket where somebody listens: who says nothing, or what a function does with it."""

    def __init__(self, path, serve):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen()
        self.serve = serve

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        held = []
        while True:
            connection, _ = self.socket.accept()
            held.append(connection)
            if self.serve:
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def __exit__(self, *failure):
        self.socket.close()


def answers_then_dies(connection):
    """A Redis that takes the points and ends at the first question, or the first move.

    Moves come when the server was asked what it had used.
    """
    stream = connection.makefile("rb")
    is_asked = False
    while (line := stream.readline()):
        words = []
        for _ in range(int(line[1:])):
            size = int(stream.readline()[1:])
            words.append(stream.read(size + 2)[:-2])
        name = words[0]
        if name == b"GEOSEARCH" or name == b"GEOADD" and is_asked:
            return connection.shutdown(socket.SHUT_RDWR)
        is_asked = name == b"INFO"
        connection.sendall({
            b"PING": b"+PONG\r\n", b"DEL": b":0\r\n", b"GEOADD": b":500\r\n",
            b"INFO": b"$53\r\nused_memory:1\r\nused_cpu_user:0.5\r\nused_cpu_sys:0.25\r\n\r\n",
        }[name])


if __name__ == "__main__":
    main()
