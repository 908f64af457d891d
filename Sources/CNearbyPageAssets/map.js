// The map: land, lines, areas and dots on a canvas; pins and clusters as elements above it, which keep their element
// for as long as they are seen.

const lastMapZoom = 21;
const paintMargin = 192;    // pixels painted around what is seen, so that a small move only shifts the picture

class MapView {
  constructor(holder, { land, base, tiles, moved, draw, dress, touched, hovered }) {
    Object.assign(this, { land, base, moved, draw, dress, touched, hovered });
    this.at = { x: 0.5, y: 0.5, zoom: 1 };
    this.shown = new Map();
    this.shapes = [];
    this.dots = null;
    const add = (name, classes, parent = this.element) => parent.appendChild(element(name, classes));
    this.element = add("div", "plain", holder);
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "group");
    this.element.dataset.label = "map";
    this.canvas = add("canvas", "");
    this.canvas.setAttribute("aria-hidden", "true");
    this.picture = document.createElement("canvas");
    this.marks = add("div", "marks");
    this.tip = add("div", "tip");
    this.tip.hidden = true;
    this.tip.dir = "auto";
    this.tip.setAttribute("aria-hidden", "true");
    this.scale = add("div", "scale");
    this.credit = add("div", "credit");
    const buttons = add("div", "zoom");
    for (const [sign, label, act] of [
      ["+", "zoomIn", () => this.zoomTo(Math.floor(this.aim.zoom + 1.001))],
      ["−", "zoomOut", () => this.zoomTo(Math.ceil(this.aim.zoom - 1.001))],
      ["⤢", "fitAll", () => showAll(true)],
    ]) {
      const button = buttons.appendChild(element("button", "", sign));
      button.dataset.label = label;
      button.onclick = act;
    }
    if (tiles) this.tiles = new TileLayer(tiles, () => this.repaint());
    this.showCredit();
    this.listen();
    new ResizeObserver(() => { this.repaint(); this.settle(); }).observe(this.element);
    for (const query of ["(prefers-color-scheme: dark)", `(resolution: ${devicePixelRatio}dppx)`]) matchMedia(query).addEventListener("change", () => this.repaint());
  }

  get pixels() { return 256 * 2 ** this.at.zoom; }

  // The window in parts of the world, some pixels wider on each side.
  bounds(margin = 0) {
    const { clientWidth, clientHeight } = this.element, pixels = this.pixels;
    const x = (clientWidth / 2 + margin) / pixels, y = (clientHeight / 2 + margin) / pixels;
    return { west: this.at.x - x, east: this.at.x + x, north: this.at.y - y, south: this.at.y + y, pixels };
  }

  // Where the map is, or will be at the end of its flight: steps that follow each other quickly add up.
  get aim() { return this.end ?? this.at; }

  zoomTo(zoom) { this.go(this.aim.x, this.aim.y, zoom); }

  halt() {
    cancelAnimationFrame(this.flight);
    this.end = null;
  }

  // Goes somewhere, in a short flight if that is not far and the reader does not mind.
  go(x, y, zoom, flies = true) {
    const to = { x: x - Math.floor(x), y: clamp(y, 0, 1), zoom: clamp(zoom, 0, lastMapZoom) }, from = this.at;
    this.halt();
    to.x += Math.round(from.x - to.x);
    const isFar = Math.abs(to.zoom - from.zoom) > 4 || Math.hypot(to.x - from.x, to.y - from.y) * this.pixels > 2000;
    if (!flies || isFar || document.hidden || !document.documentElement.dataset.ready || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return this.put(to, true);
    }
    const began = performance.now(), spent = 220;
    this.end = to;
    const step = now => {
      const part = clamp((now - began) / spent, 0, 1), eased = part * (2 - part);
      // Along a straight line on the screen, which is not one in the world while the zoom changes.
      const zoomed = from.zoom + (to.zoom - from.zoom) * eased;
      const between = Math.abs(to.zoom - from.zoom) < 1e-6 ? eased : (1 - 2 ** (from.zoom - zoomed)) / (1 - 2 ** (from.zoom - to.zoom));
      if (part === 1) this.end = null;
      this.put({ x: from.x + (to.x - from.x) * between, y: from.y + (to.y - from.y) * between, zoom: zoomed }, part === 1);
      if (part < 1) this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  put(at, isLast) {
    this.at = { x: at.x - Math.floor(at.x), y: clamp(at.y, 0, 1), zoom: clamp(at.zoom, 0, lastMapZoom) };
    this.render();
    if (isLast) this.arrive(); else this.settle();
  }

  // Tells of a move once it has paused, and now and then while it lasts.
  settle() {
    this.settling ??= setTimeout(() => this.arrive(), 120);
  }

  arrive() {
    clearTimeout(this.settling);
    this.settling = null;
    this.moved();
  }

  // What lies on the map

  // Lines and areas, and every place as a dot or null.
  showGround(shapes, dots, selected) {
    if (shapes === this.shapes && dots === this.dots && selected === this.selected) return;
    Object.assign(this, { shapes, dots, selected });
    this.repaint();
  }

  show(marks) {
    // What a cluster falls apart into comes from where the cluster was, and what comes together goes there.
    const before = new Map();
    for (const { mark } of this.shown.values()) for (const one of mark.places ?? []) before.set(one.index, mark);
    const wanted = new Set(marks.map(mark => mark.key));
    for (const [key, held] of this.shown) if (!wanted.has(key)) { held.element.remove(); this.shown.delete(key); }
    const moves = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const mark of marks) {
      const held = this.shown.get(mark.key);
      if (held) {
        held.mark = mark;
        this.dress(held.element, mark);
        continue;
      }
      const made = this.marks.appendChild(this.draw(mark));
      this.dress(made, mark);
      this.shown.set(mark.key, { element: made, mark });
      const parent = moves && before.get((mark.place ?? mark.places?.[0])?.index);
      if (parent && parent !== mark) {
        const dx = (parent.x - mark.x) * this.pixels, dy = (parent.y - mark.y) * this.pixels;
        if ((dx || dy) && Math.hypot(dx, dy) < 300) made.animate([{ marginLeft: `${dx}px`, marginTop: `${dy}px` }, { marginLeft: 0, marginTop: 0 }], { duration: 220, easing: "ease-out" });
      }
    }
    this.anchor = null;
    this.placeMarks();
    this.render();
  }

  // The mark nearest to the middle of where the map is or will be, if that is near; or else the map.
  middleMost() {
    const { x, y, zoom } = this.aim, far = ({ mark }) => 256 * 2 ** zoom * Math.hypot(mark.x - x - Math.round(mark.x - x), mark.y - y);
    const near = [...this.shown.values()].filter(held => !held.mark.origin && far(held) < this.element.clientHeight / 2);
    return near.sort((a, b) => far(a) - far(b))[0]?.element ?? this.element;
  }

  // Moves the marks: all of them together, unless the zoom has changed since they were placed.
  placeMarks() {
    const { x, y, zoom } = this.at, pixels = this.pixels;
    if (!this.anchor || this.anchor.zoom !== zoom) {
      this.anchor = { x, y, zoom };
      for (const { element, mark } of this.shown.values()) {
        element.style.left = `${((mark.x - x) * pixels).toFixed(1)}px`;
        element.style.top = `${((mark.y - y) * pixels).toFixed(1)}px`;
        element.style.translate = mark.dx || mark.dy ? `${mark.dx}px ${mark.dy}px` : "";
      }
    }
    const turn = Math.round(this.anchor.x - x);
    const dx = (this.anchor.x - x - turn) * pixels + this.element.clientWidth / 2, dy = (this.anchor.y - y) * pixels + this.element.clientHeight / 2;
    this.marks.style.transform = `translate(${dx.toFixed(1)}px,${dy.toFixed(1)}px)`;
  }

  // Painting

  repaint() {
    this.painted = null;
    this.render();
  }

  render() {
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.paintFrame(); });
  }

  paintFrame() {
    const { clientWidth: width, clientHeight: height } = this.element, ratio = Math.min(2, devicePixelRatio || 1);
    if (!width || !height) return;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.painted = null;
    }
    this.placeMarks();
    const now = this.bounds(), held = this.painted;
    const turn = held ? Math.round(this.at.x - held.x) : 0;
    const covers = held && held.west + turn <= now.west && held.east + turn >= now.east && held.north <= now.north && held.south >= now.south;
    // While the zoom changes, a picture of another zoom is shown larger or smaller for as long as painting is slow.
    const isSharp = held && held.pixels === now.pixels;
    if (!covers || !isSharp && (held.took < 9 || !this.settling && !this.isHeld)) this.paint(width, height, ratio);
    const picture = this.painted, shift = Math.round(this.at.x - picture.x), factor = now.pixels / picture.pixels;
    const context = this.canvas.getContext("2d");
    context.fillStyle = this.colors.ground;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.picture, Math.round((picture.west + shift - now.west) * now.pixels * ratio), Math.round((picture.north - now.north) * now.pixels * ratio),
      this.picture.width * factor, this.picture.height * factor);
    if (picture.pixels !== now.pixels) this.later ??= setTimeout(() => { this.later = null; this.repaint(); }, 150);
    this.showScale();
  }

  paint(width, height, ratio) {
    const began = performance.now(), window = this.bounds(paintMargin), zoom = this.at.zoom;
    const wide = width + 2 * paintMargin, high = height + 2 * paintMargin;
    this.picture.width = Math.round(wide * ratio);
    this.picture.height = Math.round(high * ratio);
    const context = this.picture.getContext("2d");
    context.scale(ratio, ratio);
    this.readColors();
    const isMapped = this.tiles && !this.tiles.hasFailed;
    context.fillStyle = zoom > landFades[0] && !isMapped ? this.colors.street(zoom) : this.colors.ground;
    context.fillRect(0, 0, wide, high);
    if (isMapped) this.tiles.paint(context, window, zoom);
    else {
      this.land?.paint(context, window, zoom, this.colors);
      this.base?.paint(context, window, zoom, this.colors);
      if (!this.base && (zoom > landFades[0] || !this.land)) paintGrid(context, window, wide, high, this.colors);
    }
    paintShapes(context, this.shapes, this.selected, window, this.colors);
    if (this.dots) paintDots(context, this.dots, window, wide, high, ratio, zoom, this.colors);
    const names = isMapped ? [] : [...(zoom < landFades[1] + 1 ? this.land?.names(zoom) ?? [] : []), ...(this.base?.names(zoom) ?? [])];
    paintNames(context, names, window, wide, high, this.colors);
    this.painted = { ...window, x: this.at.x, took: performance.now() - began };
    this.showCredit();
  }

  readColors() {
    const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name).trim();
    this.colors = Object.fromEntries(["ground", "land", "green", "coast", "border", "ink", "faint", "line", "paper"].map(name => [name, color(`--${name}`)]));
    // Of each kind red, green and blue, lighter on a dark ground.
    const lift = parseFloat(color("--lift")) / 100;
    this.colors.kinds = new Map(places.kinds.map(kind => [kind, [1, 3, 5].map(at => parseInt(kind.color.slice(at, at + 2), 16)).map(part => Math.round(part + (255 - part) * lift))]));
    // Between land and sea, where neither is known well enough.
    this.colors.street = zoom => `color-mix(in srgb, ${this.base ? this.colors.land : this.colors.paper} ${Math.round(100 * streetShare(zoom))}%, ${this.colors.ground})`;
  }

  showCredit() {
    const text = this.tiles ? this.tiles.hasFailed ? `${word("tilesFailed")} Natural Earth, GeoNames` : this.tiles.attribution : this.land ? "Natural Earth, GeoNames" : "";
    if (this.credit.textContent !== text) this.credit.textContent = text;
  }

  showScale() {
    const metersAPixel = 40075016.7 * Math.cos(latitudeAt(this.at.y) * Math.PI / 180) / this.pixels;
    const most = metersAPixel * 110, power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].find(step => step * power <= most) * power;
    this.scale.style.width = `${length / metersAPixel}px`;
    this.scale.textContent = shownDistance(length);
  }

  // Fingers, mouse and keys

  // A place of the screen in the world.
  worldAt(clientX, clientY) {
    const box = this.element.getBoundingClientRect();
    return { x: this.at.x + (clientX - box.left - box.width / 2) / this.pixels, y: this.at.y + (clientY - box.top - box.height / 2) / this.pixels };
  }

  // What is under a finger stays there.
  zoomAround(clientX, clientY, zoom) {
    const under = this.worldAt(clientX, clientY), kept = this.pixels / (256 * 2 ** clamp(zoom, 0, lastMapZoom));
    this.put({ x: under.x + (this.at.x - under.x) * kept, y: under.y + (this.at.y - under.y) * kept, zoom }, false);
  }

  listen() {
    this.listenToPointers();
    this.element.ondblclick = event => {
      if (!event.target.closest("button")) this.zoomAround(event.clientX, event.clientY, Math.floor(this.at.zoom + 1.001));
    };
    this.element.onkeydown = event => this.press(event);
    this.element.addEventListener("wheel", event => {
      event.preventDefault();
      this.halt();
      const pixels = event.deltaY * (event.deltaMode ? 30 : 1);
      this.zoomAround(event.clientX, event.clientY, this.at.zoom - clamp(pixels, -200, 200) / (event.ctrlKey ? 90 : 320));
    }, { passive: false });
  }

  // One finger moves the map, two zoom it as well; what has hardly moved is a touch.
  listenToPointers() {
    const held = new Map();
    let moved = 0;
    this.element.onpointerdown = event => {
      if (event.target.closest("button, .mark") || event.button) return;
      this.halt();
      if (!held.size) moved = 0;
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.isHeld = true;
      this.element.setPointerCapture(event.pointerId);
    };
    this.element.onpointermove = event => {
      const last = held.get(event.pointerId);
      if (!last) return this.hover(event);
      const others = [...held].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved += Math.abs(dx) + Math.abs(dy);
      if (others.length) {
        const [other] = others, before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        this.zoomAround((event.clientX + other.x) / 2, (event.clientY + other.y) / 2, this.at.zoom + Math.log2(Math.max(after, 1) / Math.max(before, 1)));
      }
      const share = 1 / (others.length + 1);
      this.put({ x: this.at.x - dx * share / this.pixels, y: this.at.y - dy * share / this.pixels, zoom: this.at.zoom }, false);
    };
    const release = event => {
      if (!held.delete(event.pointerId) || held.size) return;
      this.isHeld = false;
      if (moved < 5 && event.type === "pointerup") this.touch(event);
      else this.settle();
    };
    this.element.onpointerup = this.element.onpointercancel = release;
    this.element.onpointerleave = () => { this.tip.hidden = true; };
    // Those who use keys see the name of what they stand on.
    this.marks.addEventListener("focusin", ({ target }) => {
      const { left, top, width, height } = target.getBoundingClientRect();
      if (target.matches(":focus-visible")) this.showTip(target.getAttribute("aria-label"), left + width / 2, top + height / 2);
    });
    this.marks.addEventListener("focusout", () => { this.tip.hidden = true; });
  }

  press(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y, zoom } = this.aim, step = 80 / (256 * 2 ** zoom);
    const moves = {
      ArrowLeft: [x - step, y, zoom], ArrowRight: [x + step, y, zoom], ArrowUp: [x, y - step, zoom], ArrowDown: [x, y + step, zoom],
      "+": [x, y, zoom + 1], "=": [x, y, zoom + 1], "-": [x, y, zoom - 1],
    }[event.key];
    if (!moves) return;
    event.preventDefault();
    this.go(...moves);
  }

  // What is drawn at a place of the screen: a dot within some pixels, or the uppermost line or area.
  placeAt({ clientX, clientY }) {
    const { x, y } = this.worldAt(clientX, clientY), reach = 8 / this.pixels;
    let found = null, nearest = reach * reach;
    for (const place of this.dots ?? []) {
      const dx = place.x - x - Math.round(place.x - x), dy = place.y - y, far = dx * dx + dy * dy;
      if (far < nearest) { nearest = far; found = place; }
    }
    if (found) return found;
    for (let i = this.shapes.length - 1; i >= 0; i--) if (this.shapes[i].shape.isAt(x, y, reach)) return this.shapes[i];
    return null;
  }

  touch(event) {
    const place = this.placeAt(event), { x, y } = this.worldAt(event.clientX, event.clientY);
    this.touched(place, { lat: latitudeAt(clamp(y, 0, 1)), lon: (x - Math.floor(x)) * 360 - 180 });
  }

  hover(event) {
    if (event.pointerType === "touch") return;
    const mark = event.target.closest(".mark");
    const name = mark ? mark.getAttribute("aria-label") : event.target.closest("button") ? null : this.hovered(this.placeAt(event));
    this.element.classList.toggle("over", Boolean(name));
    this.showTip(name, event.clientX, event.clientY);
  }

  showTip(name, x, y) {
    this.tip.hidden = !name;
    if (!name) return;
    const box = this.element.getBoundingClientRect();
    this.tip.textContent = name;
    this.tip.style.left = `${x - box.left}px`;
    this.tip.style.top = `${y - box.top}px`;
    this.tip.classList.toggle("left", x - box.left > box.width * 0.6);
    this.tip.classList.toggle("above", y - box.top > box.height * 0.6);
  }
}

