"""Models in the format of fastText, trained here."""

import pytest

from corpulyzer.errors import UserError
from corpulyzer.page.identify.choose import identifier_of
from corpulyzer.page.identify.fasttext import FastText, code_of

fasttext = pytest.importorskip("fasttext", reason="the fastText library is not installed")


@pytest.fixture(scope="module")
def model(prose, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fasttext")
    labels = {"urd": "urd_Arab", "fas": "pes_Arab", "xho": "xho_Latn", "hrv": "hrv_Latn"}
    lines = [f"__label__{label} {text}" for code, label in labels.items() for text in prose(code, 200, 2)]
    (folder / "train.txt").write_text("\n".join(lines), "utf-8")
    # Fewer than eleven threads leave a part of the matrix at whatever the memory held.
    trained = fasttext.train_supervised(
        str(folder / "train.txt"),
        dim=16,
        minn=2,
        maxn=3,
        lr=0.5,
        epoch=20,
        bucket=20000,
        verbose=0,
        thread=11,
    )
    trained.save_model(str(folder / "small.bin"))
    return str(folder / "small.bin")


@pytest.mark.smoke
def test_labels_are_mapped_and_bytes_counted_by_paragraph(model, prose):
    paragraphs = [*(prose(code, 1, 3)[0] for code in ("urd", "fas", "xho", "hrv")), "", "12"]
    found = FastText(model)(paragraphs)
    assert [each.language for each in found] == ["urd", "fas", "xho", "hrv", "und", "und"]
    assert [sum(each.languages.values()) for each in found] == [len(text.encode()) for text in paragraphs]
    assert all(0 < each.confidence <= 1 for each in found[:4])
    assert FastText(model).languages == {"urd", "fas", "xho", "hrv"}


def test_a_doubtful_answer_is_none(model, prose):
    (text,) = prose("xho", 1, 3)
    assert FastText(model, min_confidence=1.0)([text])[0].languages == {"und": len(text.encode())}


def test_no_text_makes_it_fail(model):
    texts = ["\x00\n\r", "\ud800abc def", "a\nb c\nd e f", "🙂" * 50, "x" * 100_000]
    found = FastText(model)(texts)
    assert [sum(e.languages.values()) for e in found] == [
        len(t.encode("utf-8", "surrogatepass")) for t in texts
    ]


def test_settings_name_a_model(model, prose):
    assert identifier_of(model=model)(prose("hrv", 1))[0].language == "hrv"


def test_a_missing_or_broken_model_is_named(tmp_path):
    with pytest.raises(UserError, match=r"There is no model .*none\.bin"):
        FastText(str(tmp_path / "none.bin"))(["text of some length"])
    (tmp_path / "bad.bin").write_bytes(b"no model")
    with pytest.raises(UserError, match=r"bad\.bin is no fastText model"):
        FastText(str(tmp_path / "bad.bin"))(["text of some length"])


@pytest.mark.parametrize(
    "label, code",
    [
        ("__label__urd_Arab", "urd"),
        ("__label__zh", "zho"),
        ("__label__arb_Arab", "ara"),
        ("__label__zxx", "und"),
    ],
)
def test_a_label_names_a_language(label, code):
    assert code_of(label) == code
