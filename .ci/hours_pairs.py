#!/usr/bin/env python3
"""Pairs of opening-hours rules, drawn at random, by which a program is compared with hours_judge.py.

    hours_pairs.py PROGRAM [SEED] [COUNT]        runs `PROGRAM hours eval` once, with all questions as input
    hours_pairs.py - [SEED] [COUNT]              prints questions with the judge's answers instead

The program reads lines of JSON {"id","value","from","to","tz","country"} and writes lines
{"id","intervals":[[start,end,state,comment?]...]} or {"id","error":{...}}.  States and times are compared,
comments are not.  The last line is `N passed, M failed`; the exit status is 1 if any failed.
SEED is 1 and COUNT 10,000 unless given. The holidays are read from ../shared, as hours_judge.py says.
"""

import collections
import json
import os
import random
import subprocess
import sys
import time
from datetime import date

import hours_judge
from hours_judge import DAY, MONTHS, WEEKDAYS, easter, holidays, month_length, nth_weekday, stamp

COUNTRIES = {"KR": "Asia/Seoul", "JP": "Asia/Tokyo"}            # neither changes its clocks
YEARS = range(2015, 2030)
COMMENTS = ['"by appointment"', '"call us"', '"전화 문의"', '"a; b, c || d"']
BEGINS = ("00:00 00:30 01:00 02:00 04:00 05:30 06:00 08:00 09:30 10:00 11:00 12:00 13:00 15:00 16:00 16:59 17:00 "
          "18:00 19:30 20:00 21:00 21:59 22:00 22:30 23:00 23:59").split()
ENDS = BEGINS + "24:00 24:00 24:00 24:30 25:00 26:00 26:00 28:00 30:00 33:00 36:00 46:00 48:00 48:00".split()


def clock(text):
    return int(text[:2]) * 60 + int(text[3:])


