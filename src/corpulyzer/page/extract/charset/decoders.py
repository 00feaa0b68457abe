"""The decoders of the Encoding Standard, on top of Python's codecs.

Python's codecs follow the makers of each set, browsers follow WHATWG's Encoding Standard, and web pages are
made for browsers. The two differ in few places, and those are all that stands here:

- Bytes that a single-byte set leaves open are control characters below 0xA0, and errors above.
- `shift_jis` and `euc-kr` are the sets of Windows; `gbk` is read as GB18030, of 2022.
- `euc-jp` and `iso-2022-jp` have the characters that NEC and IBM added, and the wide forms of `~ ‖ − ¢ £ ¬`.
- `big5` has Hong Kong's characters of 2008.
- An error costs no ASCII character: `<` behind half a character is still a `<`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final

import regex

from corpulyzer.page.extract.charset.labels import REPLACEMENT

ERROR = "\ufffd"

_PYTHON: Final = {
    "ibm866": "cp866", "iso-8859-8-i": "iso-8859-8", "macintosh": "mac_roman", "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be",
    "gbk": "gb18030", "gb18030": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949",
    "euc-jp": "euc_jp", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be", "ibm855": "cp855", "johab": "johab",
}  # fmt: skip
_OTHER_BYTES: Final = {"koi8-u": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}
_UNICODE: Final = ("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be")
_WIDE: Final = str.maketrans("\u301c\u2016\u2212¢£¬", "\uff5e\u2225\uff0d￠￡￢")
_OTHER_CHARACTERS: Final[Mapping[str, dict[int, str] | dict[int, int]]] = {
    "shift_jis": dict.fromkeys(range(0xF8F0, 0xF8F4), ERROR),
    "euc-jp": _WIDE,
    "big5": str.maketrans("\u2022\uff64\u203e\u223c\u2641\u2609¥¢£", "\u2027\ufe51¯～\u2295\u2299￥￠￡"),
    "gb18030": str.maketrans(
        "\ue5e5\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue7c7"
        "\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
        "\u3000\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19\u1e3f"
        "\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb",
    ),
}  # fmt: skip
# Runs of neighbours in the Standard's index of Big5 that Python does not have, each with its first bytes.
_HONG_KONG: Final = (
    "877a㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏"
    "䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 8e69箸 8e6f簆 8e7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 "
    "8f69蒨 8f6e萏 8fcb覦覩 8ffe起 906d都 907a銹 90dc靜 90f1響 91bf鼖 9244蔃 92af兙兛兝兞 92c8鍮 92d1瑹 "
    "9447浧 94ca禛 95d9邗 9644靝 96ed瀞 96fc嬨 9b76爁 9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 9bf6澶 9c42輶 "
    "9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 9cbc尐秣 9cd0婧 9d57輋 9d5a筑 9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 "
    "9f66鼗 9fcb僭 9fd8弌 a063蠏 a077拎 a0d5瑨 a0df煢 a0e4牐 a3c0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€ "
    "c6cf廴 c6d3无 c6d5癶 c6d7隶 c6de〃仝 fa5f倩 fa66偽 fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 "
    "fc4f彘 fc6c悤 fcb9撐 fce2晴 fcf1杞 fdb7沜渝 fdbb港 fdf1煮 fe52猪 fe6f瑜 feaa瓩 fedd砉"
)
# Python has two places of Big5 for each wide slash; the Standard has other characters at the second.
_SLASHES: Final = {b"\xa2\x41": "\u2215", b"\xa2\x42": "\ufe68"}
_BIG5 = regex.compile(rb"(?s)[\x81-\xfe][\x40-\x7e\x80-\xff]|.")
_ESCAPE = regex.compile(rb"\x1b(\(B|\(J|\(I|\$@|\$B)")


def decoded(body: bytes, encoding: str) -> str:
    """The text that bytes are in an encoding of the Standard; what is no character becomes U+FFFD.

    UTF-32, IBM 855 and Johab, which browsers do not know, are read too.

    >>> decoded(b"\\x81\\x3c", "euc-kr"), decoded(b"\\xcd\\x80\\x95", "windows-1252")
    ('\ufffd<', 'Í€•')
    """
    if encoding in _UNICODE:
        return body.decode(_PYTHON.get(encoding, encoding), "replace")
    if encoding == "iso-2022-jp":
        return _iso_2022_jp(body)
    if encoding == REPLACEMENT:
        return ERROR if body else ""
    if encoding in _LEADS:
        return _multi_byte(body, "gb18030" if encoding == "gbk" else encoding)
    return codecs.charmap_decode(body, "strict", single_byte_table(encoding))[0]


@cache
def single_byte_table(encoding: str) -> str:
    """The 256 characters of a single-byte encoding.

    >>> single_byte_table("windows-1253")[0xAA], single_byte_table("x-user-defined")[0x80]
    ('\ufffd', '\uf780')
    """
    ascii_part = "".join(map(chr, range(128)))
    if encoding == "x-user-defined":
        return ascii_part + "".join(map(chr, range(0xF780, 0xF800)))
    python = _PYTHON.get(encoding, encoding)
    other = _OTHER_BYTES.get(encoding, {})
    return ascii_part + "".join(other.get(byte) or _single(byte, python) for byte in range(128, 256))


def _single(byte: int, python: str) -> str:
    try:
        return bytes((byte,)).decode(python)
    except UnicodeDecodeError:
        return chr(byte) if byte < 0xA0 else ERROR


def _multi_byte(body: bytes, encoding: str) -> str:
    if encoding == "euc-jp":
        body = body.replace(b"\x8f\xa2\xb7", b"\xa1\xc1")  # Python reads it as ASCII's tilde
    elif encoding == "big5" and any(pair in body for pair in _SLASHES):
        return "".join(_SLASHES.get(token) or _python(token, encoding) for token in _BIG5.findall(body))
    return _python(body, encoding)


def _python(body: bytes, encoding: str) -> str:
    text = body.decode(_PYTHON[encoding], _handler(encoding))
    other = _OTHER_CHARACTERS.get(encoding)
    return text.translate(other) if other else text


_Repaired = tuple[str, int]


@cache
def _handler(encoding: str) -> str:
    """The name under which Python's decoder finds what the Standard does where Python sees an error."""
    name = f"corpulyzer-{encoding}"
    codecs.register_error(name, partial(_repaired, encoding))
    return name


