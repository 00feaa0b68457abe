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
    assert text_of("“naïve”".encode("cp1252"), "text/html; charset=iso-8859-1") == ("“naïve”", "windows-1252")


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


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("euc-jp", "euc_jp", "<p>これは短い文です。</p>"),
        ("shift_jis", "cp932", "<p>髙橋さんは①番です。</p>"),
        ("euc-kr", "cp949", "<p>똠방각하와 펲시콜라</p>"),
        ("big5", "big5hkscs", "<p>我哋喺茶餐廳食嘢</p>"),
        ("gb2312", "gb18030", "<p>朱镕基的镕字</p>"),
        ("tis-620", "cp874", "<p>“ภาษาไทย”…</p>"),
        ("x-mac-cyrillic", "mac_cyrillic", "<p>Проста мова</p>"),
    ],
)
@pytest.mark.parametrize("where", ["header", "meta"])
def test_a_declared_encoding_is_read_as_browsers_read_it(label, codec, text, where):
    head = f"<meta charset={label}>" if where == "meta" else ""
    body = head.encode() + text.encode(codec)
    said = f"text/html; charset={label}" if where == "header" else "text/html"
    assert text_of(body, said)[0] == head + text


def test_what_nec_added_is_read_in_euc_jp():
    assert text_of(b"\xad\xa1\xa4\xcf\xa1\xc1", "text/html; charset=euc-jp") == ("①は～", "euc-jp")


def test_a_label_that_browsers_refuse_gives_no_text():
    assert text_of(b"\x1b$)C \x0e!!", "text/html; charset=iso-2022-kr") == ("\ufffd", "replacement")


@pytest.mark.parametrize(
    "text", ["Þórður fór í búðina og keypti brauð, mjólk og skyr.", "Łuční: à l'œuvre, señor"]
)
def test_a_page_that_is_latin_1_as_it_says_is_not_taken_for_another(text):
    western = text.encode("cp1252", "ignore").decode("cp1252")
    assert text_of(western.encode("cp1252"), "text/html; charset=iso-8859-1") == (western, "windows-1252")
