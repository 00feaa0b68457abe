"""Which topics of one corpus others have too (HR-13, HR-19).

In one language by names given by hand or by common words. Across languages by names, or by a list of lemmas
that translate each other: the words that two languages share are names and fillers, which tell no topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.topic_fits import Topic
from corpulyzer.measure.words.topics import is_same, match_topics, same_name, similarity, topics_of
from corpulyzer.storage import open_input

KINDS = {
    "corpus": "string",
    "topic": "string",
    "share": "double",
    "other_corpus": "string",
    "other_topic": "string",
    "other_share": "double",
    "similarity": "double",
    "same": "bool",
    "by": "string",
}


@dataclass(frozen=True, slots=True)
class LemmaPairs:
    """Lemmas of two languages that translate each other."""

    codes: tuple[str, str]
    pairs: frozenset[tuple[str, str]]

    def similarity(self, one: Topic, other: Topic) -> float:
        """1 for the same name, else the Jaccard similarity of words, where two that are a pair count as one.

        >>> pairs = LemmaPairs(("hrv", "slv"), frozenset({("škola", "šola"), ("more", "morje")}))
        >>> pairs.similarity(Topic(1, 0.5, ("škola", "rad")), Topic(2, 0.5, ("šola", "delo")))
        0.3333333333333333
        """
        if same_name(one, other):
            return 1.0
        taken: set[str] = set()
        for word in one.words:
            found = [each for each in other.words if each not in taken and (word, each) in self.pairs]
            taken.update(found[:1])
        size = len(set(one.words)) + len(set(other.words)) - len(taken)
        return len(taken) / size if size else 0.0

    def turned(self) -> LemmaPairs:
        """The same pairs, seen from the other language."""
        return LemmaPairs(self.codes[::-1], frozenset(pair[::-1] for pair in self.pairs))


def read_pairs(path: str) -> LemmaPairs:
    """A list of lemma pairs: a line with the codes of both languages, then lines `lemma<tab>lemma`."""
    with open_input(path) as file:
        lines = bytes(file.read()).decode("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    if not rows or any(len(row) != 2 for row in rows):
        raise UserError(
            f"{path} is no list of lemma pairs.",
            "Its first line has the codes of two languages, such as hrv<tab>slv, all others a lemma of each.",
        )
    one, other = (Language.find(code.strip()).code for code in rows[0])
    return LemmaPairs((one, other), frozenset((a.strip().lower(), b.strip().lower()) for a, b in rows[1:]))


def compare_topics(benches: Mapping[str, Bench]) -> Result:
    """The topics of each two corpora, matched one to one, the most alike first."""
    topics = {name: topics_of(bench)[0] for name, bench in benches.items()}
    lists = [read_pairs(bench.lemma_pairs) for bench in benches.values() if bench.lemma_pairs]
    rows: list[dict[str, Any]] = []
    told, warnings = [], []
    for one, other in combinations(topics, 2):
        codes = benches[one].language.code, benches[other].language.code
        pairs = _matched((one, topics[one]), (other, topics[other]), codes, lists)
        alike = sum(1 for pair in pairs if pair["same"])
        told.append(f"{alike} of the {len(topics[one])} topics of {one} are in {other} too")
        rows += pairs
        connected = _pairs_for(codes, lists) or _both_named(topics[one], topics[other])
        if codes[0] != codes[1] and not connected:
            warnings.append(
                f"{one} and {other} are in two languages: give their topics names (analyze.topic_names), or "
                "give a list of lemma pairs (analyze.lemma_pairs), to match them by."
            )
    return Result(
        name="topic_matches",
        title="Topics in several corpora",
        definition="Topics of two corpora matched one to one: by the names that people gave them; in one "
        "language also by common words, in two by lemmas that translate each other (Jaccard similarity of "
        "the ten most probable). Topics in two languages that nothing connects are left out.",
        citation="Ljubešić & Erjavec 2011, Table 3 (HR-13, HR-19)",
        rows=table_of(rows, KINDS),
        summary="; ".join(told) + "."
        if all(topics.values())
        else "There is too little text for topics in both.",
        parameters={
            "topics": {name: bench.topics for name, bench in benches.items()},
            "seed": next(iter(benches.values())).seed,
        },
        warnings=tuple(warnings),
    )


def _matched(
    one: tuple[str, Sequence[Topic]],
    other: tuple[str, Sequence[Topic]],
    codes: tuple[str, str],
    lists: Sequence[LemmaPairs],
) -> list[dict[str, Any]]:
    by, alike = "words", similarity
    if codes[0] != codes[1]:
        pairs = _pairs_for(codes, lists)
        by, alike = ("lemma pairs", pairs.similarity) if pairs else ("names", same_name)
    found: list[dict[str, Any]] = [
        {
            "corpus": one[0],
            "topic": _name(a),
            "share": a.share,
            "other_corpus": other[0],
            "other_topic": _name(b),
            "other_share": b.share,
            "similarity": value,
            "same": is_same(value),
            "by": "names" if same_name(a, b) else by,
        }
        for a, b, value in match_topics(one[1], other[1], alike)
        if value or codes[0] == codes[1]
    ]
    return sorted(found, key=lambda row: (-row["similarity"], -row["share"]))


def _pairs_for(codes: tuple[str, str], lists: Sequence[LemmaPairs]) -> LemmaPairs | None:
    """The list of pairs of two languages, whichever comes first in it."""
    found = [each for pairs in lists for each in (pairs, pairs.turned()) if each.codes == codes]
    return LemmaPairs(codes, frozenset().union(*(each.pairs for each in found))) if found else None


def _both_named(one: Sequence[Topic], other: Sequence[Topic]) -> bool:
    return any(topic.name for topic in one) and any(topic.name for topic in other)


def _name(topic: Topic) -> str:
    return topic.name or ", ".join(topic.words[:3])
