"""Masked exports: nothing that the measure counts is left, in any format, and all else is as it was."""

import gzip
import json
from hashlib import md5
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.errors import UserError
from corpulyzer.export import FORMATS
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.text import tokens
from corpulyzer.text.traces import KINDS, Traces, traces

ALL = ",".join(KINDS)
SECRETS = ("ana.horvat@primjer.hr", "+385 1 234-5678", "192.168.0.17", "4111 1111 1111 1111")
COUNTS = {"email": 2, "phone": 1, "ip": 1, "card": 1}


def texts():
    from random import Random

    plain = [Prose("hrv").paragraph(Random(n)) for n in range(8)]
    told = f"Pišite na {SECRETS[0]} ili nazovite {SECRETS[1]}, pa opet na {SECRETS[0]}."
    more = f"Račun {SECRETS[3]} plaćen je s adrese {SECRETS[2]} prošle godine."
    return {"/a": "\n".join((plain[0], told, *plain[1:4])), "/b": "\n".join((more, *plain[4:]))}


@pytest.fixture(scope="module")
def corpus(engine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    rows = [
        {
            "url": f"https://primjer.example{path}",
            "text": text,
            "author": SECRETS[0],
            "record": "4111111111111111",
        }
        for path, text in texts().items()
    ]
    file = folder / "pages.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    create("hrv", folder / "web")
    made = open_corpus(folder / "web", {"engine.workers": 1, "annotate.method": "plain"})
    made.import_(file, engine=engine)
    made.annotate(engine=engine)
    return made


def written(folder):
    """All that stands in the files of an export, but for its manifest, unpacked."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_dir() or path.name == "manifest.json":
            continue
        raw = path.read_bytes()
        if path.suffix == ".zst":
            raw = zstandard.ZstdDecompressor().stream_reader(raw).read()
        elif path.suffix == ".gz":
            raw = gzip.decompress(raw)
        elif path.suffix == ".parquet":
            raw = json.dumps(pq.read_table(path).to_pylist(), ensure_ascii=False, default=str).encode()
        found[path.name] = raw.decode()
    return found


MASKED = [name for name in FORMATS.ours if name != "delta"]
"""All formats but the one that hands on files as they are, and takes no mask."""


@pytest.mark.parametrize("format", MASKED)
def test_no_format_shows_what_is_masked(corpus, engine, format, tmp_path):
    content = {"content": "text"} if format == "warc" else {}
    made = corpus.export(format, tmp_path / "out", mask=ALL, engine=engine, **content)
    files = written(tmp_path / "out")
    for name, text in files.items():
        assert not any(secret in text for secret in (*SECRETS, "horvat", "1111 1111")), name
    assert made.manifest["people"] == COUNTS and made.manifest["masked"] == tuple(KINDS)
    assert made.offer() == ""


def test_the_texts_of_a_masked_export_count_none(corpus, engine, tmp_path):
    corpus.export("jsonl", tmp_path / "plain", engine=engine)
    corpus.export("jsonl", tmp_path / "masked", mask=ALL, engine=engine)
    plain, hidden = (
        {
            row["id"]: row
            for row in map(json.loads, written(tmp_path / name)["train-00000.jsonl.zst"].splitlines())
        }
        for name in ("plain", "masked")
    )
    assert plain.keys() == hidden.keys(), "ids never change"
    assert sum(sum(vars_of(traces(row["text"]))) for row in plain.values()) == sum(COUNTS.values())
    for key, row in hidden.items():
        before = plain[key]
        assert traces(row["text"]) == traces(row["author"]) == Traces()
        assert row["text_digest"] == md5(row["text"].encode()).hexdigest()
        assert (row["text_bytes"], row["tokens"]) == (len(row["text"].encode()), len(tokens(row["text"])))
        shrunk = before["text_bytes"] - row["text_bytes"]
        assert before["target_bytes"] - row["target_bytes"] == shrunk, "every paragraph is in the language"
        lines = [row["text"][span["start"] : span["end"]] for span in row["paragraphs"]]
        assert lines == row["text"].split("\n") and len(lines) == len(before["paragraphs"])
        assert (row["url"], row["archive"], row["offset"]) == (
            before["url"],
            before["archive"],
            before["offset"],
        )


def vars_of(found):
    return (found.emails, found.phones, found.addresses, found.cards)


def test_annotated_tokens_stand_where_they_say(corpus, engine, tmp_path):
    corpus.export("conllu", tmp_path / "out", mask="email", engine=engine)
    text = written(tmp_path / "out")["train-00000.conllu"]
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    assert [row[1] for row in rows].count("[EMAIL]") == 2
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        said = next(line for line in lines if line.startswith("# text = ")).removeprefix("# text = ")
        words = [line.split("\t") for line in lines if line[:1].isdigit()]
        glued = "".join(row[1] + ("" if "SpaceAfter=No" in row[9] else " ") for row in words)
        assert glued.strip() == said


def test_without_a_mask_the_export_says_what_there_is_and_how_to_mask_it(corpus, engine, tmp_path):
    made = corpus.export("hf", tmp_path / "out", engine=engine)
    assert made.manifest["people"] == COUNTS and made.manifest["masked"] == ()
    assert "2 e-mail addresses" in made.offer() and f"--mask {ALL}" in made.offer()
    card = (tmp_path / "out" / "README.md").read_text()
    assert "In the texts as they are: 2 e-mail addresses" in card


def test_the_card_and_croissant_count_what_was_replaced(corpus, engine, tmp_path):
    made = corpus.export("hf", tmp_path / "out", mask="email,card", engine=engine)
    card = (tmp_path / "out" / "README.md").read_text()
    assert "Replaced in the texts: 2 e-mail addresses by `[EMAIL]`, 1 card numbers by `[CARD]`." in card
    assert "1 phone numbers" in card and made.offer().endswith(
        "--mask email,card,phone,ip puts tokens in their place."
    )
    described = json.loads((tmp_path / "out" / "croissant.json").read_text())
    assert described["rai:personalSensitiveInformation"] in card


def test_pages_as_received_are_not_masked_and_kinds_must_exist(corpus, engine, tmp_path):
    with pytest.raises(UserError, match="as received"):
        corpus.export("warc", tmp_path / "out", mask="email", engine=engine)
    with pytest.raises(UserError, match="cannot be 'name'"):
        corpus.export("text", tmp_path / "out", mask="name", engine=engine)
