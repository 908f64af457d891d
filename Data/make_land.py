#!/usr/bin/env python3
"""Writes land.txt, the land, lakes, borders and names behind the maps, from Natural Earth and GeoNames.

README.md beside this file says where both come from. The build does not run this; run it by hand when a source or a
rule changes:

    python3 Data/make_land.py NATURAL_EARTH_FOLDER

The folder has Natural Earth's cultural/ne_10m_admin_0_countries.shp and physical/ne_10m_lakes.shp; the cities are those
of ../shared/data/geonames-cities. Needs geopandas and numpy.

The file is text, a thing on each line; positions are whole numbers in Web Mercator, 131,072 of them around the Earth:

    A west north east south uses n n n finemiddlecoarse   an arc: its box, how many areas it bounds, and itself thrice
    C code rank x y arcs/arcs/…                           a country by ISO 3166, where its name stands, and its rings
    L west north east south n n finecoarse                a lake's ring
    P x y rank english|japanese|korean                    a city

An arc is the differences of its positions, x before y, each as a sign in the lowest bit and five bits a letter, lowest
first; before the letters stands how many there are, 0 where nothing is left of it. Rings name arcs by number, a
reversed one by -1 - number.
"""

import gzip
import math
import os
import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import geopandas
import numpy

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("NEARBY_SHARED", HERE.parent.parent / "shared")) / "data"
TARGET = HERE.parent / "Sources" / "CNearbyLand" / "land.txt"

WORLD = 1 << 17
# So that a map of one country need not have all of its neighbor's coast.
LONGEST_ARC = 400
# How far a simplified line may be off: 600 m, 4 km and 18 km at the equator.
TOLERANCES = [2.0, 14.0, 60.0]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