class Drawing:
    """One value.  `features` say what is in it, and `places` are days of a year near which it changes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.features, self.places = set(), []
        self.year = self.random.choice(YEARS)
        self.country = self.random.choice(list(COUNTRIES))

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    def near(self, *days):
        self.places += [day for day in days if day is not None]

    def near_date(self, month, day, year=None):
        year = year or self.year
        self.near(date(year, month, min(day, month_length(year, month))).toordinal())

    # Days of the year.

    def month(self):
        return self.random.randint(1, 12)

    def wide(self):
        """Years, months, dates and weeks."""
        kind = self.pick("months", "months", "dates", "dates", "dates", "easter", "week", "week", "year",
                         "nth range", "year and dates", "list of years", "month and week")
        self.features.add(kind)
        return getattr(self, "wide_" + kind.replace(" ", "_"))()

    def wide_months(self, wrapping=True):
        first, last, other = self.month(), self.month(), self.month()
        if not wrapping and last < first:
            first, last = last, first
        self.near_date(first, 1)
        self.near_date(last, 31)
        name, to, also = MONTHS[first - 1], MONTHS[last - 1], MONTHS[other - 1]
        return self.pick(name, f"{name}-{to}" if first != last else name, f"{name},{also}")

    def day_of(self, month, begin=True):
        """A day of the month, often at its edges; an end may be beyond a short month (`Feb 20-29`)."""
        length = month_length(2024, month)
        day = self.pick(1, 2, length, length, self.random.randint(1, 28), self.random.randint(1, 28))
        self.near_date(month, day)
        if not begin and self.chance(0.1):
            return 31
        return day

    def single_day(self, in_year=False):
        """One date; behind a year it must be a date of that year."""
        month, day = self.pick((12, 25), (12, 31), (1, 1), (2, 29), (2, 28), (3, 1), None) or (0, 0)
        if not month:
            month = self.month()
            day = self.day_of(month)
        if in_year:
            day = min(day, month_length(self.year, month))
        if (month, day) == (2, 29):
            self.features.add("Feb 29")
        self.near_date(month, day)
        return f"{MONTHS[month - 1]} {day:02}"

    def wide_dates(self, wrapping=True):
        kind = self.pick("day", "days", "within", "across", "across", "new year", "steps", "shifted")
        if kind == "day":
            return self.single_day()
        if kind == "days":
            return f"{self.single_day()},{self.single_day()}"
        if kind == "shifted" and wrapping:       # over the ends of months and years
            self.near_date(12, 31)
            self.near_date(3, 1)
            return self.pick("Jan 01 -1 day", "Dec 31 +1 day", "Mar 01 -1 day", "Feb 28 +1 day", "Dec 25 +2 days",
                             "Dec 30 +1 day-Jan 03 -1 day", "Jan 01 -2 days-Jan 03 +2 days",
                             "Feb 27 +1 day-Mar 01 -1 day", "Mar 01 -3 days-Mar 02")
        if kind == "new year" and wrapping:
            first, last = self.random.randint(20, 31), self.random.randint(1, 8)
            self.near_date(12, first)
            self.near_date(1, last)
            self.near_date(12, 31)
            return f"Dec {first}-Jan {last:02}"
        month = self.month()
        first = self.day_of(month)
        if kind in ("within", "steps"):
            last = self.day_of(month, begin=False)
            if last <= first:
                first, last = 5, 25
                self.near_date(month, 5)
                self.near_date(month, 25)
            step = f"/{self.pick(2, 3, 7)}" if kind == "steps" else ""
            return f"{MONTHS[month - 1]} {first:02}-{last:02}{step}"
        if (month, first) == (2, 29):
            self.features.add("Feb 29")
        other = self.month()
        last = self.day_of(other, begin=False)
        if other == month:
            other = month % 12 + 1
            last = 15
            self.near_date(other, 15)
        if not wrapping and other < month:
            month, first, other, last = other, min(last, 28), month, first
        return f"{MONTHS[month - 1]} {first:02}-{MONTHS[other - 1]} {last:02}"

    def offset(self):
        return self.pick("", "", " -2 days", " +1 day", " -1 day", " +39 days", " +2 days")

    def wide_easter(self):
        self.near(easter(self.year), easter(self.year) + 1, easter(self.year) + 39, easter(self.year) - 2)
        if self.chance(0.4):
            return "easter" + self.offset()
        if self.chance(0.3):
            return self.pick("easter -2 days-easter +2 days", "easter -47 days-easter +1 day",
                             "easter-easter +50 days", "easter +1 day-easter +8 days")
        if self.chance(0.5):                     # the end is sometimes before, sometimes after Easter
            month, day = self.pick((4, 20), (4, 10), (3, 31), (4, 30), (6, 30), (10, 31), (1, 6))
            self.near_date(month, day)
            return f"easter{self.pick('', ' -2 days', ' +1 day')}-{MONTHS[month - 1]} {day:02}"
        month, day = self.pick((12, 25), (3, 1), (1, 10), (11, 1), (2, 29))
        self.near_date(month, day)
        return f"{MONTHS[month - 1]} {day:02}-easter{self.pick('', ' -2 days', ' +2 days')}"

    def wide_week(self):
        first = self.pick(1, 1, 2, 10, 26, 51, 52, 53, self.random.randint(1, 53))
        last = min(53, first + self.pick(1, 2, 5, 20))
        for number in (first, last):
            self.near(date.fromisocalendar(self.year, min(number, 52), self.pick(1, 7)).toordinal())
        self.near_date(12, 31)
        self.near_date(1, 1)
        if self.chance(0.35) or first == last:
            return f"week {first:02}"
        if self.chance(0.3):
            return self.pick("week 01-53/2", "week 02-52/2", f"week {first:02}-53/3" if first < 53 else "week 53")
        return f"week {first:02}-{last:02}" if self.chance(0.7) else f"week {first:02},{last:02}"

    def wide_month_and_week(self):
        month = self.month()
        first = date(self.year, month, self.pick(1, 15, 28))
        number = first.isocalendar()[1]
        self.near(first.toordinal())
        last = min(53, number + self.pick(0, 2, 6))
        return f"{MONTHS[month - 1]} week {number:02}" + (f"-{last:02}" if last > number else "")

    def wide_year(self):
        self.near_date(1, 1)
        self.near_date(12, 31)
        year = self.year
        return self.pick(f"{year}", f"{year}-{year + 1}", f"{year}+", f"{year - 4}-{year + 4}/2",
                         f"{year - 1},{year + 1}", f"{year - 3}-{year - 1}")

    def wide_year_and_dates(self):
        year = self.year
        kind = self.pick("day", "across", "selector", "from", "month", "easter")
        if kind == "day":
            return f"{year} {self.single_day(in_year=True)}"
        if kind == "across":
            first, last = self.random.randint(1, 31), self.random.randint(1, 31)
            self.near_date(12, first)
            self.near_date(1, last, year + 1)
            return f"{year} Dec {first:02}-{year + 1} Jan {last:02}"
        if kind == "from":
            month = self.month()
            return f"{year} {MONTHS[month - 1]} {min(self.day_of(month), 28):02}+"
        if kind == "month":
            month = self.month()
            self.near_date(month, 1)
            self.near_date(month, 31)
            return f"{year} {MONTHS[month - 1]}"
        if kind == "easter":
            self.near(easter(year))
            return self.pick(f"{year} easter", f"{year} easter -2 days-{year} easter +2 days")
        years = self.pick(f"{year}-{year + 1}", f"{year - 1}-{year}", f"{year - 2},{year}")
        return f"{years} {self.pick(self.wide_months, self.wide_dates)(wrapping=False)}"

    def wide_list_of_years(self):
        """Months and dates, each with its year; only the first may be of every year, since what has no year behind
        one that has can be read in two ways."""
        days = [self.pick("day", "days", "new year", "over New Year", "easter") for _ in range(self.pick(0, 1, 1, 2))]
        months = [self.pick("month", "months") for _ in range(self.pick(1, 2))]
        if not days and len(months) == 1:
            months.append("month")
        # A date is last, lest a month and an nth weekday behind it be read as a date.
        parts = [self.of_year(kind, self.year + self.pick(-1, 0, 0, 1)) for kind in
                 self.random.sample(months + days[1:], len(months + days[1:])) + days[:1]]
        if self.chance(0.3):
            month = self.month()
            self.near_date(month, 1)
            parts.insert(0, self.pick(MONTHS[month - 1], f"{MONTHS[month - 1]} 01"))
            if not days:                         # all are months, or the last is a date
                parts[0] = MONTHS[month - 1]
        return ",".join(parts)

    def of_year(self, kind, year):
        """One entry of a list, with its year."""
        month = self.month()
        if kind == "easter":
            self.near(easter(year))
            return f"{year} easter{self.offset()}"
        if kind in ("new year", "over New Year"):
            first, last = self.random.randint(20, 31), self.random.randint(1, 8)
            self.near_date(12, first, year)
            self.near_date(1, last, year + 1)
            return f"{year} Dec {first}-{f'{year + 1} ' if kind == 'over New Year' else ''}Jan {last:02}"
        if kind in ("day", "days"):
            first = self.random.randint(1, 20)
            last = self.random.randint(first + 1, 28)
            self.near_date(month, first, year)
            self.near_date(month, last, year)
            return f"{year} {MONTHS[month - 1]} {first:02}" + (f"-{last:02}" if kind == "days" else "")
        last = month
        if kind == "months":
            last = self.random.randint(month, 12)
        self.near_date(month, 1, year)
        self.near_date(last, 31, year)
        return f"{year} {MONTHS[month - 1]}" + (f"-{MONTHS[last - 1]}" if last != month else "")

    def wide_nth_range(self):
        (first, weekday, nth), (last, other, until) = (
            (self.month(), self.random.randrange(7), self.pick(1, 2, -1, -2)) for _ in range(2))
        if first == last:
            last = first % 12 + 1
        self.near(nth_weekday(self.year, first, weekday, nth), nth_weekday(self.year, last, other, until))
        end = f"{MONTHS[last - 1]} {WEEKDAYS[other]}[{until}]"
        if self.chance(0.3):
            end = f"{MONTHS[last - 1]} {self.day_of(last):02}"
        return f"{MONTHS[first - 1]} {WEEKDAYS[weekday]}[{nth}]-{end}"

    # Days of the week.

    def weekday(self, within_month):
        kind = self.pick("plain", "plain", "plain", "nth", "nth", "PH", "PH")
        first, last = self.pick(*WEEKDAYS), self.pick(*WEEKDAYS)
        span = f"{first}-{last}" if first != last else first
        if kind == "plain":
            return self.pick(first, span, "Mo-Fr", "Sa,Su", "Fr-Mo", f"{first},{last}" if first != last else first)
        self.features.add(kind)
        if kind == "PH":
            days, years = holidays(self.country)
            while self.year not in years:
                self.year = self.pick(*YEARS)
            self.near(*(day for day in days if date.fromordinal(day).year == self.year))
            return self.pick("PH", "PH", "PH", f"PH,{first}", f"{span},PH", "Mo-Fr,PH", "PH,Sa-Su", f"PH {first}",
                             "PH Mo-Fr", "PH -1 day", "PH +1 day")
        for month in (self.month(), self.month()):
            for nth in (1, 2, -1):
                self.near(nth_weekday(self.year, month, WEEKDAYS.index(first), nth))
        if self.chance(0.3):
            # Behind a month it is open whether the month is of the weekday or of the day shifted to; the
            # second and third weekday stay within the month either way.
            nth = self.pick(2, 3) if within_month else self.pick(1, 2, 3, 4, 5, -1, -2)
            return f"{first}[{nth}]{self.pick(' +1 day', ' -1 day', ' +2 days', ' -2 days')}"
        numbers = self.pick("1", "2", "3", "4", "5", "-1", "-2", "2,4", "1,3", "1-2", "2-4", "1,3,-1", "1,-1", "-5")
        return self.pick(f"{first}[{numbers}]", f"{first}[{numbers}]", f"{first}[1],{first}[3]",
                         f"{last},{first}[{numbers}]" if first != last else f"{first}[{numbers}]")

    # Times.

    def span(self, first=None):
        """A span as (text, begin, end, whether it is open at its end)."""
        begin = first or self.pick(*BEGINS)
        if self.chance(0.12):
            return f"{begin}+", clock(begin), clock(begin), True
        end = self.pick(*ENDS)
        last = clock(end) + (DAY if clock(end) <= clock(begin) else 0)
        is_open = self.chance(0.15)
        return f"{begin}-{end}{'+' if is_open else ''}", clock(begin), last, is_open

    def times(self):
        kind = self.random.random()
        if kind < 0.08:
            return "00:00-24:00"
        if kind < 0.6:
            spans = [self.span()]
        else:
            begins = sorted(self.random.sample(BEGINS, 2 if kind < 0.9 else 3))
            spans = [self.span(begin) for begin in begins]
            if not self.has_one_reading(spans):
                spans = spans[:1]
        if any(is_open for *_, is_open in spans):
            self.features.add("open end")
        if any(end > DAY for _, _, end, _ in spans):
            self.features.add("past midnight")
        between = ","
        # Behind a blank, a span that begins before the one before has ended may be meant as a break.
        ascending = all(one[2] <= two[1] and not one[3] for one, two in zip(spans, spans[1:]))
        if len(spans) > 1 and ascending and self.chance(0.2):
            self.features.add("blank between spans")
            between = " "
        return between.join(text for text, *_ in spans)

    @staticmethod
    def has_one_reading(spans):
        """Whether open ends among the spans can be read in one way only.  They can if no span overlaps
        another one or the next day's, but for an open end at last (`13:00-02:00,17:00+`)."""
        if not any(is_open for *_, is_open in spans):
            return True
        for (_, _, end, is_open), (_, begin, _, next_is_open) in zip(spans, spans[1:]):
            is_last = begin == spans[-1][1]
            if end > begin and not (is_last and next_is_open and not is_open and end <= 26 * 60):
                return False
        if len(spans) == 3 and spans[0][2] > spans[2][1]:
            return False
        return max(end for _, _, end, _ in spans) <= DAY + spans[0][1]

    # Rules and values.

    def rule(self, is_first, needs_days=False, needs_state=False):
        if is_first and self.chance(0.05):
            return "24/7"
        wide = self.wide() if self.chance(0.25 if is_first else 0.4) else ""
        weekday = self.weekday(bool(wide)) if (
            self.chance(0.4 if is_first or wide else 0.6) or needs_days and not wide) else ""
        times = self.times() if self.chance(0.75 if is_first else 0.65) else ""
        state = self.pick("", "", "", "", "open") if is_first else self.pick(
            "", "", "", "off", "off", "off", "closed", "unknown", "open", "comment")
        if is_first and self.chance(0.12):
            state = self.pick("off", "unknown", "comment", "closed")
        if state == "comment":
            state = self.pick(*COMMENTS)
        elif state and self.chance(0.2):
            state += " " + self.pick(*COMMENTS)
        if not state and (needs_state and not times or not (wide or weekday or times)):
            state = "open"
        if state.startswith(("off", "closed")):
            self.features.add("off with times" if times else "off without times")
        if state.startswith(("unknown", '"')):
            self.features.add("unknown")
        colon = ":" if wide and (weekday or times) and self.chance(0.15) else ""
        return " ".join(part for part in (wide + colon, weekday, times, state) if part)

    def value(self):
        count = 3 if self.chance(0.25) else 2
        if count == 3:
            self.features.add("three rules")
        separators = [self.pick("; ", "; ", ", ", " || ") for _ in range(count - 1)]
        text = ""
        for index, separator in enumerate([""] + separators):
            if separator:
                self.features.add(separator.strip())
            following = separators[index] if index < count - 1 else ""
            # Behind a comma, times alone would be a further span of the rule before, and days behind days
            # a longer list; so rules around a comma have days and times or a state.
            text += separator + self.rule(index == 0, needs_days=separator == ", ", needs_state=following == ", ")
        return text

    def window(self):
        """Three to 21 days, near a day at which the value changes."""
        if self.chance(0.1):
            self.near_date(12, 31)
        if not self.places or self.chance(0.1):
            self.near(date(self.year, 1, 1).toordinal() + self.random.randrange(365))
        length = self.random.randint(3, 21)
        begin = (self.pick(*self.places) - self.random.randrange(length)) * DAY
        end = begin + length * DAY
        if self.chance(0.3):
            begin += self.random.randrange(DAY)
            end += self.pick(0, 1, 30, 61, 600)
        return begin, end


