"""Every measure of text gives equal results on one machine and on Spark, in however many parts."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of

from corpulyzer.measure.compare.words import compare_words
from corpulyzer.measure.growth import laws
from corpulyzer.measure.pages import rejects
from corpulyzer.measure.quality import confusables, documents, machine_translation, pii
from corpulyzer.measure.text import readability
from corpulyzer.measure.words import frequency, keywords, scripts, topics, vocabulary

pytestmark = pytest.mark.slow
PANELS = (
    *(
        vocabulary,
        frequency,
        laws,
        topics,
        keywords,
        documents,
        scripts,
        confusables,
        machine_translation,
        pii,
    ),
    *(readability, rejects),
)


def pages():
    made = []
    for n in range(80):
        text = f"Riječ{n % 11} je ovdje, a kuća {n % 5} stoji. Piši na ime{n}@primjer.hr ili 2{n}!"
        made.append(
            Made(
                [text, f"Druga rečenica broj {n % 3}.", ("some English", "eng"), ("реч по реч", "srp")],
                site=f"s{n % 7}.hr",
                reason=("", "", "", "length", "encoding")[n % 5],
                confidence=(n % 10) / 10,
                machine_translation="gtranslate_comment" if n % 13 == 0 else "",
                name=f"p{n}",
            )
        )
    return made


def test_every_panel_is_equal_on_spark(engine, spark, tmp_path):
    reference = tmp_path / "list.tsv"
    reference.write_text("je 50\nkuća 7\nselo 30\n", "utf-8")
    here = bench_of(tmp_path / "local", engine, pages(), reference=str(reference))
    there = bench_of(tmp_path / "spark", spark, pages()[::-1], files=3, reference=str(reference))
    for panel in PANELS:
        for one, two in zip(panel.measure(here), panel.measure(there), strict=True):
            assert one.to_json() == two.to_json(), one.name
    found = [compare_words({"a": bench, "b": bench}) for bench in (here, there)]
    assert [each.to_json() for each in found[0]] == [each.to_json() for each in found[1]]
