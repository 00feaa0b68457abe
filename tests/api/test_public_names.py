"""The public names are those of the reference, each way round."""

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
import regex

import corpulyzer
from corpulyzer.api.audit import Audit
from corpulyzer.api.commoncrawl import CommonCrawl
from corpulyzer.api.seeds import Seeds
from corpulyzer.corpus.documents import Documents

REFERENCE = (Path(__file__).parents[2] / "docs" / "reference" / "python.md").read_text("utf-8")
OWNERS = {"corpulyzer": corpulyzer, "Corpus": corpulyzer.Corpus, "Audit": Audit, "Documents": Documents}
OWNERS |= {"Seeds": Seeds, "CommonCrawl": CommonCrawl}
VERBS = "add_seeds crawl import_ process dedup analyze annotate search export audit report compare why remove"


def public(owner):
    """The names of the package that it exports; of a class, all attributes without an underscore."""
    if owner is corpulyzer:
        return set(corpulyzer.__all__)
    own = {field.name for field in fields(owner)} if is_dataclass(owner) else set()
    return own | {name for name in dir(owner) if not name.startswith("_")}


def documented(owner):
    return set(regex.findall(rf"`{owner}\.(\w+)", REFERENCE))


@pytest.mark.parametrize("owner", OWNERS)
def test_every_public_name_is_documented_and_there_are_no_others(owner):
    assert public(OWNERS[owner]) == documented(owner)


@pytest.mark.parametrize("name", corpulyzer.__all__)
def test_every_name_of_the_package_is_there(name):
    assert getattr(corpulyzer, name) is not None


@pytest.mark.parametrize("verb", VERBS.split())
def test_every_verb_says_what_it_does(verb):
    assert getattr(corpulyzer.Corpus, verb).__doc__