// The base: water, parks, roads, buildings and names, by a plain style

const baseStyles = [
  ["water", /water|river|lake|ocean|\bsea\b|\bbay\b|canal|stream|basin|reservoir/],
  ["road", /motorway|trunk|primary|secondary|tertiary|residential|unclassified|service|\broads?\b|street|\bpath\b|footway|cycleway|track|pedestrian|highway|transport|\brail/],
  ["building", /building/],
  ["green", /park|forest|wood|grass|garden|meadow|cemetery|golf|nature|pitch|scrub|landcover|orchard|farmland/],
];
const roadWidths = [[/motorway|trunk/, 5], [/primary|secondary|highway/, 3.4], [/tertiary|residential|unclassified|major|minor/, 2.2], [/rail/, 1], [/path|foot|cycle|track|steps/, 0.8]];

class Base {
  constructor(collection) {
    this.groups = { other: [], green: [], water: [], building: [], road: [] };
    this.labels = [];
    for (const { geometry, properties } of collection.features) {
      const shape = geometry && shapeOf(geometry), name = text(properties?.name);
      if (!shape) continue;
      const said = Object.entries(properties ?? {}).filter(([name]) => !name.startsWith("name")).map(([name, value]) => `${name} ${value}`).join(" ").toLowerCase();
      const style = baseStyles.find(([, words]) => words.test(said))?.[0] ?? "other";
      const isPoint = geometry.type.endsWith("Point");
      if (!isPoint) this.groups[style].push({ shape, width: (roadWidths.find(([words]) => words.test(said)) ?? [0, 1.2])[1] });
      if (name) {
        const [x, y] = shape.middle(), rank = isPoint ? /city/.test(said) ? 6 : /town/.test(said) ? 9 : /village|suburb|quarter|borough/.test(said) ? 11 : 13 : style === "road" ? 14.5 : 13;
        this.labels.push({ x, y, text: name, rank, isCountry: false, isBare: !isPoint });
      }
    }
    this.labels.sort((a, b) => a.rank - b.rank);
  }

