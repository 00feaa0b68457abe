"""Frames of web pages as common systems make them, with places where licenses are said."""

from __future__ import annotations

TEXTS = {
    "hrv": (
        "Proljeće u zavičaju",
        "Stanovnici sela okupili su se u subotu kako bi obnovili stari mlin na potoku. Radovi su trajali cijeli dan, "
        "a navečer je održana mala svečanost.",
        "Mlin je sagrađen prije više od dvjesto godina i desetljećima nije radio. Sada će ponovno mljeti brašno.",
    ),
    "slv": (
        "Nova knjižnica v mestu",
        "V ponedeljek so v središču mesta odprli prenovljeno knjižnico, ki ima več kot petdeset tisoč knjig. "
        "Otroci so dobili svoj kotiček.",
        "Obiskovalci bodo lahko knjige iskali tudi po spletu in si jih izposojali za en mesec.",
    ),
    "urd": (
        "گاؤں کی پرانی لائبریری",
        "گاؤں کے لوگوں نے مل کر پرانی لائبریری کی عمارت کو دوبارہ کھول دیا ہے۔ اس میں سینکڑوں کتابیں موجود ہیں جنہیں بچے پڑھ سکتے ہیں۔",
        "استاد نے بتایا کہ ہر جمعرات کو یہاں کہانیاں سنائی جائیں گی اور سب کو آنے کی دعوت ہے۔",
    ),
    "xho": (
        "Isikolo esitsha elalini",
        "Abantu belali bavule isikolo esitsha kule veki iphelileyo. Abantwana bavuya kakhulu kuba ngoku akusafuneki bahambe "
        "umgama omde.",
        "Inkosi yelali ithe imfundo yeyona nto ibalulekileyo kubantwana bethu bonke.",
    ),
    "eng": (
        "The ferry runs again",
        "After four years the small ferry across the river runs again, and the villagers on both banks came to see the first "
        "crossing on Sunday morning.",
        "The boat carries twelve people and a cart. Tickets cost as much as they did before the flood.",
    ),
    "deu": (
        "Der alte Bahnhof",
        "Der alte Bahnhof am Rand der Stadt wird zu einem Haus für Vereine umgebaut. Die Arbeiten sollen im Herbst "
        "abgeschlossen sein.",
        "Im Erdgeschoss entsteht ein Café, oben gibt es Räume für Musik und Theater.",
    ),
    "spa": (
        "La feria del pueblo",
        "La feria del pueblo reunió este año a más de cien artesanos que mostraron sus trabajos en la plaza durante tres días.",
        "El domingo hubo música hasta la medianoche y los vecinos bailaron alrededor de la fuente.",
    ),
    "fra": (
        "Le marché du samedi",
        "Le marché du samedi a retrouvé sa place devant l'église après deux ans de travaux, et les marchands sont contents.",
        "On y trouve des légumes, du miel et des fromages de la vallée voisine.",
    ),
    "por": (
        "A ponte de madeira",
        "A ponte de madeira sobre o ribeiro foi reconstruída pelos moradores, que trabalharam todos os fins de semana do verão.",
        "Agora as crianças já podem ir a pé para a escola sem dar a volta pela estrada.",
    ),
    "ara": (
        "مكتبة القرية",
        "افتتح أهالي القرية مكتبة صغيرة بالقرب من المسجد، وفيها كتب كثيرة للأطفال والكبار جمعها المعلمون خلال السنوات الماضية.",
        "وستكون المكتبة مفتوحة كل يوم بعد الظهر ما عدا يوم الجمعة.",
    ),
    "hin": (
        "गाँव का नया कुआँ",
        "गाँव के लोगों ने मिलकर नया कुआँ खोदा है, जिससे अब गर्मियों में भी पानी मिल सकेगा। काम पूरा होने में दो महीने लगे।",
        "मुखिया ने कहा कि अगले साल स्कूल की इमारत की मरम्मत की जाएगी।",
    ),
    "rus": (
        "Старая мельница",
        "Жители деревни восстановили старую мельницу на берегу реки. Работа заняла всё лето, и осенью мельница снова заработала.",
        "Теперь сюда приезжают школьники, чтобы посмотреть, как мололи муку сто лет назад.",
    ),
    "swa": (
        "Soko jipya la kijiji",
        "Wakazi wa kijiji wamefungua soko jipya karibu na barabara kuu. Wakulima wanauza mboga, matunda na samaki kila asubuhi.",
        "Mwenyekiti wa kijiji amesema soko hilo litasaidia familia nyingi kupata kipato.",
    ),
    "ind": (
        "Perpustakaan keliling",
        "Perpustakaan keliling kini datang ke desa setiap hari Rabu dengan membawa ratusan buku untuk anak-anak dan orang tua.",
        "Petugas perpustakaan berharap minat baca di desa terus bertambah dari tahun ke tahun.",
    ),
}
DIRECTION = {"urd": "rtl", "ara": "rtl"}
CODES = {
    "hrv": "hr", "slv": "sl", "urd": "ur", "xho": "xh", "eng": "en", "deu": "de", "spa": "es", "fra": "fr", "por": "pt",
    "ara": "ar", "hin": "hi", "rus": "ru", "swa": "sw", "ind": "id",
}  # fmt: skip


