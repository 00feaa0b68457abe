"""Words that mark flagged texts are found, with weights that another computation gives."""

import math
from random import Random

import pytest

from corpulyzer.audit.learn_words import PRIOR_WORDS, Example, learn_list, log_odds
from corpulyzer.errors import UserError

COMMON, MARKS = [f"w{n}" for n in range(60)], ["kupi", "popust", "odmah"]


def examples(flagged, others, seed=1):
    random = Random(seed)

    def text(is_flagged):
        words = [random.choice(COMMON) for _ in range(80)]
        if is_flagged:
            words += random.choices(MARKS, k=random.randint(2, 6))
        elif random.random() < 0.1:
            words.append(random.choice(MARKS))
        random.shuffle(words)
        return Example(tuple(words), is_flagged)

    return [text(number < flagged) for number in range(flagged + others)]


def test_the_words_that_mark_flagged_texts_are_learned_and_tried_on_others():
    found = learn_list(examples(40, 60))
    assert {word for (word,) in found.words.weights} >= set(MARKS)
    heaviest = sorted(found.words.weights, key=found.words.weights.get, reverse=True)[:3]
    assert {word for (word,) in heaviest} == set(MARKS)
    assert found.precision >= 0.9 and found.recall >= 0.9
    again = examples(30, 30, seed=2)
    right = [(found.words.score(it.words)[0] >= found.words.threshold) == it.flagged for it in again]
    assert sum(right) >= 54, "on texts that it has never seen"


def test_nothing_is_made_of_texts_that_do_not_differ():
    random = Random(3)
    same = [Example(tuple(random.choices(COMMON, k=80)), number % 2 == 0) for number in range(60)]
    found = learn_list(same)
    assert found.precision is None or found.precision < 0.8


def test_log_odds_are_those_of_the_paper():
    flagged, others = {"a": 8, "b": 2}, {"a": 10, "b": 80}
    delta, z = log_odds(flagged, others)["a"]
    alpha = PRIOR_WORDS * 18 / 100
    one = (8 + alpha) / (10 + PRIOR_WORDS - (8 + alpha))
    two = (10 + alpha) / (90 + PRIOR_WORDS - (10 + alpha))
    assert delta == pytest.approx(math.log(one) - math.log(two))
    assert z == pytest.approx(delta / math.sqrt(1 / (8 + alpha) + 1 / (10 + alpha)))


def test_too_few_labels_are_refused():
    with pytest.raises(UserError, match="3 texts with the flag and 20 without"):
        learn_list(examples(3, 20))
