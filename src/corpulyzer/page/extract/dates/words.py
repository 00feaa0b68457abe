"""The words by which pages name their dates: in meta elements, in classes and ids, and in their text."""

from __future__ import annotations

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
COPYRIGHT = regex.compile("©|copyright|\\(c\\)|all rights|rechte vorbehalten", regex.IGNORECASE)
_SAYS_SO = regex.compile(
    "publish|posted|written|created|veröffentlicht|erschienen|erstellt|geschrieben|eingestellt|datum|verfasst|publi"
    "|mis en ligne|posté|le |publicado|fecha|escrito|pubblicat|postato|data|dodan|objav|zveřejn|vydán|uverejn"
    "|опубликован|дата|публик|додано|δημοσ|yayın|tarih|diterbitkan|dipublikasikan|gepubliceerd|geplaatst"
    "|publicerad|julkaist|تاریخ|نشر|प्रकाशित|প্রকাশ|เผยแพร่|วันที่|发布|發布|公開|掲載|입력|등록",
    regex.IGNORECASE,
)
# Stems of what languages say of a page that was changed, edited or brought up to date.
_STEMS = Path(__file__).with_name("changed.txt").read_text("utf-8").split()
CHANGED = regex.compile("|".join(stem.replace("_", " ") for stem in _STEMS), regex.IGNORECASE)


def says_so(text: str) -> bool:
    """Whether a line says that it shows a date of publication."""
    folded = _folded(text).encode("utf-8", "surrogatepass")
    return has_any(folded, _WORDS_OF_DATES) and _SAYS_SO.search(text) is not None


def _folded(text: str) -> str:
    """A text in which letters are alike wherever a pattern may take them for alike, all forms of I too."""
    return text.casefold().replace("i\u0307", "i").replace("ı", "i")


# Looked for before the pattern, which takes ten times as long and finds one of them if it finds anything.
_WORDS_OF_DATES = tuple(_folded(word).encode() for word in _SAYS_SO.pattern.split("|"))
