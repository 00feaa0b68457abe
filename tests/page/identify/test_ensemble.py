"""The ensemble: neighbours told apart, strangers refused, bytes accounted for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpulyzer
from corpulyzer.lab.demo.prose import LANGUAGES
from corpulyzer.lab.evaluate.identification import evaluate_identification
from corpulyzer.page.identify import Identify
from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.ensemble import MODELS, Ensemble, groups, wide, wide_scripts
from corpulyzer.page.identify.told import total
from corpulyzer.page.identify.training.recipe import PLANS
from corpulyzer.records import Page, Paragraph
from corpulyzer.records.targets import targets

# Sentences of our own in languages that CLD2 takes for another.
SHAHMUKHI = (
    "میں کل لہور گیا سی تے اوتھے اپنے بھرا نوں ملیا۔ اوہنے مینوں دسیا پئی ہن اوہ پنڈ وچ نئیں رہندا، ایس لئی "
    "اسیں شہر وچ ای کھانا کھادا تے فیر گھر نوں ٹر پئے۔"
)
SARAIKI = (
    "میں کل ملتان ڳیا ہم تے اپݨے بھرا کوں ملیا ہم۔ اوں میکوں ڈسایا جو ہݨ او وستی وچ کائنی راہندا، ایں کیتے "
    "اساں شہر وچ روٹی کھادی تے ول گھر ٹر پیوسے۔"
)
NDEBELE = (
    "Abantu abanengi bakhuluma isiNdebele eMpumalanga begodu bafunda ngelimi labo eenkolweni. Izolo siye "
    "emakethe bonyana sithenge imirorho, kodwana zoke iintolo bezivaliwe ngebanga lelanga lokuphumula."
)
BOSNIAN = (
    "Jučer smo vozom otišli u grad, a sedmicu ranije smo kupili hljeb i kafu. Hiljade ljudi čekalo je ispred "
    "pozorišta, jer je tačno u podne trebao početi koncert ozbiljne muzike, kako je saopćeno iz Sarajeva."
)
CROATIAN = (
    "Jučer smo vlakom otišli u grad, a tjedan ranije smo kupili kruh i kavu. Tisuće ljudi čekalo je ispred "
    "kazališta, jer je točno u podne trebao početi koncert ozbiljne glazbe, kako je priopćeno iz ureda."
)
SERBIAN = (
    "Juče smo vozom otišli u grad, a nedelju dana ranije smo kupili hleb i mleko. Deca su lepo vreme provela pored "
    "reke, jer je posle podne trebalo da počne koncert, kako je u celom svetu poznato svakom čoveku."
)
DARI_OR_PERSIAN = {"fas", "prs"}
# Floors on prose of our own, for those who have no other data.
OWN_FLOORS = {"hrv": 0.85, "xho": 0.98, "slv": 0.98, "urd": 0.99}
RIVALS = {"bos": BOSNIAN, "srp": SERBIAN, "nbl": NDEBELE, "pnb": SHAHMUKHI, "skr": SARAIKI}


@pytest.mark.parametrize(
    "text, code",
    [
        (SHAHMUKHI, "pnb"),
        (SARAIKI, "skr"),
        (NDEBELE, "nbl"),
        (BOSNIAN, "bos"),
        (CROATIAN, "hrv"),
        (SERBIAN, "srp"),
    ],
)
def test_neighbours_are_told_apart(text, code):
    assert corpulyzer.identify(text).language == code


@pytest.mark.parametrize("code", LANGUAGES)
def test_prose_of_our_own_keeps_its_language(prose, code):
    found = [each.language for each in Ensemble()(prose(code))]
    wanted = DARI_OR_PERSIAN if code == "fas" else {code}
    assert sum(language in wanted for language in found) >= 0.9 * len(found), found


def test_a_language_that_no_model_knows_is_none(invented):
    text = " ".join(invented(12))
    assert corpulyzer.identify(text).confidence < 0.6
    assert corpulyzer.identify(text, min_confidence=0.6).language == "und"
    assert Ensemble()([text])[0].language == "und"
    assert Ensemble(target="xho")([text])[0].languages == {"und": len(text)}


def test_each_paragraph_of_a_mixed_page_gets_its_own():
    paragraphs = [CROATIAN, SARAIKI, "12:30", SERBIAN, ""]
    found = Ensemble()(paragraphs)
    assert [each.language for each in found] == ["hrv", "skr", "und", "srp", "und"]
    for text, each in zip(paragraphs, found, strict=True):
        assert sum(each.languages.values()) == len(text.encode())


def test_a_short_paragraph_leans_on_its_neighbours():
    line = "Dobar dan svima i hvala lijepa."
    alone = Ensemble()([line])[0]
    serbian, croatian = Ensemble()([SERBIAN, line, SERBIAN])[1], Ensemble()([CROATIAN, line, CROATIAN])[1]
    assert serbian.language == "srp" and croatian.language == "hrv"
    assert alone.language in {"hrv", "bos", "srp"}


def test_an_answer_below_the_floor_is_none():
    sure, strict = Ensemble()([BOSNIAN])[0], Ensemble(min_confidence=0.999999)([BOSNIAN])[0]
    assert sure.language == "bos" and 0 < sure.confidence < 0.999999
    assert strict.language == "und" and strict.languages == {"und": len(BOSNIAN.encode())}


def test_the_stage_counts_only_the_target():
    paragraphs = [SHAHMUKHI, "یہ اردو زبان کا ایک جملہ ہے اور اس میں کوئی شک نہیں کہ یہ اردو ہے۔"]
    text = "\n".join(paragraphs)
    spans = (Paragraph(0, len(SHAHMUKHI)), Paragraph(len(SHAHMUKHI) + 1, len(text)))
    page = Identify(targets("urd"), Ensemble("urd"))(Page("https://a.pk/", text=text, paragraphs=spans))
    assert page.target_bytes == len(paragraphs[1].encode())
    assert page.languages["pnb"] == len(SHAHMUKHI.encode())


def test_it_knows_all_that_cld2_knows_and_more():
    known = Ensemble().languages
    assert Cld2().languages <= known
    assert {"pnb", "skr", "nbl", "kas", "prs", "tum", "kab"} <= known
    assert len(known) > 240


def test_models_are_compact():
    files = list(MODELS.glob("*"))
    assert sum(file.stat().st_size for file in files) < 6_400_000
    assert {table.name for table in groups()} == {plan.name for plan in PLANS}
    assert sum(len(wide(script).labels) for script in wide_scripts()) > 200


@given(st.lists(st.text(st.characters(codec=None), max_size=300), max_size=5))
def test_no_text_raises_or_gives_more_bytes_than_it_has(paragraphs):
    found = Ensemble()(paragraphs)
    assert len(found) == len(paragraphs)
    for text, each in zip(paragraphs, found, strict=True):
        assert sum(each.languages.values()) == len(text.encode("utf-8", "surrogatepass"))
        assert 0 <= each.confidence <= 1
        assert (each.language == "und") == (each.confidence == 0)
    assert sum(total(found).values()) == sum(len(t.encode("utf-8", "surrogatepass")) for t in paragraphs)


@pytest.mark.parametrize("text", ["ab " * 400_000, "x" * 1_000_000, "ڭ" * 300_000, "ქართული " * 60_000])
def test_a_huge_paragraph_costs_no_more_than_its_beginning(text):
    (found,) = Ensemble()([text])
    assert sum(found.languages.values()) == len(text.encode())


@pytest.fixture(scope="module")
def evaluated(prose):
    paragraphs = [(code, [text]) for code in LANGUAGES for text in prose(code, 100)]
    paragraphs += [(code, [text]) for code, text in RIVALS.items()]
    sentences = [(code, [text]) for code in LANGUAGES for text in prose(code, 100, 1)]

    def answers(identifier, level):
        items = paragraphs if level == "paragraph" else sentences
        return evaluate_identification(items, identifier, "")

    return answers


def test_paragraphs_of_the_targets_keep_to_their_floors(evaluated):
    found = evaluated(Ensemble(), "paragraph")
    for code, floor in OWN_FLOORS.items():
        assert found.of(code).f1 >= floor, (code, found.of(code))
    assert found.of("urd").recall >= 0.99
    assert not {"pnb", "skr"} & found.of("urd").false_positives.keys()


def test_sentences_of_isixhosa_keep_to_their_floor(evaluated):
    assert evaluated(Ensemble(), "sentence").of("xho").f1 >= 0.86


def test_accuracy_and_macro_f1_are_above_those_of_cld2(evaluated):
    ours, theirs = evaluated(Ensemble(), "paragraph"), evaluated(Cld2(), "paragraph")
    assert ours.accuracy > theirs.accuracy and ours.macro_f1 > theirs.macro_f1
