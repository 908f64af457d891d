// The page: list, legend, search and map follow one state.

const byId = id => document.getElementById(id);
const state = { query: "", hours: "", origin: null, isHere: false, selected: null, listed: 100 };
const dotLimit = 2000;      // as many points in sight stand as pins and clusters, more as dots
const paperWidth = 660;     // CSS pixels between the margins of A4, upright, as browsers set them
let places, view, tiled = null, shownNow = { list: [], unplaced: [] };

// What a source says. Whole numbers that a JavaScript number does not hold are texts, with all of their digits.
function parsed(json) {
  const exact = (name, value, context) => Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source || value;
  return JSON.parse(json, /[^\d.]\d{16}/.test(json) ? exact : undefined);
}

async function start() {
  const settings = JSON.parse(byId("settings").textContent);
  state.language = settings.language;
  readAddress();
  chooseLanguage(state.language ?? navigator.language);
  translate();
  if (/\.pmtiles$/i.test(settings.data)) {
    const kinds = settings.kinds ?? [], all = new Places(byId("data") && parsed(byId("data").textContent), settings.hours, kinds);
    tiled = new TiledPlaces(settings.data, all.total, Boolean(settings.hours), refresh);
    await tiled.open();
    if (settings.search) all.file = new SearchFile(settings.search, kinds.map(([name]) => all.kindNamed.get(name)), all.all.length, tiled.came);
    places = all;
  } else {
    const collection = settings.data
      ? await fetch(settings.data).then(answer => { if (!answer.ok) throw new Error(answer.status); return answer.text(); })
      : byId("data").textContent;
    places = new Places(parsed(collection), settings.hours);
  }
  const land = settings.land && new Land(settings.land);
  const base = byId("basemap") && new Base(JSON.parse(byId("basemap").textContent));
  view = new MapView(byId("map"), { land, base, tiles: settings.tiles, moved: refresh, draw: drawnMark, dress: dressMark, touched, hovered: place => place && shortName(place) });
  buildLegend();
  listen();
  translate();
  applyAddress();
  document.documentElement.dataset.ready = "yes";
  // Once the first frame is painted, for who measures it.
  requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.usable = Math.round(performance.now()); if (!tiled) places.prepare(); }, 0));
  writeAddress();
  if (places.hours) followClock();
  if (settings.live) followChanges(settings.live);
}

// A server tells what changes. A page that is hidden does not listen, for a browser has only six connections to a server.
// One that is seen again, or whose connection was lost, asks for what came after the number that it has seen last: a
// browser that comes back by itself gives up at the first answer that is an error.
function followChanges(address) {
  const from = new URL(address, location.href);
  let events, waiting;
  const listen = () => {
    clearTimeout(waiting);
    events?.close();
    if (document.hidden) return;
    let hasOpened = false;
    const reachable = isReachable => {
      if (state.isAway === !isReachable) return;
      state.isAway = !isReachable;
      refresh();
    };
    const changed = change => ({ data, lastEventId }) => {
      places[change](parsed(data));
      from.searchParams.set("since", document.documentElement.dataset.change = lastEventId);
      if (state.selected && !places.all.includes(state.selected)) state.selected = null;
      findView();
      refresh();
    };
    events = new EventSource(from);
    events.onopen = () => { hasOpened = true; reachable(true); };
    // A server that starts again is back at the second try.
    events.onerror = () => { events.close(); reachable(hasOpened); waiting = setTimeout(listen, 3000); };
    events.addEventListener("diff", changed("change"));
    events.addEventListener("snapshot", changed("changeAll"));
    // Too much has changed to be told, or has been missed.
    events.addEventListener("reset", event => { if (JSON.parse(event.data).version) location.reload(); });
    events.addEventListener("dropped", () => location.reload());
  };
  document.addEventListener("visibilitychange", listen);
  listen();
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
  takeTiles();
  const isSearch = Boolean(state.query.trim());
  if (isSearch) places.file?.open();
  const matching = places.matching(state), bounds = view.bounds(), points = matching.rest ? places.file.within(bounds, matching.rest.groups) : matching.points;
  const isSeen = place => place.y >= bounds.north && place.y <= bounds.south && place.x + Math.ceil(bounds.west - place.x) <= bounds.east;
  const seen = points.filter(isSeen);
  showOnMap(points, matching.shapes, seen.length > dotLimit);
  const boxMeets = ({ shape: { box } }) => box[1] <= bounds.south && box[3] >= bounds.north && box[0] + Math.ceil(bounds.west - box[2]) <= bounds.east;
  const inSight = seen.concat(matching.shapes.filter(boxMeets));
  // A search looks at everything, wherever the map stands.
  let list = isSearch ? matching.list.filter(place => place.lat !== undefined) : inSight.sort((a, b) => a.index - b.index);
  if (matching.rest && state.origin) list = matching.shapes.concat(places.file.nearest(state.origin, matching.rest));
  shownNow = { list: state.origin ? byDistance(list) : list, unplaced: matching.unplaced };
  buildList();
  showKinds(matching.counts);
  const isPart = matching.rest ? points.isPart : tiled?.isPart && !matching.file;
  byId("summary").textContent = summary(isSearch ? matching.count : shownNow.list.length + shownNow.unplaced.length, isSearch, isPart);
  byId("from").hidden = !state.origin;
  document.documentElement.dataset.onMap = inSight.length;
  if (document.documentElement.dataset.ready) writeAddress();
}

