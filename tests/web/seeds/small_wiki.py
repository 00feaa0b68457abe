"""The dumps of a small Wikipedia in isiXhosa, in both forms of the table of links, and as XML."""

import bz2
import gzip
from pathlib import Path

PAGES = [(1, 0, "IsiXhosa"), (2, 0, "Intshayelelo's_\\\\x"), (3, 1, "IsiXhosa"), (9, 0, "Umzantsi_Afrika")]
LINKS = [
    (1, "https", "www.isolezwelesixhosa.co.za", "/iindaba/1"),
    (2, "https", "www.isolezwelesixhosa.co.za", "/iindaba/2"),
    (9, "http", "isolezwelesixhosa.co.za", "/x?a='b'"),
    (2, "http", "umhlobo.co.za:8080", ""),
    (9, "https", "xh.wikipedia.org", "/wiki/X"),
    (9, "https", "doi.org", "/10.1"),
    (9, "https", "web.archive.org", "/web/20150101000000/http://umhlobo.co.za/old"),
    (3, "https", "talk.example.com", "/only-in-talk"),
]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


def _table(name: str, columns: list[str], rows: list[tuple]) -> bytes:
    lines = ["-- MySQL dump 10.19", f"DROP TABLE IF EXISTS `{name}`;", f"CREATE TABLE `{name}` ("]
    lines += [f"  `{column}` varbinary(255) NOT NULL DEFAULT ''," for column in columns]
    lines += [f"  PRIMARY KEY (`{columns[0]}`)", ") ENGINE=InnoDB;", ""]
    for some in (rows[:3], rows[3:]):
        values = ",".join(
            "(" + ",".join(str(v) if isinstance(v, int) else f"'{_escaped(v)}'" for v in row) + ")"
            for row in some
        )
        lines.append(f"INSERT INTO `{name}` VALUES {values};")
    return ("\n".join([*lines, "-- Dump completed"]) + "\n").encode()


def _turned(host: str) -> str:
    name, colon, port = host.partition(":")
    return ".".join(reversed(name.split("."))) + "." + colon + port


def write_wiki(folder: Path, form: str = "new", wiki: str = "xhwiki") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if form == "new":
        rows = [
            (n, page, f"{scheme}://{_turned(host)}", path)
            for n, (page, scheme, host, path) in enumerate(LINKS)
        ]
        links = _table("externallinks", ["el_id", "el_from", "el_to_domain_index", "el_to_path"], rows)
    else:
        rows = [
            (n, page, f"{scheme}://{host}{path}", "x", "NULL")
            for n, (page, scheme, host, path) in enumerate(LINKS)
        ]
        links = _table("externallinks", ["el_id", "el_from", "el_to", "el_index", "el_index_60"], rows)
    pages = _table(
        "page", ["page_id", "page_namespace", "page_title", "page_len"], [(*page, 7) for page in PAGES]
    )
    names = [
        (1, "en", "Xhosa language"),
        (1, "pt", "Língua xhosa"),
        (9, "en", "South Africa"),
        (2, "en", "X"),
    ]
    tables = {
        "externallinks": links,
        "page": pages,
        "langlinks": _table("langlinks", ["ll_from", "ll_lang", "ll_title"], names),
    }
    for name, content in tables.items():
        (folder / f"{wiki}-latest-{name}.sql.gz").write_bytes(gzip.compress(content))
    (folder / f"{wiki}-latest-pages-articles.xml.bz2").write_bytes(_xml())


def _xml() -> bytes:
    """In two parts, as multistream dumps are."""
    page = '  <page>\n    <title>{title}</title>\n    <ns>{ns}</ns>\n    <revision>\n      <text bytes="9">{text}</text>\n    </revision>\n  </page>\n'
    first = page.format(
        title="IsiXhosa",
        ns=0,
        text="'''IsiXhosa''' lulwimi [[Ulwimi|lwabantu]].\n{{cite|url=https://www.isolezwelesixhosa.co.za/iindaba/1|title=The X}}\n"
        "Abantu bathetha isiXhosa [http://umhlobo.co.za:8080 Umhlobo Wenene], kunye (https://xh.wikipedia.org/a).",
    )
    second = page.format(title="Talk", ns=1, text="https://talk.example.com/only-in-talk")
    third = page.format(
        title="Abantu",
        ns=0,
        text="Abantu //isolezwelesixhosa.co.za/x &lt;ref&gt;https://www.isolezwelesixhosa.co.za/y.&lt;/ref&gt;",
    )
    return bz2.compress(f"<mediawiki>\n{first}".encode()) + bz2.compress(
        f"{second}{third}</mediawiki>\n".encode()
    )
