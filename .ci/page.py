#!/usr/bin/python3
"""Opens the page of `nearby export --html` in headless Chromium and uses it as a person would.

    /usr/bin/python3 .ci/page.py .build/release/nearby [folder for screenshots]

Debian's python3-selenium and chromium-driver drive the browser; PyPI's axe-core-python, where it is installed, judges
how the page serves those who listen or use keys.
"""

import http.server
import json
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import threading

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

nearby = pathlib.Path(sys.argv[1]).resolve()
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
folder = pathlib.Path(tempfile.mkdtemp(prefix="nearby-page-"))

# Markup, quotes and a closing script element in the data; two places at one position; one across
# 180 degrees; one without a position.
evil = '<script>document.title="stolen"</script><img src=x onerror="document.title=1">'
features = [
    ("1", evil, "mart", [126.97, 37.57], {"note": '"><b>bold</b>', "web": "https://example.org/?a=1&b=<2>"}),
    ("2", "ＡＢＣ카페", "cafe", [126.9701, 37.5701], {}),
    ("3", "カフェ", "cafe", [126.9702, 37.5702], {"url": "javascript:alert(1)"}),
    ("4", "Twin one", "cafe", [127.5, 37.0], {}),
    ("5", "Twin two", "mart", [127.5, 37.0], {}),
    ("6", "Fiji", "mart", [179.99, -17.0], {}),
    ("7", "Nowhere", "mart", None, {}),
]
source = folder / "places.geojson"
source.write_text(json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "id": id, "properties": {"name": name, "kind": kind, **more},
     "geometry": at and {"type": "Point", "coordinates": at}}
    for id, name, kind, at, more in features]}, ensure_ascii=False))


def export(name, *options):
    page = folder / name
    subprocess.run([nearby, "export", "--html", "-o", page, *options], check=True, cwd=folder)
    return page


def check(claim, holds):
    if not holds:
        sys.exit(f"page: {claim}: no")
    print(f"page: {claim}")


options = webdriver.ChromeOptions()
for option in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800", "--lang=en"]:
    options.add_argument(option)
options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
browser.set_script_timeout(120)


def all_of(selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def wait(condition):
    WebDriverWait(browser, 20).until(lambda _: condition())


def texts(selector):
    """What stands in each of them, at one moment: an element that is asked a moment later may have been drawn again."""
    return browser.execute_script("return [...document.querySelectorAll(arguments[0])].map(one => one.textContent.trim())", selector)


def attributes(selector, name):
    return browser.execute_script("return [...document.querySelectorAll(arguments[0])].map(one => one.getAttribute(arguments[1]))", selector, name)


def press(selector, place=0):
    """Clicks on one of them, found again where the page has drawn it again meanwhile."""
    for _ in range(5):
        try:
            return all_of(selector)[place].click()
        except StaleElementReferenceException:
            pass
    all_of(selector)[place].click()


def links_of(selector):
    return dict(browser.execute_script("return [...document.querySelectorAll(arguments[0])].map(one => [one.textContent.trim(), one.getAttribute('href')])", selector))


def open_page(address):
    browser.get(address)
    wait(lambda: browser.execute_script("return document.documentElement.dataset.ready") == "yes")


def on_map():
    """How many places stand on the map, each pin one and each cluster as many as it says."""
    return browser.execute_script("""return document.querySelectorAll('#map .pin').length
        + [...document.querySelectorAll('#map .cluster')].reduce((sum, one) => sum + Number(one.dataset.count), 0)""")


def go(zoom, latitude, longitude):
    """Sends the map somewhere by the page's address, and waits until it has arrived."""
    browser.execute_script(f"location.hash = '#{zoom}/{latitude}/{longitude}'")
    wait(lambda: arrived(zoom, latitude, longitude))


def arrived(zoom, latitude, longitude):
    there = browser.execute_script("return location.hash").lstrip("#").split("?")[0].split("/")
    # The page writes five decimals once it has drawn.
    return (len(there[1].split(".")[-1]) == 5 and float(there[0]) == zoom
            and abs(float(there[1]) - latitude) < 0.01 and abs(float(there[2]) - longitude) < 0.01)


def console_is_clean():
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] != "DEBUG"]


def requests():
    found = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return [url for url in found if not url.startswith(("file:", "data:", "chrome:"))]


# The color at a position, by the map's own picture.
PIXEL = """const canvas = document.querySelector('.plain canvas'), box = canvas.getBoundingClientRect(), at = view.bounds();
    const ratio = canvas.width / box.width, x = (worldX(arguments[1]) - at.west) * at.pixels, y = (worldY(arguments[0]) - at.north) * at.pixels;
    const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, -Math.round(x * ratio), -Math.round(y * ratio));
    return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3)"""


def pixel_at(latitude, longitude):
    browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 300))")
    return browser.execute_script(PIXEL, latitude, longitude)


def ground(name):
    """A color of the page's style sheet."""
    text = browser.execute_script(f"return getComputedStyle(document.documentElement).getPropertyValue('{name}').trim()")
    return [int(text[at:at + 2], 16) for at in (1, 3, 5)]


# Read at once, for the list is made again at any time.
def entries():
    return browser.execute_script("return [...document.querySelectorAll('#list .entry .name')].map(name => name.textContent)")


def opened():
    """The name of the entry whose card is open."""
    return browser.execute_script("return document.querySelector('.entry[aria-expanded=true] .name')?.textContent ?? null")


def click_at(latitude, longitude):
    """Clicks on the map where no element is, as a finger would."""
    place = browser.execute_script("""const at = view.bounds(), box = document.querySelector('.plain').getBoundingClientRect();
        return [box.left + (worldX(arguments[1]) - at.west) * at.pixels, box.top + (worldY(arguments[0]) - at.north) * at.pixels]""",
        latitude, longitude)
    for kind in ("mousePressed", "mouseReleased"):
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1})