def _repaired(encoding: str, error: UnicodeError) -> _Repaired:
    """What stands for the bytes at an error, and where decoding goes on."""
    assert isinstance(error, UnicodeDecodeError)
    body, at = error.object, error.start
    if encoding == "gb18030" and (found := _gb18030(body, at)):
        return found
    lead = body[at]
    if lead not in _LEADS[encoding] or at + 1 == len(body):
        return ERROR, at + 1
    if encoding == "euc-jp" and lead == 0x8F and body[at + 1] in _EUC:
        return ERROR, at + 3 if at + 2 < len(body) and body[at + 2] >= 0x80 else at + 2
    known = _missing(encoding).get(body[at : at + 2])
    if known:
        return known, at + 2
    return ERROR, at + 1 if body[at + 1] < 0x80 else at + 2


def _gb18030(body: bytes, at: int) -> _Repaired | None:
    """The euro sign of old code page 936, and characters of four bytes that are none; None for all else."""
    if body[at] == 0x80:
        return "€", at + 1
    four = body[at : at + 4]
    if not (four[0] in _LEADS["gb18030"] and four[1:2].isdigit()):
        return None
    if any(
        byte not in allowed for byte, allowed in zip(four[2:], (_LEADS["gb18030"], _DIGITS), strict=False)
    ):
        return ERROR, at + 1
    return ERROR, at + len(four)