// Another filter, or another order: the list begins anew.
function refilter() {
  state.listed = 100;
  refresh();
}

// Takes in what has come of the tiles in sight.
function takeTiles() {
  const come = tiled?.places(view.bounds(), view.at.zoom);
  if (!come) return;
  places.put(places.inside.concat(come));
  state.selected = state.awaited === undefined ? fullest() : come.find(place => place.id === state.awaited) ?? null;
  if (state.selected) state.awaited = undefined;
}

function showOnMap(points, shapes, isDotted) {
  const { zoom } = view.at, bounds = view.bounds();
  const onMap = marks(isDotted ? [] : points, zoom, view.bounds(3 * cellSize * 2 ** (zoom % 1)));
  if (isDotted && points.some(isSelected)) onMap.push(...marks([state.selected], zoom, bounds));
  if (state.origin) onMap.push({ key: `origin ${state.isHere} ${state.origin.lat} ${state.origin.lon}`, origin: true, x: worldX(state.origin.lon) + Math.round(view.at.x - worldX(state.origin.lon)), y: worldY(state.origin.lat), dx: 0, dy: 0 });
  view.showGround(shapes, isDotted ? points : null, state.selected);
  keepFocus(byId("map"), () => view.show(onMap));
}

// How much is shown, and what may be missing or out of date.
function summary(count, isSearch, isPart) {
  const isFetching = isSearch && places.file?.isLoading;
  const sentences = [count ? word("shown")(number(count), number(places.total)) : isFetching ? "" : word(tiled?.isLoading ? "loading" : !places.total ? "empty" : isSearch && (!tiled || places.file) ? "notFound" : "none")];
  if (isFetching) sentences.push(word("searchLoading"));
  if (isSearch && places.file?.failed) sentences.push(word("searchFailed"));
  if (tiled?.failed) sentences.push(word("noData"));
  if (isPart) sentences.push(word("part"));
  if (places.hours && Date.now() / 60000 >= places.hours.until) sentences.push(word("outdated"));
  if (state.isAway) sentences.push(word("away"));
  return sentences.filter(Boolean).join(" · ");
}

// A place that was found and the same in a tile are two objects, and each zoom has its own.
const isSelected = place => place === state.selected || Boolean(tiled && state.selected && place.lat !== undefined && !place.shape && place.id === state.selected.id && oneLine(place.name) === oneLine(state.selected.name));
const oneLine = text => text.replace(/[\0-\x1f]/g, " ");

// What is selected as a tile has it, with all its columns.
const fullest = () => tiled && state.selected ? places.all.find(isSelected) ?? state.selected : state.selected;

