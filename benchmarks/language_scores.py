"""Two hundred languages as pages through one corpus: precision and recall by language, learned thresholds.

    python benchmarks/language_scores.py [--sentences 10] [--every 5] [--keep DIR] [--json FILE]

The pages are made of the sentences of FLORES in `lid.tar.gz` of ../shared/data, so many sentences a page.
They go into a corpus of all languages as HTML, and are read, extracted, identified and judged as any page is;
the language of a document is then compared with that of the file it is from. Thresholds are learned of every
language with at least a hundred documents. Every fifth page then goes into a corpus of each of twelve
languages alone, and F1 is compared on these pages.
"""

from __future__ import annotations

import argparse
import io
import json
import tarfile
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from batch import SHARED
from corpulyzer.lab.evaluate.identification import Evaluation
from corpulyzer.language import Language
from corpulyzer.page.identify.training.samples import code_in
from languages import TWELVE

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.measure.pages.learned_thresholds import LearnedThresholds

SET = "lid/flores/"
WANTED = 0.01


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sentences", type=int, default=10, help="sentences of a page")
    parser.add_argument("--every", type=int, default=5, help="of how many pages one is in the corpora of one")
    parser.add_argument("--keep", type=Path, help="folder in which the corpus of all languages stays")
    parser.add_argument("--json", type=Path, help="file for the answers and thresholds")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), asked.sentences, asked.every, asked.keep, asked.json)


def run(folder: Path, sentences: int, every: int, keep: Path | None, to: Path | None) -> None:
    """Make the corpora, and print what was found."""
    pages = dict(made_pages(sentences))
    some = {url: body for number, (url, body) in enumerate(pages.items()) if number % every == 0}
    languages = {true_of(url) for url in pages}
    print(f"{len(pages):,} pages of {sentences} sentences in {len(languages)} languages", flush=True)
    corpus = imported(["all"], pages, keep or folder / "all")
    learned = corpus.learn_thresholds()
    found = given(corpus, pages)
    print_languages(found, {each.language: each for each in learned})
    among = given(corpus, some)
    alone = {
        code: given(imported([code], some, folder / code), some).of(code).f1
        for code in (Language.find(name).code for name in TWELVE)
    }
    print_alone({code: among.of(code).f1 for code in alone}, alone)
    if to is not None:
        answers = [[*pair, count] for pair, count in sorted(found.answers.items())]
        told = {"answers": answers, "alone": alone, "thresholds": [each.to_json() for each in learned]}
        to.write_text(json.dumps(told, indent=1) + "\n")


def made_pages(sentences: int) -> Iterator[tuple[str, bytes]]:
    """Addresses with their pages, a site for each file of the set."""
    with tarfile.open(SHARED.parent / "lid.tar.gz") as sets:
        wanted = (it for it in sets if it.name.startswith(SET) and it.name.endswith(".txt"))
        files = {Path(it.name).stem: stored.read() for it in wanted if (stored := sets.extractfile(it))}
    for name in sorted(files):
        lines = files[name].decode().splitlines()
        for first in range(0, len(lines) - sentences + 1, sentences):
            texts = "".join(f"<p>{line}</p>" for line in lines[first : first + sentences])
            body = f'<meta charset="utf-8"><title>{first}</title><article>{texts}</article>'
            yield f"https://{name.replace('_', '-')}.example/{first}", body.encode()


def true_of(url: str) -> str:
    """The language of a page that was made here."""
    return _code(url.partition("://")[2].partition(".")[0])


_code = cache(code_in)


def imported(languages: list[str], pages: Mapping[str, bytes], into: Path) -> Corpus:
    """A corpus of these pages."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    from corpulyzer.api.corpus import create, open_corpus

    create(languages=languages, folder=into)
    archive = into / "pages.warc.gz"
    with archive.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, body in pages.items():
            http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=http)
            )
    corpus = open_corpus(into, {"engine.workers": 1})
    corpus.import_(str(archive))
    return corpus


def given(corpus: Corpus, pages: Collection[str]) -> Evaluation:
    """The languages that documents of these pages were given, whatever the filters say of their texts."""
    answers: Counter[tuple[str, str]] = Counter()
    for batch in corpus.documents.batches(["url", "language"]):
        for row in batch.to_pylist():
            if row["url"] in pages:
                answers[true_of(row["url"]), row["language"]] += 1
    return Evaluation("corpus", answers, 0, 0.0)


def print_languages(found: Evaluation, learned: Mapping[str, LearnedThresholds]) -> None:
    """A row a language, the worst first, and the means."""
    keys = list(next(iter(learned.values())).thresholds) if learned else []
    print(f"| language | pages | precision | recall | F1 | {' | '.join(keys)} |")
    print("|---|" + "--:|" * (4 + len(keys)))
    scores = sorted((found.of(code) for code in found.codes), key=lambda it: (it.f1, it.code))
    for it in scores:
        pages = sum(count for (true, _), count in found.answers.items() if true == it.code)
        own = learned[it.code].thresholds.values() if it.code in learned else [""] * len(keys)
        values = " | ".join(map(str, own))
        print(f"| {it.code} | {pages} | {it.precision:.3f} | {it.recall:.3f} | {it.f1:.3f} | {values} |")
    means = [
        sum(values) / len(scores)
        for values in zip(*((it.precision, it.recall, it.f1) for it in scores), strict=True)
    ]
    names = ("precision", "recall", "F1")
    shown = ", ".join(f"{name} {mean:.3f}" for name, mean in zip(names, means, strict=True))
    print(f"Means of {len(scores)} languages: {shown}.")
    print(f"Thresholds were learned for {len(learned)} languages.")


def print_alone(among: Mapping[str, float], alone: Mapping[str, float]) -> None:
    """F1 of some languages in the corpus of all, and in one of their own."""
    print("\n| language | F1 among all | F1 alone | difference |")
    print("|---|--:|--:|--:|")
    for code, own in alone.items():
        print(f"| {code} | {among[code]:.3f} | {own:.3f} | {among[code] - own:+.3f} |")
    worst = min(among[code] - own for code, own in alone.items())
    print(f"The largest loss is {max(0.0, -worst):.3f}; at most {WANTED} is wanted.")


if __name__ == "__main__":
    main()
