"""The words by which pages name their dates: in meta elements, in classes and ids, and in their text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import regex

from corpulyzer.native.scan import has_any

PUBLISHED = (
    *("article:published_time", "og:published_time", "og:article:published_time", "article:published"),
    *("datepublished", "citation_publication_date", "citation_date", "citation_online_date"),
    *("dcterms.created", "dcterms.issued", "dcterms.date", "dc.date.issued", "dc.date.created", "dc.issued"),
    *("dc.created", "dc.date.publication", "dc.date", "date", "pubdate", "publishdate", "publish_date"),
    *("publish-date", "publication_date", "publication-date", "pub_date", "parsely-pub-date"),
    *("sailthru.date", "bt:pubdate", "cxenseparse:recs:publishtime", "cxenseparse:publishtime"),
    *("mediator_published_time", "originalpublicationdate", "dateposted", "displaydate", "releasedate"),
    *("release_date", "rnews:datepublished", "article_date_original", "article.published", "article.created"),
    *("article_date", "article:post_date", "artdate", "newsdate", "date_published", "date_created"),
    *("datecreated", "created", "firstpublished", "og:pubdate", "og:date", "twt-published-at", "pdate"),
    *("shareaholic:article_published_time", "vr:published_time", "video:release_date", "gentime"),
    *("og:regdate", "regdate", "reg_date"),
)
MODIFIED = (
    *(
        "article:modified_time",
        "og:updated_time",
        "og:article:modified_time",
        "datemodified",
        "date_modified",
    ),
    *("dcterms.modified", "dc.date.modified", "dc.modified", "last-modified", "lastmodified", "lastmod"),
    *("article:modified", "modified", "revised", "updated", "last_updated", "date_modified"),
    *("lastupdate", "modificationdate"),
)
OF_ITEM = regex.compile(
    r"(?<![A-Za-z])(?:related|teasers?|recommend\w*|recent-\w+|popular|instagram\S*|tweet\S*|respond"
    r"|comments?|comment-?(?:list|meta|body|data|\d+)|commentlist|commentmetadata)(?![A-Za-z-])"
)
OF_ARTICLE = regex.compile("entry|post|article", regex.IGNORECASE)
PUBLISHED_CLASS = regex.compile(
    "publish|entry-date|post-date|postdate|pubdate|created|posted", regex.IGNORECASE
)
MODIFIED_CLASS = regex.compile("updated|modified|last[-_]?(?:mod|edit|chang|updat)", regex.IGNORECASE)
DATE_CLASS = regex.compile(
    r"(?<![a-z])(?:date|datum|fecha|data|datetime|dateline|time|timestamp|published?|pubdate|posted|postmeta|meta|metadata"
    r"|byline|created|createdate|info|submitted|credits?|author)(?![a-z])|date$|[-_]date|Date|publi|posted|dateline|byline",
)
YEAR = regex.compile(r"\d{4}|\p{Han}{2}\d|\d[./-]\d\d?[./-]\d\d")


@dataclass(frozen=True, slots=True)
class OneOf:
    """Whether a text has one of some words, in letters of either case.

    Words are looked for in folded text first, as bytes, which takes a tenth of the time of the pattern. The
    pattern finds nothing where none of them is.
    """

    pattern: regex.Pattern[str]
    folded: tuple[bytes, ...]

    def __call__(self, text: str) -> bool:
        folded = _folded(text).encode("utf-8", "surrogatepass")
        return has_any(folded, self.folded) and self.pattern.search(text) is not None


def _folded(text: str) -> str:
    """A text in which letters are alike wherever a pattern may take them for alike, all forms of I too."""
    return text.casefold().replace("i\u0307", "i").replace("ı", "i")


def _one_of(*words: str) -> OneOf:
    pattern = regex.compile("|".join(map(regex.escape, words)), regex.IGNORECASE)
    return OneOf(pattern, tuple(_folded(word).encode() for word in words))


says_copyright = _one_of("©", "copyright", "(c)", "all rights", "rechte vorbehalten")
says_published = _one_of(
    *("publish", "posted", "written", "created", "veröffentlicht", "erschienen", "erstellt", "geschrieben"),
    *("eingestellt", "datum", "verfasst", "publi", "mis en ligne", "posté", "le ", "publicado", "fecha"),
    *("escrito", "pubblicat", "postato", "data", "dodan", "objav", "zveřejn", "vydán", "uverejn"),
    *("опубликован", "дата", "публик", "додано", "δημοσ", "yayın", "tarih", "diterbitkan", "dipublikasikan"),
    *("gepubliceerd", "geplaatst", "publicerad", "julkaist", "تاریخ", "نشر", "प्रकाशित", "প্রকাশ"),
    *("เผยแพร่", "วันที่", "发布", "發布", "公開", "掲載", "입력", "등록"),
)
# Stems of what languages say of a page that was changed, edited or brought up to date.
_STEMS = Path(__file__).with_name("changed.txt").read_text("utf-8").split()
says_changed = _one_of(*(stem.replace("_", " ") for stem in _STEMS))
