// Two maps with one face: show(marks), bounds(), zoom(), go(...), and a call of `moved` after each move.
// A mark that stays keeps its element, so pins do not flicker.

// Puts what is new, takes what is gone, leaves what stays.
function keep(shown, marks, add, move, remove) {
  const wanted = new Set(marks.map(mark => mark.key));
  for (const [key, held] of shown) if (!wanted.has(key)) { remove(held); shown.delete(key); }
  for (const mark of marks) {
    const held = shown.get(mark.key);
    if (held) move(held, mark); else shown.set(mark.key, add(mark));
  }
}

class LeafletView {
  constructor(element, { moved, draw, coasts, tiles }) {
    this.draw = draw;
    this.shown = new Map();
    this.map = L.map(element, { worldCopyJump: true, maxZoom: 21, attributionControl: Boolean(tiles) });
    L.control.scale({ imperial: false }).addTo(this.map);
    if (tiles) L.tileLayer(tiles.url, { attribution: escaped(tiles.attribution), maxZoom: 21 }).addTo(this.map);
    else {
      const lines = L.layerGroup(coasts.lines.map(line => L.polyline(line, { className: "coast", interactive: false, color: "", weight: 1.2 })));
      this.map.on("zoomend viewreset", () => this.map.getZoom() > coasts.lastZoom ? lines.remove() : lines.addTo(this.map));
      // Below Leaflet's own panes, and drawn anew while the map is dragged.
      const grid = element.appendChild(document.createElementNS(svgNames, "svg"));
      grid.classList.add("graticule");
      this.map.on("move zoomend resize", () => drawGraticule(grid, this.bounds(), 256 * 2 ** this.map.getZoom(), this.map.getSize()));
      this.map.on("zoomanim", () => grid.replaceChildren());
    }
    this.map.on("zoomstart", () => { this.isZooming = true; });
    this.map.on("zoomend", () => { this.isZooming = false; });
    this.map.setView([0, 0], 1);
    this.map.on("moveend", moved);
    for (const [way, label] of [["in", "zoomIn"], ["out", "zoomOut"]]) {
      element.querySelector(`.leaflet-control-zoom-${way}`).dataset.label = label;
    }
    new ResizeObserver(() => this.map.invalidateSize()).observe(element);
  }

  zoom() { return this.map.getZoom(); }

  bounds() {
    const box = this.map.getBounds();
    return { west: worldX(box.getWest()), east: worldX(box.getEast()), north: worldY(box.getNorth()), south: worldY(box.getSouth()) };
  }

  center() { const at = this.map.getCenter(); return { x: worldX(at.lng), y: worldY(at.lat) }; }

  go(x, y, zoom) {
    // Leaflet forgets a move that is asked for while it zooms.
    if (this.isZooming) return this.map.once("zoomend", () => this.go(x, y, zoom));
    const animate = Boolean(document.documentElement.dataset.ready) && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map.setView([latitudeAt(y), x * 360 - 180], zoom, { animate });
  }

  show(marks) {
    const at = mark => [latitudeAt(mark.y), mark.x * 360 - 180];
    keep(this.shown, marks,
      mark => {
        const holder = document.createElement("div"), inner = this.draw(mark);
        holder.append(inner);
        // The element inside takes the keys and clicks; Leaflet only places its holder.
        const icon = L.divIcon({ className: "holder", html: holder });
        return { inner, marker: L.marker(at(mark), { icon, keyboard: false }).addTo(this.map) };
      },
      (held, mark) => { held.marker.setLatLng(at(mark)); place(held.inner, mark.dx, mark.dy); },
      held => held.marker.remove());
  }
}

