"""MediaWiki: articles with histories, talk pages, categories, files, special pages and sitemaps."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape

from articles import Article
from servers import SHARE, Host, Servers, run

SOURCE = SHARE / "mediawiki"
SECTIONS = 3
TALKED_ABOUT = 10


@dataclass(frozen=True)
class Wiki:
    """How a wiki is set up: its language and skin, where its scripts are, and how it writes addresses."""

    name: str
    language: str
    skin: str
    scripts: str
    article: str

    def address(self, title: str) -> str:
        return f"http://{self.name}{self.article.replace('$1', quote(title.replace(' ', '_'), safe=':/'))}"


def mediawiki(servers: Servers, wiki: Wiki, written: Sequence[Article]) -> tuple[Host, dict[str, Article]]:
    """A wiki with these articles, and the address of each."""
    root = servers.folder / wiki.name
    (root / "images").mkdir(parents=True)
    (root / "data").mkdir()
    settings = root / "LocalSettings.php"
    run(
        *(
            "php",
            "-d",
            "memory_limit=512M",
            str(SOURCE / "maintenance/install.php"),
            "--conf",
            str(root / "none.php"),
        ),
        *("--dbtype", "sqlite", "--dbname", "wiki", "--dbpath", str(root / "data"), "--confpath", str(root)),
        *("--server", f"http://{wiki.name}", "--scriptpath", wiki.scripts, "--lang", wiki.language),
        *("--pass", "GesloUrednika1", "--skins", "Vector,MonoBook", "Vaška wiki", "Urednik"),
    )
    with settings.open("a") as added:
        added.write(_settings(wiki, root))
    (root / "pages.xml").write_text(_dump(written))
    home = "Main Page" if wiki.language == "en" else "Glavna stran"
    _image(root / "files", written)
    told = {"MW_CONFIG_FILE": str(settings)}
    for script in (
        "importDump.php",
        "importImages.php",
        "rebuildrecentchanges.php",
        "initSiteStats.php",
        "runJobs.php",
    ):
        given = {
            "importDump.php": ["--no-updates", "--username-prefix", "", str(root / "pages.xml")],
            "importImages.php": [str(root / "files"), "--user", "Urednik"],
            "initSiteStats.php": ["--update", "--active"],
        }
        _maintain(script, *given.get(script, []), **told)
    _maintain("edit.php", "--user", "Urednik", home, entered=_home(written), **told)
    _maintain("refreshLinks.php", **told)
    (root / "sitemaps").mkdir()
    _maintain(
        *("generateSitemap.php", f"--fspath={root}/sitemaps", "--urlpath=/sitemaps/"),
        *(f"--server=http://{wiki.name}", "--identifier=wiki", "--compress=no", "--skip-redirects"),
        **told,
    )
    for entry in (
        "index.php",
        "load.php",
        "api.php",
        "resources",
        "skins",
        "rest.php",
        "opensearch_desc.php",
    ):
        place = root / wiki.scripts.strip("/")
        place.mkdir(exist_ok=True)
        (place / entry).symlink_to(SOURCE / entry)
    closed = [
        wiki.address(article.title).removeprefix(f"http://{wiki.name}")
        for article in written
        if article.closed
    ]
    robots = ["User-agent: *", *(f"Disallow: {path}" for path in closed)]
    if wiki.scripts:
        robots += [
            f"Disallow: {wiki.scripts}/",
            f"Sitemap: http://{wiki.name}/sitemaps/sitemap-index-wiki.xml",
        ]
    (root / "robots.txt").write_text("\n".join(robots) + "\n")
    place = f"{wiki.scripts}/index.php"
    rules = f"location = / {{ rewrite ^ {place} last; }}\nlocation ~ ^/(data|files)/ {{ deny all; }}\n"
    if wiki.article.startswith("/wiki/"):
        rules += f"location /wiki/ {{ rewrite ^/wiki/(.*)$ {place}?title=$1 last; }}\n"
    space = "Talk" if wiki.language == "en" else "Pogovor"
    talk = tuple(wiki.address(f"{space}:{article.title}") for article in written[::TALKED_ABOUT])
    host = Host(wiki.name, root, rules, variables=told, talk=talk)
    return host, {wiki.address(article.title): article for article in written}


def _maintain(script: str, *arguments: str, entered: str = "", **variables: str) -> None:
    program = str(SOURCE / "maintenance" / script)
    run("php", "-d", "memory_limit=512M", program, *arguments, entered=entered, **variables)


def _settings(wiki: Wiki, root: Path) -> str:
    return f"""
