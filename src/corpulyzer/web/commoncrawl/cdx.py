"""The index server's own interface, for the pages of a few hosts: small answers, nothing to unpack."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from corpulyzer.engine import Dataset
from corpulyzer.engine.progress import Progress
from corpulyzer.errors import UserError
from corpulyzer.records import EPOCH
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.http import Answer, ConnectionLostError, Patience, get
from corpulyzer.url import host_of, site_of
from corpulyzer.web.commoncrawl import FOLDER, IndexRow
from corpulyzer.web.commoncrawl.index import WHOLE
from corpulyzer.web.commoncrawl.wanted import Wanted

NO_CAPTURES = b"No Captures"


@dataclass(frozen=True, slots=True)
class Cdx:
    """The interface of an index server at `api`."""

    api: str
    patience: Patience

    def pages(self, release: str, pattern: str, wanted: Wanted) -> int:
        """How many pages of answers there are for a pattern of URLs; none if it has no captures."""
        answer = self._ask(release, pattern, wanted, showNumPages="true")
        if answer is None:
            return 0
        try:
            return int(json.loads(answer.body)["pages"])
        except (ValueError, KeyError, TypeError):
            raise self._changed(release, answer.body) from None

    def rows(self, release: str, pattern: str, wanted: Wanted, page: int) -> Iterator[IndexRow]:
        """The wanted rows of one page of answers."""
        answer = self._ask(release, pattern, wanted, page=str(page))
        for line in answer.body.splitlines() if answer else ():
            try:
                row = _row(json.loads(line), release)
            except (ValueError, KeyError, TypeError):
                raise self._changed(release, line) from None
            if wanted.takes(row.status, row.languages, host_of(row.url)):
                yield row

    def _ask(self, release: str, pattern: str, wanted: Wanted, **more: str) -> Answer | None:
        asked = [("url", pattern), ("output", "json"), ("filter", "=status:200"), *more.items()]
        if wanted.language:
            asked.append(("filter", f"~languages:.*({'|'.join(wanted.codes)}).*"))
        url = f"{self.api.rstrip('/')}/{release}-index?{urlencode(asked)}"
        try:
            answer = self.patience(lambda: get(url, max_bytes=256 << 20))
        except ConnectionLostError as error:
            raise UserError(
                f"The index server gives no answer: {error}.", "Run the same command again later: it goes on."
            ) from None
        if answer.status == 404 and NO_CAPTURES in answer.body:
            return None
        if answer.status == 404:
            raise UserError(
                f"{self.api} has no index of a release {release!r}.",
                "`corpulyzer commoncrawl list` names the releases there are.",
            )
        if answer.status != 200:
            raise UserError(
                f"{self.api} refuses to answer (status {answer.status}).",
                "Wait, and run the same command again: it goes on where it was.",
            )
        return answer

    def _changed(self, release: str, body: bytes) -> UserError:
        return UserError(
            f"The index server answers about {release} in another form than we know: {body[:120]!r}.",
            "Read the columnar index instead: leave --cdx out.",
        )


def filter_cdx(cdx: Cdx, release: str, wanted: Wanted, storage: Storage, progress: Progress) -> Dataset:
    """The wanted rows of a release, as `filter_index` gives them; a page of answers is asked for once."""
    folder = Storage(storage.path(f"{FOLDER}/{release}/{wanted.key}-cdx"))
    names = (*wanted.hosts, *wanted.tlds)
    if not names:
        raise UserError(
            "The index server answers for hosts and domains only.", "Add --host or --tld, or leave --cdx out."
        )
    if not folder.exists(WHOLE):
        for name in names:
            count = cdx.pages(release, f"*.{name}", wanted)
            for page in range(count):
                part = f"cdx-{name}-{page:05d}.parquet"
                if not folder.exists(part):
                    with ParquetSink(folder.path(part), schema_of(IndexRow)) as sink:
                        sink.write(batch_of(cdx.rows(release, f"*.{name}", wanted, page), IndexRow))
                progress(f"asking for {name}", page + 1, count)
        note = {"release": release, "wanted": asdict(wanted), "api": cdx.api}
        folder.write(WHOLE, json.dumps(note, ensure_ascii=False).encode())
    return Dataset(tuple(map(folder.path, folder.list("", ".parquet"))), schema_of(IndexRow))


def _row(line: Mapping[str, Any], release: str) -> IndexRow:
    url, status = str(line["url"]), str(line["status"])
    return IndexRow(
        release=release,
        url=url,
        site=site_of(url),
        languages=str(line.get("languages", "")),
        mime=str(line.get("mime-detected") or line.get("mime", "")),
        length=int(line["length"]),
        status=int(status) if status.isdigit() else 0,
        truncated=str(line.get("truncated", "")),
        charset=str(line.get("encoding", "")),
        digest=str(line.get("digest", "")),
        time=_time(str(line.get("timestamp", ""))),
        filename=str(line["filename"]),
        offset=int(line["offset"]),
    )


def _time(stamp: str) -> datetime:
    try:
        return datetime.strptime(stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return EPOCH
