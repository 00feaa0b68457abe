"""What is known of each language: names, scripts, letters, sentence ends, and who it is mistaken for.

Every language of ISO 639-3 is here. The tables in `data` are made from ISO 639-3, Unicode and CLDR by
`tools/make_languages.py`; `notes.tsv` and `relatives.txt` are our own.

One practical language has one code: a two-letter code means the ISO 639-3 code beside it (`fa` is `fas`),
and the member that CLDR takes for a whole macrolanguage goes by the code of the whole (`pes` is `fas`, `arb`
is `ara`, `cmn` is `zho`). Norwegian is the exception: `no` and `nor` mean Bokmål, `nob`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import regex

from corpulyzer.errors import UserError

Ranges = tuple[tuple[int, int], ...]

# The tokens of Urdu as the paper counts them (CZ-23).
_URDU_RANGES: Ranges = ((0x0600, 0x06FF), (0x0750, 0x077F), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF))
_TABLES = Path(__file__).with_name("data")
_REGION_SCRIPTS = {"zho": {"tw": "Hant", "hk": "Hant", "mo": "Hant"}}
# In `notes.tsv` an apostrophe or hyphen stands for every character that is typed in its place.
_SPELLINGS = {"'": "'’", "-": "-\u2010\u2011"}
# A shorter name would be found inside other words.
_MIN_NAME_LETTERS = 4
# ISO 639-3 leaves these codes to whoever needs one for a language that has none.
_PRIVATE_USE = regex.compile("q[a-t][a-z]")
_UNKNOWN_OF_PRIVATE_USE = (
    *("own_name", "scripts", "direction", "ranges", "word_internal", "sentence_terminators"),
    *("relatives", "name_substrings"),
)


@dataclass(frozen=True, slots=True)
class Script:
    """A script of ISO 15924: its direction, its Unicode blocks, its own characters, its sentence ends.

    A composite such as `Jpan` has blocks but no characters of its own.
    """

    code: str
    name: str
    direction: str
    blocks: Ranges
    characters: Ranges
    sentence_terminators: str


@dataclass(frozen=True, slots=True)
class Language:
    """A language; what is not known of it is empty, and `unknown` names those fields.

    `ranges` hold every character of a token of the language: its alphabet where it is written in Latin
    letters, else the blocks of its script.
    """

    code: str
    name: str
    own_name: str = ""
    iso639_1: str = ""
    scripts: tuple[str, ...] = ()
    script: str = ""
    direction: str = ""
    ranges: Ranges = ()
    word_internal: str = ""
    sentence_terminators: str = ""
    relatives: tuple[str, ...] = ()
    name_substrings: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @staticmethod
    def find(query: str) -> Language:
        """The language that a code, a tag or a name in English or in the language itself stands for.

        A script in the tag chooses among the language's scripts; regions and variants are ignored.

        >>> Language.find("ur").code, Language.find("srp-Latn").script, Language.find("اردو").name
        ('urd', 'Latn', 'Urdu')
        """
        key = _folded(query)
        codes = _codes()
        code = codes.get(key) or (None if _is_tag(key) else _names().get(key))
        if code:
            return _language(code)
        if _PRIVATE_USE.fullmatch(key):
            return Language(key, f"private-use language {key}", unknown=_UNKNOWN_OF_PRIVATE_USE)
        first, *subtags = key.replace("_", "-").split("-")
        code = codes.get(first)
        if not code or not all(subtag.isascii() and 2 <= len(subtag) <= 8 for subtag in subtags):
            raise _no_language(query)
        return _language(code, _script_in(code, subtags))

    @staticmethod
    def search(query: str) -> list[Language]:
        """The languages whose code or name has `query` in it, the closest first; all, if it is empty."""
        key = _folded(query)
        ranked = []
        for code, row in _rows().items():
            names = _names_of(row)
            if key in (code, *row[1].split(), *names):
                rank = 0
            elif any(name.startswith(key) for name in names):
                rank = 1
            elif any(key in name for name in names):
                rank = 2
            else:
                continue
            ranked.append((rank, row[2], code))
        return [_language(code) for _, _, code in sorted(ranked)]

    @staticmethod
    def with_short_codes() -> list[Language]:
        """The languages that have a two-letter code: some 180 of nearly 8,000."""
        return [_language(code) for code, row in _rows().items() if _short_code(row[1])]


@cache
def _language(code: str, script: str = "") -> Language:
    _, codes, name, own_name, scripts, letters, _ = _rows()[code]
    own_name_noted, internal, names = _notes().get(code, ("", "", ""))
    script = script or scripts.partition(" ")[0]
    chosen = _scripts_by_code().get(script)
    word_internal = "".join(_SPELLINGS.get(c, c) for c in internal if internal != "none")
    facts = {
        "own_name": own_name_noted or own_name,
        "scripts": tuple(scripts.split()),
        "direction": chosen.direction if chosen else "",
        "ranges": _ranges(code, chosen, letters + word_internal if letters else ""),
        "word_internal": word_internal,
        "sentence_terminators": chosen.sentence_terminators if chosen else "",
        "relatives": _relatives().get(code, ()),
        "name_substrings": _substrings([name, own_name_noted or own_name, *names.split("|")])
        if codes or own_name or names
        else (),
    }
    empty = (field for field, value in facts.items() if not value)
    return Language(
        code=code,
        name=name,
        iso639_1=_short_code(codes),
        script=script,
        unknown=tuple(field for field in empty if not (field == "word_internal" and internal)),
        **facts,  # type: ignore[arg-type]
    )


def _short_code(codes: str) -> str:
    """The two-letter code, which comes first where there is one."""
    return codes[:2] if codes[2:3] in ("", " ") else ""


def scripts() -> tuple[Script, ...]:
    """Every script of Unicode, and the composites that languages are written in."""
    return tuple(_scripts_by_code().values())


def _script_in(code: str, subtags: list[str]) -> str:
    """The script that a tag names or its region implies; empty where the tag does not tell."""
    named = [subtag.capitalize() for subtag in subtags if len(subtag) == 4 and subtag.isalpha()]
    if named and named[0] not in _scripts_by_code():
        own = ", ".join(f"{code}-{script}" for script in _language(code).scripts)
        hint = f"Use {own}." if own else "Use a code of ISO 15924, such as Latn."
        raise UserError(f"No script has the code {named[0]!r}.", hint)
    implied = (_REGION_SCRIPTS.get(code, {}).get(subtag, "") for subtag in subtags)
    return named[0] if named else next(filter(None, implied), "")


def _ranges(code: str, script: Script | None, letters: str) -> Ranges:
    if code == "urd" and script and script.code == "Arab":
        return _URDU_RANGES
    if script and script.code == "Latn":
        return _spans({ord(c) for letter in letters for c in (letter, *letter.upper())})
    return script.blocks if script else ()


def _spans(points: Iterable[int]) -> Ranges:
    spans: list[tuple[int, int]] = []
    for point in sorted(points):
        if spans and point == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], point)
        else:
            spans.append((point, point))
    return tuple(spans)


def _substrings(names: Iterable[str]) -> tuple[str, ...]:
    """The names in lower case, without those that contain another or have too few letters."""
    folded = {name for name in map(_folded, names) if len(name) >= _MIN_NAME_LETTERS or not name.isascii()}
    folded.discard("")
    shortest = {name for name in folded if not any(other != name and other in name for other in folded)}
    return tuple(sorted(shortest, key=lambda name: (not name.isascii(), name)))


def _no_language(query: str) -> UserError:
    from difflib import get_close_matches

    key = _folded(query)
    known = {code for code, row in _rows().items() if row[1] or row[3]}
    keys = _names() | _codes()
    common = [key for key, code in keys.items() if code in known]
    near = get_close_matches(key, common, n=4) + get_close_matches(key, keys, n=4, cutoff=0.7)
    codes = dict.fromkeys(keys[match] for match in near)
    choices = ", ".join(f"{code} ({_rows()[code][2]})" for code in list(codes)[:5])
    hint = "`corpulyzer languages QUERY` finds codes by part of a name."
    return UserError(
        f"No language is known as {query!r}.", f"Did you mean {choices}? {hint}" if choices else hint
    )


def _is_tag(key: str) -> bool:
    """Whether it is a code with a script of that language, as no name is: to read all names takes long.

    >>> _is_tag("aka-latn"), _is_tag("aka-cari")  # the name of another language
    (True, False)
    """
    code, _, script = key.partition("-")
    return code in _codes() and script.title() in _rows()[_codes()[code]][4].split()


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _names_of(row: list[str]) -> list[str]:
    code, _, name, own_name, _, _, aliases = row
    noted = _notes().get(code, ("", "", ""))
    plain = own_name.partition(" (")[0]
    every = {name, own_name, plain, noted[0], *noted[2].split("|"), *aliases.split("|")}
    return [_folded(each) for each in every if each]


@cache
def _rows() -> dict[str, list[str]]:
    lines = (_TABLES / "languages.tsv").read_text("utf-8").splitlines()
    return {line[:3]: line.split("\t") for line in lines[1:]}


@cache
def _codes() -> dict[str, str]:
    return {each: code for code, row in _rows().items() for each in (code, *row[1].split())}


@cache
def _names() -> dict[str, str]:
    """Codes by name. The English name comes first, then the languages that have a two-letter code."""
    found = {_folded(row[2]): code for code, row in _rows().items()}
    for row in sorted(_rows().values(), key=lambda row: not row[1]):
        for name in _names_of(row):
            found.setdefault(name, row[0])
    return found


@cache
def _notes() -> dict[str, tuple[str, str, str]]:
    lines = (_TABLES / "notes.tsv").read_text("utf-8").splitlines()
    cells = (line.split("\t") for line in lines[1:])
    return {code: (own_name, internal, names) for code, own_name, internal, names in cells}


@cache
def _relatives() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in (_TABLES / "relatives.txt").read_text("utf-8").splitlines():
        group = line.split() if not line.startswith("#") else []
        for code in group:
            found.setdefault(code, {}).update(dict.fromkeys(other for other in group if other != code))
    return {code: tuple(others) for code, others in found.items()}


@cache
def _scripts_by_code() -> dict[str, Script]:
    found = {}
    for line in (_TABLES / "scripts.tsv").read_text("utf-8").splitlines()[1:]:
        code, name, direction, blocks, characters, ends = line.split("\t")
        found[code] = Script(code, name, direction, _read_ranges(blocks), _read_ranges(characters), ends)
    return found


def _read_ranges(cell: str) -> Ranges:
    bounds = (span.split("-") for span in cell.split())
    return tuple((int(first, 16), int(last, 16)) for first, last in bounds)
