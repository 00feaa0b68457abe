"""Punjabi of Gurmukhi in Arabic letters."""

import pytest

from corpulyzer.page.identify.training.shahmukhi import to_shahmukhi
from corpulyzer.text import script_of


@pytest.mark.parametrize(
    "gurmukhi, arabic",
    [
        ("ਮੁੰਡੇ ਨੂੰ ਘਰ ਵਿੱਚ", "منڈے نوں گھر وچ"),
        ("ਸ਼ਾਹ ਦਾ ਖ਼ਰਚਾ", "شاہ دا خرچا"),
        ("ਗਿਆ ਸੀ।", "گیا سی۔"),
        ("ਲਈ ਕੋਈ", "لئی کوئی"),
        ("28 km ਤੋਂ", "28 km توں"),
    ],
)
def test_letters_are_replaced_by_their_place(gurmukhi, arabic):
    assert to_shahmukhi(gurmukhi) == arabic


def test_nothing_of_the_old_script_is_left():
    made = to_shahmukhi(
        "ਮੁੱਖ ਖੋਜ ਕਰਤਾ ਦਾ ਕਹਿਣਾ ਹੈ ਕਿ ਇਸ ਨਾਲ ਘੱਟ ਆਮਦਨੀ ਵਾਲੇ ਦੇਸ਼ਾਂ ਵਿੱਚ ਪਤਾ ਲਗ ਸਕਦਾ ਹੈ, ਜਿੱਥੇ ਉਨ੍ਹਾਂ ਦੀ ਦਰ ਅੱਧੀ ਹੈ।"
    )
    assert script_of(made) == "Arab" and not any("\u0a00" <= letter <= "\u0a7f" for letter in made)
