"""Punjabi of the Gurmukhi script in Arabic letters (Shahmukhi), of which there is little free text.

Letters are replaced one by one and vowels by their place in the word; the commonest words are spelled as they
are written in Pakistan. Words of Arabic and Persian come out as they sound, so this teaches endings and
function words, which tell Punjabi from Urdu, and no orthography.
"""

from __future__ import annotations

import regex

_CONSONANTS = {
    **dict(zip("ਸਹਕਗਚਜਟਡਣਤਦਨਪਬਮਯਰਲਵੜ", "سہکگچجٹڈنتدنپبمیرلوڑ", strict=True)),
    **dict(zip("ਖਘਛਝਠਢਥਧਫਭ", ("کھ", "گھ", "چھ", "جھ", "ٹھ", "ڈھ", "تھ", "دھ", "پھ", "بھ"), strict=True)),
    "ਙ": "نگ",
    "ਞ": "نج",
}
_WITH_DOT = dict(zip("ਸਖਗਜਫਲ", "شخغزفل", strict=True))
_DOT = "਼"
_AT_START = {
    "ਅ": "ا",
    "ਆ": "آ",
    "ਇ": "ا",
    "ਈ": "ای",
    "ਉ": "ا",
    "ਊ": "او",
    "ਏ": "اے",
    "ਐ": "اے",
    "ਓ": "او",
    "ਔ": "او",
}
_INSIDE = {
    "ਅ": "ا",
    "ਆ": "ا",
    "ਇ": "ئ",
    "ਈ": "ئی",
    "ਉ": "ؤ",
    "ਊ": "ؤ",
    "ਏ": "ئے",
    "ਐ": "ئے",
    "ਓ": "ؤ",
    "ਔ": "ؤ",
}
_SIGNS = {"ਾ": "ا", "ਿ": "", "ੀ": "ی", "ੁ": "", "ੂ": "و", "ੇ": "ی", "ੈ": "ی", "ੋ": "و", "ੌ": "و", "ੱ": "", "੍": ""}
_LAST = {"ੇ": "ے", "ੈ": "ے"}
_NASAL = "ਂੰ"
_MARKS = {"।": "۔", ",": "،", "?": "؟"}
# Two spellings where both are common; lines take turns.
_WORDS = {
    "ਹੈ": ("اے", "ہے"),
    "ਹਨ": ("نیں", "نیں"),
    "ਅਤੇ": ("تے", "اتے"),
    "ਇਹ": ("ایہہ", "ایہ"),
    "ਉਹ": ("اوہ", "اوہ"),
    "ਇਸ": ("ایس", "اس"),
    "ਉਸ": ("اوس", "اس"),
    "ਕਿ": ("کہ", "پئی"),
    "ਨਹੀਂ": ("نئیں", "نہیں"),
    "ਹੁਣ": ("ہن", "ہن"),
    "ਉਨ੍ਹਾਂ": ("اوہناں", "اوہناں"),
    "ਇਨ੍ਹਾਂ": ("ایہناں", "ایہناں"),
    "ਉਹਨਾਂ": ("اوہناں", "اوہناں"),
    "ਹੁੰਦਾ": ("ہوندا", "ہندا"),
    "ਹੁੰਦੀ": ("ہوندی", "ہندی"),
    "ਹੁੰਦੇ": ("ہوندے", "ہندے"),
    "ਕੀ": ("کیہ", "کی"),
}
_WORD = regex.compile(r"[\p{Gurmukhi}]+")


def to_shahmukhi(line: str) -> str:
    """A line of Gurmukhi in Arabic letters.

    >>> to_shahmukhi("ਮੁੰਡੇ ਨੂੰ ਘਰ ਵਿੱਚ")
    'منڈے نوں گھر وچ'
    """
    turn = len(line) % 2
    spelled = _WORD.sub(lambda match: _spelled(match[0], turn), line)
    return "".join(_MARKS.get(letter, letter) for letter in spelled)


def _spelled(word: str, turn: int) -> str:
    if word in _WORDS:
        return _WORDS[word][turn]
    made = []
    for place, letter in enumerate(word):
        last = place == len(word) - 1
        after = word[place + 1 : place + 2]
        if letter in _CONSONANTS:
            made.append(_WITH_DOT.get(letter, _CONSONANTS[letter]) if after == _DOT else _CONSONANTS[letter])
        elif letter in _AT_START:
            joined = place and word[place - 1] == "ਿ" and letter == "ਆ"
            made.append("یا" if joined else _INSIDE[letter] if place else _AT_START[letter])
        elif letter in _NASAL:
            made.append("ں" if last else "ن")
        else:
            made.append(_LAST.get(letter, _SIGNS.get(letter, "")) if last else _SIGNS.get(letter, ""))
    return "".join(made)
