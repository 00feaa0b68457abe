"""A small treebank of Slovene, written for these tests, and the model that UDPipe learns from it."""

import sys
from itertools import product
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

WHO = {"Ana": "Npfsn", "Mojca": "Npfsn", "Marko": "Npmsn", "Peter": "Npmsn"}
DOES = {"bere": "brati", "kupi": "kupiti", "vidi": "videti", "piše": "pisati"}
WHAT = {"knjigo": "knjiga", "zgodbo": "zgodba", "pesem": "pesem", "pošto": "pošta"}
WHICH = {"novo": "nov", "dolgo": "dolg"}
GENDER = {"Npfsn": "Fem", "Npmsn": "Masc"}


def line(number, form, lemma, upos, xpos, feats="_", misc="_"):
    return f"{number}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t0\troot\t_\t{misc}"


def sentence(name, verb, noun, adjective=""):
    """A sentence with universal and MULTEXT-East tags."""
    words = [line(1, name, name, "PROPN", WHO[name], f"Case=Nom|Gender={GENDER[WHO[name]]}|Number=Sing")]
    words.append(line(2, verb, DOES[verb], "VERB", "Vmpr3s", "Number=Sing|Person=3"))
    if adjective:
        words.append(line(3, adjective, WHICH[adjective], "ADJ", "Agpfsa", "Case=Acc|Gender=Fem"))
    noun_line = line(
        len(words) + 1, noun, WHAT[noun], "NOUN", "Ncfsa", "Case=Acc|Gender=Fem", "SpaceAfter=No"
    )
    words += [noun_line, line(len(words) + 2, ".", ".", "PUNCT", "Z")]
    text = " ".join(filter(None, (name, verb, adjective, noun))) + "."
    return "\n".join([f"# text = {text}", *words]) + "\n\n"


def waiting(name):
    """A sentence with a contraction of two words."""
    rows = [
        line(1, name, name, "PROPN", WHO[name], "Case=Nom"),
        line(2, "čaka", "čakati", "VERB", "Vmpr3s", "Number=Sing|Person=3"),
        "3-4\tnanj\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        line(3, "na", "na", "ADP", "Sa"),
        line(4, "nj", "on", "PRON", "Pp3msa", "Case=Acc"),
        line(5, ".", ".", "PUNCT", "Z"),
    ]
    return "\n".join([f"# text = {name} čaka nanj.", *rows]) + "\n\n"


def treebank():
    plain = [sentence(*words) for words in product(WHO, DOES, WHAT)]
    longer = [sentence(*words) for words in product(WHO, DOES, WHAT, WHICH)]
    return "".join(plain[::3] + longer[::6] + [waiting(name) for name in WHO] * 4)


@pytest.fixture(scope="session")
def conllu(tmp_path_factory):
    path = tmp_path_factory.mktemp("treebank") / "slovene.conllu"
    path.write_text(treebank(), "utf-8")
    return path


@pytest.fixture(scope="session")
def model(conllu):
    pytest.importorskip("ufal.udpipe")
    from corpulyzer.annotate.udpipe import train

    path = conllu.with_suffix(".udpipe")
    path.write_bytes(train([conllu.read_text("utf-8")], options="epochs=2;batch_size=50;dimension=16"))
    return path
