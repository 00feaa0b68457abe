"""Make the pictures of the documentation: `python tools/screenshots.py`, with Chromium and playwright.

The corpus is the demo's; everything is made anew in a temporary folder.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

IMAGES = Path(__file__).parent.parent / "docs" / "images"
PAGES = {"explorer": "/", "concordance": "/search?q=%D8%B3%D8%A7%D9%84"}
SIZE = {"width": 1280, "height": 900}


def main() -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "urduweb"
        subprocess.run([sys.executable, "-m", "corpulyzer", "demo", str(corpus), "--quiet"], check=True)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            take(browser.new_page(viewport=SIZE, color_scheme="light"), corpus)
            browser.close()


def take(page: object, corpus: Path) -> None:
    """Take a picture of each page of the explorer of a corpus."""
    port = free_port()
    command = [sys.executable, "-m", "corpulyzer", "serve", "--port", str(port), "--quiet", "--project"]
    server = subprocess.Popen([*command, str(corpus)])
    try:
        wait_for(f"http://127.0.0.1:{port}/")
        IMAGES.mkdir(exist_ok=True)
        for name, path in PAGES.items():
            page.goto(f"http://127.0.0.1:{port}{path}")  # type: ignore[attr-defined]
            page.screenshot(path=IMAGES / f"{name}.png")  # type: ignore[attr-defined]
    finally:
        server.terminate()
        server.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return int(opened.getsockname()[1])


def wait_for(address: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(address).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"{address} does not answer")


if __name__ == "__main__":
    main()
