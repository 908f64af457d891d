#!/usr/bin/env python3
"""Times conditions over a million rows beside DuckDB on one thread, by turns, with checked counts.

Usage: condition_speed.py CONDITION-SPEED NEARBY [ROWS]

CONDITION-SPEED is Benchmarks' program of that name: an index in memory, asked through its public type.
NEARBY is the program, which opens an index file of the same rows for each question; DuckDB's shell is not
started anew, so that figure stands alone. Needs `pip install duckdb`.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

import duckdb

ROWS = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
TURNS = 21
WORDS = "Golden Blue Green Old New Royal Happy Sunny Little Grand Silver Red Lucky Star River".split()
NAMES = "Coffee House,Bakery,Pharmacy,Savings Bank,School,Hotel,Museum,Deli,Bookshop,Grill".split(",")
STREETS = "Main Oak Pine Maple Cedar Elm Washington Lake Hill Walnut Spring North Ridge".split()
KINDS = "cafe bakery pharmacy bank school hotel museum cinema mart deal".split()
NOTES = "open late,parking behind the house,no cash,wheelchair access,dogs welcome,garden".split(",")

# As many rows match with regard to case as without.
QUESTIONS = {
    "and": ("name contains 'coffee' and address contains 'oak' and note contains 'late'",
            "contains(name, 'Coffee') and contains(address, 'Oak') and contains(note, 'late')"),
    "or": ("name contains 'coffee' or address contains 'oak' or note contains 'late'",
           "contains(name, 'Coffee') or contains(address, 'Oak') or contains(note, 'late')"),
    "none": ("name contains 'zebra' or address contains 'zebra' or note contains 'zebra'",
             "contains(name, 'zebra') or contains(address, 'zebra') or contains(note, 'zebra')"),
}


def write_table(path):
    numbers = random.Random(19)
    with open(path, "w", encoding="utf-8") as table:
        table.write("id,name,kind,latitude,longitude,address,rating,note\n")
        for number in range(1, ROWS + 1):
            name = " ".join([numbers.choice(WORDS), numbers.choice(WORDS), numbers.choice(NAMES)])
            address = (f'"{numbers.randint(1, 9999)} {numbers.choice(STREETS)} St, '
                       f'{numbers.choice(WORDS)}ville {numbers.randint(10000, 99999)}"')
            table.write(f"{number},{name},{numbers.choice(KINDS)},{numbers.uniform(-60, 70):.6f},"
                        f"{numbers.uniform(-180, 180):.6f},{address},{numbers.randint(10, 50) / 10},"
                        f"{numbers.choice(NOTES)}\n")


def main():
    program, nearby = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "million.csv")
        index = os.path.join(folder, "million.nbx")
        write_table(table)
        subprocess.run([nearby, "index", "build", table, "-o", index], check=True, capture_output=True)
        base = duckdb.connect(config={"threads": 1})
        base.execute(f"create table shops as from read_csv('{table}', all_varchar = true)")
        asked = subprocess.Popen([program, table], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert asked.stdout.readline() == "ready\n"
        for name, (condition, sql) in QUESTIONS.items():
            ours, theirs, whole, first = [], [], [], None
            for turn in range(TURNS + 1):
                asked.stdin.write(f"all\t{condition}\n")
                asked.stdin.flush()
                count, micros = asked.stdout.readline().split("\t")
                start = time.perf_counter()
                judged = base.execute(f"select count(*) from shops where {sql}").fetchone()[0]
                seconds = time.perf_counter() - start
                if int(count) != judged:
                    sys.exit(f"{name}: {count} rows, {judged} by DuckDB")
                if turn == 0:
                    first = float(micros) / 1000
                    continue
                ours.append(float(micros) / 1000)
                theirs.append(seconds * 1000)
            for _ in range(3):
                start = time.perf_counter()
                run = subprocess.run([nearby, "bbox", "--count", "--where", condition, "--", "-180,-90,180,90", index],
                                     capture_output=True, text=True)
                whole.append((time.perf_counter() - start) * 1000)
                if int(run.stdout) != judged:
                    sys.exit(f"{name}: the program counts {run.stdout}, DuckDB {judged}")
            a, b = statistics.median(ours), statistics.median(theirs)
            print(f"{name:5} {judged:7} rows: {a:.1f} ms (the first time {first:.0f}), DuckDB {b:.1f} ms: "
                  f"{a / b:.2f} times; nearby bbox over an index file {statistics.median(whole):.0f} ms", flush=True)


main()
