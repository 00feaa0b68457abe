"""Which rows of the index are wanted: by language, host and top-level domain, before anything is read."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal

import xxhash

from corpulyzer.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.dataset as ds

# The index names languages as CLD2 does: one Norwegian, which we call Bokmål.
_ALSO = {"nob": ("nor",)}

MOST_NAMED = 4
"""So many languages are named in the name of a filter; of more, how many they are."""

Rank = Literal["any", "first", "only"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The rows to take: a page with status 200 that has one of the languages, on a host or domain.

    `rank` is where a language must stand among the three that the index names: anywhere, first, or alone
    (CZ-3). `language` has the codes of all with a plus between them. An empty field restricts nothing.
    """

    language: str = ""
    rank: Rank = "any"
    hosts: tuple[str, ...] = ()
    tlds: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A short name for this filter, the same in every run."""
        text = json.dumps(asdict(self), sort_keys=True)
        several = self.language.count("+") + 1
        name = self.language if several <= MOST_NAMED else f"{several}-languages"
        return f"{name or 'all'}-{self.rank}-{xxhash.xxh3_64_hexdigest(text.encode())[:8]}"

    @property
    def restriction(self) -> str:
        """In words, to which pages of the language the filter keeps; empty if it takes all of them.

        >>> Wanted("urd", "first", tlds=("pk", "in")).restriction
        'below .pk or .in, with the language in the first place'
        """
        places = [*self.hosts, *(f".{tld}" for tld in self.tlds)]
        ranks = {"any": "", "first": "with the language in the first place", "only": "in no other language"}
        return ", ".join(filter(None, (f"below {' or '.join(places)}" if places else "", ranks[self.rank])))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that stand for the languages in the index."""
        ours = self.language.split("+") if self.language else ()
        return tuple(code for each in ours for code in (each, *_ALSO.get(each, ())))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that decide."""
        chosen = ["fetch_status"]
        chosen += ["content_languages"] if self.language else []
        chosen += ["url_host_name", "url_surtkey"] if self.hosts else []
        chosen += ["url_host_tld", "url_surtkey"] if self.tlds else []
        return tuple(dict.fromkeys(chosen))

    def bounds(self) -> ds.Expression | None:
        """The range of keys that can match; as the index is sorted by them, it rules out most row groups.

        >>> str(Wanted(tlds=("pk",)).bounds())
        '((url_surtkey >= "pk)") and (url_surtkey < "pk;"))'
        """
        import pyarrow.compute as pc

        key = pc.field("url_surtkey")
        # Behind the host come `)`, `,` or `:`, and these are all before `;`.
        reversed_names = [",".join(reversed(name.split("."))) for name in (*self.hosts, *self.tlds)]
        spans = [(key >= f"{name})") & (key < f"{name};") for name in reversed_names]
        return reduce(or_, spans) if spans else None

    def mask(self, batch: pa.RecordBatch) -> Any:
        """Which rows of a batch with `columns` are wanted."""
        import pyarrow.compute as pc

        found: Any = _equal(batch.column("fetch_status"), 200)
        if self.language:
            found = pc.and_(found, self._speaks(batch.column("content_languages")))
        if self.hosts or self.tlds:
            found = pc.and_(found, self._lies(batch))
        return pc.fill_null(found, False)

    def takes(self, status: int, languages: str, host: str) -> bool:
        """Whether a single row is wanted: the same as `mask`."""
        codes = languages.split(",")
        spoken = {
            "any": any(code in codes for code in self.codes),
            "first": codes[0] in self.codes,
            "only": languages in self.codes,
        }
        there = any(host == name or host.endswith(f".{name}") for name in (*self.hosts, *self.tlds))
        nowhere_named = not (self.hosts or self.tlds)
        return status == 200 and (not self.language or spoken[self.rank]) and (nowhere_named or there)

    def _speaks(self, languages: Any) -> Any:
        """Whether the language has the wanted rank; codes have three letters, so a match is a whole code."""
        import pyarrow.compute as pc

        tests: dict[str, Any] = {"any": pc.match_substring, "first": pc.starts_with, "only": _equal}
        return reduce(pc.or_kleene, (tests[self.rank](languages, code) for code in self.codes))

    def _lies(self, batch: pa.RecordBatch) -> Any:
        import pyarrow.compute as pc

        tests: list[Any] = [_equal(batch.column("url_host_tld"), tld) for tld in self.tlds]
        for host in self.hosts:
            names = batch.column("url_host_name")
            tests += [_equal(names, host), pc.ends_with(names, f".{host}")]
        return reduce(pc.or_kleene, tests)


def _equal(column: Any, value: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.equal(column, pa.scalar(value, column.type))


def read_wanted(note: Mapping[str, Any]) -> Wanted:
    """The filter that the note beside its rows tells of."""
    told = note["wanted"]
    return Wanted(told["language"], told["rank"], tuple(told["hosts"]), tuple(told["tlds"]))


def wanted(
    languages: Collection[str], rank: str, hosts: tuple[str, ...] = (), tlds: tuple[str, ...] = ()
) -> Wanted:
    """What a user asks for, checked."""
    if rank not in ("any", "first", "only"):
        raise UserError(f"--rank {rank} is not possible.", "Write --rank any, first or only.")
    return Wanted(
        "+".join(sorted(languages)),
        rank,  # type: ignore[arg-type]
        tuple(sorted({host.lower().strip(". ") for host in hosts})),
        tuple(sorted({tld.lower().strip(". ") for tld in tlds})),
    )
