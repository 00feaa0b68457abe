"""Page layouts that real sites use. Each takes an article and its frame and returns HTML.

The truth is known: of every page a perfect extractor keeps exactly the article's paragraphs. A home page
and a gallery have none.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from corpulyzer.lab.demo.pages.frames import Frame
from corpulyzer.lab.demo.pages.html_parts import (
    bullets,
    document,
    footer,
    lines,
    meta_charset,
    own_language,
    paragraphs,
    text,
)
from corpulyzer.lab.demo.prose import Article, Prose

Layout = Callable[[Article, Frame], str]


def news(article: Article, frame: Frame) -> str:
    """A news article between menu, sidebar, related links and footer, as HTML5 wants it."""
    labels = frame.prose.labels
    return document(
        article,
        frame,
        f"""<div class="cookie-banner" role="dialog"><p>{text(frame.cookies)}</p>
<button>{text(labels["accept"])}</button><button>{text(labels["refuse"])}</button></div>
<header><a class="logo" href="/">{text(frame.site)}</a><nav class="menu">{bullets(frame.menu)}</nav></header>
<main><article class="story"{own_language(article, frame)}>
<h1>{text(article.title)}</h1>
<p class="byline"><span class="author">{text(article.author)}</span> · <time>{text(article.date)}</time></p>
<div class="story-body">
{paragraphs(article)}
</div></article>
<aside class="sidebar"><h2>{text(labels["related"])}</h2>{bullets(frame.related)}{frame.beside}</aside></main>
{footer(frame)}""",
        f'<meta name="author" content="{escape(article.author)}">\n',
    )


def blog(article: Article, frame: Frame) -> str:
    """A blog post with comments and a form below it."""
    labels = frame.prose.labels
    comments = "\n".join(
        f"""<li class="comment"><cite>{text(name)}</cite><p>{text(said)}</p>
<a href="#reply">{text(labels["reply"])}</a></li>"""
        for name, said in frame.comments
    )
    return document(
        article,
        frame,
        f"""<div id="header"><h1 id="blog-title"><a href="/">{text(frame.site)}</a></h1></div>
<div id="content"><div class="post"{own_language(article, frame)}>
<h2 class="post-title">{text(article.title)}</h2>
{paragraphs(article)}
<div class="post-meta">{text(labels["posted"])} {text(article.date)}, {text(article.author)}</div></div>
{frame.beside}<div id="comments"><h3>{text(labels["comments"])}</h3><ol>
{comments}
</ol><form><textarea></textarea><input type="submit" value="{escape(labels["reply"])}"></form></div></div>
<div id="sidebar"><h3>{text(labels["latest"])}</h3>{bullets(frame.related)}</div>
{footer(frame)}""",
    )


def wordpress(article: Article, frame: Frame) -> str:
    """A post in the markup of the most common publishing software."""
    labels = frame.prose.labels
    return document(
        article,
        frame,
        f"""<div id="page" class="site"><header id="masthead" class="site-header">
<p class="site-title"><a href="/" rel="home">{text(frame.site)}</a></p>
<nav id="site-navigation" class="main-navigation">{bullets(frame.menu, "menu")}</nav></header>
<div id="primary" class="content-area"><main id="main" class="site-main">
<article id="post-{len(article.text)}" class="post type-post hentry"{own_language(article, frame)}>
<header class="entry-header"><h1 class="entry-title">{text(article.title)}</h1>
<span class="posted-on">{text(labels["posted"])} <time>{text(article.date)}</time></span></header>
<div class="entry-content">
{paragraphs(article)}
</div>
<footer class="entry-footer">{text(labels["tags"])}: <a href="/tag/1" rel="tag">{article.topic}</a></footer>
</article>
<nav class="post-navigation">{bullets(frame.related[:2])}</nav>
</main></div><aside id="secondary" class="widget-area"><section class="widget widget_recent_entries">
<h2>{text(labels["latest"])}</h2>{bullets(frame.related)}</section>{frame.beside}</aside></div>
{footer(frame)}""",
        '<meta name="generator" content="WordPress 6.4">\n',
    )


def forum(article: Article, frame: Frame) -> str:
    """A thread whose posts are the article's paragraphs, each beside its author's particulars."""
    labels = frame.prose.labels
    names = [article.author, *(name for name, _ in frame.comments)]
    posts = "\n".join(
        f"""<table class="post"><tr>
<td class="user"><b>{text(names[i % len(names)])}</b><br>{text(labels["views"])}: {i + 7}</td>
<td class="message"{own_language(article, frame)}><div class="postbody">{text(paragraph)}</div>
<div class="buttons"><a href="?reply={i}">{text(labels["reply"])}</a></div></td></tr></table>"""
        for i, paragraph in enumerate(article.paragraphs)
    )
    return document(
        article,
        frame,
        f"""<div class="top"><a href="/">{text(frame.site)}</a> |
