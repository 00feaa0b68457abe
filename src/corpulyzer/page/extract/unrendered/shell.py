"""Is a page an empty shell that scripts fill? Told by its own marks, not by a list of sites.

A page that has scripts is none: what counts is that its main text is missing, and that something says who
would bring it: an empty root of an application, a request to turn scripts on, data that nobody has drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from corpulyzer.page.extract.words import collapsed

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

FEW_CHARACTERS = 250
"""A page with more main text than that is not looked at: it shows its text."""

MOST_VISIBLE = 300  # characters in all, outside links, on a page that is known by weaker marks
MOST_TEXT = 80  # characters of what would be the main text of such a page
MOST_LINKS = 3  # on a page that says nothing but that it needs scripts
MOST_AROUND = 800  # around the empty root of an application: menus and a footer
MOST_LOADING = 60  # characters of a root that is empty but for "Loading …"
MAX_NOTICE = 600

_ROOTS = (
    "#root #app #__next #__nuxt #___gatsby #svelte #q-app #ember-app #react-root #app-root #reactRoot"
    " #vue-app #main-app #application #react-app #reactApp #mount #spa #app-container #app-mount"
    " #gatsby-focus-wrapper app-root my-app ion-app flt-glass-pane flutter-view [ng-app] [data-ng-app]"
    " [data-reactroot] [ng-version] [data-server-rendered] [data-page] [data-v-app]"
).split()
_UNDRAWN = (
    "__NEXT_DATA__ __NUXT__ __NUXT_DATA__ __INITIAL_STATE__ __APOLLO_STATE__ __PRELOADED_STATE__"
    " __INITIAL_DATA__ __remixContext __sveltekit ___gatsby __VUE_SSR _$HY __next_f webpackJsonp"
    " webpackChunk"
).split()
_SAYS_SCRIPTS = regex.compile(r"java\s?script|джава\s?скрипт|جاوا\s?اسکریپت|جافا\s?سكريبت", regex.IGNORECASE)
_UNSEEN = ("script", "style", "noscript", "template", "svg")


def evidence(tree: LexborHTMLParser, text: int, visible: int) -> str:
    """What shows that a page needs a browser, in words; empty if nothing does.

    `text` is how many characters its main text has, `visible` how many it shows in all, outside links.
    """
    body = tree.body
    if body is None or visible > MOST_AROUND or not (scripts := _scripts(tree)):
        return ""
    if root := next((root for root in map(tree.css_first, _ROOTS) if root and _is_empty(root)), None):
        return f"{_named(root)} is empty"
    if visible > MOST_VISIBLE:
        return ""
    if _SAYS_SCRIPTS.search(_text(body)) and len(body.css("a")) <= MOST_LINKS:
        return "it says only that it needs JavaScript"
    if text > MOST_TEXT:
        return ""
    if any(_SAYS_SCRIPTS.search(_text(node)) for node in tree.css("noscript")):
        return "it asks for JavaScript"
    names = " ".join(f"{node.attributes.get('id') or ''} {node.text()[:2_000]}" for node in scripts)
    if found := next((name for name in _UNDRAWN if name in names), ""):
        return f"{found} is not drawn"
    loads = any(node.attributes.get("src") for node in scripts)
    return "it has nothing but scripts" if loads and _is_bare(body) else ""


def _scripts(tree: LexborHTMLParser) -> list[LexborNode]:
    """The scripts that would run, and the data for them."""
    return [node for node in tree.css("script") if "ld+json" not in (node.attributes.get("type") or "")]


def _is_empty(root: LexborNode) -> bool:
    return (
        len(_text(root)) <= MOST_LOADING and root.css_first("img, iframe, video, object, embed, form") is None
    )


def _is_bare(body: LexborNode) -> bool:
    """Whether a body shows nothing at all: no text, picture, frame or form."""
    return (
        not _text(body)
        and body.css_first("img, iframe, frame, video, object, embed, form, input, svg") is None
    )


def _text(node: LexborNode) -> str:
    """The text of an element, without what stands in scripts, styles and the like."""
    parts, size = [], 0
    stack = list(reversed(list(node.iter(include_text=True))))
    while stack and size <= MAX_NOTICE:
        child = stack.pop()
        if child.is_text_node:
            parts.append(child.text_content or "")
            size += len(parts[-1].strip())
        elif child.tag not in _UNSEEN:
            stack.extend(reversed(list(child.iter(include_text=True))))
    return collapsed(" ".join(parts))


def _named(node: LexborNode) -> str:
    return f"{node.tag}#{node.id}" if node.id and len(node.id) < 40 else str(node.tag)