// Keeps the focus on what is drawn again; where that is gone, it goes to the entry or mark around it, or else to the list
// or the middle of the map, where what a cluster falls apart into is.
function keepFocus(holder, draw) {
  const stops = item => [item, ...item.querySelectorAll("button, a, summary")];
  const held = document.activeElement, item = holder.contains(held) ? held.closest("[data-index]") : null;
  const place = item && stops(item).indexOf(held);
  draw();
  if (!item || document.activeElement === held) return;
  const again = holder.querySelector(`[data-index="${item.dataset.index}"]`), all = again ? stops(again) : [];
  (all[place] ?? all.find(one => one.tabIndex >= 0) ?? (holder === byId("map") ? view.middleMost() : byId("panel"))).focus({ preventScroll: true });
}

function byDistance(list) {
  const far = new Map(list.map(place => [place, distanceTo(state.origin, place)]));
  return list.slice().sort((a, b) => far.get(a) - far.get(b) || a.index - b.index);
}

const shortName = place => [place.name || word("unnamed"), place.kind, stateWords(place)].filter(Boolean).join(", ");

// An element for a mark, for as long as the mark is on the map; what may change of it is dressed each time.
function drawnMark(mark) {
  if (mark.origin) return element("div", "mark");
  const button = element("button", mark.place ? "mark pin" : "mark cluster");
  if (!mark.place) button.append(element("b"));
  return button;
}

function dressMark(button, mark) {
  if (mark.origin) return button.classList.add(state.isHere ? "me" : "origin");
  const { place } = mark;
  if (place) {
    const now = places.state(place);
    button.className = `mark pin state-${now?.name ?? "none"}${isSelected(place) ? " selected" : ""}`;
    button.style.setProperty("--kind", places.color(place));
    button.dataset.id = place.id;
    button.dataset.index = place.index;
    button.setAttribute("aria-label", shortName(place));
    button.setAttribute("aria-pressed", String(isSelected(place)));
    button.onclick = () => select(place);
  } else {
    button.classList.toggle("selected", mark.places.some(isSelected));
    button.dataset.count = mark.places.length;
    button.dataset.index = mark.key;
    button.style.setProperty("--size", `${mark.size}px`);
    button.style.setProperty("--share", share(mark.places));
    button.setAttribute("aria-label", word("cluster")(number(mark.places.length)));
    button.firstChild.textContent = abbreviated(mark.places.length);
    button.onclick = () => openCluster(mark);
  }
}

// Goes where a cluster falls apart; one that never does is in the list.
function openCluster({ places, x, y }) {
  const zoom = expansionZoom(places, view.at.zoom);
  if (zoom > view.at.zoom) return view.go(x, y, zoom);
  (byId("list").querySelector(`[data-index="${places[0].index}"] .entry`) ?? byId("panel")).focus();
}

// The ring of a cluster: its kinds, each with its share.
function share(list) {
  const counts = new Map();
  for (const place of list) counts.set(place.kind, (counts.get(place.kind) ?? 0) + 1);
  let turn = 0;
  const parts = places.kinds.filter(kind => counts.has(kind.name)).map(kind => {
    const from = turn;
    turn += counts.get(kind.name) / list.length;
    return `color-mix(in srgb, ${kind.color}, #fff var(--lift)) ${from}turn ${turn}turn`;
  });
  return `conic-gradient(${parts.join(",")})`;
}

// A click on the map: what is there is selected; where nothing is, a card closes, or distances count from there.
function touched(place, position) {
  if (place) return select(place);
  if (state.selected) return select(null);
  setOrigin(position, false);
}

function setOrigin(position, isHere) {
  state.origin = position;
  state.isHere = isHere;
  refilter();
}

// The list

function buildList() {
  const listed = shownNow.list.slice(0, state.listed);
  const { selected } = state, { unplaced } = shownNow;
  // What was chosen stays in the list, wherever the map goes; but not among what another search finds.
  if (selected && !state.query.trim() && !listed.some(isSelected) && !unplaced.includes(selected)) listed.unshift(selected);
  showEntries(byId("list"), listed);
  byId("more").hidden = shownNow.list.length <= state.listed;
  byId("more").textContent = word("more")(number(shownNow.list.length - state.listed));
  const wasOpen = byId("unplaced").open;
  byId("unplaced").hidden = !unplaced.length;
  const first = unplaced.slice(0, 500), all = number(unplaced.length);
  byId("unplaced-count").textContent = `${word("unplaced")}: ${first.length < unplaced.length ? word("shown")(number(first.length), all) : all}`;
  showEntries(byId("unplaced-list"), first);
  byId("unplaced").open = wasOpen || unplaced.includes(state.selected) || !shownNow.list.length;
}

