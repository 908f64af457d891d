// The page: list, legend, search and map follow one state.

const byId = id => document.getElementById(id);
const state = { query: "", hours: "", me: null, selected: null, listed: 100 };
let places, view, shownNow = [];

async function start() {
  const settings = JSON.parse(byId("settings").textContent);
  chooseLanguage(settings.language ?? navigator.language);
  const collection = settings.data
    ? await fetch(settings.data).then(answer => { if (!answer.ok) throw new Error(answer.status); return answer.json(); })
    : JSON.parse(byId("data").textContent);
  places = new Places(collection, settings.hours);
  const draws = { moved: followMap, draw: drawnMark, coasts: settings.coasts, tiles: settings.tiles };
  view = typeof L === "undefined" ? new PlainView(byId("map"), draws) : new LeafletView(byId("map"), draws);
  buildLegend();
  listen();
  translate();
  if (!goToAddress()) showAll(false);
  document.documentElement.dataset.ready = "yes";
  if (places.hours) followClock();
}

// Places open and close while the page is looked at, on whole minutes; a page that was hidden, or a
// device that slept, may have missed some.
function followClock() {
  const tick = () => { refresh(); setTimeout(tick, 60000 - Date.now() % 60000); };
  setTimeout(tick, 60000 - Date.now() % 60000);
  document.addEventListener("visibilitychange", refresh);
}

// What is seen

function refresh() {
  if (!places || !view) return;
  const matching = places.matching(state), bounds = view.bounds();
  const onMap = marks(matching.filter(place => place.lat !== undefined), view.zoom(), bounds);
  // The keys carry what the drawing depends on, so that a change draws anew.
  for (const mark of onMap) {
    if (mark.place) mark.key += ` ${stateWords(mark.place)} ${mark.place === state.selected} ${language}`;
    else mark.key += ` ${language}`;
  }
  if (state.me) onMap.push({ key: "me", me: true, x: worldX(state.me.lon) + Math.round(view.center().x - worldX(state.me.lon)), y: worldY(state.me.lat), dx: 0, dy: 0 });
  keepFocus(".mark", byId("map"), () => view.show(onMap));
  const seen = onMap.flatMap(mark => mark.places ?? (mark.place ? [mark.place] : []));
  shownNow = ordered(seen.concat(matching.filter(place => place.lat === undefined)));
  buildList();
  byId("summary").textContent = shownNow.length ? word("shown")(number(shownNow.length), number(places.all.length))
    : word(places.all.length ? "none" : "empty");
  const outdated = places.hours && Date.now() / 60000 >= places.hours.until;
  if (outdated) byId("summary").textContent += " " + word("outdated");
  document.documentElement.dataset.onMap = seen.length;
}

// Whoever moves by keys stays where they are when what they are on is drawn anew, or on the map where
// it is gone.
function keepFocus(selector, holder, draw) {
  const held = document.activeElement, index = held?.matches(selector) ? held.dataset.index : null;
  draw();
  if (index === null || held.isConnected) return;
  const again = holder.querySelector(`${selector}[data-index="${index}"]`);
  (again ?? holder.querySelector("[tabindex='0']") ?? (holder.tabIndex >= 0 ? holder : null))?.focus({ preventScroll: true });
}

function ordered(list) {
  if (!state.me) return list.sort((a, b) => a.index - b.index);
  const far = new Map(list.map(place => [place, place.lat === undefined ? Infinity : distance(state.me, place)]));
  return list.sort((a, b) => far.get(a) - far.get(b) || a.index - b.index);
}

function drawnMark(mark) {
  if (mark.me) return element("div", "mark me");
  const button = element("button", "mark");
  button.type = "button";
  if (mark.place) {
    const { place } = mark, now = places.state(place);
    button.classList.add("pin", `state-${now?.name ?? "none"}`);
    button.classList.toggle("selected", place === state.selected);
    button.style.setProperty("--kind", places.color(place));
    button.dataset.id = place.id;
    button.dataset.index = place.index;
    label(button, [place.name || word("unnamed"), place.kind, stateWords(place)].filter(Boolean).join(", "));
    button.setAttribute("aria-pressed", String(place === state.selected));
    button.style.translate = mark.dx || mark.dy ? `${mark.dx}px ${mark.dy}px` : "";
    button.onclick = () => select(place);
  } else {
    button.classList.add("cluster");
    button.dataset.count = mark.places.length;
    button.dataset.index = "cluster";
    button.style.setProperty("--size", `${mark.size}px`);
    button.style.setProperty("--share", share(mark.places));
    label(button, word("cluster")(number(mark.places.length)));
    button.append(element("b", "", abbreviated(mark.places.length)));
    button.onclick = () => view.go(mark.x, mark.y, expansionZoom(mark.places, view.zoom()));
  }
  return button;
}

