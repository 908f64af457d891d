// The land of the world behind the map: filled countries, lakes, borders and names, from what the page contains.

const landUnits = 131072;   // positions are whole numbers, so many around the Earth
const landFades = [10.5, 13];   // lines right to 600 m would mislead on a street map: from the first zoom to the second they go
const streetShare = zoom => clamp((zoom - landFades[0]) / (landFades[1] - landFades[0]), 0, 1);
const letterValues = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((letter, value) => { letterValues[letter.charCodeAt(0)] = value; });

// The differences of positions, x before y: the sign in the lowest bit, five bits a letter.
function decodedLine(text) {
  const line = [];
  let at = 0, x = 0, y = 0;
  const next = () => {
    let value = 0, shift = 0, letter;
    do {
      letter = letterValues[text.charCodeAt(at++)];
      value |= (letter & 31) << shift;
      shift += 5;
    } while (letter > 31);
    return value & 1 ? -(value >> 1) - 1 : value >> 1;
  };
  while (at < text.length) {
    x += next();
    y += next();
    line.push(x, y);
  }
  return line;
}

function boxOf(line, box = [Infinity, Infinity, -Infinity, -Infinity]) {
  for (let i = 0; i < line.length; i += 2) {
    box[0] = Math.min(box[0], line[i]);
    box[1] = Math.min(box[1], line[i + 1]);
    box[2] = Math.max(box[2], line[i]);
    box[3] = Math.max(box[3], line[i + 1]);
  }
  return box;
}

class Land {
  constructor({ arcs, borders, countries, lakes, cities }) {
    const lines = arcs.map(decodedLine);
    this.borders = borders.map(number => new LandLine([lines[number]]));
    this.countries = countries.map(([code, rank, x, y, rings]) => {
      const shape = new LandLine(rings.split("/").map(ring => joined(ring.split(",").map(Number), lines)));
      return Object.assign(shape, { code, rank: rank / 10, x, y });
    });
    this.lakes = lakes.map(text => new LandLine([decodedLine(text)]));
    this.cities = cities.map(([x, y, rank, names]) => ({ x, y, rank: rank / 10, names: names.split("|") }));
  }

  // Draws what lies in a window of the world.
  paint(context, window, zoom, colors) {
    const shown = 1 - streetShare(zoom);
    if (!shown) return;
    context.save();
    context.globalAlpha = shown;
    context.lineJoin = "round";
    for (let turn = Math.floor(window.west); turn <= Math.floor(window.east); turn++) {
      const scale = window.pixels / landUnits;
      context.save();
      context.translate((turn - window.west) * window.pixels, -window.north * window.pixels);
      context.scale(scale, scale);
      const seen = line => line.box[2] >= (window.west - turn) * landUnits && line.box[0] <= (window.east - turn) * landUnits
        && line.box[3] >= window.north * landUnits && line.box[1] <= window.south * landUnits;
      context.strokeStyle = colors.coast;
      context.lineWidth = 0.8 / scale;
      for (const [areas, color] of [[this.countries, colors.land], [this.lakes, colors.ground]]) {
        context.fillStyle = color;
        for (const area of areas) if (seen(area)) {
          const path = area.path(zoom);
          context.fill(path, "evenodd");
          context.stroke(path);
        }
      }
      context.strokeStyle = colors.border;
      context.lineWidth = 1.1 / scale;
      for (const border of this.borders) if (seen(border)) context.stroke(border.path(zoom));
      context.restore();
    }
    context.restore();
  }

  // What may be written on the map, the most important first.
  names(zoom) {
    // The names of countries come with the browser, in every language that it speaks.
    const regions = formatter("DisplayNames", { type: "region", fallback: "none" }), names = [];
    for (const { code, rank, x, y } of this.countries) {
      if (code !== "-" && rank <= zoom + 0.6 && zoom < rank + 5) names.push({ x: x / landUnits, y: y / landUnits, rank, text: regions.of(code) ?? "", isCountry: true });
    }
    for (const { x, y, rank, names: [english, japanese, korean] } of this.cities) {
      const text = (language === "ja" ? japanese : language === "ko" ? korean : english) || english;
      if (rank <= zoom + 0.8) names.push({ x: x / landUnits, y: y / landUnits, rank: rank + 0.5, text });
    }
    return names.sort((a, b) => a.rank - b.rank);
  }
}

// A ring is put together from arcs; a negative number is an arc run the other way.
function joined(numbers, lines) {
  const ring = [];
  for (const number of numbers) {
    const line = lines[number < 0 ? -1 - number : number];
    if (number >= 0) for (let i = 0; i < line.length; i++) ring.push(line[i]);
    else for (let i = line.length - 2; i >= 0; i -= 2) ring.push(line[i], line[i + 1]);
  }
  return ring;
}

// Lines, and as a path for each class of zooms, without what is smaller than a pixel there.
class LandLine {
  constructor(lines) {
    this.lines = lines;
    this.box = lines.reduce((box, line) => boxOf(line, box), undefined);
    this.paths = [];
  }

  path(zoom) {
    const level = zoom < 2.5 ? 0 : zoom < 4 ? 1 : zoom < 6 ? 2 : 3;
    return this.paths[level] ??= this.made([150, 60, 14, 0][level]);
  }

  made(least) {
    const path = new Path2D();
    for (const line of this.lines) {
      const [west, north, east, south] = boxOf(line);
      if (east - west < least && south - north < least) continue;
      let x = line[0], y = line[1];
      path.moveTo(x, y);
      for (let i = 2; i < line.length; i += 2) {
        if (i < line.length - 2 && Math.abs(line[i] - x) + Math.abs(line[i + 1] - y) < least) continue;
        x = line[i];
        y = line[i + 1];
        path.lineTo(x, y);
      }
    }
    return path;
  }
}