// An entry that looks as before stays the element that it is: a click, selected text and the focus outlive a redraw.
function showEntries(list, shown) {
  const held = new Map([...list.children].map(item => [item.dataset.index, item]));
  const items = shown.map(place => {
    const made = entry(place), old = held.get(made.dataset.index), fields = made.querySelector("details");
    if (fields) fields.open = Boolean(old?.querySelector("details")?.open);
    return old?.isEqualNode(made) ? old : made;
  });
  keepFocus(list, () => {
    const kept = new Set(items);
    for (const item of held.values()) if (!kept.has(item)) item.remove();
    items.forEach((item, at) => { if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null); });
  });
}

function entry(place) {
  const item = element("li"), button = item.appendChild(element("button", "entry"));
  item.dataset.index = place.index;
  button.dataset.id = place.id;
  button.style.setProperty("--kind", places.color(place));
  const dot = element("span", `dot${place.shape ? " shape" : ""} state-${places.state(place)?.name ?? "none"}`);
  if (place.kind) { dot.setAttribute("role", "img"); label(dot, place.kind); }
  button.append(dot, element("span", "name", place.name || word("unnamed")));
  if (state.origin && place.lat !== undefined) button.append(element("span", "distance", shownDistance(distanceTo(state.origin, place))));
  const now = stateWords(place);
  if (now) button.append(element("span", `note state-${places.state(place).name}`, now));
  const address = valueOf(place, addressNames);
  if (address) button.append(element("span", "note", address));
  button.setAttribute("aria-expanded", String(isSelected(place)));
  button.onclick = () => isSelected(place) ? select(null) : select(place, true);
  if (isSelected(place)) item.append(card(state.selected));
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

// The card

// What sources in the languages of most users call these; the first that has a value counts.
const addressNames = ["address", "addr:full", "addr_full", "full_address", "address_road", "road_address", "도로명주소", "소재지도로명주소", "도로명전체주소", "소재지지번주소", "소재지전체주소", "주소", "소재지", "住所", "所在地", "所在地_連結表記", "所在地住所"];
const phoneNames = ["phone", "contact:phone", "tel", "telephone", "전화번호", "소재지전화", "전화", "대표전화", "電話番号", "電話", "連絡先電話番号"];
const webNames = ["website", "contact:website", "web", "url", "homepage", "홈페이지", "홈페이지주소", "ホームページ", "ウェブサイト"];

function valueOf(place, names) {
  for (const name of names) {
    const value = place.properties[name];
    if (typeof value === "string" && value.trim() || typeof value === "number") return String(value).trim();
  }
  return null;
}

// Text stays text: what looks like markup in the data is shown, never read as such.
function card(place) {
  const made = element("div", "card"), facts = made.appendChild(element("dl"));
  const add = (list, name, content) => {
    const cell = element("dd");
    cell.dir = "auto";
    cell.append(content);
    list.append(element("dt", "", name), cell);
  };
  const fact = (name, content) => add(facts, word(name), content);
  if (place.kind) fact("kind", place.kind);
  const phone = valueOf(place, phoneNames);
  // What a telephone can call: digits, perhaps with a plus before them.
  const digits = phone?.normalize("NFKC").match(/^\+?[\d\s().-]{5,25}$/)?.[0].replace(/[^\d+]/g, "");
  if (phone) fact("phone", digits ? linkTo(`tel:${digits}`, phone) : phone);
  const web = valueOf(place, webNames);
  if (web) fact("web", isWebAddress(web) ? linkTo(web, web) : web);
  if (place.lat !== undefined) {
    if (state.origin) {
      const far = distanceTo(state.origin, place);
      fact("distance", far > 0 && !place.shape ? `${shownDistance(far)}, ${word("compass")[Math.round(bearing(state.origin, place) / 45) % 8]}` : shownDistance(far));
    }
    if (!place.shape) fact("position", `${place.lat.toFixed(5)}, ${place.lon.toFixed(5)}`);
    const links = element("span", "links");
    for (const [label, address] of mapLinks(place)) links.append(linkTo(address, label));
    fact("openIn", links);
  }
  const rest = Object.entries(place.properties).filter(([name, value]) => value !== null && value !== "" && name !== "name" && name !== "kind" && !/^(marker-|stroke|fill)/.test(name));
  if (rest.length) {
    const more = made.appendChild(element("details")), list = element("dl");
    more.append(element("summary", "", word("allFields")), list);
    for (const [name, value] of rest) {
      const shown = typeof value === "string" ? value : JSON.stringify(value);
      add(list, name, isWebAddress(shown) ? linkTo(shown, shown) : shown);
    }
  }
  if (place.lat !== undefined) {
    const from = made.appendChild(element("button", "", word("fromHere")));
    from.onclick = () => setOrigin({ lat: place.lat, lon: place.lon }, false);
  }
  return made;
}

const isWebAddress = value => /^https?:\/\/[^\s]+$/i.test(value);

function linkTo(address, content) {
  const link = element("a", "", content);
  link.href = address;
  link.rel = "noopener noreferrer";
  link.target = "_blank";
  return link;
}

// The same place in other maps; Kakao's and Naver's show Korea.
function mapLinks({ lat, lon, name }) {
  const at = `${lat.toFixed(6)},${lon.toFixed(6)}`, title = encodeURIComponent((name || at).replaceAll(",", " "));
  const links = [["Google", `https://www.google.com/maps/search/?api=1&query=${at}`], ["OpenStreetMap", `https://www.openstreetmap.org/?mlat=${lat.toFixed(6)}&mlon=${lon.toFixed(6)}#map=17/${lat.toFixed(5)}/${lon.toFixed(5)}`]];
  if (lat > 32.5 && lat < 39 && lon > 124 && lon < 132) links.unshift(["Kakao", `https://map.kakao.com/link/map/${title},${at}`], ["Naver", `https://map.naver.com/p/search/${title}?c=${lon.toFixed(6)},${lat.toFixed(6)},16,0,0,0,dh`]);
  return links;
}

function select(place, moves = false) {
  state.awaited = undefined;
  state.selected = place;
  state.selected = fullest();
  if (place && moves && place.lat !== undefined) {
    if (place.shape) fitBox(place.shape.box);
    else view.go(place.x, place.y, Math.max(view.aim.zoom, Math.min(lastZoom, 15)));
  }
  refresh();
  if (!place || moves) return;
  // The list may not have reached the one that was clicked on the map.
  byId("list").querySelector("[aria-expanded='true']")?.parentElement.scrollIntoView({ block: "nearest" });
}

// Legend, search, language

function buildLegend() {
  const legend = byId("legend");
  legend.setAttribute("role", "group");
  legend.dataset.label = "kinds";
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
  hours.onchange = () => { state.hours = hours.value; refilter(); };
}

// How many of each kind pass the other filters. A kind that comes gets its label, and one that is gone keeps its color.
function showKinds(counts) {
  for (const kind of places.kinds) {
    kind.label ??= byId("legend").insertBefore(kindLabel(kind), byId("hours"));
    const [box, , name, count] = kind.label.children;
    box.checked = kind.isShown;
    name.textContent = kind.name || word("noKind");
    count.textContent = number(counts.get(kind) ?? 0);
    // One kind without a name is nothing to choose from.
    kind.label.hidden = !kind.count || places.kinds.length === 1 && !kind.name;
  }
}

function kindLabel(kind) {
  const label = element("label"), box = label.appendChild(element("input"));
  label.style.setProperty("--kind", kind.color);
  box.type = "checkbox";
  box.value = kind.name;
  box.onchange = () => { kind.isShown = box.checked; refilter(); };
  label.append(element("span", "dot"), element("span", "name", ""), element("small"));
  return label;
}

function listen() {
  byId("search").onsubmit = event => { event.preventDefault(); showAll(true); };
  byId("query").oninput = event => { state.query = event.target.value; refilter(); };
  byId("query").onkeydown = event => {
    const first = byId("list").querySelector(".entry");
    if (event.key === "ArrowDown" && first) { event.preventDefault(); first.focus(); }
  };
  byId("more").onclick = () => {
    const first = byId("list").children.length;
    state.listed += 200;
    buildList();
    // The focus goes on to what has come, for the button is gone.
    if (byId("more").hidden) byId("list").children[first]?.firstElementChild.focus();
  };
  byId("panel").onkeydown = event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], item = event.target.closest(".entry")?.parentElement;
    if (!step || !item) return;
    event.preventDefault();
    const next = step > 0 ? item.nextElementSibling : item.previousElementSibling;
    if (next) next.firstElementChild.focus(); else if (step < 0) byId("query").focus();
  };
  byId("language").onchange = event => { state.language = event.target.value; chooseLanguage(state.language); translate(); refresh(); view.repaint(); };
  byId("theme").onclick = () => {
    const isDark = state.theme ? state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    chooseTheme(isDark ? "light" : "dark");
    writeAddress();
  };
  byId("near-me").onclick = () => {
    const failed = () => { byId("summary").textContent = word("noPosition"); };
    if (!navigator.geolocation) return failed();
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      setOrigin({ lat: coords.latitude, lon: coords.longitude }, true);
      view.go(worldX(coords.longitude), worldY(coords.latitude), Math.max(view.at.zoom, 14));
    }, failed);
  };
  byId("from").onclick = () => { setOrigin(null, false); byId("panel").focus({ preventScroll: true }); };
  addEventListener("hashchange", () => { readAddress(); applyAddress(); });
  addEventListener("beforeprint", () => {
    const { style, clientWidth, clientHeight } = byId("map");
    style.setProperty("--width", `${clientWidth}px`);
    style.setProperty("--height", `${clientHeight}px`);
    style.setProperty("--fit", Math.min(1, paperWidth / clientWidth));
    document.documentElement.dataset.theme = "light";
    view.repaint();
    view.paintFrame();
  });
  addEventListener("afterprint", () => chooseTheme(state.theme));
}