$wgArticlePath = '{wiki.article}';
$wgUsePathInfo = false;
$wgDefaultSkin = '{wiki.skin}';
$wgEnableUploads = true;
$wgUploadDirectory = '{root}/images';
$wgUploadPath = '/images';
$wgCacheDirectory = '{root}/data';
$wgMainCacheType = CACHE_NONE;
$wgMessageCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_DB;
$wgSessionCacheType = CACHE_DB;
$wgJobRunRate = 0;
$wgEnableEmail = false;
$wgAllowExternalImages = false;
$wgPingback = false;
"""


def _dump(written: Sequence[Article]) -> str:
    """The wiki as an export would have it, so that its histories have the dates that we want."""
    pages = [*_articles(written), *_lists(written)]
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="sl">\n'
        + "".join(pages)
        + "</mediawiki>\n"
    )


def _articles(written: Sequence[Article]) -> Iterator[str]:
    """Each article in three revisions, linked to the next of its language, with a talk page for some."""
    for at, article in enumerate(written):
        same = [other for other in written if other.language == article.language]
        after = same[(same.index(article) + 1) % len(same)]
        first, *rest = article.paragraphs
        word, _, end = first.partition(" ")
        shown = f"[[Slika:Slika {article.number}.png|thumb]]\n" if article.number % 12 == 0 else ""
        whole = "\n\n".join([f"{shown}[[{after.title}|{word}]] {end}", *rest])
        whole += f"\n\n[[Category:{_section(article)}]]"
        yield _page(article.title, 0, (rest[0], article.paragraphs[0], whole), article)
        if at % TALKED_ABOUT == 0:
            asked, *answers = article.comments
            talk = f"== {asked} ==\n{asked} --[[User:Bralec|Bralec]]\n" + "".join(
                f"{':' * depth}{said} --[[User:Urednik|Urednik]]\n" for depth, said in enumerate(answers, 1)
            )
            yield _page(f"Talk:{article.title}", 1, (talk,), article)


def _lists(written: Sequence[Article]) -> Iterator[str]:
    for name in sorted({_section(article) for article in written}):
        yield _page(f"Category:{name}", 14, (f"{name}.",), written[0])


def _home(written: Sequence[Article]) -> str:
    sections = sorted({_section(article) for article in written})
    return "Vaška wiki\n\n" + "\n".join(f"* [[:Category:{name}|{name}]]" for name in sections)


def _section(article: Article) -> str:
    return f"Skupina {article.number % SECTIONS + 1}"


def _page(title: str, namespace: int, texts: tuple[str, ...], article: Article) -> str:
    revisions = "".join(
        f"<revision><timestamp>{article.date + timedelta(hours=at):%Y-%m-%dT%H:%M:%SZ}</timestamp>"
        f"<contributor><username>Bralec</username></contributor><model>wikitext</model>"
        f'<format>text/x-wiki</format><text xml:space="preserve">{escape(text)}</text></revision>'
        for at, text in enumerate(texts)
    )
    return f"<page><title>{escape(title)}</title><ns>{namespace}</ns>{revisions}</page>\n"


def _image(folder: Path, written: Sequence[Article]) -> None:
    """A small PNG for every sixth article."""
    folder.mkdir()
    for article in written:
        if article.number % 12 == 0:
            rows = b"".join(
                b"\0" + bytes((article.number * 3 % 256, row * 8 % 256, 99)) * 40 for row in range(30)
            )
            parts = (
                (b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0)),
                (b"IDAT", zlib.compress(rows)),
                (b"IEND", b""),
            )
            chunks = (
                struct.pack(">I", len(d)) + kind + d + struct.pack(">I", zlib.crc32(kind + d))
                for kind, d in parts
            )
            (folder / f"Slika {article.number}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