# Cities with fewer people than this are left out; Korea and Japan, where most users are, have more of theirs.
LEAST_PEOPLE = defaultdict(lambda: 1_000_000, KR=150_000, JP=300_000)
CAPITAL_LEAST = 30_000
# Several of Japan's cities have more than one name in kanji there; these are the usual ones.
KANJI = {
    "Tokyo": "東京", "Yokohama": "横浜", "Osaka": "大阪", "Nagoya": "名古屋", "Sapporo": "札幌", "Kobe": "神戸",
    "Kyoto": "京都", "Fukuoka": "福岡", "Kawasaki": "川崎", "Saitama": "さいたま", "Hiroshima": "広島", "Sendai": "仙台",
    "Kitakyushu": "北九州", "Chiba": "千葉", "Sakai": "堺", "Shizuoka": "静岡", "Hamamatsu": "浜松", "Niigata": "新潟",
    "Kumamoto": "熊本", "Okayama": "岡山", "Kagoshima": "鹿児島", "Naha": "那覇", "Matsuyama": "松山", "Kanazawa": "金沢",
    "Nagasaki": "長崎", "Oita": "大分", "Toyama": "富山", "Nagano": "長野", "Wakayama": "和歌山", "Nara": "奈良",
    "Takamatsu": "高松", "Kochi": "高知", "Miyazaki": "宮崎", "Akita": "秋田", "Aomori": "青森",
    "Morioka": "盛岡", "Fukushima": "福島", "Utsunomiya": "宇都宮", "Maebashi": "前橋", "Gifu": "岐阜",
    "Himeji": "姫路", "Fukuyama": "福山", "Asahikawa": "旭川", "Hakodate": "函館", "Koriyama": "郡山",
    "Iwaki": "いわき", "Toyota": "豊田", "Toyohashi": "豊橋", "Okazaki": "岡崎", "Tokushima": "徳島", "Kurume": "久留米",
    "Mito": "水戸", "Tottori": "鳥取", "Matsue": "松江", "Yamagata": "山形", "Fukui": "福井", "Otsu": "大津", "Tsu": "津",
    "Shimonoseki": "下関", "Sasebo": "佐世保", "Hachinohe": "八戸", "Kofu": "甲府", "Saga": "佐賀", "Yaizu": "焼津",
}
HANGUL = {
    "Saitama": "사이타마", "Sendai": "센다이", "Toyama": "도야마", "Nagano": "나가노", "Koriyama": "고리야마", "Iwaki": "이와키",
    "Wakayama": "와카야마", "Kochi": "고치", "Miyazaki": "미야자키", "Sagamihara": "사가미하라", "Yokosuka": "요코스카", "Akita": "아키타",
    "Asahikawa": "아사히카와", "Toyohashi": "도요하시", "Toyota": "도요타", "Fukuyama": "후쿠야마", "Kurashiki": "구라시키",
}
# The large ones of which GeoNames has no short name in Japanese or Korean.
KNOWN = {
    "Seoul": "ソウル|서울", "Busan": "釜山|부산", "Incheon": "仁川|인천", "Daegu": "大邱|대구", "Daejeon": "大田|대전",
    "Gwangju": "光州|광주", "Suwon": "水原|수원", "Ulsan": "蔚山|울산", "Pyongyang": "平壌|평양", "Beijing": "北京|베이징",
    "Shanghai": "上海|상하이", "Taipei": "台北|타이베이", "Hong Kong": "香港|홍콩", "Singapore": "シンガポール|싱가포르",
    "Guangzhou": "広州|광저우", "Shenzhen": "深圳|선전", "Tianjin": "天津|톈진", "Wuhan": "武漢|우한", "Chongqing": "重慶|충칭",
    "Chengdu": "成都|청두", "Nanjing": "南京|난징", "Xi'an": "西安|시안", "Shenyang": "瀋陽|선양", "Harbin": "ハルビン|하얼빈",
    "Hangzhou": "杭州|항저우", "Dalian": "大連|다롄", "Qingdao": "青島|칭다오", "Vienna": "ウィーン|빈", "Bangalore": "バンガロール|벵갈루루",
    "Chennai": "チェンナイ|첸나이", "Hyderabad": "ハイデラバード|하이데라바드", "Ho Chi Minh City": "ホーチミン|호찌민",
    "Washington": "ワシントン|워싱턴", "Tripoli": "トリポリ|트리폴리", "Harare": "ハラレ|하라레", "Dakar": "ダカール|다카르",
    "Kano": "カノ|카노", "Istanbul": "イスタンブール|이스탄불", "Rome": "ローマ|로마", "Ibadan": "イバダン|이바단", "Jeddah": "ジッダ|제다", "Pune": "プネー|푸네", "Surat": "スーラト|수라트",
    "Durban": "ダーバン|더반", "Salvador": "サルバドール|사우바도르", "Izmir": "イズミル|이즈미르", "Kaohsiung": "高雄|가오슝",
}
# Of Korea's cities GeoNames of 2012 mostly has older spellings, and for some another city's name in Hangul.
KOREA = {
    "Reisui": "Yeosu|麗水|여수", "Yangju": "Yangju|楊州|양주", "Wŏnju": "Wonju|原州|원주", "Vijongbu": "Uijeongbu|議政府|의정부",
    "Suigen": "Suwon|水原|수원", "Sunchun": "Suncheon|順天|순천", "Bucheon": "Bucheon|富川|부천", "Hoko": "Pohang|浦項|포항",
    "Osan": "Osan|烏山|오산", "Moppo": "Mokpo|木浦|목포", "Masan": "Masan|馬山|마산", "Kyonju": "Gyeongju|慶州|경주",
    "Kuri": "Guri|九里|구리", "Kunsan": "Gunsan|群山|군산", "Kumi": "Gumi|亀尾|구미", "Goyang": "Goyang|高陽|고양",
    "Kimhae": "Gimhae|金海|김해", "Gimcheon": "Gimcheon|金泉|김천", "Kang-neung": "Gangneung|江陵|강릉", "Iksan": "Iksan|益山|익산",
    "Ich'ŏn": "Icheon|利川|이천", "Hwaseong": "Hwaseong|華城|화성", "Chuncheon": "Chuncheon|春川|춘천", "Jeonju": "Jeonju|全州|전주",
    "Cheongju": "Cheongju|清州|청주", "Tenan": "Cheonan|天安|천안", "Chinju": "Jinju|晋州|진주", "Jeju": "Jeju|済州|제주",
    "Changwon": "Changwon|昌原|창원", "Anyang": "Anyang|安養|안양", "Ansan": "Ansan|安山|안산", "Seongnam": "Seongnam|城南|성남",
    "Kwangmyŏng": "Gwangmyeong|光明|광명",
}
# GeoNames' name of 2012 is not the one that a map has today.
RENAMED = {
    "Kiev": "Kyiv", "New York City": "New York", "Washington, D. C.": "Washington", "Thành phố Hồ Chí Minh": "Ho Chi Minh City",
    "Xi’an": "Xi'an", "İzmir": "Izmir", "İstanbul": "Istanbul", "Roma": "Rome", "Tehrān": "Tehran", "Hyderābād": "Hyderabad", "Sūrat": "Surat", "Benares": "Varanasi",
    "Saint Petersburg": "St Petersburg", "Gorod Belgorod": "Belgorod", "Puebla de Zaragoza": "Puebla",
}
# What is part of a city that is there as well, or no city.
LEFT_OUT = {
    "Grand Dakar", "City of London", "Borough of Bronx", "Raigarh Fort", "Masjid Jamie Baitul Muttaqien", "Iztapalapa",
    "Ecatepec", "Camayenne", "Soweto", "Shivaji Nagar", "Yono", "Budta", "Malingao", "Dayan", "Teni", "Pimpri", "Tongshan",
    "Quezon City", "Kalyān", "Thāne", "Dombivli", "Brooklyn", "Manhattan", "Queens", "The Bronx", "Borough of Queens",
    "Ciudad Nezahualcóyotl", "Zhumadian", "Yunfu", "Yueyang", "Puyang",
}


