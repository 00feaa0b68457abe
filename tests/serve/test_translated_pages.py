"""Every text of every page goes through the catalogue: what is not marked by it is a word of the corpus."""

import urllib.error
import urllib.request
from urllib.parse import quote

import pytest
from marks import CODE, marking, unmarked

from corpulyzer.serve.documents import Wanted, select

# In the process that has the corpus already.
pytestmark = pytest.mark.xdist_group("tests/serve/test_explorer.py")


def ask(served, path):
    request = urllib.request.Request(served.address + path, headers={"Accept-Language": CODE})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


def test_every_word_of_every_page_is_in_the_catalogue(urdu):
    row = select(urdu.corpus, Wanted(words="خبر"), 0, 1)[0][0]
    copy = select(urdu.corpus, Wanted(words="copy.html"), 0, 1)[0][0]
    word = quote("کے")
    shows = ("", "collocations", "clusters", "sites", "distribution")
    paths = [
        "/",
        "/sites",
        f"/sites/{row['site']}",
        "/documents",
        "/documents?verdict=dropped",
        "/audit",
        "/work",
    ]
    paths += [f"/documents/{copy['id']}", *(f"/search?q={word}&show={show}" for show in shows)]
    paths += [
        "/search?q=%5Bx",
        "/search?q=xxx",
        "/words",
        "/words?n=2",
        "/words?list=lemmas",
        "/words?like=(",
        "/keywords",
    ]
    paths += [
        f"/sketch?q={word}",
        f"/thesaurus?q={word}",
        f"/compare?q={word}&other={quote('میں')}",
        "/subcorpora",
    ]
    paths += ["/nowhere", "/documents/5", "/report", "/search?q=a&min_quality=x", "/subcorpora/none/search"]
    with marking():
        wrong = {path: found for path in paths if (found := unmarked(ask(urdu, path)))}
    assert not wrong, "\n".join(f"{path}: {found}" for path, found in wrong.items())
