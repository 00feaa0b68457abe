"""Look-alikes for best guesses: the group keeps its chance, its table shares it out."""

import numpy as np
import pytest

from corpulyzer import identify
from corpulyzer.page.identify.group import log_shares, log_sum, shared_out
from corpulyzer.page.identify.guess import shipped

# Of each group two sentences that say the same.
ALIKE = {
    "ind": "Pemerintah mengatakan bahwa kantor itu bisa dibuka karena uang sudah ada",
    "msa": "Kerajaan berkata bahawa pejabat itu boleh dibuka kerana wang sudah ada",
    "spa": "El gobierno ha dicho que los niños pueden ir a la escuela y jugar en la calle",
    "ast": "El gobiernu dixo que los neños puen dir a la escuela y xugar na cai cola xente",
    "zho": "我們的老師說這些東西都是他們昨天買回來的",
    "yue": "我哋個老師話呢啲嘢都係佢哋尋日買返嚟嘅",
    "dan": "Regeringen siger, at børnene må lege uden for skolen, og det er de glade for",
    "nob": "Regjeringen sier at barna får leke utenfor skolen, og det er de glade for",
    "nno": "Regjeringa seier at borna får leike utanfor skulen, og det er dei glade for",
    "ces": "Vláda řekla, že děti mohou chodit do školy a že se jim tam líbí",
    "slk": "Vláda povedala, že deti môžu chodiť do školy a že sa im tam páči",
}


@pytest.mark.parametrize("code", ALIKE)
def test_look_alikes_are_told_apart(code):
    found = identify(ALIKE[code])
    assert found.language == code and found.confidence > 0.5


def test_a_group_keeps_its_chance_and_the_likelier_beforehand_its_lead():
    heard = np.log([[0.3, 0.1], [0.02, 0.18]])
    beforehand = np.array([0.0, -1.5])
    told = np.log([[0.2, 0.8], [0.5, 0.5]])
    found = shared_out(heard, beforehand, told, (0.0, 1.0))
    assert np.exp(log_sum(found)) == pytest.approx(np.array([[0.4], [0.2]]))
    odds = np.exp(found[:, 1] - found[:, 0])
    assert odds == pytest.approx(np.array([4, 1]) * np.exp(-1.5)), (
        "the table's odds, and those beforehand once"
    )
    assert shared_out(heard, beforehand, told, (1.0, 0.0)) == pytest.approx(heard), "as it was heard"


def test_every_language_is_in_one_group_at_most_and_each_group_knows_its_members():
    short = shipped()
    places = [place for group in short.groups for place in group.places.tolist()]
    assert len(places) == len(set(places)) > 40
    for group in short.groups:
        told = group(["", "Some words of any language", "یہ کیا ہے"])
        assert told.shape == (3, len(group.codes))
        assert np.exp(log_sum(told)) == pytest.approx(1)
        assert told[0] == pytest.approx(log_shares(np.zeros(len(group.codes)))), (
            "without letters all are alike"
        )
