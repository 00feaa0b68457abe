"""Which topics of one corpus others have too: by names given by hand, else by common words (HR-13, HR-19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.topics import TOPICS, Topic, match_topics, same, topics_of

KINDS = {
    "corpus": "string",
    "topic": "string",
    "share": "double",
    "other_corpus": "string",
    "other_topic": "string",
    "other_share": "double",
    "similarity": "double",
    "same": "bool",
}


def compare_topics(benches: Mapping[str, Bench]) -> Result:
    """The topics of each two corpora, matched one to one, the most alike first."""
    topics = {name: topics_of(bench)[0] for name, bench in benches.items()}
    rows, told = [], []
    for one, other in combinations(topics, 2):
        pairs = _matched(one, topics[one], other, topics[other])
        alike = sum(1 for pair in pairs if pair["same"])
        told.append(f"{alike} of the {len(topics[one])} topics of {one} are in {other} too")
        rows += pairs
    languages = {bench.language.code for bench in benches.values()}
    return Result(
        name="topic_matches",
        title="Topics in several corpora",
        definition="Topics of two corpora matched one to one, by the names that people gave them or by "
        "common words (Jaccard similarity of the ten most probable).",
        citation="Ljubešić & Erjavec 2011, Table 3 (HR-13, HR-19)",
        rows=table_of(rows, KINDS),
        summary="; ".join(told) + "." if rows else "There is too little text for topics in both.",
        parameters={"topics": TOPICS, "seed": next(iter(benches.values())).seed},
        warnings=("Corpora in two languages share no words: give their topics names to match them by.",)
        if len(languages) > 1
        else (),
    )


def _matched(one: str, own: Sequence[Topic], other: str, theirs: Sequence[Topic]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "corpus": one,
            "topic": _name(a),
            "share": a.share,
            "other_corpus": other,
            "other_topic": _name(b),
            "other_share": b.share,
            "similarity": value,
            "same": same(a, b),
        }
        for a, b, value in match_topics(own, theirs)
    ]
    return sorted(found, key=lambda row: (-row["similarity"], -row["share"]))


def _name(topic: Topic) -> str:
    return topic.name or ", ".join(topic.words[:3])
