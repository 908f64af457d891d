"""Reads what `nearby hours` and `nearby list` write as ics with python3-icalendar, and compares it with their JSON.

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
        # All but the time of writing.
        plain = [line for line in raw.split(b"\r\n") if not line.startswith(b"DTSTAMP:")]
        again = run("--format", "ics").split(b"\r\n")
        assert plain == [line for line in again if not line.startswith(b"DTSTAMP:")], "two runs differ"
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

    deals = Path(folder) / "deals.csv"
    deals.write_text(
        "id,name,lat,lon,dates\n1,焼き鳥,34.7,135.5,\"05, 月曜日, 20261231\"\n"
        "2,Fridays; half price,34.7,135.5,Fr !2026-12-25\n", encoding="utf-8")
    cinemas = Path(folder) / "cinemas.csv"
    cinemas.write_text(
        "id,name,lat,lon,sessions\n3,Cinema,34.7,135.5,2026-12-05 10:30-12:40 하얼빈; 2026-12-05 25:10 가타카\n",
        encoding="utf-8")

    def listed(*more):
        return subprocess.run(
            [program, "list", deals, cinemas, *more], check=True, capture_output=True).stdout

    answer = json.loads(listed("--on", "2026-12", "--json"))
    december = [date(2026, 12, 1) + timedelta(days=n) for n in range(31)]
    expected = {
        "1": [day for day in december if day.day in (5, 31) or day.weekday() == 0],
        "2": [day for day in december if day.weekday() == 4 and day.day != 25],
        "3": [date(2026, 12, 5)],
    }
    told = {row["id"]: [date.fromisoformat(day) for day in row["days"]] for row in answer["results"]}
    assert told == expected, told
    paged = {entry["day"]: entry["ids"] for entry in answer["calendar"]}
    assert paged == {
        day.isoformat(): ids for day in december
        if (ids := [row for row in expected if day in expected[row]])}, paged
    calendar = icalendar.Calendar.from_ical(listed("--on", "2026-12", "--format", "ics"))
    names = {"焼き鳥": "1", "Fridays; half price": "2"}
    read = {"1": [], "2": []}
    sessions = []
    for event in calendar.walk("VEVENT"):
        start = event.decoded("DTSTART")
        if isinstance(start, datetime):
            sessions.append((str(event["SUMMARY"]), start.isoformat()))
        else:
            read[names[str(event["SUMMARY"])]].append(start)
    assert read == {key: expected[key] for key in read}, read
    assert sessions == [
        ("하얼빈, Cinema", "2026-12-05T10:30:00"), ("가타카, Cinema", "2026-12-06T01:10:00")], sessions
    print(f"deals.csv: {sum(map(len, read.values()))} days and {len(sessions)} sessions read")
