#!/usr/bin/env python3
"""An independent judge for the `opening_hours` language of OpenStreetMap.

It reads the strict language and says, for a window of local time, when a place is open and when that is
unknown.  It is made to be trusted rather than to be quick: a day is cut at every time that any rule names,
and for each piece the rules are asked one after the other.  hours_judge.md says what was taken where the
specification leaves room.

    hours_judge.py VALUE FROM TO [COUNTRY]       print the intervals as a line of JSON
    hours_judge.py --conformance FOLDER          check the judge against the strict rows of the folder
"""

import csv
import functools
import json
import os
import re
import sys
from datetime import date, datetime, timedelta

DAY = 1440                                       # minutes
WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
MODIFIERS = {"open": "open", "off": "closed", "closed": "closed", "unknown": "unknown"}
SUN = {"dawn": 330, "sunrise": 360, "sunset": 1080, "dusk": 1110}
CONFORMANCE = os.environ.get("OPENING_HOURS_CONFORMANCE", os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "conformance", "opening_hours"))


class NotStrict(Exception):
    """The value is not in the strict language, or can be read in two ways."""


class NoHolidays(NotStrict):
    """Public holidays are asked for that the table does not have."""


# ---------------------------------------------------------------------------------------------- calendar
# Days are ordinals (`date.toordinal`), times are minutes.

@functools.lru_cache(None)
def easter(year):
    """Easter Sunday of the Gregorian calendar (the method of Meeus, Jones and Butcher)."""
    golden, century, rest = year % 19, year // 100, year % 100
    leap = century // 4
    moon = (19 * golden + century - leap - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    shift = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1).toordinal()


