#!/usr/bin/env python3
"""Measures how long one waits for the first answer from a large file, whole processes in turns.

Usage: first_answer.py NEARBY uk-postcodes-a.csv.gz

Beside it: unpacking and counting lines, which answers nothing, and an awk program that answers by
haversine. The nearest postcode of both answers is compared.
"""

import statistics
import subprocess
import sys
import time

NEARBY, FILE = sys.argv[1], sys.argv[2]
LATITUDE, LONGITUDE = 51.5007, -0.1246
HALF_DEGREE = 0.00872664625997

AWK = f"""gzip -dc {FILE} | awk -F, 'NR > 1 && $2 != "" {{
  a = sin(($2 - {LATITUDE}) * {HALF_DEGREE}); b = sin(($3 - {LONGITUDE}) * {HALF_DEGREE})
  h = a * a + cos({LATITUDE} * 2 * {HALF_DEGREE}) * cos($2 * 2 * {HALF_DEGREE}) * b * b
  if (m == "" || h < m) {{ m = h; p = NR - 1 }} }} END {{ print p }}'"""
SIDES = {
    "nearby": f"{NEARBY} --lat {LATITUDE} --lon {LONGITUDE} -k 1 --format ids {FILE} 2>/dev/null",
    "gzip -dc | wc -l": f"gzip -dc {FILE} | wc -l",
    "gzip -dc | awk": AWK,
}

times = {name: [] for name in SIDES}
answers = {}
for _ in range(9):
    for name, command in SIDES.items():
        start = time.perf_counter()
        run = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        times[name].append(time.perf_counter() - start)
        answers[name] = run.stdout.strip()
if answers["nearby"] != answers["gzip -dc | awk"]:
    sys.exit(f"the answers differ: {answers}")
base = statistics.median(times["gzip -dc | wc -l"])
for name, seconds in times.items():
    median = statistics.median(seconds)
    print(f"{name:18} median {median:.3f} s, least {min(seconds):.3f}, most {max(seconds):.3f}, "
          f"{median / base:.2f} times gzip -dc | wc -l")