def use_shapes():
    """Lines and areas are drawn, clicked and measured to."""
    shapes = [("park", {"type": "Polygon", "coordinates": [[[126.9, 37.5], [127.0, 37.5], [127.0, 37.6], [126.9, 37.6], [126.9, 37.5]],
                                                           [[126.94, 37.54], [126.94, 37.56], [126.96, 37.56], [126.96, 37.54], [126.94, 37.54]]]}),
              ("walk", {"type": "LineString", "coordinates": [[127.1, 37.5], [127.2, 37.6]]}),
              ("gates", {"type": "MultiPoint", "coordinates": [[127.15, 37.45], [127.19, 37.45]]})]
    (folder / "shapes.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": id, "properties": {"name": id}, "geometry": shape} for id, shape in shapes]}))
    open_page(export("shapes.html", "shapes.geojson", "--lang", "en").as_uri())
    check("lines, areas and sets of points are on the map", browser.execute_script("return +document.documentElement.dataset.onMap") == 3 and not all_of(".pin"))
    gates, beside = [pixel_at(37.45, 127.15), pixel_at(37.45, 127.19)], pixel_at(37.45, 127.17)
    check(f"each of a set of points is a dot {gates}, beside it {beside}", gates[0] == gates[1] != beside)
    for theme in ("dark", "light"):
        browser.execute_script("chooseTheme(arguments[0])", theme)
        check(f"what is drawn stands out, {theme}", contrast(pixel_at(37.45, 127.15), ground("--land")) >= 3)
    click_at(37.52, 126.92)
    wait(lambda: opened() == "park")
    check("a click on an area opens it", True)
    click_at(37.55, 127.15)
    wait(lambda: opened() == "walk")
    check("a click on a line opens it", True)
    click_at(37.55, 126.95)
    wait(lambda: opened() is None)
    check("a click in a hole, where nothing is, closes the card", not all_of(".distance"))
    click_at(37.55, 126.95)
    wait(lambda: all_of(".distance"))
    far = browser.execute_script("""return Object.fromEntries([...document.querySelectorAll('#list .entry')].map(
        entry => [entry.querySelector('.name').textContent, entry.querySelector('.distance').textContent]))""")
    # A hundredth of a degree of longitude there is 883 m.
    park = float(far["park"].split()[0])
    check(f"the next click counts distances from there, to the edge {far}", 870 < park < 890 and entries() == ["park", "walk", "gates"])
    wait(lambda: "from=37.5" in browser.current_url)
    check("the address says where from", True)


def use_shapes_across():
    """Lines and areas across 180 degrees are drawn the shorter way, and on both sides of it."""
    square = lambda west, east, south, side=10: [[west, south], [east, south], [east, south + side], [west, south + side], [west, south]]
    shapes = [("across", {"type": "Polygon", "coordinates": [square(170, -170, 10), square(-178, -174, 12, 4)]}),
              ("beyond", {"type": "Polygon", "coordinates": [square(170, 190, -5)]}),
              ("west", {"type": "Polygon", "coordinates": [square(-190, -170, -20)]}),
              ("zigzag", {"type": "LineString", "coordinates": [[179.5, 30], [-179.5, 31], [179.5, 32]]})]
    (folder / "across.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": id, "properties": {"name": id}, "geometry": shape} for id, shape in shapes]}))
    page = export("across.html", "across.geojson", "--lang", "en").as_uri()
    open_page(page)
    # At first the map shows no more than there is.
    check(f"shapes across 180 degrees fill the map {browser.current_url}", int(float(browser.execute_script("return view.at.zoom"))) >= 3)
    # The page's address begins at -180.
    for at, there in [(-180, -185), (-180, -171), (-172, -171.5), (172, 171.5)]:
        for south in (10, -5, -20):
            go(6, south + 9, at)
            area, sea = pixel_at(south + 9, there), ground("--ground")
            check(f"an area across 180 degrees is seen at {there} from {at} {area}", area != sea)
    go(4, 14, 5)
    check("none is seen on the other side of the Earth", pixel_at(14, 5) == ground("--land") and browser.execute_script("return +document.documentElement.dataset.onMap") == 0)
    go(5, 15, -180)
    click_at(19, -171)
    wait(lambda: opened() == "across")
    check("a click beyond 180 degrees opens it", True)
    # Parts on both sides are shown side by side, wherever the first lies.
    gates = [[179.9, 0], [-179.9, 0], [180, 0.1]]
    halves = [[[179.5, 0], [180, 0.1]], [[-180, 0.1], [-179.5, 0]]]
    fiji = [[square(178, 180, -18, 2)], [square(-180, -179, -18, 2)]]
    for shape in [{"type": "MultiPoint", "coordinates": gates}, {"type": "MultiPoint", "coordinates": gates[1:] + gates[:1]},
                  {"type": "MultiLineString", "coordinates": halves}, {"type": "MultiLineString", "coordinates": halves[::-1]},
                  {"type": "MultiPolygon", "coordinates": fiji}]:
        (folder / "parts.geojson").write_text(json.dumps({"type": "Feature", "properties": {"name": "parts"}, "geometry": shape}))
        open_page(export("parts.html", "parts.geojson", "--lang", "en").as_uri())
        zoom = browser.execute_script("return view.at.zoom")
        check(f"parts on both sides of 180 degrees fill the map {shape['type']} {zoom}", zoom >= 5)


def contrast(one, other):
    """The contrast of two colors, by WCAG 2."""
    def light(color):
        return sum(share * (part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4) for share, part in zip((0.2126, 0.7152, 0.0722), color))
    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


