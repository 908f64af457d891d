#!/usr/bin/python3
"""Opens the page of `nearby export --html` in headless Chromium and uses it as a person would.

    /usr/bin/python3 .ci/page.py .build/release/nearby [folder for screenshots]

Debian's python3-selenium and chromium-driver drive the browser; libjs-leaflet is the map library.
"""

import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

from selenium import webdriver
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


def all_of(selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def wait(condition):
    WebDriverWait(browser, 20).until(lambda _: condition())


def open_page(address):
    browser.get(address)
    wait(lambda: browser.execute_script("return document.documentElement.dataset.ready") == "yes")


def on_map():
    """How many places stand on the map, each pin one and each cluster as many as it says."""
    return len(all_of("#map .pin")) + sum(int(one.get_attribute("data-count")) for one in all_of("#map .cluster"))


def go(zoom, latitude, longitude):
    """Sends the map somewhere by the page's address, and waits until it has arrived."""
    browser.execute_script(f"location.hash = '#{zoom}/{latitude}/{longitude}'")
    wait(lambda: arrived(zoom, latitude, longitude))


def arrived(zoom, latitude, longitude):
    there = browser.execute_script("return location.hash").lstrip("#").split("/")
    # The page writes five decimals once it has drawn.
    return (len(there[1].split(".")[-1]) == 5 and int(there[0]) == zoom
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


def keep(name):
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(pictures / name))


def use(page, library):
    open_page(page.as_uri())
    check(f"{library}: the library is the one asked for", bool(all_of(".leaflet-container")) == (library == "Leaflet"))
    check(f"{library}: the map shows all placed annotations at first", on_map() == 6)
    check(f"{library}: the list shows the unplaced one too", len(all_of(".entry")) == 7)
    check(f"{library}: markup in a name is text", browser.title == "places" and evil in browser.find_element(By.ID, "list").text)
    check(f"{library}: no image and no script came out of the data", not all_of("#list img, #list script, #map img.x"))

    # Clicking a cluster goes where it falls apart, and loses nobody.
    go(7, 37.4, 127.1)
    clusters = {int(one.get_attribute("data-count")): one for one in all_of(".cluster")}
    check(f"{library}: near places are clusters of 3 and of 2", sorted(clusters) == [2, 3] and on_map() == 5)
    clusters[3].click()
    wait(lambda: "#7/" not in browser.current_url)
    check(f"{library}: a clicked cluster falls apart", on_map() == 3 and "3" not in [
        one.get_attribute("data-count") for one in all_of(".cluster")])
    go(19, 37.0, 127.5)
    twins = all_of(".pin")
    check(f"{library}: two at one position are fanned out", len(twins) == 2 and twins[0].location != twins[1].location)
    degrees = browser.execute_script("return [...document.querySelectorAll('.graticule text')].map(text => text.textContent)")
    check(f"{library}: streets have degrees and a scale, if no map {degrees}", len(degrees) > 4 and all(
        "°" in text for text in degrees) and all_of(".scale, .leaflet-control-scale-line")[0].text.endswith(" m"))

    # What stays on the map keeps its element.
    go(19, 37.5701, 126.9701)
    browser.execute_script("for (const pin of document.querySelectorAll('.pin')) pin.dataset.kept = 'yes'")
    pins = len(all_of(".pin"))
    go(19, 37.57015, 126.97015)
    check(f"{library}: pins that stay are not drawn again", pins == 3 and len(all_of(".pin[data-kept]")) == 3)

    # Filters.
    go(5, 37.4, 127.1)
    query = browser.find_element(By.ID, "query")
    query.send_keys("abc")
    check(f"{library}: abc finds ＡＢＣ카페", [one.text.split("\n")[0] for one in all_of(".entry")] == ["ＡＢＣ카페"])
    query.clear()
    query.send_keys("ｶﾌｪ")
    check(f"{library}: ｶﾌｪ finds カフェ", [one.text.split("\n")[0] for one in all_of(".entry")] == ["カフェ"])
    query.clear()
    query.send_keys(" ")
    all_of("#legend input[value=mart]")[0].click()
    check(f"{library}: a kind switched off leaves the others", on_map() == 3 and len(all_of(".entry")) == 3)
    all_of("#legend input[value=mart]")[0].click()

    # Details: links that are links, and nothing that runs.
    go(19, 37.5701, 126.9701)
    all_of(".pin[data-id='1']")[0].click()
    check(f"{library}: a pin opens its details", '"><b>bold</b>' in browser.find_element(By.CSS_SELECTOR, "dl").text)
    check(f"{library}: a web address is a link", [a.get_attribute("rel") for a in all_of("dl a")] == ["noopener noreferrer"])
    all_of(".pin[data-id='3']")[0].click()
    check(f"{library}: a javascript address is none", not all_of("dl a"))

    # By keys alone, and for those who listen.
    go(5, 37.4, 127.1)
    focused = "return document.activeElement.dataset.id"
    browser.execute_script("document.querySelector('.entry').focus()")
    browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    second = browser.execute_script(focused)
    check(f"{library}: arrows go through the list", second == all_of(".entry")[1].get_attribute("data-id"))
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait(lambda: all_of("dl"))
    check(f"{library}: who opens an entry by keys stays on it", browser.execute_script(focused) == second
          and browser.execute_script("return document.activeElement.ariaExpanded") == "true")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    # The map has gone there, perhaps slowly.
    wait(lambda: "#15/" in browser.current_url)
    browser.execute_script("document.querySelector('.plain, .leaflet-container').focus()")
    browser.switch_to.active_element.send_keys("=")
    wait(lambda: "#16/" in browser.current_url)
    check(f"{library}: the map is zoomed by a key", True)
    nameless = browser.execute_script("""return [...document.querySelectorAll('button, select, input, a[href]')].filter(
        one => !(one.getAttribute('aria-label') || one.textContent.trim() || one.closest('label'))).map(one => one.outerHTML)""")
    check(f"{library}: everything that can be used has a name {nameless}", not nameless)

    # Languages and brightness.
    for code, words in [("ko", "내 주변"), ("ja", "現在地から"), ("en", "Near me")]:
        all_of(f"#language option[value={code}]")[0].click()
        check(f"{library}: {code} says {words}", browser.find_element(By.ID, "near-me").text == words
              and browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == code)
    color = "return getComputedStyle(document.body).backgroundColor"
    light = browser.execute_script(color)
    browser.find_element(By.ID, "theme").click()
    check(f"{library}: dark differs from light", browser.execute_script(color) != light)

    # Across 180 degrees.
    go(9, -17, -179.99)
    check(f"{library}: a place at 179.99 is seen from -179.99", len(all_of(".pin[data-id='6']")) == 1)

    # Near me.
    browser.execute_cdp_cmd("Emulation.setGeolocationOverride", {"latitude": 37.57, "longitude": 126.971, "accuracy": 10})
    browser.find_element(By.ID, "near-me").click()
    wait(lambda: all_of(".distance"))
    nearest = json.loads(subprocess.run(
        [nearby, "--lat", "37.57", "--lon", "126.971", "-k", "3", "--json", source], check=True, capture_output=True).stdout)
    check(f"{library}: near me lists as nearby does", [one.text for one in all_of(".distance")][:3] == [
        f"{round(one['distance'])} m" for one in nearest["results"]])


def forbids(page, library):
    """The page's policy runs and shows what is its own, and nothing that somebody puts into it."""
    policy = re.search('Content-Security-Policy" content="([^"]*)"', page.read_text()).group(1)
    check(f"{library}: the policy names scripts and styles by their hashes",
          "unsafe" not in policy and policy.count("'sha256-") == (4 if library == "Leaflet" else 2))
    # As if data had got out of its place: a script, a handler, an address and a style of its own.
    injected = page.with_name(f"injected-{library}.html")
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
    check(f"{library}: what is put into the page does not run", browser.title == "places" and on_map() == 6)
    check(f"{library}: nor does it change how the page looks", browser.execute_script(
        "return [getComputedStyle(document.getElementById('map')).display, getComputedStyle(document.getElementById('styled')).position]"
    ) == [browser.execute_script("return getComputedStyle(document.querySelector('section')).display"), "static"])
    refused = [message for message in console_is_clean() if "Content Security Policy" in message]
    check(f"{library}: the browser says what it refused ({len(refused)} times)", len(refused) >= 5)
    requests()


def tell_time(moment):
    """Sets the page's clock to an ISO moment, and lets it notice."""
    browser.execute_script("testNow = Date.parse(arguments[0]); document.dispatchEvent(new Event('visibilitychange'))", moment)


def told():
    """What the list says of each place's hours, by its id; read at once, for the list is drawn anew at any time."""
    return browser.execute_script("""return Object.fromEntries([...document.querySelectorAll('.entry')].map(
        entry => [entry.dataset.id, [...entry.querySelectorAll('[class*=state-]')].map(note => note.textContent).join('')]))""")


def choose(select, value):
    all_of(f"#{select} option[value='{value}']")[0].click()


def use_hours(library, choice):
    """Opening hours in the page, at moments that the test chooses."""
    rows = [("day", "매일 가게", "09:00-18:00"), ("night", "야식집", "18:00-02:00"), ("always", "편의점", "24/7"),
            ("late", "자정까지", "10:00-24:00"), ("riddle", "알 수 없음", "when we feel like it"), ("none", "시간 없음", ""),
            ("sunday", "둘째·넷째 일요일 휴무", "Mo-Su 10:00-20:00; Su[2,4] off")]
    (folder / "hours.csv").write_text("id,name,lat,lon,opening_hours\n" + "".join(
        f'{id},{name},37.5{number},126.9{number},"{hours}"\n' for number, (id, name, hours) in enumerate(rows)))
    page = export(f"hours-{library}.html", "hours.csv", "--at", "2026-11-21T12:00+09:00", "--days", "5", "--lang", "en", *choice)
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Seoul"})
    clock = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        var testNow = Date.parse('2026-11-22T17:59:59+09:00');
        Date = class extends Date { constructor(...given) { given.length ? super(...given) : super(testNow); } static now() { return testNow; } };
    """})
    open_page(page.as_uri())
    # 22 November 2026 is the fourth Sunday of its month.
    expected = {"day": "open until 6:00 PM", "night": "closed, opens 6:00 PM", "always": "open", "late": "open until midnight",
                "riddle": "hours unknown", "none": "hours unknown", "sunday": "closed, opens tomorrow 10:00 AM"}
    check(f"{library}: at 17:59 the page says what is open and until when", told() == expected)
    pin = all_of(".pin[data-id=night]")[0]
    check(f"{library}: a pin says its state to those who listen", pin.get_attribute("aria-label") == "야식집, closed, opens 6:00 PM")
    check(f"{library}: a closed pin looks closed", "state-closed" in pin.get_attribute("class"))
    first = all_of(".entry")[0]
    browser.execute_script("arguments[0].focus()", first)
    tell_time("2026-11-22T18:00:00+09:00")
    expected |= {"day": "closed, opens tomorrow 9:00 AM", "night": "open until tomorrow 2:00 AM"}
    check(f"{library}: at 18:00 it says it anew", told() == expected)
    check(f"{library}: who is in the list by keys stays there", browser.execute_script("return document.activeElement.dataset.id") == "day")
    choose("hours", "open")
    check(f"{library}: open now leaves what is open", sorted(told()) == ["always", "late", "night"] and on_map() == 3)
    tell_time("2026-11-23T02:00:00+09:00")
    check(f"{library}: what closes leaves at its minute", sorted(told()) == ["always"] and on_map() == 1)
    tell_time("2026-11-22T18:00:00+09:00")
    choose("hours", "notClosed")
    check(f"{library}: open or unknown keeps what does not say", sorted(told()) == ["always", "late", "night", "none", "riddle"])
    choose("hours", "")
    for code, states in [("ko", ["영업 종료, 내일 오전 9:00에 시작", "영업 중, 자정까지", "영업시간 미확인"]),
                         ("ja", ["営業時間外、明日 9:00から営業", "営業中、24:00まで", "営業時間不明"])]:
        choose("language", code)
        check(f"{library}: hours in {code}", [told()[id] for id in ("day", "late", "riddle")] == states)
    choose("language", "en")
    keep(f"hours-{library}.png")
    # By the shop's clock, also far away from it; the reader is told so.
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
    tell_time("2026-11-22T09:00:00Z")
    check(f"{library}: a reader elsewhere gets the shop's time", told()["day"] == "closed, opens tomorrow 9:00 AM local time")
    tell_time("2026-11-26T12:00:00+09:00")
    check(f"{library}: after its last day the page knows nothing", set(told().values()) == {"hours unknown"}
          and "export it again" in browser.find_element(By.ID, "summary").text)
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", clock)


try:
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["geolocation"]})
    for library, choice in [("Leaflet", []), ("plain", ["--leaflet", "none"])]:
        page = export(f"{library}.html", "places.geojson", *choice)
        use(page, library)
        use_hours(library, choice)
        messages = console_is_clean()
        check(f"{library}: the console is clean {messages}", not messages)
        loaded = requests()
        check(f"{library}: nothing was loaded from a network {loaded}", not loaded)
        forbids(page, library)

    # The sample, as it looks, on a desk and on a phone, light and dark.
    page = export("sample.html", "--sample")
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
    browser.set_window_size(1280, 800)

    # Nothing, and much.
    (folder / "empty.csv").write_text("id,name,lat,lon\n")
    open_page(export("empty.html", "empty.csv", "--lang", "en").as_uri())
    check("a page of nothing says so", browser.find_element(By.ID, "summary").text == "There is nothing in this page.")
    (folder / "many.csv").write_text("id,name,lat,lon\n" + "".join(
        f"{number},shop {number},{37 + number % 100 / 100},{127 + number // 100 / 100}\n" for number in range(10000)))
    open_page(export("many.html", "many.csv", "--lang", "en").as_uri())
    check("ten thousand are all on the map", on_map() == 10000 and len(all_of(".entry")) == 100)
    overlaps = browser.execute_script("""const circles = [...document.querySelectorAll('.cluster')].map(one => one.getBoundingClientRect());
        return circles.flatMap((a, i) => circles.slice(i + 1).filter(b => Math.hypot(
          a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2) < (a.width + b.width) / 2 - 2)).length""")
    check(f"no cluster lies on another ({overlaps})", overlaps == 0)

    # Data beside the page, from a server.
    page = export("beside.html", "places.geojson", "--data", "beside.geojson")
    handler = lambda *arguments: http.server.SimpleHTTPRequestHandler(*arguments, directory=folder)
    http.server.SimpleHTTPRequestHandler.log_message = lambda *arguments: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    open_page(f"http://127.0.0.1:{server.server_port}/beside.html")
    check("data beside the page is read", on_map() == 6)
    server.shutdown()
    messages = console_is_clean()
    check(f"all: the console is clean {messages}", not messages)
finally:
    browser.quit()
