"""When topics have converged: likelihood, and topics that are those of the end, by iteration, on real texts.

    python benchmarks/topics.py LANGUAGE TEXTS.jsonl … [--most 2000]

Each line of a file is a document with its `text`. Topics are the same if three of their ten words are. Beside
the fit stand another seed and half of the documents, each after as many iterations and at its own end: more
than these agree at the end, no fit can agree with them before it. The last lines say where the rule stops.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

from corpulyzer.language import Language
from corpulyzer.measure.text.passage import words_of
from corpulyzer.measure.text.target_text import fold
from corpulyzer.measure.words import topic_fits
from corpulyzer.measure.words.topic_fits import Topic, fit
from corpulyzer.measure.words.topic_words import dictionary_of, lemma_of, without_function_words
from corpulyzer.measure.words.topics import is_same, match_topics

STEPS = (50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000)
LEAST_CHARACTERS = 300
Documents = list[list[str]]


def documents_of(language: Language, files: list[Path], most: int) -> Documents:
    """The words of texts that carry topics."""
    rows = (json.loads(line) for file in files for line in file.read_text("utf-8").strip().split("\n"))
    texts = [row["text"] for row in rows if len(row.get("text") or "") > LEAST_CHARACTERS]
    random.Random(1).shuffle(texts)
    words = [words_of(fold(text, language), language) for text in texts[:most]]
    if dictionary := dictionary_of(language):
        words = [[lemma_of(word, dictionary) for word in each] for each in words]
    return without_function_words(words, language)


def chain(documents: Documents, seed: int) -> list[tuple[float, list[Topic]]]:
    """Likelihood and topics after each of the steps, of one fit."""
    model = topic_fits.model_of(documents, seed, topic_fits.TOPICS)
    found, done = [], 0
    for step in STEPS:
        model.train(step - done, workers=1)
        done = step
        found.append((model.ll_per_word, topic_fits.largest_first(model)))
    return found


def alike(one: list[Topic], other: list[Topic]) -> str:
    """How many topics are the same, and the mean Jaccard similarity of their words."""
    pairs = match_topics(one, other)
    same = sum(is_same(value) for *_, value in pairs)
    return f"{same:3} {sum(value for *_, value in pairs) / len(pairs):5.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("language")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=2_000)
    asked = parser.parse_args()
    documents = documents_of(Language.find(asked.language), asked.files, asked.most)
    half = documents[: len(documents) // 2]
    print(f"{len(documents):,} documents, {sum(map(len, documents)):,} words", flush=True)
    own, other, less = (chain(texts, seed) for texts, seed in ((documents, 1), (documents, 2), (half, 1)))
    print("after  likelihood   own end   other seed: then, end    half: then, end")
    for place, step in enumerate(STEPS):
        likelihood, topics = own[place]
        told = [alike(topics, end) for end in (own[-1][1], other[place][1], other[-1][1])]
        print(
            f"{step:5} {likelihood:11.4f} ", *told, alike(topics, less[place][1]), alike(topics, less[-1][1])
        )
    for name, texts in (("all", documents), ("half", half)):
        start = time.process_time()
        fitted = fit(texts, seed=1)
        cost = time.process_time() - start
        end = own if name == "all" else less
        print(
            f"{name}: stopped after {fitted.iterations}, {fitted.end:.4f}, {cost:.1f} CPU-s;",
            f"own end {alike(list(fitted.topics), end[-1][1])},",
            f"other seed's end {alike(list(fitted.topics), other[-1][1])}",
        )


if __name__ == "__main__":
    main()
