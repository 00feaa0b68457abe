"""Addresses that common software makes beside its pages: forms, histories, other views of a page, and lists.

MediaWiki, WordPress, DokuWiki, phpBB, Drupal, Joomla, MoinMoin, Tiki and others have them under names that
mean the same wherever they are used. What has text of its own is not among them: `?p=12`, `?page_id=7`,
`index.php?title=A` and `doku.php?id=b` are pages, and on some sites no page has any other address.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import unquote

import regex

from corpulyzer.native import compiled
from corpulyzer.web.frontier.pattern import parts_of

# Values of a parameter that ask for something else than the page. Others of the same name may be pages.
_ASKED = {
    "action": """
        edit edit-source editpost history info submit delete protect unprotect watch unwatch raw purge
        rollback revert markpatrolled credits formedit formcreate ajax render login logout register
        lostpassword signup reply printpage print diff recall refresh attachfile likepages spellcheck
        localsitemap renderasdocbook
        subscribe subscribeuser upload search profile reporttm
    """,
    "do": """
        edit revisions diff recent login logout register resendpwd profile media backlink search admin draft
        subscribe source check show_source locked denied conflict preview export_raw export_xhtml
        export_xhtmlbody export_pdf export_odt newreply newthread sendtofriend lostpw getdaily
    """,
    "view": "print login registration remind reset mailto",
    "task": "edit print emailform registers.register user.login user.logout",
    "option": "com_mailto com_users com_user com_search com_finder com_registration com_login",
    "tmpl": "component",
    "print": "1 true yes pdf",
    "printable": "1 true yes",
    "format": "pdf raw txt",
    "preview": "1 true",
    "ical": "1",
    "feed": "comments-rss2 comments-atom comments-rss",
}
# Parameters that only such addresses have.
_NEVER = """
replytocom oldid redlink veaction mobileaction returnto returntoquery undo undoafter rcid unhide
rest_route sectok cpage like_comment attachment_id trackback moderation-hash unapproved
add-to-cart remove_item
"""
# Scripts and folders that only such addresses have, and whole paths of forms for members.
_PATHS = regex.compile(
    r"""(?xi)
    /wp-(?:login|signup|register|trackback|comments-post|cron|mail|links-opml)\.php$ | /xmlrpc\.php$
    | /wp-(?:admin|json)(?:/|$) | /trackback/?$ | /embed/?$ | /comment-page-\d+/?$ | /comments/feed(?:/|$)
    | /(?:posting|ucp|mcp|memberlist|viewonline|newreply|newthread|sendmessage)\.php$
    | /comment/reply/ | /node/\d+/(?:edit|delete|revisions|track)(?:/|$) | /node/add(?:/|$)
    | /users?/(?:login|register|password|logout)/?$
    | /_export/ | /_detail/ | /lib/exe/(?:detail|taskrunner)\.php$
    | /tiki-(?:editpage|pagehistory|login|register|remind_password|print)\.php$
    | /(?:log-?in|sign[-_]?in|logout|sign[-_]?up|register|lost-?password)
      (?:\.(?:php|html?|aspx?|jsp))?/?$
    """
)
# A MediaWiki names what it makes itself by this word, in its own language, before a colon.
_SPECIAL = frozenset(
    """
