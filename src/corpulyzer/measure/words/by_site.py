"""How often frequent words are used on each site: a sum that is kept, with the counts that came since.

How evenly a word is spread follows from all its sites, and cannot be added up. So the uses of the most
frequent words are summed once, for more of them than are asked for, and the sum lies beside the counts of
text. It holds as long as parts were only added to these, fewer rows than it is of, and no other word has
become frequent.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.engine import Dataset
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.workbench import Workbench, files_of, stored
from corpulyzer.measure.text.count_records import RECORDS
from corpulyzer.measure.text.counts import FOLDER as TEXT
from corpulyzer.records.columns import schema_of
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.engine.derived import Part
    from corpulyzer.measure.bench import Bench

FOLDER = "by_site"
STATE = f"{FOLDER}/state.json"
WORDS = "words"
SPARE = 2
"""So many times as many words are summed as are asked for."""
MOST_ADDED = 0.5
BY_SITE_SQL = """
select v.word, s.site, s.tokens
from (select f.place, w.site, sum(w.tokens) as tokens
      from words as w join frequent as f on w.word = f.word where w.target = 1
      group by f.place, w.site having sum(w.tokens) > 0) as s
join frequent as v on s.place = v.place
"""


class BySite(NamedTuple):
    """The sum (`word`, `site`, `tokens`), and the counts of words that are to be added to it."""

    summed: Dataset
    added: Dataset


def words_by_site(bench: Bench, frequent: Dataset, words: Sequence[str]) -> BySite:
    """The uses of the first of the `frequent` words (`word`, `place`), which are `words`, on each site."""
    storage = Storage(Storage(bench.lasting or bench.folder).path(TEXT))
    table = Table(storage, WORDS)
    parts = {part.name: part for part in table.parts()}
    kept = _kept(storage)
    if kept is None or not _holds(kept, parts, words):
        kept = _summed(bench, storage, table, frequent, parts)
    added = [table.path(name) for name in sorted(parts) if name not in kept["parts"]]
    schema = schema_of(RECORDS[WORDS])
    return BySite(stored(storage, kept["file"]), Dataset(tuple(added), schema))


def _holds(kept: dict[str, Any], parts: dict[str, Part], words: Sequence[str]) -> bool:
    known: dict[str, str] = kept["parts"]
    if not known.items() <= {name: part.version for name, part in parts.items()}.items():
        return False
    added = sum(part.rows for name, part in parts.items() if name not in known)
    most = MOST_ADDED * sum(part.rows for part in parts.values())
    return added <= most and set(words) <= set(kept["words"])


def _summed(
    bench: Bench, storage: Storage, table: Table, frequent: Dataset, parts: dict[str, Part]
) -> dict[str, Any]:
    """Sum up all parts, and note of which the sum is."""
    work = Workbench(bench.engine, storage, FOLDER)
    known = {name: part.version for name, part in parts.items()}
    rows = work.rows("select word from frequent order by word nulls last", frequent=frequent)
    words = [row["word"] for row in rows]
    file = f"{FOLDER}/{digest([known, words])}.parquet"
    all_parts = Dataset(tuple(map(table.path, sorted(parts))), schema_of(RECORDS[WORDS]))
    work.spread_at(file, BY_SITE_SQL, words=all_parts, frequent=frequent)
    kept = {"file": file, "parts": known, "words": words}
    storage.write(STATE, json.dumps(kept, ensure_ascii=False).encode())
    stay = set(files_of(storage, file))
    for other in storage.list(FOLDER, ".parquet"):
        if other not in stay:
            storage.delete(other)
    return kept


def _kept(storage: Storage) -> dict[str, Any] | None:
    """What was summed last; None where nothing was, or what is there cannot be read."""
    try:
        kept: dict[str, Any] = json.loads(storage.read_if_there(STATE) or b"{}")
        return kept if files_of(storage, kept["file"]) and kept["parts"] and kept["words"] else None
    except (ValueError, KeyError, TypeError):
        return None
