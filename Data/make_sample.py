#!/usr/bin/env python3
"""Writes cinemas.csv, marts.csv and deals.csv from the facts in ../shared/data.

README.md beside this file says what is taken, what is left out and why. The build does not run
this; run it by hand, from anywhere, when a source or a rule changes, and read the difference:

    python3 Data/make_sample.py && git diff --stat Data

NEARBY_SHARED names another place for ../shared, as it does for the tests.
"""

import csv
import io
import os
import re
import sys
from decimal import Decimal
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("NEARBY_SHARED", HERE.parent.parent / "shared")) / "data"

COMMON = ["id", "place_id", "name", "kind", "latitude", "longitude", "opening_hours", "address"]

# Longest first: 이마트 is also the beginning of 이마트 에브리데이.
BRANDS_BESIDE_SEEDS = ["이마트 에브리데이", "롯데슈퍼", "하나로마트", "GS THE FRESH"]
OTHER_SPELLINGS = {
    "홈플러스익프스레스": "홈플러스 익스프레스",
    "GSTHEFRESG": "GS THE FRESH",
    "GS더프레시": "GS THE FRESH",
}
# An electronics chain whose name ends like a supermarket's.
NOT_A_BRAND = "하이마트"


def rows(path, encoding="utf-8"):
    """The records of a CSV file by column name, in order."""
    text = (SHARED / path).read_bytes().decode(encoding)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def tidy(text):
    """One line: no blanks at the ends, and one for every run of two or more (or line break)."""
    return re.sub(r"\s{2,}|[\r\n\t]", " ", text.strip())


def degrees(text):
    """Degrees with at most seven decimals (1 cm), as written where the source has no more."""
    value = Decimal(text)
    return str(value if -value.as_tuple().exponent <= 7 else value.quantize(Decimal("1e-7")))


def geohash(latitude, longitude, precision):
    """The cell of a position, by halving, in exact decimals."""
    box = [[Decimal(-180), Decimal(180)], [Decimal(-90), Decimal(90)]]
    value, cell = [Decimal(longitude), Decimal(latitude)], 0
    for bit in range(5 * precision):
        axis = box[bit % 2]
        middle = (axis[0] + axis[1]) / 2
        upper = value[bit % 2] >= middle
        axis[0 if upper else 1] = middle
        cell = cell << 1 | upper
    letters = "0123456789bcdefghjkmnpqrstuvwxyz"
    return "".join(letters[cell >> 5 * i & 31] for i in reversed(range(precision)))


def record(id, name, kind, latitude, longitude, **rest):
    latitude, longitude = degrees(latitude), degrees(longitude)
    place = geohash(latitude, longitude, 10)  # a cell of about a meter
    return dict(id=id, place_id=place, name=tidy(name), kind=kind, latitude=latitude,
                longitude=longitude, **rest)


def write(name, columns, records):
    ids = [r["id"] for r in records]
    assert len(ids) == len(set(ids)), "an id repeats"
    # Ties are broken by id: in this order the program need not sort before it can answer.
    records.sort(key=lambda record: record["id"].encode())
    with open(HERE / name, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, COMMON + columns, restval="", lineterminator="\n")
        out.writeheader()
        out.writerows(records)
    print(f"{name}: {len(records)} rows, {(HERE / name).stat().st_size} bytes", file=sys.stderr)


def cinemas():
    return [
        record(f"cinema-{r['place_id']}", r["name"], "cinema", r["latitude"], r["longitude"],
               address=tidy(r["address"]))
        for r in rows("seeds/cinemas_kr.csv") if r["active"] == "true"
    ]


def brand(name, brands):
    """The chain that a store's own name tells, or nothing."""
    squeezed = re.sub(r"\(주\)|㈜|\s", "", name)
    if NOT_A_BRAND in squeezed:
        return ""
    for spelling in sorted(brands, key=len, reverse=True):
        if spelling in squeezed:
            return brands[spelling]
    return ""