amẓli aparteko aptaca arbednek arbennek arbennig arnawlı arnaýı astamiwa bağse berezi dibar diŋ'gahim
doaimmat doxmeli eihhrâhpa er_lheh erenoamáš erikoine especial espesial espesiat espesiál espesyal
espezial faphegileng husus ibidasanzwe ihü_kárírí immikkut ippiziari ispetziale istimewa istimiwa jagleel
kasi'iked kasi’iked kerfissíða khaas khas kin_iniptnaq kingal_nanaq kotakahi kusuih kusus këcëweek maalum
maasus mahsus makehe manokana maxsus mba'echĩchĩ mirunggan natatangi nōncuahquīzqui papa_nui patikos
pinakisumaljiyan pinaurog posebno pàtàkì rirci sapak sapaq sazumaay schbezial schbädsjaal serstakt
serstakur seviškuo shpezjal sipeciås sipesol soronko specala speciaal special speciala specialaĵo speciale
specialine specialis specialne specialnje specialus speciaol speciel specioal speciàle speciális speciální
speciâl speciālin specjalna specjalnô specēlos speisialta spesiaal spesial spesyal spetziali spezial
speçałe speçiale speċjali spiciali spèciâl spécial syndrig szpecyjalna sònraichte tallituslehekülg taybet
tek-pia̍t toiminnot tooimah uslig uzalutno uzzig vonọtaun vyisangije wat_khwo xususi xüsusi xısusi
èspésyal özel ýörite đặc_biệt špeciálne ɖéɖovo ειδικό ειδικόν адмысловае аналлаах арнайы атайын аҥылу
башка башка_тевень башхо белхан вижа гӏулакха къуллугъирал_лажин къуллукъ көдлхнə көдлхнә лӱмын_ыштыме
махсус нарочьна окреме отсасян посебно сæрмагонд служебная специални специјална специјални спеціальна
спеціальні спецӹлӹштӓш спэцыяльныя тусгай тускай тусхай хъулухъалъулаб цастәи шпеціална ярҙамсы ятарлă
սպասարկող באַזונדער באזונדער מיוחד ئالاھىدە اؤزل ارنايى تایبەت حاص خاص شا ویژه ځانگړی ځﺎﻧګړی ڤیجە ۆێک
ܕܝܠܢܝܐ ހާއްޞަ ޚާއްސަ ߞߙߍߞߙߍߣߍ߲ खास बिशेष विशेश विशेष विशेषः विशेषम् विसेस বিশেষ ਖ਼ਾਸ ਖਾਸ વિશેષ ବିଶେଷ
சிறப்பு ప్రత్యేక ವಿಶೇಷ ವಿಸೇಸೊ പ്രത്യേ പ്രത്യേകം විශේෂ พิเศษ ພິເສດ တဲး၀ါး တၟေင် အထူး ၶိုၵ်ႉတွၼ်း სპეციალური
ልዩ ፍሉይ ពិសេស ᨻᩥᩔᩮ ᱟᱥᱚᱠᱟᱭ 特別 特殊 ꠛꠤꠡꠦꠡ ꯑꯈꯟꯅꯕ 특 특수 특수기능
""".split()
)
_TITLE = regex.compile(r"(?:^|/)([^/:?&=]{2,40}):[^/]")
_REVISION = regex.compile(r"\d{10}")

# Lists of pages by date, tag, section, author and number, and feeds. They may lead to something new.
_LISTS = regex.compile(
    r"""(?xi)
    /page/\d+/?$ | ^/(?:[^/]+/)?(?:tag|tags|category|categories|author|authors|label)/[^/.]+/?$
    | ^/category/.+/$ | ^/(?:archives?/)?(?:19|20)\d\d(?:/(?:0?[1-9]|1[0-2])(?:/\d{1,2})?)?/?$
    """
)
_FEEDS = regex.compile(r"(?i)/(?:feed|rss|atom)(?:/|\.xml|\.php)?$")
# Sitemaps that name no pages but lists of them, and files. A wiki numbers what it has beside its articles:
# files are 6, messages 8, templates 10, categories 14, and the talk about each has the number after it.
_MAPS_OF_LISTS = regex.compile(
    r"""(?xi)
    /wp-sitemap-(?:taxonomies|users)-[^/]*\.xml$ | /(?:category|post_tag|author|post_format)-sitemap\d*\.xml$
    | /sitemap[^/]*-NS_(?:[6-9]|1[0145])-\d+\.xml(?:\.gz)?$ | /sitemap_collections_\d+\.xml$
    """
)
# How what these expressions find in a path begins, behind a slash.
_MARKS = tuple(
    """
wp- xmlrpc trackback embed comment posting ucp mcp memberlist viewonline newreply newthread sendmessage
node/ user _export _detail lib/exe tiki- login log-in logout sign register lost page/ tag categor author
label feed rss atom post_tag post_format sitemap
""".split()
)
_LIST_NAMES = frozenset(
    "paged feed cat tag author m monthnum year day post_type post_format order lang".split()
)

_VALUES = {name: frozenset(values.split()) for name, values in _ASKED.items()}
_FORMS = frozenset(_NEVER.split())


def is_plain(url: str, most_segments: int) -> bool:
    """Whether a URL needs no closer look: it is no trap, view or list. False where nothing was compiled.

    Most URLs are plain: without a query, with segments that differ, and with no name that is known here.
    """
    return compiled is not None and compiled.is_plain_address(url, most_segments, _MARKS)


def is_other_view(url: str) -> bool:
    """Whether a URL asks for a form, a history, or another view of a page that has its own address.

    >>> is_other_view("http://a.si/index.php?title=Kranj"), is_other_view("http://a.si/?p=12")
    (False, False)
    >>> is_other_view("http://a.si/?title=Kranj&action=edit"), is_other_view("http://a.si/wiki/Posebno:Iskanje")
    (True, True)
    """
    _, path, query = parts_of(url)
    if _PATHS.search(path):
        return True
    values = _parameters(query)
    if not _FORMS.isdisjoint(values):
        return True
    if any(value in _VALUES.get(name, ()) for name, value in values.items()):
        return True
    if "diff" in values and ("title" in values or path.startswith("/wiki/")):
        return True
    if "rev" in values and _REVISION.fullmatch(values["rev"]):
        return True
    return _is_special(values.get("title", "")) or _is_special(path)


def is_list(url: str) -> bool:
    """Whether a URL is that of a list of pages, or of a map of such lists, by the names of common software.

    >>> [is_list(f"http://a.si/{rest}") for rest in ("tag/reka/", "2023/05/", "?cat=4", "2023/05/ptuj/")]
    [True, True, True, False]
    """
    _, path, query = parts_of(url)
    if _FEEDS.search(path):
        return True
    if not query:
        return _LISTS.search(path) is not None or _MAPS_OF_LISTS.search(path) is not None
    values = _parameters(query)
    is_index = path == "/" or path.endswith("/index.php")
    if is_index and values.get("sitemap") in ("taxonomies", "users"):
        return True
    return (
        values.get("do") == "index"
        or "feed" in values
        or (is_index and values.keys() <= _LIST_NAMES and values.keys() != {"lang"})
    )


@lru_cache(maxsize=1 << 10)
def _parameters(query: str) -> Mapping[str, str]:
    """The parameters of a query in small letters, without their escapes."""
    pairs = (pair.partition("=") for pair in query.split("&")) if query else ()
    return {unquote(name).lower(): unquote(value).lower() for name, _, value in pairs}


def _is_special(title: str) -> bool:
    if ":" not in title and "%3" not in title:
        return False
    found = _TITLE.search(unquote(title).lower())
    return found is not None and found[1].replace(" ", "_") in _SPECIAL
