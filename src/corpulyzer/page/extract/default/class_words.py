"""What the words in classes and ids say of an element: a few groups, looked up word by word.

These are names that programmers give, English or nearly so on sites of any language. An alternation of
hundreds of words over each attribute would take ten times as long as the parse.
"""

from __future__ import annotations

from array import array
from functools import cache

GROUPS: dict[str, str] = {
    "body": (
        "articlebody articletext articlecontent entrycontent postcontent postbody storybody storytext"
        " newstext maintext bodytext fulltext contenttext textbody singlecontent contentbody"
        " itemfulltext body txt texte texto testo tekst text prose richtext rte wysiwyg entry"
    ),
    "content": (
        "content contents inhalt contenu contenido conteudo tresc main article articles artikel"
        " artykul story post hentry news newsitem blog page single maincontent column center middle"
        " wrapper container description desc details detail document doc section primary"
    ),
    "heading": "title headline heading hed header titel titre titulo naslov tytul subtitle subhead kicker",
    "lead": "lead lede intro summary abstract excerpt teaser deck dek standfirst chapo perex zajawka sapo",
    "comment": (
        "comment comments commentlist commenttext kommentar kommentare kommentarze komentarz"
        " komentarze comentarios commentaires disqus respond reply replies responses discussion"
        " reviews review"
    ),
    "thread": "thread topic message messages posts answer answers question reactions forum conversation",
    "menu": (
        "nav navbar navigation navi menu menus submenu topmenu mainmenu leftmenu navbox breadcrumb"
        " breadcrumbs crumb crumbs pager pagination paging pages tabs tab toolbar topbar toc skip"
        " dropdown links linklist sitemap bottommenu topnav subnav mainnav"
    ),
    "side": (
        "sidebar side aside rail secondary tertiary widget widgets right left rightcolumn leftcolumn"
        " rightcol leftcol colright colleft sidecolumn box boxes module modules block panel portlet"
        " gadget"
    ),
    "foot": (
        "footer foot bottom copyright legal imprint impressum colophon disclaimer credits credit"
        " license stopka"
    ),
    "head": "masthead branding logo banner top site sitename brand tagline",
    "related": (
        "related relatedposts recommended recommend recommendation recommendations more moreover"
        " popular latest trending mostread mostpopular recent recentposts similar also readmore"
        " readnext next prev previous further outbrain taboola promo promoted promotion teasers"
        " featured list listing items feed cards card carousel slider"
    ),
    "share": (
        "share sharing shares sharebar social socials facebook fb twitter addthis addtoany sharethis"
        " linkedin pinterest whatsapp bookmark tools tool print email rss actions action buttons"
        " button btn follow rating vote votes like likes"
    ),
    "meta": (
        "meta byline author authors date dateline time timestamp published pubdate posted postmeta"
        " tags tag taglist keywords category categories kategorie source info infos information data"
        " datum autor bio profile user username avatar signature poster postinfo postdetails views"
        " stats location"
    ),
    "picture": (
        "caption captions wpcaption image img photo photos foto picture pic gallery figure media"
        " video player thumb thumbnail credit slideshow imagecaption"
    ),
    "ads": (
        "ad ads adv advert advertisement advertising advertorial adsense banner banners sponsor"
        " sponsored reklama werbung publicidad pub google promo affiliate shopping partner partners"
        " commercial"
    ),
    "ask": (
        "cookie cookies consent gdpr newsletter subscribe subscription signup signin login register"
        " modal popup overlay dialog paywall alert notice notification message donate cta form search"
        " contact account cart price buy"
    ),
    "hidden": (
        "hidden hide invisible noprint printonly sr screen reader offscreen accessibility mobile collapsed"
    ),
    "code": "code highlight syntax pre source example console",
    "reference": (
        "reference references reflist citation citations footnote footnotes notes bibliography sources"
    ),
    "recipe": "ingredients instructions directions steps recipe faq specs specifications features feature",
}
_SLOTS = 1 << 11
BITS = {name: 1 << bit for bit, name in enumerate(GROUPS)}
KNOWN_NAMES = 1 << 16

_MASKS: dict[str, int] = {}
for _name, _words in GROUPS.items():
    for _word in _words.split():
        _MASKS[_word] = _MASKS.get(_word, 0) | BITS[_name]
_LETTERS = bytes(code if 97 <= code <= 122 else code + 32 if 65 <= code <= 90 else 32 for code in range(256))


class _Memory(dict[str, int]):
    """A cache of the groups of attributes: pages repeat theirs, and so do the pages of a site."""

    def __missing__(self, names: str) -> int:
        if len(self) >= KNOWN_NAMES:
            self.clear()
        self[names] = mask = _looked_up(names)
        return mask


def _looked_up(names: str) -> int:
    mask = 0
    for word in names.encode("utf-8", "replace").translate(_LETTERS).decode("ascii").split():
        mask |= _MASKS.get(word) or (_MASKS.get(word[:-1], 0) if word[-1] == "s" else 0)
    return mask


GROUPS_OF = _Memory()
"""The groups, as a sum of `BITS`, that the words of an id, a class or a role belong to.

>>> GROUPS_OF["entry-content js_42"] == BITS["body"] | BITS["content"]
True
"""


@cache
def hashed_words() -> array[int]:
    """The words and their groups as compiled code looks them up: a table of pairs, hash and groups."""
    slots = array("Q", bytes(16 * _SLOTS))
    for word, groups in _MASKS.items():
        key = 0xCBF29CE484222325
        for letter in word.encode():
            key = (key ^ letter) * 0x100000001B3 % (1 << 64)
        at = key % _SLOTS
        while slots[2 * at + 1]:
            at = (at + 1) % _SLOTS
        slots[2 * at], slots[2 * at + 1] = key, groups
    return slots