def project(lon, lat):
    lat = numpy.clip(lat, -85.051129, 85.051129)
    y = 0.5 - numpy.log(numpy.tan(math.pi / 4 + numpy.radians(lat) / 2)) / (2 * math.pi)
    return numpy.column_stack([(lon + 180) / 360 * WORLD, y * WORLD])


def simplified(line, tolerance):
    """A line after Douglas and Peucker, its ends kept."""
    keep = numpy.zeros(len(line), bool)
    keep[[0, -1]] = True
    stack = [(0, len(line) - 1)]
    if (line[0] == line[-1]).all() and len(line) > 3:
        # A ring is cut at the place farthest from where it begins.
        far = int(numpy.argmax(((line - line[0]) ** 2).sum(axis=1)))
        keep[far] = True
        stack = [(0, far), (far, len(line) - 1)]
    while stack:
        first, last = stack.pop()
        if last - first < 2:
            continue
        start, way = line[first], line[last] - line[first]
        length = math.hypot(*way)
        inner = line[first + 1:last] - start
        off = (numpy.abs(way[0] * inner[:, 1] - way[1] * inner[:, 0]) / length if length > 0
               else numpy.hypot(inner[:, 0], inner[:, 1]))
        most = int(numpy.argmax(off))
        if off[most] > tolerance:
            middle = first + 1 + most
            keep[middle] = True
            stack += [(first, middle), (middle, last)]
    return line[keep]


def letters(numbers):
    text = []
    for number in numbers:
        number = int(number)
        rest = -number * 2 - 1 if number < 0 else number * 2
        while rest > 31:
            text.append(LETTERS[rest & 31 | 32])
            rest >>= 5
        text.append(LETTERS[rest])
    return "".join(text)