  names(zoom) { return this.labels.filter(label => label.rank <= zoom + 0.5); }

  paint(context, window, zoom, colors) {
    context.save();
    context.lineJoin = context.lineCap = "round";
    for (const [style, list] of Object.entries(this.groups)) {
      if (style === "road") this.paintRoads(context, list, window, zoom, colors);
      else if (style !== "building" || zoom >= 13) this.paintAreas(context, style, list, window, colors);
    }
    context.restore();
  }

  // Areas of a known style have no border.
  paintAreas(context, style, list, window, colors) {
    context.fillStyle = { water: colors.ground, green: colors.green, building: colors.line, other: colors.land }[style];
    context.strokeStyle = style === "water" ? colors.ground : colors.border;
    context.lineWidth = style === "water" ? 1.6 : 1;
    for (const { shape } of list) traceParts(context, shape, window, part => {
      if (part.isArea) context.fill("evenodd");
      if (!part.isArea || style === "other") context.stroke();
    });
  }

  // All edges first, so that crossings are open.
  paintRoads(context, list, window, zoom, colors) {
    const scale = 2 ** clamp((zoom - 14) * 0.45, -2, 1.6);
    for (const [color, edge] of zoom > 11 ? [[colors.coast, 1.4], [colors.paper, 0]] : [[colors.paper, 0]]) {
      context.strokeStyle = color;
      for (const { shape, width } of list) {
        context.lineWidth = width * scale + edge;
        traceParts(context, shape, window, () => context.stroke());
      }
    }
  }
}

