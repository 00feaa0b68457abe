"""Memory is bounded by the batch, not by the corpus."""

import random

import pytest

from corpulyzer.api.corpus import create
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.warc import compose

pytestmark = pytest.mark.endurance
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"


def write_pages(path, count):
    """An archive of `count` pages of a few kilobytes with links, no two alike."""
    prose, rng = Prose("urd"), random.Random(0)
    paragraphs = [prose.paragraph(rng, sentences=6) for _ in range(200)]
    with path.open("wb") as file:
        for number in range(count):
            links = "".join(f'<a href="/p/{rng.randrange(10**6)}">{n}</a>' for n in range(20))
            body = f"<p>{number} {rng.choice(paragraphs)}</p><p>{rng.choice(paragraphs)}</p>{links}".encode()
            file.write(compose.response(f"https://s{number % 97}.example/{number}", HEAD, body).packed())


def test_memory_hardly_grows_with_the_pages_of_an_archive(peak_memory, tmp_path, scale):
    write_pages(tmp_path / "few.warc.gz", 5_000)
    write_pages(tmp_path / "many.warc.gz", scale(None, 15_000, 50_000))
    peaks = {}
    for name in ("few", "many"):
        folder = str(create("urd", tmp_path / name).storage.root)
        peaks[name] = peak_memory("import", str(tmp_path / f"{name}.warc.gz"), "--project", folder)
    few, many = peaks["few"], peaks["many"]
    assert many <= 1.2 * few, f"{many / 1e6:.0f} MB against {few / 1e6:.0f} MB"
