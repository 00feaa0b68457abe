"""Make the tables of languages and scripts that the package ships.

Facts come from ISO 639-3 (pycountry), from Unicode (fonttools) and from CLDR (its JSON packages):

    pip install pycountry fonttools && npm install cldr-core cldr-localenames-full cldr-misc-full
    python tools/make_languages.py node_modules src/corpulyzer/data
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pycountry
import regex
from fontTools import unicodedata as unicode

# Codes that are folded into another, besides the members of macrolanguages that CLDR folds.
ALSO_FOLDED = {"pbt": "pus", "zlm": "msa", "fil": "tgl", "nor": "nob", "drw": "prs", "tnf": "prs"}
# CLDR folds these too, but they are not the dominant members of their macrolanguages.
NOT_FOLDED = {"bh", "fat", "fuc", "tw"}
# Codes withdrawn from the standard that pages and tools still use.
OLD_CODES = {"heb": "iw", "ind": "in", "yid": "ji", "jav": "jw", "ron": "mo mol", "bho": "bh bih"}
SCRIPT_OF = {"Kore": "Hang", "Hanb": "Hant", "Aran": "Arab", "Latg": "Latn", "Latf": "Latn", "Cyrs": "Cyrl"}
# CLDR lists the consonants of Somali alone, and no vowel of Lombard or Guarani that has an accent.
MORE_LETTERS = {"so": "aeiou", "lmo": "àèéìòóöùü", "gn": "áéíóúý"}
COMPOSITE = {"Hans": ["Hani"], "Hant": ["Hani"], "Jpan": ["Hani", "Hira", "Kana"], "Kore": ["Hang", "Hani"]}

# Unicode lists Burmese, Balinese and Javanese commas as sentence ends, but not the Tibetan shad.
NO_TERMINATORS = "၊᭞꧈"
MORE_TERMINATORS = {"Tibt": "།༎", "Grek": ";", "Hani": "。！？｡", "Hira": "。！？｡", "Hang": "。！？"}
EVERYWHERE = ".!?…"
NO_LETTERS = regex.compile("Mathematical|Numeral|Number|Musical|Enclosed")


def main(cldr: Path, out: Path) -> None:
    write(out / "languages.tsv", "code codes name own_name scripts letters aliases", language_rows(cldr))
    write(out / "scripts.tsv", "code name direction blocks characters terminators", script_rows(cldr))


def write(path: Path, head: str, rows: list[list[str]]) -> None:
    lines = ["\t".join(row) for row in [head.split(), *rows]]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def language_rows(cldr: Path) -> list[list[str]]:
    """One row for each language of ISO 639-3 that is not folded into another."""
    folded = folds(cldr)
    members = defaultdict(list)
    for member, whole in folded.items():
        members[whole].append(member)
    rows = [
        language_row(cldr, language, members[language.alpha_3])
        for language in pycountry.languages
        if language.alpha_3 not in folded and language.scope != "S"
    ]
    return sorted(disambiguated(rows))


def language_row(cldr: Path, language: Any, members: list[str]) -> list[str]:
    english = display_names(cldr, "en")
    tags = [two(code) for code in [language.alpha_3, *members]]
    name = english.get(tags[0], language.name)
    own_name = next(filter(None, (display_names(cldr, tag).get(tag) for tag in tags)), "")
    tags_with_stand_in = list(dict.fromkeys([*tags, stand_in(cldr, tags[0])]))
    scripts = scripts_of(cldr, tags_with_stand_in)
    letters = next(filter(None, (alphabet(cldr, tag) for tag in tags_with_stand_in)), "")
    return [
        language.alpha_3,
        other_codes(language, members),
        name,
        own_name,
        " ".join(scripts),
        letters if "Latn" in scripts else "",
        "|".join(sorted(other_names(cldr, language, members) - {name})),
    ]


def other_codes(language: Any, members: list[str]) -> str:
    codes = [getattr(language, "alpha_2", ""), getattr(language, "bibliographic", "")]
    codes += [*map(two, members), *members, *OLD_CODES.get(language.alpha_3, "").split()]
    return " ".join(dict.fromkeys(filter(None, codes)))


def other_names(cldr: Path, language: Any, members: list[str]) -> set[str]:
    english = display_names(cldr, "en")
    tags = [two(code) for code in [language.alpha_3, *members]]
    entries = [language, *filter(None, (pycountry.languages.get(alpha_3=member) for member in members))]
    found = {entry.name for entry in entries} | {
        getattr(entry, "inverted_name", entry.name) for entry in entries
    }
    return found | {english[key] for key in english if key.partition("-alt-")[0] in tags}


def disambiguated(rows: list[list[str]]) -> list[list[str]]:
    """The rows, with the names of ISO 639-3 where CLDR gives several languages the same name."""
    seen = defaultdict(list)
    for row in rows:
        seen[row[2]].append(row)
    for same in seen.values():
        for row in same if len(same) > 1 else []:
            row[2] = pycountry.languages.get(alpha_3=row[0]).name
    return rows


@cache
def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def folds(cldr: Path) -> dict[str, str]:
    """Codes that go by another code: dominant members of macrolanguages, and codes that were withdrawn."""
    aliases = load(cldr / "cldr-core/supplemental/aliases.json")["supplemental"]["metadata"]["alias"]
    found = {}
    for tag, entry in aliases["languageAlias"].items():
        target = entry["_replacement"].split("-")[0]
        macro = entry["_reason"] == "macrolanguage" and len(target) == 2 and tag not in NOT_FOLDED
        if (macro or entry["_reason"] == "deprecated") and len(tag) == 3:
            found[tag] = three(target)
    found |= ALSO_FOLDED
    return {code: found.get(target, target) for code, target in found.items()}


def three(tag: str) -> str:
    known = pycountry.languages.get(alpha_2=tag) if len(tag) == 2 else None
    return known.alpha_3 if known else tag


def two(code: str) -> str:
    return getattr(pycountry.languages.get(alpha_3=code), "alpha_2", code)


def display_names(cldr: Path, locale: str) -> dict[str, str]:
    path = cldr / f"cldr-localenames-full/main/{locale}/languages.json"
    if not path.exists():
        return {}
    names: dict[str, str] = load(path)["main"][locale]["localeDisplayNames"]["languages"]
    return names


def stand_in(cldr: Path, tag: str) -> str:
    """The tag under which CLDR files what it has on a language: `lah` for Western Punjabi."""
    aliases = load(cldr / "cldr-core/supplemental/aliases.json")["supplemental"]["metadata"]["alias"]
    return str(aliases["languageAlias"].get(tag, {}).get("_replacement", tag).split("-")[0])


def scripts_of(cldr: Path, tags: list[str]) -> list[str]:
    """The likely script first, then those that CLDR calls primary or has a locale for."""
    likely = load(cldr / "cldr-core/supplemental/likelySubtags.json")["supplemental"]["likelySubtags"]
    primary = load(cldr / "cldr-core/supplemental/languageData.json")["supplemental"]["languageData"]
    found = []
    for tag in tags:
        if tag in likely:
            found.append(likely[tag].split("-")[1])
        found += primary.get(tag, {}).get("_scripts", [])
        found += sorted(
            locale.name.split("-")[1]
            for locale in (cldr / "cldr-misc-full/main").glob(f"{tag}-????")
            if locale.name.split("-")[1].isalpha() and locale.name != "zh-Latn"
        )
    known = [SCRIPT_OF.get(script, script) for script in found]
    return list(dict.fromkeys(script for script in known if script not in ("Dsrt", "Shaw", "Zyyy", "Zzzz")))


def alphabet(cldr: Path, tag: str) -> str:
    """The letters of the language's own words in Latin script (CLDR's main exemplar set), lower case."""
    for locale in (f"{tag}-Latn", tag):
        path = cldr / f"cldr-misc-full/main/{locale}/characters.json"
        if path.exists():
            exemplars = load(path)["main"][locale]["characters"].get("exemplarCharacters", "")
            exemplars = regex.sub(r"\\u[0-9A-Fa-f]{4}", unescape, exemplars)
            spans = regex.findall(r"(?<![\\\w])(\w)-(\w)", exemplars)
            letters = {chr(c) for a, b in spans for c in range(ord(a), ord(b) + 1)}
            letters |= set(regex.findall(r"[\p{L}\p{M}]", exemplars))
            if any(regex.match(r"\p{Latin}", letter) for letter in letters):
                return "".join(sorted(letters | set(MORE_LETTERS.get(tag, ""))))
    return ""


def unescape(match: regex.Match[str]) -> str:
    return chr(int(match[0][2:], 16))


def script_rows(cldr: Path) -> list[list[str]]:
    metadata = load(cldr / "cldr-core/scriptMetadata.json")["scriptMetadata"]
    names = load(cldr / "cldr-localenames-full/main/en/scripts.json")["main"]["en"]["localeDisplayNames"]
    characters, blocks = characters_of_scripts(), blocks_of_scripts()
    rows = []
    for code in sorted({*characters, *COMPOSITE} - {"Zyyy", "Zinh", "Zzzz"}):
        parts = COMPOSITE.get(code, [code])
        name = names["scripts"].get(code) or unicode.script_name(code, code)
        direction = unicode.script_horizontal_direction(code, "LTR").lower()
        if metadata.get(code, {}).get("rtl") == "YES":
            direction = "rtl"
        own = [] if code in COMPOSITE else spans(characters[code])
        block = sorted(span for part in parts for span in blocks[part])
        rows.append([code, name, direction, written(block), written(own), terminators(parts)])
    return rows


def characters_of_scripts() -> dict[str, list[int]]:
    found = defaultdict(list)
    for point in range(sys.maxunicode + 1):
        found[unicode.script(chr(point))].append(point)
    return found


def blocks_of_scripts() -> dict[str, list[tuple[int, int]]]:
    """The blocks whose letters are mostly of one script."""
    found = defaultdict(list)
    points = (p for p in range(sys.maxunicode + 1) if unicode.category(chr(p)) not in ("Cn", "Cs", "Co"))
    for block, members in groupby(points, key=lambda point: unicode.block(chr(point))):
        scripts = [unicode.script(chr(point)) for point in members]
        own = [script for script in scripts if script not in ("Zyyy", "Zinh")]
        if len(own) > len(scripts) / 2 and not NO_LETTERS.search(block):
            found[max(set(own), key=own.count)].append(BLOCK_SPANS[block])
    return found


def block_spans() -> dict[str, tuple[int, int]]:
    starts = [*unicode.Blocks.RANGES, sys.maxunicode + 1]
    return {
        name: (start, end - 1)
        for name, start, end in zip(unicode.Blocks.VALUES, starts[:-1], starts[1:], strict=True)
    }


BLOCK_SPANS = block_spans()


@cache
def sentence_ends() -> list[str]:
    return regex.findall(r"\p{Sentence_Terminal}", "".join(map(chr, range(sys.maxunicode + 1))))


def terminators(scripts: list[str]) -> str:
    ends = [c for c in sentence_ends() if set(scripts) & unicode.script_extension(c)]
    more = [c for script in scripts for c in MORE_TERMINATORS.get(script, "")]
    return "".join(c for c in dict.fromkeys([*EVERYWHERE, *ends, *more]) if c not in NO_TERMINATORS)


def spans(points: list[int]) -> list[tuple[int, int]]:
    runs = groupby(enumerate(points), key=lambda pair: pair[1] - pair[0])
    found = [[point for _, point in run] for _, run in runs]
    return [(run[0], run[-1]) for run in found]


def written(ranges: list[tuple[int, int]]) -> str:
    return " ".join(f"{start:X}-{end:X}" for start, end in ranges)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
