"""Layouts as sites of these languages use them: each takes a text and returns the body of a page.

The paragraphs of the text, and its title where a page shows it above them, are its main content.
"""

from texts import Text


def links(words: tuple[str, ...], css: str = "", tag: str = "li") -> str:
    items = "\n".join(f'<{tag}><a href="/{i}.html">{word}</a></{tag}>' for i, word in enumerate(words))
    return f'<ul class="{css}">\n{items}\n</ul>' if tag == "li" else items


def teasers(t: Text, css: str) -> str:
    return "\n".join(
        f'<div class="{css}"><img src="/t{i}.jpg" alt=""><h4><a href="/n/{i}">{title}</a></h4>'
        f'<p>{t.paragraphs[-1][:60]}… <a href="/n/{i}">{t.labels["more"]}</a></p></div>'
        for i, title in enumerate(t.related)
    )


def portal(t: Text) -> str:
    """A news portal: ticker, menus in menus, a box of related stories in the middle of the article."""
    body = [f"<p>{p}</p>" for p in t.paragraphs]
    body.insert(
        2, f'<div class="inline-related"><strong>{t.labels["related"]}</strong>{links(t.related[:2])}</div>'
    )
    return f"""<div id="cookie-law" class="cookie-consent"><span>{t.cookies}</span> <button>{t.labels["accept"]}</button></div>
<div class="top-bar"><span class="date">{t.date}</span><ul class="ticker">{links(t.related, tag="span")}</ul></div>
<div id="header"><a id="logo" href="/"><img src="/logo.png" alt=""></a><div id="nav">{links(t.menu, "main-menu")}</div></div>
<div id="wrapper"><div id="left">{links(t.menu, "submenu")}<div class="box"><h3>{t.labels["latest"]}</h3>{teasers(t, "teaser")}</div></div>
<div id="content"><div class="breadcrumbs"><a href="/">{t.menu[0]}</a> » <a href="/1">{t.menu[1]}</a></div>
<h1 class="headline">{t.title}</h1><div class="info">{t.labels["posted"]}: {t.date} | {t.author}</div>
<div class="share-buttons"><a href="#">Facebook</a> <a href="#">Twitter</a> <a href="#">WhatsApp</a></div>
<div class="photo"><img src="/1.jpg" alt=""><span class="caption">{t.captions[0]}</span></div>
<div class="article-text">
{chr(10).join(body)}
</div>
<div class="tags">{t.labels["tags"]}: <a href="/tag/1">{t.menu[3]}</a>, <a href="/tag/2">{t.menu[4]}</a></div>
<div id="comments"><h3>{t.labels["comments"]} (2)</h3>{"".join(f'<div class="comment"><b>user{i}</b><p>{c}</p><a href="#">{t.labels["reply"]}</a></div>' for i, c in enumerate(t.comments))}</div>
</div><div id="right"><div class="banner"></div><div class="box"><h3>{t.labels["related"]}</h3>{links(t.related)}</div></div></div>
<div id="footer">{links(t.menu, "footer-menu")}<p>© 2023. {t.footer}</p></div>"""


def blogger(t: Text) -> str:
    """A hosted blog: the post in one element with line breaks, gadgets at the side."""
    return f"""<div class="navbar section" id="navbar"></div><div class="body-fauxcolumns"></div>
<div class="content"><div class="content-inner"><header><div class="header section"><h1 class="title"><a href="/">{t.menu[0]}</a></h1>
<p class="description"><span>{t.menu[3]}, {t.menu[5]}</span></p></div></header>
<div class="tabs-outer">{links(t.menu, "tabs")}</div>
<div class="main-outer"><div class="column-center-outer"><div class="main section" id="main"><div class="blog-posts hfeed">
<div class="date-outer"><h2 class="date-header"><span>{t.date}</span></h2><div class="post-outer"><div class="post hentry">
<h3 class="post-title entry-title">{t.title}</h3>
<div class="post-body entry-content"><div class="separator" style="clear: both;"><a href="/1.jpg"><img src="/1.jpg"></a></div>
{"<br /><br />".join(t.paragraphs)}<div style="clear: both;"></div></div>
<div class="post-footer"><div class="post-footer-line"><span class="post-author vcard">{t.labels["posted"]} {t.author}</span>
<span class="post-labels">{t.labels["tags"]}: <a href="/l/1">{t.menu[2]}</a></span></div></div></div>
<div class="comments" id="comments"><h4>2 {t.labels["comments"]}:</h4><dl>{"".join(f'<dt class="comment-author"><a href="#">anon{i}</a></dt><dd class="comment-body"><p>{c}</p></dd>' for i, c in enumerate(t.comments))}</dl></div>
</div></div></div></div></div>
<div class="column-right-outer"><aside><div class="widget BlogArchive"><h2>{t.labels["latest"]}</h2>{links(t.related, "posts")}</div>
<div class="widget Label"><h2>{t.labels["tags"]}</h2>{links(t.menu)}</div></aside></div></div></div></div>
<footer><div class="widget Attribution">{t.footer}</div></footer>"""


