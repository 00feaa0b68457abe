r"""A wider expression: one that fits every folded value of which a regular expression fits a spelling.

An index has values folded, and very many of them. RE2 tries all in little time, except where long values meet
counted repeats; but it knows fewer signs, and its letters fit no other spellings. So an expression is made
wider for it: a letter stands for what it is folded to, everything else that fits one character for one to
three of them, since that is how long a folded character can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import regex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ATOM = regex.compile(
    r"""
    (?P<dot>\.)
    | (?P<other>\\[wWdDsS]|\\[pP]\{[^{}]*\}|\[\^?\]?(?:[^\[\]\\]|\\.)*\])
    | (?P<letter>\\[^\p{L}\p{N}_]|[^\\\[\](){}^$.*+?|])
    | (?P<open>\((?:\?:|(?![?*])))
    | (?P<close>\))
    | (?P<or>\|)
    """,
    regex.VERBOSE | regex.DOTALL,
)
_TIMES = regex.compile(r"(?:([*+?])|\{(\d*)(,?)(\d*)\})[?+]?")
_SIGNS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
LONGEST = 3
"""The most characters that one is folded to."""
MOST_TIMES = 60
"""What repeats something more often than this is too large for RE2."""
DOTLESS = "ı"
_DOTTED = {"i": f"[i{DOTLESS}]", DOTLESS: f"[i{DOTLESS}]"}
"""Languages differ in what the capitals of these are folded to."""


@dataclass(frozen=True, slots=True)
class Wider:
    """A wider expression for RE2.

    Where it is `exact`, it fits no other values without the letter ı, if capitals do not matter.
    """

    expression: str
    exact: bool

    def among(self, values: Any) -> NDArray[np.bool_] | None:
        """Which strings of an array of Arrow it fits; None if it is too large for that."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        try:
            fits = pc.match_substring_regex(values, pattern=f"^(?:{self.expression})$")
        except pa.ArrowInvalid:
            return None
        return np.asarray(fits)


@lru_cache(256)
def widened(expression: str) -> Wider | None:
    """The wider expression; None if an expression has signs that are not known here.

    >>> widened("Kr.*st(vo|w)")
    Wider(expression='kr.*st(?:vo|w)', exact=True)
    >>> widened("l[ae]to+"), widened("(?=a)b")
    (Wider(expression='l(?s:.){1,3}to+', exact=False), None)
    """
    try:
        pieces = list(_pieces(expression))
    except ValueError:
        return None
    return Wider("".join(piece for piece, _ in pieces), all(exact for _, exact in pieces))


def _pieces(expression: str) -> Iterator[tuple[str, bool]]:
    """The pieces of the wider expression, and whether they are exact; ValueError if one is not known."""
    at = 0
    while at < len(expression):
        atom = _ATOM.match(expression, at)
        if atom is None:
            raise ValueError(expression[at:])
        times = None if atom["open"] or atom["or"] else _TIMES.match(expression, atom.end())
        at = times.end() if times else atom.end()
        least, most = _often(times) if times else (1, 1)
        gives_back = times is None or not regex.fullmatch(r".+\+", times[0])
        folded = atom["letter"][-1].casefold() if atom["letter"] else ""
        if atom["dot"] or atom["other"] or len(folded) > 1:
            exact = bool(atom["dot"]) and least < 2 and most is None
            piece = "." if atom["dot"] else "(?s:.)"
            yield piece + _counted(least, most and LONGEST * most), exact and gives_back
        else:
            piece = _letter(folded) if folded else "(?:" if atom["open"] else atom[0]
            yield piece + (_counted(least, most) if times else ""), gives_back and folded != DOTLESS


def _letter(folded: str) -> str:
    return _DOTTED.get(folded) or regex.escape(folded)


def _often(times: regex.Match[str]) -> tuple[int, int | None]:
    """The fewest and the most times that something is repeated."""
    sign, least, comma, most = times.groups()
    if sign:
        return _SIGNS[sign]
    if not (least or most) or max(int(least or 0), int(most or 0)) > MOST_TIMES:
        raise ValueError(times[0])
    fewest = int(least or 0)
    return fewest, (int(most) if most else None) if comma else fewest


def _counted(fewest: int, most: int | None) -> str:
    """How often something stands, for RE2.

    >>> _counted(0, None), _counted(1, None), _counted(2, 6)
    ('*', '+', '{2,6}')
    """
    if most is None and fewest < 2:
        return "*+"[fewest]
    return f"{{{fewest},{'' if most is None else most}}}"
