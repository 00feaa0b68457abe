"""`python -m corpulyzer.lab.demo.web`: serve the built-in web until interrupted, for a crawler to try."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.lab.demo.web import BuiltInWeb
    from corpulyzer.lab.demo.web.server import WebServer


def main() -> None:
    """Serve, say how to crawl what is served, and at the end how well it was crawled."""
    from corpulyzer.lab.demo.prose import LANGUAGES
    from corpulyzer.lab.demo.web import BuiltInWeb

    parser = argparse.ArgumentParser(prog="python -m corpulyzer.lab.demo.web", description=main.__doc__)
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
    seeds = web.seeds(given.seed_count, given.rich)
    given.seeds.write_text("\n".join(seeds) + "\n", encoding="utf-8")
    with web.serve(port=given.port, log_path=given.log) as server:
        sys.stdout.write(f"proxy {server.proxy_url}\nseeds {given.seeds}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write(_report(web, seeds, server))


def _report(web: BuiltInWeb, seeds: Sequence[str], server: WebServer) -> str:
    """What the crawl came to that the server saw, and what an oracle would have got."""
    from corpulyzer.lab.demo.web.oracle import Oracle
    from corpulyzer.lab.demo.web.score import score_log, score_urls

    score = score_log(web, server.log)
    oracle = score_urls(web, Oracle(web)(seeds, score.requests))
    return (
        f"\n{score.requests} requests, {score.good} good pages: yield {score.rate:.3f}, "
        f"an oracle's {oracle.rate:.3f}; coverage {score.coverage:.3f}\n"
        f"{score.copies} copies, {score.errors} errors, {score.trap_fetches} in traps; breaches: "
        f"{score.robots_breaches} of robots.txt, {score.delay_breaches} of Crawl-delay\n"
    )


if __name__ == "__main__":
    main()