def seoul_phone(text):
    """The first number in a field, written 02-123-4567; nothing where it is not a whole one."""
    first = re.split(r"[,~]", text)[0]
    digits = re.sub(r"\D", "", first)
    if digits.startswith("0"):
        short = digits.lstrip("0")
        if not short.startswith("2"):
            area, local = "0" + short[:2], short[2:]
        else:
            area, local = "02", short[1:].lstrip("0")
    elif re.fullmatch(r"1\d{7}", digits):
        return f"{digits[:4]}-{digits[4:]}"  # a national number, dialled without an area
    else:
        area, local = "02", digits
    if len(local) not in (7, 8):
        return ""
    return f"{area}-{local[:-4]}-{local[-4:]}"


def marts():
    brands = {r["name_ko"].replace(" ", ""): r["name_ko"] for r in rows("seeds/mart_brands_kr.csv")}
    brands |= {name.replace(" ", ""): name for name in BRANDS_BESIDE_SEEDS} | OTHER_SPELLINGS
    positions = {int(r["row"]): r for r in rows("kr-large-stores/expected-wgs84.csv")}

    newest = {}  # one store a name and point: several licences may name the same one
    stores = rows("kr-large-stores/seoul-large-stores-2025.cp949.csv", encoding="cp949")
    for number, r in enumerate(stores, start=1):
        if (r["영업상태명"], r["상세영업상태명"]) != ("영업/정상", "정상영업"):
            continue
        if number not in positions:
            continue
        point = positions[number]
        key = (re.sub(r"\s", "", r["사업장명"]), point["lat"], point["lon"])
        known = newest.get(key)
        if known is None or r["최종수정일자"] > known[0]["최종수정일자"]:
            newest[key] = (r, point)

    def category(r):
        told = (tidy(r[column]) for column in ("업태구분명", "점포구분명"))
        return next((name for name in told if name and name != "구분없음"), "")

    return [
        record(f"mart-{r['관리번호']}", r["사업장명"], "mart", point["lat"], point["lon"],
               address=tidy(r["도로명주소"]) or tidy(r["지번주소"]), category=category(r),
               brand=brand(r["사업장명"], brands), phone=seoul_phone(r["전화번호"]))
        for r, point in sorted(newest.values(), key=lambda pair: pair[0]["관리번호"])
    ]


def yaizu_address(*parts):
    """From the city down, without the prefecture; the voucher list leaves the city out."""
    text = tidy(" ".join(part for part in parts if part)).removeprefix("静岡県")
    return text if text.startswith("焼津市") else "焼津市" + text


def deals():
    tells_hours = re.compile(r"[0-9０-９]\s*[:：;時]|定\s*休|休[みす日業診]|無休|全日|営業[日時]|曜")
    # A word to the sender of the QR codes, which names an employee.
    not_for_customers = re.compile(r"QRコード送付時は")
    result = []
    for r in rows("jp-yaizu-deals/digital_coupon.csv", encoding="utf-8-sig"):
        remark = tidy(r["店舗説明"])
        if not_for_customers.search(remark):
            remark = ""
        column = "opening_hours" if tells_hours.search(remark) else "note"
        result.append(record(
            f"deal-coupon-{r['ソート番号']}", r["クーポン名"], "deal", r["緯度"], r["経度"],
            address=yaizu_address(r["店舗住所"]), category=r["業種"],
            terms=tidy(r["クーポン名表示用"]), phone=tidy(r["電話番号"]), web=tidy(r["店舗URL"]),
            **{column: remark}))

    seen = set()
    for r in rows("jp-yaizu-deals/voucher_retail.csv", encoding="utf-8-sig"):
        if r["ID"] in seen:
            continue  # 186 is listed twice, its address once in full-width digits
        seen.add(r["ID"])
        result.append(record(
            f"deal-voucher-{r['ID']}", r["店舗名"], "deal", r["緯度"], r["経度"],
            address=yaizu_address(r["住所"], r["建物名"]), category="小売業",
            terms="生活応援商品券 利用可"))
    return result


if __name__ == "__main__":
    write("cinemas.csv", [], cinemas())
    write("marts.csv", ["category", "brand", "phone"], marts())
    write("deals.csv", ["category", "terms", "note", "phone", "web"], deals())
