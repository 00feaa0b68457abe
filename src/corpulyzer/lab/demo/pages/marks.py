"""Marks that pages carry in their markup: licenses and fingerprints of machine translation."""

from __future__ import annotations

from dataclasses import dataclass

from corpulyzer.lab.demo.prose import Prose

CC = "https://creativecommons.org"
KINDS = ("by", "by-sa", "by-nc", "by-nd", "by-nc-sa", "by-nc-nd")
FROM = "alternate machine-translated-from"

# Languages that a translation widget offers, and that no small site is written in.
WIDGET_LANGUAGES = tuple(
    "af am ar az be bg bn ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka ko "
    "lt lv mk nl pl pt ro ru sk sl sv th tr uk ur vi xh zh-CN zu".split()
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark by name, where it stands, and what it means: the page's license, or none."""

    name: str
    license: str = ""
    head: str = ""
    top: str = ""
    beside: str = ""
    foot: str = ""

    @property
    def places(self) -> dict[str, str]:
        """The markup by the part of a frame that it goes to."""
        return {"head": self.head, "top": self.top, "beside": self.beside, "foot": self.foot}


def license_marks(prose: Prose) -> tuple[Mark, ...]:
    """Creative Commons licenses of every kind and in every position; two at once, and a photo's own."""
    return (
        *(_footer_link(prose, name) for name in KINDS),
        Mark("rel_license", "cc-by-sa", foot=_rel_license(f"{CC}/licenses/by-sa/4.0/")),
        Mark("head_link", "cc-by", head=f'<link rel="license" href="{CC}/licenses/by/3.0/">\n'),
        Mark("json_ld", "cc-by-nc", head=_json_ld(f"{CC}/licenses/by-nc/4.0/")),
        Mark("dcterms", "cc-by", head=f'<meta name="dcterms.license" content="{CC}/licenses/by/4.0/">\n'),
        Mark("rdfa", "cc-by-nd", foot=_rdfa("by-nd")),
        Mark("cc0", "cc0", foot=_rel_license(f"{CC}/publicdomain/zero/1.0/")),
        Mark("public_domain", "public-domain", foot=_rel_license(f"{CC}/publicdomain/mark/1.0/")),
        Mark("www", "cc-by", foot='<a href="http://www.creativecommons.org/licenses/by/2.5/">CC BY</a>'),
        Mark("no_scheme", "cc-by-sa", foot="<a href='//creativecommons.org/licenses/by-sa/3.0/'>CC</a>"),
        Mark("two", "cc-unspecified", foot="".join(_footer_link(prose, name).foot for name in KINDS[:2])),
        Mark("photo_only", "", beside=_photo(prose)),
    )


def translation_marks() -> tuple[Mark, ...]:
    """Fingerprints of machine translation, as translation plug-ins leave them."""
    links = "".join(f'<link rel="alternate" hreflang="{c}" href="/{c}/">\n' for c in WIDGET_LANGUAGES)
    return (
        Mark("gtranslate_comment", foot="<!-- delivered by GTranslate -->"),
        Mark("translation_stats", head='<meta name="translation-stats" content=\'{"total_phrases":412}\'>\n'),
        Mark("hreflang", head=links),
        Mark("machine_translated_from", head=f'<link rel="{FROM}" hreflang="en" href="/en/">\n'),
        Mark("gtranslate_style", head='<style id="gtranslate-style-css">.gt{float:left}</style>\n'),
        Mark("gtranslate_widget", beside='<div class="widget widget_gtranslate"><select></select></div>'),
        Mark(
            "gtranslate_host",
            head='<link rel="stylesheet" href="https://tdn.gtranslate.net/tdn-bin/s.css">\n',
        ),
    )


def _footer_link(prose: Prose, name: str) -> Mark:
    link = f'<a href="{CC}/licenses/{name}/4.0/">CC {name.upper()} 4.0</a>'
    said = f'<p class="license">{prose.labels["license"]} {link}</p>'
    return Mark(f"footer_{name}", f"cc-{name}", foot=said)


def _rel_license(href: str) -> str:
    return f'<p><a rel="license" href="{href}">CC</a></p>'


def _json_ld(url: str) -> str:
    return (
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article", '
        f'"license": "{url}"}}</script>\n'
    )


def _rdfa(name: str) -> str:
    return (
        '<div xmlns:cc="http://creativecommons.org/ns#" about="">'
        f'<a rel="cc:license" href="{CC}/licenses/{name}/3.0/">CC</a></div>'
    )


def _photo(prose: Prose) -> str:
    link = f'<a href="{CC}/licenses/by-sa/2.0/">CC BY-SA 2.0</a>'
    caption = f"<figcaption>{prose.labels['photo']}: {link}</figcaption>"
    return f'<figure><img src="/p.jpg" alt="">{caption}</figure>'
