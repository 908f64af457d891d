// Places in tiles beside the page: of a million only those in sight are loaded, from a PMTiles archive (version 3) of
// vector tiles (Mapbox's specification 2.1), piece by piece.

// What a point of a tile has its course of hours under, as the program's `HoursTable.tileProperty` says; it is not shown.
const courseName = "nearby:hours";

class TiledPlaces {
  // `index` is the first that no other place has; `hasHours` says whether points have courses of hours.
  constructor(address, index, hasHours, came) {
    Object.assign(this, { address, index, hasHours, held: new Map(), directories: new Map(), shown: null, decoded: Promise.resolve() });
    // Tiles come many at once, and are shown together.
    this.came = () => { this.coming ??= setTimeout(() => { this.coming = null; came(); }, 120); };
  }

  async open() {
    const start = await this.bytes(0, 16384), view = new DataView(start.buffer, start.byteOffset);
    if (decoder.decode(start.subarray(0, 7)) !== "PMTiles" || start[7] !== 3) throw new Error("no PMTiles archive of version 3");
    const long = at => Number(view.getBigUint64(at, true)), degrees = at => view.getInt32(at, true) / 1e7;
    this.leaves = long(40);
    this.data = long(56);
    [this.first, this.last] = [start[100], start[101]];
    this.box = [worldX(degrees(102)), worldY(degrees(114)), worldX(degrees(110)), worldY(degrees(106))];
    // A box across ±180° is written as all longitudes, with its own middle, and a zoom that shows it.
    const middle = worldX(degrees(119)), half = 0.5 / 2 ** start[118];
    if (this.box[2] - this.box[0] === 1) [this.box[0], this.box[2]] = [middle - half, middle + half];
    this.root = directory(await this.unpacked(long(8), long(16)));
  }

  // Part of the archive; of a server that sends all of it, all is kept.
  async bytes(offset, length) {
    if (this.whole) return this.whole.subarray(offset, offset + length);
    const answer = await fetch(this.address, { headers: { Range: `bytes=${offset}-${offset + length - 1}` } });
    if (!answer.ok) throw new Error(answer.status);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 206) return bytes;
    this.whole = bytes;
    return this.bytes(offset, length);
  }

  async unpacked(offset, length) {
    const packed = await this.bytes(offset, length);
    if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
    return new Uint8Array(await gunzip(packed));
  }

  async tile(z, x, y) {
    const id = tileNumber(z, x, y);
    for (let entries = this.root, depth = 0; depth < 4; depth++) {
      const entry = entries.findLast(entry => entry.id <= id);
      if (!entry || entry.run && id >= entry.id + entry.run) return [];
      if (entry.run) {
        const bytes = await this.unpacked(this.data + entry.offset, entry.length);
        const places = this.decoded.then(() => this.pointsOf(bytes, z, x, y));
        // One tile after another; who asked for this one hears of its failure.
        this.decoded = places.then(() => {}, () => {});
        return places;
      }
      const key = entry.offset;
      if (!this.directories.has(key)) this.directories.set(key, this.unpacked(this.leaves + entry.offset, entry.length).then(directory));
      entries = await this.directories.get(key).catch(error => { this.directories.delete(key); throw error; });
    }
    return [];
  }

  // The places of the tiles in sight, as far as they have come; `came` is called when more of them have.
  places(bounds, zoom) {
    const z = clamp(Math.round(zoom), this.first, this.last), keys = [...new Set(Array.from(tilesInSight(bounds, 2 ** z), ([, row, around]) => `${z}/${around}/${row}`))];
    for (const key of keys) if (!this.held.has(key)) {
      const held = { places: null };
      this.held.set(key, held);
      this.tile(...key.split("/").map(Number)).then(places => { held.places = places; this.failed = null; }, error => {
        held.places = [];
        this.failed = error;
        // The network may come back.
        setTimeout(() => { this.held.delete(key); this.came(); }, 5000);
      }).then(this.came);
    }
    // What is not seen any more may come again soon.
    for (const key of this.held.keys()) if (this.held.size > 200 && !keys.includes(key)) this.held.delete(key);
    const ready = keys.filter(key => this.held.get(key).places);
    this.isLoading = ready.length < keys.length;
    const shown = ready.join(" ");
    if (shown === this.shown) return null;
    this.shown = shown;
    this.isPart = ready.some(key => this.held.get(key).places.isPart);
    return ready.flatMap(key => this.held.get(key).places);
  }

  // The points of a vector tile, and whether a limit left some out; the margin of a tile is its neighbor's.
  async pointsOf(bytes, z, x, y) {
    const places = Object.assign([], { isPart: false }), layers = [];
    new Numbers(bytes).fields((field, content) => { if (field === 3) layers.push(new PointLayer(content, this.hasHours)); });
    for (const layer of layers) {
      if (layer.name.endsWith("_dropped")) { places.isPart = true; continue; }
      for (const feature of layer.features) {
        if (places.length % 64 === 0 && work.isLong()) await work.rest();
        const place = layer.place(feature, this.index, z, x, y);
        if (!place) continue;
        places.push(place);
        this.index++;
      }
      layer.features = null;
    }
    return places;
  }
}

// A layer of a vector tile: where its features and its values are in the tile's bytes.
class PointLayer {
  constructor(content, hasHours) {
    Object.assign(this, { name: "", extent: 4096, features: [], keys: [], values: [] });
    content.fields((field, value) => {
      if (field === 1) this.name = value.text();
      if (field === 2) this.features.push(value);
      if (field === 3) this.keys.push(value.text());
      if (field === 4) this.values.push(value);
      if (field === 5) this.extent = value;
    });
    [this.idKey, this.kindKey] = [this.keys.indexOf("id"), this.keys.indexOf("kind")];
    this.courseKey = hasHours ? this.keys.indexOf(courseName) : -1;
  }

