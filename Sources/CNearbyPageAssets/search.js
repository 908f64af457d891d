// What points in tiles say, all of them: a file beside the page, which `PageSearchFile` of the program describes. It is
// fetched when somebody first searches, and stays in memory.

const foundLimit = 20000;   // of more found only as many are listed, and as many drawn

class SearchFile {
  // The kinds by their numbers in the file; `first` is the place of its first point in the source.
  constructor(address, kinds, first, came) {
    Object.assign(this, { address, kinds, first, came, blocks: [], count: 0, isLoading: false, failed: null });
  }

  // What has come is searched while the rest is on its way. Where it does not come, the network may be back later.
  async open() {
    if (this.isOpen) return;
    Object.assign(this, { isOpen: true, isLoading: true, failed: null, blocks: [], count: 0 });
    let shown = performance.now();
    try {
      const answer = await fetch(this.address);
      if (!answer.ok) throw new Error(answer.status);
      const incoming = new Incoming(answer.body.getReader());
      for (let length; length = await incoming.take(4);) {
        const packed = await incoming.take(new DataView(length.buffer).getInt32(0, true));
        if (!packed) throw new Error("the search is cut off");
        await work.rest();
        this.blocks.push(this.block(await gunzip(packed)));
        if (performance.now() - shown < 500) continue;
        shown = performance.now();
        this.came();
      }
    } catch (error) {
      this.failed = error;
      setTimeout(() => { this.isOpen = false; }, 5000);
    }
    this.isLoading = false;
    this.came();
  }

  block(buffer) {
    const [count, ids, texts] = new Int32Array(buffer, 0, 3), at = 12 + 20 * count;
    const textOf = (from, to) => decoder.decode(new Uint8Array(buffer, from, to === undefined ? to : to - from));
    const numbers = new Int32Array(buffer.slice(12, at));
    const block = { first: this.count, count, ids: textOf(at, at + ids), texts: textOf(at + ids, at + ids + texts), forms: JSON.parse(textOf(at + ids + texts)) };
    ["latitudes", "longitudes", "kinds", "courses", "formOf"].forEach((name, column) => { block[name] = numbers.subarray(column * count, (column + 1) * count); });
    block.folded = folded(block.texts);
    for (const lines of ["ids", "texts", "folded"]) block[`${lines}At`] = lineStarts(block[lines], count);
    this.count += count;
    return block;
  }

