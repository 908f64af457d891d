// What is shown: the features as places, their kinds, their hours, and how places that are close
// together on the screen become clusters.

const cellSize = 64;        // pixels
const lastZoom = 18;        // from here on there are no clusters
const fanLimit = 30;        // as many places at one position are fanned out, more stay a cluster
const palette = ["#0b63ce", "#c2410c", "#0f7b4f", "#8b31b8", "#b4235f", "#7a5b00", "#0e7490", "#59636e"];

const worldX = lon => (lon + 180) / 360;
function worldY(lat) {
  const sine = Math.sin(Math.max(-85.051129, Math.min(85.051129, lat)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
const latitudeAt = y => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;

// A feature as a place. Without a geometry it has no position: it is in the list only.
function placeOf(feature, index, hours) {
  const properties = feature.properties ?? {};
  const place = { index, id: String(feature.id ?? index + 1), name: nameOf(properties), properties, kind: text(properties.kind) ?? "", hours, kindOf: null, lat: undefined, lon: undefined, x: NaN, y: NaN, shape: null };
  const at = feature.geometry?.type === "Point" ? feature.geometry.coordinates : null;
  if (!at && feature.geometry) place.shape = shapeOf(feature.geometry);
  if (at) Object.assign(place, { lat: at[1], lon: at[0], x: worldX(at[0]), y: worldY(at[1]) });
  else if (place.shape) {
    const [x, y] = place.shape.middle();
    Object.assign(place, { lat: latitudeAt(y), lon: (x - Math.floor(x)) * 360 - 180, x, y });
  }
  return place;
}

const nameOf = properties => text(properties.name) ?? text(properties.title) ?? firstText(properties);

class Places {
  // All places of a collection; where more come in tiles, their kinds are known.
  constructor(collection, hours, kinds) {
    this.all = (collection?.features ?? []).map((feature, index) => placeOf(feature, index, hours?.places[index] ?? -1));
    this.hours = hours;
    this.states = [];
    const counts = new Map(kinds);
    if (!kinds) for (const place of this.all) counts.set(place.kind, (counts.get(place.kind) ?? 0) + 1);
    this.kinds = [];
    this.kindNamed = new Map();
    for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) this.addKind(name, count);
    this.total = this.kinds.reduce((sum, kind) => sum + kind.count, 0);
    this.put(this.all);
    this.inside = this.all;
    this.next = this.all.length;
  }

  // Takes these places for all that there are.
  put(all) {
    for (const place of all) place.kindOf ??= this.kindNamed.get(place.kind) ?? this.addKind(place.kind);
    this.all = all;
    this.matched = null;
  }

  // Puts features in the place of those with their ids, of which a source may have several, and takes others away. A
  // place stays the object that it is, and so its pin the element that it is.
  change({ upsert = [], remove = [] }) {
    this.byId ??= Map.groupBy(this.all, place => place.id);
    const come = Map.groupBy(upsert, feature => String(feature.id)), gone = new Set();
    for (const id of remove) come.set(String(id), []);
    for (const [id, features] of come) {
      const held = this.byId.get(id) ?? [];
      for (const place of held) place.kindOf.count--;
      for (const place of held.slice(features.length)) gone.add(place);
      this.byId.set(id, features.map((feature, at) => {
        const old = held[at], place = placeOf(feature, old?.index ?? this.next++, old?.hours ?? -1);
        place.kindOf = this.kindNamed.get(place.kind) ?? this.addKind(place.kind);
        place.kindOf.count++;
        if (old) return Object.assign(old, place, { folded: undefined });
        this.all.push(place);
        return place;
      }));
    }
    if (gone.size) this.all = this.all.filter(place => !gone.has(place));
    this.total = this.all.length;
    this.matched = null;
  }

  addKind(name, count = 0) {
    const kind = { name, count, color: palette[Math.min(this.kinds.length, palette.length - 1)], isShown: true };
    this.kinds.push(kind);
    this.kindNamed.set(name, kind);
    return kind;
  }

  // Takes a whole collection for what there is now.
  changeAll({ upsert }) {
    const there = new Set(upsert.map(feature => String(feature.id)));
    this.change({ upsert, remove: this.all.filter(place => !there.has(place.id)).map(place => place.id) });
  }

  color(place) { return place.kindOf.color; }

  // The state at a minute since 1970, until when it holds and what comes then: minutes between changes
  // of state, as the program has worked them out. What is found is kept for as long as it holds.
  state(place, minute = minuteNow()) {
    if (!this.hours) return null;
    const { from, until, rules } = this.hours;
    if (place.hours < 0 || minute < from) return unknownState;
    const known = this.states[place.hours];
    if (known && known.from <= minute && minute < known.until) return known;
    const [clock, first, ...changes] = rules[place.hours], found = course(from, first, changes, minute);
    const name = stateNames[found.value], next = found.next === undefined ? null : stateNames[found.next];
    // What has closed down stays closed; of all else the page knows nothing beyond its days.
    const end = next ? found.until : name === "closedDown" ? Infinity : until;
    return minute < end ? this.states[place.hours] = { name, from: found.from, until: end, next, clock } : unknownState;
  }

  // How many minutes a place's clock is ahead of UTC.
  ahead(clock, minute) {
    const [first, ...changes] = this.hours.clocks[clock];
    return course(this.hours.from, first, changes, minute).value;
  }

  // Whether any place is ever in a state.
  hasState(name) {
    const value = stateNames.indexOf(name);
    return this.hours.rules.some(rule => rule.some((number, at) => at % 2 === 1 && number === value));
  }

  // The places that pass the filters, in the order of the source; with a query, those whose name begins with it come
  // first, then those whose name has it, then those that have it in any other text. Counts by kind come with them, as
  // they would be if no kind were left out. Points in tiles are found in the file beside these, if there is one.
  matching({ query, hours }) {
    const wanted = folded(query.trim()), file = wanted && this.file && !this.file.failed ? this.file : null;
    const filter = `${hours} ${hours ? minuteNow() : 0} ${Boolean(file)}`, key = `${wanted} ${filter} ${file?.count} ${this.kinds.map(kind => kind.isShown)}`;
    const held = this.matched;
    if (held?.key === key) return held;
    // What a longer word is found in, its beginning was found in.
    const isNarrower = held && held.filter === filter && wanted.startsWith(held.wanted);
    const groups = [[], [], []], found = [], counts = new Map(), shapes = [], unplaced = [], points = [];
    for (const place of isNarrower ? held.found : file ? this.inside : this.all) {
      let group = 0;
      if (wanted) {
        const at = this.textOf(place).indexOf(wanted);
        if (at < 0) continue;
        group = at === 0 ? 0 : at < place.nameEnds ? 1 : 2;
      }
      if (hours && !this.passes(place, hours)) continue;
      found.push(place);
      const { kindOf } = place;
      counts.set(kindOf, (counts.get(kindOf) ?? 0) + 1);
      if (!kindOf.isShown) continue;
      groups[group].push(place);
      (place.shape ? shapes : place.lat === undefined ? unplaced : points).push(place);
    }
    const more = file && file.find(wanted, course => !hours || this.passes({ hours: course }, hours));
    more?.groups.forEach((numbers, rank) => {
      for (const number of numbers) {
        if (points.length === foundLimit) break;
        const place = file.place(number);
        groups[rank].push(place);
        points.push(place);
      }
    });
    more?.counts.forEach((count, kind) => { if (count) counts.set(file.kinds[kind], (counts.get(file.kinds[kind]) ?? 0) + count); });
    const list = groups[1].length + groups[2].length ? groups.flat() : groups[0];
    // More than can be made places of.
    const rest = more && more.count > points.length ? more : null;
    return this.matched = { key, wanted, filter, found, list, counts, points, shapes, unplaced, file, rest, count: list.length - points.length + (more?.count ?? points.length) };
  }

  // All text that a search looks at, the name first, folded once.
  textOf(place) {
    if (place.folded === undefined) {
      const texts = [place.name];
      for (const value of Object.values(place.properties)) {
        if ((typeof value === "string" || typeof value === "number") && value !== place.name) texts.push(value);
      }
      place.nameEnds = folded(place.name).length;
      place.folded = folded(texts.join("\n"));
    }
    return place.folded;
  }

  // Folds all texts while nothing else is to be done, so that the first search is as quick as the next.
  prepare(from = 0) {
    const began = performance.now();
    for (; from < this.all.length; from++) {
      this.textOf(this.all[from]);
      if (performance.now() - began > 5) return void whenIdle(() => this.prepare(from + 1));
    }
  }

  passes(place, hours) {
    const { name } = this.state(place);
    return name === "open" || hours === "notClosed" && name === "unknown";
  }
}

// Safari does not say when a frame leaves time.
const whenIdle = globalThis.requestIdleCallback ?? (work => setTimeout(work, 0));

const stateNames = ["closed", "open", "unknown", "closedDown", "suspended"];
const isOutOfBusiness = name => name === "closedDown" || name === "suspended";
// Of places without hours, and outside the time that the page knows.
const unknownState = { name: "unknown", from: -Infinity, until: Infinity, next: null };
const minuteNow = () => Math.floor(Date.now() / 60000);

// What holds at a minute of a first value and changes, each as many minutes after the one before.
function course(from, first, changes, minute) {
  let value = first, at = from;
  for (let i = 0; i < changes.length; i += 2) {
    if (at + changes[i] > minute) return { value, from: at, until: at + changes[i], next: changes[i + 1] };
    at += changes[i];
    value = changes[i + 1];
  }
  return { value, from: at, until: Infinity };
}

// Of what has no name the first text, which is mostly what it is known by.
function firstText(properties) {
  for (const [name, value] of Object.entries(properties)) if (name !== "kind" && !name.startsWith("marker-") && text(value)) return value;
  return "";
}

const text = value => typeof value === "string" && value !== "" ? value : null;

// What stands on the map at a zoom: pins and clusters, each with a key that stays the same while it means the same, so
// that the map keeps the element. Cells are anchored to the world, not to the window, so that nothing changes while the
// map moves; a cell joins a fuller one that it would touch, and a cluster stands at the middle of its places, so that
// nobody sees the cells. `bounds` reaches some cells beyond what is seen. A zoom with a fraction has the cells of the whole
// one before it, so that they are never smaller on the screen than clusters need.
function marks(places, zoom, bounds) {
  const z = Math.floor(zoom), scale = 256 / cellSize * 2 ** z, cells = new Map();
  for (const place of places) {
    // The copy nearest to the middle: of a window wider than the world, another may lie in the part that is not seen.
    const shift = Math.ceil((bounds.west + bounds.east) / 2 - 0.5 - place.x);
    const x = place.x + shift;
    if (!(x >= bounds.west && x <= bounds.east && place.y >= bounds.north && place.y <= bounds.south)) continue;
    const column = Math.floor(place.x * scale), row = Math.floor(place.y * scale);
    const key = z >= lastZoom ? `${place.lon},${place.lat}` : `${column + shift * scale},${row}`;
    const cell = cells.get(key);
    if (cell) { cell.places.push(place); cell.x += x; cell.y += place.y; }
    else cells.set(key, { key, column: column + shift * scale, row, places: [place], x, y: place.y });
  }
  for (const cell of cells.values()) { cell.x /= cell.places.length; cell.y /= cell.places.length; }
  if (z < lastZoom) joinCells(cells, 256 * 2 ** z);
  const marks = [];
  for (const cell of cells.values()) {
    const count = cell.places.length;
    if (cell.isJoined) continue;
    if (count === 1) {
      marks.push({ key: `pin ${cell.places[0].index}`, place: cell.places[0], x: cell.x, y: cell.y, dx: 0, dy: 0 });
    } else if (z >= lastZoom && count <= fanLimit) {
      // Only the picture is fanned out; the places keep their position.
      cell.places.forEach((place, turn) => {
        const angle = 2 * Math.PI * turn / count, reach = Math.max(16, count * 4);
        marks.push({ key: `pin ${place.index}`, place, x: cell.x, y: cell.y, dx: reach * Math.sin(angle), dy: -reach * Math.cos(angle) });
      });
    } else {
      marks.push({ key: `cluster ${z} ${cell.key} ${count}`, places: cell.places, size: clusterSize(count), x: cell.x, y: cell.y, dx: 0, dy: 0 });
    }
  }
  return marks;
}

// Cells whose clusters would touch become one: each gives its places to the fullest of its neighbors that are so near,
// if that gives its own to none.
function joinCells(cells, pixels) {
  const reach = (a, b) => 0.48 * (clusterSize(a.places.length) + clusterSize(b.places.length)) / pixels;
  const isFuller = (a, b) => a.places.length - b.places.length || (a.key < b.key ? 1 : -1);
  for (const cell of cells.values()) {
    for (let column = cell.column - 1; column <= cell.column + 1; column++) for (let row = cell.row - 1; row <= cell.row + 1; row++) {
      const other = cells.get(`${column},${row}`);
      if (!other || other === cell || Math.hypot(other.x - cell.x, other.y - cell.y) > reach(cell, other)) continue;
      if (isFuller(other, cell) > 0 && (!cell.host || isFuller(other, cell.host) > 0)) cell.host = other;
    }
  }
  const joining = [...cells.values()].filter(cell => cell.host && !cell.host.host);
  for (const cell of joining) {
    const { host } = cell, share = cell.places.length / (cell.places.length + host.places.length);
    host.x += (cell.x - host.x) * share;
    host.y += (cell.y - host.y) * share;
    host.places = host.places.concat(cell.places);
    cell.isJoined = true;
  }
}

// In pixels.
const clusterSize = count => Math.round(Math.min(60, 26 + 4 * Math.log2(count)));

// The zoom at which a cluster falls apart.
function expansionZoom(places, zoom) {
  for (let z = Math.floor(zoom) + 1; z < lastZoom; z++) {
    const bounds = { west: -1, east: 2, north: 0, south: 1 };
    if (marks(places, z, bounds).length > 1) return z;
  }
  return lastZoom;
}

// Lines and areas, in parts of the world: what crosses ±180° reaches over its edge.
class Shape {
  constructor(parts) {
    this.parts = parts;
    this.box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const part of parts) for (const line of part.lines) boxOf(line, this.box);
  }

  // A place to write a name or to fly to: inside an area, or halfway along a line.
  middle() {
    let best = null, most = -1;
    for (const part of this.parts) {
      const box = boxOf(part.lines[0]), size = (box[2] - box[0]) * (box[3] - box[1]) + box[2] - box[0];
      if (size > most) { most = size; best = part; }
    }
    const [line] = best.lines;
    if (!best.isArea) { const half = (line.length >> 2) * 2; return [line[half], line[half + 1]]; }
    const [west, north, east, south] = boxOf(line);
    if (holds(best.lines, (west + east) / 2, (north + south) / 2)) return [(west + east) / 2, (north + south) / 2];
    // The middle of the widest stretch inside, of some parallels.
    let widest = 0, found = [line[0], line[1]];
    for (let i = 1; i < 8; i++) {
      const y = north + (south - north) * i / 8, xs = crossings(best.lines, y).sort((a, b) => a - b);
      for (let j = 0; j + 1 < xs.length; j += 2) if (xs[j + 1] - xs[j] > widest) { widest = xs[j + 1] - xs[j]; found = [(xs[j] + xs[j + 1]) / 2, y]; }
    }
    return found;
  }

  // Whether a place is in an area or as near to a line.
  isAt(x, y, reach) {
    const turned = x + Math.round((this.box[0] + this.box[2]) / 2 - x);
    if (turned < this.box[0] - reach || turned > this.box[2] + reach || y < this.box[1] - reach || y > this.box[3] + reach) return false;
    return this.parts.some(part => part.isArea && holds(part.lines, turned, y) || part.lines.some(line => nearestOn(line, turned, y)[2] <= reach * reach));
  }

  // The place nearest to another, about: in the plane of the map.
  nearest(x, y) {
    const turned = x + Math.round((this.box[0] + this.box[2]) / 2 - x);
    if (this.parts.some(part => part.isArea && holds(part.lines, turned, y))) return null;
    let best = [0, 0, Infinity];
    for (const part of this.parts) for (const line of part.lines) {
      const found = nearestOn(line, turned, y);
      if (found[2] < best[2]) best = found;
    }
    return best;
  }
}

// The positions of a line, each step by the shorter way around the Earth, as everywhere in the program: one of 180° is
// taken as written, and one of 360° is all the way around.
function projected(line, unrolls = true) {
  const numbers = new Float64Array(2 * line.length);
  let turns = 0;
  line.forEach(([lon, lat], i) => {
    const step = i && unrolls ? lon - line[i - 1][0] : 0;
    if (Math.abs(step) > 180 && Math.abs(step) < 360) turns -= Math.sign(step);
    numbers[2 * i] = worldX(lon) + turns;
    numbers[2 * i + 1] = worldY(lat);
  });
  return numbers;
}

// The rings of a polygon, its holes on the same side of ±180° as its exterior. A ring around a pole does not close when
// it is unrolled, and is taken as written.
function ringsOf(rings) {
  const lines = rings.map(ring => {
    const line = projected(ring);
    return line[0] === line.at(-2) ? line : projected(ring, false);
  });
  const [outer, ...holes] = lines.map(line => boxOf(line));
  holes.forEach((hole, i) => {
    const turns = hole[2] <= outer[0] ? Math.ceil(outer[0] - hole[0]) : hole[0] >= outer[2] ? -Math.ceil(hole[2] - outer[2]) : 0;
    lines[i + 1] = moved(lines[i + 1], turns);
  });
  return lines;
}

// A line moved around the Earth by whole turns.
const moved = (line, turns) => turns ? line.map((number, at) => at % 2 ? number : number + turns) : line;

// The shape of a GeoJSON geometry, its parts on the side of ±180° that is nearer to the first; null where it has no
// position at all.
function shapeOf(geometry) {
  const parts = [];
  const add = ({ type, coordinates, geometries }) => {
    for (const at of type === "Point" ? [coordinates] : type === "MultiPoint" ? coordinates : []) parts.push({ isPoint: true, lines: [projected([at, at])] });
    if (type === "LineString") parts.push({ isArea: false, lines: [projected(coordinates)] });
    if (type === "MultiLineString") for (const line of coordinates) parts.push({ isArea: false, lines: [projected(line)] });
    if (type === "Polygon") parts.push({ isArea: true, lines: ringsOf(coordinates) });
    if (type === "MultiPolygon") for (const rings of coordinates) parts.push({ isArea: true, lines: ringsOf(rings) });
    if (type === "GeometryCollection") geometries.forEach(add);
  };
  add(geometry);
  const whole = parts.filter(part => part.lines[0]?.length);
  const middles = whole.map(({ lines }) => { const [west, , east] = boxOf(lines[0]); return (west + east) / 2; });
  whole.forEach((part, i) => { part.lines = part.lines.map(line => moved(line, Math.round(middles[0] - middles[i]))); });
  return whole.length ? new Shape(whole) : null;
}

// Where rings cross a parallel.
function crossings(rings, y) {
  const xs = [];
  for (const ring of rings) for (let i = 2; i < ring.length; i += 2) {
    if ((ring[i - 1] > y) !== (ring[i + 1] > y)) xs.push(ring[i - 2] + (y - ring[i - 1]) / (ring[i + 1] - ring[i - 1]) * (ring[i] - ring[i - 2]));
  }
  return xs;
}

const holds = (rings, x, y) => crossings(rings, y).filter(crossing => crossing > x).length % 2 === 1;

// The place of a line that is nearest to another, and the square of how far it is.
function nearestOn(line, x, y) {
  let best = [line[0], line[1], (line[0] - x) ** 2 + (line[1] - y) ** 2];
  for (let i = 2; i < line.length; i += 2) {
    const [ax, ay] = [line[i - 2], line[i - 1]], [dx, dy] = [line[i] - ax, line[i + 1] - ay], length = dx * dx + dy * dy;
    const along = length ? clamp(((x - ax) * dx + (y - ay) * dy) / length, 0, 1) : 0, px = ax + along * dx, py = ay + along * dy;
    const far = (px - x) ** 2 + (py - y) ** 2;
    if (far < best[2]) best = [px, py, far];
  }
  return best;
}

// Meters to a place; to a line or an area to what is nearest of it, 0 inside.
function distanceTo(from, place) {
  if (!place.shape) return distance(from, place);
  const nearest = place.shape.nearest(worldX(from.lon), worldY(from.lat));
  return nearest ? distance(from, { lat: latitudeAt(nearest[1]), lon: nearest[0] * 360 - 180 }) : 0;
}

// Meters along the ellipsoid: the chord between two positions on WGS 84, bent to the mean radius there.
// Right to a millionth up to 100 km and to a thousandth across the Earth: for showing, not for ranking ties.
function distance(a, b) {
  const [ax, ay, az] = cartesian(a), [bx, by, bz] = cartesian(b), radius = 6371008.8;
  return 2 * radius * Math.asin(Math.min(1, Math.hypot(ax - bx, ay - by, az - bz) / (2 * radius)));
}

// Degrees clockwise from north, on a sphere.
function bearing(a, b) {
  const radians = Math.PI / 180, turn = (b.lon - a.lon) * radians, [p, q] = [a.lat * radians, b.lat * radians];
  const degrees = Math.atan2(Math.sin(turn) * Math.cos(q), Math.cos(p) * Math.sin(q) - Math.sin(p) * Math.cos(q) * Math.cos(turn)) / radians;
  return (degrees + 360) % 360;
}

function cartesian({ lat, lon }) {
  const radians = Math.PI / 180, sine = Math.sin(lat * radians), cosine = Math.cos(lat * radians);
  const e2 = 0.0066943799901413165, n = 6378137 / Math.sqrt(1 - e2 * sine * sine);
  return [n * cosine * Math.cos(lon * radians), n * cosine * Math.sin(lon * radians), n * (1 - e2) * sine];
}
