"""Pages that a corpus of the target language leaves out, or that are hard to read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from corpulyzer.lab.demo.pages import layouts
from corpulyzer.lab.demo.pages.desk import Desk, Sample, dropped
from corpulyzer.lab.demo.pages.marks import translation_marks
from corpulyzer.lab.demo.prose import Article, choose

DEPTH = 10_000
LARGE_BYTES = 1_200_000
REPLACEMENT = "\ufffd"
# Control characters of Latin-1 as windows-1252 reads them; five are undefined there and stay.
WINDOWS_1252 = {byte: bytes((byte,)).decode("cp1252", "ignore") or byte for byte in range(0x80, 0xA0)}
SIGNS = "*** ---- /// ==== ~~~~ ||| :::: >>> <<< ...., ;;;; !!! ???"
BREAKAGE = (
    (b"</p>", b""), (b"</li>", b""), (b"</h1>", b"</h2>"), (b'<p class="byline">', b"<p class=byline><b><i>"),
    (b"</footer>", b"</b></footer></td>"), (b"</html>", b""), (b"</head>", b""), (b"<h2>", b"<h2><a href=>"),
)  # fmt: skip


def short(desk: Desk) -> Iterator[Sample]:
    """Pages with a sentence and who said it, and galleries, which have captions alone."""
    host = desk.host("notes")
    for i in range(8):
        url = f"https://{host}/note/{i + 1}"
        article = desk.article(url, paragraphs=1)
        note = f"{desk.prose.slot('comment', desk.rng(url, 'note'))} – {article.author}"
        article = replace(article, paragraphs=(note,))
        yield dropped(desk.page(url, "short", layouts.blog, article=article), "length")
    for i in range(4):
        url = f"https://{host}/photos/{i + 1}"
        article = replace(desk.article(url, paragraphs=1), paragraphs=())
        yield dropped(desk.page(url, "gallery", layouts.gallery, article=article), "no_prose")


def duplicates(desk: Desk) -> Iterator[Sample]:
    """Originals, and what repeats them: byte by byte, in another layout, and with one word changed."""
    for i in range(4):
        first = f"https://{desk.host('source')}/{i + 1}.html"
        original = desk.page(first, "original")
        article = desk.article(first)
        yield original
        url = f"http://{desk.host('mirror')}/copy/{i + 1}.html"
        same = replace(original, truth=replace(original.truth, url=url, kind="exact_copy"))
        yield dropped(same, "duplicate", first)
        url = f"https://{desk.host('reprint')}/{i + 1}/print"
        page = desk.page(url, "other_layout", layouts.line_breaks, article=article)
        yield dropped(page, "duplicate", first)
        url = f"https://{desk.host('reprint')}/{i + 1}/edited"
        edited = _with_another_word(desk, article)
        page = desk.page(url, "one_word_changed", layouts.wordpress, article=edited)
        yield dropped(page, "near_duplicate", first)


def machine_translated(desk: Desk) -> Iterator[Sample]:
    """Pages with a fingerprint of each kind."""
    for mark in translation_marks():
        for i in range(2):
            url = f"https://{desk.host('shop')}/{mark.name}/{i + 1}"
            page = desk.page(url, f"translated_{mark.name}", layouts.ARTICLE_LAYOUTS[i], **mark.places)
            yield dropped(page, "machine_translation")


def broken_text(desk: Desk) -> Iterator[Sample]:
    """Pages whose text an earlier program has spoilt, and pages of figures and signs."""
    for i in range(3):
        for kind, spoil in (("replacement_characters", _replaced), ("mojibake", _mojibake)):
            url = f"https://{desk.host('spoilt')}/{kind}/{i + 1}"
            article = desk.article(url)
            spoilt = replace(article, paragraphs=tuple(spoil(text) for text in article.paragraphs))
            yield dropped(desk.page(url, kind, layouts.ARTICLE_LAYOUTS[i], article=spoilt), "encoding")
    for i in range(2):
        url = f"https://{desk.host('figures')}/signs/{i + 1}"
        article = replace(desk.article(url, paragraphs=1), paragraphs=(SIGNS,) * 8)
        yield dropped(desk.page(url, "signs", article=article), "punctuation")
        url = f"https://{desk.host('figures')}/table/{i + 1}"
        page = desk.page(url, "number_table", article=replace(article, paragraphs=()))
        yield dropped(replace(page, body=_figures(desk, url)), "no_prose")


def empty(desk: Desk) -> Iterator[Sample]:
    """Pages with nothing in them: no text, no body, no bytes."""
    bodies = {
        "no_text": "<html><head><title>x</title></head><body></body></html>",
        "no_body": "<!DOCTYPE html>",
        "spaces": "<html><body>\n \u00a0 <div> </div>\n</body></html>",
        "scripts": "<html><body><script>document.write('')</script></body></html>",
        "no_bytes": "",
    }
    for name, html in bodies.items():
        url = f"https://{desk.host('nothing')}/{name}"
        page = desk.page(url, "empty", article=replace(desk.article(url, paragraphs=1), paragraphs=()))
        yield dropped(replace(page, body=html.encode()), "empty" if not html else "no_prose")


def hard_to_read(desk: Desk) -> Iterator[Sample]:
    """Good pages in bad shape: hidden text, broken markup, depth, length, control characters."""
    host = desk.host("odd")
    for i in range(3):
        url = f"https://{host}/hidden/{i + 1}"
        secret = escape(desk.prose.paragraph(desk.rng(url, "hidden"), 4), quote=False)
        hidden = f'<div style="display:none">{secret}</div><p hidden>{secret}</p>'
        yield desk.page(url, "hidden_text", layouts.ARTICLE_LAYOUTS[i], beside=hidden)
    for i in range(4):
        page = desk.page(f"https://{host}/broken/{i + 1}", "broken_markup", layouts.ARTICLE_LAYOUTS[i])
        yield replace(page, body=_broken(page.body))
    page = desk.page(f"https://{host}/deep", "deep")
    down, up = b"<main>" + b"<div>" * DEPTH, b"</div>" * DEPTH + b"</main>"
    yield replace(page, body=page.body.replace(b"<main>", down).replace(b"</main>", up))
    page = desk.page(f"https://{host}/controls", "control_characters")
    body = page.body.replace(b"</h1>", b"\x00\x07\x1b</h1>").replace(b"\n<p>", b"\x0b\n<p>")
    yield replace(page, body=body)
    yield _large(desk, f"https://{desk.host('book')}/whole.html")
    yield _many_links(desk, f"https://{host}/links")


def _with_another_word(desk: Desk, article: Article) -> Article:
    words = article.paragraphs[0].split(" ")
    words[len(words) // 2] = desk.prose.slot("place", desk.rng(article.title, "word"))
    return replace(article, paragraphs=(" ".join(words), *article.paragraphs[1:]))


def _replaced(text: str) -> str:
    return "".join(REPLACEMENT if i % 9 == 4 else character for i, character in enumerate(text))


def _mojibake(text: str) -> str:
    """UTF-8 read as windows-1252; with no-break spaces, so that text in plain ASCII is spoilt too."""
    return text.replace(" ", "\u00a0 ").encode().decode("latin-1").translate(WINDOWS_1252)


def _figures(desk: Desk, url: str) -> bytes:
    rng = desk.rng(url, "figures")
    cells = ["".join(f"<td>{rng.random() * 1000:.2f}</td>" for _ in range(8)) for _ in range(60)]
    rows = "\n".join(f"<tr>{row}</tr>" for row in cells)
    return f"<html><head><title>1</title></head><body><table>\n{rows}\n</table></body></html>".encode()


def _broken(body: bytes) -> bytes:
    """Markup as a careless hand leaves it: tags unclosed, crossed, unquoted; the text is untouched."""
    for right, wrong in BREAKAGE:
        body = body.replace(right, wrong)
    return body


def _large(desk: Desk, url: str) -> Sample:
    rng, paragraphs, size = desk.rng(url, "large"), [], 0
    while size < LARGE_BYTES:
        paragraphs.append(desk.prose.paragraph(rng, 8, choose(rng, tuple(desk.prose.topics))))
        size += len(paragraphs[-1].encode())
    return desk.page(url, "large", article=replace(desk.article(url), paragraphs=tuple(paragraphs)))


def _many_links(desk: Desk, url: str) -> Sample:
    rng = desk.rng(url, "links")
    links = "".join(f'<a href="/a/{i}.html">{desk.prose.headline(rng)}</a>\n' for i in range(1500))
    return desk.page(url, "many_links", beside=f"<div>{links}</div>")