function chooseTheme(theme) {
  state.theme = theme;
  if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme;
  view.repaint();
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
  if (tiled && !places?.file) byId("query").dataset.placeholder = byId("query").dataset.label = "searchSeen";
  for (const one of document.querySelectorAll("[data-placeholder]")) one.placeholder = word(one.dataset.placeholder);
}

// Where the map stands

function showAll(onlyMatching) {
  const matching = places.matching(state), isWhole = !tiled || matching.file && !matching.rest;
  const isMatching = onlyMatching && isWhole && matching.list.some(place => place.lat !== undefined), list = isMatching ? matching.list : tiled ? places.inside : places.all;
  const boxes = list.filter(place => place.lat !== undefined).map(place => place.shape ? place.shape.box.slice() : [place.x, place.y, place.x, place.y]);
  if (tiled?.root.length && !isMatching) boxes.push(tiled.box.slice());
  if (!boxes.length) return view.go(0.5, 0.5, 1);
  // The widest empty stretch of longitude stays outside, so that places on both sides of 180° are together.
  for (const box of boxes) { const turns = Math.floor(box[0]); box[0] -= turns; box[2] -= turns; }
  boxes.sort((a, b) => a[0] - b[0]);
  // What comes over the edge of the world from the west.
  let reach = boxes.reduce((reach, box) => Math.max(reach, box[2]), -Infinity) - 1, west = boxes[0][0], widest = -1;
  for (const box of boxes) {
    if (box[0] - reach > widest) { widest = box[0] - reach; west = box[0]; }
    reach = Math.max(reach, box[2]);
  }
  let north = 1, south = 0;
  for (const box of boxes) { north = Math.min(north, box[1]); south = Math.max(south, box[3]); }
  fitBox([west, north, west + 1 - Math.max(0, widest), south]);
}