// Lines and areas of the data

function paintShapes(context, shapes, selected, window, colors) {
  context.save();
  context.lineJoin = context.lineCap = "round";
  for (const place of shapes) {
    const { shape } = place, color = `rgb(${colors.kinds.get(place.kindOf)})`, isSelected = place === selected;
    // What is hardly to be seen is a dot.
    if (Math.max(shape.box[2] - shape.box[0], shape.box[3] - shape.box[1]) * window.pixels < 5) {
      context.fillStyle = color;
      for (const turn of turnsInSight(shape.box, window)) {
        context.beginPath();
        context.arc((shape.box[0] - (window.west - turn)) * window.pixels, (shape.box[1] - window.north) * window.pixels, isSelected ? 6 : 3, 0, 7);
        context.fill();
      }
      continue;
    }
    traceParts(context, shape, window, part => {
      if (part.isArea) {
        context.globalAlpha = isSelected ? 0.45 : 0.18;
        context.fillStyle = color;
        context.fill("evenodd");
      }
      context.globalAlpha = 1;
      // The round ends of a line on one spot are a dot.
      const wide = (part.isPoint ? 6 : 0) + (isSelected ? 4.5 : part.isArea ? 1.4 : 3);
      if (!part.isArea) {
        context.strokeStyle = colors.paper;
        context.lineWidth = wide + (isSelected ? 3.5 : 2);
        context.stroke();
      }
      context.strokeStyle = color;
      context.lineWidth = wide;
      context.stroke();
    });
  }
  context.restore();
}