  place(feature, index, z, x, y) {
    let id, tags, commands, kind, course = -1;
    feature.again().fields((field, value, at) => {
      if (field === 1) id = value > Number.MAX_SAFE_INTEGER ? feature.exact(at) : value;
      if (field === 2) tags = value;
      if (field === 4) commands = value;
    });
    commands.next();
    const px = unsigned(commands.next()), py = unsigned(commands.next());
    if (px < 0 || py < 0 || px >= this.extent || py >= this.extent) return null;
    for (const read = tags?.again(); read && read.at < read.end;) {
      const key = read.next(), value = read.next();
      if (key === this.kindKey) kind = this.value(value);
      if (key === this.courseKey) course = this.value(value);
      if (key === this.idKey) id ??= this.value(value);
    }
    return new TilePlace(this, tags, index, String(id ?? index + 1), text(kind) ?? "", course, (x + px / this.extent) / 2 ** z, (y + py / this.extent) / 2 ** z);
  }

  value(number) {
    const bytes = this.values[number].again(), isLong = (kind, content) => kind > 3 && content > Number.MAX_SAFE_INTEGER;
    let found;
    bytes.fields((kind, content, at) => { found = kind === 1 ? content.text() : kind === 7 ? content === 1 : isLong(kind, content) ? bytes.exact(at, kind === 6) : kind === 6 ? unsigned(content) : content; });
    return found;
  }
}

// A point of a tile. What it says is read from the bytes of the tile when it is asked for: of thousands a few are.
class TilePlace {
  constructor(layer, tags, index, id, kind, hours, x, y) {
    this.layer = layer;
    this.tags = tags;
    this.index = index;
    this.id = id;
    this.kind = kind;
    this.kindOf = null;
    this.hours = hours;
    this.x = x;
    this.y = y;
    this.lon = x * 360 - 180;
    this.lat = latitudeAt(y);
    this.shape = null;
  }

  get properties() {
    if (this.read) return this.read;
    this.read = {};
    for (const read = this.tags?.again(); read && read.at < read.end;) {
      const key = read.next(), value = read.next();
      if (key !== this.layer.courseKey) this.read[this.layer.keys[key]] = this.layer.value(value);
    }
    return this.read;
  }

  get name() { return nameOf(this.properties); }
}

// The tiles that a window shows of a zoom with `count` columns: column, row, and the column in the world.
function* tilesInSight({ west, east, north, south }, count) {
  for (let row = Math.max(0, Math.floor(north * count)); row <= Math.min(count - 1, Math.floor(south * count)); row++) {
    for (let column = Math.floor(west * count); column <= Math.floor(east * count); column++) yield [column, row, (column % count + count) % count];
  }
}

const unsigned = number => number % 2 ? -(number + 1) / 2 : number / 2;
const decoder = new TextDecoder();

// Numbers of one directory: where its tiles or its leaves are.
function directory(bytes) {
  const read = new Numbers(bytes), entries = Array.from({ length: read.next() }, () => ({}));
  let id = 0;
  for (const entry of entries) entry.id = id += read.next();
  for (const entry of entries) entry.run = read.next();
  for (const entry of entries) entry.length = read.next();
  entries.forEach((entry, at) => {
    const offset = read.next();
    entry.offset = offset ? offset - 1 : entries[at - 1].offset + entries[at - 1].length;
  });
  return entries;
}

// The number of a tile in the archive: along a Hilbert curve, zoom after zoom.
function tileNumber(z, x, y) {
  let number = (4 ** z - 1) / 3;
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = Math.floor(x / side) % 2, down = Math.floor(y / side) % 2;
    number += side * side * (3 * right ^ down);
    if (!down) {
      if (right) [x, y] = [side - 1 - x % side, side - 1 - y % side];
      [x, y] = [y % side, x % side];
    }
  }
  return number;
}

// Numbers of protocol buffers.
class Numbers {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.from = this.at = at;
    this.end = end;
  }

  next() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127 && this.at < this.end);
    return value;
  }

  // The same from the beginning on.
  again() { return new Numbers(this.bytes, this.from, this.end); }

  // A whole number that is too large for a JavaScript number, as a text.
  exact(at, isSigned = false) {
    let value = 0n;
    for (let shift = 0n, byte = 128; byte > 127; shift += 7n) {
      byte = this.bytes[at++];
      value |= BigInt(byte & 127) << shift;
    }
    return String(!isSigned ? value : value % 2n ? -(value + 1n) / 2n : value / 2n);
  }

  // Calls with each field: its number and its value, a number and where it stands, or the numbers inside.
  fields(body) {
    while (this.at < this.end) {
      const tag = this.next(), kind = tag & 7;
      if (kind === 2) {
        const length = this.next(), inner = new Numbers(this.bytes, this.at, this.at + length);
        this.at += length;
        body(tag >> 3, inner);
      } else if (kind === 0) {
        const at = this.at;
        body(tag >> 3, this.next(), at);
      } else {
        const size = kind === 1 ? 8 : 4, view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, size);
        body(tag >> 3, kind === 1 ? view.getFloat64(0, true) : view.getFloat32(0, true));
        this.at += size;
      }
    }
  }

  text() { return decoder.decode(this.bytes.subarray(this.at, this.end)); }
}
