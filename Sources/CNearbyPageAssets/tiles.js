// Places in tiles beside the page: of a million only those in sight are loaded, from a PMTiles archive (version 3) of
// vector tiles (Mapbox's specification 2.1), piece by piece.

class TiledPlaces {
  constructor(address, came) {
    Object.assign(this, { address, came, held: new Map(), directories: new Map(), shown: null, index: 0 });
  }

  async open() {
    const start = await this.bytes(0, 16384), view = new DataView(start.buffer, start.byteOffset);
    if (new TextDecoder().decode(start.subarray(0, 7)) !== "PMTiles" || start[7] !== 3) throw new Error("no PMTiles archive of version 3");
    const long = at => Number(view.getBigUint64(at, true)), degrees = at => view.getInt32(at, true) / 1e7;
    this.leaves = long(40);
    this.data = long(56);
    [this.first, this.last] = [start[100], start[101]];
    this.box = [worldX(degrees(102)), worldY(degrees(114)), worldX(degrees(110)), worldY(degrees(106))];
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
    return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }

  async tile(z, x, y) {
    const id = tileNumber(z, x, y);
    for (let entries = this.root, depth = 0; depth < 4; depth++) {
      const entry = entries.findLast(entry => entry.id <= id);
      if (!entry || entry.run && id >= entry.id + entry.run) return [];
      if (entry.run) {
        const { features, isPart } = pointsOf(await this.unpacked(this.data + entry.offset, entry.length), z, x, y);
        return Object.assign(features.map(feature => placeOf(feature, this.index++, -1)), { isPart });
      }
      const key = entry.offset;
      if (!this.directories.has(key)) this.directories.set(key, this.unpacked(this.leaves + entry.offset, entry.length).then(directory));
      entries = await this.directories.get(key);
    }
    return [];
  }

  // The places of the tiles in sight, as far as they have come; `came` is called when more of them have.
  places(bounds, zoom) {
    const z = clamp(Math.round(zoom), this.first, this.last), count = 2 ** z, wanted = [];
    for (let row = Math.max(0, Math.floor(bounds.north * count)); row <= Math.min(count - 1, Math.floor(bounds.south * count)); row++) {
      for (let column = Math.floor(bounds.west * count); column <= Math.floor(bounds.east * count); column++) wanted.push(`${z}/${(column % count + count) % count}/${row}`);
    }
    const keys = [...new Set(wanted)];
    for (const key of keys) if (!this.held.has(key)) {
      const held = { places: null };
      this.held.set(key, held);
      this.tile(...key.split("/").map(Number)).then(places => { held.places = places; }, error => { held.places = []; this.failed = error; }).then(this.came);
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
}

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
  constructor(bytes, at = 0, end = bytes.length) { Object.assign(this, { bytes, at, end }); }

  next() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127 && this.at < this.end);
    return value;
  }

  // Calls with each field: its number and its value, a number or the numbers inside.
  fields(body) {
    while (this.at < this.end) {
      const tag = this.next(), kind = tag & 7;
      if (kind === 2) {
        const length = this.next(), inner = new Numbers(this.bytes, this.at, this.at + length);
        this.at += length;
        body(tag >> 3, inner);
      } else if (kind === 0) body(tag >> 3, this.next());
      else {
        const size = kind === 1 ? 8 : 4, view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, size);
        body(tag >> 3, kind === 1 ? view.getFloat64(0, true) : view.getFloat32(0, true));
        this.at += size;
      }
    }
  }

  text() { return new TextDecoder().decode(this.bytes.subarray(this.at, this.end)); }
  list() { const list = []; while (this.at < this.end) list.push(this.next()); return list; }
}

// The points of a vector tile as GeoJSON features, and whether a limit left some out; the margin of a tile is its
// neighbor's.
function pointsOf(bytes, z, x, y) {
  let isPart = false;
  const features = [], unsigned = number => number % 2 ? -(number + 1) / 2 : number / 2;
  new Numbers(bytes).fields((field, layer) => {
    if (field !== 3) return;
    const keys = [], values = [], found = [];
    let extent = 4096, name = "";
    layer.fields((field, value) => {
      if (field === 1) name = value.text();
      if (field === 2) found.push(value);
      if (field === 3) keys.push(value.text());
      if (field === 4) value.fields((kind, content) => values.push(kind === 1 ? content.text() : kind === 6 ? unsigned(content) : kind === 7 ? content === 1 : content));
      if (field === 5) extent = value;
    });
    if (name.endsWith("_dropped")) { isPart = true; return; }
    for (const feature of found) {
      let tags = [], commands = [], id;
      feature.fields((field, value) => {
        if (field === 1) id = value;
        if (field === 2) tags = value.list();
        if (field === 4) commands = value.list();
      });
      const [px, py] = [unsigned(commands[1]), unsigned(commands[2])];
      if (px < 0 || py < 0 || px >= extent || py >= extent) continue;
      const properties = {}, count = 2 ** z;
      for (let i = 0; i + 1 < tags.length; i += 2) properties[keys[tags[i]]] = values[tags[i + 1]];
      features.push({ id: properties.id ?? id, properties, geometry: { type: "Point", coordinates: [(x + px / extent) / count * 360 - 180, latitudeAt((y + py / extent) / count)] } });
    }
  });
  return { features, isPart };
}
