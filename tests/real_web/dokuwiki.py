"""DokuWiki: pages with revisions in namespaces, discussions, media, an index, feeds and a sitemap."""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import regex
from articles import Article
from servers import SHARE, Host, Servers, run

SOURCE = SHARE / "dokuwiki"
SCRIPT = Path(__file__).parent / "fill_dokuwiki.php"
SECTIONS = 3
_NO_ID = regex.compile(r"[^a-z0-9]+")


def dokuwiki(
    servers: Servers, name: str, written: Sequence[Article], rewrite: int
) -> tuple[Host, dict[str, Article]]:
    """A wiki with these articles, and the address of each. `rewrite` is DokuWiki's own setting `userewrite`."""
    root, conf = servers.folder / name, servers.folder / name / "conf"
    for folder in (
        "pages",
        "meta",
        "attic",
        "media",
        "media_meta",
        "media_attic",
        "cache",
        "index",
        "locks",
        "tmp",
        "log",
    ):
        (root / "data" / folder).mkdir(parents=True)
    conf.mkdir()
    _configure(conf, root, name, rewrite)
    (root / "prepend.php").write_text(f"<?php if (!defined('DOKU_CONF')) define('DOKU_CONF', '{conf}/');\n")
    changes = [line for article in written for line in _write(root / "data", article, written)]
    (root / "data/meta/_dokuwiki.changes").write_text("".join(sorted(changes)))
    _lists(root / "data", written)
    run("php", "-d", f"auto_prepend_file={root}/prepend.php", str(SCRIPT), name)
    place = root / "web"
    place.mkdir()
    for entry in ("doku.php", "feed.php", "index.php", "lib", "inc", "vendor"):
        (place / entry).symlink_to(SOURCE / entry)
    addresses = {_address(name, id_of(article), rewrite): article for article in written}
    closed = [url.removeprefix(f"http://{name}") for url, article in addresses.items() if article.closed]
    robots = ["User-agent: *", *(f"Disallow: {path}" for path in closed)]
    robots += [f"Sitemap: http://{name}/doku.php?do=sitemap"] if rewrite else []
    (place / "robots.txt").write_text("\n".join(robots) + "\n")
    rules = "location ~ ^/(inc|vendor)/ { deny all; }\n"
    if rewrite:
        rules += (
            "location ~ ^/_media/(.*) { rewrite ^/_media/(.*) /lib/exe/fetch.php?media=$1 last; }\n"
            "location ~ ^/_detail/(.*) { rewrite ^/_detail/(.*) /lib/exe/detail.php?media=$1 last; }\n"
            "location ~ ^/_export/ { rewrite ^/_export/([^/]+)/(.*) /doku.php?do=export_$1&id=$2 last; }\n"
            "location / { try_files $uri $uri/ @page; }\n"
            "location @page { rewrite ^/(.*) /doku.php?id=$1 last; }\n"
        )
    return Host(name, place, rules, f"{root}/prepend.php"), addresses


def id_of(article: Article) -> str:
    return f"tema_{article.number % SECTIONS + 1}:{_NO_ID.sub('_', _plain(article.title)).strip('_')}"


def _plain(title: str) -> str:
    """A title in plain letters, as DokuWiki spells the names of its files."""
    return title.lower().translate(str.maketrans("čšžćđæøåéüöäáíó", "cszcdaoaeuoaaio"))


def _address(name: str, page: str, rewrite: int) -> str:
    return f"http://{name}/{page.replace(':', '/')}" if rewrite else f"http://{name}/doku.php?id={page}"


def _configure(conf: Path, root: Path, name: str, rewrite: int) -> None:
    settings = {
        "title": "Priročnik",
        "lang": "sl" if rewrite else "en",
        "savedir": str(root / "data"),
        "baseurl": f"http://{name}",
        "basedir": "/",
        "superuser": "@admin",
        "license": "cc-by-sa",
    }
    numbers = {
        "useacl": 1,
        "userewrite": rewrite,
        "useslash": rewrite,
        "sitemap": 1,
        "updatecheck": 0,
        "autopasswd": 0,
    }
    lines = [f"$conf['{key}'] = '{value}';" for key, value in settings.items()]
    lines += [f"$conf['{key}'] = {value};" for key, value in numbers.items()]
    (conf / "local.php").write_text("<?php\n" + "\n".join(lines) + "\n")
    (conf / "acl.auth.php").write_text("# <?php exit()?>\n*\t@ALL\t1\n*\t@user\t8\n")
    (conf / "users.auth.php").write_text("# <?php exit()?>\n")
    for file in ("plugins.php", "plugins.required.php"):
        (conf / file).write_text((Path("/etc/dokuwiki") / file).read_text())


def _write(data: Path, article: Article, written: Sequence[Article]) -> list[str]:
    """A page with two revisions, as DokuWiki would have left it; returns its lines of the log of changes."""
    page = id_of(article)
    folder, _, leaf = page.partition(":")
    same = [other for other in written if other.language == article.language]
    after = same[(same.index(article) + 1) % len(same)]
    first, *rest = article.paragraphs
    word, _, end = first.partition(" ")
    image = f"{{{{:slika_{article.number}.png?20}}}}\n" if article.number % 12 == 0 else ""
    whole = (
        "\n\n".join([f"====== {article.title} ======\n\n{image}[[:{id_of(after)}|{word}]] {end}", *rest])
        + "\n"
    )
    begun = int(article.date.timestamp())
    revisions = ((begun, "C", f"====== {article.title} ======\n\n{first}\n"), (begun + 3600, "E", whole))
    lines = []
    for kind in ("pages", "meta", "attic"):
        (data / kind / folder).mkdir(exist_ok=True)
    for when, kind, text in revisions:
        (data / "attic" / folder / f"{leaf}.{when}.txt.gz").write_bytes(gzip.compress(text.encode()))
        lines.append(f"{when}\t127.0.0.1\t{kind}\t{page}\tbralec\tpopravek\t\t{len(text)}\n")
    (data / "meta" / folder / f"{leaf}.changes").write_text("".join(lines))
    file = data / "pages" / folder / f"{leaf}.txt"
    file.write_text(whole)
    os.utime(file, (revisions[-1][0],) * 2)
    return lines


def _lists(data: Path, written: Sequence[Article]) -> None:
    """The start page leads to lists by namespace, and these to their pages."""
    spaces = sorted({id_of(article).partition(":")[0] for article in written})
    for space in spaces:
        inside = [article for article in written if id_of(article).startswith(f"{space}:")]
        listed = "\n".join(f"  * [[:{id_of(article)}|{article.title}]]" for article in inside)
        (data / "pages" / space / "start.txt").write_text(f"====== {space} ======\n\n{listed}\n")
    listed = "\n".join(f"  * [[:{space}:start|{space}]]" for space in spaces)
    (data / "pages" / "start.txt").write_text(f"====== Priročnik ======\n\n{listed}\n")
    old = (written[-1].date + timedelta(days=1)).timestamp()
    for file in (data / "pages").rglob("start.txt"):
        os.utime(file, (old, old))