// The map that needs no library: lines in SVG, pins above it.
class PlainView {
  constructor(element, { moved, draw, coasts }) {
    this.draw = draw;
    this.moved = moved;
    this.coasts = coasts.lines.map(line => line.map(([lat, lon]) => [worldX(lon), worldY(lat)]));
    this.lastCoastZoom = coasts.lastZoom;
    this.shown = new Map();
    this.at = { x: 0.5, y: 0.5, zoom: 1 };
    this.element = element.appendChild(document.createElement("div"));
    this.element.className = "plain";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "group");
    this.element.dataset.label = "map";
    const layer = () => this.element.appendChild(document.createElementNS(svgNames, "svg"));
    this.grid = layer();
    this.grid.classList.add("graticule");
    this.lines = layer();
    this.marks = this.element.appendChild(document.createElement("div"));
    this.marks.className = "marks";
    this.scale = this.element.appendChild(document.createElement("div"));
    this.scale.className = "scale";
    const zoom = this.element.appendChild(document.createElement("div"));
    zoom.className = "zoom";
    for (const [sign, step, label] of [["+", 1, "zoomIn"], ["−", -1, "zoomOut"]]) {
      const button = zoom.appendChild(document.createElement("button"));
      button.type = "button";
      button.textContent = sign;
      button.dataset.label = label;
      button.onclick = () => this.go(this.at.x, this.at.y, this.at.zoom + step);
    }
    this.listen();
    new ResizeObserver(() => this.render()).observe(this.element);
  }

  listen() {
    let held = null;
    this.element.onpointerdown = event => {
      if (event.target.closest("button, .mark")) return;
      held = { x: event.clientX, y: event.clientY, at: this.at };
      this.element.setPointerCapture(event.pointerId);
    };
    this.element.onpointermove = event => {
      if (!held) return;
      const pixels = this.pixels;
      this.go(held.at.x - (event.clientX - held.x) / pixels, held.at.y - (event.clientY - held.y) / pixels, this.at.zoom);
    };
    this.element.onpointerup = this.element.onpointercancel = () => { held = null; };
    this.element.onkeydown = event => {
      if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = 80 / this.pixels, { x, y, zoom } = this.at;
      const moves = {
        ArrowLeft: [x - step, y, zoom], ArrowRight: [x + step, y, zoom], ArrowUp: [x, y - step, zoom], ArrowDown: [x, y + step, zoom],
        "+": [x, y, zoom + 1], "=": [x, y, zoom + 1], "-": [x, y, zoom - 1],
      }[event.key];
      if (!moves) return;
      event.preventDefault();
      this.go(...moves);
    };
    let turned = 0;
    this.element.addEventListener("wheel", event => {
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < 60) return;
      // What is under the pointer stays there.
      const box = this.element.getBoundingClientRect(), zoom = clamp(this.at.zoom - Math.sign(turned), 0, 21);
      const dx = event.clientX - box.left - box.width / 2, dy = event.clientY - box.top - box.height / 2;
      const kept = 1 / this.pixels - 1 / (256 * 2 ** zoom);
      turned = 0;
      this.go(this.at.x + dx * kept, this.at.y + dy * kept, zoom);
    }, { passive: false });
  }

  get pixels() { return 256 * 2 ** this.at.zoom; }
  zoom() { return this.at.zoom; }
  center() { return this.at; }

  bounds() {
    const { clientWidth, clientHeight } = this.element, pixels = this.pixels;
    const x = clientWidth / 2 / pixels, y = clientHeight / 2 / pixels;
    return { west: this.at.x - x, east: this.at.x + x, north: this.at.y - y, south: this.at.y + y };
  }

  go(x, y, zoom) {
    this.at = { x: x - Math.floor(x), y: clamp(y, 0, 1), zoom: clamp(zoom, 0, 21) };
    this.render();
  }

  render() {
    this.drawLines();
    this.moved();
  }

  drawLines() {
    const { clientWidth: width, clientHeight: height } = this.element, pixels = this.pixels, box = this.bounds();
    drawGraticule(this.grid, box, pixels, { x: width, y: height });
    const px = x => ((x - box.west) * pixels).toFixed(1), py = y => ((y - box.north) * pixels).toFixed(1);
    const coast = document.createElementNS(svgNames, "path");
    coast.setAttribute("class", "coast");
    const coasts = this.at.zoom > this.lastCoastZoom ? [] : this.coasts;
    coast.setAttribute("d", coasts.map(line => "M" + line.map(([x, y]) => {
      const turn = Math.round(this.at.x - line[0][0]);
      return `${px(x + turn)} ${py(y)}`;
    }).join("L")).join(""));
    this.lines.replaceChildren(coast);
    this.drawScale();
  }

  drawScale() {
    const metersAPixel = 40075016.7 * Math.cos(latitudeAt(this.at.y) * Math.PI / 180) / this.pixels;
    const most = metersAPixel * 110, power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].find(step => step * power <= most) * power;
    this.scale.style.width = `${length / metersAPixel}px`;
    this.scale.textContent = shownDistance(length);
  }

  show(marks) {
    const box = this.bounds(), pixels = this.pixels;
    const put = (element, mark) => {
      element.style.left = `${(mark.x - box.west) * pixels}px`;
      element.style.top = `${(mark.y - box.north) * pixels}px`;
      place(element, mark.dx, mark.dy);
      return element;
    };
    keep(this.shown, marks, mark => put(this.marks.appendChild(this.draw(mark)), mark), put, element => element.remove());
  }
}

// Parallels and meridians, a few of each, with their degrees: what there is for orientation where no
// coast is near.
function drawGraticule(svg, box, pixels, { x: width, y: height }) {
  const parts = [], labels = [];
  const px = x => ((x - box.west) * pixels).toFixed(1), py = y => ((y - box.north) * pixels).toFixed(1);
  const step = gridSteps.find(step => step / 360 * pixels > 110) ?? 45;
  // Counted in steps, for sums of fractions drift.
  const western = box.west * 360 - 180, eastern = box.east * 360 - 180;
  for (let count = Math.ceil(western / step); count * step < eastern; count++) {
    const lon = count * step, x = px(worldX(lon));
    parts.push(`M${x} 0V${height}`);
    // The buttons for zooming stand in the corner.
    if (x > 45) labels.push([+x + 3, 12, degrees(lon - 360 * Math.round(lon / 360), "E", "W", step)]);
  }
  const southern = latitudeAt(Math.min(1, box.south)), northern = latitudeAt(Math.max(0, box.north));
  for (let count = Math.ceil(southern / step); count * step < northern; count++) {
    const lat = count * step, y = py(worldY(lat));
    parts.push(`M0 ${y}H${width}`);
    labels.push([width - 4, +y - 3, degrees(lat, "N", "S", step), "end"]);
  }
  const grid = document.createElementNS(svgNames, "path");
  grid.setAttribute("class", "grid");
  grid.setAttribute("d", parts.join(""));
  svg.replaceChildren(grid, ...labels.map(([x, y, label, anchor]) => {
    const words = document.createElementNS(svgNames, "text");
    words.setAttribute("x", x);
    words.setAttribute("y", y);
    if (anchor) words.setAttribute("text-anchor", anchor);
    words.textContent = label;
    return words;
  }));
}

const svgNames = "http://www.w3.org/2000/svg";
const gridSteps = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const place = (element, dx, dy) => { element.style.translate = dx || dy ? `${dx}px ${dy}px` : ""; };
const degrees = (value, positive, negative, step) =>
  `${Math.abs(value).toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))}°${Math.abs(value) < step / 2 ? "" : value > 0 ? positive : negative}`;

// Leaflet takes its attribution as HTML.
function escaped(text) {
  const element = document.createElement("span");
  element.textContent = text;
  return element.innerHTML;
}
