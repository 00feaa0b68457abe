"""Bring the catalogues of the interface up to date with the texts in its templates.

A text that is new gets an empty translation, one that is gone is left out; what is translated stays as it is.
`--check` changes nothing, and ends with 1 if a catalogue is behind.
"""

from __future__ import annotations

import sys
from pathlib import Path

from corpulyzer.measure.pages.funnel import STEP_NAMES
from corpulyzer.page.filter import Filters
from corpulyzer.serve.pages import TEMPLATES, environment
from corpulyzer.serve.texts.catalogue import ENGLISH, FOLDER, LANGUAGES, read

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
    """The texts of all templates, in their order, each with the templates that have it; names of steps too."""
    found: dict[str, list[str]] = {}
    templates = environment()
    for file in sorted(TEMPLATES.glob("*.html")):
        for _line, _name, said in templates.extract_translations(file.read_text("utf-8")):
            text = said if isinstance(said, str) else str(said[0])  # with values, which come after it
            if file.name not in found.setdefault(text, []):
                found[text].append(file.name)
    for name in (*STEP_NAMES.values(), *Filters().words.values()):
        found.setdefault(name, ["funnel"])
    return found


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
    print(", ".join(behind) or "Everything is up to date.")
    sys.exit("--check" in sys.argv and bool(behind))


if __name__ == "__main__":
    main()
