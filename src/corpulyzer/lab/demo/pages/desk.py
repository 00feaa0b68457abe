"""Where pages are made: from a URL and a few decisions to a response whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from corpulyzer.lab.demo.pages.frames import make_frame
from corpulyzer.lab.demo.pages.layouts import Layout, news
from corpulyzer.lab.demo.prose import LANGUAGES, Article, Prose, choose

# Made-up sites under a name that is reserved: a newspaper, a blog, a forum, an encyclopedia, old pages.
HOSTS: Mapping[str, tuple[str, ...]] = {
    "urd": ("akhbar.example", "bazm.example", "chaupal.example", "kitabghar.example", "dehat.example"),
    "fas": ("ruznameh.example", "anjoman.example", "meydan.example", "ketabkhane.example", "roosta.example"),
    "xho": ("iindaba.example", "inkcubeko.example", "imbizo.example", "iincwadi.example", "ilali.example"),
    "zul": ("izindaba.example", "amasiko.example", "ingxoxo.example", "izincwadi.example", "isigodi.example"),
    "hrv": ("vijesti.example", "zavicaj.example", "kavana.example", "knjiznica.example", "zaselak.example"),
    "slv": ("novice.example", "domacija.example", "klepet.example", "knjigarna.example", "zaselje.example"),
    "eng": ("gazette.example", "society.example", "teahouse.example", "bookshelf.example", "hamlet.example"),
}

# Single-byte encodings that a language was written in, by their WHATWG names.
LEGACY: Mapping[str, tuple[str, ...]] = {
    "urd": ("windows-1256",),
    "fas": ("windows-1256",),
    "hrv": ("windows-1250", "iso-8859-2"),
    "slv": ("windows-1250", "iso-8859-2"),
    "xho": ("windows-1252",),
    "zul": ("windows-1252",),
    "eng": ("windows-1252",),
}

# windows-1256 has no Farsi yeh, no Urdu full stop and no eastern digits; pages used similar characters.
ARABIC_SUBSTITUTES = str.maketrans("یۂ۔۰۱۲۳۴۵۶۷۸۹", "يہ.0123456789")


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of a page because we made it.

    `language` is that of `text`, the paragraphs of the main text joined by newlines. `keep` says whether
    an ideal corpus of the target language has the page. If not, `reason` is the outcome or filter that such
    pages are for (`http_error`, `mime`, `empty`, `revisit`, `machine_translation`, `encoding`, `punctuation`,
    `length`), or `language`, `no_prose`, `duplicate`, `near_duplicate`; a page that repeats another names it
    in `duplicate_of`. `charset` is the WHATWG's name of the encoding that the bytes are in. `license` is
    `cc-by` … `cc-by-nc-nd`, `cc0`, `public-domain`, `cc-unspecified` or empty.
    """

    url: str
    kind: str
    language: str
    text: str
    keep: bool
    reason: str = ""
    charset: str = "utf-8"
    license: str = ""
    duplicate_of: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """A response of the built-in web, with its truth; `body` is as received, in all its encodings."""

    truth: Truth
    body: bytes
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    record: str = "response"
    record_headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Desk:
    """Makes the pages of a web whose good pages are in `target`. A URL and the seed decide everything."""

    target: str
    seed: int = 0

    @property
    def prose(self) -> Prose:
        return Prose(self.target)

    @property
    def stranger(self) -> str:
        """A language that the target's sites are mixed with: English, or Croatian for English."""
        return "hrv" if self.target == "eng" else "eng"

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(language for language in LANGUAGES if language != self.target)

    def rng(self, *key: object) -> Random:
        return Random("/".join(map(str, (self.seed, *key))))

    def host(self, stem: str) -> str:
        """A host of the target's web for pages of a special kind."""
        return f"{stem}-{self.prose.code}.test"

    def article(self, url: str, language: str = "", paragraphs: int = 0) -> Article:
        rng = self.rng(url, "article")
        return Prose(language or self.target).article(rng, paragraphs or choose(rng, (4, 5, 6, 7)))

    def html(self, url: str, article: Article, layout: Layout, **changes: Any) -> str:
        """The page of an article; `site_language` is that of the menus, the rest changes the frame."""
        language = changes.pop("site_language", "") or article.language
        frame = make_frame(Prose(language), url.split("/")[2], self.rng(url, "frame"))
        return layout(article, replace(frame, **changes))

    def page(self, url: str, kind: str, layout: Layout = news, **options: Any) -> Sample:
        """A page that an ideal corpus keeps; options are fields of its truth and of its frame.

        `language` and `paragraphs` shape the article unless an `article` is given.
        """
        given = options.pop("article", None)
        shape = {name: options.pop(name) for name in ("language", "paragraphs") if name in options}
        article = given or self.article(url, **shape)
        names = ("keep", "reason", "charset", "license", "duplicate_of")
        facts = {name: options.pop(name) for name in names if name in options}
        truth = Truth(url, kind, article.language, article.text, **{"keep": True, **facts})
        return Sample(truth, self.html(url, article, layout, **options).encode())


def dropped(sample: Sample, reason: str, duplicate_of: str = "") -> Sample:
    """The same response as one that an ideal corpus leaves out."""
    return replace(sample, truth=replace(sample.truth, keep=False, reason=reason, duplicate_of=duplicate_of))