// The turns around the Earth by which a box is seen in a window: it may reach over an edge of the world.
function turnsInSight([west, north, east, south], window) {
  const turns = [];
  if (south < window.north || north > window.south) return turns;
  for (let turn = Math.ceil(window.west - east); turn <= window.east - west; turn++) turns.push(turn);
  return turns;
}

// Traces the parts of a shape wherever they are seen, and finishes each.
function traceParts(context, { box, parts }, window, finish) {
  for (const turn of turnsInSight(box, window)) for (const part of parts) {
    context.beginPath();
    for (const line of part.lines) trace(context, line, window.west - turn, window.north, window.pixels);
    finish(part);
  }
}

// A line without the positions that would fall on one pixel.
function trace(context, line, west, north, pixels) {
  let lastX = Infinity, lastY = Infinity;
  for (let i = 0; i < line.length; i += 2) {
    const x = (line[i] - west) * pixels, y = (line[i + 1] - north) * pixels;
    if (i === 0) context.moveTo(x, y);
    else if (Math.abs(x - lastX) + Math.abs(y - lastY) < 0.7 && i < line.length - 2) continue;
    // A canvas does not draw a line of no length.
    else context.lineTo(x === lastX && y === lastY ? x + 0.01 : x, y);
    lastX = x;
    lastY = y;
  }
}