def _opening(language: str, head: str) -> str:
    direction = f' dir="{DIRECTION[language]}"' if language in DIRECTION else ""
    title = TEXTS[language][0]
    return (
        f'<!DOCTYPE html>\n<html lang="{CODES[language]}"{direction}>\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n{head}\n</head>\n"
    )


def _prose(language: str, text: str) -> str:
    first, second = TEXTS[language][1:]
    return f"<p>{first}</p>\n<p>{second}</p>\n{text}"


def wordpress(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """A blog with widgets beside the text and a colophon."""
    return (
        _opening(language, f'<meta name="generator" content="WordPress 6.4">\n{head}')
        + f"""<body class="post-template-default single single-post">
<div id="page" class="site">
<header id="masthead" class="site-header"><a href="/" rel="home">{TEXTS[language][0][:9]}</a>
<nav id="site-navigation"><ul class="menu"><li><a href="/">1</a></li><li><a href="/about/">2</a></li></ul></nav></header>
<div id="content" class="site-content"><main id="main" class="site-main">
<article id="post-17" class="post-17 post type-post status-publish">
<header class="entry-header"><h1 class="entry-title">{TEXTS[language][0]}</h1></header>
<div class="entry-content">
{_prose(language, text)}
</div>{after}</article></main>
<aside id="secondary" class="widget-area">
<section id="search-2" class="widget widget_search"><form action="/"><input name="s"></form></section>
{side}
</aside></div>
<footer id="colophon" class="site-footer"><div class="site-info">
{foot}
<a href="https://wordpress.org/">WordPress</a></div></footer>
</div></body></html>"""
    )


def blogger(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """A blog of the kind whose parts are numbered widgets, all of them div elements."""
    return (
        _opening(language, f"<meta content='blogger' name='generator'/>\n{head}")
        + f"""<body class='loading'>
<div id='outer-wrapper'><div id='header-wrapper'><h1 class='title'>{TEXTS[language][0][:7]}</h1></div>
<div id='content-wrapper'><div id='main-wrapper'><div class='main section' id='main'><div class='widget Blog' id='Blog1'>
<div class='post hentry'><h3 class='post-title entry-title'>{TEXTS[language][0]}</h3>
<div class='post-body entry-content'>
{_prose(language, text)}
</div>{after}</div></div></div></div>
<div id='sidebar-wrapper'><div class='sidebar section' id='sidebar'>
<div class='widget Profile' id='Profile1'><h2>Blog</h2><a href='/profile'>me</a></div>
{side}
</div></div></div>
<div id='footer-wrapper'><div class='footer section' id='footer'>{foot}</div></div>
</div></body></html>"""
    )


def mediawiki(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """A wiki page."""
    return (
        _opening(language, f'<meta name="generator" content="MediaWiki 1.39.3">\n{head}')
        + f"""<body class="mediawiki ltr sitedir-ltr ns-0 ns-subject skin-vector">
<div id="content" class="mw-body" role="main"><h1 id="firstHeading" class="firstHeading">{TEXTS[language][0]}</h1>
<div id="bodyContent"><div id="mw-content-text" class="mw-body-content"><div class="mw-parser-output">
{_prose(language, text)}
</div></div>{after}</div></div>
<div id="mw-navigation"><div id="mw-panel"><ul><li><a href="/wiki/Main">1</a></li></ul>{side}</div></div>
<div id="footer" role="contentinfo"><ul id="footer-info">{foot}</ul><ul id="footer-places"><li><a href="/about">2</a></li></ul></div>
</body></html>"""
    )


def journal(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """An article page of a scholarly journal."""
    return (
        _opening(
            language,
            '<meta name="generator" content="Open Journal Systems 3.3">\n<meta name="citation_journal_title" content="Zbornik">\n'
            + head,
        )
        + f"""<body class="pkp_page_article pkp_op_view">
<div class="pkp_structure_page"><header class="pkp_structure_head"><a href="/index">Zbornik</a></header>
<div class="pkp_structure_content"><div class="pkp_structure_main" role="main"><article class="obj_article_details">
<h1 class="page_title">{TEXTS[language][0]}</h1><div class="row"><div class="main_entry">
<section class="item abstract"><h2 class="label">Abstract</h2>
{_prose(language, text)}
</section></div><div class="entry_details"><div class="item galleys"><a class="obj_galley_link pdf" href="/1/pdf">PDF</a></div>
{side}</div></div>{after}</article></div></div>
<div class="pkp_structure_footer_wrapper" role="contentinfo"><div class="pkp_structure_footer">{foot}</div></div>
</div></body></html>"""
    )


def portal(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """A news portal with HTML5 elements."""
    return (
        _opening(language, f'<meta property="og:type" content="article">\n{head}')
        + f"""<body>
<header><a href="/">{TEXTS[language][0][:6]}</a><nav><a href="/1">1</a> <a href="/2">2</a></nav></header>
<main><article><h1>{TEXTS[language][0]}</h1><p class="byline"><time datetime="2023-05-04">4. 5. 2023</time></p>
{_prose(language, text)}
</article>{after}<aside class="related"><h3>+</h3><ul><li><a href="/9">{TEXTS[language][0]}</a></li></ul>{side}</aside></main>
<footer><p>© 2023 {TEXTS[language][0][:6]}</p>{foot}</footer>
</body></html>"""
    )


def old(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """A page laid out with tables, by hand."""
    return (
        _opening(language, head).replace("<!DOCTYPE html>\n", "")
        + f"""<body bgcolor="#ffffff"><center><table width="700" border="0"><tr><td width="150" valign="top">
<a href="index.html">1</a><br><a href="links.html">2</a><br>{side}</td>
<td><h1>{TEXTS[language][0]}</h1>
{_prose(language, text)}
{after}</td></tr>
<tr><td colspan="2"><hr><font size="-1">{foot}</font></td></tr></table></center></body></html>"""
    )


def static(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """A page of a static site generator: short markup, few classes."""
    return (
        _opening(language, f'<meta name="viewport" content="width=device-width">\n{head}')
        + f"""<body><div class=wrap><h1>{TEXTS[language][0]}</h1>
{_prose(language, text)}
{after}
<hr>{side}<div class=meta>{foot}</div></div></body></html>"""
    )


def repository(
    language: str, head: str = "", text: str = "", side: str = "", foot: str = "", after: str = ""
) -> str:
    """A record of an archive of theses."""
    return (
        _opening(
            language,
            '<link rel="schema.DC" href="http://purl.org/DC/elements/1.0/">\n<meta name="DC.title" content="'
            + f'{TEXTS[language][0]}">\n{head}',
        )
        + f"""<body class="undernavigation"><div class="container">
<table class="table itemDisplayTable"><tr><td class="metadataFieldLabel">Title</td><td>{TEXTS[language][0]}</td></tr>
<tr><td class="metadataFieldLabel">Abstract</td><td class="metadataFieldValue">{" ".join(TEXTS[language][1:])}</td></tr>
{side}</table>{text}{after}</div>
<footer class="navbar"><p class="text-muted">DSpace {foot}</p></footer></body></html>"""
    )
