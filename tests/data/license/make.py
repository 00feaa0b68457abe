"""Write gold.jsonl: pages of our own with the license that a careful reader would give each.

python tests/data/license/make.py

The license is that of the page's text. Empty: none, whatever else on the page is licensed (a photo, the theme,
a data set, the subject of the news). `cc-unspecified`: under Creative Commons, but which is not said or is two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from shells import blogger, journal, mediawiki, old, portal, repository, static, wordpress

CC = "https://creativecommons.org"
OLD = "http://creativecommons.org"
BADGE = "https://i.creativecommons.org/l"
# A page a line: a table, not code.
# fmt: off
Case = tuple[str, str, Callable[..., str], str, dict[str, str]]


def declared() -> Iterator[Case]:
    """Pages that say it themselves, with rel, meta, RDFa, microdata, JSON-LD."""
    chooser = (
        '<a rel="license" href="{url}"><img alt="Creative Commons License" style="border-width:0" '
        'src="{badge}/88x31.png" /></a><br />{words} <a rel="license" href="{url}">{name}</a>.'
    )
    for language, kind, version, port, words, name in (
        ("hrv", "by-sa", "3.0", "hr/", "Ovo djelo je dano na korištenje pod licencom", "Creative Commons Imenovanje-Dijeli pod istim uvjetima 3.0 Hrvatska"),
        ("slv", "by-nc-nd", "2.5", "si/", "To delo je objavljeno pod licenco", "Creative Commons Priznanje avtorstva-Nekomercialno-Brez predelav 2.5 Slovenija"),
        ("eng", "by-nc-sa", "2.5", "za/", "This work is licensed under a", "Creative Commons Attribution-Noncommercial-Share Alike 2.5 South Africa License"),
        ("urd", "by", "4.0", "", "یہ کام اس اجازت نامے کے تحت ہے", "Creative Commons Attribution 4.0 International License"),
        ("deu", "by-nd", "3.0", "de/", "Dieses Werk ist lizenziert unter einer", "Creative Commons Namensnennung-Keine Bearbeitung 3.0 Deutschland Lizenz"),
        ("spa", "by-nc", "2.1", "es/", "Esta obra está bajo una", "licencia de Creative Commons Reconocimiento-NoComercial 2.1 España"),
    ):
        url, badge = f"{OLD}/licenses/{kind}/{version}/{port}", f"{BADGE}/{kind}/{version}/{port}".rstrip("/")
        mark = chooser.format(url=url, badge=badge, words=words, name=name)
        yield f"chooser-{kind}", f"cc-{kind}", (wordpress, blogger, static, old)[len(name) % 4], language, {"side": mark}
    yield "widget-nc-sa", "cc-by-nc-sa", wordpress, "fra", {"side": f'<section id="text-4" class="widget widget_text"><div class="textwidget"><a rel="license" href="{CC}/licenses/by-nc-sa/4.0/deed.fr">' "CC BY-NC-SA 4.0</a></div></section>" }
    yield "head-link", "cc-by", static, "eng", {"head": f'<link rel="license" href="{CC}/licenses/by/4.0/">'}
    yield "head-link-unquoted", "cc-by-sa", static, "deu", {"head": f"<link rel=license href={CC}/licenses/by-sa/4.0/>"}
    yield "head-link-single", "cc0", static, "ind", {"head": f"<link rel='license' href='{CC}/publicdomain/zero/1.0/'>"}
    yield "head-link-copyright", "cc-by-sa", mediawiki, "hrv", {"head": f'<link rel="license" href="{CC}/licenses/by-sa/3.0/deed.hr">', "foot": f'<li id="footer-info-copyright">Sadržaj je dostupan pod licencom <a class="external" rel="nofollow" href="{CC}/licenses/by-sa/3.0/deed.hr">Creative Commons Imenovanje</a>.</li>', }
    yield "rel-many", "cc-by-nc", blogger, "por", {"after": f"<a href='{CC}/licenses/by-nc/3.0/br/' rel='nofollow noopener license' target='_blank'>Licença</a>" }
    yield "rel-upper", "cc-by", old, "eng", {"foot": f'<A REL="LICENSE" HREF="{OLD}/licenses/by/1.0/">Some Rights Reserved</A>'}
    yield "rel-upper-address", "cc-by-nd", old, "fra", {"foot": '<a rel="license" href="HTTP://CreativeCommons.org/Licenses/BY-ND/3.0/">CC</a>'}
    yield "rel-no-slash", "cc-by-sa", static, "swa", {"foot": f'<a rel="license" href="{CC}/licenses/by-sa/4.0">CC BY-SA</a>'}
    yield "rel-no-version", "cc-by", static, "xho", {"foot": f'<a rel="license" href="{CC}/licenses/by">CC</a>'}
    yield "rel-legalcode", "cc-by-nc-nd", portal, "ara", {"foot": f'<a rel="license" href="{CC}/licenses/by-nc-nd/4.0/legalcode.ar">CC</a>'}
    yield "rel-version-1", "cc-by-nc-nd", old, "eng", {"side": f'<a rel="license" href="{OLD}/licenses/by-nd-nc/1.0/">CC</a>'}
    yield "rel-query", "cc-by", portal, "rus", {"foot": f'<a rel="license" href="{CC}/licenses/by/4.0/?ref=chooser-v1">CC BY 4.0</a>'}
    yield "meta-dc-rights", "cc-by-nc", repository, "hrv", {"head": f'<meta name="DC.rights" content="{OLD}/licenses/by-nc/4.0/" scheme="DCTERMS.URI">'}
    yield "meta-dc-rights-words", "cc-by", journal, "slv", {"head": '<meta name="DC.Rights" content="Avtorske pravice (c) 2022 avtor; CC BY 4.0">'}
    yield "meta-dc-rights-address", "cc-by-sa", journal, "hrv", {"head": f'<meta name="DC.Rights" content="{CC}/licenses/by-sa/4.0"/>', "side": f'<div class="item copyright"><h2 class="label">License</h2><a rel="license" href="{CC}/licenses/by-sa/4.0"><img src="/b.png" alt="CC"></a></div>', }
    yield "meta-dcterms", "cc-by-nc-nd", repository, "eng", {"head": f'<meta name="DCTERMS.license" content="{CC}/licenses/by-nc-nd/4.0/">'}
    yield "meta-dcterms-colon", "cc-by", repository, "deu", {"head": f'<meta property="dcterms:license" content="{CC}/licenses/by/3.0/de/">'}
    yield "meta-license", "cc0", portal, "spa", {"head": f'<meta name="license" content="{CC}/publicdomain/zero/1.0/deed.es">'}
    yield "meta-copyright", "cc-by-sa", static, "slv", {"head": f'<meta name="copyright" content="{CC}/licenses/by-sa/4.0/">'}
    yield "meta-link-dcterms", "cc-by-sa", repository, "fra", {"head": f'<link rel="DCTERMS.license" href="{CC}/licenses/by-sa/4.0/">'}
    yield "link-dc-rights", "cc-by", repository, "spa", {"head": f'<link rel="dc:rights" href="{CC}/licenses/by/4.0/">'}
    yield "rdfa-cc", "cc-by-nd", static, "hrv", {"foot": f'<div about="" xmlns:cc="http://creativecommons.org/ns#"><a rel="cc:license" href="{OLD}/licenses/by-nd/3.0/hr/">CC</a></div>' }
    yield "rdfa-dct", "cc-by-nc-sa", wordpress, "swa", {"after": f'<span property="dct:license" resource="{CC}/licenses/by-nc-sa/4.0/">Leseni</span>'}
    yield "rdfa-schema", "cc-by", portal, "eng", {"after": f'<div vocab="https://schema.org/" typeof="Article"><a property="license" href="{CC}/licenses/by/4.0/">reuse</a></div>' }
    yield "microdata", "cc-by-sa", portal, "deu", {"after": f'<div itemscope itemtype="https://schema.org/Article"><link itemprop="license" href="{CC}/licenses/by-sa/4.0/deed.de"></div>' }
    yield "microdata-meta", "cc-by-nc", portal, "ind", {"after": f'<div itemscope itemtype="https://schema.org/Article"><meta itemprop="license" content="{CC}/licenses/by-nc/4.0/"></div>' }
    for name, kind, language, data in (
        ("article", "cc-by", "eng", {"@context": "https://schema.org", "@type": "NewsArticle", "license": f"{CC}/licenses/by/4.0/"}),
        ("graph", "cc-by-nc-sa", "spa", {"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "x"}, {"@type": "BlogPosting", "license": f"{CC}/licenses/by-nc-sa/4.0/"}]}),
        ("object", "cc-by-sa", "urd", {"@type": "Article", "license": {"@type": "CreativeWork", "@id": f"{CC}/licenses/by-sa/4.0/", "name": "CC BY-SA 4.0"}}),
        ("list", "cc-by", "hin", [{"@type": "BreadcrumbList"}, {"@type": "ScholarlyArticle", "license": [f"{OLD}/licenses/by/3.0/"]}]),
        ("part", "cc-by-nd", "rus", {"@type": "Article", "isPartOf": {"@type": "WebSite", "license": f"{CC}/licenses/by-nd/4.0/"}}),
    ):
        yield f"json-ld-{name}", kind, portal, language, {"head": f'<script type="application/ld+json">{json.dumps(data)}</script>'}
    yield "json-ld-charset", "cc-by", journal, "ind", {"head": f'<script type="application/ld+json; charset=utf-8">{{"@type":"Article","license":"{CC}/licenses/by/4.0/"}}</script>' }
    yield "rdf-comment", "cc-by", old, "eng", {"foot": f"Some rights reserved.<!-- <rdf:RDF xmlns='http://web.resource.org/cc/'><Work rdf:about=''><license rdf:resource='{OLD}/licenses/by/2.0/' /></Work></rdf:RDF> -->" }


def footers() -> Iterator[Case]:
    """Pages that say it at their end, in links and in words."""
    yield "footer-hr", "cc-by", portal, "hrv", {"foot": f'<p>Sadržaj je, osim ako je drugačije navedeno, dostupan uz licencu <a href="{CC}/licenses/by/4.0/deed.hr">Creative Commons Imenovanje 4.0</a>.</p>' }
    yield "footer-www", "cc-by-sa", portal, "slv", {"foot": '<p><a href="http://www.creativecommons.org/licenses/by-sa/2.5/si/">CC</a></p>'}
    yield "footer-no-scheme", "cc-by-nc", wordpress, "por", {"foot": "<a href='//creativecommons.org/licenses/by-nc/4.0/'>Alguns direitos reservados</a> "}
    yield "footer-no-scheme-www", "cc-by-nd", wordpress, "hin", {"foot": '<a href="//www.creativecommons.org/licenses/by-nd/4.0/">CC</a> '}
    yield "footer-code", "cc-by-sa", portal, "ara", {"foot": "<p>المحتوى متاح تحت رخصة CC BY-SA 4.0</p>"}
    yield "footer-code-hyphen", "cc-by-nc-nd", wordpress, "xho", {"foot": "<span>CC-BY-NC-ND</span> "}
    yield "footer-code-zero", "cc0", portal, "rus", {"foot": "<p>Тексты: CC0 1.0</p>"}
    yield "footer-code-zero-spaced", "cc0", wordpress, "fra", {"foot": "<p>Textes sous licence CC 0</p>"}
    yield "footer-symbol", "cc-by", portal, "deu", {"foot": "<p>Alle Inhalte: CC&nbsp;BY&nbsp;4.0</p>"}
    yield "footer-mark", "public-domain", wordpress, "eng", {"foot": f'<a href="{CC}/publicdomain/mark/1.0/">Public Domain Mark</a> '}
    yield "footer-old-domain", "public-domain", old, "eng", {"foot": f'<a rel="license" href="{OLD}/licenses/publicdomain/">Public Domain</a>'}
    yield "footer-wiki", "cc-by-sa", mediawiki, "urd", {"foot": f'<li id="footer-info-copyright">تمام مواد <a rel="license" href="{CC}/licenses/by-sa/4.0/deed.ur">CC BY-SA</a> کے تحت میسر ہے</li>' }
    yield "footer-div", "cc-by-nc-sa", blogger, "spa", {"foot": f"<div class='widget HTML'><a href='{OLD}/licenses/by-nc-sa/3.0/'><img src='/by-nc-sa.png'/></a></div>" }
    yield "footer-image-only", "cc-by", old, "ind", {"foot": f'<a href="{OLD}/licenses/by/3.0/"><img src="{BADGE}/by/3.0/88x31.png" border=0></a>'}
    yield "footer-theme-too", "cc-by-nd", wordpress, "deu", {"foot": f'<a rel="license" href="{CC}/licenses/by-nd/4.0/">CC BY-ND</a> · <a href="https://themes.example/">Theme</a> ' }
    yield "footer-unspecified", "cc-unspecified", portal, "eng", {"foot": f'<p>Under a <a rel="license" href="{CC}/licenses/">Creative Commons license</a>.</p>'}
    yield "footer-sampling", "cc-unspecified", old, "por", {"foot": f'<a rel="license" href="{OLD}/licenses/sampling+/1.0/">Sampling Plus</a>'}
    yield "footer-http-code-link", "cc-by-sa", static, "hrv", {"foot": f'Tekst: <a href="{CC}/licenses/by-sa/4.0/">CC BY-SA</a>'}
    yield "footer-two", "cc-unspecified", portal, "hrv", {"foot": f'<p>Tekstovi: <a href="{CC}/licenses/by/4.0/">CC BY</a> ili <a href="{CC}/licenses/by-nc/4.0/">CC BY-NC</a></p>' }
    yield "footer-two-rel", "cc-unspecified", static, "eng", {"foot": f'<a rel="license" href="{CC}/licenses/by/4.0/">new posts</a>, <a rel="license" href="{CC}/licenses/by-nc-sa/3.0/">older posts</a>' }
    yield "footer-same-twice", "cc-by", static, "fra", {"foot": f'<a rel="license" href="{CC}/licenses/by/4.0/">CC</a> <a rel="license" href="{OLD}/licenses/by/3.0/fr/">CC</a>' }
    yield "footer-words-only", "cc-by-sa", portal, "eng", {"foot": "<p>Text is available under the Creative Commons Attribution-ShareAlike License.</p>"}
    yield "copyright-div", "cc-by", static, "swa", {"after": f'<div id="copyright-notice"><a href="{CC}/licenses/by/4.0/">CC</a></div>'}
    yield "license-box", "cc-by-nc-sa", wordpress, "urd", {"after": f'<div class="post-license-box"><a href="{CC}/licenses/by-nc-sa/4.0/">اجازت نامہ</a></div>' }
    yield "journal-block", "cc-by", journal, "eng", {"side": f'<div class="item copyright"><p>This work is licensed under a <a href="{CC}/licenses/by/4.0">Creative Commons Attribution 4.0 International License</a>.</p></div>' }
    yield "journal-block-hr", "cc-by-nc", journal, "hrv", {"side": f'<div class="item copyright"><a rel="license" href="{CC}/licenses/by-nc/4.0/"><img src="/nc.png"></a><p>Ovaj rad je licenciran.</p></div>' }
    yield "gov-za", "cc-by", portal, "xho", {"foot": f'<p><a href="{OLD}/licenses/by/2.5/za/">Ilayisensi</a></p>'}


def in_text() -> Iterator[Case]:
    """Pages whose text links to the license of the page itself."""
    yield "text-end", "cc-by", wordpress, "hrv", {"text": f'<p>Ovaj je članak objavljen pod licencom <a href="{CC}/licenses/by/4.0/deed.hr">CC BY 4.0</a>.</p>' }
    yield "text-start", "cc-by-nd", portal, "eng", {"text": f'<p><em>This article may be republished under <a href="{CC}/licenses/by-nd/4.0/">Creative Commons</a>.</em></p>' }
    yield "text-ur", "cc-by-sa", blogger, "urd", {"text": f"<p>یہ مضمون <a href='{CC}/licenses/by-sa/4.0/'>سی سی</a> کے تحت ہے</p>"}
    yield "after-text", "cc-by-nc-nd", blogger, "deu", {"after": f"<div><a href='{CC}/licenses/by-nc-nd/4.0/'>CC BY-NC-ND</a></div>"}
    yield "sidebar-link", "cc-by-sa", blogger, "slv", {"side": f"<div class='widget HTML' id='HTML3'><a href='{OLD}/licenses/by-sa/2.5/si/'>CC</a></div>"}
    yield "old-table-cell", "cc-by", old, "rus", {"side": f'<a href="{OLD}/licenses/by/3.0/"><img src="{BADGE}/by/3.0/80x15.png"></a>'}


def pictures() -> Iterator[Case]:
    """Pages with the license of a picture, of a map, of a video."""
    link = f'<a href="{CC}/licenses/by-sa/4.0/">CC BY-SA 4.0</a>'
    yield "figure", "", portal, "hrv", {"text": f"<figure><img src='/a.jpg'><figcaption>Foto: Ana, {link}</figcaption></figure>"}
    yield "wp-caption", "", wordpress, "slv", {"text": f'<div id="attachment_9" class="wp-caption alignleft"><img src="a.jpg"><p class="wp-caption-text">Foto: Miha, {link}</p></div>' }
    yield "photo-credit", "", blogger, "eng", {"text": f"<div class='photo-credit'>Photo by someone / {link}</div>"}
    yield "photo-paragraph", "", wordpress, "eng", {"text": f'<p><img src="a.jpg" alt=""><br><small>Photo: J. Doe, {link}, via Flickr</small></p>'}
    yield "photo-words-hr", "", portal, "hrv", {"text": f"<p>Foto: Wikimedia, {link}</p>"}
    yield "photo-words-es", "", wordpress, "spa", {"text": f"<p>Imagen de Ana en Flickr bajo licencia {link}</p>"}
    yield "photo-words-de", "", static, "deu", {"text": f"<p>Bild: A. Müller, {link}</p>"}
    yield "two-photos", "", wordpress, "fra", {"text": f"<figure><img src=a.jpg><figcaption>{link}</figcaption></figure><figure><img src=b.jpg><figcaption><a href='{CC}/licenses/by/2.0/'>CC BY 2.0</a></figcaption></figure>" }
    yield "photo-rel", "", portal, "ind", {"text": f'<figure class="media"><img src=a.jpg><figcaption><a rel="license" href="{CC}/licenses/by/2.0/">CC</a></figcaption></figure>' }
    yield "gallery", "", wordpress, "ara", {"text": f'<div class="gallery"><dl class="gallery-item"><dt><img src=a.jpg></dt><dd>{link}</dd></dl></div>' }
    yield "media-info", "", portal, "rus", {"after": f'<div class="image-source">{link}</div>'}
    yield "json-ld-image", "", portal, "eng", {"head": f'<script type="application/ld+json">{{"@type":"NewsArticle","image":{{"@type":"ImageObject","license":"{CC}/licenses/by/4.0/"}}}}</script>' }
    yield "json-ld-video", "", portal, "por", {"head": f'<script type="application/ld+json">[{{"@type":"VideoObject","license":"{CC}/licenses/by/3.0/"}}]</script>' }
    yield "photo-and-page", "cc-by-nc", wordpress, "hrv", {"text": f"<figure><img src=a.jpg><figcaption>{link}</figcaption></figure>", "foot": f'<a rel="license" href="{CC}/licenses/by-nc/4.0/">CC BY-NC</a> ', }
    yield "photo-and-rights", "", portal, "eng", {"text": f"<figure><img src=a.jpg><figcaption>{link}</figcaption></figure>", "foot": "<p>All rights reserved.</p>"}
    yield "map", "", portal, "eng", {"text": f'<div id="map" class="leaflet-container"></div><p>© OpenStreetMap contributors, {link}</p>' }
    yield "infobox-image", "", mediawiki, "eng", {"text": f'<div class="thumb tright"><div class="thumbinner"><img src=a.jpg><div class="thumbcaption">{link}</div></div></div>' }
    yield "foto-table", "", old, "spa", {"text": f"<table><tr><td><img src=a.jpg></td></tr><tr><td><font size=1>Foto: {link}</font></td></tr></table>" }


def no_license() -> Iterator[Case]:
    """Pages that link to Creative Commons or speak of it, and are not licensed."""
    links = "".join(
        f'<li><a href="{CC}/licenses/{kind}/4.0/">CC {kind.upper()}</a></li>'
        for kind in ("by", "by-sa", "by-nc", "by-nd", "by-nc-sa", "by-nc-nd")
    )
    yield "news", "", portal, "eng", {"text": f'<p>The museum has put its pictures online under the <a href="{CC}/publicdomain/zero/1.0/">CC0 waiver</a>, its director said.</p>', "foot": "<p>All rights reserved.</p>"}
    yield "news-hr", "", portal, "hrv", {"text": f'<p>Ministarstvo je podatke objavilo uz <a href="{CC}/licenses/by/4.0/">otvorenu licencu</a>, javlja Hina.</p>' }
    yield "news-home", "", portal, "urd", {"text": f'<p><a href="{CC}/">Creative Commons</a> نے ایک نیا منصوبہ شروع کیا ہے۔</p>'}
    yield "list-of-licenses", "", wordpress, "eng", {"text": f"<h2>The six licenses</h2><ul>{links}</ul>"}
    yield "list-of-licenses-sl", "", static, "slv", {"text": f"<ul>{links}</ul>"}
    yield "how-to", "", wordpress, "por", {"text": f'<p>Para licenciar o seu trabalho, vá a <a href="{CC}/choose/">{CC}/choose/</a>.</p>'}
    yield "how-to-code", "", static, "eng", {"text": f'<pre><code>&lt;a rel="license" href="{CC}/licenses/by/4.0/"&gt;CC BY&lt;/a&gt;</code></pre>' }
    yield "theme", "", wordpress, "eng", {"foot": f'Theme by Jane, licensed under <a href="{CC}/licenses/by/3.0/">CC BY 3.0</a>. '}
    yield "template", "", static, "spa", {"foot": f'Design: <a href="https://templates.example/">Templates</a> (<a href="{OLD}/licenses/by/3.0/">CC BY 3.0</a>)' }
    yield "icons", "", portal, "deu", {"foot": f'<p>Icons: Font Set, <a href="{CC}/licenses/by/4.0/">CC BY 4.0</a></p><p>Alle Rechte vorbehalten.</p>' }
    yield "icons-words", "", portal, "fra", {"foot": "<p>Icônes : Set Libre, CC BY 4.0. Tous droits réservés.</p>"}
    yield "data", "", portal, "eng", {"text": f'<p>The data of the census can be had under <a href="{CC}/licenses/by/4.0/">CC BY</a> from the bureau.</p>' }
    yield "comment", "", wordpress, "eng", {"after": f'<div id="comments"><ol class="comment-list"><li class="comment"><p>You should use <a href="{CC}/licenses/by-sa/4.0/" rel="nofollow ugc">BY-SA</a>!</p></li></ol></div>' }
    yield "music", "", blogger, "spa", {"text": f"<p>Música: «Río», de Ana (<a href='{CC}/licenses/by/3.0/'>CC BY 3.0</a>)</p>"}
    yield "quotation", "", portal, "hrv", {"text": f'<blockquote>Dio teksta preuzet je s Wikipedije (<a href="{CC}/licenses/by-sa/3.0/">CC BY-SA</a>).</blockquote>' }
    yield "other-site", "", static, "eng", {"text": '<p>See <a href="https://creativecommons.org.example/licenses/by/4.0/">this</a>.</p>'}
    yield "own-license", "", static, "eng", {"foot": '<a rel="license" href="/terms">Terms</a>'}
    yield "mit", "", static, "eng", {"foot": '<a rel="license" href="https://opensource.org/licenses/MIT">MIT</a>'}
    yield "gfdl", "", mediawiki, "hin", {"foot": '<li><a rel="license" href="https://www.gnu.org/copyleft/fdl.html">GFDL</a></li>'}
    yield "reserved", "", portal, "rus", {"foot": "<p>Все права защищены.</p>"}
    yield "reserved-ar", "", wordpress, "ara", {"foot": "<p>جميع الحقوق محفوظة</p> "}
    yield "cc-address-list", "", old, "eng", {"text": "<p>To: office@a.example, CC: by-laws@a.example</p>"}
    yield "cc-engine", "", portal, "deu", {"text": "<p>Das Moped mit 50 cc by Piaggio, CC 0815.</p>", "foot": "<p>Impressum</p>"}
    yield "plain", "", blogger, "xho", {}
    yield "plain-ur", "", old, "urd", {}
    yield "plain-hi", "", static, "hin", {"foot": "© 2021"}


def sites() -> Iterator[Case]:
    """Sites with several pages: what one page says by the way, the others confirm or do not."""
    sidebar = (
        f"<div class='widget HTML' id='HTML5'>Blog: <a href='{CC}/licenses/by-nc/4.0/'>CC BY-NC</a></div>"
    )
    for number, language in enumerate(("hrv", "slv", "hrv", "slv", "hrv")):
        yield f"site-sidebar/{number}", "cc-by-nc", blogger, language, {"side": sidebar}
    flickr = [f'<p>Foto: <a href="{CC}/licenses/{kind}/2.0/">CC</a></p>' for kind in ("by", "by-sa", "by-nd")]
    for number, credit in enumerate([*flickr, "", "", ""]):
        yield f"site-photos/{number}", "", wordpress, "spa", {"text": credit}
    for number in range(4):
        news = (
            f'<p>The city opened its maps under <a href="{CC}/licenses/by/4.0/">CC BY</a>.</p>'
            if number == 2
            else ""
        )
        yield f"site-news/{number}", "", portal, "eng", {"text": news}
    for number, language in enumerate(("urd", "urd", "eng")):
        note = f'<p>Republish: <a href="{CC}/licenses/by-nd/4.0/">CC</a></p>'
        yield f"site-republish/{number}", "cc-by-nd", portal, language, {"text": note}


def unseen() -> Iterator[Case]:
    """Pages written after the rules, and never used to change them: what the other parts cannot show."""
    yield "u-imprint", "cc-by-sa", static, "deu", {"after": f'<h2>Lizenz</h2><p>Sofern nicht anders angegeben, stehen die Inhalte unter <a href="{CC}/licenses/by-sa/4.0/deed.de">CC BY-SA 4.0</a>.</p>' }
    yield "u-aside-hr", "cc-by", portal, "hrv", {"side": f'<div class="dozvola"><a href="{CC}/licenses/by/3.0/hr/">Imenovanje 3.0 Hrvatska</a></div>' }
    yield "u-colophon-span", "cc-by-nc-sa", wordpress, "xho", {"foot": '<span class="cc"><a href="https://www.creativecommons.org/licenses/by-nc-sa/2.5/za/" target=_blank>CC</a></span> ' }
    yield "u-json-creative-work", "cc-by", portal, "swa", {"head": f'<script type="application/ld+json">{{"@context":"http://schema.org","@type":"CreativeWork","license":"{CC}/licenses/by/4.0/deed.sw"}}</script>' }
    yield "u-json-nested", "cc-by-nc", portal, "spa", {"head": f'<script type="application/ld+json">{{"@type":"WebPage","mainEntity":{{"@type":"Article","license":"{CC}/licenses/by-nc/4.0/"}}}}</script>' }
    yield "u-json-cdata", "cc-by", wordpress, "fra", {"head": f'<script type="application/ld+json">//<![CDATA[\n{{"@type":"Article","license":"{CC}/licenses/by/4.0/"}}\n//]]></script>' }
    yield "u-meta-rights-sentence", "cc-by-nc-nd", journal, "por", {"head": '<meta name="DC.Rights" content="Este trabalho está licenciado sob uma licença Creative Commons Attribution-NonCommercial-NoDerivatives 4.0.">' }
    yield "u-meta-og", "", portal, "eng", {"head": f'<meta property="og:see_also" content="{CC}/licenses/by/4.0/">'}
    yield "u-input-value", "", static, "eng", {"text": f'<p><input value="{CC}/licenses/by/4.0/"></p>'}
    yield "u-option-list", "", static, "eng", {"text": f'<select><option value="{CC}/licenses/by/4.0/">CC BY</option><option value="{CC}/publicdomain/zero/1.0/">CC0</option></select>' }
    yield "u-wiki-talk", "cc-by-sa", mediawiki, "slv", {"foot": f'<li id="footer-info-copyright">Besedilo se sme prosto uporabljati v skladu z <a href="{CC}/licenses/by-sa/4.0/deed.sl">dovoljenjem</a>; uveljavljajo se lahko dodatni pogoji.</li>' }
    yield "u-wiki-image", "", mediawiki, "hrv", {"text": f'<table class="infobox"><tr><td class="infobox-image"><img src=a.jpg><div>Autor: Ivo, <a href="{CC}/licenses/by-sa/3.0/">CC BY-SA 3.0</a></div></td></tr></table>', "foot": "<li>Sva prava pridržana</li>"}
    yield "u-footer-photo-text", "cc-by", portal, "eng", {"foot": f'<p>Text and photos: <a href="{CC}/licenses/by/4.0/">CC BY 4.0</a></p>'}
    yield "u-footer-texte-bilder", "cc-by-nc", portal, "deu", {"foot": f'<p>Texte und Bilder: <a href="{CC}/licenses/by-nc/4.0/">CC BY-NC 4.0</a></p>'}
    yield "u-footer-photos-only", "", portal, "fra", {"foot": f'<p>Crédits photos : <a href="{CC}/licenses/by/2.0/">CC BY 2.0</a>. Textes : tous droits réservés.</p>' }
    yield "u-footer-weather", "", portal, "ind", {"foot": f'<p>Data cuaca: <a href="https://w.example/">Met</a> (<a href="{CC}/licenses/by/4.0/">CC BY 4.0</a>)</p>' }
    yield "u-footer-map-data", "", portal, "spa", {"foot": f'<p>Datos de mapas © OpenStreetMap, <a href="{CC}/licenses/by-sa/2.0/">CC BY-SA</a></p>'}
    yield "u-caption-p", "", portal, "rus", {"text": f'<div class="pic"><img src=a.jpg><p>Автор снимка: Иван, <a href="{CC}/licenses/by/4.0/">CC BY 4.0</a></p></div>' }
    yield "u-video-embed", "", wordpress, "hin", {"text": f'<p><iframe src="https://video.example/1"></iframe></p><p>वीडियो: <a href="{CC}/licenses/by/3.0/">CC BY</a></p>' }
    yield "u-quoted-poem", "", blogger, "ara", {"text": f"<blockquote><p>قصيدة</p><footer><a href='{CC}/publicdomain/mark/1.0/'>ملك عام</a></footer></blockquote>" }
    yield "u-forum-signature", "", static, "eng", {"text": f'<div class="signature">My posts are <a href="{CC}/licenses/by-sa/4.0/">CC BY-SA</a></div>' }
    yield "u-course", "cc-by-nc-sa", portal, "eng", {"foot": f'<p class="terms">Except where otherwise noted, content on this site is licensed under a <a href="{CC}/licenses/by-nc-sa/4.0/">Creative Commons Attribution-NonCommercial-ShareAlike 4.0</a> licence.</p>' }
    yield "u-newspaper-law", "", portal, "slv", {"text": f'<p>Novi zakon določa, da morajo biti podatki na voljo pod <a href="{CC}/licenses/by/4.0/deed.sl">dovoljenjem CC BY</a>.</p>', "foot": "<p>Vse pravice pridržane.</p>"}
    yield "u-badge-no-link", "cc-by", blogger, "por", {"side": f"<img src='{BADGE}/by/4.0/88x31.png' alt='Licença Creative Commons'>"}
    yield "u-rel-relative", "cc-by-sa", static, "rus", {"foot": f'<a href="{CC}/licenses/by-sa/4.0/deed.ru" rel="license noopener noreferrer">лицензия</a>'}
    yield "u-igo", "cc-by", portal, "ara", {"foot": f'<a rel="license" href="{CC}/licenses/by/3.0/igo/">CC BY 3.0 IGO</a>'}
    yield "u-dc-rights-link-two", "cc-by", repository, "urd", {"head": f'<meta name="DC.rights" content="open access"><meta name="DC.rights.uri" content="{CC}/licenses/by/4.0/">' }
    yield "u-code-lower", "cc-by", portal, "ind", {"foot": "<p>Lisensi: cc by 4.0</p>"}
    yield "u-plain-za", "", portal, "xho", {"foot": "<p>Onke amalungelo agciniwe</p>"}
    yield "u-plain-sw", "", wordpress, "swa", {"foot": "<p>Haki zote zimehifadhiwa</p> "}


PARTS = (declared, footers, in_text, pictures, no_license, sites, unseen)


def rows() -> Iterator[dict[str, str]]:
    """Each page with its license, its part of the set, and an address; pages `a/0`, `a/1` are of one site."""
    for part in PARTS:
        for name, license, shell, language, places in part():
            site, _, page = name.partition("/")
            url = f"https://{site}.example/{page}"
            yield {
                "url": url,
                "part": part.__name__,
                "language": language,
                "license": license,
                "html": shell(language, **places),
            }


if __name__ == "__main__":
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows()]
    (Path(__file__).parent / "gold.jsonl").write_text("".join(lines), "utf-8")