// The ring of a cluster: its kinds, each with its share.
function share(list) {
  let turn = 0;
  const parts = places.kinds.map(kind => [kind, list.filter(place => place.kind === kind.name).length])
    .filter(([, count]) => count).map(([kind, count]) => {
      const from = turn;
      turn += count / list.length;
      return `${kind.color} ${from}turn ${turn}turn`;
    });
  return `conic-gradient(${parts.join(",")})`;
}

// The list

function buildList() {
  const list = byId("list");
  keepFocus(".entry", list, () => list.replaceChildren(...shownNow.slice(0, state.listed).map(entry)));
  byId("more").hidden = shownNow.length <= state.listed;
}

function entry(place) {
  const item = element("li"), button = item.appendChild(element("button", "entry"));
  button.type = "button";
  button.dataset.id = place.id;
  button.dataset.index = place.index;
  button.style.setProperty("--kind", places.color(place));
  button.append(element("span", "dot"), element("span", "name", place.name || word("unnamed")));
  if (state.me && place.lat !== undefined) button.append(element("span", "distance", shownDistance(distance(state.me, place))));
  const now = stateWords(place);
  if (now) button.append(element("span", `note state-${places.state(place).name}`, now));
  if (place.lat === undefined) button.append(element("span", "note", word("unplaced")));
  const address = text(place.properties.address) ?? text(place.properties["addr:full"]);
  if (address) button.append(element("span", "note", address));
  button.setAttribute("aria-expanded", String(place === state.selected));
  button.onclick = () => place === state.selected ? select(null) : select(place, true);
  if (place === state.selected) item.append(details(place));
  return item;
}

// Whether a place is open and until when, by its own clock; "" where it has no hours.
function stateWords(place) {
  const now = places.state(place);
  if (!now) return "";
  const { name, next, until, clock } = now;
  if (!next || name === "unknown" || isOutOfBusiness(name) || name === "closed" && isOutOfBusiness(next)) return word(name);
  const ahead = places.ahead(clock, until), minute = minuteNow();
  const time = shownTime(until, ahead, minute + places.ahead(clock, minute), name === "open");
  const isElsewhere = ahead !== -new Date(until * 60000).getTimezoneOffset();
  return word(name === "open" ? "closes" : next === "open" ? "opens" : "shut")(isElsewhere ? word("there")(time) : time);
}

// Text stays text: what looks like markup in the data is shown, never read as such.
function details(place) {
  const list = element("dl");
  for (const [name, value] of Object.entries(place.properties)) {
    // What maps are told to draw with is no news.
    if (value === null || value === "" || name === "name" || name.startsWith("marker-")) continue;
    const shown = typeof value === "string" ? value : JSON.stringify(value), cell = element("dd");
    if (/^https?:\/\/[^\s]+$/i.test(shown)) {
      const link = cell.appendChild(element("a", "", shown));
      link.href = shown;
      link.rel = "noopener noreferrer";
      link.target = "_blank";
    } else cell.textContent = shown;
    list.append(element("dt", "", name), cell);
  }
  return list;
}

function select(place, moves = false) {
  state.selected = place;
  if (place && moves && place.lat !== undefined) {
    view.go(place.x, place.y, Math.max(view.zoom(), Math.min(lastZoom, 15)));
  }
  refresh();
  if (!place || moves) return;
  // The list may not have reached the one that was clicked on the map.
  const rank = shownNow.indexOf(place);
  if (rank >= state.listed) { state.listed = rank + 1; buildList(); }
  byId("list").children[rank]?.scrollIntoView({ block: "nearest" });
}

// Legend, search, language

function buildLegend() {
  const legend = byId("legend");
  legend.setAttribute("role", "group");
  legend.dataset.label = "kinds";
  // One kind without a name is nothing to choose from.
  for (const kind of places.kinds.length === 1 && !places.kinds[0].name ? [] : places.kinds) {
    const label = element("label"), box = label.appendChild(element("input"));
    label.style.setProperty("--kind", kind.color);
    box.type = "checkbox";
    box.checked = true;
    box.value = kind.name;
    box.onchange = () => { kind.isShown = box.checked; state.listed = 100; refresh(); };
    label.append(element("span", "dot"), element("span", "name"), element("small", "", number(kind.count)));
    label.children[2].textContent = kind.name;
    if (!kind.name) label.children[2].dataset.text = "noKind";
    legend.append(label);
  }
  if (!places.hours) return;
  const hours = legend.appendChild(element("select"));
  hours.id = "hours";
  hours.dataset.label = "hours";
  for (const [value, name] of [["", "anyTime"], ["open", "openNow"], ["notClosed", "notClosed"]]) {
    const option = hours.appendChild(element("option"));
    option.value = value;
    option.dataset.text = name;
  }
  const states = legend.appendChild(element("ul"));
  states.id = "states";
  for (const name of ["open", "closed", "unknown", "suspended", "closedDown"]) {
    if (isOutOfBusiness(name) && !places.hasState(name)) continue;
    const item = states.appendChild(element("li")), words = element("span");
    words.dataset.text = name;
    item.append(element("span", `pin state-${name}`), words);
  }
  hours.onchange = () => { state.hours = hours.value; state.listed = 100; refresh(); };
}

