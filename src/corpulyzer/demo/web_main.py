"""`python -m corpulyzer.demo.web`: serve the built-in web until interrupted, for a crawler to try."""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path


def main() -> None:
    """Serve, and say how to crawl what is served."""
    from corpulyzer.demo.prose import LANGUAGES
    from corpulyzer.demo.web import BuiltInWeb

    parser = argparse.ArgumentParser(prog="python -m corpulyzer.demo.web", description=main.__doc__)
    parser.add_argument("--target", choices=LANGUAGES, required=True, help="language of the good pages")
    parser.add_argument("--sites", type=int, default=240)
    parser.add_argument("--pages", type=int, default=30_000, help="about how many articles there are")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--port", type=int, default=0, help="0: any that is free")
    parser.add_argument("--seeds", type=Path, default=Path("seeds.txt"), help="file to write seeds to")
    parser.add_argument("--seed-count", type=int, default=40)
    parser.add_argument("--rich", type=float, default=0.25, help="share of seeds that are good pages")
    parser.add_argument("--log", type=Path, help="file to write each request to, as JSON lines")
    given = parser.parse_args()
    web = BuiltInWeb(given.target, given.seed, given.sites, given.pages)
    given.seeds.write_text("\n".join(web.seeds(given.seed_count, given.rich)) + "\n", encoding="utf-8")
    with web.serve(port=given.port, log_path=given.log) as server:
        sys.stdout.write(f"proxy {server.proxy_url}\nseeds {given.seeds}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stderr.write(f"{len(server.log)} requests\n")
