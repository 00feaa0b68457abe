"""What a corpus shows of its own full stops: abbreviations, openers of sentences, words after ordinals.

It is learned from the first documents, as many of them as the last power of two has reached, and so only
when the corpus has doubled or its first documents have changed. All that is cut by it is then cut anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from corpulyzer.corpus.without_copies import living_parts
from corpulyzer.engine.derived import Part, holds, made_of
from corpulyzer.language import Language
from corpulyzer.records import int64_hash
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.text.abbreviations import Learned
from corpulyzer.text.learn_stops import StopCounts

if TYPE_CHECKING:
    from corpulyzer.storage import Storage

FILE = "sentences/learned.json"
LEAST_DOCUMENTS = 1_024
MOST_DOCUMENTS = 16_384
ENOUGH_CHARACTERS = 10_000_000


def learned_stops(storage: Storage) -> Learned | None:
    """What was learned last; None where there was too little to learn from."""
    content = storage.read_if_there(FILE)
    if content is None:
        return None
    stored = json.loads(content)["learned"]
    return Learned(**{name: tuple(words) for name, words in stored.items()})


def learn_stops(storage: Storage, language: str, least: int = LEAST_DOCUMENTS) -> Learned | None:
    """What the documents show, learned now if they have doubled or changed since it was."""
    parts = _first_parts(living_parts(storage), least)
    if not parts:
        storage.delete(FILE)
        return None
    code = Language.find(language).code
    of = made_of([part.version for part in parts], fingerprint("full_stops", code))
    if storage.exists(FILE) and holds(json.loads(storage.read(FILE))["of"], of):
        return learned_stops(storage)
    counts = StopCounts(Language.find(language))
    for text in _texts(storage, parts, code):
        counts.add(text)
    learned = counts.learned()
    stored = {"of": of, "learned": asdict(learned)}
    storage.write(FILE, json.dumps(stored, ensure_ascii=False, indent=1).encode())
    return learned


def _first_parts(parts: list[Part], least: int) -> list[Part]:
    """The fewest first parts that have as many rows as the last power of two from `least` up; none below."""
    total = sum(part.rows for part in parts)
    if total < least:
        return []
    wanted = least
    while wanted * 2 <= min(total, MOST_DOCUMENTS):
        wanted *= 2
    chosen: list[Part] = []
    for part in parts:
        if wanted <= 0:
            break
        chosen.append(part)
        wanted -= part.rows
    return chosen


def _texts(storage: Storage, parts: list[Part], code: str) -> Iterator[str]:
    """The distinct paragraphs of kept documents in the language, until there is enough to learn from."""
    import pyarrow.parquet as pq

    read = 0
    seen: set[int] = set()
    for part in parts:
        with storage.open_input(part.file) as stored, pq.ParquetFile(stored) as parquet:
            columns = ["text", "paragraphs", "verdict"]
            for batch in parquet.iter_batches(200, columns=columns, use_threads=False):
                for row in batch.to_pylist():
                    if not row["verdict"]["kept"]:
                        continue
                    for span in row["paragraphs"]:
                        text = row["text"][span["start"] : span["end"]]
                        key = int64_hash(text)
                        if span["language"] == code and key not in seen:
                            seen.add(key)
                            read += len(text)
                            yield text
                if read > ENOUGH_CHARACTERS:
                    return