// Every place as a few pixels of the color of its kind: a hundred thousand show the shape of a country.
function paintDots(context, dots, window, wide, high, ratio, zoom, { kinds }) {
  const width = Math.round(wide * ratio), height = Math.round(high * ratio);
  const image = new ImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  const size = Math.max(1, Math.round(clamp(1 + (zoom - 4) / 2, 1.5, 5) * ratio)), half = size >> 1, scale = window.pixels * ratio;
  const colors = new Map([...kinds].map(([kind, [red, green, blue]]) => [kind, (255 << 24 | blue << 16 | green << 8 | red) >>> 0]));
  for (const place of dots) {
    const color = colors.get(place.kindOf);
    for (let turn = Math.ceil(window.west - place.x); turn <= window.east - place.x; turn++) {
      const left = Math.round((place.x + turn - window.west) * scale) - half, top = Math.round((place.y - window.north) * scale) - half;
      if (left < 0 || top < 0 || left + size > width || top + size > height) continue;
      for (let y = top; y < top + size; y++) pixels.fill(color, y * width + left, y * width + left + size);
    }
  }
  const layer = new OffscreenCanvas(width, height);
  layer.getContext("2d").putImageData(image, 0, 0);
  context.save();
  context.globalAlpha = 0.8;
  context.drawImage(layer, 0, 0, wide, high);
  context.restore();
}

