"""Reads what `nearby hours --format ics` writes with python3-icalendar, and compares it with its JSON.

    python3 .ci/closing_days.py .build/release/nearby
"""
import json
import subprocess
import sys
import tempfile
from datetime import date, datetime, time, timedelta
from pathlib import Path

import icalendar

program = Path(sys.argv[1]).resolve()
root = Path(__file__).resolve().parent.parent
arguments = ["--days", "60", "--at", "2026-11-22T09:00+09:00"]

with tempfile.TemporaryDirectory() as folder:
    odd = Path(folder) / "odd.csv"
    odd.write_text(
        "id,name,lat,lon,opening_hours\n"
        "a b,\"Semi; comma, back\\slash\",37.5,127,Mo-Sa 10:00-20:00\n"
        f"a b,{'긴 이름 ' * 40},37.5,127,\"10:00-20:00; Su[2,4] off\"\n",
        encoding="utf-8")
    for source in [root / "Data/deals.csv", odd]:
        def run(*more):
            return subprocess.run(
                [program, "hours", source, *arguments, *more], check=True, capture_output=True).stdout

        expected = sorted(
            (place["name"], day) for place in json.loads(run("--json"))["closed"] for day in place["days"])
        assert expected, f"{source}: no closing day is expected"
        raw = run("--format", "ics")
        assert raw == run("--format", "ics"), "two runs differ"
        assert all(len(line) <= 75 for line in raw.split(b"\r\n")), "a line is too long"
        calendar = icalendar.Calendar.from_ical(raw)
        events = list(calendar.walk("VEVENT"))
        read = []
        for event in events:
            start, end = event.decoded("DTSTART"), event.decoded("DTEND")
            assert isinstance(start, date) and end - start == timedelta(days=1)
            name = str(event["SUMMARY"]).removesuffix(": closed")
            read.append((name, start.isoformat()))
        assert sorted(read) == expected, f"{source}: {len(read)} events, not {len(expected)}"
        uids = [str(event["UID"]) for event in events]
        assert len(set(uids)) == len(uids), "a UID repeats"
        # A reminder of 13 hours is due at 11 in the morning before.
        reminding = icalendar.Calendar.from_ical(run("--format", "ics", "--alarm", "13h"))
        due = set()
        for event in reminding.walk("VEVENT"):
            alarms = event.walk("VALARM")
            assert len(alarms) == 1 and alarms[0]["ACTION"] == "DISPLAY"
            day = datetime.combine(event.decoded("DTSTART"), time())
            moment = day + alarms[0].decoded("TRIGGER")
            assert (day.date() - moment.date(), moment.hour) == (timedelta(days=1), 11)
            due.add(moment)
        assert due, "no reminder is due"
        print(f"{source.name}: {len(events)} closing days read by icalendar {icalendar.__version__}")