def encoded(line, tolerance, is_ring):
    """A line in letters; none for a ring too small to be seen at this tolerance."""
    if is_ring:
        x, y = line[:, 0], line[:, 1]
        area = abs(numpy.dot(x[:-1], y[1:]) - numpy.dot(x[1:], y[:-1])) / 2
        if area < 2 * tolerance * tolerance:
            return ""
    whole = numpy.rint(simplified(line, tolerance)).astype(int)
    moves = numpy.diff(whole, axis=0)
    whole = numpy.vstack([whole[:1], whole[1:][(moves != 0).any(axis=1)]])
    if is_ring and len(whole) < 4:
        return ""
    return letters(numpy.vstack([whole[:1], numpy.diff(whole, axis=0)]).ravel())


def counted(levels):
    return " ".join(str(len(level)) for level in levels) + " " + "".join(levels)


def rings_of(geometry):
    for polygon in getattr(geometry, "geoms", [geometry]):
        for ring in [polygon.exterior, *polygon.interiors]:
            yield numpy.round(numpy.array(ring.coords)[:, :2], 7)


def box(line):
    west, north = numpy.floor(line.min(axis=0)).astype(int)
    east, south = numpy.ceil(line.max(axis=0)).astype(int)
    return f"{west} {north} {east} {south}"


class Arcs:
    """Lines between the places where three areas meet, each once."""

    def __init__(self, rings):
        beside = defaultdict(set)
        for ring in rings:
            places = [tuple(place) for place in ring[:-1]]
            for at, place in enumerate(places):
                beside[place].update((places[at - 1], places[(at + 1) % len(places)]))
        self.joints = {place for place, others in beside.items() if len(others) > 2}
        self.number, self.lines, self.uses, self.cuts, self.seen = {}, [], [], set(), set()

    def add(self, ring):
        """The numbers of a ring's arcs."""
        places = [tuple(place) for place in ring[:-1]]
        first = next((at for at, place in enumerate(places) if place in self.joints), None)
        if first is None:
            # A ring alone, or two areas' whole border: it begins at its least place.
            first = places.index(min(places))
        places = places[first:] + places[:first + 1]
        self.cut(places)
        numbers, begin = [], 0
        for at in range(1, len(places)):
            if at == len(places) - 1 or places[at] in self.joints or places[at] in self.cuts:
                numbers.append(self.arc(tuple(places[begin:at + 1])))
                begin = at
        return numbers

    def cut(self, places):
        """Sees to it that no arc of a ring is too long; a border is cut at the same places from both sides."""
        length = 0
        for place in places:
            length = 0 if place in self.joints or place in self.cuts else length + 1
            if length == LONGEST_ARC and place not in self.seen:
                self.cuts.add(place)
                length = 0
        self.seen.update(places)

    def arc(self, line):
        if line in self.number:
            self.uses[self.number[line]] += 1
            return self.number[line]
        back = line[::-1]
        if back in self.number:
            self.uses[self.number[back]] += 1
            return -1 - self.number[back]
        self.number[line] = len(self.lines)
        self.lines.append(line)
        self.uses.append(1)
        return len(self.lines) - 1


def countries(folder, out):
    table = geopandas.read_file(folder / "cultural" / "ne_10m_admin_0_countries.shp")
    all_rings = [list(rings_of(geometry)) for geometry in table.geometry]
    arcs = Arcs([ring for rings in all_rings for ring in rings])
    numbered = [[arcs.add(ring) for ring in rings] for rings in all_rings]
    for line, uses in zip(arcs.lines, arcs.uses):
        line = numpy.array(line)
        plane = project(line[:, 0], line[:, 1])
        is_ring = line[0].tolist() == line[-1].tolist()
        out.append(f"A {box(plane)} {uses} {counted([encoded(plane, tolerance, is_ring) for tolerance in TOLERANCES])}")
    for row, rings in zip(table.itertuples(), numbered):
        if row.NAME == "South Korea":
            # Dokdo is too small for Natural Earth.
            east, south = numpy.rint(project(numpy.array([131.8647]), numpy.array([37.2417]))[0]).astype(int)
            rock = letters([east - 1, south, 1, -1, 1, 1, -1, 1, -1, -1])
            rings.append([sum(line.startswith("A") for line in out)])
            out.append(f"A {east - 1} {south - 1} {east + 1} {south + 1} 1 {counted([rock] * 3)}")
        code = row.ISO_A2_EH if re.fullmatch("[A-Z]{2}", row.ISO_A2_EH or "") else {"Kosovo": "XK"}.get(row.NAME, "-")
        x, y = numpy.rint(project(numpy.array([row.LABEL_X]), numpy.array([row.LABEL_Y]))[0]).astype(int)
        text = "/".join(",".join(map(str, ring)) for ring in rings)
        out.append(f"C {code} {round(row.MIN_LABEL * 10)} {x} {y} {text}")


