"""What one pass over the bytes of a record learns of it."""

from __future__ import annotations

from corpulyzer.warc.heads import HEAD_LIMIT, HttpHead, end_of_head, fields_of

_AFTER = 16
_FIRST_BYTES = 1 << 13


class BrokenRecordError(Exception):
    """The bytes at this place are no whole record; `problem` is a name to count by, `detail` says more."""

    def __init__(self, problem: str, detail: str = "") -> None:
        super().__init__(f"{problem}: {detail}" if detail else problem)
        self.problem = problem
        self.detail = detail


class Scan:
    """A record as its bytes come by: its WARC head, the first `keep` bytes, and how many there were.

    Memory is bounded by `keep` and one piece, however long the record is. Who has read its HTTP head notes it
    in `http_head`.
    """

    __slots__ = ("_after", "block_at", "end", "headers", "http_head", "keep", "size", "start")

    def __init__(self, keep: int = HEAD_LIMIT) -> None:
        self.keep = keep
        self.start = b""
        self.size = 0
        self.headers: dict[str, str] = {}
        self.http_head: HttpHead | None = None
        self.block_at = 0
        self.end = -1
        self._after = b""

    def feed(self, piece: bytes) -> None:
        """Take the next bytes; BrokenRecordError if they cannot be those of one WARC record."""
        if len(self.start) < self.keep or self.end < 0:
            self.start = self.start + piece if self.start else piece
            if self.end < 0:
                self._read_head()
        self.size += len(piece)
        if 0 <= self.end < self.size and len(self._after) < _AFTER:
            self._after += piece[max(0, self.end - self.size + len(piece)) :][:_AFTER]
            if self._after.lstrip(b"\r\n").startswith(b"WARC/"):
                raise BrokenRecordError("several_records", "more than one record in a compressed member")

    def check(self) -> None:
        """Guarantee that the record was whole: a head, and as many bytes as its Content-Length says."""
        if self.end < 0:
            raise BrokenRecordError("truncated" if self.start[:5] == b"WARC/" else "no_record_head")
        if self.size < self.end:
            missing = f"{self.end - self.size} of {self.end - self.block_at} bytes missing"
            raise BrokenRecordError("content_length", missing)
        if self._after.strip(b"\r\n") or self.size - self.end > _AFTER:
            raise BrokenRecordError("content_length", f"{self.size - self.end} bytes behind the record's end")

    def block(self, start: int = 0) -> bytes:
        """As much of the record's block as was kept, from a place in it on."""
        return self.start[self.block_at + start : self.end]

    @property
    def block_head(self) -> bytes:
        """The block up to its first empty line at least, if it has one: cheaper than a copy of the whole."""
        first = self.start[self.block_at : min(self.end, self.block_at + _FIRST_BYTES)]
        return first if end_of_head(first) >= 0 else self.block()

    def _read_head(self) -> None:
        head = head_of(self.start)
        if head is not None:
            self.headers, self.block_at, self.end = head


def head_of(start: bytes) -> tuple[dict[str, str], int, int] | None:
    """The headers of the record that begins here, and where its block begins and ends; None if incomplete."""
    if start[:5] != b"WARC/"[: len(start)]:
        raise BrokenRecordError("no_record_head", f"begins with {start[:20]!r}")
    block_at = end_of_head(start)
    if block_at < 0:
        if len(start) > HEAD_LIMIT:
            raise BrokenRecordError("no_record_head", f"no end within {HEAD_LIMIT:,} bytes")
        return None
    headers = fields_of(start[:block_at])
    length = headers.get("content-length", "").partition(",")[0]
    if not (length.isascii() and length.isdigit() and len(length) < 19):
        raise BrokenRecordError("content_length", f"{length[:20]!r} is no length" if length else "missing")
    return headers, block_at, block_at + int(length)
