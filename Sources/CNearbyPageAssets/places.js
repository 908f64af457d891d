// What is shown: the features as places, their kinds, their hours, and how places that are close
// together on the screen become clusters.

const cellSize = 64;        // pixels; cells are anchored to the world, not to the window, so that
const lastZoom = 18;        // clusters do not jump when the map moves; from lastZoom on there are none
const fanLimit = 30;        // as many places at one position are fanned out, more stay a cluster
const palette = ["#0b63ce", "#c2410c", "#0f7b4f", "#8b31b8", "#b4235f", "#7a5b00", "#0e7490", "#59636e"];

const worldX = lon => (lon + 180) / 360;
function worldY(lat) {
  const sine = Math.sin(Math.max(-85.051129, Math.min(85.051129, lat)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
const latitudeAt = y => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;

class Places {
  // Features without a point are places without a position: they are in the list only.
  constructor(collection, hours) {
    this.all = collection.features.map((feature, index) => {
      const properties = feature.properties ?? {};
      const at = feature.geometry?.type === "Point" ? feature.geometry.coordinates : null;
      const name = text(properties.name) ?? text(properties.title) ?? "";
      return {
        index, id: String(feature.id ?? index + 1), name, folded: folded(name), properties,
        kind: text(properties.kind) ?? "", hours: hours?.places[index] ?? -1,
        lat: at?.[1], lon: at?.[0], x: at ? worldX(at[0]) : NaN, y: at ? worldY(at[1]) : NaN,
      };
    });
    this.hours = hours;
    this.states = [];
    const counts = new Map();
    for (const place of this.all) counts.set(place.kind, (counts.get(place.kind) ?? 0) + 1);
    this.kinds = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name, count], rank) => (
      { name, count, color: palette[Math.min(rank, palette.length - 1)], isShown: true }));
    this.kindNamed = new Map(this.kinds.map(kind => [kind.name, kind]));
  }

  color(place) { return this.kindNamed.get(place.kind).color; }

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

  // The places that pass the filters, in the order of the source.
  matching({ query, hours }) {
    const wanted = folded(query.trim());
    return this.all.filter(place => this.kindNamed.get(place.kind).isShown
      && (!wanted || place.folded.includes(wanted))
      && (!hours || this.passes(place, hours)));
  }

  passes(place, hours) {
    const { name } = this.state(place);
    return name === "open" || hours === "notClosed" && name === "unknown";
  }
}

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

const text = value => typeof value === "string" && value !== "" ? value : null;

// What stands on the map at a zoom: pins and clusters, each with a key that stays the same while it
// means the same, so that the map keeps the element.
function marks(places, zoom, bounds) {
  const z = Math.round(zoom), scale = 256 / cellSize * 2 ** z, cells = new Map();
  for (const place of places) {
    const shift = place.x < bounds.west ? Math.ceil(bounds.west - place.x) : place.x > bounds.east ? -Math.ceil(place.x - bounds.east) : 0;
    const x = place.x + shift;
    if (!(x >= bounds.west && x <= bounds.east && place.y >= bounds.north && place.y <= bounds.south)) continue;
    const key = z >= lastZoom ? `${place.lon},${place.lat}` : `${Math.floor(place.x * scale)},${Math.floor(place.y * scale)}`;
    const cell = cells.get(key);
    if (cell) { cell.places.push(place); cell.x += x; cell.y += place.y; }
    else cells.set(key, { places: [place], x, y: place.y });
  }
  const marks = [];
  for (const [key, cell] of cells) {
    const count = cell.places.length;
    if (count === 1) {
      marks.push({ key: `pin ${cell.places[0].index}`, place: cell.places[0], x: cell.x, y: cell.y, dx: 0, dy: 0 });
    } else if (z >= lastZoom && count <= fanLimit) {
      // Only the picture is fanned out; the places keep their position.
      cell.places.forEach((place, turn) => {
        const angle = 2 * Math.PI * turn / count, reach = Math.max(16, count * 4);
        marks.push({ key: `pin ${place.index}`, place, x: cell.x / count, y: cell.y / count, dx: reach * Math.sin(angle), dy: -reach * Math.cos(angle) });
      });
    } else {
      // Inside its cell by half its size, so that no cluster hides another one's number.
      const size = clusterSize(count), inside = value => {
        const west = Math.floor(value * scale), margin = size / 2 / cellSize;
        return Math.max(west + margin, Math.min(west + 1 - margin, value * scale)) / scale;
      };
      const [mx, my] = [cell.x / count, cell.y / count];
      marks.push({ key: `cluster ${z} ${key} ${count}`, places: cell.places, size, x: z >= lastZoom ? mx : inside(mx), y: z >= lastZoom ? my : inside(my), dx: 0, dy: 0 });
    }
  }
  return marks;
}

// In pixels, less than a cell.
const clusterSize = count => Math.round(Math.min(56, 28 + 3.5 * Math.log2(count)));

// The zoom at which a cluster falls apart.
function expansionZoom(places, zoom) {
  for (let z = Math.round(zoom) + 1; z < lastZoom; z++) {
    const scale = 256 / cellSize * 2 ** z;
    const cell = place => `${Math.floor(place.x * scale)},${Math.floor(place.y * scale)}`;
    if (places.some(place => cell(place) !== cell(places[0]))) return z;
  }
  return lastZoom;
}

// Metres along the ellipsoid: the chord between two positions on WGS 84, bent to the mean radius there.
// Right to a millionth up to 100 km and to a thousandth across the Earth: for showing, not for ranking ties.
function distance(a, b) {
  const chord = Math.hypot(...cartesian(a).map((value, axis) => value - cartesian(b)[axis]));
  const radius = 6371008.8;
  return 2 * radius * Math.asin(Math.min(1, chord / (2 * radius)));
}

function cartesian({ lat, lon }) {
  const radians = Math.PI / 180, sine = Math.sin(lat * radians), cosine = Math.cos(lat * radians);
  const e2 = 0.0066943799901413165, n = 6378137 / Math.sqrt(1 - e2 * sine * sine);
  return [n * cosine * Math.cos(lon * radians), n * cosine * Math.sin(lon * radians), n * (1 - e2) * sine];
}
