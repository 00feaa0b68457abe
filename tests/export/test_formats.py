"""Every format is read by the tool that it is for, and says what the corpus says."""

import json
import subprocess
import sys
from collections import Counter
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard

from corpulyzer.export.formats.shuffled import ranges
from corpulyzer.language import Language
from corpulyzer.text import sentences, tokens

URDU = Language.find("urd")


def files_of(export, suffix):
    return sorted(Path(export.path).rglob(f"*{suffix}"))


def lines_of(path):
    with zstandard.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def documents(corpus):
    return {document.url: document for document in corpus.documents.kept()}


def test_json_lines_hold_every_kept_document(exported, documents):
    (file,) = files_of(exported("jsonl"), ".jsonl.zst")
    rows = lines_of(file)
    assert {row["url"]: row["text"] for row in rows} == {url: d.text for url, d in documents.items()}
    assert len({row["id"] for row in rows}) == len(rows) == len(documents)


def test_datasets_loads_the_folder_with_its_card(exported, documents, tmp_path):
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(exported("hf").path, cache_dir=str(tmp_path))
    assert list(loaded) == ["train"]
    assert dict(zip(loaded["train"]["url"], loaded["train"]["text"], strict=True)) == {
        url: d.text for url, d in documents.items()
    }
    card = (Path(exported("hf").path) / "README.md").read_text("utf-8")
    assert card.startswith("---\n") and f"{len(documents):,} documents" in card


def test_the_card_has_a_header_that_the_hub_can_read(exported):
    hub = pytest.importorskip("huggingface_hub")
    card = hub.DatasetCard.load(Path(exported("hf").path) / "README.md")
    assert card.data.language == ["ur"]
    assert card.data.license == "other"
    assert card.data.pretty_name == "urduweb"


def test_duckdb_and_polars_read_the_parquet(exported, documents):
    import duckdb
    import polars

    pattern = f"{exported('hf').path}/data/*.parquet"
    (total,) = duckdb.sql(f"select sum(tokens) from '{pattern}'").fetchall()[0]
    assert total == sum(document.tokens for document in documents.values())
    frame = polars.read_parquet(pattern)
    assert frame["url"].n_unique() == len(documents)
    licenses = {url: d.license for url, d in documents.items() if d.license_basis != "text"}
    found = dict(zip(frame["url"], frame["license"], strict=True))
    assert {url: found[url] for url in licenses} == licenses


