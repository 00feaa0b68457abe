"""Identification by CLD2: bytes go to the paragraphs they lie in, and no text makes it fail."""

import random
from collections import Counter

import pycld2
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpulyzer
from corpulyzer.language import Language
from corpulyzer.page.identify import Identify, leading
from corpulyzer.page.identify.cld2 import Cld2, iso639_3
from corpulyzer.page.identify.told import total
from corpulyzer.records import Page, Paragraph
from corpulyzer.records.targets import targets

URDU = (
    "اردو زبان پاکستان کی قومی زبان ہے اور دنیا بھر میں بہت سے لوگ یہ زبان بولتے اور سمجھتے ہیں۔ کل شام بازار میں بہت "
    "رش تھا، اس لیے ہم نے گھر واپس جانے کا فیصلہ کیا۔"
)
ENGLISH = (
    "The weather was cold and wet for most of the week, and the roads were closed to all traffic. Nobody knew "
    "when the bridge would open again, so the children stayed at home and helped their parents."
)
CROATIAN = (
    "Hrvatski jezik govori se u Hrvatskoj, a u školama ga uče sva djeca od prvoga razreda nadalje. Jučer smo "
    "otišli na tržnicu kupiti svježe povrće, ali su sve trgovine već bile zatvorene zbog blagdana."
)
XHOSA = (
    "Abantu abaninzi bathetha isiXhosa eMpuma Koloni, kwaye bafunda ngolwimi lwabo ezikolweni. Izolo siye "
    "emarikeni ukuze sithenge imifuno, kodwa zonke iivenkile bezivaliwe ngenxa yeholide."
)
PARAGRAPHS = [URDU, ENGLISH, CROATIAN, XHOSA]


def page_of(paragraphs):
    spans, start = [], 0
    for paragraph in paragraphs:
        spans.append(Paragraph(start, start + len(paragraph), kind="li"))
        start += len(paragraph) + 1
    return Page("https://a.pk/", text="\n".join(paragraphs), paragraphs=tuple(spans))


def size(text):
    return len(text.encode("utf-8", "surrogatepass"))


def test_each_paragraph_gets_its_language_and_all_its_bytes():
    found = Cld2()(PARAGRAPHS)
    assert [each.language for each in found] == ["urd", "eng", "hrv", "xho"]
    for each, paragraph in zip(found, PARAGRAPHS, strict=True):
        assert sum(each.languages.values()) == size(paragraph)
        assert each.languages[each.language] > 0.9 * size(paragraph)
        assert 0.9 < each.confidence <= 1


def test_the_stage_fills_paragraphs_and_page():
    page = page_of([URDU, URDU, ENGLISH, ""])
    found = Identify(targets("urd"), Cld2())(page)
    assert [p.language for p in found.paragraphs] == ["urd", "urd", "eng", "und"]
    assert [(p.start, p.end, p.kind) for p in found.paragraphs] == [
        (p.start, p.end, p.kind) for p in page.paragraphs
    ]
    assert found.languages == total(found.paragraphs)
    assert found.target_bytes == found.languages["urd"] == 2 * size(URDU)
    assert sum(found.languages.values()) == size(page.text) - 3, "newlines belong to no paragraph"
    assert page.target_bytes == 0 and page.languages == {}, "the page that came in is left alone"
    assert Identify(targets("xho"), Cld2())(page).target_bytes == 0


def test_a_page_without_paragraphs_has_no_bytes():
    found = Identify(targets("urd"), Cld2())(Page("https://a.pk/"))
    assert (found.paragraphs, found.languages, found.target_bytes) == ((), {}, 0)
    assert Cld2()([]) == []


def test_bytes_are_counted_as_a_look_at_every_byte_would():
    rng = random.Random(7)
    for _ in range(60):
        words = [word for text in rng.choices(PARAGRAPHS, k=6) for word in text.split()]
        cuts = sorted(rng.sample(range(len(words) + 1), 8))
        paragraphs = [" ".join(words[a:b]) for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]
        text = "\n".join(paragraphs).encode()
        *_, vectors = pycld2.detect(text, isPlainText=True, returnVectors=True)
        of_byte = ["und"] * len(text)
        for start, length, _, code in vectors:
            of_byte[start : start + length] = [iso639_3(code)] * length
        start = 0
        for paragraph, each in zip(paragraphs, Cld2()(paragraphs), strict=True):
            assert each.languages == Counter(of_byte[start : start + size(paragraph)])
            start += size(paragraph) + 1


def test_the_answer_is_cld2s_own_on_the_whole_text():
    text = f"{URDU}\n{CROATIAN}"
    reliable, _, details = pycld2.detect(text, isPlainText=True)
    assert reliable
    bytes_ = total(Cld2()(text.split("\n")))
    for _, code, percent, _ in details[:2]:
        assert bytes_[iso639_3(code)] / size(text) == pytest.approx(percent / 100, abs=0.02)
    assert leading(bytes_) == ("urd", bytes_["urd"] / (size(text) - 1))


