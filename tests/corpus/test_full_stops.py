"""What a corpus shows of its full stops: learned from its first documents, and kept until they change."""

import json

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.full_stops import FILE, _first_parts, learn_stops, learned_stops
from corpulyzer.engine.derived import Part
from corpulyzer.jobs.analyze.run import bench_of
from corpulyzer.jobs.dedup.current_labels import labels_mark, steps_of
from corpulyzer.text.abbreviations import Learned

PROSE = (
    "Tijekom prošloga tjedna je kop. Tarak donio {n} kilograma jabuka na zagrebačku tržnicu i prodavao ih ljudima. "
    "Potom je kop. Marin kupio dvije jabuke, sjeo na klupu kraj rijeke i čekao vlak koji nije stigao na vrijeme. "
    "Nakon toga je kop. Tarak otišao kući, budući da je cijeli dan padala kiša i puhao vrlo jak vjetar, a cesta prema selu bila je zatvorena."
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, engine):
    folder = tmp_path_factory.mktemp("stops")
    rows = [{"url": f"https://a.example/{n}", "text": PROSE.format(n=n)} for n in range(20)]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    create("hrv", folder / "web")
    made = open_corpus(folder / "web", {"engine.workers": 1})
    made.import_(str(folder / "rows.jsonl"), engine=engine)
    return made


def parts_of(*rows):
    return [Part(f"{n}", f"{n}", f"v{n}", count) for n, count in enumerate(rows)]


def test_the_first_parts_up_to_a_power_of_two_are_learned_from():
    assert _first_parts(parts_of(500, 500), least=1024) == []
    assert len(_first_parts(parts_of(1000, 24, 500), least=1024)) == 2
    assert len(_first_parts(parts_of(1000, 24, 1000, 23), least=1024)) == 2
    assert len(_first_parts(parts_of(1000, 24, 1000, 24), least=1024)) == 4
    assert len(_first_parts(parts_of(*[2000] * 1000), least=1024)) == 9


def test_it_is_learned_once_and_read_by_all_that_cuts_sentences(corpus):
    storage = corpus.storage
    assert learned_stops(storage) is None
    before = labels_mark(corpus, [], "sentence"), labels_mark(corpus, [], "near")
    learned = learn_stops(storage, "hrv", least=16)
    assert learned is not None
    assert "kop" in learned.abbreviations
    assert learned_stops(storage) == learned
    assert steps_of(corpus)["passages"].learned == learned
    after = labels_mark(corpus, [], "sentence"), labels_mark(corpus, [], "near")
    assert after[0] != before[0], "sentences are cut anew"
    assert after[1] == before[1], "near duplicates know no sentences"
    stored = json.loads(storage.read(FILE))
    storage.write(
        FILE, json.dumps({**stored, "learned": {"abbreviations": ["left", "as", "it", "is"]}}).encode()
    )
    assert learn_stops(storage, "hrv", least=16) == Learned(("left", "as", "it", "is"))
    storage.write(FILE, json.dumps({**stored, "of": "something else"}).encode())
    assert learn_stops(storage, "hrv", least=16) == learned


def test_a_small_corpus_learns_nothing(corpus, engine):
    learn_stops(corpus.storage, "hrv", least=16)
    assert bench_of(corpus, engine).learned is not None
    assert learn_stops(corpus.storage, "hrv") is None
    assert not corpus.storage.exists(FILE)
    assert bench_of(corpus, engine).learned is None