<a href="/login">{text(labels["login"])}</a> | <a href="/register">{text(labels["register"])}</a></div>
<h1>{text(article.title)}</h1>
{posts}
<div class="pages"><a href="?page=0">{text(labels["previous"])}</a>
<a href="?page=2">{text(labels["next"])}</a></div>
{frame.beside}{footer(frame)}""",
    )


def tables(article: Article, frame: Frame) -> str:
    """A page of the 1990s: nested tables, font elements, no closing tags for paragraphs."""
    links = "<br>\n".join(f'<a href="{a.href}"><font size="2">{text(a.text)}</font></a>' for a in frame.menu)
    body = "\n".join(f'<P align="justify"><FONT size="3">{text(p)}</FONT>' for p in article.paragraphs)
    direction = ' dir="rtl"' if Prose(article.language).direction == "rtl" else ""
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">
<HTML><HEAD><TITLE>{text(article.title)}</TITLE>{meta_charset(frame)}
{frame.head}</HEAD><BODY bgcolor="#ffffff" link="#0000cc">
{frame.top}<TABLE width="100%" border="0">
<TR><TD colspan="2" bgcolor="#003366"><FONT color="white">{text(frame.site)}</FONT></TD></TR>
<TR><TD width="150" valign="top"{direction}>{links}</TD>
<TD valign="top"{direction}><TABLE cellpadding="8"><TR><TD><FONT size="5"><B>{text(article.title)}</B></FONT>
{body}
</TD></TR></TABLE>{frame.beside}</TD></TR>
<TR><TD colspan="2" align="center"><FONT size="1">© {text(frame.footer)}</FONT>{frame.foot}</TD></TR></TABLE>
</BODY></HTML>
"""


def line_breaks(article: Article, frame: Frame) -> str:
    """Text in one container, its paragraphs set apart by line breaks alone."""
    body = "<br>\n<br>\n".join(text(paragraph) for paragraph in article.paragraphs)
    menu = " | ".join(f'<a href="{a.href}">{text(a.text)}</a>' for a in frame.menu)
    return document(
        article,
        frame,
        f"""<div class="menu">{menu}</div>
<h2>{text(article.title)}</h2>
<div id="text"{own_language(article, frame)}>{body}</div>
{frame.beside}<div class="menu">{menu}</div>
{footer(frame)}""",
    )


def div_soup(article: Article, frame: Frame) -> str:
    """Everything a div with a meaningless class; no p, no article, no lists."""
    menu = "".join(f'<div class="x3"><a href="{a.href}">{text(a.text)}</a></div>' for a in frame.menu)
    body = "\n".join(f'<div class="c7"><div><span>{text(p)}</span></div></div>' for p in article.paragraphs)
    more = "".join(f'<div class="c9"><a href="{a.href}">{text(a.text)}</a></div>' for a in frame.related)
    return document(
        article,
        frame,
        f"""<div class="a1"><div class="x2">{menu}</div><div class="b4">
<div class="h">{text(article.title)}</div><div class="b5"{own_language(article, frame)}>
{body}
</div></div><div class="b6">{more}{frame.beside}</div></div>
{footer(frame)}""",
    )


def encyclopedia(article: Article, frame: Frame) -> str:
    """An encyclopedia's entry: contents, sections with edit links, a table, references."""
    labels = frame.prose.labels
    half = (len(article.paragraphs) + 1) // 2
    parts = (article.paragraphs[:half], article.paragraphs[half:])
    edit = f'<span class="mw-editsection">[<a href="?action=edit">{text(labels["edit"])}</a>]</span>'
    heads = "".join(f"<th>{text(labels[name])}</th>" for name in ("place", "year", "people", "schools"))
    rows = "".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>\n" for row in frame.table)
    return document(
        article,
        frame,
        f"""<div id="mw-panel"><ul><li>{bullets(frame.menu)}</li></ul></div>
<div id="content" role="main"><h1 id="firstHeading">{text(article.title)}</h1>
<div id="bodyContent"><div class="mw-parser-output"{own_language(article, frame)}>
<table class="infobox">{rows}</table>
{lines(parts[0], "p")}
<div id="toc"><h2>{text(labels["contents"])}</h2>
<ul><li><a href="#s1">1 {text(article.title)}</a></li></ul></div>
<h2>{text(article.title)} {edit}</h2>
{lines(parts[1], "p")}
<table class="wikitable"><tr>{heads}</tr>
{rows}</table>
<h2>{text(labels["references"])}</h2>
<ol class="references"><li>{text(article.author)}, {text(article.date)}</li></ol>
</div></div></div>{frame.beside}
{footer(frame)}""",
    )


def home_page(article: Article, frame: Frame) -> str:
    """A front page: headlines that lead elsewhere, and no text of its own."""
    labels = frame.prose.labels
    teasers = "\n".join(
        f"""<div class="teaser"><h3><a href="{a.href}">{text(a.text)}</a></h3>
<a href="{a.href}">{text(labels["read_more"])}</a></div>"""
        for a in frame.related
    )
    return document(
        article,
        frame,
        f"""<header><h1>{text(frame.site)}</h1><nav>{bullets(frame.menu)}</nav></header>
<main class="front">
{teasers}
</main>{frame.beside}
{footer(frame)}""",
    )


def gallery(article: Article, frame: Frame) -> str:
    """Pictures with captions, and no text of its own."""
    figures = "\n".join(
        f"""<figure><a href="/photo/{i}.html"><img src="/thumb/{i}.jpg" alt=""></a>
<figcaption>{text(caption)}</figcaption></figure>"""
        for i, caption in enumerate(frame.captions)
    )
    return document(
        article,
        frame,
        f"""<nav>{bullets(frame.menu)}</nav><h1>{text(frame.prose.labels["gallery"])}</h1>
<div class="grid">
{figures}
</div>{frame.beside}
{footer(frame)}""",
    )


ARTICLE_LAYOUTS: tuple[Layout, ...] = (
    news, wordpress, blog, forum, encyclopedia, tables, line_breaks, div_soup,
)  # fmt: skip
