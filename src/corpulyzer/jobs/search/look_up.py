"""Look a text up in the corpus: near-duplicates of it, and passages of it that stand elsewhere (CZ-53)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.full_stops import learned_stops
from corpulyzer.dedup import FOLDER
from corpulyzer.dedup.near.method import Signature, SignDocuments
from corpulyzer.dedup.near.minhash import MinHash
from corpulyzer.dedup.passages import FindPassages, sentence_key
from corpulyzer.dedup.reuse import Reuse, shared_passages
from corpulyzer.engine import Dataset
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.text import clean, sentences, tokens

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine

MEETING_SQL = "select id, count(*) as shared from buckets where key in ({keys}) group by id"
SENTENCES_SQL = """
select document as id, sum(words) as shared from sentences where key in ({keys}) group by document
"""
SIGNATURES_SQL = "select id, value from signatures where id in ({keys})"
DOCUMENTS_SQL = "select id, url, site, text from documents where id in ({keys})"
KEYS_AT_ONCE = 1_000
MOST_COMPARED = 200


@dataclass(frozen=True, slots=True)
class Match:
    """A document of the corpus that has something of a text: how similar, and which passages.

    `similarity` is the estimated Jaccard index of the whole texts; `share` the part of the query's words
    that stand in the passages.
    """

    id: int
    url: str
    site: str
    similarity: float
    share: float
    passages: tuple[Reuse, ...]
    texts: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The match as plain values, each passage with its words."""
        passages = [{**asdict(p), "text": t} for p, t in zip(self.passages, self.texts, strict=True)]
        return {
            **{name: getattr(self, name) for name in ("url", "site", "similarity", "share")},
            "passages": passages,
        }


def look_up(corpus: CorpusFolder, engine: Engine, text: str, limit: int = 20) -> list[Match]:
    """The documents that share most with a text, best first.

    A document is found if it is a near-duplicate or shares at least one sentence; its passages are runs of
    at least eight words. Needs the tables of `corpulyzer dedup`.
    """
    corpus.one_at_a_time("`corpulyzer search --similar`")
    text = clean(text)
    method = MinHash() if corpus.config.dedup.method != "minhash" else corpus.config.dedup.minhash
    signature = method.sign(text)
    similar = _similarities(corpus, engine, method, signature) if signature else {}
    shared = _sharing(corpus, engine, text)
    ranked = sorted({*similar, *shared}, key=lambda key: (-similar.get(key, 0.0), -shared.get(key, 0), key))
    total = len(tokens(text))
    rows = _query(engine, DOCUMENTS_SQL, "documents", corpus.stored("documents"), ranked[:MOST_COMPARED])
    matches = [
        _match(text, total, row, similar.get(row["id"]) or _estimate(method, signature, row["text"]))
        for row in rows
    ]
    matches.sort(key=lambda match: (-match.share, -match.similarity, match.url, match.id))
    return [match for match in matches if match.passages or match.id in similar][:limit]


def _estimate(method: MinHash, signature: Signature | None, text: str) -> float:
    """The estimated similarity of a text to the one that is looked up; 0 where one of them is empty."""
    other = method.sign(text)
    return method.estimates([signature.value], [other.value])[0] if signature and other else 0.0


def _match(text: str, total: int, row: Mapping[str, Any], similarity: float) -> Match:
    passages = tuple(shared_passages(text, row["text"]))
    words = sum(passage.words for passage in passages)
    return Match(
        id=row["id"],
        url=row["url"],
        site=row["site"],
        similarity=similarity,
        share=min(1.0, words / total) if total else 0.0,
        passages=passages,
        texts=tuple(row["text"][passage.begins : passage.stops] for passage in passages),
    )


def _similarities(
    corpus: CorpusFolder, engine: Engine, method: MinHash, signature: Signature
) -> dict[int, float]:
    """The estimated similarity of documents that share a bucket with the text, where it is high enough."""
    schemas = SignDocuments(method).outputs
    buckets = _table(corpus, "minhash_buckets", schemas["buckets"])
    if not buckets.files:
        return {}
    meeting = _query(engine, MEETING_SQL, "buckets", buckets, signature.buckets)
    shared: dict[int, int] = {}
    for row in meeting:
        shared[row["id"]] = shared.get(row["id"], 0) + row["shared"]
    best = sorted(shared, key=lambda key: (-shared[key], key))[: MOST_COMPARED * 5]
    signatures = _table(corpus, "minhash_signatures", schemas["signatures"])
    rows = list(_query(engine, SIGNATURES_SQL, "signatures", signatures, best))
    found = method.estimates([signature.value] * len(rows), [row["value"] for row in rows]) if rows else []
    pairs = zip(rows, found, strict=True)
    return {row["id"]: value for row, value in pairs if value >= method.similarity}


def _sharing(corpus: CorpusFolder, engine: Engine, text: str) -> dict[int, int]:
    """How many words of whole sentences documents share with the text."""
    table = _table(corpus, "sentences", FindPassages().outputs["sentences"])
    if not table.files:
        raise UserError(
            "The corpus has no table of sentences to look a text up in.",
            "Make it with `corpulyzer dedup`; a later one adds only what is new.",
        )
    keys = sorted({sentence_key(sentence) for sentence in _sentences(corpus, text)})
    shared: dict[int, int] = {}
    for row in _query(engine, SENTENCES_SQL, "sentences", table, keys):
        shared[row["id"]] = shared.get(row["id"], 0) + row["shared"]
    return shared


def _sentences(corpus: CorpusFolder, text: str) -> list[str]:
    """The sentences of a text, cut as those of the corpus are, whatever their language."""
    if "sentences" in corpus.config.filter.document:
        return [piece.text for piece in corpus.config.identify.sentences.pieces(text)]
    return sentences(text, corpus.language, learned_stops(corpus.home))


def _table(corpus: CorpusFolder, name: str, schema: pa.Schema) -> Dataset:
    return Table(corpus.home, f"{FOLDER}/{name}").dataset(schema)


def _query(
    engine: Engine, sql: str, name: str, table: Dataset, keys: Sequence[int]
) -> Iterator[dict[str, Any]]:
    for start in range(0, len(keys), KEYS_AT_ONCE):
        some = ", ".join(map(str, keys[start : start + KEYS_AT_ONCE]))
        yield from engine.query(sql.format(keys=some), {name: table}).to_pylist()
