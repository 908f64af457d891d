"""Reads PMTiles archives with PyPI's `pmtiles`, and looks at what the program `pmtiles verify` looks at.

    python3 .ci/archives.py ARCHIVE [TILES]

TILES is JSON, `{"zoom/x/y": "tile in base64", …}`: then the archive has to hold these tiles and no other.
Without it every tile has to unpack.
"""
import base64
import gzip
import json
import sys
from collections import Counter
from pathlib import Path

from pmtiles.reader import MmapSource, Reader, all_tiles
from pmtiles.tile import Compression, TileType, deserialize_directory

path = Path(sys.argv[1])
with path.open("rb") as file:
    source = MmapSource(file)
    reader = Reader(source)
    header = reader.header()
    assert header["version"] == 3
    assert header["tile_type"] == TileType.MVT
    assert header["internal_compression"] == Compression.GZIP

    # The root directory is brought by the first read of every client.
    assert header["root_offset"] + header["root_length"] <= 16384, "the root directory ends too late"
    rest = header["metadata_length"] + header["leaf_directory_length"] + header["tile_data_length"]
    sizes = (127 + header["root_length"] + rest, 16384 + rest)
    assert path.stat().st_size in sizes, f"{path.stat().st_size} bytes, not {sizes}"

    metadata = reader.metadata()
    assert isinstance(metadata["vector_layers"], list), metadata
    assert header["min_lon_e7"] <= header["center_lon_e7"] <= header["max_lon_e7"]
    assert header["min_lat_e7"] <= header["center_lat_e7"] <= header["max_lat_e7"]

    # Entries as they lie in the directories: ascending, and new contents one behind the other.
    entries = []

    def collect(offset, length, depth):
        assert depth < 4, "directories too deep"
        for entry in deserialize_directory(source(offset, length)):
            if entry.run_length:
                entries.append(entry)
            else:
                collect(header["leaf_directory_offset"] + entry.offset, entry.length, depth + 1)

    collect(header["root_offset"], header["root_length"], 0)
    end = next_id = 0
    for entry in entries:
        assert entry.tile_id >= next_id, "tiles out of order"
        next_id = entry.tile_id + entry.run_length
        assert entry.offset <= end, "a gap between tiles"
        if entry.offset == end:
            end += entry.length
    assert end == header["tile_data_length"]
    assert header["clustered"]
    assert header["tile_entries_count"] == len(entries)
    assert header["tile_contents_count"] == len({entry.offset for entry in entries})
    assert header["addressed_tiles_count"] == sum(entry.run_length for entry in entries)

    tiles = dict(all_tiles(source)) if entries else {}
    assert len(tiles) == header["addressed_tiles_count"]
    if tiles:
        assert header["min_zoom"] == min(z for z, _, _ in tiles)
        assert header["max_zoom"] == max(z for z, _, _ in tiles)
    if len(sys.argv) > 2:
        expected = {
            tuple(int(number) for number in name.split("/")): base64.b64decode(text)
            for name, text in json.loads(Path(sys.argv[2]).read_text()).items()}
        assert tiles == expected, "the archive does not hold what was written"
        # A look-up reads its directories anew: some 300 of them.
        for place in list(expected)[::max(1, len(expected) // 300)]:
            assert reader.get(*place) == expected[place], place
    elif header["tile_compression"] == Compression.GZIP:
        for place, tile in tiles.items():
            assert gzip.decompress(tile), f"{place} is empty"

    zooms = Counter(z for z, _, _ in tiles)
    print(f"{path.name}: {len(tiles)} tiles of {header['tile_contents_count']} contents in {len(entries)} "
          f"entries and {header['leaf_directory_length']} bytes of leaves, zooms {dict(sorted(zooms.items()))}")