def question(seed, number):
    """A question for the program, with the judge's answer and the features of the value.  A value of which
    every rule holds on some day of the window is preferred; after some tries any other one is taken."""
    for attempt in range(1000):
        drawing = Drawing(f"{seed} {number} {attempt}")
        value = drawing.value()
        begin, end = drawing.window()
        try:
            rules = hours_judge.Parser(value, country=drawing.country).rules()
            days = range(begin // DAY, end // DAY + 1)
            if attempt < 12 and not all(any(map(rule.holds, days)) for rule in rules):
                continue
            answer = hours_judge.intervals(rules, begin, end)
        except hours_judge.NoHolidays:
            continue                             # the window reaches into a year without a table
        asked = {"id": str(number), "value": value, "from": stamp(begin), "to": stamp(end),
                 "tz": COUNTRIES[drawing.country], "country": drawing.country}
        return asked, [[stamp(first), stamp(last), state] for first, last, state in answer], drawing.features
    raise RuntimeError("no value could be drawn")


def replies(program, questions):
    """The program's answers by their ids."""
    text = "".join(json.dumps(asked, ensure_ascii=False) + "\n" for asked, _, _ in questions)
    run = subprocess.run([program, "hours", "eval"], input=text, capture_output=True, encoding="utf-8", timeout=600)
    found = {}
    for line in run.stdout.splitlines():
        try:
            reply = json.loads(line)
            found[str(reply["id"])] = reply
        except (ValueError, KeyError, TypeError):
            print(f"not an answer: {line[:200]}")
    if len(found) < len(questions):
        print(f"{len(questions) - len(found)} answers are missing; the program ended with status "
              f"{run.returncode}: {run.stderr[-500:]}")
    return found


def difference(answer, reply):
    """What the two say differently, as lines; none if they agree."""
    if reply is None:
        return ["no answer"]
    if "intervals" not in reply:
        return [f"an error: {json.dumps(reply.get('error'), ensure_ascii=False)[:300]}"]
    theirs = hours_judge.merged(reply["intervals"])
    if theirs == answer:
        return []
    return [f"{name}: " + (", ".join(f"{begin}–{end} {state}" for begin, end, state in ours[:6]) or "closed")
            + (f" and {len(ours) - 6} more" if len(ours) > 6 else "")
            for name, ours in (("judge only  ", [one for one in answer if one not in theirs]),
                               ("program only", [one for one in theirs if one not in answer]))]


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    program = sys.argv[1]
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    if not os.path.isdir(hours_judge.CONFORMANCE):
        print(f"skipped: needs {hours_judge.CONFORMANCE}")
        return int(os.environ.get("NEARBY_REQUIRE_SHARED") == "1")
    started = time.monotonic()
    questions = [question(seed, number) for number in range(count)]
    judged = time.monotonic() - started
    if program == "-":
        for asked, answer, _ in questions:
            print(json.dumps({**asked, "intervals": answer}, ensure_ascii=False))
        return 0
    started = time.monotonic()
    found = replies(program, questions)
    ran = time.monotonic() - started

    failed, shown = 0, 0
    features = collections.defaultdict(lambda: [0, 0])
    for asked, answer, of_value in questions:
        lines = difference(answer, found.get(asked["id"]))
        failed += bool(lines)
        for feature in of_value:
            features[feature][bool(lines)] += 1
        if lines and shown < 20:
            shown += 1
            print(f"{asked['id']}: {asked['value']}\n  {asked['from']} to {asked['to']}, {asked['country']}")
            for line in lines:
                print(f"  {line}")
    print("\nfeature                passed  failed")
    for feature, (right, wrong) in sorted(features.items()):
        print(f"{feature:22} {right:6} {wrong:7}")
    print(f"judge {judged:.1f} s, program {ran:.1f} s, seed {seed}")
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