def follow_changes():
    """A page of a server follows its changes through breaks and errors; this server says what a test tells it."""
    asked, pages, streams, status = [], {}, [], [200]

    class Changes(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            page = pages.get(self.path)
            self.send_response(200 if page else status[0])
            self.send_header("Content-Type", "text/html" if page else "text/event-stream")
            self.end_headers()
            if page:
                return self.wfile.write(page)
            asked.append(self.path)
            stream = queue.SimpleQueue()
            if status[0] == 200:
                streams.append(stream)
                while event := stream.get():
                    self.wfile.write(event)

        def log_message(self, *arguments):
            pass

    def feature(id, name, kind, at):
        return {"type": "Feature", "id": id, "properties": {"name": name, "kind": kind}, "geometry": {"type": "Point", "coordinates": at}}

    def send(number, name, **data):
        streams[-1].put((f"id: {number}\n" if number else "").encode() + f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
        if number:
            wait(lambda: browser.execute_script("return document.documentElement.dataset.change") == str(number))

    (folder / "none.csv").write_text("id,name,lat,lon\n")
    for name, source in [("live", "places.geojson"), ("none", "none.csv")]:
        pages[f"/{name}"] = export(f"live-{name}.html", source, "--lang", "en").read_text().replace(
            'id="settings">{', 'id="settings">{"live":"/changes?since=1&named",', 1).replace("connect-src 'none'", "connect-src 'self'").encode()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Changes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    summary = lambda: texts("#summary")[0]
    focused = lambda: browser.execute_script("return document.activeElement.value || document.activeElement.textContent")

    open_page(address + "/none")
    wait(lambda: len(streams) == 1)
    send(2, "diff", upsert=[feature("a", "first", "mart", [127, 37.5]), feature("b", "next", "mart", [127.1, 37.6])])
    wait(lambda: on_map() == 2 and browser.execute_script("return view.at.zoom") > 9)
    check("live: the first places that come are shown", entries() == ["first", "next"])

    open_page(address + "/live")
    wait(lambda: len(streams) == 2)
    press("#legend input[value=mart]")
    browser.execute_script("document.querySelector('#legend input[value=mart]').focus()")
    send(3, "diff", upsert=[feature("2", "one of two", "cafe", [127, 37.5]), feature("2", "two of two", "cafe", [127, 37.6]), feature("8", "new", "park", [127, 37.7])])
    check(f"live: two places of one id are two {entries()}", {"one of two", "two of two", "new"} < set(entries()))
    check("live: a kind that is switched off stays so when another one comes, with who is there by keys", focused() == "mart" and browser.execute_script(
        "return [...document.querySelectorAll('#legend input')].map(box => [box.value, box.checked])") == [["mart", False], ["cafe", True], ["park", True]])
    press("#legend input[value=mart]")
    send(4, "diff", upsert=[feature("2", "two of two", "cafe", [127, 37.6])], remove=["8"])
    check(f"live: one of them goes {entries()}", "one of two" not in entries() and "two of two" in entries())
    check("live: so does the label of a kind that nothing is of", [one.is_displayed() for one in all_of("#legend label")] == [True, True, False])
    send(5, "diff", remove=["2"])
    check(f"live: and the other {entries()}", "two of two" not in entries())

    # Who is in a card, by keys or with a field open.
    press("#list .entry", entries().index(evil))
    wait(lambda: all_of(".card"))
    browser.execute_script("window.keptCard = document.querySelector('.card'); keptCard.querySelector('details').open = true; keptCard.querySelector('a').focus()")
    link = focused()
    send(6, "diff", upsert=[feature("9", "far", "mart", [10, 10])])
    check("live: a card is not drawn again for what happens elsewhere", focused() == link and browser.execute_script("return keptCard === document.querySelector('.card')"))
    send(7, "diff", upsert=[{**feature("1", "renamed", "mart", [126.97, 37.57]), "properties": {"name": "renamed", "kind": "mart", "web": "https://example.org/?a=1&b=<2>"}}])
    check("live: one that changes keeps what is open and who is there", focused() == link and browser.execute_script("return document.querySelector('.card details').open") and opened() == "renamed")
    browser.execute_script("document.querySelector('.card > button').focus()")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait(lambda: all_of(".distance"))
    check("who measures distances by keys stays there", focused() == "Measure distances from here")
    browser.execute_script("document.getElementById('from').focus()")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    check("and at the list without them", browser.execute_script("return document.activeElement.id") == "panel" and not all_of(".distance"))

    before = len(asked)
    browser.switch_to.new_window("tab")
    browser.close()
    browser.switch_to.window(browser.window_handles[0])
    wait(lambda: len(asked) == before + 1)
    check(f"live: a page that was hidden asks for what it missed {asked[-1]}", "since=7" in asked[-1])
    send(8, "snapshot", upsert=[feature("2", "one", "cafe", [127, 37.5]), feature("2", "again", "cafe", [127, 37.6])])
    check("live: a whole state is all there is", browser.execute_script("return places.all.map(place => place.name)") == ["one", "again"])
    status[0] = 404
    streams[-1].put(None)
    wait(lambda: "connection to the server is lost" in summary())
    status[0] = 200
    wait(lambda: "connection" not in summary())
    check("live: after an error it comes back", "since=8" in asked[-1])
    browser.execute_script("window.kept = true")
    send(None, "dropped", count=3)
    wait(lambda: browser.execute_script("return !window.kept && document.documentElement.dataset.ready"))
    check("live: what was dropped is read again", True)
    messages = [message for message in console_is_clean() if "/changes?" not in message]
    check(f"live: the console is clean {messages}", not messages)
    browser.get("about:blank")
    server.shutdown()


def find_and_keep():
    """The search looks at everything; what was chosen is in the address and comes back from it."""
    (folder / "far.csv").write_text("id,name,kind,lat,lon,phone,주소\n1,서점,book,37.5,127,02-123-4567,서울 종로\n2,本屋,book,35.68,139.76,,東京\n"
                                    "3,Books,book,51.5,-0.1,+44 20 7946 0000,London\n4,Café,food,48.85,2.35,call us,Paris\n5,Lost,food,,,,Nowhere\n")
    open_page(export("far.html", "far.csv", "--lang", "en").as_uri())
    go(12, 37.5, 127.0)
    check("the list is what the map shows", entries() == ["서점"])
    query = browser.find_element(By.ID, "query")
    query.send_keys("paris")
    wait(lambda: entries() == ["Café"])
    check("a search finds by any column, wherever the map is", True)
    press("#list .entry", 0)
    wait(lambda: abs(browser.execute_script("return latitudeAt(view.at.y)") - 48.85) < 0.01)
    check("a click on what was found goes there, and the list stays", entries() == ["Café"] and opened() == "Café")
    query.clear()
    query.send_keys("book")
    check("names that begin with it come first", entries()[0] == "Books" and len(entries()) == 3)
    counts = texts("#legend small")
    check(f"the legend counts what passes the search {counts}", counts == ["3", "0"])
    wait(lambda: "q=book" in browser.current_url)
    address = browser.current_url
    browser.get("about:blank")
    open_page(address)
    check("the address brings search and card back", browser.execute_script("return [state.query, state.selected && state.selected.name]") == ["book", "Café"])
    query = browser.find_element(By.ID, "query")
    query.clear()
    query.send_keys(" ")
    check("what has no position stands in a part of its own", texts("#unplaced-list .name") == ["Lost"]
          and "1" in texts("#unplaced-count")[0])
    go(5, 51.5, -0.1)
    press(".pin[data-id='3']", 0)
    links = links_of(".card a")
    check(f"a telephone number is called, and the place is in other maps {sorted(links)}",
          links["+44 20 7946 0000"] == "tel:+442079460000" and "51.500000,-0.100000" in links["Google"] and "OpenStreetMap" in links
          and "Kakao" not in links)
    go(12, 37.5, 127.0)
    press(".pin[data-id='1']", 0)
    links = links_of(".card a")
    check("in Korea Kakao and Naver, too", links["Kakao"].startswith("https://map.kakao.com/link/map/") and "Naver" in links
          and links["02-123-4567"] == "tel:021234567")
    browser.find_element(By.CSS_SELECTOR, ".zoom button:nth-of-type(3)").click()
    wait(lambda: on_map() == 4)
    check("one button shows everything", True)


def hostile():
    """Five hundred names, keys and addresses that are no text elsewhere are text here."""
    parts = ["<script>document.title='stolen'</script>", "<img src=x onerror=\"document.title='stolen'\">", "\"onmouseover=\"document.title='stolen'",
             "javascript:document.title='stolen'", "</script><svg onload=document.title='stolen'>", "{{title}}", "${document.title='stolen'}", "&lt;b&gt;",
             "\u202egnp.exe", "data:text/html,<script>1</script>", "'-document.title-'", "<!--", "]]>", "%3Cscript%3E", "\\u003cscript\\u003e"]
    values = [parts[at % len(parts)] + (parts[(at * 7) % len(parts)] if at % 3 else "") for at in range(500)]
    (folder / "hostile.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": f"{at}{value}", "properties": {"name": value, "kind": value[:9], value: value, "url": value, "phone": value, "address": value},
         "geometry": {"type": "Point", "coordinates": [127 + at % 25 / 100, 37 + at // 25 / 100]}} for at, value in enumerate(values)]}))
    open_page(export("hostile.html", "hostile.geojson", "--lang", "en").as_uri())
    before = browser.execute_script("return document.querySelectorAll('script, img, svg, iframe, style').length")
    # Each as it stands in the list with its card open, all of them in the page.
    shown = browser.execute_script("""const wrong = [], list = document.getElementById('list');
        for (const place of places.all) {
          state.selected = place;
          const item = list.appendChild(entry(place)), name = item.querySelector('.name').textContent;
          if (name !== place.name || !item.textContent.includes(place.properties.address)) wrong.push(place.name);
        }
        const links = [...document.querySelectorAll('.card a')].map(link => link.href);
        refresh();
        return [wrong, links.filter(link => !/^(https?|tel):/.test(link))];""")
    check(f"500 hostile values are shown as they are {shown}", shown == [[], []])
    out = browser.execute_script("""view.hovered = () => 'long '.repeat(500);
        const map = document.querySelector('.plain'), box = map.getBoundingClientRect(), tip = map.querySelector('.tip');
        return [[5, 5], [box.width - 5, 5], [5, box.height - 5], [box.width - 5, box.height - 5]].filter(([x, y]) => {
          map.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + x, clientY: box.top + y }));
          const at = tip.getBoundingClientRect();
          return at.width < 100 || at.left < box.left || at.right > box.right || at.top < box.top || at.bottom > box.bottom;
        })""")
    check(f"a long name's tip stays on the map {out}", not out)
    check("and none of them became an element or ran", browser.title == "hostile" and before == browser.execute_script(
        "return document.querySelectorAll('script, img, svg, iframe, style').length"))


def name_and_count():
    """Names and kinds are those that the program knows, however many kinds there are and whichever way they are written."""
    (folder / "kinds.csv").write_text("id,name,title,kind,category,lat,lon\n" + "".join(
        f"{number},wrong,שלום {number}!,x,kind {number % 30},{37 + number / 100},127\n" for number in range(90))
        + "none,NULL,-,NULL,\\N,36,127\n")
    options = ["kinds.csv", "--lang", "en", "--name-field", "title", "--kind-field", "category"]
    open_page(export("kinds.html", *options).as_uri())
    counts = dict(zip(texts("#legend .name"), texts("#legend small")))
    check(f"kinds are those of the chosen column {counts}", len(counts) == 31 and counts["kind 7"] == "3" and counts["other"] == "1")
    check("so are names, and each is written its own way", "שלום 1!" in entries() and "wrong" not in entries()
          and browser.execute_script("return getComputedStyle([...document.querySelectorAll('.entry .name')].find(one => one.textContent.includes('!'))).direction") == "rtl")
    check("thirty kinds leave room for the list", browser.execute_script("return document.querySelector('#list').getBoundingClientRect().top < innerHeight * 0.8"))
    # The same in tiles, beside 180 degrees on both sides.
    (folder / "fiji.csv").write_text("id,name,title,lat,lon\n1,wrong,Suva,-18.14,178.44\n2,wrong,Taveuni,-16.8,-179.97\n3,wrong,Lakeba,-18.2,-178.8\n")
    export("fiji.html", "fiji.csv", "--lang", "en", "--name-field", "title", "--data", "fiji.pmtiles")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *arguments: Ranges(*arguments, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    open_page(f"http://127.0.0.1:{server.server_port}/fiji.html")
    wait(lambda: on_map() == 3)
    zoom = browser.execute_script("return view.at.zoom")
    check(f"tiles on both sides of 180 degrees open there, at zoom {zoom}, with their names {entries()}", zoom >= 5 and sorted(entries()) == ["Lakeba", "Suva", "Taveuni"])
    server.shutdown()


def judged_by_axe():
    """axe-core finds no violation, in light and dark, with a card open."""
    try:
        import axe_core_python
    except ImportError:
        print("page: skipped: PyPI's axe-core-python is not installed; .ci/run installs it where it can")
        return
    script = next(pathlib.Path(axe_core_python.__file__).parent.rglob("axe.min.js")).read_text()
    for theme in ("light", "dark"):
        open_page((folder / "far.html").as_uri() + f"#5/51.5/-0.1?lang=en&id=3&theme={theme}")
        browser.execute_script(script)
        found = browser.execute_async_script("const done = arguments[0]; axe.run(document).then(found => done(found.violations.map(one => [one.id, one.nodes.map(node => node.html)])))")
        check(f"axe-core has no complaint, {theme} {found}", not found)


def keep(name):
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(pictures / name))


def use(page):
    open_page(page.as_uri())
    check(f"the map shows all placed annotations at first", on_map() == 6)
    check(f"the list shows the unplaced one too", len(all_of(".entry")) == 7)
    check("each entry says its kind", attributes(".entry .dot", "aria-label") == ["mart", "cafe", "cafe", "cafe", "mart", "mart", "mart"])
    check(f"markup in a name is text", browser.title == "places" and evil in browser.find_element(By.ID, "list").text)
    check(f"no image and no script came out of the data", not all_of("#list img, #list script, #map img.x"))

    # Clicking a cluster goes where it falls apart, and loses nobody.
    go(7, 37.4, 127.1)
    check(f"near places are clusters of 3 and of 2", sorted(attributes(".cluster", "data-count")) == ["2", "3"] and on_map() == 5)
    press(".cluster[data-count='3']")
    wait(lambda: "#7/" not in browser.current_url)
    check(f"a clicked cluster falls apart", on_map() == 3 and "3" not in attributes(".cluster", "data-count"))
    go(19, 37.0, 127.5)
    twins = browser.execute_script("return [...document.querySelectorAll('.pin')].map(one => [one.getBoundingClientRect().x, one.getBoundingClientRect().y])")
    check(f"two at one position are fanned out", len(twins) == 2 and twins[0] != twins[1])
    check("streets have a scale", texts(".scale")[0].endswith(" m"))
    # The whole world is land and sea, whichever part the annotations are in.
    for name, zoom, land, sea in [("London", 6, (51.6, -1.0), (50.0, -4.2)), ("Seoul", 7, (37.3, 127.6), (36.8, 125.2)),
                                  ("the Pacific", 4, (-41.5, 172.8), (-38, 167))]:
        go(zoom, *land)
        colors = [pixel_at(*place) for place in (land, sea)]
        check(f"around {name} land is not as the sea {colors}", colors[0] != colors[1] and colors == [ground("--land"), ground("--ground")])

    # What stays on the map keeps its element.
    go(19, 37.5701, 126.9701)
    browser.execute_script("for (const pin of document.querySelectorAll('.pin')) pin.dataset.kept = 'yes'")
    pins = len(all_of(".pin"))
    go(19, 37.57015, 126.97015)
    check(f"pins that stay are not drawn again", pins == 3 and len(all_of(".pin[data-kept]")) == 3)

    # Filters.
    go(5, 37.4, 127.1)
    query = browser.find_element(By.ID, "query")
    query.send_keys("abc")
    check(f"abc finds ＡＢＣ카페", entries() == ["ＡＢＣ카페"])
    query.clear()
    query.send_keys("ｶﾌｪ")
    check(f"ｶﾌｪ finds カフェ", entries() == ["カフェ"])
    query.send_keys("x")
    check("a search that finds nothing does not say to move the map", browser.find_element(By.ID, "summary").text.startswith("Nothing found."))
    query.clear()
    query.send_keys(" ")
    press("#legend input[value=mart]", 0)
    check(f"a kind switched off leaves the others", on_map() == 3 and len(all_of(".entry")) == 3)
    press("#legend input[value=mart]", 0)

    # Details: links that are links, and nothing that runs.
    go(19, 37.5701, 126.9701)
    press(".pin[data-id='1']", 0)
    check(f"a pin opens its details", '"><b>bold</b>' in texts(".card")[0])
    check(f"a web address is a link", set(attributes(".card a", "rel")) == {"noopener noreferrer"}
          and "https://example.org/?a=1&b=%3C2%3E" in browser.execute_script("return [...document.querySelectorAll('.card a')].map(one => one.href)"))
    press(".pin[data-id='3']", 0)
    check(f"a javascript address is none", not all_of("a[href^=javascript]") and "javascript:alert(1)" in texts(".card")[0])

    # By keys alone, and for those who listen.
    go(5, 37.4, 127.1)
    focused = "return document.activeElement.dataset.id"
    browser.execute_script("document.querySelector('.entry').focus()")
    browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    second = browser.execute_script(focused)
    check(f"arrows go through the list", second == attributes(".entry", "data-id")[1])
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait(lambda: all_of(".card"))
    check(f"who opens an entry by keys stays on it", browser.execute_script(focused) == second
          and browser.execute_script("return document.activeElement.ariaExpanded") == "true")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    # The map has gone there, perhaps slowly.
    wait(lambda: "#15/" in browser.current_url)
    browser.execute_script("document.querySelector('.plain').focus()")
    browser.switch_to.active_element.send_keys("=")
    wait(lambda: "#16/" in browser.current_url)
    check(f"the map is zoomed by a key", True)
    browser.execute_async_script("""const done = arguments[0], button = document.querySelector('.zoom button');
        button.click(); setTimeout(() => button.click(), 60); setTimeout(() => { button.click(); done(); }, 120);""")
    wait(lambda: "#19/" in browser.current_url)
    check("three quick clicks zoom three times", True)
    nameless = browser.execute_script("""return [...document.querySelectorAll('button, select, input, a[href]')].filter(
        one => !(one.getAttribute('aria-label') || one.textContent.trim() || one.closest('label'))).map(one => one.outerHTML)""")
    check(f"everything that can be used has a name {nameless}", not nameless)

    go(7, 37.4, 127.1)
    browser.execute_script("document.querySelector('.cluster[data-count=\"3\"]').focus()")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait(lambda: "#7/" not in browser.current_url)
    check("who opens a cluster by keys stays with what is in it", browser.execute_script(focused) in ("1", "2", "3"))

    # Languages and brightness.
    for code, words in [("ko", "내 주변"), ("ja", "現在地から"), ("en", "Near me")]:
        press(f"#language option[value={code}]", 0)
        check(f"{code} says {words}", browser.find_element(By.ID, "near-me").text == words
              and browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == code)
    color = "return getComputedStyle(document.body).backgroundColor"
    light = browser.execute_script(color)
    browser.find_element(By.ID, "theme").click()
    check(f"dark differs from light", browser.execute_script(color) != light)

    # Across 180 degrees.
    go(9, -17, -179.99)
    check(f"a place at 179.99 is seen from -179.99", len(all_of(".pin[data-id='6']")) == 1)

    # Near me.
    browser.execute_cdp_cmd("Emulation.setGeolocationOverride", {"latitude": 37.57, "longitude": 126.971, "accuracy": 10})
    browser.find_element(By.ID, "near-me").click()
    wait(lambda: all_of(".distance"))
    nearest = json.loads(subprocess.run(
        [nearby, "--lat", "37.57", "--lon", "126.971", "-k", "3", "--json", source], check=True, capture_output=True).stdout)
    check(f"near me lists as nearby does", texts(".distance")[:3] == [
        f"{round(one['distance'])} m" for one in nearest["results"]])


def use_paper(page):
    """What is printed: the map as it was seen, made smaller as a whole, in light colors, and how much is not listed."""
    open_page(page.as_uri() + "#?theme=dark")
    seen = """const box = document.getElementById('map').getBoundingClientRect(), pin = document.querySelector('.cluster').getBoundingClientRect();
        return [(pin.x + pin.width / 2 - box.x) / box.width, (pin.y + pin.height / 2 - box.y) / box.height, pin.width / box.width].map(part => +part.toFixed(3))"""
    ground = "return getComputedStyle(document.body).backgroundColor"
    screen, dark = browser.execute_script(seen), browser.execute_script(ground)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    paper, wide = browser.execute_script(seen), browser.execute_script("return document.getElementById('map').getBoundingClientRect().width")
    check(f"on paper marks stand where they stood {screen} {paper}, as wide as a page {wide}", screen == paper and 600 < wide < 700)
    check("paper is white, and says how much more there is", browser.execute_script(ground) == "rgb(255, 255, 255)"
          and [one.text for one in all_of("#more")] == ["1,472 more"])
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    check("then the screen is as before", (browser.execute_script(seen), browser.execute_script(ground)) == (screen, dark))


def forbids(page):
    """The page's policy runs and shows what is its own, and nothing that somebody puts into it."""
    policy = re.search('Content-Security-Policy" content="([^"]*)"', page.read_text()).group(1)
    check(f"the policy names scripts and styles by their hashes",
          "unsafe" not in policy and policy.count("'sha256-") == 2)
    # As if data had got out of its place: a script, a handler, an address and a style of its own.
    injected = page.with_name("injected.html")
    injected.write_text(page.read_text().replace("</body>", """<script>document.title = "stolen"</script>
        <img id="trap" src="data:," onerror="document.title = 'stolen'">
        <a id="lure" href="javascript:void(document.title = 'stolen')" onclick="document.title = 'stolen'">x</a>
        <style>#map { display: none }</style><p id="styled" style="position: fixed">x</p></body>"""))
    open_page(injected.as_uri())
    browser.execute_script("document.getElementById('lure').click()")
    browser.execute_async_script("""const done = arguments[0], handler = document.createElement('img'), script = document.createElement('script');
        handler.setAttribute('onerror', "document.title = 'stolen'"); handler.src = 'data:,';
        script.textContent = "document.title = 'stolen'";
        document.body.append(handler, script); setTimeout(done, 300);""")
    check(f"what is put into the page does not run", browser.title == "places" and on_map() == 6)
    check(f"nor does it change how the page looks", browser.execute_script(
        "return [getComputedStyle(document.getElementById('map')).display, getComputedStyle(document.getElementById('styled')).position]"
    ) == [browser.execute_script("return getComputedStyle(document.querySelector('section')).display"), "static"])
    refused = [message for message in console_is_clean() if "Content Security Policy" in message]
    check(f"the browser says what it refused ({len(refused)} times)", len(refused) >= 5)
    requests()


def tell_time(moment):
    """Sets the page's clock to an ISO moment, and lets it notice."""
    browser.execute_script("testNow = Date.parse(arguments[0]); document.dispatchEvent(new Event('visibilitychange'))", moment)


def told():
    """What the list says of each place's hours, by its id; read at once, for the list is drawn anew at any time."""
    return browser.execute_script("""return Object.fromEntries([...document.querySelectorAll('.entry')].map(
        entry => [entry.dataset.id, [...entry.querySelectorAll('[class*=state-]')].map(note => note.textContent).join('')]))""")


def choose(select, value):
    press(f"#{select} option[value='{value}']", 0)


def use_hours():
    """Opening hours in the page, at moments that the test chooses."""
    rows = [("day", "매일 가게", "09:00-18:00"), ("night", "야식집", "18:00-02:00"), ("always", "편의점", "24/7"),
            ("late", "자정까지", "10:00-24:00"), ("riddle", "알 수 없음", "when we feel like it"), ("none", "시간 없음", ""),
            ("sunday", "둘째·넷째 일요일 휴무", "Mo-Su 10:00-20:00; Su[2,4] off")]
    (folder / "hours.csv").write_text("id,name,lat,lon,opening_hours\n" + "".join(
        f'{id},{name},37.5{number},126.9{number},"{hours}"\n' for number, (id, name, hours) in enumerate(rows)))
    page = export("hours.html", "hours.csv", "--at", "2026-11-21T12:00+09:00", "--days", "5", "--lang", "en")
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Seoul"})
    clock = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        var testNow = Date.parse('2026-11-22T17:59:59+09:00');
        Date = class extends Date { constructor(...given) { given.length ? super(...given) : super(testNow); } static now() { return testNow; } };
    """})
    open_page(page.as_uri())
    # 22 November 2026 is the fourth Sunday of its month.
    expected = {"day": "open until 6:00 PM", "night": "closed, opens 6:00 PM", "always": "open", "late": "open until midnight",
                "riddle": "hours unknown", "none": "hours unknown", "sunday": "closed, opens tomorrow 10:00 AM"}
    check(f"at 17:59 the page says what is open and until when", told() == expected)
    label, classes = browser.execute_script("const pin = document.querySelector('.pin[data-id=night]'); return [pin.getAttribute('aria-label'), pin.className]")
    check(f"a pin says its state to those who listen", label == "야식집, closed, opens 6:00 PM")
    check(f"a closed pin looks closed", "state-closed" in classes)
    fills = browser.execute_script("return ['always', 'night'].map(id => getComputedStyle(document.querySelector(`[data-id=${id}] .dot`)).backgroundColor)")
    check(f"so does its dot in the list", fills[0] != fills[1] == "rgb(255, 255, 255)")
    browser.execute_script("document.querySelector('.entry').focus(); for (const pin of document.querySelectorAll('.pin')) pin.dataset.kept = 'yes'")
    tell_time("2026-11-22T18:00:00+09:00")
    expected |= {"day": "closed, opens tomorrow 9:00 AM", "night": "open until tomorrow 2:00 AM"}
    check(f"at 18:00 it says it anew", told() == expected)
    check(f"who is in the list by keys stays there", browser.execute_script("return document.activeElement.dataset.id") == "day")
    pins = len(all_of("#map .pin"))
    check("pins that open or close meanwhile are the same elements", pins > 0 and len(all_of("#map .pin[data-kept]")) == pins)
    choose("hours", "open")
    check("those that a filter leaves, too", len(all_of("#map .pin[data-kept]")) == len(all_of("#map .pin")) > 0)
    check(f"open now leaves what is open", sorted(told()) == ["always", "late", "night"] and on_map() == 3)
    tell_time("2026-11-23T02:00:00+09:00")
    check(f"what closes leaves at its minute", sorted(told()) == ["always"] and on_map() == 1)
    tell_time("2026-11-22T18:00:00+09:00")
    choose("hours", "notClosed")
    check(f"open or unknown keeps what does not say", sorted(told()) == ["always", "late", "night", "none", "riddle"])
    choose("hours", "")
    for code, states in [("ko", ["영업 종료, 내일 오전 9:00에 시작", "영업 중, 자정까지", "영업시간 미확인"]),
                         ("ja", ["営業時間外、明日 9:00から営業", "営業中、24:00まで", "営業時間不明"])]:
        choose("language", code)
        check(f"hours in {code}", [told()[id] for id in ("day", "late", "riddle")] == states)
    choose("language", "en")
    keep("hours.png")
    # By the shop's clock, also far away from it; the reader is told so.
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
    tell_time("2026-11-22T09:00:00Z")
    check(f"a reader elsewhere gets the shop's time", told()["day"] == "closed, opens tomorrow 9:00 AM local time")
    tell_time("2026-11-26T12:00:00+09:00")
    check(f"after its last day the page knows nothing", set(told().values()) == {"hours unknown"}
          and "export it again" in browser.find_element(By.ID, "summary").text)
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", clock)


class Ranges(http.server.SimpleHTTPRequestHandler):
    """A server that sends the parts that are asked for, and remembers how much it sent of what."""
    sent = []

    def do_GET(self):
        file, asked = folder / self.path.strip("/").split("?")[0], re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not file.is_file() or not asked:
            self.sent.append((file.name, 200, 0))
            return super().do_GET()
        part = file.read_bytes()[int(asked[1]):int(asked[2]) + 1]
        self.sent.append((file.name, 206, len(part)))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {asked[1]}-{int(asked[1]) + len(part) - 1}/{file.stat().st_size}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *arguments):
        pass


def use_tiles():
    """A page whose points are in tiles knows what another one does: hours, what has no position, and all by search."""
    names = ["서울식당", "부산식당", "カフェ", "Corner Shop"]
    (folder / "rich.csv").write_text("id,name,kind,lat,lon,opening_hours,주소,nearby:hours\n" + "".join(
        f"{number or 2 ** 63},{names[number % 4]} {number},{['food', 'shop'][number % 2]},{36 + number % 200 / 100},{126 + number // 200 / 50},"
        f"{['24/7', 'off', ''][number % 3]},서울 {number}번길,99\n" for number in range(20000))
        + "lost,잃어버린 식당,food,,,24/7,어딘가,\n")
    (folder / "areas.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": "park", "properties": {"name": "한강공원 식당", "kind": "park"}, "geometry": {
            "type": "Polygon", "coordinates": [[[128.5, 36.5], [128.6, 36.5], [128.6, 36.6], [128.5, 36.6], [128.5, 36.5]]]}}]}))
    export("rich.html", "rich.csv", "areas.geojson", "--data", "rich.pmtiles", "--lang", "en")
    handler = lambda *arguments: Ranges(*arguments, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/rich.html"
    summary = lambda: browser.find_element(By.ID, "summary").text
    counts = lambda: dict(zip(texts("#legend .name"), texts("#legend label small:last-child")))
    settled = lambda: wait(lambda: browser.execute_script("return !tiled.isLoading && !tiled.coming && !places.file.isLoading"))

    def search(words):
        field = browser.find_element(By.ID, "query")
        field.clear()
        field.send_keys(words)
        settled()

    open_page(address)
    settled()
    check(f"tiles: all are counted ({summary()})", "of 20,002" in summary())
    parts = [(status, size) for name, status, size in Ranges.sent if name == "rich.pmtiles"]
    sent, whole = sum(size for _, size in parts), (folder / "rich.pmtiles").stat().st_size
    check(f"tiles: a server of ranges sends {sent} bytes of {whole} in {len(parts)} parts", sent < whole and {status for status, _ in parts} == {206})
    check("tiles: what has no position is listed, with its hours", texts("#unplaced .name") == ["잃어버린 식당"] and texts("#unplaced .note.state-open") == ["open"])
    click_at(36.55, 128.55)
    wait(lambda: opened() == "한강공원 식당")
    check("tiles: an area is drawn and clicked", True)
    click_at(37.3, 128.5)
    wait(lambda: opened() is None)

    go(15, 36.5, 126.0)
    settled()
    state = lambda id: attributes(f".pin[data-id='{id}']", "class")
    check("tiles: a pin without hours does not say when it is open", "state-unknown" in state(50)[0])
    check("tiles: others say it", "state-open" in state(51)[0] and "state-closed" in state(49)[0])
    check("tiles: the legend tells the states", texts("#states li") == ["open", "closed", "hours unknown"])
    choose("hours", "open")
    wait(lambda: not state(49) and not state(50) and state(51))
    check("tiles: open now leaves what is open", [told()[id] for id in told()] == ["open"] * len(told()))
    choose("hours", "")
    press(".pin[data-id='51']")
    wait(lambda: opened() == f"{names[3]} 51")
    columns = lambda: dict(zip(texts(".card details dt"), texts(".card details dd")))
    check(f"tiles: a card has the columns, and no number of hours {columns()}", columns() == {"id": "51", "opening_hours": "24/7", "주소": "서울 51번길"})
    check("tiles: nothing to search is fetched before somebody searches", "rich.search" not in [name for name, *_ in Ranges.sent])

    search("식당 1777")
    expected = ["부산식당 1777", "서울식당 17772", "부산식당 17773", "서울식당 17776", "부산식당 17777"]
    check(f"tiles: a search finds what is far away, by name {entries()}", entries() == expected and "5 of 20,002" == summary())
    check(f"tiles: the legend counts what is found {counts()}", counts() == {"food": "2", "shop": "3", "park": "0"})
    search("식당")
    check(f"tiles: names that begin with it come first, an area and what has no position are found, too ({summary()})",
          entries()[0] == "한강공원 식당" and summary() == "10,002 of 20,002" and texts("#unplaced .name") == ["잃어버린 식당"])
    check("tiles: a hundred are listed, then more", len(entries()) == 100)
    press("#more")
    check("tiles: and more of them", len(entries()) == 300)
    search("ｶﾌｪ")
    check(f"tiles: half width and full width are one ({summary()})", summary() == "5,000 of 20,002")
    press("#legend input[value='shop']")
    check("tiles: kinds that are switched off are not found", summary() == "5,000 of 20,002")
    search("corner shop")
    check("tiles: but counted", summary().startswith("Nothing") and counts()["shop"] == "5,000")
    press("#legend input[value='shop']")
    choose("hours", "open")
    check(f"tiles: what is open is found ({summary()})", summary() == "1,667 of 20,002" and set(told().values()) == {"open"})
    choose("hours", "")
    search("서울 19999번길")
    check(f"tiles: a column is searched {entries()}", entries() == ["Corner Shop 19999"])
    press(".entry")
    wait(lambda: opened() == "Corner Shop 19999" and len(attributes(".pin.selected", "data-id")) == 1)
    settled()
    wait(lambda: columns() == {"id": "19999", "opening_hours": "off" if 19999 % 3 == 1 else "24/7", "주소": "서울 19999번길"})
    check("tiles: the map goes to what is chosen", abs(browser.execute_script("return latitudeAt(view.at.y)") - 37.99) < 0.01)
    search("서울 9223372036854775808번길")
    search("서울식당 0")
    press(".entry")
    wait(lambda: browser.execute_script("return state.selected instanceof TilePlace && state.selected.id") == "9223372036854775808")
    check("tiles: a long number is an id, too, to the last digit", "id=9223372036854775808" in browser.execute_script("writeAddressNow(); return location.hash"))
    address += browser.execute_script("return location.hash.replace(/q=[^&]*&/, '')")
    keep("tiled.png")
    browser.get("about:blank")
    open_page(address)
    wait(lambda: opened() == "서울식당 0")
    check("tiles: an address brings its card", True)

    (folder / "rich.search").rename(folder / "rich.away")
    search("식당")
    check(f"tiles: a search that cannot be read is said ({summary()})", "could not be read" in summary() and entries())
    long = [2 ** 53 + 1, -2 ** 53 - 1, 2 ** 63, 2 ** 53 - 1, 1.5]
    (folder / "long.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 2 ** 53 + 1, "properties": {"name": "long", **{f"n{at}": value for at, value in enumerate(long)}},
         "geometry": {"type": "Point", "coordinates": [127, 37]}}]}))
    for name, data in [("long.html", []), ("beside.html", ["--data", "beside.geojson"]), ("tiled.html", ["--data", "tiled.pmtiles"])]:
        export(name, "long.geojson", "--lang", "en", *data)
        open_page(f"http://127.0.0.1:{server.server_port}/{name}")
        wait(lambda: browser.execute_script("return places.all.length") == 1)
        press(".pin")
        wait(lambda: opened() == "long")
        said = [columns()[f"n{at}"] for at in range(len(long))]
        check(f"{name}: long numbers keep their digits {said}", said == [str(value) for value in long]
              and browser.execute_script("return places.all[0].id") == str(2 ** 53 + 1))
    messages = [message for message in console_is_clean() if "rich.search" not in message]
    check(f"tiles: the console is clean {messages}", not messages)
    server.shutdown()


try:
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["geolocation"]})
    page = export("page.html", "places.geojson")
    use(page)
    use_hours()
    messages = console_is_clean()
    check(f"the console is clean {messages}", not messages)
    loaded = requests()
    check(f"nothing was loaded from a network {loaded}", not loaded)
    forbids(page)
    use_shapes()
    use_shapes_across()
    follow_changes()
    find_and_keep()
    hostile()
    judged_by_axe()

    # The sample, as it looks, on a desk and on a phone, light and dark.
    page = export("sample.html", "--sample", "--lang", "en")
    use_paper(page)
    open_page(page.as_uri())
    check("the sample: everything is on the map", on_map() == 1572)
    keep("desk.png")
    browser.find_element(By.ID, "theme").click()
    go(13, 37.56, 126.98)
    keep("desk-dark.png")
    browser.set_window_size(360, 740)
    wait(lambda: browser.execute_script("return innerWidth") <= 500)
    check("the sample: a phone is not wider than its screen", browser.execute_script(
        "return document.documentElement.scrollWidth <= innerWidth"))
    keep("phone.png")
    covered = browser.execute_script("""const buttons = document.querySelector('.zoom').getBoundingClientRect();
        return [...document.querySelectorAll('.mark')].filter(mark => { const box = mark.getBoundingClientRect(); return box.left < buttons.right && box.right > 0 && box.top < buttons.bottom && box.bottom > 0; }).length""")
    browser.set_window_size(360, 400)
    check("the sample: a low window scrolls from the map to the list", covered == 0 and browser.execute_script(
        "return [document.getElementById('map').clientHeight >= 170, document.documentElement.scrollHeight > 2 * innerHeight, getComputedStyle(document.getElementById('panel')).overflowY]")
        == [True, True, "visible"])
    browser.set_window_size(1280, 800)

    # Nothing, and much.
    (folder / "empty.csv").write_text("id,name,lat,lon\n")
    open_page(export("empty.html", "empty.csv", "--lang", "en").as_uri())
    check("a page of nothing says so", browser.find_element(By.ID, "summary").text == "This page is empty.")
    (folder / "lost.csv").write_text("id,name,lat,lon\n" + "".join(f"{number},shop {number},,\n" for number in range(600)))
    open_page(export("lost.html", "lost.csv", "--lang", "en").as_uri())
    check("of many without a position it says how many are listed", texts("#unplaced-count") == ["Without a position: 500 of 600"])
    browser.get(export("from-disk.html", "lost.csv", "--data", "from-disk.geojson", "--lang", "en").as_uri())
    wait(lambda: "web server" in browser.find_element(By.ID, "summary").text)
    check("a page that cannot read from a disk says so, and has its words", texts("#near-me") == ["Near me"])
    console_is_clean()
    (folder / "stack.csv").write_text("id,name,lat,lon\n" + "".join(f"{number},shop {number},37.5,127\n" for number in range(40)))
    open_page(export("stack.html", "stack.csv", "--lang", "en").as_uri() + "#19/37.5/127")
    press(".cluster")
    check("a cluster at one position leads to the list", browser.execute_script("return document.activeElement.dataset.id") == "0" and "#19/" in browser.current_url)
    (folder / "many.csv").write_text("id,name,lat,lon\n" + "".join(
        f"{number},shop {number},{37 + number % 100 / 100},{127 + number // 100 / 100}\n" for number in range(10000)))
    open_page(export("many.html", "many.csv", "--lang", "en").as_uri())
    check("ten thousand are all on the map, as dots", browser.execute_script("return +document.documentElement.dataset.onMap") == 10000
          and not all_of(".cluster, .pin") and len(all_of(".entry")) == 100)
    click_at(37.5, 127.5)
    wait(lambda: opened() == "shop 5050")
    check("a dot is clicked, and stands out", attributes(".pin", "data-id") == ["5050"])
    field = browser.find_element(By.ID, "query")
    field.send_keys("shop 99")
    browser.find_element(By.ID, "more").send_keys(Keys.ENTER)
    check("who asks for more by keys goes on where it begins", len(entries()) == 111 and browser.execute_script(
        "return [...document.querySelectorAll('.entry')].indexOf(document.activeElement)") in (100, 101))
    field.clear()
    field.send_keys(" ")
    overlaps = []
    # Pages often open at zooms with a fraction.
    for zoom in [whole + part for whole in range(9, 17) for part in (0, 0.5, 0.75)]:
        go(zoom, 37.5, 127.5)
        overlaps += browser.execute_script("""const circles = [...document.querySelectorAll('.cluster')].map(one => one.getBoundingClientRect());
            return circles.flatMap((a, i) => circles.slice(i + 1).map(b => (a.width + b.width) / 2 - Math.hypot(
              a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2)).filter(depth => depth > 6))""")
    check(f"no cluster covers another one's number {overlaps}", not overlaps)

    # Data beside the page, from a server.
    page = export("beside.html", "places.geojson", "--data", "beside.geojson")
    handler = lambda *arguments: http.server.SimpleHTTPRequestHandler(*arguments, directory=folder)
    http.server.SimpleHTTPRequestHandler.log_message = lambda *arguments: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    open_page(f"http://127.0.0.1:{server.server_port}/beside.html")
    check("data beside the page is read", on_map() == 6)
    # And tiles of many, of a server that takes ranges or sends all; zoomed in everything is there.
    export("tiled.html", "many.csv", "--data", "tiled.pmtiles", "--lang", "en")
    open_page(f"http://127.0.0.1:{server.server_port}/tiled.html")
    wait(lambda: browser.execute_script("return +document.documentElement.dataset.onMap") > 0)
    check("places in tiles are counted by what there is", "of 10,000" in browser.find_element(By.ID, "summary").text)
    go(13, 37.5, 127.5)
    seen = """const at = view.bounds(); return places.all.filter(place => place.x >= at.west && place.x <= at.east && place.y >= at.north && place.y <= at.south).length"""
    wait(lambda: browser.execute_script("return !tiled.isLoading && places.all.length > 0"))
    west, east, south, north = browser.execute_script("const at = view.bounds(); return [at.west * 360 - 180, at.east * 360 - 180, latitudeAt(at.south), latitudeAt(at.north)]")
    inside = sum(south <= 37 + number % 100 / 100 <= north and west <= 127 + number // 100 / 100 <= east for number in range(10000))
    check(f"and all {inside} in sight are shown zoomed in", browser.execute_script(seen) == inside > 0
          and browser.execute_script("return +document.documentElement.dataset.onMap") == inside)
    server.shutdown()
    use_tiles()
    name_and_count()
    messages = console_is_clean()
    check(f"all: the console is clean {messages}", not messages)

    # A server of pictures: one that answers, and one that does not.
    picture = folder / "picture.png"
    picture.write_bytes(bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"))

    class Pictures(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.end_headers()
            self.wfile.write(picture.read_bytes())

        def log_message(self, *arguments):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pictures)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for port in (server.server_port, 1):
        page = export(f"tiles-{port}.html", "places.geojson", "--lang", "en", "--tiles", f"http://127.0.0.1:{port}/{{z}}/{{x}}/{{y}}.png", "--attribution", "© us")
        open_page(page.as_uri() + "#6/37.5/127")
        said = "© us" if port > 1 else "does not respond"
        wait(lambda: said in texts(".credit")[0])
        if port > 1:
            wait(lambda: browser.execute_script("return view.tiles.arrived") > 3)
            check("a server of pictures is shown", browser.execute_script("return !view.tiles.hasFailed"))
        else:
            color = pixel_at(37.3, 128.4)
            check(f"where a server of pictures does not answer there is land {color}", color == ground("--land"))
    server.shutdown()
finally:
    browser.quit()