function fitBox([west, north, east, south]) {
  const { clientWidth, clientHeight } = byId("map"), buttons = 40;
  const fits = Math.log2(Math.min((clientWidth - 80 - buttons) / (256 * Math.max(east - west, 1e-9)), (clientHeight - 80) / (256 * Math.max(south - north, 1e-9))));
  const zoom = clamp(Math.floor(fits * 4) / 4, 0, 16), x = (west + east) / 2 - buttons / 2 / (256 * 2 ** zoom);
  view.go(x - Math.floor(x), (north + south) / 2, zoom);
}

// What is seen is kept in the address, so that it can be sent to somebody: zoom/latitude/longitude, and then what was
// chosen, as ?q=…&kinds=…&open=…&from=…&id=…&lang=…&theme=….

// Browsers take a hundred changes in half a minute.
function writeAddress() {
  state.writing ??= setTimeout(() => { state.writing = null; writeAddressNow(); }, 350);
}

function writeAddressNow() {
  // What somebody has just put there is read first.
  if (location.hash !== state.address) return;
  const { x, y, zoom } = view.at, lon = (x - Math.floor(x)) * 360 - 180, chosen = new URLSearchParams();
  if (state.query.trim()) chosen.set("q", state.query);
  if (places.kinds.some(kind => !kind.isShown)) for (const kind of places.kinds) if (kind.isShown) chosen.append("kind", kind.name);
  if (places.kinds.every(kind => !kind.isShown)) chosen.set("kinds", "none");
  if (state.hours) chosen.set("hours", state.hours);
  if (state.origin) chosen.set("from", `${state.origin.lat.toFixed(6)},${state.origin.lon.toFixed(6)}`);
  const id = state.selected?.id ?? state.awaited;
  if (id !== undefined) chosen.set("id", id);
  if (state.language) chosen.set("lang", state.language);
  if (state.theme) chosen.set("theme", state.theme);
  const at = state.window ? `${+zoom.toFixed(2)}/${latitudeAt(y).toFixed(5)}/${lon.toFixed(5)}` : "";
  const rest = chosen.size ? `?${chosen}` : "", hash = `#${at}${rest}`;
  if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
  state.address = location.hash;
}

