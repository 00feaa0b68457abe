"""What the index takes of annotations: where tokens stand, their lemmas and their tags.

Forms, features and morphs, which are most of an annotation, are not read, nor fields that are empty in a
whole row group.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.records.annotation import FAILED, TOKENS, Annotations, Place
from corpulyzer.search.units import fold
from corpulyzer.storage.content import is_empty_text, open_parquet
from corpulyzer.storage.row_digests import digests_of_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.language import Language

STREAMS = {"lemmas": "lemma", "tags": "upos", "xtags": "xpos"}
"""The fields of tokens that the index has, by its own names for them."""
FIELDS = tuple(f"{TOKENS}.{name}" for name in ("start", "end", *STREAMS.values()))
SOFT_HYPHEN = "\xad"


class _Group(NamedTuple):
    """The rows of a row group, and the digest of each."""

    rows: pa.RecordBatch
    digests: list[bytes]


class IndexedAnnotations:
    """Looks up annotations for the index; keeps one row group in memory, that of the last look-up."""

    def __init__(self, files: Iterable[str], language: Language) -> None:
        self._annotations, self._language = Annotations(files), language
        self._held: dict[tuple[str, int], _Group] = {}

    def digest(self, archive: str, document_id: int) -> bytes:
        """A digest of what the index takes of a document's annotation; empty if there is none."""
        place = self._annotations.place(archive, document_id)
        return b"" if place is None else self._group(place).digests[place.row]

    def of(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """What an entry has of a document's annotation; nothing if there is none for the text as it is."""
        place = self._annotations.place(document["archive"], document["id"])
        if place is None:
            return {}
        (row,) = self._group(place).rows.slice(place.row, 1).to_pylist()
        if row["text_digest"] != document["text_digest"] or row["method"].startswith(FAILED):
            return {}
        return _told(row["sentences"], document["text"], self._language)

    def _group(self, place: Place) -> _Group:
        at = (place.file, place.group)
        if at not in self._held:
            self._held = {at: _read(*at)}
        return self._held[at]


def _read(file: str, group: int) -> _Group:
    with open_parquet(file) as parquet:
        said = parquet.metadata.row_group(group)
        columns = [said.column(number) for number in range(said.num_columns)]
        empty = {each.path_in_schema for each in columns if is_empty_text(each.statistics)}
        fields = [name for name in FIELDS if name not in empty]
        table = parquet.read_row_group(group, columns=["text_digest", "method", *fields], use_threads=False)
    (rows,) = table.combine_chunks().to_batches()
    read = bytes(name in fields for name in FIELDS)  # lemmas without tags are not tags without lemmas
    return _Group(rows, [digest + read for digest in digests_of_rows(rows)])


def _told(sentences: list[dict[str, Any]], text: str, language: Language) -> dict[str, Any]:
    """The tokens of an annotation and what it says of each.

    Places are counted without soft hyphens, as in the index.
    """
    known = [token for sentence in sentences for token in sentence["tokens"]]
    hyphens = [place for place, character in enumerate(text) if character == SOFT_HYPHEN]
    streams = {name: [token.get(field, "") for token in known] for name, field in STREAMS.items()}
    streams["lemmas"] = [fold(lemma, language) for lemma in streams["lemmas"]]
    return {
        "tokens": [
            tuple(place - bisect_left(hyphens, place) for place in (token["start"], token["end"]))
            for token in known
        ],
        "sentences": [end - 1 for end in accumulate(len(each["tokens"]) for each in sentences)],
        **{name: stream for name, stream in streams.items() if any(stream)},
    }