  // The numbers of the places that have a word and may be shown, by rank as in `Places.matching`, and how many there
  // are of each kind. `passes` says of a course of hours whether it passes.
  find(wanted, passes) {
    const groups = [[], [], []], counts = this.kinds.map(() => 0), isShown = this.kinds.map(kind => kind.isShown), passing = [];
    for (const { first, kinds, courses, folded, foldedAt } of this.blocks) {
      let line = 0;
      for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, foldedAt[line + 1])) {
        while (foldedAt[line + 1] <= at) line++;
        const kind = kinds[line], course = courses[line];
        if (!(passing[course + 1] ??= passes(course))) continue;
        counts[kind]++;
        if (!isShown[kind]) continue;
        // A tab ends the name.
        let end = foldedAt[line];
        const begins = at === end;
        while (end < at && folded.charCodeAt(end) !== 9) end++;
        groups[begins ? 0 : end === at ? 1 : 2].push(first + line);
      }
    }
    return { groups, counts, count: groups.reduce((sum, group) => sum + group.length, 0) };
  }

  place(number) {
    const block = this.blocks.findLast(block => block.first <= number), line = number - block.first;
    return new FoundPlace(block, line, this.first + number, this.kinds[block.kinds[line]]);
  }

  // Calls with each found place's number, its latitude and its longitude.
  forEachPosition(groups, body) {
    for (const group of groups) {
      let at = 0;
      for (const { first, count, latitudes, longitudes } of this.blocks) {
        for (; at < group.length && group[at] < first + count; at++) body(group[at], latitudes[group[at] - first] / 1e7, longitudes[group[at] - first] / 1e7);
      }
    }
  }

  // Of very many found those in a part of the world; of very many there an even part.
  within({ west, east, north, south }, groups) {
    const inside = [], [top, bottom] = [latitudeAt(north), latitudeAt(south)];
    this.forEachPosition(groups, (number, lat, lon) => {
      const x = worldX(lon);
      if (lat <= top && lat >= bottom && x + Math.ceil(west - x) <= east) inside.push(number);
    });
    const step = Math.ceil(inside.length / foundLimit);
    return Object.assign(inside.filter((_, at) => at % step === 0).map(number => this.place(number)), { isPart: step > 1 });
  }

  // Of very many found the nearest, about: the order of the nearest is that of their distances.
  nearest(origin, found) {
    if (found.origin === origin) return found.nearest;
    const { groups, count } = found;
    const far = new Float32Array(count), numbers = new Uint32Array(count), narrow = Math.cos(origin.lat * Math.PI / 180);
    let at = 0;
    this.forEachPosition(groups, (number, lat, lon) => {
      const across = (lon - origin.lon) / 360;
      numbers[at] = number;
      far[at++] = Math.hypot(lat - origin.lat, (across - Math.round(across)) * 360 * narrow);
    });
    const farthest = far.slice().sort()[foundLimit - 1];
    found.origin = origin;
    return found.nearest = Array.from(numbers.filter((_, at) => far[at] <= farthest), number => this.place(number));
  }
}

// A place that was found. What it says is read when it is asked for: of thousands found a few are listed.
class FoundPlace {
  constructor(block, line, index, kindOf) {
    this.block = block;
    this.line = line;
    this.index = index;
    this.kindOf = kindOf;
    this.kind = kindOf.name;
    this.lat = block.latitudes[line] / 1e7;
    this.lon = block.longitudes[line] / 1e7;
    this.x = worldX(this.lon);
    this.y = worldY(this.lat);
    this.hours = block.courses[line];
    this.shape = null;
  }

  said(lines) { return this.block[lines].slice(this.block[`${lines}At`][this.line], this.block[`${lines}At`][this.line + 1] - 1); }
  get id() { return this.said("ids"); }
  get name() { return this.said("texts").split("\t", 1)[0]; }
  get properties() {
    const { forms, formOf } = this.block, [, ...texts] = this.said("texts").split("\t");
    return Object.fromEntries(forms[formOf[this.line]].map((name, at) => [name, texts[at]]));
  }
}

// Where lines begin, and the end.
function lineStarts(text, count) {
  const starts = new Uint32Array(count + 1);
  for (let line = 0; line < count; line++) starts[line + 1] = text.indexOf("\n", starts[line]) + 1;
  return starts;
}

// Bytes as a server sends them, in pieces of wanted lengths.
class Incoming {
  constructor(reader) { Object.assign(this, { reader, parts: [], held: 0 }); }

  // The next bytes; null where all have been taken.
  async take(count) {
    while (this.held < count) {
      const { done, value } = await this.reader.read();
      if (done && this.held) throw new Error("the search is cut off");
      if (done) return null;
      this.parts.push(value);
      this.held += value.length;
    }
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count;) {
      const part = this.parts.shift(), used = part.subarray(0, count - at);
      bytes.set(used, at);
      at += used.length;
      if (used.length < part.length) this.parts.unshift(part.subarray(used.length));
    }
    this.held -= count;
    return bytes;
  }
}

const gunzip = packed => new Response(new Response(packed).body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

// Long work is done in pieces of some milliseconds, so that frames come between them.
const work = {
  began: 0,
  isLong() { return performance.now() - this.began > 5; },
  async rest() {
    await new Promise(resolve => setTimeout(resolve, 0));
    this.began = performance.now();
  },
};
