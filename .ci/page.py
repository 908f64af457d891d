#!/usr/bin/python3
"""Opens the page of `nearby export --html` in headless Chromium and uses it as a person would.

    /usr/bin/python3 .ci/page.py .build/release/nearby [folder for screenshots]

Debian's python3-selenium and chromium-driver drive the browser; libjs-leaflet is the map library.
"""

import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
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
    return len(all_of(".pin")) + sum(int(one.get_attribute("data-count")) for one in all_of(".cluster"))


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


try:
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["geolocation"]})
    for library, choice in [("Leaflet", []), ("plain", ["--leaflet", "none"])]:
        use(export(f"{library}.html", "places.geojson", *choice), library)
        messages = console_is_clean()
        check(f"{library}: the console is clean {messages}", not messages)
        loaded = requests()
        check(f"{library}: nothing was loaded from a network {loaded}", not loaded)

    # The sample, as it looks, on a desk and on a phone, light and dark.
    page = export("sample.html", "--sample")
    open_page(page.as_uri())
    check("the sample: everything is on the map", on_map() == 1572)
    keep("desk.png")
    browser.find_element(By.ID, "theme").click()
    go(13, 37.56, 126.98)
    keep("desk-dark.png")
    browser.set_window_size(390, 800)
    wait(lambda: browser.execute_script("return innerWidth") <= 500)
    check("the sample: a phone is not wider than its screen", browser.execute_script(
        "return document.documentElement.scrollWidth <= innerWidth"))
    keep("phone.png")
    browser.set_window_size(1280, 800)

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