// What an address says; anything in it that is not understood is left out.
function readAddress() {
  state.address = location.hash;
  const [place, rest] = location.hash.slice(1).split(/\?(.*)/s), chosen = new URLSearchParams(rest ?? "");
  const [zoom, lat, lon] = place.split("/").map(Number);
  state.window = place && [zoom, lat, lon].every(Number.isFinite) ? { zoom, lat, lon } : null;
  state.wanted = rest === undefined ? null : chosen;
  if (!state.wanted) return;
  state.query = chosen.get("q") ?? "";
  state.hours = ["open", "notClosed"].find(name => name === chosen.get("hours")) ?? "";
  const from = (chosen.get("from") ?? "").split(",").map(Number);
  state.origin = from.length === 2 && Math.abs(from[0]) <= 90 && Math.abs(from[1]) <= 180 ? { lat: from[0], lon: from[1] } : null;
  const wanted = chosen.get("lang");
  if (words[wanted]) state.language = wanted;
  state.theme = ["dark", "light"].find(name => name === chosen.get("theme"));
}

function applyAddress() {
  const chosen = state.wanted;
  if (chosen) {
    const kinds = chosen.getAll("kind"), isNone = chosen.get("kinds") === "none";
    for (const kind of places.kinds) kind.isShown = !isNone && (!kinds.length || kinds.includes(kind.name));
    byId("query").value = state.query;
    if (byId("hours")) byId("hours").value = state.hours; else state.hours = "";
    const id = chosen.get("id");
    state.selected = id === null ? null : places.all.find(place => place.id === id) ?? null;
    // It comes with its tile.
    state.awaited = tiled && id !== null && !state.selected ? id : undefined;
    if (state.language) { chooseLanguage(state.language); translate(); }
    chooseTheme(state.theme);
  }
  const { window } = state;
  if (window) view.go(worldX(window.lon), worldY(window.lat), window.zoom, false); else findView();
  refresh();
}

// Where the address names no view, everything is shown, once there is anything.
function findView() {
  if (state.window || !tiled && !places.all.some(place => place.lat !== undefined)) return;
  showAll(false);
  state.window = {};
}

function element(name, classes = "", content) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (name === "button") made.type = "button";
  if (content !== undefined) [made.textContent, made.dir] = [content, "auto"];
  return made;
}

// A tip for those who point, a name for those who listen.
function label(element, words) {
  element.title = words;
  element.setAttribute("aria-label", words);
}

const abbreviated = count => new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(count).toLowerCase();

start().catch(error => {
  byId("summary").textContent = word(location.protocol === "file:" ? "noFiles" : "noData");
  throw error;
});