// Names that make room for each other: the more important one stays.
function paintNames(context, names, window, wide, high, colors) {
  const taken = [];
  context.save();
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const family = getComputedStyle(document.body).fontFamily;
  for (const { x, y, text, isCountry, isBare, rank } of names) for (let turn = Math.ceil(window.west - x); turn <= window.east - x; turn++) {
    const left = (x + turn - window.west) * window.pixels, top = (y - window.north) * window.pixels;
    if (!text || top < 0 || top > high) continue;
    context.font = isCountry ? `600 ${rank < 3 ? 13 : 12}px ${family}` : `11.5px ${family}`;
    const half = context.measureText(text).width / 2 + 4;
    // A city's name stands below its dot, above it, or beside it.
    const sides = isCountry || isBare ? [[0, 0]] : [[0, 11], [0, -11], [half + 3, 0], [-half - 3, 0]];
    const around = ([dx, dy]) => [left + dx - half, top + dy - 8, left + dx + half, top + dy + 8];
    const side = sides.find(side => { const box = around(side); return !taken.some(other => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]); });
    if (!side) continue;
    const box = around(side);
    taken.push(box);
    context.strokeStyle = colors.land;
    context.fillStyle = isCountry ? colors.ink : colors.faint;
    context.globalAlpha = isCountry ? 0.75 : 1;
    context.lineWidth = 3;
    if (!isCountry && !isBare) { context.beginPath(); context.arc(left, top, 2, 0, 7); context.fill(); }
    context.strokeText(text, left + side[0], top + side[1]);
    context.fillText(text, left + side[0], top + side[1]);
  }
  context.restore();
}