def joomla(t: Text) -> str:
    """A content management system of the 2000s: tables for columns, modules as tables in them."""
    rows = "".join(
        f'<tr><td><a href="/{i}" class="mainlevel">{m}</a></td></tr>' for i, m in enumerate(t.menu)
    )
    return f"""<table width="950" align="center" cellpadding="0"><tr><td colspan="3"><img src="/banner.jpg" height="120"></td></tr>
<tr><td width="170" valign="top" class="leftcol"><table class="moduletable"><tr><th>{t.menu[0]}</th></tr>{rows}</table>
<table class="moduletable"><tr><th>{t.labels["login"]}</th></tr><tr><td><form action="/login"><label>{t.labels["login"]}</label><input name="u"></form></td></tr></table></td>
<td valign="top" class="maincol"><span class="pathway"><a href="/">{t.menu[0]}</a> &gt; {t.menu[1]}</span>
<table class="contentpaneopen"><tr><td class="contentheading" width="100%">{t.title}</td><td class="buttonheading"><a href="?pdf">PDF</a></td></tr></table>
<table class="contentpaneopen"><tr><td class="small">{t.author}</td></tr><tr><td class="createdate">{t.date}</td></tr>
<tr><td valign="top">{"".join(f'<p align="justify">{p}</p>' for p in t.paragraphs)}</td></tr></table>
<span class="article_seperator">&nbsp;</span><div class="back_button"><a href="#">{t.labels["next"]}</a></div></td>
<td width="170" valign="top" class="rightcol"><table class="moduletable"><tr><th>{t.labels["latest"]}</th></tr><tr><td>{links(t.related, "latestnews")}</td></tr></table></td></tr>
<tr><td colspan="3" align="center"><font size="1">{t.footer}</font></td></tr></table>"""


def phpbb(t: Text) -> str:
    """A forum: every paragraph is a post, beside the particulars of who wrote it."""
    posts = "\n".join(
        f"""<div id="p{i}" class="post bg{i % 2}"><div class="inner"><div class="postbody"><ul class="profile-icons"><li><a href="?q={i}">{t.labels["reply"]}</a></li></ul>
<p class="author">{t.labels["posted"]} <strong><a href="/u{i}">user{i}</a></strong> » {t.date}</p>
<div class="content">{p}</div></div><dl class="postprofile"><dt><a href="/u{i}">user{i}</a></dt><dd>{t.menu[1]}: {17 * i + 3}</dd></dl></div></div>"""
        for i, p in enumerate(t.paragraphs)
    )
    return f"""<div id="wrap"><div id="page-header"><div class="headerbar"><h1>{t.menu[3]}</h1><p>{t.menu[4]}</p></div>
<div class="navbar"><ul class="linklist"><li><a href="/">{t.menu[0]}</a> ‹ <a href="/f1">{t.menu[2]}</a></li><li><a href="/login">{t.labels["login"]}</a></li><li><a href="/faq">FAQ</a></li></ul></div></div>
<div id="page-body"><h2><a href="/t1">{t.title}</a></h2><div class="topic-actions"><a href="?reply">{t.labels["reply"]}</a><div class="pagination">{len(t.paragraphs)} • <a href="?p=2">{t.labels["next"]}</a></div></div>
{posts}
<h3>{t.labels["related"]}</h3><table class="topiclist"><tbody>{"".join(f'<tr><td><a href="/t{i}">{r}</a></td><td>{i + 4}</td><td>{t.date}</td></tr>' for i, r in enumerate(t.related))}</tbody></table>
</div><div id="page-footer"><div class="copyright">{t.footer}</div></div></div>"""


