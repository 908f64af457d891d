#!/usr/bin/env python3
"""Cleans every GPX file at hand with several gates, and compares what `nearby track … -o clean.gpx` writes
with its source: the same bytes where no point is left out, and else, by Python's own reader of XML, the
same elements, attributes and texts but for the points of tracks that the verdicts leave out.

usage: .ci/clean_gpx.py NEARBY FOLDER...
"""
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

NEARBY = pathlib.Path(sys.argv[1]).resolve()
GATES = [
    ("--gate", "none"), ("--gate", "300m"), ("--gate", "300m", "--accepted-only"),
    ("--gate", "careful"), ("--gate", "careful", "--hindsight"), ("--gate", "mart0.0005deg"),
    ("--gate", "none", "--max-speed", "3m/s"), ("--gate", "none", "--smooth", "1.5m/s"),
]
WITH_COMMENTS = dict(insert_comments=True, insert_pis=True)


def main():
    files = sorted({path for folder in sys.argv[2:] for path in pathlib.Path(folder).rglob("*.gpx")})
    assert files, "no GPX file is there"
    same = changed = removed = 0
    with tempfile.TemporaryDirectory(prefix="nearby-clean-") as folder:
        clean, copy = pathlib.Path(folder) / "clean.gpx", pathlib.Path(folder) / "copy.gpx"
        for path in files:
            for content in variants(path.read_bytes()):
                copy.write_bytes(content)
                for gate in GATES:
                    left_out = compare(copy, clean, gate, f"{path.name} {' '.join(gate)}")
                    same, changed, removed = same + (left_out == 0), changed + (left_out > 0), removed + left_out
    assert same and changed, (same, changed)
    print(f"{len(files)} GPX files by {len(GATES)} gates, as they are, packed and in other encodings: "
          f"{same} byte for byte, {changed} without {removed} points and else the same")


def variants(content):
    """The file as it is, packed, and in other encodings."""
    yield content
    yield gzip.compress(content)
    text = re.sub(r"^\s*<\?xml.*?\?>", "", content.decode("utf-8-sig"))
    yield ('<?xml version="1.0" encoding="UTF-16"?>' + text).encode("utf-16")
    yield '<?xml version="1.0" encoding="ISO-8859-1"?>'.encode() + text.encode("iso-8859-1", "xmlcharrefreplace")


def compare(source, clean, gate, name):
    """How many points were left out."""
    judging = [word for word in gate if word not in ("--accepted-only", "--smooth", "1.5m/s")]
    verdicts = run("track", source, *judging, "--format", "jsonl")
    verdicts = [json.loads(line) for line in verdicts.splitlines()]
    run("track", source, *gate, "-o", clean)
    content = source.read_bytes()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    cleaned = clean.read_bytes()
    accepted_only, smooth = "--accepted-only" in gate, "--smooth" in gate

    before, after = tree(content), tree(cleaned)
    assert len(points(before)) == len(verdicts), f"{name}: {len(verdicts)} verdicts"
    kept = 0
    segments = list(zip(find(before, "trkseg"), find(after, "trkseg"), strict=True))
    number = 0
    for segment, other in segments:
        rest = points(other)
        for point in points(segment):
            verdict = verdicts[number]["verdict"]
            codes = [reason["code"] for reason in verdicts[number]["reasons"]]
            number += 1
            stays = bool(rest) and canonical(rest[0], smooth) == canonical(point, smooth)
            if verdict == "accepted":
                assert stays, f"{name}: accepted fix {number} is missing"
            elif verdict == "rejected" and stays:
                # The next one may be its like.
                stays = False
            elif verdict == "held" and (accepted_only or "unconfirmed" in codes):
                # One that contradicts is kept where others confirm it.
                stays = stays and not accepted_only
            elif verdict == "held":
                assert stays, f"{name}: held fix {number} is missing"
            if stays:
                kept += 1
                rest.pop(0)
        assert not rest, f"{name}: {len(rest)} points of a segment are not in the source"
    for one in (before, after):
        for segment in find(one, "trkseg"):
            for point in points(segment):
                segment.remove(point)
    assert canonical(before, smooth) == canonical(after, smooth), f"{name}: more than points differs"
    if kept == len(verdicts) and not smooth:
        assert content == cleaned, f"{name}: other bytes, though no point is left out"
    return len(verdicts) - kept


def tree(content):
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(**WITH_COMMENTS))
    return ElementTree.fromstring(content, parser)


def find(tree, name):
    return [one for one in tree.iter() if isinstance(one.tag, str) and one.tag.split("}")[-1] == name]


def points(tree):
    return find(tree, "trkpt")


def canonical(element, smooth):
    """An element as text; blanks at the ends of texts do not count, nor do positions that are smoothed."""
    text = ElementTree.tostring(element, encoding="unicode", short_empty_elements=False).strip()
    text = re.sub(r">\s+|\s+<", lambda found: found[0].strip(), text)
    return re.sub(r' (lat|lon)="[^"]*"', "", text) if smooth else text


def run(*words):
    answer = subprocess.run([NEARBY, *words], capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {answer.stderr}")
    return answer.stdout


main()
