"""nearby and ogr2ogr at work on one file, in turns: for store_import.py and tile_pyramid.py."""
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import time


def unpacked(source, folder):
    """The file unpacked, which both read."""
    plain = os.path.join(folder, "rows.csv")
    with (gzip.open if source.endswith(".gz") else open)(source, "rb") as packed:
        with open(plain, "wb") as rows:
            shutil.copyfileobj(packed, rows)
    return plain


def time_in_turns(title, commands, written, rounds):
    """Runs both, each without the file that it wrote before, and prints the best and the median of the clock and of
    the processor time, and the peak of memory.

    commands and written: by the names nearby and ogr2ogr, what is run and which file it writes.
    """
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(written[name] + suffix):
                    os.remove(written[name] + suffix)
            runs[name].append(timed(command))
    print(f"{title}, {rounds} rounds in turns, load {os.getloadavg()[0]:.1f}")
    for name, found in runs.items():
        clock, processor = [run[0] for run in found], [run[1] for run in found]
        print(
            f"{name:8} clock best {min(clock):7.2f} s, median {statistics.median(clock):7.2f} s; "
            f"processor best {min(processor):7.2f} s, median {statistics.median(processor):7.2f} s; "
            f"memory {max(run[2] for run in found) / 1024:.0f} MB")
    for number, what in ((0, "clock"), (1, "processor time")):
        best = [min(run[number] for run in runs[name]) for name in ("ogr2ogr", "nearby")]
        print(f"ogr2ogr takes {best[0] / best[1]:.1f} times the {what}, best against best")


def timed(command):
    """Seconds by the clock, seconds of processor time, and the peak of memory in kB."""
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed with {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss
