"""The encoding of a page that names none is found by what its text would be."""

import unicodedata

import pytest

from corpulyzer.page.extract.charset.decoders import decoded
from corpulyzer.page.extract.charset.detect import detected, form_of, sample_of
from corpulyzer.page.extract.charset.expected import expected_languages
from corpulyzer.page.extract.decode import text_of

RUSSIAN = (
    "Вчера вечером мы долго сидели у реки и слушали, как поют птицы. Потом пошёл дождь, и все побежали домой."
)
JAPANESE = "昨日の夜、私たちは川のそばに座って鳥の声を聞いていました。そのうち雨が降り出したので、みんな家に帰りました。"
TEXTS = [
    ("cp1252", "Der Müller zählte früh am Morgen seine Säcke und fand, daß über Nacht keiner fehlte."),
    ("cp1252", "L'été dernier, nous avons passé une journée entière à pêcher près de la forêt."),
    ("mac_roman", "L'été dernier, nous avons passé une journée entière à pêcher près de la forêt, là où coule une rivière."),
    ("cp1250", "Včera večer jsme dlouho seděli u řeky a poslouchali zpěv ptáků. Pak začalo pršet."),
    ("iso8859-2", "Včera večer jsme dlouho seděli u řeky, ještě zněl zpěv ptáků. Pak začalo pršet, šli jsme domů."),
    ("cp1250", "Wczoraj wieczorem długo siedzieliśmy nad rzeką i słuchaliśmy śpiewu ptaków."),
    ("iso8859-2", "Wczoraj wieczorem długo siedzieliśmy nad rzeką i słuchaliśmy śpiewu ptaków."),
    ("cp1254", "Dün akşam uzun süre ırmağın kıyısında oturduk ve kuşların şarkısını dinledik."),
    ("cp1257", "Vakar vakare ilgai sėdėjome prie upės ir klausėmės, kaip gieda paukščiai."),
    ("cp1251", RUSSIAN),
    ("koi8-r", RUSSIAN),
    ("cp866", RUSSIAN),
    ("mac_cyrillic", RUSSIAN),
    ("iso8859-5", RUSSIAN),
    ("cp1253", "Χθες το βράδυ καθίσαμε πολλή ώρα δίπλα στο ποτάμι και ακούγαμε τα πουλιά."),
    ("cp1255", "אמש ישבנו זמן רב ליד הנהר והקשבנו לציפורים. אחר כך התחיל לרדת גשם."),
    ("cp1256", "جلسنا مساء أمس طويلا قرب النهر واستمعنا إلى أصوات الطيور ثم بدأ المطر."),
    ("iso8859-6", "جلسنا مساء أمس طويلا قرب النهر واستمعنا إلى أصوات الطيور ثم بدأ المطر."),
    ("cp874", "เมื่อคืนนี้เรานั่งริมแม่น้ำเป็นเวลานานและฟังเสียงนกร้อง แล้วฝนก็เริ่มตก"),
    ("gb18030", "昨天晚上我们在河边坐了很久，听着鸟儿歌唱。后来下雨了，大家都跑回家去了。"),
    ("big5", "昨天晚上我們在河邊坐了很久，聽著鳥兒歌唱。後來下雨了，大家都跑回家去了。"),
    ("cp932", JAPANESE),
    ("euc_jp", JAPANESE),
    ("cp949", "어젯밤에 우리는 강가에 오래 앉아서 새들이 노래하는 소리를 들었다. 그러다가 비가 와서 집으로 갔다."),
    ("iso2022_jp", JAPANESE),
    ("utf-16-le", RUSSIAN),
    ("utf-16-be", JAPANESE + "\n" + JAPANESE),
    ("utf-32-le", RUSSIAN),
]  # fmt: skip


@pytest.mark.parametrize(("codec", "text"), TEXTS, ids=[f"{codec}-{text[:5]}" for codec, text in TEXTS])
def test_a_sentence_or_two_come_out_as_they_were_written(codec, text):
    body = f"<html><body>\n<p class='a'>{text}</p></body></html>".encode(codec)
    assert text in text_of(body)[0]


def test_vietnamese_tones_that_stand_apart_are_read():
    letters = (
        unicodedata.normalize("NFD", letter) for letter in "Tối hôm qua chúng tôi ngồi rất lâu bên bờ sông"
    )
    # windows-1258 keeps the shape of a vowel and its tone apart.
    text = "".join(unicodedata.normalize("NFC", part[:2]) + part[2:] for part in letters)
    assert detected(text.encode("cp1258")) == "windows-1258"


def test_a_word_of_english_with_one_foreign_letter_is_western():
    assert detected(b"We met at the caf\xe9 on Monday, and paid \xa35 each.") == "windows-1252"


def test_what_the_page_and_its_address_say_of_the_language_decides_between_equals():
    assert expected_languages(b"<HTML dir=ltr LANG='pt-BR'>", "http://www.a.cz:80/x?y") == ("por", "ces")
    assert expected_languages(b"<p lang=cs>", "https://a.example/") == ()
    word = "<p>Işık".encode("cp1254")  # Iþýk in windows-1252
    assert text_of(word, "", "https://a.is/")[0] == "<p>Iþýk"
    assert text_of(word, "", "https://a.com.tr/")[0] == "<p>Işık"


def test_the_sample_has_each_word_once_and_no_markup_but_text_in_cdata():
    body = b"<p title='\xe1'>\xe2b \xe2b</p><![CDATA[\xe3c]]>"
    assert sample_of(body).split() == [b"\xe2b", b"\xe3c]]"]
    assert sample_of(b"<img alt='\xe4'>").split() == [b"\xe4"]
    assert sample_of(b"<p>plain</p>") == b""


@pytest.mark.parametrize(
    "body", [b"plain", b"caf\xc3\xa9 \x1b[1m", b"a\0b binary \0 in text", b"\x1b$ and \x1b$B"]
)
def test_text_with_a_few_control_characters_has_no_form_of_its_own(body):
    assert form_of(body) == ""
    assert text_of(body) == (decoded(body, "utf-8"), "utf-8")