def mediawiki(t: Text) -> str:
    """An encyclopedia: infobox, contents, edit links, references, a box of links at the end."""
    first, *rest = t.paragraphs
    return f"""<div id="content" class="mw-body" role="main"><div id="siteNotice"></div><h1 id="firstHeading">{t.title}</h1>
<div id="bodyContent"><div id="contentSub"></div><div id="mw-content-text" class="mw-content-ltr"><div class="mw-parser-output">
<table class="infobox"><tbody><tr><th colspan="2">{t.title}</th></tr><tr><th>{t.labels["posted"]}</th><td>{t.date}</td></tr><tr><th>{t.menu[5]}</th><td>{t.author}</td></tr></tbody></table>
<p>{first}</p><div id="toc" class="toc"><h2>{t.menu[0]}</h2><ul><li class="toclevel-1"><a href="#a">1 {t.menu[3]}</a></li><li class="toclevel-1"><a href="#b">2 {t.menu[4]}</a></li></ul></div>
{"".join(f"<p>{p}<sup><a href='#r{i}'>[{i + 1}]</a></sup></p>" for i, p in enumerate(rest))}
<ol class="references"><li id="r0">{t.author}, {t.date}</li></ol>
<div class="navbox"><table><tr><th>{t.labels["related"]}</th></tr><tr><td>{" · ".join(f'<a href="/w/{i}">{r}</a>' for i, r in enumerate(t.related))}</td></tr></table></div></div></div>
<div id="catlinks" class="catlinks"><a href="/c">{t.labels["tags"]}</a>: {links(t.menu[2:4])}</div></div></div>
<div id="mw-navigation"><h2>{t.menu[0]}</h2><div id="p-personal">{links((t.labels["login"],))}</div><div id="mw-panel">{links(t.menu)}</div></div>
<div id="footer" role="contentinfo"><ul id="footer-info"><li>{t.date}</li><li>{t.footer}</li></ul></div>"""


def office(t: Text) -> str:
    """A public office: the whole page in a form, tables, scrolling notices, fonts."""
    menu = "".join(f'<td class="menuitem"><a href="p{i}.aspx">{m}</a></td>' for i, m in enumerate(t.menu))
    return f"""<form name="aspnetForm" method="post" action="page.aspx"><input type="hidden" name="__VIEWSTATE" value="x">
<table id="tblMain" width="100%"><tr><td><table class="Header"><tr><td><img src="crest.gif"></td><td><h2>{t.menu[5]}</h2></td></tr></table></td></tr>
<tr><td><table class="Menu"><tr>{menu}</tr></table></td></tr><tr><td><marquee>{t.related[0]} *** {t.related[1]}</marquee></td></tr>
<tr><td><table><tr><td class="LeftPane" valign="top"><div class="BoxTitle">{t.labels["latest"]}</div>{"<br>".join(f'<img src="dot.gif"><a href="n{i}.aspx">{r}</a>' for i, r in enumerate(t.related))}</td>
<td class="ContentPane" valign="top"><span id="ctl00_lblTitle" class="Title">{t.title}</span><br><span id="ctl00_lblDate"><font size="1">{t.date}</font></span><br>
<span id="ctl00_lblBody"><div>{"</div><div>&nbsp;</div><div>".join(f"<font face='Tahoma'>{p}</font>" for p in t.paragraphs)}</div></span>
<a href="javascript:window.print()">{t.labels["share"]}</a></td></tr></table></td></tr>
<tr><td class="Footer">{t.footer}</td></tr></table></form>"""


def magazine(t: Text) -> str:
    """A magazine of today: semantic elements, pictures with captions, a letter to subscribe to, cards."""
    body = [f"<p>{p}</p>" for p in t.paragraphs]
    body.insert(
        1,
        f'<figure><img src="/1.webp" alt=""><figcaption>{t.captions[0]} {t.captions[1]}</figcaption></figure>',
    )
    body.insert(
        4,
        f'<section class="newsletter-signup"><h3>{t.labels["latest"]}</h3><p>{t.cookies}</p><form><input type="email"><button>{t.labels["accept"]}</button></form></section>',
    )
    cards = "".join(
        f'<article class="card"><a href="/s/{i}"><h3>{r}</h3><time>{t.date}</time></a></article>'
        for i, r in enumerate(t.related)
    )
    return f"""<a class="skip-link" href="#main">{t.labels["more"]}</a><header class="site-header"><nav aria-label="primary">{links(t.menu)}</nav><form role="search"><input><button>{t.labels["search"]}</button></form></header>
<main id="main"><article class="story"><header class="story__header"><p class="story__kicker"><a href="/k">{t.menu[3]}</a></p><h1 class="story__title">{t.title}</h1>
<div class="story__meta"><address class="byline">{t.author}</address><time datetime="2023-07-12">{t.date}</time></div></header>
<div class="story__body">
{chr(10).join(body)}
</div><footer class="story__footer"><ul class="share"><li><a href="#">{t.labels["share"]}</a></li></ul></footer></article>
<section class="read-next"><h2>{t.labels["related"]}</h2><div class="cards">{cards}</div></section></main>
<footer class="site-footer"><nav>{links(t.menu)}</nav><p><small>{t.footer}</small></p></footer>
<div class="modal" role="dialog" aria-label="cookies"><p>{t.cookies}</p><button>{t.labels["accept"]}</button></div>"""