function listen() {
  byId("search").onsubmit = event => { event.preventDefault(); showAll(true); };
  byId("query").oninput = event => { state.query = event.target.value; state.listed = 100; refresh(); };
  byId("more").onclick = () => { state.listed += 200; buildList(); };
  byId("list").onkeydown = event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], item = event.target.closest(".entry")?.parentElement;
    if (!step || !item) return;
    event.preventDefault();
    (step > 0 ? item.nextElementSibling : item.previousElementSibling)?.firstElementChild.focus();
  };
  byId("language").onchange = event => { chooseLanguage(event.target.value); translate(); refresh(); };
  byId("theme").onclick = () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  };
  byId("near-me").onclick = () => {
    const failed = () => { byId("summary").textContent = word("noPosition"); };
    if (!navigator.geolocation) return failed();
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      state.me = { lat: coords.latitude, lon: coords.longitude };
      view.go(worldX(state.me.lon), worldY(state.me.lat), Math.max(view.zoom(), 14));
      refresh();
    }, failed);
  };
  addEventListener("hashchange", goToAddress);
}

function chooseLanguage(wanted) {
  language = Object.keys(words).find(name => wanted.toLowerCase().startsWith(name)) ?? "en";
  document.documentElement.lang = language;
  byId("language").value = language;
}

function translate() {
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = word(one.dataset.text);
  for (const one of document.querySelectorAll("[data-label]")) {
    // A tip over all of the map, or of the legend, would be in the way.
    if (one.matches("button, select, input, a")) label(one, word(one.dataset.label));
    else one.setAttribute("aria-label", word(one.dataset.label));
  }
  for (const one of document.querySelectorAll("[data-placeholder]")) one.placeholder = word(one.dataset.placeholder);
}

// Where the map stands

function showAll(onlyMatching) {
  const list = (onlyMatching ? places.matching(state) : places.all).filter(place => place.lat !== undefined);
  if (!list.length) return refresh();
  // The widest empty stretch of longitude stays outside, so that places on both sides of 180° are together.
  const xs = list.map(place => place.x).sort((a, b) => a - b);
  let west = xs[0], widest = xs[0] + 1 - xs[xs.length - 1];
  for (let i = 1; i < xs.length; i++) if (xs[i] - xs[i - 1] > widest) { widest = xs[i] - xs[i - 1]; west = xs[i]; }
  const width = 1 - widest;
  let north = 1, south = 0;
  for (const place of list) { north = Math.min(north, place.y); south = Math.max(south, place.y); }
  const { clientWidth, clientHeight } = byId("map");
  const fits = Math.log2(Math.min((clientWidth - 60) / (256 * Math.max(width, 1e-9)), (clientHeight - 60) / (256 * Math.max(south - north, 1e-9))));
  const x = west + width / 2;
  view.go(x - Math.floor(x), (north + south) / 2, clamp(Math.floor(fits), 0, 16));
  refresh();
}

// The window is kept in the address, as zoom/latitude/longitude, so that it can be sent to somebody.
function followMap() {
  if (!places || !view) return;
  const { x, y } = view.center(), lon = (x - Math.floor(x)) * 360 - 180;
  if (document.documentElement.dataset.ready) {
    history.replaceState(null, "", `#${view.zoom()}/${latitudeAt(y).toFixed(5)}/${lon.toFixed(5)}`);
  }
  refresh();
}

function goToAddress() {
  const [zoom, lat, lon] = location.hash.slice(1).split("/").map(Number);
  if (![zoom, lat, lon].every(Number.isFinite) || location.hash.length < 2) return false;
  view.go(worldX(lon), worldY(lat), clamp(zoom, 0, 21));
  refresh();
  return true;
}

function element(name, classes = "", content) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (content !== undefined) made.textContent = content;
  return made;
}

// A tip for those who point, a name for those who listen.
function label(element, words) {
  element.title = words;
  element.setAttribute("aria-label", words);
}

const abbreviated = count => new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(count).toLowerCase();

start().catch(error => {
  byId("summary").textContent = word("noData");
  throw error;
});
