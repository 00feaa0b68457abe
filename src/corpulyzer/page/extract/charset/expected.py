"""The languages that a page is likely in before its text can be read."""

from __future__ import annotations

from typing import Final

import regex

_START_BYTES = 4_096
_LANG = regex.compile(rb"""(?i)<html[^>]{0,400}?\blang\s*=\s*["']?([a-z]{2,3})\b""")
_HOST = regex.compile(r"\A[a-z]+://[^/?#]*?\.([a-z]{2})(?::\d+)?(?:[/?#]|\Z)")
# The languages of the model by their codes of two letters, and by the countries that mostly write them.
_CODES: Final = dict(
    pair.split(":")
    for pair in "af:afr ar:ara be:bel bg:bul br:bre ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng "
    "eo:epo es:spa et:est eu:eus fa:fas fi:fin fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg "
    "he:heb hr:hrv hu:hun id:ind is:isl it:ita iw:heb ja:jpn ko:kor lb:ltz lt:lit lv:lav "
    "mk:mkd mt:mlt nb:nob nl:nld nn:nno no:nob oc:oci pl:pol pt:por rm:roh ro:ron ru:rus "
    "se:sme sk:slk sl:slv sq:sqi sr:srp sv:swe th:tha tr:tur uk:ukr ur:urd vi:vie yi:yid "
    "zh:zho".split()
)
_COUNTRIES: Final = dict(
    pair.split(":")
    for pair in "al:sqi ar:spa at:deu ba:hrv be:fra bg:bul br:por by:bel ch:deu cl:spa cn:zho co:spa "
    "cz:ces de:deu dk:dan ee:est eg:ara es:spa fi:fin fo:fao fr:fra gr:ell hk:zho hr:hrv "
    "hu:hun id:ind ie:gle il:heb ir:fas is:isl it:ita jp:jpn kr:kor lt:lit lu:ltz lv:lav "
    "ma:ara mk:mkd mt:mlt mx:spa nl:nld no:nob pk:urd pl:pol pt:por ro:ron rs:srp ru:rus "
    "sa:ara se:swe si:slv sk:slk sy:ara th:tha tr:tur tw:zho ua:ukr vn:vie".split()
)


def expected_languages(body: bytes, url: str = "") -> tuple[str, ...]:
    """The languages that a page names in its first tag, and that of the country its address is in.

    >>> expected_languages(b'<html lang="pl-PL">', "https://kniha.cz/")
    ('pol', 'ces')
    """
    told = _LANG.search(body[:_START_BYTES])
    host = _HOST.match(url.lower())
    code = told[1].decode().lower() if told else ""
    found = (_CODES.get(code, code), _COUNTRIES.get(host[1], "") if host else "")
    return tuple(dict.fromkeys(filter(None, found)))
