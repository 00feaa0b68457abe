"""Bring the catalogues of the interface up to date with the texts of its templates, and what Python says.

A text that is new gets an empty translation, one that is gone is left out; what is translated stays as it is.
`--check` changes nothing, and ends with 1 if a catalogue is behind.
"""

from __future__ import annotations

import sys
from pathlib import Path

from spoken import errors, spoken

import corpulyzer
from corpulyzer.audit.labels import FLAGS, LABELS
from corpulyzer.audit.sites import CATEGORIES, DECISIONS
from corpulyzer.interface.catalogue import ENGLISH, FOLDER, LANGUAGES, read
from corpulyzer.measure.pages.funnel import STEP_NAMES
from corpulyzer.measure.panels import PANELS
from corpulyzer.measure.sites.overview import TOP_K
from corpulyzer.page.filter import RESERVED, Filters
from corpulyzer.records import Document, Fetch
from corpulyzer.search.company.sketch import JOINED, POSITIONS, RELATIONS, SIDES
from corpulyzer.serve.pages import TEMPLATES, environment
from corpulyzer.serve.search.subcorpora import FIELDS
from corpulyzer.serve.sites import ORDERS
from corpulyzer.serve.story import FACTS
from corpulyzer.web.fetch.politeness import FAILURES, WITHOUT_REQUEST

SOURCE = Path(corpulyzer.__file__).parent
REPORT = SOURCE / "report" / "page.html.j2"
SPOKEN = (
    *(
        "serve",
        "report",
        "measure",
        "jobs/advice.py",
        "jobs/stale.py",
        "jobs/why.py",
        "jobs/search",
        "jobs/dedup/of_document.py",
        "jobs/dedup/judge.py",
    ),
    *("search/cql.py", "search/spread", "corpus/subcorpora.py", "storage/lock.py"),
)
"""Where whole sentences are for readers of pages."""
WITH_ERRORS = (
    *("search", "audit", "corpus/folder.py", "language.py", "errors.py", "jobs/languages.py"),
    *("web/fetch/settings.py", "interface"),
)
"""Where only errors are, since the rest is for the command line or for machines."""
OF_EVENTS = (
    *("copies", "kept_copy", "scope", "numbers", "evidence", "hops", "license_vote", "linked_from"),
    *("target_share", "links", "fetches", "failures", "due", "payload_bytes", "within"),
)
"""Facts of the history of a page that are columns of no record."""
OF_TABLES = (
    *("Charsets", "compression", "corpus", "inner fence", "outer fence", "letters", "look alike sentences"),
    *("median", "morphs", "odd", "read", "repetition", "sample", "short segments", "strict", "tatweel"),
    *("beta", "beta error", "log k", "log beta", "log beta error", "log r squared", "k"),
    *("target sentences", "total", "urls", "websites", *(f"share of the top {k}" for k in TOP_K)),
)
"""Headings and categories in tables of the report that stand alone in the code."""
SILENT = (
    *("measure/compare", "report/card.py", "report/manifest.py", "serve/fetched.py", "serve/listen.py"),
    *("serve/security.py", "serve/work/runner.py", "measure/words/list_pairs.py"),
)
"""What no page shows: comparisons of corpora and data cards, which are in English, and what terminals say."""

HEAD = """# The texts of the explorer in {name}, to be edited with any tool for .po files.
# NEEDS A NATIVE READER: these are first translations that nobody has read who speaks the language.
msgid ""
msgstr ""
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


def texts() -> dict[str, list[str]]:
    """Every text of the interface with the files that have it: templates first, then what Python says."""
    found: dict[str, list[str]] = {}

    def note(text: str, where: str) -> None:
        if text.strip() and where not in found.setdefault(text, []):
            found[text].append(where)

    templates = environment()
    for file in (*sorted(TEMPLATES.glob("*.html")), REPORT):
        for _line, _name, said in templates.extract_translations(file.read_text("utf-8")):
            # With values, which come after it.
            note(said if isinstance(said, str) else str(said[0]), file.name)
    for text in names():
        note(text, "names")
    for place in SPOKEN:
        for file in _modules(place):
            for text in spoken(file):
                note(text, str(file.relative_to(SOURCE)))
    for place in WITH_ERRORS:
        for file in _modules(place):
            for text in errors(file):
                note(text, str(file.relative_to(SOURCE)))
    return found


def _modules(place: str) -> list[Path]:
    path = SOURCE / place
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [file for file in files if not str(file.relative_to(SOURCE)).startswith(SILENT)]


def names() -> list[str]:
    """What is called by its name alone: steps, labels, columns, relations."""
    kinds = (*LABELS, *FLAGS)
    positions = [f"{distance} {side}" for distance in range(1, POSITIONS + 1) for side in SIDES]
    found = [
        *(*STEP_NAMES.values(), *Filters().words.values(), *(panel.section for panel in PANELS)),
        *(*(kind.name for kind in kinds), *(kind.meaning for kind in kinds), *CATEGORIES, *DECISIONS),
        *(*(each.name for each in RELATIONS), JOINED, *positions, *ORDERS, *FIELDS, *FACTS),
        *(*Document.__slots__, *Fetch.__slots__, *STEP_NAMES, *Filters().words, *OF_EVENTS, *OF_TABLES),
        *(*RESERVED, *sorted(FAILURES | WITHOUT_REQUEST), "http_error", "empty", "internal"),
        *("in the language", "documents", "yield", "count", "similarity", "none"),
    ]
    return [name.replace("_", " ") for name in found]


def catalogue_in(code: str) -> str:
    """The catalogue of a language with all texts of today."""
    path = FOLDER / f"{code}.po"
    known = dict(read(path.read_text("utf-8").splitlines())) if path.exists() else {}
    entries = [
        f"#: {' '.join(files)}\nmsgid {_quoted(text)}\nmsgstr {_quoted(known.get(text, ''))}\n"
        for text, files in texts().items()
    ]
    return "\n".join([HEAD.format(name=LANGUAGES[code], code=code), *entries])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def main() -> None:
    behind = []
    for code in LANGUAGES:
        if code == ENGLISH:
            continue
        path, text = Path(FOLDER / f"{code}.po"), catalogue_in(code)
        if not path.exists() or path.read_text("utf-8") != text:
            behind.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, "utf-8")
    sys.stdout.write((", ".join(behind) or "Everything is up to date.") + "\n")
    sys.exit("--check" in sys.argv and bool(behind))


if __name__ == "__main__":
    main()
