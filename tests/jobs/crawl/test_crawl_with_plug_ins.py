"""A crawl whose pages a plug-in judges, and the copies of which are then told."""

from corpulyzer.jobs.why import history

RULES = """
from corpulyzer import KEEP, drop


class EnoughParagraphs:
    version = 1
    words = "long enough"

    def __call__(self, page):
        found = len(page.paragraphs)
        return KEEP if found >= 3 else drop("enough_paragraphs", "too few paragraphs", found=found, wanted=3)
"""
SETTINGS = """
[plugins]
filters = { enough_paragraphs = "my_rules.EnoughParagraphs" }

[filter]
document = ["content_size", "enough_paragraphs"]
"""


def test_a_plug_in_judges_what_is_fetched_and_what_is_left_without_copies(web, crawl, tmp_path):
    """The second page shares three of its four paragraphs with the first: what is left of it is one."""
    web.page("http://a.test/1", "http://a.test/2", "http://a.test/short")
    web.page("http://a.test/2")
    first, second = (web.answers[f"http://a.test/{page}"] for page in "12")
    shared = first[2].split(b"</p>")[:3]
    web.answers["http://a.test/2"] = (*second[:2], b"</p>".join([*shared, *second[2].split(b"</p>")[3:]]))
    web.answers["http://a.test/short"] = (*first[:2], b"</p>".join(first[2].split(b"</p>")[:2]) + b"</p>")
    with (tmp_path / "c" / "corpulyzer.toml").open("a") as settings:
        settings.write(SETTINGS)
    (tmp_path / "c" / "my_rules.py").write_text(RULES)
    corpus, _, _ = crawl("http://a.test/1", crawl__rounds=2, dedup__policy=["paragraph"])
    found = {document.url: document.verdict for document in corpus.documents}
    assert {url: verdict.reason for url, verdict in found.items()} == {
        "http://a.test/1": "",
        "http://a.test/2": "",
        "http://a.test/short": "enough_paragraphs",
    }
    assert found["http://a.test/short"].facts == {"found": 2, "wanted": 3}
    with corpus.engine() as engine:
        corpus.dedup("paragraph", engine=engine)
        told = history(corpus, "http://a.test/2", engine)
    (left,) = [document for document in corpus.documents if document.url == "http://a.test/2"]
    assert left.verdict.reason == "enough_paragraphs"
    assert (left.verdict.facts["found"], left.verdict.facts["dropped_paragraphs"]) == (1, 3)
    assert "too few paragraphs" in str(told)
    assert [document.url for document in corpus.documents.kept()] == ["http://a.test/1"]