// Parallels and meridians, a few of each, with their degrees: what there is for orientation where no land is shown.
function paintGrid(context, window, wide, high, colors) {
  const step = gridSteps.find(step => step / 360 * window.pixels > 110) ?? 45;
  context.save();
  context.strokeStyle = colors.line;
  context.fillStyle = colors.faint;
  context.font = "11px sans-serif";
  context.beginPath();
  // Below the buttons and beside the scale.
  const top = 134, left = 132;
  // Counted in steps, for sums of fractions drift.
  for (let count = Math.ceil((window.west * 360 - 180) / step); count * step < window.east * 360 - 180; count++) {
    const lon = count * step, x = (worldX(lon) - window.west) * window.pixels;
    context.moveTo(x, 0);
    context.lineTo(x, high);
    for (let y = paintMargin + top; y < high; y += 420) context.fillText(degrees(lon - 360 * Math.round(lon / 360), "E", "W", step), x + 3, y);
  }
  for (let count = Math.ceil(latitudeAt(Math.min(1, window.south)) / step); count * step < latitudeAt(Math.max(0, window.north)); count++) {
    const lat = count * step, y = (worldY(lat) - window.north) * window.pixels;
    context.moveTo(0, y);
    context.lineTo(wide, y);
    // Not on those of meridians.
    if ((y - paintMargin - top + 854) % 420 < 32) continue;
    for (let x = paintMargin + left; x < wide; x += 520) context.fillText(degrees(lat, "N", "S", step), x, y - 3);
  }
  context.stroke();
  context.restore();
}

// A map in pictures from a server, with what is at hand of other zooms until a picture comes. If the first few fail,
// the built-in land takes its place.
class TileLayer {
  constructor({ url, attribution }, came) {
    Object.assign(this, { url, attribution, came, pictures: new Map(), failed: 0, arrived: 0 });
  }

  get hasFailed() { return !this.arrived && this.failed > 3; }

  paint(context, window, zoom) {
    const z = clamp(Math.round(zoom), 0, 19), count = 2 ** z, size = window.pixels / count;
    for (const [column, row, around] of tilesInSight(window, count)) {
      const left = (column / count - window.west) * window.pixels, top = (row / count - window.north) * window.pixels;
      if (!this.draw(context, this.picture(z, around, row), left, top, size)) this.drawParent(context, z, around, row, left, top, size);
    }
  }

  draw(context, picture, left, top, size, part = [0, 0, 1]) {
    if (!picture?.isReady) return false;
    const { image } = picture, side = image.naturalWidth * part[2];
    context.drawImage(image, part[0] * image.naturalWidth, part[1] * image.naturalHeight, side, side, Math.round(left), Math.round(top), Math.ceil(size) + 0.5, Math.ceil(size) + 0.5);
    return true;
  }

  drawParent(context, z, column, row, left, top, size) {
    for (let up = 1; up <= Math.min(z, 6); up++) {
      const step = 2 ** up, held = this.pictures.get(`${z - up}/${column >> up}/${row >> up}`);
      if (this.draw(context, held, left, top, size, [column % step / step, row % step / step, 1 / step])) return;
    }
  }

  picture(z, column, row) {
    const key = `${z}/${column}/${row}`;
    let held = this.pictures.get(key);
    if (!held) {
      const image = new Image();
      held = { image, isReady: false };
      image.onload = () => { held.isReady = true; this.arrived++; this.came(); };
      image.onerror = () => { this.failed++; if (this.hasFailed) this.came(); };
      image.referrerPolicy = "strict-origin-when-cross-origin";
      image.src = this.url.replace("{z}", z).replace("{x}", column).replace("{y}", row).replace("{s}", "abc"[(column + row) % 3]).replace("{r}", devicePixelRatio > 1 ? "@2x" : "");
      this.pictures.set(key, held);
      if (this.pictures.size > 400) this.pictures.delete(this.pictures.keys().next().value);
    }
    return held;
  }
}

const gridSteps = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const degrees = (value, positive, negative, step) =>
  `${Math.abs(value).toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))}°${Math.abs(value) < step / 2 || Math.abs(value) > 180 - step / 2 ? "" : value > 0 ? positive : negative}`;
