"""Bytes decode as browsers decode them, in every encoding of WHATWG's Encoding Standard.

`whatwg.json` holds what an independent implementation of the Standard gives (`@exodus/bytes`, which passes the
Web Platform Tests): the upper halves of the single-byte encodings, digests of all pairs of bytes in the others,
and sequences drawn at random, most of them broken.
"""

import hashlib
import json
from pathlib import Path

import pytest

from corpulyzer.page.extract.charset.decoders import decoded
from corpulyzer.page.extract.charset.labels import ENCODINGS, encoding_of

STANDARD = json.loads(Path(__file__).with_name("whatwg.json").read_text("utf-8"))
HIGH = bytes(range(128, 256))


@pytest.mark.parametrize("encoding", STANDARD["single"])
def test_single_byte_tables_are_complete(encoding):
    assert decoded(HIGH, encoding) == STANDARD["single"][encoding]


@pytest.mark.parametrize("encoding", STANDARD["digests"])
def test_every_pair_of_bytes_is_what_the_standard_says(encoding):
    before = [b"", b"\x8f"] if encoding == "euc-jp" else [b""]
    pairs = (
        first + bytes((lead, trail, 10))
        for first in before
        for lead in range(128, 256)
        for trail in range(256)
    )
    text = decoded(b"".join(pairs), encoding)
    assert hashlib.sha256(text.encode()).hexdigest() == STANDARD["digests"][encoding]


def test_broken_sequences_end_where_the_standard_ends_them():
    wrong = [
        (encoding, raw, text, decoded(bytes.fromhex(raw), encoding))
        for encoding, raw, text in STANDARD["cases"]
        if decoded(bytes.fromhex(raw), encoding) != text
    ]
    assert not wrong
    assert {encoding for encoding, *_ in STANDARD["cases"]} >= {
        "gb18030",
        "iso-2022-jp",
        "utf-16le",
        "replacement",
    }


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        ("latin1", "windows-1252"), ("ISO-8859-9", "windows-1254"), ("gb2312", "gbk"), ("tis-620", "windows-874"),
        ("ks_c_5601-1987", "euc-kr"), ("big5-hkscs", "big5"), ("x-sjis", "shift_jis"), ("unicode", "utf-16le"),
        ("x-mac-ukrainian", "x-mac-cyrillic"), ("hz-gb-2312", "replacement"), ("iso-2022-kr", "replacement"),
        ("\tUTF8\n", "utf-8"), ("utf-7", ""), ("", ""),
    ],
)  # fmt: skip
def test_labels_mean_what_browsers_take_them_for(label, encoding):
    assert encoding_of(label) == encoding


def test_every_encoding_is_a_label_of_itself_and_can_be_read():
    assert [encoding_of(name.upper()) for name in ENCODINGS] == list(ENCODINGS)
    assert all(decoded(b"", name) == "" for name in ENCODINGS)
