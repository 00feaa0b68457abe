"""Bytes come out as the text they stand for, declared, undeclared or declared wrongly."""

import pytest

from corpulyzer.page.extract.decode import decode, media_of, text_of
from corpulyzer.records import Page

URDU = (
    "پاكستان جنوبي ايشيا كا ايك ملك ہے اور اس كا دار الحكومت اسلام آباد ہے جو ملك كے شمال ميں واقع ہے۔ "
    "يہاں كے لوگ كئي زبانيں بولتے ہيں اور ہر علاقے كي اپني ثقافت اور اپنا ادب ہے۔ "
)
CROATIAN = (
    "Čovjek koji je jučer došao u našu kuću rekao je da će se vratiti čim završi školsku godinu. "
    "Žalio se što ćemo tako dugo čekati, jer želi što prije vidjeti svoju djecu i staru majku. "
)
SLOVENE = (
    "Človek, ki je včeraj prišel v našo hišo, je rekel, da se bo vrnil, ko bo končal šolsko leto. "
    "Žal mu je, da čakamo tako dolgo, ker želi čim prej videti svoje otroke in svojo staro mater. "
)
LEGACY = [
    ("windows-1256", "cp1256", URDU),
    ("windows-1250", "cp1250", CROATIAN),
    ("iso-8859-2", "iso8859-2", SLOVENE),
]
UNTRUE = ["text/html; charset=ISO-8859-1", "text/html; charset=utf-8", "text/html; charset=no-such-thing"]


def page_in(codec: str, text: str, head: str = "") -> bytes:
    representable = text.encode(codec, "ignore").decode(codec)
    return f"<html><head>{head}</head><body><p>{representable * 4}</p></body></html>".encode(codec)


@pytest.mark.parametrize(("label", "codec", "text"), LEGACY)
@pytest.mark.parametrize("declaration", ["header", "meta", "http-equiv", "xml", "none"])
def test_legacy_pages_come_out_right_with_and_without_declaration(label, codec, text, declaration):
    head = {
        "meta": f"<meta charset='{label}'>",
        "http-equiv": f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={label}">',
        "xml": f'<?xml version="1.0" encoding="{label}"?>',
    }.get(declaration, "")
    headers = {"content-type": f"text/html; charset={label}"} if declaration == "header" else {}
    page = decode(Page("https://a.example/", body=page_in(codec, text, head), headers=headers))
    assert text.encode(codec, "ignore").decode(codec).strip() in page.html
    assert page.charset == label


@pytest.mark.parametrize(("label", "codec", "text"), LEGACY)
@pytest.mark.parametrize("content_type", UNTRUE)
def test_a_declaration_that_the_bytes_belie_loses_to_detection(label, codec, text, content_type):
    page = decode(
        Page("https://a.example/", body=page_in(codec, text), headers={"content-type": content_type})
    )
    assert page.charset == label


def test_valid_utf8_is_utf8_whatever_is_declared():
    page = decode(
        Page("https://a.example/", body=URDU.encode(), headers={"content-type": "text/html; charset=cp1252"})
    )
    assert (page.html, page.charset) == (URDU, "utf-8")


def test_latin1_means_windows_1252_as_in_browsers():
    assert text_of("“naïve”".encode("cp1252"), "text/html; charset=iso-8859-1") == ("“naïve”", "cp1252")


def test_letters_in_the_control_range_show_the_windows_version_of_an_iso_set():
    assert text_of("šuma „žir”".encode("cp1250"), "text/html; charset=iso-8859-2")[0] == "šuma „žir”"


def test_a_few_broken_bytes_do_not_cost_a_utf8_page_its_encoding():
    text, encoding = text_of(URDU.encode() + b"\xff" + URDU.encode())
    assert encoding == "utf-8"
    assert text == f"{URDU}\ufffd{URDU}"


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_decides_and_is_not_text(codec):
    text, _ = text_of(CROATIAN.encode(codec), "text/html; charset=windows-1250")
    assert text == CROATIAN


def test_what_is_no_text_is_not_decoded():
    page = decode(Page("https://a.example/x.pdf", body=b"%PDF-1.4 \xff", mime="text/html"))
    assert (page.html, media_of(page)) == ("", "pdf")
