"""A release in Common Crawl's layout: archives, the columnar index with its real columns, CDX lines, lists of paths."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
from local_services import Asked, Reply

from corpulyzer.warc.compose import digest, response, warcinfo

TABLE = "cc-index/table/cc-main/warc"
URDU = "اردو زبان پاکستان کی قومی زبان ہے اور بہت سے لوگ یہ زبان گھر میں بولتے اور پڑھتے ہیں۔ "
ENGLISH = "This page is in English, and so is everything else that can be read on it today. "
LANGUAGES = ("urd", "eng", "urd,eng", "eng,urd", "eng,fra,urd", "aur,dan")
HOSTS = ("www.akhbar.pk", "news.example.com", "kitab.pk", "blog.example.com", "example.org")

SCHEMA = pa.schema(
    [
        ("url_surtkey", pa.string()),
        ("url", pa.string()),
        ("url_host_name", pa.string()),
        ("url_host_tld", pa.string()),
        ("url_host_2nd_last_part", pa.string()),
        ("url_host_registered_domain", pa.string()),
        ("url_protocol", pa.string()),
        ("url_path", pa.string()),
        ("url_query", pa.string()),
        ("fetch_time", pa.timestamp("ms")),
        ("fetch_status", pa.int16()),
        ("content_digest", pa.string()),
        ("content_mime_type", pa.string()),
        ("content_mime_detected", pa.string()),
        ("content_charset", pa.string()),
        ("content_languages", pa.string()),
        ("content_truncated", pa.string()),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int32()),
        ("warc_record_length", pa.int32()),
        ("warc_segment", pa.string()),
    ]
)


@dataclass(frozen=True)
class Page:
    url: str
    languages: str
    status: int
    truncated: str
    time: datetime

    @property
    def body(self) -> bytes:
        text = (URDU if "urd" in self.languages else ENGLISH) * 20
        return f"<html><title>{self.url}</title><p>{text}</p></html>".encode()


def pages_of(release: str, count: int) -> list[Page]:
    begun = datetime(2024, 2, 20, 21, 10, 55, tzinfo=UTC)
    return [
        Page(
            url=f"https://{HOSTS[n % len(HOSTS)]}/{release[-2:] if n % 3 else 'both'}/{n}.html",
            languages=LANGUAGES[n % len(LANGUAGES)],
            status=404 if n % 20 == 19 else 200,
            truncated="length" if n == 2 else "",
            time=begun + timedelta(seconds=n),
        )
        for n in range(count)
    ]


def write_release(folder: Path, release: str, pages: int, rows_a_group: int = 10) -> None:
    segment = f"crawl-data/{release}/segments/1707947473347.0/warc"
    filename = f"{segment}/{release}-20240220211055-20240221001055-00000.warc.gz"
    rows = _write_archive(folder, filename, pages_of(release, pages))
    base = f"{TABLE}/crawl={release}"
    parts = {}
    half = len(rows) // 2
    for number, some in enumerate((rows[:half], rows[half:])):
        parts[f"{base}/subset=warc/part-0000{number}-abc.c000.gz.parquet"] = some
    parts[f"{base}/subset=robotstxt/part-00000-abc.c000.gz.parquet"] = rows[:3]
    for name, some in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        table = pa.Table.from_pylist(some, SCHEMA)
        pq.write_table(table, folder / name, compression="gzip", row_group_size=rows_a_group)
    lists = {"warc.paths.gz": [filename], "cc-index-table.paths.gz": list(parts)}
    for name, lines in lists.items():
        packed = gzip.compress("".join(f"{line}\n" for line in lines).encode())
        (folder / "crawl-data" / release / name).write_bytes(packed)
    (folder / f"{release}.cdxj").write_text("\n".join(map(_cdx_line, rows)), "utf-8")
    _add_to_list(folder, release)


def _write_archive(folder: Path, filename: str, pages: list[Page]) -> list[dict]:
    (folder / filename).parent.mkdir(parents=True, exist_ok=True)
    rows, at = [], 0
    with open(folder / filename, "wb") as file:
        at += file.write(warcinfo(Path(filename).name, {"software": "tests"}).packed())
        for page in pages:
            head = f"HTTP/1.1 {page.status} OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n".encode()
            extra = {"WARC-Truncated": page.truncated} if page.truncated else {}
            member = response(page.url, head, page.body, date=page.time, headers=extra).packed()
            rows.append(_row(page, filename, at, len(member)))
            at += file.write(member)
    return sorted(rows, key=lambda row: row["url_surtkey"])


def _row(page: Page, filename: str, offset: int, length: int) -> dict:
    parts = urlsplit(page.url)
    host = parts.hostname or ""
    labels = host.removeprefix("www.").split(".")
    return {
        "url_surtkey": f"{','.join(reversed(labels))}){parts.path}",
        "url": page.url,
        "url_host_name": host,
        "url_host_tld": labels[-1],
        "url_host_2nd_last_part": labels[-2],
        "url_host_registered_domain": ".".join(labels[-2:]),
        "url_protocol": "https",
        "url_path": parts.path,
        "url_query": None,
        "fetch_time": page.time.replace(tzinfo=None),
        "fetch_status": page.status,
        "content_digest": digest(page.body).removeprefix("sha1:"),
        "content_mime_type": "text/html",
        "content_mime_detected": "text/html",
        "content_charset": "UTF-8",
        "content_languages": page.languages or None,
        "content_truncated": page.truncated or None,
        "warc_filename": filename,
        "warc_record_offset": offset,
        "warc_record_length": length,
        "warc_segment": "1707947473347.0",
    }


def _cdx_line(row: dict) -> str:
    facts = {
        "urlkey": row["url_surtkey"],
        "timestamp": f"{row['fetch_time']:%Y%m%d%H%M%S}",
        "url": row["url"],
        "mime": "text/html",
        "mime-detected": "text/html",
        "status": str(row["fetch_status"]),
        "digest": row["content_digest"],
        "length": str(row["warc_record_length"]),
        "offset": str(row["warc_record_offset"]),
        "filename": row["warc_filename"],
        "languages": row["content_languages"],
        "encoding": "UTF-8",
    }
    return json.dumps(facts | ({"truncated": "length"} if row["content_truncated"] else {}))


def _add_to_list(folder: Path, release: str) -> None:
    file = folder / "collinfo.json"
    known = json.loads(file.read_text()) if file.exists() else []
    known.append(
        {
            "id": release,
            "name": f"{release[8:]} Index",
            "timegate": f"https://index.commoncrawl.org/{release}/",
            "cdx-api": f"https://index.commoncrawl.org/{release}-index",
            "from": "2024-02-20T21:10:55",
            "to": "2024-03-05T18:36:04",
        }
    )
    file.write_text(json.dumps(known))


@dataclass
class Mirror:
    """Serves the folder with byte ranges, and the index server's interface; `trouble` answers first."""

    folder: Path
    trouble: list[tuple[str, Reply]]
    always: tuple[tuple[str, Reply], ...] = ()

    def __call__(self, asked: Asked) -> Reply:
        for number, (part, reply) in enumerate(self.trouble):
            if part in asked.path:
                del self.trouble[number]
                return reply
        for part, reply in self.always:
            if part in asked.path:
                return reply
        if asked.path.endswith("-index"):
            return self._cdx(asked)
        file = self.folder / asked.path.strip("/")
        if file.is_dir() and asked.path.endswith("/"):
            names = "".join(f'<a href="{each.name}">{each.name}</a>\n' for each in sorted(file.iterdir()))
            return Reply(200, names.encode(), {"Content-Type": "text/html"})
        if not file.is_file():
            return Reply(404, b"<Error><Code>NoSuchKey</Code></Error>")
        return self._part(file.read_bytes(), asked.headers.get("range", ""))

    def _part(self, content: bytes, asked: str) -> Reply:
        if not asked:
            return Reply(200, content)
        first, _, last = asked.removeprefix("bytes=").partition("-")
        start, stop = int(first), min(int(last) + 1 if last else len(content), len(content))
        if start >= len(content):
            return Reply(416, b"", {"Content-Range": f"bytes */{len(content)}"})
        return Reply(206, content[start:stop], {"Content-Range": f"bytes {start}-{stop - 1}/{len(content)}"})

    def _cdx(self, asked: Asked) -> Reply:
        release = asked.path.strip("/").removesuffix("-index")
        file = self.folder / f"{release}.cdxj"
        if not file.exists():
            return Reply(404, b"<html>Not Found</html>")
        host = asked.parameters["url"].removeprefix("*.")
        lines = [
            line for line in file.read_text("utf-8").split("\n") if _is_below(json.loads(line)["url"], host)
        ]
        if not lines:
            return Reply(404, json.dumps({"message": f"No Captures found for: *.{host}"}).encode())
        size = 4
        if "showNumPages" in asked.parameters:
            return Reply(
                200, json.dumps({"pages": -(-len(lines) // size), "pageSize": 1, "blocks": 1}).encode()
            )
        page = int(asked.parameters["page"])
        return Reply(200, "\n".join(lines[page * size : (page + 1) * size]).encode())


def _is_below(url: str, host: str) -> bool:
    name = urlsplit(url).hostname or ""
    return name == host or name.endswith(f".{host}")