def test_identify_says_language_script_bytes_and_confidence():
    found = corpulyzer.identify(URDU)
    assert (found.language, found.script, found.bytes) == ("urd", "Arab", {"urd": size(URDU)})
    assert 0.9 < found.confidence <= 1
    assert corpulyzer.identify(ENGLISH).language == "eng"
    assert corpulyzer.identify(CROATIAN).script == "Latn"


@pytest.mark.parametrize("text", ["", " \n ", "12345 67890", "\x00", "\ud800"])
def test_what_has_no_letters_is_undetermined(text):
    found = corpulyzer.identify(text)
    assert (found.language, found.confidence) == ("und", 0.0)
    assert set(found.bytes) <= {"und"}


def test_repeated_paragraphs_get_the_answer_of_the_first():
    once, thrice = Cld2()(PARAGRAPHS), Cld2()(PARAGRAPHS * 3)
    assert thrice == once * 3
    found = corpulyzer.identify("\n".join([ENGLISH] * 4000))
    assert found.bytes == {"eng": size(ENGLISH) * 4000}


def test_refused_characters_cost_only_themselves():
    dirty = URDU[:40] + "\x00\x85\ud800\ufdd0\U0010ffff" + URDU[40:]
    (found,) = Cld2()([dirty])
    assert found.language == "urd"
    assert sum(found.languages.values()) == size(dirty)
    assert found.languages["urd"] >= 0.9 * size(URDU)


def test_no_code_point_makes_it_fail():
    for block in range(0, 0x110000, 0x1000):
        text = "".join(map(chr, range(block, block + 0x1000)))
        (found,) = Cld2()([text])
        assert sum(found.languages.values()) == size(text)


pieces = st.sampled_from(
    [*PARAGRAPHS, *(p[:20] for p in PARAGRAPHS), "\x00", "\x85", "\ufffe", "\udc80", "&amp;<p>"]
)
paragraphs = st.lists(
    st.lists(st.text(st.characters(codec=None)) | pieces, max_size=4).map(" ".join), max_size=8
)


@given(paragraphs)
def test_no_text_makes_it_fail_or_gives_more_bytes_than_it_has(texts):
    found = Cld2()(texts)
    assert len(found) == len(texts)
    for text, each in zip(texts, found, strict=True):
        assert sum(each.languages.values()) == size(text)
        assert all(count > 0 for count in each.languages.values())
        assert 0 <= each.confidence <= 1
        assert each.language == "und" or each.language in each.languages


def test_a_huge_paragraph_is_counted_in_full():
    text = " ".join([URDU] * 30_000)
    (found,) = Cld2()([text])
    assert sum(found.languages.values()) == size(text) > 4_000_000
    assert found.languages["urd"] > 0.99 * size(text)


def test_plain_text_mode_reads_no_markup():
    (found,) = Cld2()(["<p lang=ur>" + ENGLISH + " a < b && c > d </p>"])
    assert found.language == "eng"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ur", "urd"),
        ("fa", "fas"),
        ("no", "nob"),
        ("nn", "nno"),
        ("hr", "hrv"),
        ("bs", "bos"),
        ("sr", "srp"),
        ("sr-ME", "cnr"),
        ("iw", "heb"),
        ("jw", "jav"),
        ("zh", "zho"),
        ("zh-Hant", "zho"),
        ("tl", "tgl"),
        ("bh", "bho"),
        ("ku", "ckb"),
        ("xx-Nkoo", "nqo"),
        ("xx-Qaai", "und"),
        ("xx-Latn", "und"),
        ("zzp", "und"),
        ("xxx", "und"),
        ("un", "und"),
    ],
)
def test_codes_of_cld2_become_iso_639_3(code, expected):
    assert iso639_3(code) == expected


def test_every_code_it_can_give_is_that_of_the_language_table():
    assert len(Cld2().languages) > 170
    for code in Cld2().languages:
        assert Language.find(code).code == code
    odd = {"sr-ME", "ku", "xxx", "zzb", "zze", "zzh", "zzp"}
    for _, code in pycld2.LANGUAGES:
        if not code.startswith("xx-") and code not in odd:
            assert iso639_3(code) == Language.find(code).code


def test_the_leading_language_needs_a_third_of_the_bytes():
    assert leading({"urd": 34, "und": 66}) == ("urd", 0.34)
    assert leading({"urd": 33, "und": 67}) == ("und", 0.0)
    assert leading({"eng": 50, "deu": 50}) == leading({"deu": 50, "eng": 50}) == ("deu", 0.5)
    assert leading({}) == leading({"und": 5}) == ("und", 0.0)


@pytest.mark.parametrize(
    ("name", "floor"),
    [("urd", 0.98), ("hrv", 0.9), ("xho", 0.9), ("slv", 0.75), ("amh", 0.96), ("nob", 0.85)],
)
def test_news_in_the_language_is_found(shared_data, name, floor):
    """Share of bytes on pages of ten sentences of FLORES that CLD2 gives to their language."""
    lines = (shared_data("lid.tar.gz") / "flores" / f"{name}.txt").read_text("utf-8").splitlines()[:200]
    code, right, every = Language.find(name).code, 0, 0
    for start in range(0, len(lines), 10):
        sums = total(Cld2()(lines[start : start + 10]))
        right += sums.get(code, 0)
        every += sum(sums.values())
    assert right / every >= floor
