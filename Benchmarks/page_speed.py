"""Measures the page of `nearby export` in headless Chromium, as somebody who opens it would feel it.

    /usr/bin/python3 Benchmarks/page_speed.py PAGE.html [WORD]     a file, or an address of a server

Prints, as the median and the worst of five openings: when the page can be used, counted from the start of its loading
and from before the browser has parsed it; the frames while the map is dragged and zoomed in 10 steps each, and while it
goes from zoom to zoom, of which each has tiles of its own; and how long a search for WORD takes until the list and the
map show what it finds. Debian's python3-selenium and chromium-driver.
"""

import pathlib
import statistics
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

# Frames as the browser makes them while steps go on: the time between two of them.
FRAMES = """
const done = arguments[arguments.length - 1], kind = arguments[0];
const map = document.querySelector('.plain'), box = map.getBoundingClientRect(), at = [box.left + box.width / 2, box.top + box.height / 2];
const send = (type, x, y) => map.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, bubbles: true, button: 0, pointerType: 'mouse' }));
map.setPointerCapture = () => {};
const frames = [], first = shownNow.list[0];
let last = performance.now(), step = 0;
if (kind === 'drag') send('pointerdown', ...at);
const tick = now => {
  frames.push(now - last);
  last = now;
  const part = step++;
  if (part === 60 && kind !== 'travel' || part === 300) { if (kind === 'drag') send('pointerup', at[0] + 600, at[1] + 120); return done(frames.slice(1)); }
  // From zoom to zoom, half a second at each of ten.
  if (kind === 'travel') { if (part % 30 === 0) view.go(first.x, first.y, 6 + part / 30 * 5 % 7); }
  // Ten steps, six frames each.
  else if (kind === 'drag') send('pointermove', at[0] + part * 10, at[1] + part * 2);
  else if (part % 6 === 0) map.dispatchEvent(new WheelEvent('wheel', { deltaY: part < 30 ? -100 : 100, clientX: at[0] + 40, clientY: at[1] + 20, bubbles: true, cancelable: true }));
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
"""

SEARCH = """
const done = arguments[arguments.length - 1], field = document.getElementById('query'), began = performance.now();
field.value = arguments[0];
field.dispatchEvent(new Event('input', { bubbles: true }));
// What follows a frame has been painted.
requestAnimationFrame(() => setTimeout(() => done(performance.now() - began), 0));
"""

# What a page of tiles searches comes when it is first used.
FETCH = """
const done = arguments[arguments.length - 1], field = document.getElementById('query');
field.value = arguments[0];
field.dispatchEvent(new Event('input', { bubbles: true }));
const wait = setInterval(() => { if (!places.file.isLoading) { clearInterval(wait); field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true })); setTimeout(done, 500); } }, 10);
"""


def browser():
    options = webdriver.ChromeOptions()
    for option in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800", "--lang=en"]:
        options.add_argument(option)
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def main():
    address = sys.argv[1] if sys.argv[1].startswith("http") else pathlib.Path(sys.argv[1]).resolve().as_uri()
    word = sys.argv[2] if len(sys.argv) > 2 else "a"
    opened, drags, zooms, travels, searches = [], [], [], [], []
    for _ in range(5):
        chrome = browser()
        try:
            chrome.set_script_timeout(60)
            chrome.get(address)
            while chrome.execute_script("return document.documentElement.dataset.ready") != "yes":
                time.sleep(0.1)
            # When the first frame after that had been painted, by the page's own clock.
            opened.append(chrome.execute_script("return document.documentElement.dataset.usable * 1 || NaN"))
            time.sleep(0.5)
            drags += chrome.execute_async_script(FRAMES, "drag")
            time.sleep(0.5)
            zooms += chrome.execute_async_script(FRAMES, "zoom")
            travels += chrome.execute_async_script(FRAMES, "travel")
            if (chrome.execute_script("return Boolean(places.file)")):
                chrome.execute_async_script(FETCH, word)
            searches.append(chrome.execute_async_script(SEARCH, word))
            searches.append(chrome.execute_async_script(SEARCH, word + "1"))
        finally:
            chrome.quit()

    def said(name, values):
        print(f"{name}: median {statistics.median(values):.0f} ms, worst {max(values):.0f} ms")

    said("usable", opened)
    said("frame while dragging", drags)
    said("frame while zooming", zooms)
    said("frame while going from zoom to zoom", travels)
    said("search", searches)


main()