def test_croissant_is_valid_and_its_records_are_the_documents(exported, documents):
    croissant = pytest.importorskip("mlcroissant")
    dataset = croissant.Dataset(f"{exported('croissant').path}/croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    records = list(dataset.records("train-00000"))
    assert {record["train-00000/url"].decode() for record in records} == set(documents)


def test_conllu_is_parsed_and_has_the_same_tokens(exported, documents):
    conllu = pytest.importorskip("conllu")
    (file,) = files_of(exported("conllu"), ".conllu")
    found, url = {}, ""
    with file.open(encoding="utf-8") as opened:
        for sentence in conllu.parse_incr(opened):
            url = sentence.metadata.get("url", url)
            assert sentence.metadata["text"].startswith(sentence[0]["form"])
            found.setdefault(url, []).extend(token["form"] for token in sentence)
    words = {url: [form for form in forms if tokens(form, URDU)] for url, forms in found.items()}
    assert words == {url: tokens(d.text, URDU) for url, d in documents.items()}


def test_spaces_between_tokens_can_be_put_back(exported):
    conllu = pytest.importorskip("conllu")
    (file,) = files_of(exported("conllu"), ".conllu")
    for sentence in conllu.parse(file.read_text("utf-8"))[:500]:
        parts = []
        for token in sentence:
            glued = (token["misc"] or {}).get("SpaceAfter") == "No"
            parts.append(token["form"] + ("" if glued else " "))
        assert "".join(parts).strip() == " ".join(sentence.metadata["text"].split())


def test_prevert_reads_the_vertical_text(exported, documents):
    prevert = pytest.importorskip("prevert")
    (file,) = files_of(exported("vertical"), ".vrt")
    found = {}
    for document in prevert.dataset(str(file), xml=False):
        url = unescape(document.meta["url"])
        lines = []
        for paragraph in document:
            assert paragraph.meta["language"] and 0 <= float(paragraph.meta["quality"]) <= 1
            lines += [line for line in str(paragraph).splitlines() if not line.startswith("<")]
        found[url] = [word for line in lines for word in tokens(unescape(line), URDU)]
        assert unescape(document.meta["title"]) == documents[url].title.replace("\n", " ")
        assert int(document.meta["tokens"]) == documents[url].tokens
    assert found == {url: tokens(d.text, URDU) for url, d in documents.items()}


def test_vertical_text_is_well_formed_and_its_registry_names_what_is_in_it(exported):
    from xml.etree import ElementTree

    (file,) = files_of(exported("vertical"), ".vrt")
    root = ElementTree.fromstring(f"<corpus>{file.read_text('utf-8')}</corpus>")
    registry = (Path(exported("vertical").path) / "registry" / "urduweb").read_text("utf-8")
    assert set(root.find("doc").attrib) == {*registry_attributes(registry, "doc")}
    assert set(root.find("doc/p").attrib) == {*registry_attributes(registry, "p")}
    assert 'RIGHTTOLEFT "1"' in registry and file.name in registry


def registry_attributes(registry, structure):
    inside = registry.split(f"STRUCTURE {structure} {{")[1].split("}")[0]
    return [line.split()[1] for line in inside.strip().splitlines()]


def test_text_in_blocks_has_the_same_tokens(corpus, engine, exported, documents):
    from corpulyzer.export import Options
    from corpulyzer.jobs.export import export

    (file,) = files_of(exported("text"), ".txt")
    blocks = file.read_text("utf-8").strip("\n").split("\n\n")
    assert sorted(blocks) == sorted(d.text for d in documents.values())
    made = export(corpus, engine, "text", options=Options(unit="paragraph", compress="gzip"))
    import gzip

    (file,) = files_of(made, ".txt.gz")
    blocks = gzip.decompress(file.read_bytes()).decode().strip("\n").split("\n\n")
    assert Counter(blocks) == Counter(line for d in documents.values() for line in d.text.split("\n"))


def test_minimal_html_is_an_article_a_document(exported, documents):
    from selectolax.lexbor import LexborHTMLParser

    (file,) = files_of(exported("html"), ".html")
    tree = LexborHTMLParser(file.read_text("utf-8"))
    assert tree.css_first("html").attributes["dir"] == "rtl"
    articles = tree.css("article")
    assert {node.attributes["lang"] for node in (tree.css_first("html"), *articles)} == {"ur"}
    assert [article.attributes["data-url"] for article in articles] == list(documents)
    for article in articles:
        document = documents[article.attributes["data-url"]]
        inside = [node.text() for node in article.css("p, li, td, h2, blockquote, pre, figcaption")]
        assert inside == document.text.split("\n")
    assert not tree.css("script, img, a, style")


def test_warcio_and_fastwarc_read_the_same_pages_with_their_provenance(exported, documents):
    from fastwarc.warc import ArchiveIterator as Fast
    from warcio.archiveiterator import ArchiveIterator

    found = {}
    for file in files_of(exported("warc"), ".warc.gz"):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                if record.rec_type == "warcinfo":
                    continue
                url = record.rec_headers.get_header("WARC-Target-URI")
                document = documents[url]
                assert record.rec_headers.get_header("WARC-Refers-To") == document.record_id
                license = record.rec_headers.get_header("WARC-Corpulyzer-License")
                assert file.name.startswith(f"urd_{license if license != 'none' else 'no-license'}-0")
                found[url] = record.raw_stream.read()
        with file.open("rb") as stream:
            assert sum(record.verify_block_digest() for record in Fast(stream, parse_http=False)) > 1
    assert found.keys() == documents.keys()
    assert any(len(content) == documents[url].raw_bytes for url, content in found.items())


def test_the_indexer_of_web_archives_finds_every_page(exported, documents):
    pytest.importorskip("cdxj_indexer")
    files = [str(file) for file in files_of(exported("warc"), ".warc.gz")]
    command = [sys.executable, "-c", "from cdxj_indexer.main import main; main()", *files]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    urls = [json.loads(line.split(" ", 2)[2])["url"] for line in lines]
    assert sorted(urls) == sorted(documents)


def test_wet_holds_the_texts(exported, documents):
    from warcio.archiveiterator import ArchiveIterator

    found = {}
    for file in files_of(exported("wet"), ".warc.wet.gz"):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "conversion":
                    url = record.rec_headers.get_header("WARC-Target-URI")
                    found[url] = record.content_stream().read().decode()
                    assert record.rec_headers.get_header("WARC-Identified-Content-Language") == "urd"
    assert found == {url: d.text for url, d in documents.items()}


@pytest.mark.parametrize("content, kind", [("html", "minimal-html"), ("text", "text")])
def test_a_warc_of_another_content_says_so_in_its_name(corpus, engine, documents, content, kind):
    from warcio.archiveiterator import ArchiveIterator

    from corpulyzer.export import Options
    from corpulyzer.jobs.export import export

    made = export(corpus, engine, "warc", options=Options(content=content))
    names = [file.name for file in files_of(made, ".warc.gz")]
    assert names and all(f"_{kind}-0" in name for name in names)
    with files_of(made, ".warc.gz")[0].open("rb") as stream:
        types = {
            r.rec_headers.get_header("Content-Type")
            for r in ArchiveIterator(stream)
            if r.rec_type != "warcinfo"
        }
    assert types == {f"text/{'html' if content == 'html' else 'plain'}; charset=utf-8"}


def test_a_frequency_list_counts_what_the_corpus_has(exported, documents):
    (file,) = files_of(exported("frequency"), ".tsv")
    header, *lines = file.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    words = Counter(word for d in documents.values() for word in tokens(d.text, URDU))
    spread = Counter(word for d in documents.values() for word in set(tokens(d.text, URDU)))
    assert header.split("\t") == ["rank", "word", "frequency", "documents"]
    assert {row[1]: (int(row[2]), int(row[3])) for row in rows} == {
        w: (n, spread[w]) for w, n in words.items()
    }
    assert [int(row[2]) for row in rows] == sorted((n for n in words.values()), reverse=True)


def test_a_shuffle_in_many_parts_is_the_same_file(corpus, engine, exported, monkeypatch):
    from corpulyzer.jobs.export import export

    once = exported("sentences")
    monkeypatch.setattr("corpulyzer.export.formats.shuffled.PIECES_AT_ONCE", 50)
    parts = export(corpus, engine, "sentences")
    assert [f["sha256"] for f in parts.manifest["files"] if f["path"].startswith("train")] == [
        f["sha256"] for f in once.manifest["files"] if f["path"].startswith("train")
    ]
    assert len(ranges(7)) == 7 and ranges(0) == [""]


@pytest.mark.parametrize("format", ["sentences", "paragraphs"])
def test_shuffles_keep_the_counts_and_lose_the_order(exported, documents, format):
    (file,) = files_of(exported(format), ".jsonl.zst")
    rows = lines_of(file)
    lines = [line for d in documents.values() for line in d.text.split("\n")]
    units = lines if format == "paragraphs" else [s for line in lines for s in sentences(line, URDU)]
    assert Counter(row["text"] for row in rows) == Counter(units)
    assert [row["text"] for row in rows] != units
    assert not any({"url", "id", "title"} & row.keys() for row in rows)
    neighbours = set(pairwise(units))
    kept = sum((a["text"], b["text"]) in neighbours for a, b in pairwise(rows))
    assert kept < 0.05 * len(rows)


def test_a_seed_gives_the_same_order_again_and_another_seed_another(corpus, engine):
    from corpulyzer.export import Options
    from corpulyzer.jobs.export import export

    orders = []
    for seed in (1, 1, 2):
        made = export(corpus, engine, "paragraphs", options=Options(seed=seed))
        orders.append([row["text"] for row in lines_of(files_of(made, ".zst")[0])])
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[1]) == sorted(orders[2])