@functools.lru_cache(None)
def month_length(year, month):
    return (date(year + month // 12, month % 12 + 1, 1) - date(year, month, 1)).days


@functools.lru_cache(None)
def nth_weekday(year, month, weekday, nth):
    """The nth weekday of a month, counted from the end if negative; None where there is none."""
    first = date(year, month, 1).toordinal()
    days = [day for day in range(first, first + month_length(year, month))
            if date.fromordinal(day).weekday() == weekday]
    index = nth - 1 if nth > 0 else nth
    return days[index] if -len(days) <= index < len(days) else None


@functools.lru_cache(None)
def holidays(country):
    """The public holidays of a country, and the years that the table knows."""
    with open(os.path.join(CONFORMANCE, "public_holidays.csv"), encoding="utf-8") as file:
        days = {date.fromisoformat(row["date"]) for row in csv.DictReader(file) if row["country"] == country}
    if country == "KR":
        # The table was made before Korea's Labour Day became a public holiday, in 2026; a weekend is made up for.
        for year in sorted({day.year for day in days if day.year >= 2026}):
            day = date(year, 5, 1)
            days.add(day)
            if day.weekday() >= 5:
                while day in days or day.weekday() >= 5:
                    day += timedelta(days=1)
                days.add(day)
    return {day.toordinal() for day in days}, {day.year for day in days}


class Point:
    """A date of a year: `Dec 25`, `easter`, `Mar Su[-1]`, each perhaps with a year and an offset in days."""

    def __init__(self, year=None, month=None, day=None, weekday=None, nth=None, offset=0):
        self.year, self.month, self.day = year, month, day
        self.weekday, self.nth, self.offset = weekday, nth, offset

    @property
    def usual(self):
        """The day in a usual year: Easter on April 9, an nth weekday in the middle of its possible days."""
        if self.month is None:
            return date(2024, 4, 9).toordinal() + self.offset
        length = month_length(2024, self.month)
        if self.nth is None:
            day = min(self.day, length)
        else:
            day = 7 * self.nth - 3 if self.nth > 0 else length + 7 * self.nth + 4
        return date(2024, self.month, 1).toordinal() + day - 1 + self.offset

    def exact(self, year):
        """The day in this year, or None: `Feb 29`, `Su[5]`."""
        if self.month is None:
            return easter(year) + self.offset
        if self.nth is not None:
            day = nth_weekday(year, self.month, self.weekday, self.nth)
            return None if day is None else day + self.offset
        if self.day > month_length(year, self.month):
            return None
        return date(year, self.month, self.day).toordinal() + self.offset

    def first(self, year):
        """As the beginning of a range.  `Feb 29` begins on March 1 where there is none."""
        if self.day is not None and self.day > month_length(year, self.month):
            return date(year, self.month, month_length(year, self.month)).toordinal() + 1 + self.offset
        return self.exact(year)

    def last(self, year):
        """As the end of a range, included.  Easter itself is not; a day beyond the month is its last."""
        if self.month is None:
            return self.exact(year) - 1
        if self.day is not None and self.day > month_length(year, self.month):
            return date(year, self.month, month_length(year, self.month)).toordinal() + self.offset
        return self.exact(year)


def single_date(point):
    if point.year:
        return lambda day: day == point.exact(point.year)
    return lambda day: any(day == point.exact(year) for year in years_around(day))


def date_range(start, end, step=1):
    """From one date to another.  It goes over the end of the year if the second is the earlier one in a usual
    year, and then in every year: `easter-Apr 20` never does, and has no day where Easter is later."""
    years_over = 1 if not end.year and end.usual < start.usual else 0

    def holds(day):
        for year in [start.year] if start.year else years_around(day):
            first, last = start.first(year), end.last(end.year or year + years_over)
            # Either is None in a month without its nth weekday.
            if first is not None and last is not None and first <= day <= last:
                return (day - first) % step == 0
        return False
    return holds


def open_date_range(start):
    """`2024 Mar 01+`: from then on, or without a year to the year's end."""
    if start.year:
        return lambda day: day >= start.first(start.year)
    return lambda day: day >= start.first(date.fromordinal(day).year)


def years_around(day):
    year = date.fromordinal(day).year
    return year - 1, year, year + 1


# ------------------------------------------------------------------------------------------------- rules

class Rule:
    """Days, times and a state, and how it follows the rules before it: `;`, `,` or `||`."""

    def __init__(self, separator):
        self.separator = separator
        self.selectors = []                      # functions of a day, all of which must hold
        self.spans = []                          # (begin, end, open end or None) in minutes of the day
        self.state = None
        self.known = {}

    def holds(self, day):
        if day not in self.known:
            self.known[day] = all(selector(day) for selector in self.selectors)
        return self.known[day]

    @property
    def is_fallback(self):
        return self.separator == "||"

    @property
    def replaces(self):
        """An open or unknown rule behind `;` takes the place of everything before it on its days."""
        return self.separator == ";" and self.state != "closed"

    @property
    def closes_days(self):
        """`Su off`: what begins on the day is taken away."""
        return self.state == "closed" and not self.spans and not self.is_fallback

    def spans_from(self, day, begins):
        """What the rule says for the day, as (begin, end, state) in minutes since day 0.  A span that is
        listed later has the last word within the rule.  `begins` says of a day whether the rule's spans begin
        on it."""
        if not self.spans:
            return [(day * DAY, (day + 1) * DAY, self.state)]
        spans = []
        for index, (begin, end, open_until) in enumerate(self.spans):
            if end > begin:
                spans.append((day * DAY + begin, day * DAY + end, self.state))
            if open_until is not None:
                # The rule's next span ends the open end, be it of this day or of one of the next.
                until = min([open_until] + [
                    ahead * DAY + other for ahead in (0, 1, 2) if ahead == 0 or begins(day + ahead)
                    for place, (other, _, _) in enumerate(self.spans)
                    if (ahead, place) != (0, index) and ahead * DAY + other >= end])
                state = "closed" if self.state == "closed" else "unknown"
                if until > end:
                    spans.append((day * DAY + end, day * DAY + until, state))
        return spans


def open_end(begin):
    """Until when a place may be open that is open from (or until) a time `+`, in minutes of the day."""
    if begin < 17 * 60:
        return DAY
    return begin + (10 if begin < 22 * 60 else 8) * 60


# ----------------------------------------------------------------------------------------------- parsing

TOKEN = re.compile(r"""(?P<blank>\s*)(?:
    (?P<comment>"[^"]*") | (?P<always>(?<![\d-])24/7(?!\d)) | (?P<time>\d\d:\d\d(?!:\d\d)) |
    (?P<year>\d{4}) | (?P<number>\d{1,2}) | (?P<word>[A-Za-z]+) | (?P<sign>\|\||[-;,+/\[\]():]))""", re.X)


class Parser:
    def __init__(self, text, sun=SUN, country=None, is_holiday=None):
        self.sun, self.country, self.is_holiday = sun, country, is_holiday
        self.tokens, self.at = [], 0
        place, text = 0, text.strip()
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise NotStrict(f"cannot read {text[place:place + 10]!r}")
            kind = match.lastgroup
            self.tokens.append((kind, match[kind], bool(match["blank"])))
            place = match.end()

    # The next tokens.

    def kind(self, ahead=0):
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else None

    def text(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else None

    def take(self, *wanted):
        """The next token's text; it must be one of those wanted, as text or as a kind."""
        if not any(self.is_next(one) for one in wanted):
            raise NotStrict(f"{' or '.join(wanted)} expected, not {self.text()!r}")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def is_next(self, wanted, ahead=0):
        return self.kind(ahead) is not None and wanted in (self.text(ahead), self.kind(ahead))

    def skip(self, wanted):
        if self.is_next(wanted):
            self.at += 1
            return True
        return False

    # Rules.

    def rules(self):
        rules = [self.rule(";")]
        while self.at < len(self.tokens):
            rules.append(self.rule(self.take(";", ",", "||")))
        return rules

    def rule(self, separator):
        rule, begin = Rule(separator), self.at
        weekday_groups = 0
        while self.at < len(self.tokens) and self.text() not in (";", ",", "||"):
            if self.skip(":"):
                continue
            if self.skip("always"):
                rule.selectors.append(lambda day: True)
            elif self.kind() == "comment":
                self.take("comment")
                if not self.is_next(":"):        # `"comment": 10:00-12:00` is only a label
                    rule.state = rule.state or "unknown"
            elif self.text() in MODIFIERS:
                rule.state = MODIFIERS[self.take("word")]
            elif self.is_next("week"):
                rule.selectors.append(self.any_of(self.week, lambda ahead: self.is_next("week", ahead)
                                                  or self.is_next("number", ahead)))
            elif self.starts_date():
                rule.selectors.append(self.any_of(self.dates, self.continues_dates))
            elif self.kind() == "year":
                rule.selectors.append(self.any_of(self.years, lambda ahead: self.is_next("year", ahead)))
            elif self.starts_weekday():
                only_holidays = self.text() in ("PH", "SH")
                rule.selectors.append(self.any_of(self.weekday, self.starts_weekday))
                weekday_groups += not only_holidays
            elif self.starts_time():
                before = len(rule.spans)
                self.any_of(lambda: rule.spans.append(self.span()), self.starts_time)
                # `09:00-17:00 12:00-13:00` may well be a break, so it is refused.
                if any(begin < end for begin, _, _ in rule.spans[before:] for _, end, _ in rule.spans[:before]):
                    raise NotStrict("a blank before a span that begins earlier than the one before ends")
            else:
                raise NotStrict(f"{self.text()!r} not expected")
        if self.at == begin:
            raise NotStrict("an empty rule")
        if weekday_groups > 1:
            raise NotStrict("two sets of weekdays without a separator")
        rule.state = rule.state or "open"
        return rule

    def any_of(self, element, starts):
        """A list with commas; the day is of the list if it is of one of its elements."""
        found = [element()]
        while self.is_next(",") and starts(1):
            if self.tokens[self.at + 1][2]:
                raise NotStrict("a comma and a blank: a longer list, or a further rule?")
            self.take(",")
            found.append(element())
        return lambda day: any(one(day) for one in found)

    # Years, weeks.

    def years(self):
        first = int(self.take("year"))
        last = first
        if self.skip("+"):
            last = 9999
        elif self.skip("-"):
            last = int(self.take("year"))
        step = 1
        if self.skip("/"):
            step = int(self.take("number"))
            last = 9999 if last == first else last
        def holds(day):
            year = date.fromordinal(day).year
            return first <= year <= last and (year - first) % step == 0
        return holds

    def week(self):
        self.skip("week")
        first = int(self.take("number"))
        last = int(self.take("number")) if self.skip("-") else first
        step = int(self.take("number")) if self.skip("/") else 1
        if not 1 <= first <= last <= 53:
            raise NotStrict("a range of weeks backwards")
        def holds(day):
            week = date.fromordinal(day).isocalendar()[1]
            return first <= week <= last and (week - first) % step == 0
        return holds

    # Dates.

    def starts_date(self, ahead=0):
        ahead += self.is_next("year", ahead)
        return self.text(ahead) in MONTHS or self.is_next("easter", ahead)

    def continues_dates(self, ahead):
        return self.starts_date(ahead) or self.is_next("number", ahead)      # `Dec 11,15-17`

    def dates(self):
        start = self.point()
        if start.month is not None and start.day is None and start.nth is None:
            return self.months(start)
        if self.skip("+"):
            return open_date_range(start)
        if not self.is_next("-"):
            return single_date(start)
        self.take("-")
        end = self.point(start)
        if end.month is not None and end.day is None and end.nth is None:
            raise NotStrict("from a date to a month")
        return date_range(start, end, int(self.take("number")) if self.skip("/") else 1)

    def months(self, start):
        end = Point(month=start.month)
        if self.is_next("-") and self.starts_date(1):
            self.take("-")
            end = self.point()
            if end.month is None or end.day is not None or end.nth is not None:
                raise NotStrict("from a month to a date")
        return date_range(Point(start.year, start.month, 1), Point(end.year, end.month, 31))

    def point(self, before=None):
        """A date, or only a month.  A day alone is of the month before it: `Dec 24-26`, `May 15-01`."""
        if before is None and self.kind() == "number":
            before = Point(month=self.month)     # a list goes on: `Dec 11,15-17`
        if self.kind() == "number":
            day = int(self.take("number"))
            month = before.month
            if before.day is not None and day < before.day:
                month = month % 12 + 1
            return Point(month=month, day=day, offset=self.offset())
        year = int(self.take("year")) if self.kind() == "year" else None
        if self.skip("easter"):
            return Point(year, offset=self.offset())
        month = self.month = MONTHS.index(self.take(*MONTHS)) + 1
        if self.kind() == "number":
            day = int(self.take("number"))
            longest = month_length(year or 2024, month) if before is None else 31    # a last day may be beyond
            if not 1 <= day <= longest:
                raise NotStrict(f"a day that is not: {MONTHS[month - 1]} {day}")
            return Point(year, month, day, offset=self.offset())
        # `Mar Su[-1]` is a date where it begins or ends a range; otherwise a month and a weekday.
        back = self.at
        if self.text() in WEEKDAYS and self.is_next("[", 1):
            weekday = WEEKDAYS.index(self.take("word"))
            numbers = self.numbers()
            offset = self.offset()
            if len(numbers) == 1 and (before is not None or self.is_next("-") and self.starts_date(1)):
                return Point(year, month, weekday=weekday, nth=numbers[0], offset=offset)
            self.at = back
        return Point(year, month)

    def offset(self):
        """`+1 day`, `-2 days`"""
        if self.text() in ("+", "-") and self.is_next("number", 1) and self.text(2) in ("day", "days"):
            sign = 1 if self.take("sign") == "+" else -1
            days = int(self.take("number"))
            self.take("word")
            return sign * days
        return 0

    # Weekdays and holidays.

    def starts_weekday(self, ahead=0):
        return self.text(ahead) in WEEKDAYS or self.text(ahead) in ("PH", "SH")

    def weekday(self):
        name = self.take("word")
        if name == "SH":
            raise NotStrict("school holidays")
        if name == "PH":
            offset = self.offset()
            if abs(offset) > 1:                  # the specification defines no more than a day
                raise NotStrict("more than a day from a public holiday")
            return lambda day: self.holiday(day - offset)
        first = WEEKDAYS.index(name)
        if self.is_next("["):
            numbers, offset = self.numbers(), self.offset()
            def holds(day):
                there = date.fromordinal(day - offset)
                return there.weekday() == first and day - offset in [
                    nth_weekday(there.year, there.month, first, nth) for nth in numbers]
            return holds
        last = WEEKDAYS.index(self.take(*WEEKDAYS)) if self.skip("-") else first
        length = (last - first) % 7
        return lambda day: (date.fromordinal(day).weekday() - first) % 7 <= length

    def numbers(self):
        """`[1,3]`, `[2-4]`, `[-1]`"""
        numbers = []
        self.take("[")
        while True:
            sign = -1 if self.skip("-") else 1
            first = int(self.take("number"))
            last = int(self.take("number")) if sign == 1 and self.skip("-") else first
            if not 1 <= first <= last <= 5:
                raise NotStrict("an nth weekday beyond 1 to 5")
            numbers += [sign * number for number in range(first, last + 1)]
            if not self.skip(","):
                break
        self.take("]")
        return numbers

    def holiday(self, day):
        if self.is_holiday:
            return self.is_holiday(day)
        if not self.country:
            raise NoHolidays("public holidays without a country")
        days, years = holidays(self.country)
        if date.fromordinal(day).year not in years:
            raise NoHolidays(f"no table of holidays for {date.fromordinal(day).year}")
        return day in days

    # Times.

    def starts_time(self, ahead=0):
        return (self.is_next("time", ahead) or self.text(ahead) in SUN
                or self.is_next("(", ahead) and self.text(ahead + 1) in SUN)

    def time(self, latest):
        if self.skip("("):
            base = self.sun[self.take(*SUN)]
            sign = 1 if self.take("+", "-") == "+" else -1
            shift = self.time(DAY)
            self.take(")")
            return base + sign * shift
        if self.text() in SUN:
            return self.sun[self.take("word")]
        hours, minutes = map(int, self.take("time").split(":"))
        if minutes > 59 or hours * 60 + minutes > latest:
            raise NotStrict("a time that is not")
        return hours * 60 + minutes

    def span(self):
        begin = self.time(DAY)
        if self.skip("+"):
            return begin, begin, open_end(begin)
        if not self.skip("-"):
            raise NotStrict("a single time")
        end = self.time(2 * DAY)
        if end <= begin:
            end += DAY
        if self.is_next("/"):
            raise NotStrict("single times within a span")
        return begin, end, open_end(end) if self.skip("+") else None


# -------------------------------------------------------------------------------------------- evaluation

def day_pieces(rules, day):
    """The day as (begin, end, state) from midnight to midnight."""
    # What is said for the day, in the order of the rules.  A span ends 48 hours after its day's midnight at
    # most, and its open end eight later: two days back suffice.
    said = []
    for place, rule in enumerate(rules):
        closing = [later for later in rules[place + 1:] if later.closes_days]

        def begins(on, rule=rule, closing=closing):
            return rule.holds(on) and not any(later.holds(on) for later in closing)

        if rule.replaces and rule.holds(day):
            said = []
        if rule.closes_days:
            continue                             # it has taken away what the rules before it begin
        for origin in (day - 2, day - 1, day):
            if begins(origin):
                said += [(rule, *span) for span in rule.spans_from(origin, begins)]

    cuts = {day * DAY, (day + 1) * DAY}
    for _, begin, end, _ in said:
        cuts |= {cut for cut in (begin, end) if day * DAY < cut < (day + 1) * DAY}
    cuts = sorted(cuts)
    for begin, end in zip(cuts, cuts[1:]):
        # Within a rule the last span has the word, and then the last rule.
        answers = {rule: state for rule, first, last, state in said if first <= begin < last}
        state, from_fallback = "closed", False
        for rule, answer in answers.items():
            # A fallback speaks where all before it is closed, and the first that does ends their row.
            if rule.is_fallback and (state != "closed" or from_fallback):
                continue
            state, from_fallback = answer, rule.is_fallback
        yield begin, end, state


def intervals(rules, begin, end):
    """When the place is open or that is unknown, as [begin, end, state] in minutes since day 0."""
    found = []
    for day in range(begin // DAY, (end - 1) // DAY + 1):
        for first, last, state in day_pieces(rules, day):
            first, last = max(first, begin), min(last, end)
            if state == "closed" or first >= last:
                continue
            if found and found[-1][1] == first and found[-1][2] == state:
                found[-1][1] = last
            else:
                found.append([first, last, state])
    return found


def minutes(text):
    """`2024-02-29T10:00` in minutes since day 0"""
    time = datetime.fromisoformat(text)
    return time.toordinal() * DAY + time.hour * 60 + time.minute


def stamp(minute):
    return (datetime.fromordinal(minute // DAY) + timedelta(minutes=minute % DAY)).strftime("%Y-%m-%dT%H:%M")


def judge(value, begin, end, **settings):
    """The intervals of a value in a window, as the rows of eval_intervals.jsonl have them."""
    rules = Parser(value, **settings).rules()
    return [[stamp(first), stamp(last), state] for first, last, state in
            intervals(rules, minutes(begin), minutes(end))]


def merged(rows):
    """Touching intervals of equal state as one, without their comments."""
    found = []
    for begin, end, state, *_ in rows:
        if state == "closed":
            continue
        if found and found[-1][1] == begin and found[-1][2] == state:
            found[-1][1] = end
        else:
            found.append([begin, end, state])
    return found


# ------------------------------------------------------------------------------------------- conformance

def is_holiday_of_baden_wuerttemberg(day):
    """The German region of some rows, for years that the table lacks."""
    there = date.fromordinal(day)
    return ((there.month, there.day) in [(1, 1), (1, 6), (5, 1), (10, 3), (11, 1), (12, 25), (12, 26)]
            or day - easter(there.year) in (-2, 1, 39, 50, 60))


def left_out(row):
    """Why a row is not for this judge, or None."""
    if row.get("disputed"):
        return "disputed by the folder: " + row["disputed"]
    if "lat" in row:
        return "the sun's times at a place"
    if row.get("tz") == "America/New_York":
        return "the window has a change of clocks"
    if row["id"] in ("rs-o-053", "rs-o-054"):
        return "takes a comment beside times as open; decided: unknown"
    if row["id"] == "ohjs-o-031-3":
        return "hours without minutes are not of the grammar"
    return None


def conformance(folder):
    passed, failed, out = 0, 0, 0
    for name in ("eval_intervals.jsonl", "eval_day.jsonl", "eval_kr_jp.jsonl"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for row in rows:
            if row.get("strict") is False:       # the rows of KR and JP are all strict
                continue
            reason = left_out(row)
            if reason:
                out += 1
                print(f"left out {row['id']}: {row['value']!r}: {reason}")
                continue
            settings = {"country": row.get("country")}
            if row.get("region") == "DE-BW":
                settings["is_holiday"] = is_holiday_of_baden_wuerttemberg
            if "sun_defaults" in row:
                settings["sun"] = {event: minutes("2000-01-01T" + time) % DAY
                                   for event, time in row["sun_defaults"].items()}
            if "schedule" in row:
                begin = row["date"] + "T00:00"
                end = stamp(minutes(begin) + DAY)
                expected = [[row["date"] + "T" + first, end if last == "24:00" else row["date"] + "T" + last,
                             state] for first, last, state, *_ in row["schedule"]]
            else:
                begin, end, expected = row["from"], row["to"], row["intervals"]
            try:
                answer = judge(row["value"], begin, end, **settings)
            except NoHolidays as error:
                out += 1
                print(f"left out {row['id']}: {row['value']!r}: {error}")
                continue
            except NotStrict as error:
                answer = f"refused: {error}"
            if answer == merged(expected):
                passed += 1
            else:
                failed += 1
                print(f"FAILED {row['id']}: {row['value']!r} {begin} {end}\n  expected {merged(expected)}\n"
                      f"  judge    {answer}")
    print(f"{passed} passed, {failed} failed, {out} left out")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--conformance":
        sys.exit(conformance(sys.argv[2]))
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    print(json.dumps(judge(*sys.argv[1:4], country=sys.argv[4] if len(sys.argv) == 5 else None)))