def lakes(folder, out):
    table = geopandas.read_file(folder / "physical" / "ne_10m_lakes.shp")
    for row in table.sort_values("scalerank").itertuples():
        if row.scalerank > 4 or row.geometry is None:
            continue
        for ring in rings_of(row.geometry):
            plane = project(ring[:, 0], ring[:, 1])
            fine, coarse = (encoded(plane, tolerance, True) for tolerance in (TOLERANCES[1] / 2, TOLERANCES[2] / 2))
            if fine:
                out.append(f"L {box(plane)} {counted([fine, coarse])}")


def chosen_name(others, pattern):
    """The shortest of the names in a script, as those with suffixes for city or ward are longer."""
    found = [name for name in others if re.fullmatch(pattern, name)]
    return min(found, key=len) if found else ""


def cities(out):
    path = SHARED / "geonames-cities" / "cities15000.tsv.gz"
    found = []
    for line in gzip.open(path, "rt", encoding="utf-8"):
        cells = line.rstrip("\n").split("\t")
        name, others, country, people = cells[1], cells[3].split(","), cells[8], int(cells[14])
        is_capital = cells[7] == "PPLC"
        if cells[7] == "PPLX" or people < (CAPITAL_LEAST if is_capital else LEAST_PEOPLE[country]):
            continue
        name = RENAMED.get(name, name)
        if name in LEFT_OUT:
            continue
        korean = chosen_name(others, "[가-힣 ]+").removesuffix(" 시")
        japanese = chosen_name(others, "[ァ-ヿ・ー＝ ]+")
        if country == "JP":
            name = re.sub("[- ][Ss]hi$", "", unicodedata.normalize("NFD", name).encode("ascii", "ignore").decode())
            japanese = KANJI.get(name, "") or chosen_name(others, "[\u4e00-\u9fff]+").removesuffix("市") or japanese
            korean = HANGUL.get(name, korean)
        if country == "KR" and name in KOREA:
            name, japanese, korean = KOREA[name].split("|")
        elif name in KNOWN:
            japanese, korean = KNOWN[name].split("|")
        x, y = numpy.rint(project(numpy.array([float(cells[5])]), numpy.array([float(cells[4])]))[0]).astype(int)
        # A capital ranks as if it had four times as many people.
        found.append((people * (4 if is_capital else 1), x, y, name, japanese, korean))
    found.sort(key=lambda city: -city[0])
    seen = []
    for weight, x, y, *names in found:
        # The same city again, or a town that has grown into one.
        if any(abs(x - other[0]) < 500 and abs(y - other[1]) < 500 and (names[0] == other[2] or names[1] and names[1] == other[3])
               or math.hypot(x - other[0], y - other[1]) < 20 for other in seen):
            continue
        seen.append((x, y, *names))
        # The zoom from which the name is shown: 3 for the largest, one more for each third of the people.
        rank = max(20, round(10 * (3 + math.log(20_000_000 / weight, 3))))
        out.append(f"P {x} {y} {rank} {'|'.join(names)}")


def main():
    out = []
    countries(Path(sys.argv[1]), out)
    lakes(Path(sys.argv[1]), out)
    cities(out)
    TARGET.write_text("\n".join(out) + "\n", encoding="utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes, {len(out):,} lines")


main()
