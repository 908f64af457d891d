"""Takes pictures of the page of `nearby export`, `track` and `fence` in headless Chromium, for a look at them.

    /usr/bin/python3 Benchmarks/page_pictures.py NEARBY FOLDER

Writes PNGs of Seoul's marts, of the countries, of British postcodes and of a walk with fences, on a desk in light and
dark, and on a phone; the last two from ../shared/data, where that is there. Debian's python3-selenium, chromium-driver
and fonts-noto-cjk.
"""

import pathlib
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

nearby, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
root = pathlib.Path(__file__).resolve().parent.parent
shared = root.parent / "shared" / "data"
folder.mkdir(parents=True, exist_ok=True)

FENCES = """{"type":"FeatureCollection","features":[{"type":"Feature","id":"jezero","properties":{"name":"Cerkniško jezero"},
"geometry":{"type":"Polygon","coordinates":[[[14.345,45.75],[14.375,45.75],[14.375,45.785],[14.345,45.785],[14.345,45.75]]]}}]}"""


def page(name, *arguments):
    subprocess.run([nearby, *arguments, "-o", f"{name}.html"], check=True, cwd=folder, stderr=subprocess.DEVNULL)
    return name


def browser(width, height):
    options = webdriver.ChromeOptions()
    # The window has a frame of some 90 pixels.
    for option in ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},{height + 90}", "--lang=en"]:
        options.add_argument(option)
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


pages = [(page("marts", "export", str(root / "Data" / "marts.csv")), "#11/37.55/126.99?lang=ko")]
pages += [(page("sample", "export", "--sample"), "#6.5/35.8/131?lang=ja")]
if shared.is_dir():
    pages += [(page("postcodes", "export", str(shared / "uk-postcodes" / "uk-postcodes-a.csv.gz"), "--where", "Postcode contains '9'"), "?lang=en"),
              (page("countries", "export", str(shared / "natural-earth" / "ne_110m_admin_0_countries.json")), "#1.6/30/15?lang=en")]
    (folder / "fences.geojson").write_text(FENCES)
    pages += [(page("walk", "fence", str(shared / "gpx" / "cerknicko-jezero.gpx"), "fences.geojson"), "?lang=en")]
for name, (width, height) in [("desk", (1280, 760)), ("phone", (500, 800))]:
    chrome = browser(width, height)
    try:
        for title, place in pages:
            for theme in ("light", "dark"):
                chrome.get("about:blank")
                chrome.get((folder / f"{title}.html").resolve().as_uri() + place + ("&" if "?" in place else "?") + f"theme={theme}" if "#" in place
                           else (folder / f"{title}.html").resolve().as_uri() + f"#{place}&theme={theme}")
                while chrome.execute_script("return document.documentElement.dataset.usable") is None:
                    time.sleep(0.05)
                time.sleep(0.7)
                chrome.save_screenshot(str(folder / f"{title}-{name}-{theme}.png"))
    finally:
        chrome.quit()
print(f"{folder}: {len(list(folder.glob('*.png')))} pictures")