_DIGITS: Final = range(0x30, 0x3A)
_EUC: Final = range(0xA1, 0xFF)
_LEADS: Final[Mapping[str, range | frozenset[int]]] = {
    "gbk": range(0x81, 0xFF),
    "gb18030": range(0x81, 0xFF),
    "big5": range(0x81, 0xFF),
    "euc-kr": range(0x81, 0xFF),
    "johab": range(0x84, 0xFA),
    "euc-jp": frozenset((0x8E, 0x8F, *_EUC)),
    "shift_jis": frozenset((*range(0x81, 0xA0), *range(0xE0, 0xFD))),
}
"""The bytes that begin a character of several, by encoding."""


@cache
def _missing(encoding: str) -> Mapping[bytes, str]:
    """Pairs of bytes that Python takes for errors and the Standard for characters."""
    maker = _MAKERS.get(encoding)
    return maker() if maker else {}


def _missing_in_big5() -> dict[bytes, str]:
    found = {}
    for run in _HONG_KONG.split(" "):
        lead, trail = bytes.fromhex(run[:4])
        first = (lead - 0x81) * 157 + trail - (0x40 if trail < 0x7F else 0x62)
        for place, character in enumerate(run[4:], first):
            lead, trail = divmod(place, 157)
            found[bytes((lead + 0x81, trail + (0x40 if trail < 0x3F else 0x62)))] = character
    return found


def _missing_in_euc_jp() -> dict[bytes, str]:
    """The rows of NEC and IBM, which Python has in the set of Windows, at the same place in the table."""
    found = {}
    for row in (0xAD, *range(0xF9, 0xFD)):
        for cell in _EUC:
            place = (row - 0xA1) * 94 + cell - 0xA1
            lead, trail = divmod(place, 188)
            pair = bytes((lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)))
            character = pair.decode("cp932", "replace")
            if len(character) == 1:
                found[bytes((row, cell))] = character
    return found


_MAKERS: Final[Mapping[str, Callable[[], dict[bytes, str]]]] = {
    "big5": _missing_in_big5,
    "euc-jp": _missing_in_euc_jp,
}


def _iso_2022_jp(body: bytes) -> str:
    """Text whose escape sequences switch between ASCII, JIS's Roman, katakana and kanji."""
    parts: list[str] = []
    at, state = 0, b"(B"
    for escape in _ESCAPE.finditer(body):
        parts.append(_IN_STATE[state](body[at : escape.start()]))
        if at and at == escape.start():
            parts.append(ERROR)
        at, state = escape.end(), escape[1]
    parts.append(_IN_STATE[state](body[at:]))
    return "".join(parts)


def _in_kanji(part: bytes) -> str:
    """Pairs of JIS X 0208, which EUC-JP writes with the high bits set; all other bytes are errors."""
    pieces: list[str] = []
    at = 0
    while at < len(part):
        pair = part[at : at + 2]
        if pair[0] not in _JIS or len(pair) < 2:
            pieces.append(ERROR)
            at += 1
        elif pair[1] in _JIS:
            pieces.append(_multi_byte(bytes((pair[0] | 0x80, pair[1] | 0x80)), "euc-jp")[:1])
            at += 2
        else:
            pieces.append(ERROR)
            at += 1 if pair[1] == 0x1B else 2
    return "".join(pieces)


_JIS: Final = range(0x21, 0x7F)
_NEVER: Final = dict.fromkeys((*range(0x0E, 0x10), 0x1B, *range(0x80, 0x100)), ERROR)
_ASCII: Final = _NEVER
_ROMAN: Final = {**_NEVER, 0x5C: "¥", 0x7E: "‾"}
_KATAKANA: Final = {byte: chr(0xFF61 - 0x21 + byte) if 0x21 <= byte < 0x60 else ERROR for byte in range(256)}
_IN_STATE: Final[Mapping[bytes, Callable[[bytes], str]]] = {
    b"(B": lambda part: part.decode("latin-1").translate(_ASCII),
    b"(J": lambda part: part.decode("latin-1").translate(_ROMAN),
    b"(I": lambda part: part.decode("latin-1").translate(_KATAKANA),
    b"$@": _in_kanji,
    b"$B": _in_kanji,
}