def modules(t: Text) -> str:
    """A page whose names are made by a compiler, and mean nothing."""
    menu = "".join(
        f'<div class="css-1x9k"><a class="css-z81" href="/{i}">{m}</a></div>' for i, m in enumerate(t.menu)
    )
    body = "".join(f'<div class="css-8fj2"><span class="css-q1">{p}</span></div>' for p in t.paragraphs)
    more = "".join(
        f'<div class="css-77d"><a href="/x{i}"><div class="css-k2">{r}</div><div class="css-k3">{t.date}</div></a></div>'
        for i, r in enumerate(t.related)
    )
    return f"""<div id="__next"><div class="css-0a"><div class="css-11">{menu}</div><div class="css-12"><div class="css-h1">{t.title}</div>
<div class="css-by">{t.author} • {t.date}</div><div class="css-b0">{body}</div><div class="css-sh"><div>{t.labels["share"]}</div><div>{t.labels["reply"]}</div></div></div>
<div class="css-13"><div class="css-k1">{t.labels["latest"]}</div>{more}</div><div class="css-14"><div>{t.footer}</div>{menu}</div></div></div>"""


def homestead(t: Text) -> str:
    """A home page of the first years: everything centred, rules between, line breaks for paragraphs."""
    menu = " | ".join(f'<a href="{i}.htm">{m}</a>' for i, m in enumerate(t.menu))
    return f"""<center><img src="title.gif"><br><font size="2">{menu}</font><hr width="80%"></center>
<center><b><font size="5" color="#800000">{t.title}</font></b></center><br>
<table width="80%" align="center"><tr><td><font face="Arial" size="3">{"<br><br>".join(t.paragraphs)}</font></td></tr></table>
<hr width="80%"><center><font size="2">{menu}<br>{t.footer}<br><a href="mailto:a@a.example">{t.menu[6]}</a></font></center>"""


def manual(t: Text) -> str:
    """Documentation: a tree of contents at the side, sections with headings, a note, examples of code."""
    sections = "".join(
        f'<section id="s{i}"><h2>{t.related[i % len(t.related)]}<a class="headerlink" href="#s{i}">¶</a></h2><p>{p}</p>'
        + ('<div class="highlight"><pre>$ make install\n$ make test</pre></div>' if i == 1 else "")
        + "</section>"
        for i, p in enumerate(t.paragraphs)
    )
    return f"""<div class="related" role="navigation"><h3>{t.menu[0]}</h3><ul><li class="right"><a href="genindex.html">{t.labels["search"]}</a></li><li class="right"><a href="next.html">{t.labels["next"]}</a> |</li></ul></div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section id="top"><h1>{t.title}<a class="headerlink" href="#top">¶</a></h1>
{sections}</section></div></div></div><div class="sphinxsidebar" role="navigation"><h3><a href="/">{t.menu[1]}</a></h3>{links(t.menu, "toctree")}{links(t.related, "toctree")}
<div id="searchbox"><h3>{t.labels["search"]}</h3><form><input type="text"></form></div></div></div>
<div class="footer">© {t.footer}</div>"""


def shop(t: Text) -> str:
    """A product: what it is, its properties in a table, and others to buy."""
    others = "".join(
        f'<div class="product-card"><a href="/p{i}">{r}</a><span class="price">€ {i + 4},90</span><button>+</button></div>'
        for i, r in enumerate(t.related)
    )
    return f"""<div class="announcement-bar">{t.menu[1]} – {t.menu[4]}</div><header class="header"><nav class="mega-menu">{links(t.menu)}</nav><a class="cart" href="/cart">0</a></header>
<div class="product-page"><div class="product-gallery"><img src="/p.jpg"></div><div class="product-info"><h1 class="product-title">{t.title}</h1><div class="price">€ 24,90</div>
<form class="add-to-cart"><label>{t.menu[2]}</label><select><option>1</option></select><button>{t.labels["accept"]}</button></form></div>
<div class="product-description"><div class="rte">{"".join(f"<p>{p}</p>" for p in t.paragraphs)}</div></div></div>
<div class="recommendations"><h2>{t.labels["related"]}</h2>{others}</div><footer class="footer">{links(t.menu)}<p>{t.footer}</p></footer>"""


LAYOUTS = (portal, blogger, joomla, phpbb, mediawiki, office, magazine, modules, homestead, manual, shop)
