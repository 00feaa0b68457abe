"""The catalogues of the interface have every text of its templates, and say nothing that would break one."""

import subprocess
import sys
from pathlib import Path

import pytest
import regex

from corpulyzer.interface.catalogue import ENGLISH, LANGUAGES, messages, read

ROOT = Path(__file__).parent.parent.parent
OTHERS = [code for code in LANGUAGES if code != ENGLISH]
WHOLE = ("de", "ur")
_VALUE = regex.compile(r"%\(\w+\)s")


def test_every_text_of_the_templates_is_in_every_catalogue():
    command = [sys.executable, str(ROOT / "tools" / "make_catalogue.py"), "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"run `python tools/make_catalogue.py`: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_values_of_its_text(code):
    assert len(messages(code)) > 200
    for text, other in messages(code).items():
        if other:
            assert sorted(_VALUE.findall(text)) == sorted(_VALUE.findall(other)), text
            lone = [each.count("%") for each in (_VALUE.sub("", text), _VALUE.sub("", other))]
            assert lone[0] == lone[1], "a lone % would be taken for a value"


@pytest.mark.parametrize("code", WHOLE)
def test_every_text_is_translated(code):
    """A language that others add may have English in between until it is whole."""
    missing = [text for text, other in messages(code).items() if not other.strip()]
    assert not missing, "\n".join(missing)


def test_texts_over_several_lines_are_read_as_one():
    lines = [
        'msgid ""',
        'msgstr ""',
        '"Language: x\\n"',
        "",
        "# a note",
        'msgid "a "',
        '"b"',
        'msgstr ""',
        '"c"',
    ]
    assert list(read([*lines, "", 'msgid "d"', 'msgstr "\\"e\\""'])) == [("a b", "c"), ("d", '"e"')]
